"""The report's first section: the games, where they were measured, and the thesis's figures beside theirs."""

from collections import Counter
from collections.abc import Callable, Sequence
from statistics import median

from catan_p2p.intervals import bootstrap_mean
from catan_p2p.metrics.rows import GameRow
from catan_p2p.metrics.totals import MeanSpread
from catan_p2p.plot_style import spell_number, spell_seconds_spread
from catan_p2p.report.blocks import Block, Paragraph, ReportSection, ReportTable
from catan_p2p.report.data import ReportData, RunGroup
from catan_p2p.report.published import PublishedMean


def overview(data: ReportData) -> ReportSection:
    """Which games these are, where they were measured, and how they compare with the thesis's."""
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
            f" It was busy: over the quarter of an hour before measuring ended, {load:g} processes wanted to run on "
            f"average, so all times are longer than on an idle machine; sizes and counts do not depend on it."
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
                "Beside them stand the figures that the thesis publishes (section 5.1.4), marked as such. They come "
                "from another program on another machine (Windows 11, i9-12900K), of as many games as the "
                "table says. That program departs from the rules in several places (see `docs/research/errata.md`), so "
                "the lengths of its games are not those of the same game; sizes and costs per commit can be compared."
            ),
            _comparison(data.groups),
            Paragraph(
                "n counts games, of `git diff` commits. s.d. is the standard deviation between games; 95 % of the mean "
                "is the interval that holds the mean of such games with 95 % confidence (bootstrap, 2,000 resamples). "
                "Commits within a game depend on each other, so `git diff` has none."
            ),
        ]
    return ReportSection("Games", tuple(blocks))


def _closed(groups: Sequence[RunGroup]) -> list[Paragraph]:
    """In how many games hidden cards are not open, and whose."""
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
    ) -> None:
        self.words = words
        self.figure = figure
        self.published = published
        self.spell = spell


def spell_bytes(mean: float, deviation: float | None = None) -> str:
    """A size in bytes with a thousands separator, and its deviation if there is one."""
    return f"{mean:,.0f} B" if deviation is None else f"{mean:,.0f} ± {deviation:,.0f} B"


def _spell_mb(mean: float, deviation: float | None) -> str:
    return f"{mean / 1e6:.2f} MB" if deviation is None else f"{mean / 1e6:.2f} ± {deviation / 1e6:.2f} MB"


def spell_count(mean: float, deviation: float | None = None) -> str:
    """A count, and its deviation if there is one."""
    return f"{mean:,.0f}" if deviation is None else f"{mean:,.0f} ± {deviation:,.0f}"


_COMPARED = (
    _ComparedFigure("commits of a game", lambda row: row.commits, "commits", spell_count),
    _ComparedFigure("`.git` as the game ends (`du`)", lambda row: row.disk_bytes, "disk_bytes", _spell_mb),
    _ComparedFigure(
        "the same per commit", lambda row: row.disk_bytes / row.commits, "disk_bytes_per_commit", spell_bytes
    ),
    _ComparedFigure("elapsed time of a game", lambda row: row.elapsed_s, "elapsed_s", spell_seconds_spread),
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
    rows: list[tuple[str, ...]] = []
    for compared in _COMPARED:
        for group in groups:
            published, found = group.published, group.spread(compared.figure)
            if published is None or found is None:
                continue
            value: PublishedMean = getattr(published, compared.published)
            rows.append(
                (
                    compared.words,
                    group.label,
                    f"{found.count:,}",
                    compared.spell(median(group.values(compared.figure)), None),
                    spell_spread(found, compared.spell),
                    spell_interval(group.values(compared.figure), compared.spell),
                    compared.spell(value.mean, value.deviation),
                    f"{published.games:,}",
                    spell_number(value.mean / found.mean),
                )
            )
    for group in groups:
        if group.published:
            rows.append(_compare_diffs(group))
    head = (
        "what",
        "games of",
        "n",
        "median here",
        "mean ± s.d. here",
        "95 % of the mean",
        "mean ± s.d., thesis",
        "games, thesis",
        "thesis / here",
    )
    return ReportTable(head, tuple(rows))


def _compare_diffs(group: RunGroup) -> tuple[str, ...]:
    published, found = group.published, group.diff_spread
    assert published is not None
    return (
        "`git diff` of a commit",
        group.label,
        f"{found.count:,}",
        spell_bytes(group.diff_median),
        spell_spread(found, spell_bytes),
        "-",
        spell_bytes(published.diff_bytes.mean, published.diff_bytes.deviation),
        f"{published.diff_games:,}",
        spell_number(published.diff_bytes.mean / found.mean),
    )


def spell_interval(values: Sequence[float], spell: Callable[[float, float | None], str]) -> str:
    """The interval of a mean in words (bootstrap), a dash where too few values have none."""
    found = bootstrap_mean(values)
    return "-" if found is None else f"{spell(found.low, None)} to {spell(found.high, None)}"


def spell_spread(found: MeanSpread | None, spell: Callable[[float, float | None], str]) -> str:
    """Mean and deviation in words, a dash for None."""
    if found is None:
        return "-"
    return spell(found.mean, found.deviation if found.count > 1 else None)
