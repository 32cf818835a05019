"""``catan-p2p say``: chat with the other players."""

import argparse
from typing import Any

from catan_p2p.cli import values
from catan_p2p.cli.output import FINE, emit, emit_json
from catan_p2p.safe_text import shown, shown_date
from catan_p2p.tables.chat_writing import read_chat, say


def add_parser(subparsers: Any) -> None:
    """Add the verb."""
    parser = subparsers.add_parser(
        "say",
        help="chat with the other players",
        description="Send TEXT to the players of the game in DIR. It is signed. The peer that plays there "
        "passes it on, at once or when it is started. Without TEXT, print the chat.",
    )
    parser.add_argument("path", type=values.path, metavar="DIR", help="your repository")
    parser.add_argument("text", nargs="?", metavar="TEXT", help="one line, at most 280 characters")
    parser.add_argument("--json", action="store_true", help="print what was said as JSON")
    parser.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    """Carry the verb out; returns the exit code."""
    if args.text is not None:
        say(args.path, args.text)
        return FINE
    messages = read_chat(args.path)
    if args.json:
        emit_json([message._asdict() for message in messages])
        return FINE
    width = max((len(message.colour) for message in messages), default=0)
    for message in messages:
        when = shown_date(message.time_s).strftime("%Y-%m-%d %H:%M")
        emit(f"{when} {message.colour:{width}} {shown(message.text)}")
    return FINE
