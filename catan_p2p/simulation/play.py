"""Plays the games of a run in this process or on several, each with its outcome."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from queue import Empty
from typing import TYPE_CHECKING, TypeAlias

from catan_p2p.log.storage.objects import StoreError
from catan_p2p.replication.core.commit_author import GaveUp
from catan_p2p.simulation.findings import FINDINGS_FILE, FoundLine, read_findings
from catan_p2p.simulation.game import PlayedGame, Progress, RunawayGame, SimulationSettings, play_game
from catan_p2p.simulation.processes import ProcessKilled, each_on_processes
from catan_p2p.time_source import SYSTEM_TIME, TimeSource

if TYPE_CHECKING:
    from multiprocessing.queues import Queue


@dataclass(frozen=True, slots=True)
class GameWithoutWinner:
    """The outcome of a game without a winner: the reason, and the findings."""

    why: str
    findings: tuple[FoundLine, ...]


Played: TypeAlias = PlayedGame | GameWithoutWinner

After: TypeAlias = Callable[[Path, int, SimulationSettings, Played], None]
"""Called by the process that has played a game, with the run's folder, the game's number, settings and outcome."""

_Told: TypeAlias = "Queue[tuple[int, int, tuple[int, ...]]]"


def play_one(
    out: Path,
    number: int,
    settings: SimulationSettings,
    progress: Progress | None = None,
    after: After | None = None,
    time: TimeSource = SYSTEM_TIME,
) -> Played:
    """Play one game of a run into its folder; findings are written to ``out`` at once.

    ``time`` is that of ``play_game``.
    """
    played = _play(out, number, settings, progress, time)
    if after is not None:
        after(out, number, settings, played)
    return played


def _play(out: Path, number: int, settings: SimulationSettings, progress: Progress | None, time: TimeSource) -> Played:
    try:
        if settings.topology == "network":
            return _play_network_game(out, number, settings, progress)
        if settings.topology == "separate":
            from catan_p2p.simulation.separate import play_separate_game

            return play_separate_game(out, number, settings, progress)
        return play_game(out, number, settings, progress, time)
    except RunawayGame as error:
        why = str(error)
    except GaveUp as error:
        why = f"game {number}, seed {settings.seed}: {error}"
    return GameWithoutWinner(why, tuple(read_findings(out / FINDINGS_FILE, number)))


def _play_network_game(out: Path, number: int, settings: SimulationSettings, progress: Progress | None) -> Played:
    from catan_p2p.simulation.laboratory.game import BrokenPromise, play_network_game

    try:
        return play_network_game(out, number, settings, progress)
    except BrokenPromise as error:
        return GameWithoutWinner(str(error), ())


def play_on_processes(
    out: Path,
    numbers: list[int],
    settings: SimulationSettings,
    jobs: int,
    progress: Progress | None,
    after: After | None = None,
) -> Iterator[tuple[int, Played]]:
    """Play these games on ``jobs`` processes; yields them in the order in which they end.

    ``StoreError`` if a process is killed.
    """
    from multiprocessing import get_context

    told: _Told = get_context("spawn").Queue()
    work = ((out, number, settings, after) for number in numbers)
    processes = min(jobs, max(1, len(numbers)))
    try:
        yield from each_on_processes(
            _play_in_worker,
            work,
            processes,
            look=lambda: _pass_on(told, progress),
            begin=_begin_worker,
            begin_with=(told,),
        )
    except ProcessKilled as error:
        raise StoreError(f"{out}: {error}; go on with --resume {out}") from None


def _pass_on(told: _Told, progress: Progress | None) -> None:
    while True:
        try:
            number, actions, points = told.get_nowait()
        except Empty:
            return
        if progress is not None:
            progress(number, actions, points)


_told: _Told | None = None
"""In a worker process: the queue for its progress."""


def _begin_worker(told: _Told) -> None:
    global _told
    _told = told
    # Otherwise a worker could not end before the parent has read its last progress.
    told.cancel_join_thread()


def _play_in_worker(out: Path, number: int, settings: SimulationSettings, after: After | None) -> tuple[int, Played]:
    return number, play_one(out, number, settings, _tell, after)


def _tell(number: int, actions: int, points: tuple[int, ...]) -> None:
    if _told is not None:
        _told.put((number, actions, points))
