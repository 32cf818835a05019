"""``catan-p2p check-trace``: let TLC say whether a recorded game is a behaviour of the specification."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any, NamedTuple

from catan_p2p.cli import values
from catan_p2p.cli.output import FINDING, FINE, WRONG_USAGE, emit, emit_json, end_progress, say, show_progress
from catan_p2p.log.audit import game_paths
from catan_p2p.log.history import BadRoot
from catan_p2p.log.storage.objects import StoreError
from catan_p2p.model_check.recording import read_recording
from catan_p2p.model_check.tlc import Progress, Tlc, TlcError
from catan_p2p.model_check.trace import Refusal, check_recording


def add_parser(subparsers: Any) -> None:
    """Add the verb."""
    parser = subparsers.add_parser(
        "check-trace",
        help="let TLC check that recorded games are behaviours of the specification",
        description="Turn recorded games into traces and let TLC say whether each is a behaviour of spec/Catan.tla, "
        "whatever the order of concurrent discards and answers. Actions are read from the commits' messages, states "
        "from their trees. Every branch of a game must be on one line, and every commit its player's own.",
        epilog="Exit code 0 if every game is accepted, 1 with the commit, the action and the guard if not, 2 if a path "
        "is no game or cannot be checked; of several paths the worst.",
    )
    parser.add_argument(
        "paths", nargs="+", type=values.path, metavar="PATH", help="a game, or a folder with games in it"
    )
    parser.add_argument("--json", action="store_true", help="print the verdicts as JSON")
    parser.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    """Carry the verb out; returns the exit code, the worst of all paths."""
    try:
        tlc = Tlc.find()
    except TlcError as error:
        say(f"catan-p2p check-trace: {error}")
        return WRONG_USAGE
    codes = {FINE}
    verdicts = []
    for given in args.paths:
        try:
            games = game_paths(given)
        except StoreError as error:
            codes.add(_fail(error))
            continue
        for path in games:
            try:
                verdict = _check(path, tlc)
            except (StoreError, TlcError) as error:
                codes.add(_fail(error))
                continue
            codes.add(FINE if verdict.refusal is None else FINDING)
            verdicts.append(verdict)
            if not args.json:
                emit(f"{path}: {_summary(verdict)}")
    if args.json:
        emit_json([_as_json(verdict) for verdict in verdicts])
    return max(codes)


class _Verdict(NamedTuple):
    """What was found of one game; ``steps`` is how many commits could be read, the root not counted."""

    path: Path
    steps: int
    refusal: Refusal | None


def _fail(error: Exception) -> int:
    end_progress()
    say(f"catan-p2p check-trace: {error}")
    return WRONG_USAGE


def _check(path: Path, tlc: Tlc) -> _Verdict:
    try:
        recording = read_recording(path)
    except BadRoot as error:
        return _Verdict(path, 0, Refusal(error.rejected.commit, None, error.rejected.detail, (), 0))

    def show(progress: Progress) -> None:
        show_progress(f"{path}: {progress.distinct} states of {recording.step_count} steps, {progress.elapsed_s:.0f} s")

    refusal = check_recording(recording, tlc, show)
    end_progress()
    return _Verdict(path, recording.step_count, refusal)


def _summary(verdict: _Verdict) -> str:
    refusal = verdict.refusal
    if refusal is None:
        return f"{verdict.steps} steps, a behaviour of the specification"
    action = refusal.action if refusal.action is not None else "no action"
    return f"{refusal.commit[:10]} refused after {refusal.accepted} steps: {action}: {refusal.detail}"


def _as_json(verdict: _Verdict) -> dict[str, Any]:
    refusal = verdict.refusal
    found: dict[str, Any] = {"path": str(verdict.path), "steps": verdict.steps, "accepted": refusal is None}
    if refusal is not None:
        found |= {
            "commit": refusal.commit,
            "action": None if refusal.action is None else str(refusal.action),
            "detail": refusal.detail,
            "guards": refusal.guards,
            "accepted_steps": refusal.accepted,
        }
    return found
