"""Summaries of the games of a study: means with intervals, and differences from the baseline, paired by game."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import fmean

from catan_p2p.intervals import MeanSpread, spread
from catan_p2p.metrics.columns import COLUMNS
from catan_p2p.study.folder import StudyFolder
from catan_p2p.study.plan import StudyCell


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


def summaries(study: StudyFolder, measures: Sequence[str] | None = None) -> Iterator[CellSummary]:
    """Summaries of measures of a study, by cell; of all that are numbers if none are named."""
    plan = study.plan
    chosen = [name for name in plan.columns if COLUMNS[name].is_number] if measures is None else measures
    places = [(plan.columns.index(name), name) for name in chosen]

    # Enough for a cell and its baseline, which is the same for many cells in a row.
    @lru_cache(maxsize=2)
    def values(number: int) -> dict[str, array[float]]:
        """The values of each measure in the games of a cell, eight bytes each; NaN if a game has none."""
        found = {name: array("d", [math.nan]) * plan.games for name in chosen}
        for row in study.rows(plan.cells[number - 1]):
            for place, name in () if row.why else places:
                if isinstance(value := row.values[place], int | float):
                    found[name][row.game] = value
        return found

    for cell in plan.cells:
        baseline = plan.baseline_of(cell)
        for name in chosen:
            own = values(cell.number)[name]
            if there := [value for value in own if not math.isnan(value)]:
                difference = None if baseline is None else _difference(baseline, own, values(baseline.number)[name])
                yield CellSummary(cell, name, spread(there), difference)


def _difference(baseline: StudyCell, own: Sequence[float], others: Sequence[float]) -> PairedDifference | None:
    pairs = [(a, b) for a, b in zip(own, others, strict=True) if not (math.isnan(a) or math.isnan(b))]
    if not pairs:
        return None
    found, of_baseline = spread([a - b for a, b in pairs]), fmean(b for _, b in pairs)
    return PairedDifference(baseline.number, found, found.mean / of_baseline if of_baseline else None)
