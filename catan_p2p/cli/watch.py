"""``catan-p2p watch``: show a game in a window or as pictures. pygame is imported only when the verb runs."""

import argparse
import os
from typing import Any

from catan_p2p.cli import values
from catan_p2p.cli.output import WRONG_USAGE, say
from catan_p2p.cli.watched import WATCHED, CannotWatch, checked, opened, viewer

_DESCRIPTION = """\
Show a game repository: the island, the players, the commit graph. Play it,
step through it, or follow it while it is being played: on this machine, or
elsewhere by the URL of a relay, or of a player who serves.
In the window, ? lists the keys.
"""
_EXAMPLES = """\
examples:
  catan-p2p watch games/tour/Catan_0
  catan-p2p watch games/tour/Catan_0 --follow --peer Blue
  catan-p2p watch https://git.example.org/friends/table.git --follow
  catan-p2p watch games/tour/Catan_0 --at 13b74b4 --snapshot then.png
  catan-p2p watch games/tour/Catan_0 --record game.gif --speed 8
"""


def add_parser(subparsers: Any) -> None:
    """Add the verb."""
    parser = subparsers.add_parser(
        "watch",
        help="watch a game, replay it, look inside Git",
        description=_DESCRIPTION,
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("path", type=values.place, metavar="PATH|URL|INVITATION", help=WATCHED)
    parser.add_argument("--follow", action="store_true", help="show a game while it is being played")
    parser.add_argument(
        "--peer", type=values.colour, metavar="COLOUR", help="show the game as this player knows it: Red, Blue, ..."
    )
    parser.add_argument("--at", metavar="COMMIT", help="begin at this commit: its id, or the first digits of it")
    parser.add_argument(
        "--snapshot", type=values.new_path, metavar="FILE.png", help="save a picture instead of opening a window"
    )
    parser.add_argument(
        "--record", type=values.new_path, metavar="FILE", help="save a film instead: FILE.gif or FILE.mp4"
    )
    parser.add_argument("--until", metavar="COMMIT", help="last commit of the film (default: the end of the game)")
    parser.add_argument("--speed", type=values.number, metavar="N", help="actions a second (default: 4)")
    parser.add_argument(
        "--size",
        metavar="WxH",
        help="size in pixels (default: of a window, most of the screen; of a picture or film, 1280x800)",
    )
    parser.add_argument(
        "--scale", type=values.number, default=1.0, metavar="F", help="scale text by this factor (default: 1)"
    )
    parser.add_argument(
        "--hide-future", action="store_true", help="show nothing that is still to come, also in films and pictures"
    )
    parser.add_argument("--fullscreen", action="store_true", help="fill the screen")
    parser.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    """Carry the verb out; returns the exit code."""
    arguments = viewer("window.arguments")
    try:
        arguments.check(args)
        place = checked(args.path)
    except (arguments.WrongUsage, CannotWatch) as error:
        say(f"catan-p2p watch: {error}")
        return WRONG_USAGE
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    try:
        import pygame  # noqa: F401
    except ImportError:
        say("catan-p2p watch: needs pygame: pip install 'catan-p2p[play]'")
        return WRONG_USAGE
    try:
        with opened(place, args.follow) as args.path:
            return int(viewer("main").watch(args))
    except CannotWatch as error:
        say(f"catan-p2p watch: {error}")
        return WRONG_USAGE
