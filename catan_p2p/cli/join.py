"""``catan-p2p join``: take a seat in a game."""

from __future__ import annotations

import argparse
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from catan_p2p.cli import table_options, values
from catan_p2p.cli.output import FINE, INTERRUPTED, WRONG_USAGE, say, tell
from catan_p2p.cli.starting import add_start_options, asks, start
from catan_p2p.game.board import MapError, read_map
from catan_p2p.game.constants import PROFILES
from catan_p2p.game.secret_streams import secret_seed
from catan_p2p.log.game import GameDefinition
from catan_p2p.log.keys import read_private_key
from catan_p2p.log.refs import COLOURS
from catan_p2p.log.storage.objects import ObjectId, StoreError, StoreLocked
from catan_p2p.log.transport.remote import checked_url
from catan_p2p.log.transport.serve import parse_address
from catan_p2p.tables.claiming import SeatTaken
from catan_p2p.tables.invitation import Invitation, is_mangled, parse_invitation
from catan_p2p.tables.joining import join_game
from catan_p2p.tables.seat import SeatSettings, read_settings
from catan_p2p.tables.status import read_status
from catan_p2p.tables.taking_seat import look_at_table, take_seat
from catan_p2p.tables.terms import ExpectedTerms, map_choice, terms
from catan_p2p.tables.waiting_folder import read_agreed
from catan_p2p.tables.waiting_room import with_port

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


def add_parser(subparsers: Any) -> None:
    """Add the verb."""
    parser = subparsers.add_parser(
        "join",
        help="take a seat in a game",
        description="Take a seat at the table of an invitation, made by catan-p2p host, and wait until the game "
        "begins; or take a seat in the game at URL. Either validates the game and makes your repository in DIR. A "
        "player whose repository was lost joins again by URL, with the key.",
    )
    parser.add_argument(
        "url",
        metavar="INVITATION|URL",
        help="the line that the host has sent; or any player's repository, or the relay: a folder, or any URL that Git "
        "fetches from",
    )
    # Also after options, as in ``join URL --as Blue DIR``.
    parser.late = parser.add_argument(
        "path",
        nargs="?",
        type=values.seat_path,
        metavar="DIR",
        help="a folder for your repository (default, with an invitation: catan-blue, or another colour)",
    )
    parser.add_argument(
        "--as",
        dest="colour",
        type=values.colour,
        metavar="COLOUR",
        help="whose seat (default, with an invitation: one that is free)",
    )
    parser.add_argument(
        "--key",
        type=values.path,
        metavar="FILE",
        help="your private key, in a signed game (default, with an invitation: a new one)",
    )
    table_options.add_name_option(parser)
    parser.add_argument(
        "--listen",
        type=values.address,
        metavar="HOST:PORT",
        help="at a table without a relay: your address, where the others find you",
    )
    parser.add_argument("--relay", action="store_true", help="URL is a relay: play over it from then on")
    parser.add_argument("--rules", choices=tuple(PROFILES), help="join only if the game has these rules")
    parser.add_argument("--map", metavar="NAME|FILE", help="join only if the game has this map")
    parser.add_argument(
        "--again", action="store_true", help="take a seat that has already played, in a game without keys"
    )
    add_start_options(parser)
    parser.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    """Carry the verb out; returns the exit code."""
    try:
        map = None if args.map is None else read_map(args.map)
    except MapError as error:
        say(f"catan-p2p join: --map {error}")
        return WRONG_USAGE
    key = None if args.key is None else read_private_key(args.key)
    invitation, expected = parse_invitation(args.url), ExpectedTerms(args.rules, map, args.again)
    path = args.path
    if invitation is not None:
        checked_url(invitation.url)  # an invitation comes from somebody else, and Git can run programs for a URL
        try:
            path, colour, game, root = _any_seat(args, invitation, key, expected)
        except KeyboardInterrupt:
            say("interrupted; run the same command again to go on")
            return INTERRUPTED
    elif is_mangled(args.url):
        say(f"catan-p2p join: {args.url}: an invitation that was cut or changed; expected 43 characters at its end")
        return WRONG_USAGE
    elif args.colour is None:
        given = args.url or "''"  # an empty word could not be seen in the message
        say(f"catan-p2p join: {given}: not an invitation; to join a game at a URL, say whose seat: --as COLOUR")
        return WRONG_USAGE
    elif path is None:
        say(f"catan-p2p join: {args.url}: not an invitation; to join a game at a URL, add DIR, your folder")
        return WRONG_USAGE
    else:
        if args.name is not None:
            say("catan-p2p join: --name: in a game at a URL, the player who began it has named all players")
            return WRONG_USAGE
        url, colour = checked_url(args.url), args.colour
        settings = SeatSettings(colour, secret_seed(), relay=url if args.relay else None)
        game, root = join_game(args.url, path, settings, key, expected)
    tell(f"{path}: {colour} joins a game of {', '.join(game.names)}")
    for line in (*terms(game, root), *map_choice(path, game, root)):
        tell(line)
    if key is not None and all(seat.key is None for seat in game.seats):
        say(f"{args.key}: not used, this game has no keys")
    return start(args, path) if invitation is not None or args.start is not None else FINE


def _any_seat(
    args: argparse.Namespace, invitation: Invitation, key: Ed25519PrivateKey | None, expected: ExpectedTerms
) -> tuple[Path, str, GameDefinition, ObjectId]:
    """Take the requested seat, or any free one: if somebody else is faster, the next one.

    A seat is skipped, too, if another program waits for it in this folder.
    """
    busy = set[str]()
    while True:
        colour = args.colour or free_colour(invitation, args.path, busy)
        path = args.path or _default_path(colour)
        listen = None if args.listen is None else with_port(path, parse_address(args.listen))
        try:
            return path, colour, *take_seat(path, invitation, colour, key, expected, tell, listen, asks, args.name)
        except SeatTaken as error:
            if args.colour is not None:
                raise
            tell(f"{error}; trying another one")
        except StoreLocked:
            if args.colour is not None or args.path is not None:
                raise
            busy.add(colour)


def _default_path(colour: str) -> Path:
    return Path(f"catan-{colour.lower()}")


def free_colour(invitation: Invitation, path: Path | None, busy: Collection[str] = ()) -> str:
    """The colour of the seat that an earlier run of the same command waits for or has taken; else of a free one.

    Never one of ``busy``, for which other programs wait in this folder.
    """
    places = [_default_path(colour) for colour in COLOURS if colour not in busy]
    for place in places if path is None else (path,):
        agreed = read_agreed(place)
        if agreed is not None and agreed.get("invitation") == str(invitation):
            return str(agreed["colour"])
        with suppress(StoreError):  # there is no seat in that folder
            settings = read_settings(place)
            is_there = invitation.url in (settings.relay, *settings.remotes.values())
            if is_there and read_status(place).graph.game.number == invitation.number:
                return settings.colour
    terms, left = look_at_table(invitation, tell)
    free = [colour for colour in left if colour not in busy]
    if not free:
        raise StoreError(f"{invitation.url}: all seats are taken: {', '.join(terms.colours)}")
    return free[0]
