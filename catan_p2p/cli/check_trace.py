"""``catan-p2p check-trace``: let TLC say whether a recorded game is a behaviour of the specification."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from catan_p2p.cli.output import FINDING, FINE, WRONG_USAGE, emit, emit_json, end_progress, say, show_progress
from catan_p2p.log.audit import game_paths
from catan_p2p.model_check.tlc import Progress, Tlc, TlcError
from catan_p2p.model_check.trace import Recording, Refusal, check_recording, read_recording


def add_parser(subparsers: Any) -> None:
    """Add the verb."""
    parser = subparsers.add_parser(
        "check-trace",
        help="let TLC check that recorded games are behaviours of the specification",
        description="Turn recorded games into traces and let TLC say whether each is a behaviour of spec/Catan.tla, "
        "whatever the order of concurrent discards. Actions are read from the commits' messages, states from "
        "their trees.",
        epilog="Exit code 0 if every game is accepted, 1 with the commit, the action and the guard if not.",
    )
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="a game, or a folder with games in it")
    parser.add_argument("--jar", type=Path, help="tla2tools.jar to use (default: TLA2TOOLS_JAR, else the packaged one)")
    parser.add_argument("--json", action="store_true", help="print the verdicts as JSON")
    parser.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    """Carry the verb out; returns the exit code."""
    try:
        tlc = Tlc.find(args.jar)
        verdicts = [(path, *_check(path, tlc)) for given in args.paths for path in game_paths(given)]
    except TlcError as error:
        end_progress()
        say(f"catan-p2p check-trace: {error}")
        return WRONG_USAGE
    if args.json:
        emit_json([_as_json(*verdict) for verdict in verdicts])
    else:
        for path, recording, refusal in verdicts:
            emit(f"{path}: {_summary(recording, refusal)}")
    return FINDING if any(refusal for _, _, refusal in verdicts) else FINE


def _check(path: Path, tlc: Tlc) -> tuple[Recording, Refusal | None]:
    recording = read_recording(path)

    def show(progress: Progress) -> None:
        show_progress(f"{path}: {progress.distinct} states of {recording.step_count} steps, {progress.elapsed_s:.0f} s")

    refusal = check_recording(recording, tlc, show)
    end_progress()
    return recording, refusal


def _summary(recording: Recording, refusal: Refusal | None) -> str:
    if refusal is None:
        return f"{recording.step_count} steps, a behaviour of the specification"
    action = refusal.action if refusal.action is not None else "no action"
    return f"{refusal.commit[:10]} refused after {refusal.accepted} steps: {action}: {refusal.detail}"


def _as_json(path: Path, recording: Recording, refusal: Refusal | None) -> dict[str, Any]:
    found: dict[str, Any] = {"path": str(path), "steps": recording.step_count, "accepted": refusal is None}
    if refusal is not None:
        found |= {
            "commit": refusal.commit,
            "action": None if refusal.action is None else str(refusal.action),
            "detail": refusal.detail,
            "guards": refusal.guards,
            "accepted_steps": refusal.accepted,
        }
    return found
