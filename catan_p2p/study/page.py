"""The page of a study: its question, figures with tables, differences from the baseline, and how to repeat it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path

from catan_p2p.metrics.columns import COLUMNS
from catan_p2p.metrics.groups import RunGroup
from catan_p2p.metrics.machine import spell_machine
from catan_p2p.metrics.page import Block, CodeBlock, FigureBlock, Paragraph, ReportSection, ReportTable
from catan_p2p.plot_style import check_matplotlib, count_games, spell_bounds, spell_measured, spell_number
from catan_p2p.study.drawing import (
    draw_measure,
    factor_words,
    height_in,
    level_words,
    measure_words,
    points_of,
    shown_cells,
)
from catan_p2p.study.folder import GAMES_FILE, SUMMARY_FILE, StudyFolder
from catan_p2p.study.plan import FigurePlan, StudyPlan, spell_level
from catan_p2p.study.summary import CellSummary, summaries
from catan_p2p.study.tables import failures

MOST_CELLS_TOLD = 60
"""At most this many cells are in a table of the page."""
_WIDEST_LABEL = 25
"""The most letters of a name in a legend."""
MOST_TOLD = 20
"""At most this many failed games are on the page; the table of failures has all."""


def study_sections(study: StudyFolder, data: str = "") -> list[ReportSection]:
    """All sections of the page of a study; ``MissingExtra`` without matplotlib.

    ``data`` is the prefix of the names of the tables that the page links to; if it is empty, there are no links.
    """
    check_matplotlib()
    plan = study.plan
    measures = list(dict.fromkeys(one.measure for one in plan.figures) or plan.shown)
    found = list(summaries(study, measures))
    sections = [_about(study)]
    if plan.conclusions:
        sections.append(ReportSection("What follows", tuple(_paragraphs(plan.conclusions))))
    sections += [_measure(plan, measure, found) for measure in measures if any(one.measure == measure for one in found)]
    if study.failed:
        sections.append(_failures(study))
    if plan.limits:
        sections.append(ReportSection("What is not covered", tuple(_paragraphs(plan.limits))))
    sections.append(_repeating(study, data))
    return sections


def label_groups(groups: Iterable[RunGroup], plan: StudyPlan) -> None:
    """Label groups of kept games with the levels of their cell instead of the cell's folder."""
    cells = {cell.name: cell for cell in plan.cells}
    several = [name for name, levels in plan.factors.items() if len(levels) > 1]
    for group in groups:
        if (cell := cells.get(group.run)) is not None and group.label.endswith(group.run):
            told = ", ".join(level_words(name, cell.levels[name]) for name in several)
            group.label = told if len(told) <= _WIDEST_LABEL else f"cell {cell.number}"


def _paragraphs(text: str) -> Iterator[Paragraph]:
    for part in text.split("\n\n"):
        yield Paragraph(part.strip())


def _about(study: StudyFolder) -> ReportSection:
    plan, machine = study.plan, study.provenance.get("machine", {})
    cells = "one cell" if len(plan.cells) == 1 else f"{len(plan.cells)} cells"
    games = f"{count_games(study.ended - study.failed)} of {study.games} in {cells}"
    failed = f", {study.failed} failed" if study.failed else ""
    which = f"games 0 to {plan.games - 1}" if plan.games > 1 else "game 0"
    told = f"{games}{failed}. In every cell {which} of seed {plan.seed} {'was' if plan.games == 1 else 'were'} played."
    if study.ended < study.games:
        told = f"{games}{failed}. The study is not over. In every cell it plays {which} of seed {plan.seed}."
    rows = tuple((name, ", ".join(map(spell_level, levels))) for name, levels in plan.factors.items())
    blocks: list[Block] = [*_paragraphs(plan.about)] if plan.about else []
    blocks += [
        Paragraph(told),
        *([ReportTable(("factor", "levels"), rows)] if rows else []),
        Paragraph(f"Begun {spell_machine(machine)}."),
    ]
    return ReportSection("The study", tuple(blocks))


def _measure(plan: StudyPlan, measure: str, found: Sequence[CellSummary]) -> ReportSection:
    """The section of a measure: its definition, its figures, and tables.

    With a baseline, one table compares all cells; else each figure has its own table.
    """
    column = COLUMNS[measure]
    own = [one for one in found if one.measure == measure]
    blocks: list[Block] = [Paragraph(f"`{measure}`: {column.definition}")]
    compared = any(one.difference for one in own)
    for figure in plan.figures:
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


def _across(plan: StudyPlan, figure: FigurePlan, points: Sequence[CellSummary], unit: str) -> ReportTable:
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
    mean, interval = spell_measured(one.games.mean, unit), one.games.interval
    if interval is None:
        return mean
    low, high = (spell_measured(value, unit, one.games.mean).partition(" ")[0] for value in interval)
    return mean if low == high else f"{mean} ({spell_bounds(low, high)})"


def _figure(plan: StudyPlan, figure: FigurePlan, points: Sequence[CellSummary]) -> FigureBlock:
    *others, last = map(factor_words, figure.by)
    by = f"{', '.join(others)} and {last}" if others else last
    held = ", ".join(
        f"{factor_words(name)} = {spell_level(level)}" for name, level in shown_cells(plan, figure).items()
    )
    caption = f"By {by}{f'; {held}' if held else ''}."
    name = "-".join([figure.measure.replace("_", "-"), "by", *(one.rpartition(".")[2] for one in figure.by)])
    draw = partial(draw_measure, plan=plan, figure=figure, points=points)
    return FigureBlock(name, caption, draw, height_in(plan, figure, points))


def _table(plan: StudyPlan, found: Sequence[CellSummary], unit: str) -> ReportTable:
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
    mean, interval = found.pairs.mean, found.pairs.interval
    if interval is not None:
        told.append(" to ".join(_signed(value, unit, mean).partition(" ")[0] for value in interval))
    return f"{_signed(mean, unit)} ({', '.join(told)})" if told else _signed(mean, unit)


def _signed(value: float, unit: str, like: float | None = None) -> str:
    return f"{'+' if value >= 0 else '-'}{spell_measured(abs(value), unit, like)}"


def _failures(study: StudyFolder) -> ReportSection:
    rows = tuple(
        (str(cell.number), str(row.game), row.why, f"`{cell.command(row.game)}`")
        for cell, row in islice(failures(study), MOST_TOLD)
    )
    words = (
        f"{count_games(study.failed)} without a row; `failures.csv` lists them, with the command that plays each again."
    )
    return ReportSection("Failed games", (Paragraph(words), ReportTable(("cell", "game", "why", "again with"), rows)))


def _repeating(study: StudyFolder, data: str) -> ReportSection:
    told = study.provenance
    file = Path(str(told.get("file", "FILE.toml"))).name
    games, summary = (f"[{name}]({data}{name})" if data else f"`{name}`" for name in (GAMES_FILE, SUMMARY_FILE))
    paired = " Differences are paired by seed and game." if study.plan.baseline else ""
    return ReportSection(
        "Repeating it",
        (
            Paragraph(
                f"{games} has a row for each game, {summary} one for each cell and measure. `{file}` (SHA-256 "
                f"`{told.get('file_sha256', '-')}`) gives the same games again, down to the object ids. Brackets "
                f"contain 95 % intervals (Student's t over games).{paired}"
            ),
            CodeBlock(f"catan-p2p study {told.get('file', file)} --out DIR\ncatan-p2p report DIR", "sh"),
        ),
    )
