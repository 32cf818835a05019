"""What ``catan-p2p play`` does with its arguments: a table, and a window at it."""

from __future__ import annotations

import argparse
import contextlib
import subprocess
import sys
from pathlib import Path

from catan_p2p.log.refs import COLOURS
from catan_p2p.sessions.messages import Sit
from catan_p2p.sessions.new_table import NewTable
from catan_p2p.sessions.saved_games import data_folder, new_table_path, seats_here, unfinished_table
from catan_p2p.sessions.worker_client import Link

from ..window.arguments import FINE, WRONG_USAGE, WrongUsage, size_of
from ..window.screen import NoDisplay, open_screen
from .settings import SCALES, read_settings
from .table import Table
from .window import PlayWindow


def play(args: argparse.Namespace, process: subprocess.Popen[bytes] | None = None) -> int:
    """Carry the verb out, with a process that is ready to lead the peers; returns the exit code."""
    try:
        size = size_of(args.size)
        window = _window(args, size, process)
    except (WrongUsage, NoDisplay) as error:
        print(f"catan-p2p play: {error}", file=sys.stderr)
        return WRONG_USAGE
    with contextlib.suppress(KeyboardInterrupt):
        window.run()
    if window.session.failure:
        print(f"catan-p2p play: {window.session.failure}", file=sys.stderr)
        return WRONG_USAGE
    if not args.quiet:
        print(f"the game lies in {window.session.worker.table.sit.path}", file=sys.stderr)
    return FINE


def _window(args: argparse.Namespace, size: tuple[int, int], process: subprocess.Popen[bytes] | None) -> PlayWindow:
    ready = [process]
    settings_file = data_folder() / "settings.json"
    settings = read_settings(settings_file)
    if args.scale is not None:
        settings.scale = min(SCALES, key=lambda scale: abs(scale - args.scale))
    if args.pace is not None:
        settings.pace_s = args.pace
    unfinished = None
    if args.path is not None:
        table = _existing(args.path, args)
    else:
        table = _new(args, args.out)
        if args.is_plain and (found := unfinished_table()) is not None:
            unfinished = _existing(found, args)
    screen = open_screen(size, args.fullscreen)
    return PlayWindow(
        table,
        screen,
        settings,
        settings_file,
        lambda: _new(args, None),
        unfinished=unfinished,
        opens_hands=args.open,
        link=lambda sit, woken: Link(sit, woken, ready.pop() if ready else None),
        fullscreen=args.fullscreen,
    )


def _existing(path: Path, args: argparse.Namespace) -> Table:
    seats = seats_here(path)
    people = [seat.colour for seat in seats if seat.policy is None] or [seats[0].colour]
    return Table(Sit(path.absolute(), None, listen=args.listen, alone=args.alone, has_chat=not args.no_chat), people)


def _new(args: argparse.Namespace, out: Path | None) -> Table:
    people = args.hot_seat or [COLOURS[0]]
    colours = COLOURS[: args.players]
    if strangers := [colour for colour in people if colour not in colours]:
        raise WrongUsage(f"--hot-seat {strangers[0]}: {args.players} players are {', '.join(colours)}")
    new = NewTable(tuple(colours), frozenset(people), args.rules, args.map, args.policy, args.seed, args.chance)
    path = out if out is not None else new_table_path()
    return Table(Sit(path.absolute(), new), [colour for colour in colours if colour in people])
