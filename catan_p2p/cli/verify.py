"""``catan-p2p verify``: audit a game repository from its commits alone, as a peer would."""

import argparse
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from catan_p2p.cli import values
from catan_p2p.cli.output import FINDING, FINE, counted, emit, emit_json, say
from catan_p2p.game.scoring import player_points
from catan_p2p.log.audit import RepositoryAudit, audit
from catan_p2p.log.folders import MissingRepository, find_games
from catan_p2p.log.storage.objects import StoreError
from catan_p2p.safe_text import shown

_NAMED = 5
"""How many stray files are named."""


def add_parser(subparsers: Any) -> None:
    """Add the verb."""
    parser = subparsers.add_parser(
        "verify",
        help="audit game repositories",
        description="Audit game repositories from their commits alone, as a peer would: every commit's author, "
        "signature, parents, guards and tree, and that no object is missing. If the players of a "
        "game have a repository each, all are audited. For a finished game of hidden hands, the verdict lists who has "
        "opened their cards, who has not, and whose cards do not open with the key that this player has published.",
        epilog="Exit code 0 if everything is in order; 1 with the first bad commit and the reason, or if "
        "a game is missing or cannot be opened, or if cards do not open.",
    )
    parser.add_argument(
        "paths",
        nargs="+",
        type=values.path,
        metavar="PATH",
        help="a game, a run with games in it, or a folder with runs",
    )
    parser.add_argument("--json", action="store_true", help="print the verdicts as JSON")
    parser.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    """Carry the verb out; returns the exit code."""
    verdicts = [verdict for given in args.paths for verdict in _verdicts(given)]
    for path, verdict in verdicts:
        if isinstance(verdict, RepositoryAudit) and (strays := verdict.stray_files):
            more = f" and {len(strays) - _NAMED} more" if len(strays) > _NAMED else ""
            say(shown(f"{path}: no refs of the game, left alone: {', '.join(map(repr, strays[:_NAMED]))}{more}"))
    if args.json:
        emit_json([_as_json(path, verdict) for path, verdict in verdicts])
    else:
        for path, verdict in verdicts:
            emit(f"{shown(str(path))}: {shown(_summary(verdict))}")
    return FINE if all(isinstance(verdict, RepositoryAudit) and verdict.is_fine for _, verdict in verdicts) else FINDING


def _verdicts(given: Path) -> Iterator[tuple[Path, RepositoryAudit | MissingRepository]]:
    """Every repository at a path with its verdict, then every missing game."""
    found = find_games(given)
    for path in (path for game in found.games for path in game.repositories):
        try:
            verdict = audit(path)
            yield path, MissingRepository(path, _VIEW) if verdict.rejected and _is_view(path) else verdict
        except StoreError as error:
            if path == given:
                raise
            yield path, MissingRepository(path, str(error).removeprefix(f"{path}: "))
    for lacking in found.lacking:
        yield lacking.path, lacking


def _is_view(path: Path) -> bool:
    from catan_p2p.cli.public_view import is_view_at  # a game is verified without the notations

    return is_view_at(path)


_VIEW = "a public view, in which a peer could check nothing; catan-p2p log prints it"


def _summary(verdict: RepositoryAudit | MissingRepository) -> str:
    if isinstance(verdict, MissingRepository):
        return verdict.why
    if verdict.rejected:
        return str(verdict.rejected[0])
    history = verdict.history
    if history is None or verdict.damage:
        return f"damaged: {verdict.damage}"
    state = history.last
    names = history.game.names
    points = " ".join(f"{name} {player_points(state, seat)}" for seat, name in enumerate(names, 1))
    end = f"{names[state.ap - 1]} has won" if state.is_over else f"phase {state.tp}, not over"
    told = f"{counted(len(history.actions) + 1, 'commit')} in order; {end}; points: {points}"
    return told if verdict.openings is None else f"{told}; {verdict.openings}"


def _as_json(path: Path, verdict: RepositoryAudit | MissingRepository) -> dict[str, Any]:
    if isinstance(verdict, MissingRepository):
        return {"path": str(path), "fine": False, "damage": verdict.why, "rejected": []}
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
            "stray_files": list(verdict.stray_files),
        }
        if (told := verdict.openings) is not None:
            found["cards"] = {"opened": told.opened, "not_opened": told.closed, "do_not_open": told.false}
    return found
