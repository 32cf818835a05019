"""Summaries of the games of a study: means with intervals, and differences from the baseline, paired by game."""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import TypeAlias

from catan_p2p.intervals import MeanSpread, spread
from catan_p2p.metrics.columns import COLUMNS
from catan_p2p.study.folder import EndedGame
from catan_p2p.study.plan import StudyCell, StudyPlan

Values: TypeAlias = "Mapping[str, array[float]]"
"""For each measure that is a number, its values by game; NaN if a game has none."""


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """The difference of a cell's games from the games with the same numbers of the cell ``baseline``, in ``pairs``."""

    baseline: int
    pairs: MeanSpread
    of_baseline: float | None
    """The mean difference as a share of the baseline's mean; None if that is 0."""


@dataclass(frozen=True, slots=True)
class CellSummary:
    """The spread of a measure in a cell, over the ``games`` that have it."""

    cell: StudyCell
    measure: str
    games: MeanSpread
    difference: PairedDifference | None = None


def values_of(plan: StudyPlan, rows: Iterator[EndedGame], measures: Sequence[str]) -> Values:
    """The values of some measures in the games of a cell: eight bytes each."""
    found = {name: array("d", [math.nan]) * plan.games for name in measures}
    places = [(plan.columns.index(name), found[name]) for name in measures]
    for row in rows:
        if row.why:
            continue
        for place, values in places:
            value = row.values[place]
            if isinstance(value, int | float):
                values[row.game] = value
    return found


def numbers_of(plan: StudyPlan) -> tuple[str, ...]:
    """The columns of a study that are numbers."""
    return tuple(name for name in plan.columns if COLUMNS[name].is_number)


def summarize_cells(
    plan: StudyPlan, values: Callable[[StudyCell], Values], measures: Sequence[str]
) -> Iterator[CellSummary]:
    """Summarize measures, cell by cell; ``values`` returns those of a cell."""
    for cell in plan.cells:
        own = values(cell)
        baseline = plan.baseline_of(cell)
        others = {} if baseline is None else values(baseline)
        for measure in measures:
            there = [value for value in own[measure] if not math.isnan(value)]
            if not there:
                continue
            difference = None if baseline is None else _difference(baseline, own[measure], others[measure])
            yield CellSummary(cell, measure, spread(there), difference)


def _difference(baseline: StudyCell, own: Sequence[float], others: Sequence[float]) -> PairedDifference | None:
    pairs = [(a, b) for a, b in zip(own, others, strict=True) if not (math.isnan(a) or math.isnan(b))]
    if not pairs:
        return None
    found, of_baseline = spread([a - b for a, b in pairs]), fmean(b for _, b in pairs)
    return PairedDifference(baseline.number, found, found.mean / of_baseline if of_baseline else None)
