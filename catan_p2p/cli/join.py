"""``catan-p2p join``: take a seat in a game."""

from __future__ import annotations

import argparse
import secrets
from typing import Any

from catan_p2p.board import MapError
from catan_p2p.cli import values
from catan_p2p.cli.maps import read_map
from catan_p2p.cli.output import FINE, WRONG_USAGE, say, tell
from catan_p2p.constants import PROFILES
from catan_p2p.log.keys import read_private_key
from catan_p2p.replication.seat import SeatSettings, join_game
from catan_p2p.replication.terms import Expected, terms


def add_parser(subparsers: Any) -> None:
    """Add the verb."""
    parser = subparsers.add_parser(
        "join",
        help="take a seat in a game",
        description="Take a seat in the game at URL: validate it and make the player's own repository in DIR. A player "
        "whose repository was lost joins again the same way.",
    )
    parser.add_argument(
        "url", metavar="URL", help="any player's repository: a folder, or any URL that Git fetches from"
    )
    parser.add_argument("path", type=values.new_path, metavar="DIR", help="a folder for the own repository")
    parser.add_argument("--as", dest="colour", required=True, type=values.colour, metavar="COLOUR", help="whose seat")
    parser.add_argument("--key", type=values.path, metavar="FILE", help="the player's private key, in a signed game")
    parser.add_argument("--rules", choices=tuple(PROFILES), help="join only if these rules are played")
    parser.add_argument("--map", metavar="NAME|FILE", help="join only if it is played on this map")
    parser.add_argument(
        "--again", action="store_true", help="take a seat that has played already, in a game without keys"
    )
    parser.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    """Carry the verb out; returns the exit code."""
    try:
        map = None if args.map is None else read_map(args.map)
    except MapError as error:
        say(f"catan-p2p join: --map {error}")
        return WRONG_USAGE
    key = None if args.key is None else read_private_key(args.key)
    settings = SeatSettings(args.colour, secrets.randbits(128))
    game, root = join_game(args.url, args.path, settings, key, Expected(args.rules, map, args.again))
    tell(f"{args.path}: {args.colour} joins a game of {', '.join(seat.colour for seat in game.seats)}")
    for line in terms(game, root):
        tell(line)
    if key is not None and all(seat.key is None for seat in game.seats):
        say(f"{args.key}: not used, this game has no keys")
    return FINE
