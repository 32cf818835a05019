"""``catan-p2p page``: write a game as one file that any browser replays."""

import argparse
import importlib
from importlib.util import find_spec
from typing import Any

from catan_p2p.cli import values
from catan_p2p.cli.output import FINDING, FINE, WRONG_USAGE, counted, say, tell
from catan_p2p.log.storage import disk


def add_parser(subparsers: Any) -> None:
    """Add the verb."""
    parser = subparsers.add_parser(
        "page",
        help="write a game as one file that any browser replays",
        description="Write a game as one HTML file that replays it in any browser, on a phone too: the island, how "
        "many cards everybody holds, and every move in words. The file loads nothing.",
        epilog="Exit code 1 if commits of the game are refused; what comes before them is written.",
    )
    parser.add_argument("path", type=values.path, metavar="PATH", help="a game repository, or a public view")
    parser.add_argument(
        "-o", "--out", type=values.new_path, required=True, metavar="FILE.html", help="where to write it"
    )
    parser.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    """Carry the verb out; returns the exit code."""
    package = "catan_p2p.visualizer" if find_spec("catan_p2p.visualizer") else "visualizer"
    pages, feed = (importlib.import_module(f"{package}.{name}") for name in ("page", "data.feed"))
    try:
        recording, situation = feed.read_whole(args.path)
        text = pages.page(recording)
    except (feed.NoGame, pages.TooLong) as error:
        say(f"catan-p2p page: {error}")
        return WRONG_USAGE
    with disk.written_whole(args.out) as beside:
        beside.write_text(text, "utf-8", newline="\n")
    tell(f"{args.out}: {counted(len(recording) - 1, 'action')}, {(len(text.encode()) + 999) // 1000} kB")
    if situation.problem:
        say(f"catan-p2p page: {situation.problem}")
    return FINDING if situation.problem else FINE
