"""``catan-p2p export``: write a game in a notation that other programs read."""

import argparse
from itertools import chain
from typing import Any

from catan_p2p.cli import values
from catan_p2p.cli.output import FINDING, FINE, WRONG_USAGE, emit_bytes, say
from catan_p2p.game.constants import PROFILES
from catan_p2p.notation import WRITABLE, NotExpressible
from catan_p2p.notation.sources import read_repository
from catan_p2p.notation.writing import ENDINGS, format_by_ending, spelled, write_file


def add_parser(subparsers: Any) -> None:
    """Add the verb."""
    parser = subparsers.add_parser(
        "export",
        help="write a game as .catan, SGN or catanatron",
        description="Write a game repository, finished or not, in a notation that other programs read: catanlog's "
        ".catan, Settlers Game Notation 1.0, or catanatron's JSON. What the notation cannot express is left out.",
        epilog="Exit code 1 if commits of the game are refused; what comes before them is written.",
    )
    parser.add_argument("path", type=values.path, metavar="PATH", help="a game repository, or a public view of one")
    parser.add_argument(
        "--format", choices=WRITABLE, help=f"the notation (default: by the ending of FILE, {', '.join(ENDINGS)})"
    )
    parser.add_argument(
        "-o", "--out", type=values.new_path, metavar="FILE", help="where to write it (default: standard output)"
    )
    parser.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    """Carry the verb out; returns the exit code."""
    format = args.format or (format_by_ending(args.out) if args.out else None)
    if format is None:
        formats = f"expected one of {', '.join(WRITABLE)}"
        if args.out is None:
            say(f"catan-p2p export: --format is missing, {formats}")
        else:
            say(f"catan-p2p export: -o {args.out}: expected a name that ends in {' or '.join(ENDINGS)}, or --format")
        return WRONG_USAGE
    source = read_repository(args.path)
    events = chain([source.start], source.events)
    try:
        if args.out is None:
            emit_bytes(spelled(format, events))
        else:
            write_file(args.out, format, events)
    except NotExpressible as error:
        why = "" if source.closed is None else f" ({source.closed})"
        say(f"catan-p2p export: {args.path}: {error}{why}")
        return WRONG_USAGE
    if source.rules is not None and source.rules not in PROFILES:
        say(f"catan-p2p export: the file cannot name its rules; import it with --rules '{source.rules}'")
    if source.closed is not None:
        say(f"{args.path}: {source.closed}")
    for refused in source.refused:
        say(f"{args.path}: left out: {refused}")
    return FINDING if source.refused else FINE
