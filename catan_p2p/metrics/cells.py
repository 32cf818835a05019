"""Summaries of games by cell: means with intervals, and differences from a baseline, paired by game."""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from statistics import fmean

from catan_p2p.intervals import Interval, MeanSpread, spread
from catan_p2p.metrics.columns import COLUMNS, Value, possible_values

Level = str | int | bool
"""A value of a factor."""


def spell_level(level: Level) -> str:
    """A level in words: ``yes`` and ``no`` for truth values."""
    return {True: "yes", False: "no"}[level] if isinstance(level, bool) else str(level)


@dataclass(frozen=True, slots=True)
class ComparedCell:
    """Games with the same levels of all factors. Cells are numbered from 1."""

    number: int
    levels: Mapping[str, Level]


@dataclass(frozen=True, slots=True)
class FigurePlan:
    """A figure of a measure by up to three factors: along the axis, by colour, by panel.

    ``at`` fixes the levels of some other factors.
    """

    measure: str
    by: tuple[str, ...]
    at: Mapping[str, Level] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CellComparison:
    """Cells of ``games`` games each that are compared with one another, or with those that have baseline levels."""

    games: int
    factors: Mapping[str, tuple[Level, ...]]
    cells: tuple[ComparedCell, ...]
    baseline: Mapping[str, Level]

    def baseline_of(self, cell: ComparedCell) -> ComparedCell | None:
        """The cell to compare ``cell`` with: the same, but with the levels of the baseline. None if there is none."""
        if not self.baseline or self.baseline.items() <= cell.levels.items():
            return None
        wanted = {**cell.levels, **self.baseline}
        return next((other for other in self.cells if other.levels == wanted), None)


class GameValues:
    """The values of measures in games, eight bytes each."""

    def __init__(self, measures: Iterable[str]) -> None:
        self._values = {name: array("d") for name in measures}

    def add(self, game: int, values: Mapping[str, Value]) -> None:
        """Add game number ``game``, which is larger than those of earlier ones."""
        for name, found in self._values.items():
            value = values[name]
            found.extend([math.nan] * (game - len(found)))
            found.append(value if isinstance(value, int | float) else math.nan)

    def spread(self, measure: str) -> MeanSpread | None:
        """The spread of a measure over the games that have it; None if no game has it."""
        there = [value for value in self._values[measure] if not math.isnan(value)]
        return spread(there, possible_values(measure)) if there else None

    def pairs(self, measure: str, others: GameValues) -> list[tuple[float, float]]:
        """The values of the games with the same number here and there."""
        both = zip(self._values[measure], others._values[measure], strict=False)
        return [(own, other) for own, other in both if not (math.isnan(own) or math.isnan(other))]


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

    cell: ComparedCell
    measure: str
    games: MeanSpread
    difference: PairedDifference | None = None


def summarize_cells(
    comparison: CellComparison, measures: Sequence[str], values_of: Callable[[ComparedCell], GameValues]
) -> Iterator[CellSummary]:
    """Summaries of measures, cell by cell."""

    # Enough for a cell and its baseline, which is the same for many cells in a row.
    @lru_cache(maxsize=2)
    def values(number: int) -> GameValues:
        return values_of(comparison.cells[number - 1])

    for cell in comparison.cells:
        baseline = comparison.baseline_of(cell)
        for name in measures:
            own = values(cell.number)
            if (games := own.spread(name)) is not None:
                found = None if baseline is None else _difference(baseline, name, own, values(baseline.number))
                yield CellSummary(cell, name, games, found)


def _difference(baseline: ComparedCell, measure: str, own: GameValues, others: GameValues) -> PairedDifference | None:
    pairs = own.pairs(measure, others)
    if not pairs:
        return None
    most = possible_values(measure).high
    found, of_baseline = spread([a - b for a, b in pairs], Interval(-most, most)), fmean(b for _, b in pairs)
    return PairedDifference(baseline.number, found, found.mean / of_baseline if of_baseline else None)


SUMMED = (
    *("measure", "unit", "games", "mean", "low", "high", "median", "deviation"),
    *("baseline", "pairs", "difference", "difference_low", "difference_high", "difference_share"),
)
"""The columns of a table of summaries, after those of the cell."""


def summed(one: CellSummary) -> Iterator[object]:
    """The values of ``SUMMED``."""
    games, found = one.games, one.difference
    yield from (one.measure, COLUMNS[one.measure].unit, games.count, games.mean, *(games.interval or (None, None)))
    yield from (games.median, games.deviation if games.count > 1 else None)
    if found is None:
        yield from [None] * 6
    else:
        pairs = found.pairs
        yield from (found.baseline, pairs.count, pairs.mean, *(pairs.interval or (None, None)), found.of_baseline)
