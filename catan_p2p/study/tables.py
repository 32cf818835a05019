"""The tables of a study as CSV and Parquet: games, actions if the plan says so, summaries of cells, and failures."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from catan_p2p.metrics.cells import SUMMED, ComparedCell, spell_level, summed
from catan_p2p.metrics.columns import COLUMNS
from catan_p2p.metrics.rows import ActionRow, kinds_of, read_rows
from catan_p2p.metrics.tables import has_parquet, write_csv, write_parquet
from catan_p2p.study.folder import ACTIONS_FILE, FAILURES_FILE, GAMES_FILE, SUMMARY_FILE, EndedGame, StudyFolder
from catan_p2p.study.plan import StudyCell, StudyPlan, has_numbers
from catan_p2p.study.playing import ACTIONS, actions_file

_OF_ACTIONS = {name: kind for name, kind in kinds_of(ActionRow).items() if name not in ("run", "game")}


class _StudyTable(NamedTuple):
    """A table: its file, its columns with the kinds of their values, and a function that returns its rows."""

    file: str
    kinds: Mapping[str, str]
    rows: Callable[[], Iterator[Sequence[object]]]


def write_tables(study: StudyFolder) -> None:
    """Write all tables of a study anew, from the games that have ended. ``StoreError`` if that fails.

    If pyarrow is installed, the tables of games and of actions are also written as Parquet.
    """
    place = _place_kinds(study.plan)
    failures = {**place, "why": "str", "command": "str"}
    tables = [*_published(study), _StudyTable(FAILURES_FILE, failures, lambda: _failures(study))]
    if study.plan.actions and (study.folder / ACTIONS).exists():  # removed when the table is complete
        tables.append(_StudyTable(ACTIONS_FILE, place | _OF_ACTIONS, lambda: _actions(study)))
    for name, kinds, rows in tables:
        write_csv(study.folder / name, tuple(kinds), rows())
        if name in (GAMES_FILE, ACTIONS_FILE) and has_parquet():
            write_parquet((study.folder / name).with_suffix(".parquet"), kinds, rows())


def publish_tables(study: StudyFolder, prefix: str) -> None:
    """Write the tables of games and of summaries as CSV, under paths that begin with ``prefix``."""
    for name, kinds, rows in _published(study):
        write_csv(Path(prefix + name), tuple(kinds), rows())


def _published(study: StudyFolder) -> list[_StudyTable]:
    plan = study.plan
    measured = {name: COLUMNS[name].kind for name in plan.columns}
    summed = dict.fromkeys((*plan.factors, "cell", *SUMMED), "str")
    return [
        _StudyTable(GAMES_FILE, _place_kinds(plan) | measured, lambda: _games(study)),
        _StudyTable(SUMMARY_FILE, summed, lambda: _summaries(study)),
    ]


def _place_kinds(plan: StudyPlan) -> dict[str, str]:
    factors = {name: "int" if has_numbers(name) else "str" for name in plan.factors}
    return factors | dict.fromkeys(("cell", "seed", "game"), "int")


def remove_pieces(study: StudyFolder) -> None:
    """Remove the files from which the table of actions was made, if the study is over."""
    if study.ended == study.games:
        shutil.rmtree(study.folder / ACTIONS, ignore_errors=True)


def failures(study: StudyFolder) -> Iterator[tuple[StudyCell, EndedGame]]:
    """The games that have ended without a row, by cell."""
    return ((cell, row) for cell in study.plan.cells for row in study.rows(cell) if row.why)


def _levels(cell: ComparedCell) -> list[object]:
    return [spell_level(level) if isinstance(level, bool) else level for level in cell.levels.values()]


def _place(study: StudyFolder, cell: StudyCell, row: EndedGame) -> list[object]:
    return [*_levels(cell), cell.number, study.plan.seed, row.game]


def _whole(study: StudyFolder) -> Iterator[tuple[StudyCell, EndedGame]]:
    return ((cell, row) for cell in study.plan.cells for row in study.rows(cell) if not row.why)


def _games(study: StudyFolder) -> Iterator[Sequence[object]]:
    for cell, row in _whole(study):
        yield [*_place(study, cell, row), *row.values]


def _failures(study: StudyFolder) -> Iterator[Sequence[object]]:
    for cell, row in failures(study):
        yield [*_place(study, cell, row), row.why, cell.command(row.game)]


def _actions(study: StudyFolder) -> Iterator[Sequence[object]]:
    for cell, row in _whole(study):
        place = _place(study, cell, row)
        for action in read_rows(actions_file(study.folder, cell.number, row.game), ActionRow):
            yield [*place, *(getattr(action, name) for name in _OF_ACTIONS)]


def _summaries(study: StudyFolder) -> Iterator[Sequence[object]]:
    for one in study.summaries():
        yield [*_levels(one.cell), one.cell.number, *summed(one)]
