"""Summaries of the games of a study: means with intervals, and differences from the baseline, paired by game."""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median, stdev
from typing import TypeAlias

from catan_p2p.intervals import Interval, has_library, mean_interval
from catan_p2p.study.columns import COLUMNS
from catan_p2p.study.folder import EndedGame
from catan_p2p.study.plan import StudyCell, StudyPlan

Values: TypeAlias = "Mapping[str, array[float]]"
"""For each measure that is a number, its values by game; NaN if a game has none."""


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """The difference of a cell's games from the baseline's games with the same numbers, over ``pairs`` of them."""

    baseline: int
    pairs: int
    mean: float
    interval: Interval | None
    of_baseline: float | None
    """The mean difference as a share of the baseline's mean; None if that is 0."""


@dataclass(frozen=True, slots=True)
class CellSummary:
    """A measure in a cell, over the games that have it; ``interval`` is that of the mean."""

    cell: StudyCell
    measure: str
    games: int
    mean: float
    interval: Interval | None
    median: float
    deviation: float | None
    """The standard deviation; None for a single game."""
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
        others = None if baseline is None else values(baseline)
        for measure in measures:
            there = [value for value in own[measure] if not math.isnan(value)]
            if not there:
                continue
            difference = None
            if baseline is not None and others is not None:
                difference = _difference(baseline, own[measure], others[measure])
            yield CellSummary(
                cell,
                measure,
                len(there),
                fmean(there),
                _interval(there),
                median(there),
                stdev(there) if len(there) > 1 else None,
                difference,
            )


def _interval(values: Sequence[float]) -> Interval | None:
    """The interval of a mean; None without the extra ``report``, too, since a study can go without."""
    return mean_interval(values) if has_library() else None


def _difference(baseline: StudyCell, own: Sequence[float], others: Sequence[float]) -> PairedDifference | None:
    pairs = [(a, b) for a, b in zip(own, others, strict=True) if not (math.isnan(a) or math.isnan(b))]
    if not pairs:
        return None
    differences = [a - b for a, b in pairs]
    mean, of_baseline = fmean(differences), fmean(b for _, b in pairs)
    share = mean / of_baseline if of_baseline else None
    return PairedDifference(baseline.number, len(pairs), mean, _interval(differences), share)
