"""``catan-p2p page``: write a game as one file that any browser replays, or serve it to browsers while it is played."""

import argparse
import asyncio
import contextlib
import signal
from pathlib import Path
from typing import Any

from catan_p2p.cli import values
from catan_p2p.cli.output import FINDING, FINE, WRONG_USAGE, counted, say, tell
from catan_p2p.cli.watched import WATCHED, CannotWatch, checked, need_websockets, opened, viewer
from catan_p2p.log.storage import disk

_DESCRIPTION = """\
Show a game in any browser: the island, how many cards everybody holds, and
every move in words. With --out it becomes one HTML file that replays the game,
on a phone too, and loads nothing. With --follow the page is served at an
address of this machine, and grows while the game is played; other machines
cannot reach it.
"""
_EXAMPLES = """\
examples:
  catan-p2p page games/tour/Catan_0 -o game.html
  catan-p2p page games/tour/Catan_0 --follow
  catan-p2p page https://git.example.org/friends/table.git --follow

Exit code 1 if commits of the game are refused; what comes before them is shown.
"""


def add_parser(subparsers: Any) -> None:
    """Add the verb."""
    parser = subparsers.add_parser(
        "page",
        help="show a game in any browser, from a file or as it is played",
        description=_DESCRIPTION,
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("path", type=values.place, metavar="PATH|URL|INVITATION", help=WATCHED)
    modes = parser.add_mutually_exclusive_group(required=True)
    modes.add_argument("-o", "--out", type=values.new_path, metavar="FILE.html", help="where to write it")
    modes.add_argument(
        "--follow", action="store_true", help="serve it and follow the game, until you interrupt it (Ctrl-C)"
    )
    parser.add_argument(
        "--port",
        type=values.port,
        default=0,
        metavar="N",
        help="with --follow, the port to serve it at, 0 for any free one (default: 0)",
    )
    parser.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    """Carry the verb out; returns the exit code."""
    try:
        if args.follow:
            need_websockets()
        if args.port and not args.follow:
            raise CannotWatch("--port: only a page that is served has a port; it needs --follow")
        with opened(checked(args.path), args.follow) as path:
            return _serve(path, args) if args.follow else _write(path, args.out)
    except CannotWatch as error:
        say(f"catan-p2p page: {error}")
        return WRONG_USAGE


def _write(path: Path, out: Path) -> int:
    pages, steps, feed = (viewer(name) for name in ("pages.page", "pages.steps", "data.feed"))
    try:
        recording, situation = feed.read_whole(path)
        text = pages.page(recording)
    except (feed.NoGame, steps.TooManySteps) as error:
        raise CannotWatch(str(error)) from None
    with disk.written_whole(out) as beside:
        beside.write_text(text, "utf-8", newline="\n")
    tell(f"{out}: {counted(len(recording) - 1, 'action')}, {(len(text.encode()) + 999) // 1000} kB")
    if situation.problem:
        say(f"catan-p2p page: {situation.problem}")
    return FINDING if situation.problem else FINE


def _serve(path: Path, args: argparse.Namespace) -> int:
    server = viewer("pages.server").PageServer(path, args.port)

    async def serve() -> None:
        started: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        serving = asyncio.ensure_future(server.serve(started))
        with contextlib.suppress(NotImplementedError):  # as on Windows, where Ctrl-C ends it less orderly
            for number in (signal.SIGINT, signal.SIGTERM):
                asyncio.get_running_loop().add_signal_handler(number, serving.cancel)
        await asyncio.wait([serving, started], return_when=asyncio.FIRST_COMPLETED)
        if started.done():
            say(f"{args.path}: followed at {started.result()}")
        await serving

    try:
        asyncio.run(serve())
    except (asyncio.CancelledError, KeyboardInterrupt):
        pass
    except OSError as error:
        raise CannotWatch(f"--port {args.port}: cannot listen there: {error.strerror or error}") from None
    return FINDING if server.problem else FINE
