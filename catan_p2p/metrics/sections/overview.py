"""The report's first section: the games, where they were measured, and the thesis's figures beside theirs."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from catan_p2p.metrics.groups import ReportData, RunGroup
from catan_p2p.metrics.machine import spell_machine
from catan_p2p.metrics.page import Block, Paragraph, ReportSection, ReportTable
from catan_p2p.metrics.published import ThesisFigures
from catan_p2p.metrics.rows import GameRow
from catan_p2p.plot_style import (
    Speller,
    bare,
    spell_bounds,
    spell_number,
    spell_seconds_spread,
    spell_spread,
    speller,
)


def overview(data: ReportData) -> ReportSection:
    """Which games these are, where they were measured, and their figures beside the thesis's."""
    machine = data.machine
    memory, load, cores = machine.get("memory_bytes"), machine.get("load"), machine.get("cores")
    has_memory = f", {memory / 2**30:.0f} GiB of memory" if isinstance(memory, int) else ""
    where = f"Measured {spell_machine(machine)}{has_memory}."
    if isinstance(load, float) and isinstance(cores, int) and load > cores:
        where += (
            f" The machine was busy: {load:g} processes wanted to run, on average over a quarter of an hour, so times "
            "are longer than on an idle one."
        )
    rows = tuple(
        (
            group.label,
            str(len(group.games)),
            f"{group.totals.actions:,}",
            _different(name.replace(" ", ", ") for name in group.totals.different["policies"]),
            _different(group.totals.different["rules"]),
            _different(group.totals.different["topology"]),
            _different(group.totals.different["seed"], " "),
            str(group.totals.without_winner),
            str(group.totals.resumed),
            str(group.totals.rejected),
        )
        for group in data.groups
    )
    head = (
        *("games of", "games", "actions", "policies", "rules", "repositories", "seed", "no winner", "resumed"),
        "refused commits",
    )
    blocks: list[Block] = [ReportTable(head, rows), Paragraph(where), *_closed(data.groups)]
    if any(group.published for group in data.groups):
        blocks += [
            Paragraph(
                "The thesis's figures (section 5.1.4) are of another program on another machine (Windows 11, "
                "i9-12900K). That program departs from the rules (`docs/research/errata.md`): sizes and costs per "
                "commit can be compared, lengths of games cannot."
            ),
            _comparison(data.groups),
            Paragraph(
                "Mean ± standard deviation over games; for `git diff`, over commits. In brackets: the median and the "
                "95 % interval of the mean (Student's t). `git diff` has no interval, for the commits "
                "of a game depend on each other."
            ),
        ]
    return ReportSection("Games", tuple(blocks))


def _closed(groups: Sequence[RunGroup]) -> list[Paragraph]:
    """In how many games some hidden cards were not opened at the end, and whose."""
    games = [row for group in groups for row in group.games]
    why = Counter(row.closed for row in games if row.closed)
    if not why:
        return []
    told = "; ".join(f"{words} ({count} games)" if count > 1 else words for words, count in why.items())
    words = f"In {why.total()} of {len(games)} games not all cards are open: {told}. "
    return [Paragraph(words + "`games.csv` tells which games these are, in the column `closed`.")]


SPELL_BYTES, SPELL_COUNT = speller(",.0f", "B"), speller(",.0f")


class _ComparedFigure(NamedTuple):
    """A row of the comparison: a figure of a game, the thesis's name for it, and how it is formatted."""

    words: str
    figure: str
    published: str
    spell: Speller
    has_ratio: bool = True
    """Whether the ratio means anything: not between games of different lengths."""


_COMPARED = (
    _ComparedFigure("commits of a game", "commits", "commits", SPELL_COUNT, False),
    _ComparedFigure("`.git` as the game ends (`du`)", "disk_bytes", "disk_bytes", speller(".2f", "MB", 1e6), False),
    _ComparedFigure("the same per commit", "disk_bytes_per_commit", "disk_bytes_per_commit", SPELL_BYTES),
    _ComparedFigure("elapsed time of a game", "elapsed_s", "elapsed_s", spell_seconds_spread, False),
    _ComparedFigure("elapsed time, per commit", "elapsed_s_per_commit", "elapsed_s_per_commit", spell_seconds_spread),
    _ComparedFigure("computing, per commit", "computing_s_per_commit", "computing_s", spell_seconds_spread),
    _ComparedFigure("synchronizing, per commit", "synchronizing_s_per_commit", "synchronizing_s", spell_seconds_spread),
)


def _comparison(groups: Sequence[RunGroup]) -> ReportTable:
    """A row for each figure; for each group that is like the thesis's games, its value, the thesis's, and the ratio."""
    compared = [(group, group.published) for group in groups if group.published]
    rows: list[tuple[str, ...]] = []
    for one in _COMPARED:
        if not any(group.spread(one.figure) for group, _ in compared):
            continue  # no game recorded it, as in repositories without the simulation's files
        row = [one.words]
        for group, published in compared:
            found, its = group.spread(one.figure), getattr(published, one.published)
            ratio = spell_number(its.mean / found.mean) if found and one.has_ratio else "-"
            row += [
                spell_values(group, one.figure, one.spell, interval=True),
                one.spell(its.mean, its.deviation),
                ratio,
            ]
        rows.append(tuple(row))
    diffs = (cell for group, its in compared for cell in _compare_diffs(group, its))
    rows.append(("`git diff` of a commit, unless it is empty", *diffs))
    heads = ((label_with_count(group), f"thesis (n = {its.games:,})", "thesis / here") for group, its in compared)
    return ReportTable(("what", *(name for head in heads for name in head)), tuple(rows))


def _compare_diffs(group: RunGroup, published: ThesisFigures) -> tuple[str, ...]:
    found, its = group.changed_diff_spread, published.changed_diff_bytes
    all_of_it = f"{SPELL_BYTES(published.diff_bytes.mean, published.diff_bytes.deviation)} with empty ones"
    return (
        f"{spell_spread(found, SPELL_BYTES)} ({found.median:,.0f}; n = {found.count:,})",
        f"{SPELL_BYTES(its.mean, None)} ({all_of_it}; n = {published.diff_games:,})",
        spell_number(its.mean / found.mean),
    )


def label_with_count(group: RunGroup) -> str:
    """The head of a group's column: ``2 players (n = 100)``."""
    return f"{group.label} (n = {len(group.games):,})"


def spell_values(
    group: RunGroup, figure: str | Callable[[GameRow], float | None], spell: Speller, *, interval: bool = False
) -> str:
    """A figure over the games of a group: ``508 ± 62 B (502; 497–521)``, a dash if no game has it.

    Brackets contain the median, the interval of the mean if it is asked for, and the number of games if some lack it.
    """
    found = group.spread(figure)
    if found is None:
        return "-"
    # The unit stands once, after the mean: in brackets it would only repeat.
    told = [bare(spell(found.median, None, found.mean))]
    if interval and (bounds := spell_bounds(found, spell)):
        told.append("–".join(map(bare, bounds)))
    if found.count != len(group.games):
        told.append(f"n = {found.count:,}")
    return f"{spell_spread(found, spell)} ({'; '.join(told)})"


def _different(values: Iterable[Any], between: str = ", ") -> str:
    """The values that occur, in order; a dash for none, and in place of an empty text."""
    return between.join(str(value) if value != "" else "-" for value in sorted(values)) or "-"
