"""The report's first section: the games, where they were measured, and the thesis's figures beside theirs."""

from collections import Counter
from collections.abc import Callable, Sequence
from statistics import median

from catan_p2p.intervals import mean_interval
from catan_p2p.metrics.rows import GameRow
from catan_p2p.metrics.totals import MeanSpread
from catan_p2p.plot_style import spell_bounds, spell_number, spell_seconds_spread
from catan_p2p.report.blocks import Block, Paragraph, ReportSection, ReportTable
from catan_p2p.report.data import ReportData, RunGroup
from catan_p2p.report.published import ThesisFigures


def overview(data: ReportData) -> ReportSection:
    """Which games these are, where they were measured, and their figures beside the thesis's."""
    machine = data.machine
    memory = machine.get("memory_bytes")
    where = (
        f"Measured on {machine.get('date')} with catan_p2p {machine.get('catan_p2p')}, Python {machine.get('python')}, "
        f"git {machine.get('git')} on {machine.get('system')}, {machine.get('processor')}, {machine.get('cores')} cores"
        + (f", {int(memory) / 2**30:.0f} GiB of memory." if isinstance(memory, int) else ".")
    )
    load, cores = machine.get("load"), machine.get("cores")
    if isinstance(load, float) and isinstance(cores, int) and load > cores:
        where += (
            f" The machine was busy: {load:g} processes wanted to run, on average over a quarter of an hour, so times "
            "are longer than on an idle one."
        )
    rows = []
    for group in data.groups:
        without_winner = sum(not row.winner for row in group.games)
        rejected = sum(row.rejected for row in group.games)
        rows.append(
            (
                group.label,
                str(len(group.games)),
                f"{group.actions:,}",
                ", ".join(sorted({row.policies.replace(" ", ", ") or "-" for row in group.games})),
                ", ".join(sorted({row.rules for row in group.games})),
                ", ".join(sorted({row.topology or "-" for row in group.games})),
                " ".join(map(str, sorted({row.seed for row in group.games if row.seed is not None}))) or "-",
                str(without_winner),
                str(sum(bool(row.resumed) for row in group.games)),
                str(rejected),
            )
        )
    head = (
        "games of",
        "games",
        "actions",
        "policies",
        "rules",
        "repositories",
        "seed",
        "no winner",
        "resumed",
        "refused commits",
    )
    blocks: list[Block] = [ReportTable(head, tuple(rows)), Paragraph(where), *_closed(data.groups)]
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


class _ComparedFigure:
    """A row of the comparison: a figure of a game, the thesis's name for it, and how it is formatted."""

    def __init__(
        self,
        words: str,
        figure: Callable[[GameRow], float | None],
        published: str,
        spell: Callable[[float, float | None], str],
        *,
        has_ratio: bool = True,
    ) -> None:
        self.words = words
        self.figure = figure
        self.published = published
        self.spell = spell
        self.has_ratio = has_ratio
        """Whether the ratio means anything: not between games of different lengths."""


def spell_bytes(mean: float, deviation: float | None = None) -> str:
    """A size in bytes with a thousands separator, and its deviation if there is one."""
    return f"{mean:,.0f} B" if deviation is None else f"{mean:,.0f} ± {deviation:,.0f} B"


def _spell_mb(mean: float, deviation: float | None) -> str:
    return f"{mean / 1e6:.2f} MB" if deviation is None else f"{mean / 1e6:.2f} ± {deviation / 1e6:.2f} MB"


def spell_count(mean: float, deviation: float | None = None) -> str:
    """A count, and its deviation if there is one."""
    return f"{mean:,.0f}" if deviation is None else f"{mean:,.0f} ± {deviation:,.0f}"


_COMPARED = (
    _ComparedFigure("commits of a game", lambda row: row.commits, "commits", spell_count, has_ratio=False),
    _ComparedFigure(
        "`.git` as the game ends (`du`)", lambda row: row.disk_bytes, "disk_bytes", _spell_mb, has_ratio=False
    ),
    _ComparedFigure(
        "the same per commit", lambda row: row.disk_bytes / row.commits, "disk_bytes_per_commit", spell_bytes
    ),
    _ComparedFigure(
        "elapsed time of a game", lambda row: row.elapsed_s, "elapsed_s", spell_seconds_spread, has_ratio=False
    ),
    _ComparedFigure(
        "elapsed time, per commit",
        lambda row: per_commit(row, row.elapsed_s),
        "elapsed_s_per_commit",
        spell_seconds_spread,
    ),
    _ComparedFigure(
        "computing, per commit", lambda row: per_commit(row, row.computing_s), "computing_s", spell_seconds_spread
    ),
    _ComparedFigure(
        "synchronizing, per commit",
        lambda row: per_commit(row, row.synchronizing_s),
        "synchronizing_s",
        spell_seconds_spread,
    ),
)


def per_commit(row: GameRow, value: float | None) -> float | None:
    """A value of a game divided by its commits, None if there is none."""
    return None if value is None else value / row.commits


def _comparison(groups: Sequence[RunGroup]) -> ReportTable:
    """A row for each figure; for each group that is like the thesis's games, its value, the thesis's, and the ratio."""
    compared = [(group, group.published) for group in groups if group.published]
    rows: list[tuple[str, ...]] = []
    for one in _COMPARED:
        if not any(group.values(one.figure) for group, _ in compared):
            continue  # no game recorded it, as in repositories without the simulation's files
        row = [one.words]
        for group, published in compared:
            found, value = group.spread(one.figure), getattr(published, one.published)
            here = spell_values(group, one.figure, one.spell, interval=True)
            ratio = "-" if found is None or not one.has_ratio else spell_number(value.mean / found.mean)
            row += [here, one.spell(value.mean, value.deviation), ratio]
        rows.append(tuple(row))
    diffs = (cell for group, its in compared for cell in _compare_diffs(group, its))
    rows.append(("`git diff` of a commit, unless it is empty", *diffs))
    heads = ((label_with_count(group), f"thesis (n = {its.games:,})", "thesis / here") for group, its in compared)
    return ReportTable(("what", *(name for head in heads for name in head)), tuple(rows))


def _compare_diffs(group: RunGroup, published: ThesisFigures) -> tuple[str, ...]:
    found, its = group.changed_diff_spread, published.changed_diff_bytes
    all_of_it = f"{spell_bytes(published.diff_bytes.mean, published.diff_bytes.deviation)} with empty ones"
    return (
        f"{spell_spread(found, spell_bytes)} (n = {found.count:,})",
        f"{spell_bytes(its.mean)} ({all_of_it}; n = {published.diff_games:,})",
        spell_number(its.mean / found.mean),
    )


def label_with_count(group: RunGroup) -> str:
    """The head of a group's column: ``2 players (n = 100)``."""
    return f"{group.label} (n = {len(group.games):,})"


def spell_values(
    group: RunGroup,
    figure: Callable[[GameRow], float | None],
    spell: Callable[[float, float | None], str],
    *,
    interval: bool = False,
) -> str:
    """A figure over the games of a group: ``508 ± 62 B (502; 497–521)``, a dash if no game has it.

    Brackets contain the median, the interval of the mean if it is asked for, and the number of games if some lack it.
    """
    values = group.values(figure)
    if not values:
        return "-"
    mean = spell_spread(group.spread(figure), spell)
    # The unit stands once, after the mean: in brackets it would only repeat.
    unit = mean.rpartition(" ")[2]
    told = [spell(median(values), None).removesuffix(f" {unit}")]
    if interval and (bounds := mean_interval(values)) is not None:
        told.append(spell_bounds(*(spell(bound, None).removesuffix(f" {unit}") for bound in bounds)))
    if len(values) != len(group.games):
        told.append(f"n = {len(values):,}")
    return f"{mean} ({'; '.join(told)})"


def spell_spread(found: MeanSpread | None, spell: Callable[[float, float | None], str]) -> str:
    """Mean and deviation in words, a dash for None."""
    if found is None:
        return "-"
    return spell(found.mean, found.deviation if found.count > 1 else None)
