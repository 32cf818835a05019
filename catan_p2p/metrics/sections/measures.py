"""The section on one measure, cell by cell: figures with tables, and differences from the baseline."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from catan_p2p.metrics.cells import CellComparison, CellSummary, FigurePlan, spell_level
from catan_p2p.metrics.columns import COLUMNS
from catan_p2p.metrics.figures.measures import (
    draw_measure,
    factor_words,
    height_in,
    level_words,
    measure_words,
    points_of,
    shown_cells,
)
from catan_p2p.metrics.page import Block, FigureBlock, Paragraph, ReportSection, ReportTable
from catan_p2p.plot_style import bare, count_games, measured_in, spell_bounds, spell_number

MOST_CELLS_TOLD = 60
"""At most this many cells are in a table of the page."""


def measure_section(
    plan: CellComparison, measure: str, figures: Sequence[FigurePlan], found: Sequence[CellSummary]
) -> ReportSection:
    """The section of a measure: its definition, its figures, and tables.

    With a baseline, one table compares all cells; else each figure has its own table.
    """
    column = COLUMNS[measure]
    own = [one for one in found if one.measure == measure]
    blocks: list[Block] = [Paragraph(f"`{measure}`: {column.definition}")]
    compared = any(one.difference for one in own)
    for figure in figures:
        points = points_of(plan, figure, own)
        if figure.measure == measure and points:
            blocks.append(_figure(plan, figure, points))
            if not compared:
                blocks.append(_across(plan, figure, points, column.unit))
    if len(blocks) == 1 or compared:
        if len(own) > MOST_CELLS_TOLD:
            blocks.append(Paragraph(f"The first {MOST_CELLS_TOLD} of {len(own)} cells; `summary.csv` has all."))
        blocks.append(_table(plan, own[:MOST_CELLS_TOLD], column.unit))
    return ReportSection(measure_words(measure), tuple(blocks))


def _across(plan: CellComparison, figure: FigurePlan, points: Sequence[CellSummary], unit: str) -> ReportTable:
    """The table of means and intervals below a figure: rows for the first factor, columns for the others."""
    along, *others = figure.by
    across = list(dict.fromkeys(tuple(one.cell.levels[name] for name in others) for one in points))
    across.sort(key=lambda levels: [plan.factors[name].index(one) for name, one in zip(others, levels, strict=True)])
    by_place = {(one.cell.levels[along], tuple(one.cell.levels[name] for name in others)): one for one in points}
    rows = []
    for level in plan.factors[along]:
        there = [by_place.get((level, levels)) for levels in across]
        if any(there):
            told = ("-" if one is None else _mean(one, unit) for one in there)
            rows.append((spell_level(level), *told))
    head = [", ".join(level_words(name, one) for name, one in zip(others, levels, strict=True)) for levels in across]
    return ReportTable((factor_words(along), *(name or "mean" for name in head)), tuple(rows))


def _mean(one: CellSummary, unit: str) -> str:
    """The mean and its interval in one unit: ``63.5 ms (63.2–63.8)``; without the interval if all games agree."""
    spell = measured_in(unit)
    bounds = dict.fromkeys(map(bare, spell_bounds(one.games, spell)))
    return spell(one.games.mean) + (f" ({'–'.join(bounds)})" if len(bounds) == 2 else "")


def _figure(plan: CellComparison, figure: FigurePlan, points: Sequence[CellSummary]) -> FigureBlock:
    *others, last = map(factor_words, figure.by)
    by = f"{', '.join(others)} and {last}" if others else last
    held = ", ".join(
        f"{factor_words(name)} = {spell_level(level)}" for name, level in shown_cells(plan, figure).items()
    )
    caption = f"By {by}{f'; {held}' if held else ''}."
    name = "-".join([figure.measure.replace("_", "-"), "by", *(one.rpartition(".")[2] for one in figure.by)])
    draw = partial(draw_measure, plan=plan, figure=figure, points=points)
    return FigureBlock(name, caption, draw, height_in(plan, figure, points))


def _table(plan: CellComparison, found: Sequence[CellSummary], unit: str) -> ReportTable:
    several = [name for name, levels in plan.factors.items() if len(levels) > 1]
    compared = any(one.difference for one in found)
    head = [*map(factor_words, several), "mean", *(["against the baseline"] if compared else [])]
    rows = []
    for one in found:
        row = [spell_level(one.cell.levels[name]) for name in several]
        games = "" if one.games.count == plan.games else f", {count_games(one.games.count)}"
        row.append(f"{_mean(one, unit)}{games}")
        if compared:
            row.append(_difference(one, unit))
        rows.append(tuple(row))
    return ReportTable(tuple(head), tuple(rows))


def _difference(one: CellSummary, unit: str) -> str:
    """The difference of a cell from its baseline, also as a share of the baseline, and its interval."""
    found = one.difference
    if found is None:
        return "-"
    told = []
    if found.of_baseline is not None:
        many = found.of_baseline >= 2
        told.append(f"{spell_number(1 + found.of_baseline)} times" if many else f"{found.of_baseline:+.0%}")
    spell = measured_in(unit, "+")
    if bounds := spell_bounds(found.pairs, spell):
        told.append(" to ".join(map(bare, bounds)))
    mean = spell(found.pairs.mean)
    return f"{mean} ({', '.join(told)})" if told else mean
