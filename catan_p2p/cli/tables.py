"""``catan-p2p tables``: list tables announced in the local network."""

import argparse
from typing import Any

from catan_p2p.cli import values
from catan_p2p.cli.output import FINE, emit, emit_json, tell
from catan_p2p.safe_text import shown
from catan_p2p.tables.announcing import find_tables

_WAIT_S = 5.0


def add_parser(subparsers: Any) -> None:
    """Add the verb."""
    parser = subparsers.add_parser(
        "tables",
        help="list tables announced in the local network",
        description="Print the invitations that others announce in the local network with catan-p2p host --announce, "
        "each with a description of its table. Take a seat with: catan-p2p join INVITATION.",
    )
    parser.add_argument(
        "--wait",
        type=values.seconds,
        default=_WAIT_S,
        metavar="SECONDS",
        help=f"how long to listen (default: {_WAIT_S:g})",
    )
    parser.add_argument("--json", action="store_true", help="print the tables as JSON")
    parser.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    """Carry the verb out; returns the exit code."""
    found = find_tables(args.wait)
    if args.json:
        emit_json([table._asdict() for table in found])
        return FINE
    for table in found:
        emit(f"{shown(table.invitation)}  {shown(table.words)}")
    if not found:
        tell("no table is announced in the local network")
    return FINE
