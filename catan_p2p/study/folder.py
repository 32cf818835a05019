"""A study in its folder: its plan, and a journal with a line for each game that has ended, in the order of ending."""

from __future__ import annotations

import json
import os
import shutil
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from catan_p2p.log.storage import disk
from catan_p2p.log.storage.lock import ProcessLock
from catan_p2p.log.storage.objects import StoreError
from catan_p2p.metrics.cells import CellSummary, ComparedCell, GameValues, summarize_cells
from catan_p2p.metrics.columns import COLUMNS, Value
from catan_p2p.metrics.machine import describe_machine
from catan_p2p.metrics.recorded import read_json
from catan_p2p.simulation.archive import unpack_game
from catan_p2p.simulation.findings import append_line
from catan_p2p.simulation.game import SimulationSettings
from catan_p2p.simulation.processes import each_on_processes
from catan_p2p.simulation.run import parse_record
from catan_p2p.study.plan import StudyPlan
from catan_p2p.study.playing import (
    ACTIONS,
    GAMES,
    MARK_FILE,
    PLAYING,
    GameOutcome,
    GameRequest,
    play_study_game,
    record_game,
    write_actions,
)

ROWS_FILE = "rows.jsonl"
LOCK_FILE = "lock"
GAMES_FILE = "games.csv"
ACTIONS_FILE = "actions.csv"
SUMMARY_FILE = "summary.csv"
FAILURES_FILE = "failures.csv"
_TABLES = (GAMES_FILE, "games.parquet", ACTIONS_FILE, "actions.parquet", SUMMARY_FILE, FAILURES_FILE)
_OWN = (MARK_FILE, ROWS_FILE, LOCK_FILE, GAMES, PLAYING, ACTIONS, *_TABLES)
"""The names of everything that a study writes into its folder, and may remove."""

Work = tuple[int, str, int, SimulationSettings, GameRequest]
Each = Callable[[Callable[..., GameOutcome], Iterable[Work]], Iterator[GameOutcome]]
"""Calls the function elsewhere with each tuple of arguments; yields the results in the order of ending."""
Told = Callable[[GameOutcome, int, int], None]
"""Called with the outcome of a game, how many games have ended, and how many of those failed."""


@dataclass(frozen=True, slots=True)
class EndedGame:
    """A line of the journal: a game's values, or why it has none, and the number of the simulation's findings."""

    cell: int
    game: int
    values: tuple[Value, ...]
    why: str = ""
    findings: int = 0


@dataclass(slots=True)
class StudyFolder:
    """A study in its folder. It keeps no games in memory, only the place of each game's line in the journal."""

    folder: Path
    plan: StudyPlan
    provenance: Mapping[str, Any]
    places: dict[int, array[int]] = field(default_factory=dict)
    """For each cell, by game: where its line begins, or -1 if the game has not ended."""
    ended: int = 0
    failed: int = 0
    found: int = 0
    """The number of games with a row in which the simulation had findings."""

    @property
    def games(self) -> int:
        """The number of games of the whole study."""
        return self.plan.games * len(self.plan.cells)

    def rows(self, cell: ComparedCell) -> Iterator[EndedGame]:
        """The ended games of a cell, in the order of their numbers."""
        if cell.number not in self.places:
            return
        with disk.explained("read", self._journal), self._journal.open("rb") as file:
            for place in self.places[cell.number]:
                if place >= 0:
                    file.seek(place)
                    yield _parse(file.readline(), self._journal, self.plan)

    def summaries(self, measures: Sequence[str] | None = None) -> Iterator[CellSummary]:
        """Summaries of measures, by cell; of all columns that are numbers if none are named."""
        plan = self.plan
        places = {name: place for place, name in enumerate(plan.columns) if COLUMNS[name].is_number}
        chosen = list(places) if measures is None else measures

        def values(cell: ComparedCell) -> GameValues:
            found = GameValues(chosen)
            for row in self.rows(cell):
                if not row.why:
                    found.add(row.game, {name: row.values[places[name]] for name in chosen})
            return found

        return summarize_cells(plan, chosen, values)

    def run(self, jobs: int = 1, each: Each | None = None, told: Told | None = None) -> None:
        """Play the games that have not ended, on ``jobs`` processes or by ``each``.

        The first games of all cells come first, then the second ones, so that an unfinished study can be evaluated.
        ``StoreError`` if something cannot be written, a process is killed, or another process plays the study; the
        games that have ended by then are kept.
        """
        lock = ProcessLock(self.folder / LOCK_FILE, "playing this study")
        try:
            # Read again under the lock: another process may have continued the study in the meantime.
            self._cut_journal(self.read_journal())
            self._run(self.plan, jobs, each, told)
        finally:
            lock.release()

    def _run(self, plan: StudyPlan, jobs: int, each: Each | None, told: Told | None) -> None:
        shutil.rmtree(self.folder / PLAYING, ignore_errors=True)  # what a killed process has left
        asked = GameRequest(self.folder.resolve(), plan.digest, plan.columns, plan.keep, plan.actions)
        work = (
            (cell.number, cell.name, number, cell.settings, asked)
            for number in range(plan.games)
            for cell in plan.cells
            if self._place(cell.number, number) < 0
        )
        if each is not None:
            outcomes = each(play_study_game, work)
        elif jobs == 1:
            outcomes = (play_study_game(*one) for one in work)
        else:
            outcomes = each_on_processes(play_study_game, work, jobs)
        for outcome in outcomes:
            self._end(outcome)
            if told is not None:
                told(outcome, self.ended, self.failed)
        shutil.rmtree(self.folder / PLAYING, ignore_errors=True)

    def _end(self, outcome: GameOutcome) -> None:
        """Keep the outcome of a game. Its line in the journal comes last: it says that everything else is there."""
        cell = self.plan.cells[outcome.cell - 1]
        if outcome.actions:
            write_actions(self.folder, outcome.cell, outcome.game, outcome.actions)
        if outcome.kept:
            unpack_game(outcome.kept, self.folder / GAMES / cell.name, outcome.game)
        if self.plan.keep == "all" or (self.plan.keep == "failures" and outcome.failed):
            record_game(self.folder / GAMES / cell.name, cell.settings, outcome)
        line: dict[str, Any] = {"cell": outcome.cell, "game": outcome.game}
        line |= {"why": outcome.why} if outcome.failed else {"values": outcome.values}
        line |= {"findings": len(outcome.findings)} if outcome.findings and not outcome.failed else {}
        # Under the lock nobody else writes, so the line will begin at the end of the file.
        place = self._journal.stat().st_size if self._journal.exists() else 0
        append_line(self._journal, line)
        self._count(EndedGame(outcome.cell, outcome.game, (), outcome.why, len(outcome.findings)), place)

    def _count(self, one: EndedGame, place: int) -> None:
        if self._place(one.cell, one.game) < 0:
            self.ended += 1
            self.failed += bool(one.why)
            self.found += bool(one.findings and not one.why)
        self.places.setdefault(one.cell, array("q", [-1]) * self.plan.games)[one.game] = place

    def _place(self, cell: int, game: int) -> int:
        return self.places[cell][game] if cell in self.places else -1

    @property
    def _journal(self) -> Path:
        return self.folder / ROWS_FILE

    def read_journal(self) -> int:
        """Find the lines of the games that have ended; returns where the last complete line ends.

        An unfinished line after it is ignored: a killed process left it, or another process is just writing it.
        """
        self.places, self.ended, self.failed, self.found = {}, 0, 0, 0
        place = 0
        with disk.explained("read", self._journal):
            if not self._journal.exists():
                return place
            with self._journal.open("rb") as file:
                for line in file:
                    if not line.endswith(b"\n"):
                        break
                    self._count(_parse(line, self._journal, self.plan), place)
                    place += len(line)
        return place

    def _cut_journal(self, end: int) -> None:
        """Cut off a last line that a killed process left unfinished; only the holder of the lock may do so."""
        with disk.explained("write", self._journal):
            if self._journal.exists():
                os.truncate(self._journal, end)


def begin_study(folder: Path, plan: StudyPlan, provenance: Mapping[str, Any]) -> StudyFolder:
    """Begin a study in a folder that has none; ``StoreError`` if it has one, or cannot be written.

    ``StoreError`` also if the folder has a file with a name that a study writes: it would be overwritten or removed.

    ``provenance`` is kept with the results, beside the versions and the machine.
    """
    if (folder / MARK_FILE).exists():
        raise StoreError(f"{folder}: holds a study already; continue it with --resume, or choose another folder")
    with disk.explained("write", folder):
        disk.make_folder(folder)
        foreign = [name for name in _OWN if (folder / name).exists()]
    if foreign:
        raise StoreError(f"{folder}: holds {', '.join(foreign)}, and no study; choose another folder")
    study = StudyFolder(folder, plan, {**provenance, "machine": describe_machine()})
    _write(study)
    return study


def resume_study(folder: Path, plan: StudyPlan, provenance: Mapping[str, Any] | None = None) -> StudyFolder:
    """Open the study in a folder to continue it; ``StoreError`` if the plan has other games or columns now.

    If texts or figures of the plan have changed, ``provenance`` updates what is kept about its file.
    """
    study = open_study(folder)
    if study.plan.digest != plan.digest:
        raise StoreError(f"{folder}: holds a study with other games or columns; choose another folder")
    if replace(study.plan, cells=()) != replace(plan, cells=()):
        study.plan = plan
        study.provenance = {**study.provenance, **(provenance or {})}
        _write(study)
    return study


def is_study(folder: Path) -> bool:
    """Whether a folder holds a study."""
    return (folder / MARK_FILE).is_file()


def open_study(folder: Path) -> StudyFolder:
    """The study in a folder; ``StoreError`` if there is none, or if its files are not those of a study."""
    mark = folder / MARK_FILE
    if not mark.exists():
        raise StoreError(f"{folder}: holds no study: there is no {MARK_FILE}")
    raw = read_json(mark)
    try:
        plan = parse_record(StudyPlan, raw["plan"])
        if unknown := {*plan.columns, *plan.shown} - COLUMNS.keys():
            raise ValueError(f"{min(unknown)!r} is no column")
        if plan.digest != raw["digest"]:
            raise ValueError("the digest is of another plan")
        study = StudyFolder(folder, plan, dict(raw["provenance"]))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise StoreError(f"{mark}: not a study: {error}") from None
    study.read_journal()
    return study


def _write(study: StudyFolder) -> None:
    told = {"digest": study.plan.digest, "provenance": dict(study.provenance), "plan": asdict(study.plan)}
    with disk.written_whole(study.folder / MARK_FILE) as beside:
        beside.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


def _parse(line: bytes, journal: Path, plan: StudyPlan) -> EndedGame:
    try:
        raw = json.loads(line)
        values = tuple(raw.get("values", ()))
        found = EndedGame(raw["cell"], raw["game"], values, raw.get("why", ""), raw.get("findings", 0))
        if not (1 <= found.cell <= len(plan.cells) and 0 <= found.game < plan.games):
            raise ValueError(f"cell {found.cell}, game {found.game}")
        if not found.why and len(found.values) != len(plan.columns):
            raise ValueError(f"{len(found.values)} values")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise StoreError(f"{journal}: not a game of this study: {line[:80]!r}: {error}") from None
    return found
