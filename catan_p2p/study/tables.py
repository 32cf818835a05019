"""The tables of a study as CSV and Parquet: games, actions if the plan says so, summaries of cells, and failures."""

from __future__ import annotations

import csv
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeAlias

from catan_p2p.log.storage import disk
from catan_p2p.metrics.rows import ActionRow, read_rows
from catan_p2p.study.columns import COLUMNS
from catan_p2p.study.folder import ACTIONS_FILE, FAILURES_FILE, GAMES_FILE, SUMMARY_FILE, StudyFolder
from catan_p2p.study.plan import Level, StudyCell, StudyPlan, has_numbers, spell_level
from catan_p2p.study.playing import ACTIONS, actions_file
from catan_p2p.study.summary import CellSummary, Values, numbers_of, summarize_cells, values_of

_AT_ONCE = 10_000
"""At most this many rows of a Parquet file are in memory."""
_SUMMED = (
    *("measure", "unit", "games", "mean", "low", "high", "median", "deviation"),
    *("baseline", "pairs", "difference", "difference_low", "difference_high", "difference_share"),
)
_OF_ACTIONS = tuple(name for name in ActionRow.__dataclass_fields__ if name not in ("run", "game"))

Row = Mapping[str, Any]
_Table: TypeAlias = "tuple[str, Sequence[str], Callable[[], Iterator[Row]]]"
"""The name of a table's file, its columns, and a function that returns its rows."""


def write_tables(study: StudyFolder) -> list[Path]:
    """Write all tables of a study anew, from the games that have ended; returns their files.

    If pyarrow is installed, the tables of games and of actions are also written as Parquet. ``StoreError`` if a file
    cannot be written.
    """
    plan, folder = study.plan, study.folder
    place = _place_columns(plan)
    tables = [
        *_published(study),
        (FAILURES_FILE, (*place, "why", "command"), lambda: _failures(study)),
    ]
    if plan.actions and (folder / ACTIONS).exists():  # removed with ``remove_pieces``, when the table is complete
        tables.insert(1, (ACTIONS_FILE, (*place, *_OF_ACTIONS), lambda: _actions(study)))
    written = []
    for name, columns, rows in tables:
        written.append(folder / name)
        _write_csv(folder / name, columns, rows())
        if name in (GAMES_FILE, ACTIONS_FILE) and has_parquet():
            written.append((folder / name).with_suffix(".parquet"))
            _write_parquet(written[-1], columns, rows())
    return written


def publish_tables(study: StudyFolder, prefix: str) -> None:
    """Write the tables of games and of summaries as CSV, under paths that begin with ``prefix``."""
    for name, columns, rows in _published(study):
        _write_csv(Path(prefix + name), columns, rows())


def _published(study: StudyFolder) -> list[_Table]:
    plan = study.plan
    return [
        (GAMES_FILE, (*_place_columns(plan), *plan.columns), lambda: _games(study)),
        (SUMMARY_FILE, (*plan.factors, "cell", *_SUMMED), lambda: map(_summed, summaries(study))),
    ]


def _place_columns(plan: StudyPlan) -> tuple[str, ...]:
    return (*plan.factors, "cell", "seed", "game")


def has_parquet() -> bool:
    """Whether Parquet files can be written: the extra ``frames`` is installed."""
    return find_spec("pyarrow") is not None


def remove_pieces(study: StudyFolder) -> None:
    """Remove the files from which the table of actions was made, if the study is over."""
    if study.ended == study.games:
        shutil.rmtree(study.folder / ACTIONS, ignore_errors=True)


def summaries(study: StudyFolder, measures: Sequence[str] | None = None) -> Iterator[CellSummary]:
    """Summaries of measures of a study, by cell; of all that are numbers if none are named."""
    chosen = numbers_of(study.plan) if measures is None else tuple(measures)

    # Enough for a cell and its baseline, which is the same for many cells in a row.
    @lru_cache(maxsize=2)
    def values(number: int) -> Values:
        return values_of(study.plan, study.rows(study.plan.cells[number - 1]), chosen)

    return summarize_cells(study.plan, lambda cell: values(cell.number), chosen)


def _place(study: StudyFolder, cell: StudyCell, game: int) -> dict[str, Any]:
    levels: dict[str, Level] = dict(cell.levels)
    return {**levels, "cell": cell.number, "seed": study.plan.seed, "game": game}


def _games(study: StudyFolder) -> Iterator[Row]:
    for cell in study.plan.cells:
        for row in study.rows(cell):
            if not row.why:
                yield {**_place(study, cell, row.game), **dict(zip(study.plan.columns, row.values, strict=True))}


def _failures(study: StudyFolder) -> Iterator[Row]:
    for cell in study.plan.cells:
        for row in study.rows(cell):
            if row.why:
                yield {**_place(study, cell, row.game), "why": row.why, "command": cell.command(row.game)}


def _actions(study: StudyFolder) -> Iterator[Row]:
    for cell in study.plan.cells:
        for row in study.rows(cell):
            if not row.why:
                place = _place(study, cell, row.game)
                for action in read_rows(actions_file(study.folder, cell.number, row.game), ActionRow):
                    yield {**place, **{name: getattr(action, name) for name in _OF_ACTIONS}}


def _summed(one: CellSummary) -> Row:
    difference = one.difference
    told: dict[str, Any] = {**one.cell.levels, "cell": one.cell.number}
    told |= {"measure": one.measure, "unit": COLUMNS[one.measure].unit, "games": one.games, "mean": one.mean}
    told |= {"low": one.interval and one.interval.low, "high": one.interval and one.interval.high}
    told |= {"median": one.median, "deviation": one.deviation}
    if difference is not None:
        low, high = difference.interval or (None, None)
        told |= {"baseline": difference.baseline, "pairs": difference.pairs, "difference": difference.mean}
        told |= {"difference_low": low, "difference_high": high, "difference_share": difference.of_baseline}
    return told


def _write_csv(path: Path, columns: Sequence[str], rows: Iterable[Row]) -> None:
    with disk.written_whole(path) as beside, beside.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        for row in rows:
            writer.writerow([_spell(row.get(name)) for name in columns])


def _spell(value: object) -> object:
    if value is None:
        return ""
    if isinstance(value, bool):
        return spell_level(value)
    return f"{value:.7f}" if isinstance(value, float) else value


def _write_parquet(path: Path, columns: Sequence[str], rows: Iterator[Row]) -> None:
    """Write a Parquet file. Numbers have 64 bits; a column has integers only if its kind allows no others."""
    import pyarrow
    import pyarrow.parquet

    schema = pyarrow.schema([(name, _type(name, pyarrow)) for name in columns])
    with disk.written_whole(path) as beside, pyarrow.parquet.ParquetWriter(beside, schema) as writer:
        batch: list[Row] = []
        for row in rows:
            batch.append({name: _typed(row.get(name), schema.field(name).type, pyarrow) for name in columns})
            if len(batch) == _AT_ONCE:
                writer.write_table(pyarrow.Table.from_pylist(batch, schema))
                batch = []
        writer.write_table(pyarrow.Table.from_pylist(batch, schema))


_WHOLE = ("cell", "seed", "game", "step", "parent_count", "player", "turn", "dice", "gained")


def _type(name: str, pyarrow: Any) -> Any:
    if name in COLUMNS:
        column = COLUMNS[name]
        return pyarrow.int64() if column.is_whole else pyarrow.float64() if column.is_number else pyarrow.string()
    if name in _OF_ACTIONS:
        from catan_p2p.metrics import parquet

        return parquet.type_of(str(ActionRow.__dataclass_fields__[name].type))
    return pyarrow.int64() if name in _WHOLE or has_numbers(name) else pyarrow.string()


def _typed(value: object, kind: Any, pyarrow: Any) -> object:
    if value is None:
        return None
    if kind == pyarrow.string():
        return spell_level(value) if isinstance(value, str | int | bool) else str(value)
    return float(value) if kind == pyarrow.float64() else value  # type: ignore[arg-type]
