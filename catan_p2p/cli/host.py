"""``catan-p2p host``: open a table, invite the others, and begin the game when all are there."""

import argparse
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from catan_p2p.cli import table_options, values
from catan_p2p.cli.output import INTERRUPTED, WRONG_USAGE, emit, flush_output, say, tell
from catan_p2p.cli.starting import add_start_options, asks, start
from catan_p2p.game.board import DEFAULT_MAP_NAME, MapError, read_map
from catan_p2p.game.constants import UnsupportedRules
from catan_p2p.game.new_game import drawn_map, new_constants
from catan_p2p.game.secret_streams import secret_seed
from catan_p2p.log.keys import read_private_key
from catan_p2p.log.transport.remote import checked_url
from catan_p2p.log.transport.serve import parse_address
from catan_p2p.players.policies import check_policy
from catan_p2p.tables.announcing import TableAnnouncer
from catan_p2p.tables.computers import BadComputers, computers_in
from catan_p2p.tables.hosting import open_table
from catan_p2p.tables.invitation import Invitation
from catan_p2p.tables.setup import HANDS_AT_TABLES, at_table
from catan_p2p.tables.waiting_room import with_port

PROFILE = "standard"
"""The rules of a table without ``--rules``."""


def add_parser(subparsers: Any) -> None:
    """Add the verb."""
    parser = subparsers.add_parser(
        "host",
        help="open a table for people, and invite the others",
        description="Open a table: print one line, an invitation, wait until every other player has taken a seat with "
        "catan-p2p join INVITATION, and begin the game. After an interruption, the same command goes on.",
        epilog="Anyone who has the invitation can take a seat, so send it to the players only.",
    )
    parser.add_argument(
        "path",
        nargs="?",
        type=values.seat_path,
        metavar="DIR",
        help="a folder for your repository (default: catan-red, or another colour)",
    )
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument(
        "--relay",
        metavar="URL",
        help="a repository to which all players may push; a folder that does not exist is created",
    )
    where.add_argument(
        "--listen",
        type=values.address,
        metavar="HOST:PORT",
        help="without a relay: wait for the others, and play, at this address of this machine",
    )
    parser.add_argument(
        "--announce",
        action="store_true",
        help="show the table, with its invitation, to catan-p2p tables in the local network",
    )
    parser.add_argument(
        "--players",
        default="4",
        metavar="N|COLOUR,...",
        help=f"{values.SEATS}; the host is the first (default: 4)",
    )
    parser.add_argument(
        "--computers",
        metavar="N|COLOUR,...",
        help="how many seats computer players fill, or which ones. This machine plays them for as long as it plays "
        "yours. N=STRENGTH or COLOUR=STRENGTH says how well: easy, good, strong (the default), strongest, or a policy",
    )
    table_options.add_rules_option(parser, PROFILE)
    table_options.add_map_option(parser)
    table_options.add_chance_option(parser, "joint")
    table_options.add_hands_option(parser, HANDS_AT_TABLES)
    table_options.add_leaving_options(parser, "yes")
    parser.add_argument(
        "--seed",
        type=values.integer,
        metavar="S",
        help="the seed of a drawn map, which is then your choice (default: all draw the map together; with "
        "--chance actor, a secret)",
    )
    table_options.add_name_option(parser)
    parser.add_argument("--key", type=values.path, metavar="FILE", help="your private key (default: a new one)")
    add_start_options(parser)
    parser.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    """Carry the verb out; returns the exit code."""
    try:
        colours = values.seats(args.players)
        computers = {} if args.computers is None else computers_in(args.computers, colours, check_policy)
        seed = secret_seed() if args.seed is None else args.seed
        rules, chosen = args.rules or PROFILE, read_map(args.map or DEFAULT_MAP_NAME)
        agreed = at_table(rules, **table_options.asked_of_table(args), fair=True, player_count=len(colours))
        constants = new_constants(agreed, colours, chosen, seed, hands=None)
        table_options.check_library(constants)
        place = checked_url(args.relay) if args.listen is None else parse_address(args.listen)
        announcement = TableAnnouncer() if args.announce else None
    except MapError as error:
        say(f"catan-p2p host: --map {table_options.with_help(error)}")
        return WRONG_USAGE
    except BadComputers as error:
        say(f"catan-p2p host: --computers {args.computers}: {error}")
        return WRONG_USAGE
    except (ValueError, UnsupportedRules) as error:
        say(f"catan-p2p host: {table_options.with_help(error)}")
        return WRONG_USAGE
    drawn = drawn_map(rules, len(colours), chosen)
    if drawn is not None and args.seed is not None:
        tell(f"seed {seed}")
    if constants.rules.chance != "joint" or args.seed is not None:
        drawn = None  # then the map is the host's choice, and the terms say which one it is
    path = args.path or Path(f"catan-{colours[0].lower()}")
    if not isinstance(place, str):
        place = with_port(path, place)
    key = None if args.key is None else read_private_key(args.key)
    try:
        with ExitStack() as opened:

            def show(invitation: Invitation, words: str) -> None:
                emit(str(invitation))
                flush_output()  # a program that reads it from a pipe must not wait until the game begins
                tell("send this line to the others; each joins with: catan-p2p join INVITATION")
                if announcement is not None:
                    opened.enter_context(announcement.shown(str(invitation), words))

            game = open_table(
                path,
                place,
                constants,
                colours,
                key,
                tell,
                show,
                drawn=drawn,
                ask=asks,
                name=args.name,
                is_announced=args.announce,
                computers=computers,
            )
    except KeyboardInterrupt:
        say("interrupted; run the same command again to go on")
        return INTERRUPTED
    tell(f"{path}: the game begins: {', '.join(game.names)}")
    return start(args, path)
