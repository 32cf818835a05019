"""What ``catan-p2p watch`` does with its arguments: a window, a picture or a film."""

import argparse
import contextlib
import sys
from dataclasses import replace
from pathlib import Path

from .data.feed import GameFeed, NoSuchPeer, read_whole
from .data.recording import GameRecording
from .data.repository import NoGame, find_replicas
from .drawing.export import CannotExport, frames, save_picture, snapshot, write_film
from .pictures.layout import BASE_SIZE
from .view import RecordingView, ViewSituation
from .window.arguments import FINDING, FINE, WRONG_USAGE, WrongUsage, size_of
from .window.frames import wake
from .window.screen import NoDisplay, open_screen
from .window.window import ViewerWindow

_TELL_EVERY = 100
"""After how many pictures of a film a line of progress is printed, if there is no terminal."""


def watch(args: argparse.Namespace) -> int:
    """Run the verb; returns the exit code."""
    try:
        size = size_of(args.size)
        if args.snapshot is not None or args.record is not None:
            return _export(args, size or BASE_SIZE)
        return _open_window(args, size)
    except (WrongUsage, NoSuchPeer, NoGame, CannotExport) as error:
        _say(f"catan-p2p watch: {error}")
        return WRONG_USAGE


def _say(text: str) -> None:
    print(text, file=sys.stderr)


def _index(recording: GameRecording, option: str, commit: str | None, otherwise: int) -> int:
    if commit is None:
        return otherwise
    found = recording.find(commit)
    if not found:
        raise WrongUsage(f"{option} {commit}: no commit id of this game begins with it")
    if len(found) > 1:
        raise WrongUsage(f"{option} {commit}: {len(found)} commit ids begin with it; give more digits")
    return found[0]


def _export(args: argparse.Namespace, size: tuple[int, int]) -> int:
    recording, situation = read_whole(args.path, args.peer)
    view = RecordingView(speed=args.speed or RecordingView().speed, hides_future=args.hide_future)
    if args.snapshot is not None:
        index = _index(recording, "--at", args.at, recording.last)
        shown = replace(view, index=index)
        surface = snapshot(recording, shown, situation, size, args.scale)
        try:
            save_picture(surface, args.snapshot)
        except OSError as error:
            raise CannotExport(f"{args.snapshot}: cannot be written: {error.strerror or error}") from None
        _say(f"{args.snapshot}: step {index} of {recording.last}")
    if args.record is not None:
        _film(args, recording, situation, view, size)
    if situation.problem:
        _say(f"catan-p2p watch: {situation.problem}")
        return FINDING
    return FINE


def _film(
    args: argparse.Namespace,
    recording: GameRecording,
    situation: ViewSituation,
    view: RecordingView,
    size: tuple[int, int],
) -> None:
    first, last = _index(recording, "--at", args.at, 0), _index(recording, "--until", args.until, recording.last)
    if last < first:
        raise WrongUsage(f"--until {args.until}: comes before --at {args.at}")
    steps = range(first, last + 1)
    pictures = frames(recording, view, situation, steps, size, args.scale)

    def told(number: int) -> None:
        line = f"{args.record}: {number} of {len(steps)} pictures"
        if args.quiet:
            return
        if sys.stderr.isatty():
            print(f"\r{line}", end="", file=sys.stderr, flush=True)
        elif number % _TELL_EVERY == 1:
            _say(line)

    write_film(pictures, len(steps), view.speed, args.record, told)
    if not args.quiet:
        # A carriage return overwrites the line of progress.
        _say(f"{chr(13) if sys.stderr.isatty() else ''}{args.record}: {len(steps)} steps, {view.speed:g} a second")


def _open_window(args: argparse.Namespace, size: tuple[int, int] | None) -> int:
    path: Path = args.path
    if not args.follow:
        find_replicas(path)
    view = RecordingView(speed=args.speed or RecordingView().speed, live=args.follow, hides_future=args.hide_future)
    try:
        screen = open_screen(size, args.fullscreen)
    except NoDisplay as error:
        raise WrongUsage(str(error)) from None
    window = ViewerWindow(GameFeed(path, args.peer, args.follow, woken=wake), view, screen, args.scale, args.fullscreen)
    window.replay.start_at = args.at
    with contextlib.suppress(KeyboardInterrupt):
        window.run()
    return FINE
