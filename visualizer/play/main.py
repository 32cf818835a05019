"""What ``catan-p2p play`` does with its arguments: a lobby, or a table and a window at it."""

from __future__ import annotations

import argparse
import contextlib
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from catan_p2p.log.refs import COLOURS
from catan_p2p.sessions.messages import BeforeTable, LeadPeers
from catan_p2p.sessions.new_table import NewTable
from catan_p2p.sessions.saved_games import new_table_path, seats_here
from catan_p2p.sessions.worker_client import WorkerLink
from catan_p2p.tables.seat import data_folder

from ..window.arguments import FINE, WRONG_USAGE, WrongUsage, size_of
from ..window.clipboard import SystemClipboard
from ..window.frames import wake
from ..window.screen import NoDisplay, Screen, open_screen
from .front_window import FrontWindow
from .lobby import Lobby
from .settings import SCALES, WindowSettings, read_settings
from .table import LocalTable, feed_of

if TYPE_CHECKING:
    from ..data.feed import FeedSource
    from .window import PlayWindow
    from .worker import WorkerLine


def play(args: argparse.Namespace, process: subprocess.Popen[bytes] | None = None) -> int:
    """Run the verb, with a worker process that was started before; returns the exit code."""
    try:
        size = size_of(args.size)
        start = _WindowStarter(args, process)
        return start.lobby(size) if args.is_plain else start.table(size)
    except (WrongUsage, NoDisplay) as error:
        print(f"catan-p2p play: {error}", file=sys.stderr)
        return WRONG_USAGE


def play_at_server(args: argparse.Namespace) -> tuple[int, Sequence[Any]]:
    """Run ``lmu play``; returns the exit code, and the server's messages at the last table."""
    from .at_server import NAMELESS, ServerSeats, ServerTable, seat_settings
    from .window import PlayWindow

    file = data_folder() / "settings.json"
    settings = _settings(args, file)
    try:
        screen = open_screen(size_of(args.size), args.fullscreen)
    except (WrongUsage, NoDisplay) as error:
        print(f"catan-p2p lmu play: {error}", file=sys.stderr)
        return WRONG_USAGE, ()
    name = args.name or settings.name or NAMELESS
    seats = ServerSeats()
    table = ServerTable(seat_settings(args.url, name, args.colour, args.wait))
    window = PlayWindow(table, screen, settings, file, fullscreen=args.fullscreen, link=seats.link, feed=seats.feed)
    with contextlib.suppress(KeyboardInterrupt):
        window.run()
    if window.session.failure:
        print(f"catan-p2p lmu play: {window.session.failure}", file=sys.stderr)
    return WRONG_USAGE if window.session.failure else FINE, seats.heard


class _WindowStarter:
    """Makes windows as the arguments say; the first worker process needed is the one started before."""

    def __init__(self, args: argparse.Namespace, process: subprocess.Popen[bytes] | None) -> None:
        self._args, self._ready = args, [process]
        self._settings_file = data_folder() / "settings.json"
        self._settings = _settings(args, self._settings_file)

    def lobby(self, size: tuple[int, int] | None) -> int:
        """Open a window in which the person chooses what to play; returns the exit code."""
        args = self._args
        screen = open_screen(size, args.fullscreen)
        lobby = Lobby(
            self._settings, self._settings_file, lambda path: _existing(path, args), SystemClipboard(), self._link
        )
        front = FrontWindow(lobby, screen, lambda table, full: self._window(table, screen, full), args.fullscreen)
        with contextlib.suppress(KeyboardInterrupt):
            front.run()
        self._tell(front.tables[-1:], () if front.table is None else front.table.session.worker.trouble)
        return FINE

    def table(self, size: tuple[int, int] | None) -> int:
        """Open a window at the table that the arguments name; returns the exit code."""
        args = self._args
        table = _new(args, args.out) if args.path is None else _existing(args.path, args)
        screen = open_screen(size, args.fullscreen)
        window = self._window(table, screen, args.fullscreen)
        with contextlib.suppress(KeyboardInterrupt):
            window.run()
        if window.session.failure:
            print(f"catan-p2p play: {window.session.failure}", file=sys.stderr)
            return WRONG_USAGE
        self._tell([window.session.worker.table], window.session.worker.trouble)
        return FINE

    def _window(self, table: LocalTable, screen: Screen, fullscreen: bool) -> PlayWindow:
        from .window import PlayWindow

        link: Callable[[LeadPeers, Callable[[], None]], WorkerLine] = self._link
        feed: Callable[[LocalTable], FeedSource] = feed_of
        if not table.knows_all:  # imported here: only players at servers wait for these modules
            from .at_server import ServerSeats

            seats = ServerSeats()
            link, feed = seats.link, seats.feed
        return PlayWindow(
            table,
            screen,
            self._settings,
            self._settings_file,
            opens_hands=self._args.open,
            link=link,
            feed=feed,
            fullscreen=fullscreen,
        )

    def _link(self, first: LeadPeers | BeforeTable, woken: Callable[[], None] = wake) -> WorkerLink:
        return WorkerLink(first, woken, self._ready.pop() if self._ready else None)

    def _tell(self, tables: list[LocalTable], trouble: Sequence[str]) -> None:
        for line in trouble:
            print(f"catan-p2p play: {line}", file=sys.stderr)
        for table in tables:
            if not self._args.quiet and table.sit.path.exists():
                print(f"the game lies in {table.sit.path}", file=sys.stderr)


def _settings(args: argparse.Namespace, file: Path) -> WindowSettings:
    settings = read_settings(file)
    if args.scale is not None:
        settings.scale = min(SCALES, key=lambda scale: abs(scale - args.scale))
    if args.pace is not None:
        settings.pace_s = args.pace
    return settings


def _existing(path: Path, args: argparse.Namespace) -> LocalTable:
    seats = seats_here(path)
    # Where only computers play, the window has the seat of the first of them.
    people = [seat.colour for seat in seats if seat.policy is None] or [seats[0].colour]
    return LocalTable(
        LeadPeers(path.absolute(), None, listen=args.listen, alone=args.alone, has_chat=not args.no_chat), people
    )


def _new(args: argparse.Namespace, out: Path | None) -> LocalTable:
    people = args.hot_seat or [COLOURS[0]]
    colours = COLOURS[: args.players]
    if strangers := [colour for colour in people if colour not in colours]:
        raise WrongUsage(f"--hot-seat {strangers[0]}: {args.players} players are {', '.join(colours)}")
    names = () if args.name is None else ((people[0], args.name),)
    new = NewTable(tuple(colours), frozenset(people), args.rules, args.map, args.policy, args.seed, names=names)
    path = out if out is not None else new_table_path()
    return LocalTable(LeadPeers(path.absolute(), new), [colour for colour in colours if colour in people])
