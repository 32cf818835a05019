"""``catan-p2p watch``: look at a game, in a window or as pictures. Only here, and only when run, pygame is needed."""

import argparse
import importlib
import os
import tempfile
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from catan_p2p.cli import values
from catan_p2p.cli.output import WRONG_USAGE, say
from catan_p2p.log.transport.quarantine import Quarantine, sweep
from catan_p2p.log.transport.remote import checked_url, local_path
from catan_p2p.tables.invitation import is_mangled, parse_invitation

_DESCRIPTION = """\
Show a game repository: the island, the players, the commit graph. Play it, step
through it, or follow it while it is being played: here, or elsewhere, by the URL
of a relay, of a player who serves, or of a tournament of LMU clients. In the
window, ? lists the keys.
"""
_EXAMPLES = """\
examples:
  catan-p2p watch games/tour/Catan_0
  catan-p2p watch games/tour/Catan_0 --follow --peer Blue
  catan-p2p watch https://git.example.org/friends/table.git --follow
  catan-p2p watch ws://127.0.0.1:8080/catan#3
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
    parser.add_argument(
        "path",
        type=values.place,
        metavar="PATH|URL|INVITATION",
        help="a game repository, or a folder with one in it; or the URL of a relay or of a player, or an invitation",
    )
    parser.add_argument("--follow", action="store_true", help="show a game while it is being played")
    parser.add_argument(
        "--peer", type=values.colour, metavar="COLOUR", help="the game as this player knows it: Red, Blue, ..."
    )
    parser.add_argument("--at", metavar="COMMIT", help="begin at this commit: its id, or the first digits of it")
    parser.add_argument(
        "--snapshot", type=values.new_path, metavar="FILE.png", help="save a picture instead of opening a window"
    )
    parser.add_argument(
        "--record", type=values.new_path, metavar="FILE", help="save a film instead: FILE.gif or FILE.mp4"
    )
    parser.add_argument("--until", metavar="COMMIT", help="last commit of the film (default: the end of the game)")
    parser.add_argument("--speed", type=float, metavar="N", help="actions a second (default: 4)")
    parser.add_argument(
        "--size", default="1280x800", metavar="WxH", help="size of the window or picture in pixels (default: 1280x800)"
    )
    parser.add_argument("--scale", type=float, default=1.0, metavar="F", help="scale text by this factor (default: 1)")
    parser.add_argument(
        "--hide-future", action="store_true", help="show nothing that is still to come, in films and pictures either"
    )
    parser.add_argument("--fullscreen", action="store_true", help="fill the screen")
    parser.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    """Carry the verb out; returns the exit code."""
    place = args.path
    if (invitation := parse_invitation(place)) is not None:
        place = invitation.url
    elif is_mangled(place):
        say(f"catan-p2p watch: {place}: an invitation that was cut or changed; expected 43 characters at its end")
        return WRONG_USAGE
    repository, arguments = _viewer("data.repository"), _viewer("window.arguments")
    try:
        arguments.check(args)
        if (path := local_path(place)) is not None:
            args.path = path
            repository.find_replicas(path)
    except (arguments.WrongUsage, repository.NoGame) as error:
        say(f"catan-p2p watch: {error}")
        return WRONG_USAGE
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    try:
        import pygame  # noqa: F401
    except ImportError:
        say("catan-p2p watch: needs pygame: pip install 'catan-p2p[play]'")
        return WRONG_USAGE
    if place.startswith(("ws://", "wss://", "tcp://")):
        return _watch_server(args, place)
    if path is not None:
        return int(_viewer("main").watch(args))
    # Most games that are watched are here, and need neither.
    from catan_p2p.log.transport.mirror import Mirror
    from catan_p2p.sessions.saved_games import data_folder

    url, watched = checked_url(place), data_folder() / "watched"
    sweep(watched)
    quarantine = Quarantine(watched / Quarantine.new_name())
    try:
        quarantine.begin()
        mirror = Mirror(url, quarantine.folder / "game.git")
        args.path = mirror.folder
        with closing(mirror):
            mirror.fetch()
            if args.follow:
                mirror.follow()
            return int(_viewer("main").watch(args))
    finally:
        quarantine.clear()


def _watch_server(args: argparse.Namespace, url: str) -> int:
    """Watch a game at a server of the LMU protocol, as late as its spectators hear of it."""
    from catan_p2p.cli.lmu_options import has_websockets
    from catan_p2p.lmu.client import CannotConnect
    from catan_p2p.lmu.spectator import Spectator

    if not has_websockets():
        return WRONG_USAGE
    with tempfile.TemporaryDirectory(prefix="catan-p2p-watched-") as folder:
        args.path = Path(folder) / "Catan"
        args.follow = args.follow or (args.snapshot is None and args.record is None)
        say(f"{url}: waiting for what spectators are told")
        with closing(Spectator(url, args.path)) as spectator:
            try:
                spectator.wait()
            except CannotConnect as error:
                say(f"catan-p2p watch: {error}")
                return WRONG_USAGE
            return int(_viewer("main").watch(args))


def _viewer(module: str) -> Any:
    """A module of the viewer: part of this package where that is installed, beside it in a checkout."""
    package = "catan_p2p.visualizer" if find_spec("catan_p2p.visualizer") else "visualizer"
    return importlib.import_module(f"{package}.{module}")
