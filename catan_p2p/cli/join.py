"""``catan-p2p join``: take a seat in a game."""

from __future__ import annotations

import argparse
import secrets
from typing import Any

from catan_p2p.cli import values
from catan_p2p.cli.output import FINE, tell
from catan_p2p.log.keys import read_private_key
from catan_p2p.replication.seat import SeatSettings, join_game


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
    parser.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    """Carry the verb out; returns the exit code."""
    key = None if args.key is None else read_private_key(args.key)
    game = join_game(args.url, args.path, SeatSettings(args.colour, secrets.randbits(128)), key)
    tell(f"{args.path}: {args.colour} joins a game of {', '.join(seat.colour for seat in game.seats)}")
    return FINE
