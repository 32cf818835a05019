"""``catan-p2p verify``: audit a game repository from its commits alone, as a peer would."""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path
from typing import Any

from catan_p2p.cli.output import FINDING, FINE, counted, emit, emit_json
from catan_p2p.log.audit import Audit, audit, game_paths
from catan_p2p.scoring import player_points


def add_parser(subparsers: Any) -> None:
    """Add the verb."""
    parser = subparsers.add_parser(
        "verify",
        help="audit game repositories",
        description="Audit game repositories from their commits alone, as a peer would: every commit's author, "
        "parents, guards and tree, and that every object is there.",
        epilog="Exit code 0 if all is in order, 1 with the first bad commit and the reason if not.",
    )
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="a game, or a folder with games in it")
    parser.add_argument("--json", action="store_true", help="print the verdicts as JSON")
    parser.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    """Carry the verb out; returns the exit code."""
    verdicts = [(path, audit(path)) for given in args.paths for path in game_paths(given)]
    if args.json:
        emit_json([_as_json(path, verdict) for path, verdict in verdicts])
    else:
        for path, verdict in verdicts:
            emit(f"{path}: {_summary(verdict)}")
    return FINE if all(verdict.is_fine for _, verdict in verdicts) else FINDING


def _summary(verdict: Audit) -> str:
    if verdict.rejected:
        return str(verdict.rejected[0])
    history = verdict.history
    if history is None or verdict.damage:
        return f"damaged: {verdict.damage}"
    state = history.last
    names = [seat.colour for seat in history.game.seats]
    points = " ".join(f"{name} {player_points(state, seat)}" for seat, name in enumerate(names, 1))
    end = f"{names[state.ap - 1]} has won" if state.is_over else f"phase {state.tp}, not over"
    return f"{counted(len(history.actions) + 1, 'commit')} in order; {end}; points: {points}"


def _as_json(path: Path, verdict: Audit) -> dict[str, Any]:
    history = verdict.history
    found: dict[str, Any] = {
        "path": str(path),
        "fine": verdict.is_fine,
        "damage": verdict.damage,
        "rejected": [
            {"commit": bad.commit, "reason": bad.reason, "detail": bad.detail, "guards": bad.guards, "other": bad.other}
            for bad in verdict.rejected
        ],
    }
    if history is not None:
        state = history.last
        names = [seat.colour for seat in history.game.seats]
        found |= {
            "root": history.root,
            "commits": len(history.actions) + 1,
            "actions": dict(Counter(type(logged.action).__name__ for logged in history.actions)),
            "phase": state.tp,
            "winner": names[state.ap - 1] if state.is_over else None,
            "points": {name: player_points(state, seat) for seat, name in enumerate(names, 1)},
            "ignored_refs": list(verdict.ignored_refs),
        }
    return found
