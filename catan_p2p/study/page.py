"""The page of a study: what it asks, figures with their tables, differences from the baseline, and how to repeat it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path

from catan_p2p.plot_style import check_matplotlib, count_games, spell_number
from catan_p2p.report.blocks import Block, CodeBlock, FigureBlock, Paragraph, ReportSection, ReportTable
from catan_p2p.report.data import RunGroup
from catan_p2p.study.columns import COLUMNS
from catan_p2p.study.drawing import (
    draw_measure,
    factor_words,
    height_in,
    level_words,
    measure_words,
    points_of,
    shown_cells,
    spell_measured,
)
from catan_p2p.study.folder import GAMES_FILE, SUMMARY_FILE, StudyFolder
from catan_p2p.study.plan import FigurePlan, StudyPlan, spell_level
from catan_p2p.study.summary import CellSummary
from catan_p2p.study.tables import summaries

MOST_CELLS_TOLD = 60
_WIDEST_LABEL = 25
"""Letters of a name in a legend."""
FEW_GAMES = 10
"""Intervals over fewer games than this are too narrow by far: those of two contain half of all means, not 95 %."""
MOST_TOLD = 20
"""So many failed games are told on the page; the table of failures has all."""


def study_sections(study: StudyFolder, data: str = "") -> list[ReportSection]:
    """All sections of the page of a study; ``MatplotlibMissing`` if nothing can be drawn.

    ``data`` stands before the names of the tables that the page links to; it links to none if that is empty.
    """
    check_matplotlib()
    plan = study.plan
    measures = list(dict.fromkeys([*(one.measure for one in plan.figures), *plan.shown]))
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
    """Give groups of kept games that are labelled with the folder of their cell its levels instead."""
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
    where = (
        f"Begun on {machine.get('date')} with catan_p2p {machine.get('catan_p2p')}, Python {machine.get('python')}, "
        f"git {machine.get('git')} on {machine.get('system')}, {machine.get('processor')}, "
        f"{machine.get('cores')} cores."
    )
    cells = "one cell" if len(plan.cells) == 1 else f"{len(plan.cells)} cells"
    games = f"{count_games(study.ended - study.failed)} of {study.games} in {cells}"
    failed = f", {study.failed} failed" if study.failed else ""
    which = f"games 0 to {plan.games - 1}" if plan.games > 1 else "game 0"
    told = f"{games}{failed}. In every cell {which} of seed {plan.seed} {'was' if plan.games == 1 else 'were'} played."
    if study.ended < study.games:
        told = f"{games}{failed}. The study is not over. In every cell it plays {which} of seed {plan.seed}."
    rows = tuple((name, ", ".join(map(spell_level, levels))) for name, levels in plan.factors.items())
    blocks: list[Block] = [*_paragraphs(plan.about)] if plan.about else []
    blocks += [Paragraph(told), *([ReportTable(("factor", "levels"), rows)] if rows else []), Paragraph(where)]
    return ReportSection("The study", tuple(blocks))


def _measure(plan: StudyPlan, measure: str, found: Sequence[CellSummary]) -> ReportSection:
    """A measure: its definition, each of its figures with a table, and all cells if that tells more."""
    column = COLUMNS[measure]
    own = [one for one in found if one.measure == measure]
    blocks: list[Block] = [Paragraph(f"`{measure}`: {column.definition}")]
    for figure in plan.figures:
        points = points_of(plan, figure, own)
        if figure.measure == measure and points:
            blocks += [_figure(plan, figure, points), _across(plan, figure, points, column.unit)]
    if len(blocks) == 1 or any(one.difference for one in own):
        if len(own) > MOST_CELLS_TOLD:
            blocks.append(Paragraph(f"The first {MOST_CELLS_TOLD} of {len(own)} cells; `summary.csv` has all."))
        blocks.append(_table(plan, own[:MOST_CELLS_TOLD], column.unit))
    return ReportSection(measure_words(measure), tuple(blocks))


def _across(plan: StudyPlan, figure: FigurePlan, points: Sequence[CellSummary], unit: str) -> ReportTable:
    """The table below a figure: its first factor downwards, the others across; means, and their intervals."""
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
    mean = spell_measured(one.mean, unit)
    return mean if one.interval is None else f"{mean} ({_interval(one.interval, unit)})"


def _figure(plan: StudyPlan, figure: FigurePlan, points: Sequence[CellSummary]) -> FigureBlock:
    by = ", ".join(name.removeprefix("network.") for name in figure.by)
    held = ", ".join(f"{name} = {spell_level(level)}" for name, level in shown_cells(plan, figure).items())
    words = measure_words(figure.measure)
    caption = f"{words[0].upper()}{words[1:]}, by {by}: the mean of the games, and its 95 % interval."
    caption += f" Of the cells with {held}." if held else ""
    name = "-".join([figure.measure.replace("_", "-"), "by", *(one.rpartition(".")[2] for one in figure.by)])
    draw = partial(draw_measure, plan=plan, figure=figure, points=points)
    return FigureBlock(name, caption, draw, height_in(plan, figure, points))


def _table(plan: StudyPlan, found: Sequence[CellSummary], unit: str) -> ReportTable:
    several = [name for name, levels in plan.factors.items() if len(levels) > 1]
    compared = any(one.difference for one in found)
    head = [*(name.removeprefix("network.") for name in several), "games", "mean", "95 % of the mean", "median"]
    head += ["against the baseline", "95 % of that"] if compared else []
    rows = []
    for one in found:
        row = [spell_level(one.cell.levels[name]) for name in several]
        row += [f"{one.games:,}", spell_measured(one.mean, unit), _interval(one.interval, unit)]
        row.append(spell_measured(one.median, unit))
        if compared:
            row += _difference(one, unit)
        rows.append(tuple(row))
    return ReportTable(tuple(head), tuple(rows))


def _difference(one: CellSummary, unit: str) -> list[str]:
    found = one.difference
    if found is None:
        return ["-", "-"]
    share = ""
    if found.of_baseline is not None:
        many = found.of_baseline >= 2
        share = f" ({spell_number(1 + found.of_baseline)} times)" if many else f" ({found.of_baseline:+.0%})"
    return [f"{_signed(found.mean, unit)}{share}", _interval(found.interval, unit, signed=True)]


def _interval(interval: tuple[float, float] | None, unit: str, *, signed: bool = False) -> str:
    if interval is None:
        return "-"
    low, high = (_signed(value, unit) if signed else spell_measured(value, unit) for value in interval)
    return f"{low} to {high}"


def _signed(value: float, unit: str) -> str:
    return f"{'+' if value >= 0 else '-'}{spell_measured(abs(value), unit)}"


def _failures(study: StudyFolder) -> ReportSection:
    rows: list[tuple[str, ...]] = []
    for cell in study.plan.cells:
        for row in study.rows(cell):
            if row.why and len(rows) < MOST_TOLD:
                rows.append((str(cell.number), str(row.game), row.why, f"`{cell.command(row.game)}`"))
    words = (
        f"{count_games(study.failed)} without a row; `failures.csv` lists them, with the command that plays each again."
    )
    return ReportSection(
        "Failed games", (Paragraph(words), ReportTable(("cell", "game", "why", "again with"), tuple(rows)))
    )


def _repeating(study: StudyFolder, data: str) -> ReportSection:
    told = study.provenance
    file = Path(str(told.get("file", "FILE.toml"))).name
    games, summary = (f"[{name}]({data}{name})" if data else f"`{name}`" for name in (GAMES_FILE, SUMMARY_FILE))
    few = f" Over fewer than {FEW_GAMES} games, intervals are too narrow." if study.plan.games < FEW_GAMES else ""
    return ReportSection(
        "Repeating it",
        (
            Paragraph(
                f"The rows are in {games}, what they come to is in {summary}. They follow from `{file}` "
                f"(SHA-256 `{told.get('file_sha256', '-')}`): the same file gives the same games, down to the object "
                f"ids. Intervals are bootstraps over games, differences are paired by seed and game.{few}"
            ),
            CodeBlock(f"catan-p2p study {told.get('file', file)} --out DIR\ncatan-p2p report DIR", "sh"),
        ),
    )
