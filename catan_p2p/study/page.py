"""The page of a study: its question, figures with tables, differences from the baseline, and how to repeat it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from catan_p2p.metrics.cells import spell_level
from catan_p2p.metrics.figures.measures import level_words
from catan_p2p.metrics.groups import RunGroup
from catan_p2p.metrics.machine import spell_machine
from catan_p2p.metrics.page import Block, CodeBlock, Paragraph, ReportSection, ReportTable
from catan_p2p.metrics.sections.measures import measure_section
from catan_p2p.plot_style import check_matplotlib, count_games
from catan_p2p.study.folder import GAMES_FILE, SUMMARY_FILE, StudyFolder
from catan_p2p.study.plan import StudyPlan
from catan_p2p.study.tables import failures

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
    found = list(study.summaries(measures))
    sections = [_about(study)]
    if plan.conclusions:
        sections.append(ReportSection("What follows", tuple(_paragraphs(plan.conclusions))))
    there = {one.measure for one in found}
    sections += [measure_section(plan, measure, plan.figures, found) for measure in measures if measure in there]
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
