"""``catan-p2p check-trace``: let TLC say whether a recorded game is a behaviour of the specification."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from catan_p2p.cli import values
from catan_p2p.cli.output import FINDING, FINE, WRONG_USAGE, emit, emit_json, end_progress, say, show_progress
from catan_p2p.log.audit import whole_games
from catan_p2p.log.folders import GamePath
from catan_p2p.log.history import BadRoot
from catan_p2p.log.storage.objects import StoreError
from catan_p2p.model_check.changes import check_changes, read_changes
from catan_p2p.model_check.peers import NotFollowed, check_peers, read_peers
from catan_p2p.model_check.recording import read_recording
from catan_p2p.model_check.tlc import TlcError, TlcProgram, TlcProgress
from catan_p2p.model_check.trace import TraceRefusal, check_recording, steps_before


def add_parser(subparsers: Any) -> None:
    """Add the verb."""
    parser = subparsers.add_parser(
        "check-trace",
        help="let TLC check that recorded games are behaviours of the specification",
        description="Turn recorded games into traces and let TLC say whether each is a behaviour of spec/Catan.tla, "
        "whatever the order of concurrent replies. Actions come from the commits' messages, states "
        "from their trees. All branches of a game must be on one line, and every commit must be its player's own. If "
        "every player has a repository, and none can leave the game, the replication is checked too, against "
        "spec/CatanP2P.tla: no player built on another one's commit before it was published, and no repository has "
        "lost a commit of its player. If players can leave it, what all have signed about who is present is checked "
        "against spec/CatanViews.tla.",
        epilog="Exit code 0 if every game is accepted, 1 with the commit, the action and the guard if not, 2 if a path "
        "is not a game, cannot be checked, or takes too long; for several paths, the worst of these.",
    )
    parser.add_argument(
        "paths", nargs="+", type=values.path, metavar="PATH", help="a game, or a folder with games in it"
    )
    parser.add_argument(
        "--timeout",
        type=values.duration,
        default=1800.0,
        metavar="TIME",
        help="how long TLC may take for a game, and again for its peers, such as 90s, 10m or 1h (default: 30m)",
    )
    parser.add_argument("--json", action="store_true", help="print the verdicts as JSON")
    parser.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    """Carry the verb out; returns the exit code, for several paths the worst."""
    try:
        tlc = TlcProgram.find()
    except TlcError as error:
        say(f"catan-p2p check-trace: {error}")
        return WRONG_USAGE
    codes = {FINE}  # of all games; the exit code is the largest
    verdicts = []
    for given in args.paths:
        try:
            games = whole_games(given)
        except StoreError as error:
            codes.add(_fail(error))
            continue
        for game in games:
            try:
                verdict = _check(game, tlc, args.timeout)
            except StoreError as error:
                codes.add(_fail(error))
                continue
            except TlcError as error:
                codes.add(_fail(f"{game.path}: {error}"))
                continue
            codes.add(FINE if verdict.is_accepted else FINDING)
            verdicts.append(verdict)
            if not args.json:
                emit(f"{verdict.path}: {_summary(verdict)}")
    if args.json:
        emit_json([_as_json(verdict) for verdict in verdicts])
    return max(codes)


class _GameVerdict(NamedTuple):
    """The verdict on one game; ``steps`` is the number of readable commits, without the root."""

    path: Path
    steps: int
    refusal: TraceRefusal | None
    peers: int | None = None
    """How many repositories were checked against the replication; None for a single one, or if the game was refused."""
    astray: str | None = None
    """Why they are not a behaviour of the replication; None if they are."""
    left_out: str | None = None
    """Why the replication, or who is present, was not checked."""
    has_views: bool = False
    """Whether players can leave the game."""
    changes: int | None = None
    """How many events of changes of the view were checked; None if none were."""

    @property
    def is_accepted(self) -> bool:
        """Whether neither the game nor the replication was refused."""
        return self.refusal is None and self.astray is None


def _fail(error: object) -> int:
    end_progress()
    say(f"catan-p2p check-trace: {error}")
    return WRONG_USAGE


def _check(game: GamePath, tlc: TlcProgram, most_s: float) -> _GameVerdict:
    verdict = _check_one(game.path, tlc, most_s)
    if verdict.is_accepted and verdict.has_views:
        return _with_changes(verdict, game, tlc, most_s)
    return verdict if game.is_shared or not verdict.is_accepted else _with_peers(verdict, game, tlc, most_s)


def _check_one(path: Path, tlc: TlcProgram, most_s: float) -> _GameVerdict:
    """The verdict on the game that one repository holds."""
    try:
        recording = read_recording(path)
    except BadRoot as error:
        return _GameVerdict(path, 0, TraceRefusal(error.rejected.commit, None, error.rejected.detail, (), 0))

    def show(progress: TlcProgress) -> None:
        done = steps_before(recording, progress.reached)
        show_progress(f"{path}: {done} of {recording.step_count} steps, {progress.elapsed_s:.0f} s")

    refusal = check_recording(recording, tlc, show, most_s)
    end_progress()
    return _GameVerdict(path, recording.step_count, refusal, has_views=recording.game.has_views)


def _with_changes(verdict: _GameVerdict, game: GamePath, tlc: TlcProgram, most_s: float) -> _GameVerdict:
    """The verdict on a game that players can leave, with what its repositories hold about who is present."""
    refused = _refused_of(game.repositories[1:], tlc, most_s)
    if refused is not None:
        return refused
    try:
        trace = read_changes(game.repositories)
    except NotFollowed as error:
        return verdict._replace(left_out=str(error))
    if trace is None:
        return verdict

    def show(progress: TlcProgress) -> None:
        done = f"{max(0, progress.reached - 1)} of {len(trace.events)} events of changes"
        show_progress(f"{game.folder}: {done}, {progress.elapsed_s:.0f} s")

    found = check_changes(trace, tlc, show, most_s)
    end_progress()
    return verdict._replace(
        path=game.folder, changes=len(trace.events), astray=None if found.accepted else trace.told(found.reached)
    )


def _refused_of(paths: Sequence[Path], tlc: TlcProgram, most_s: float) -> _GameVerdict | None:
    """The first refusal of the games in these repositories."""
    return next((one for path in paths if not (one := _check_one(path, tlc, most_s)).is_accepted), None)


def _with_peers(verdict: _GameVerdict, game: GamePath, tlc: TlcProgram, most_s: float) -> _GameVerdict:
    """The verdict on a game and on its players' repositories: together if possible, else each by itself."""
    try:
        peers = read_peers(game.repositories)
    except NotFollowed as error:
        refused = _refused_of(game.repositories[1:], tlc, most_s)
        return verdict._replace(left_out=str(error)) if refused is None else refused

    def show(progress: TlcProgress) -> None:
        done = f"{max(0, progress.reached - 1)} of {len(peers.events)} events of the peers"
        show_progress(f"{game.folder}: {done}, {progress.elapsed_s:.0f} s")

    found = check_peers(peers.events, peers.game.constants, tlc, show, signed=peers.is_signed, most_s=most_s)
    end_progress()
    return verdict._replace(
        path=game.folder,
        peers=len(game.repositories),
        astray=None if found.accepted else peers.told(found.reached),
    )


def _summary(verdict: _GameVerdict) -> str:
    refusal = verdict.refusal
    if refusal is None:
        told = f"{verdict.steps} steps, a behaviour of the specification"
        if verdict.left_out is not None:
            what = "who is present was" if verdict.has_views else "the replication was"
            return f"{told}; {what} not checked: {verdict.left_out}"
        if verdict.changes is not None:
            fits = "is a behaviour of spec/CatanViews.tla" if verdict.astray is None else f"is none: {verdict.astray}"
            return f"{told}; what was signed about who is present {fits}"
        if verdict.peers is None:
            return told
        of_peers = "a behaviour of the replication"
        if verdict.astray is not None:
            of_peers = f"not {of_peers}: {verdict.astray}"
        return f"{told}; {verdict.peers} repositories, {of_peers}"
    action = refusal.action if refusal.action is not None else "no action"
    return f"{refusal.commit[:10]} refused after {refusal.accepted} steps: {action}: {refusal.detail}"


def _as_json(verdict: _GameVerdict) -> dict[str, Any]:
    refusal = verdict.refusal
    found: dict[str, Any] = {"path": str(verdict.path), "steps": verdict.steps, "accepted": refusal is None}
    if verdict.peers is not None:
        found["replication"] = {
            "repositories": verdict.peers,
            "accepted": verdict.astray is None,
            "detail": verdict.astray,
        }
    elif verdict.changes is not None:
        found["views"] = {"events": verdict.changes, "accepted": verdict.astray is None, "detail": verdict.astray}
    elif verdict.left_out is not None and verdict.has_views:
        found["views"] = {"events": 0, "accepted": None, "detail": verdict.left_out}
    elif verdict.left_out is not None:
        found["replication"] = {"repositories": 0, "accepted": None, "detail": verdict.left_out}
    if refusal is not None:
        found |= {
            "commit": refusal.commit,
            "action": None if refusal.action is None else str(refusal.action),
            "detail": refusal.detail,
            "guards": refusal.guards,
            "accepted_steps": refusal.accepted,
        }
    return found
