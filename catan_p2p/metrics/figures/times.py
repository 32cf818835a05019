"""Figures about time: elapsed, computing against synchronizing, the parts of an action, latencies."""

from __future__ import annotations

from collections.abc import Sequence
from math import log10
from statistics import fmean
from typing import TYPE_CHECKING, NamedTuple

from catan_p2p.intervals import MeanSpread, spread
from catan_p2p.metrics.figures.marks import mark_published, step_up
from catan_p2p.metrics.groups import RunGroup
from catan_p2p.metrics.latency import Latency
from catan_p2p.metrics.published import PULL_WITH_NEWS, PULL_WITHOUT_NEWS, PublishedMean
from catan_p2p.metrics.rows import COSTS
from catan_p2p.plot_style import (
    MEAN_LABEL,
    MEDIAN_LABEL,
    PUBLISHED_COLOUR,
    PUBLISHED_LABEL,
    THEORY_COLOUR,
    colour,
    count_games,
    legend_above,
    log_seconds,
    mean_error,
    spell_seconds,
    spell_seconds_spread,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_PARTS = {"choose_s": "choosing", "apply_s": "applying", "check_s": "checking invariants", "write_s": "writing"}
_PART_COLOURS = ("#56B4E9", "#009E73", "#F0E442", "#CC79A7")


class _ChartLine(NamedTuple):
    """One line of a chart with a logarithmic axis of time."""

    label: str
    values: Sequence[float]
    published: PublishedMean | None
    colour: str


def draw_elapsed(figure: Figure, groups: Sequence[RunGroup]) -> None:
    """How long the games took, with a dot for each game."""
    lines = []
    for position, group in enumerate(groups):
        values = group.values("elapsed_s")
        label = f"{group.label}\n(n = {len(values)})"
        lines.append(_ChartLine(label, values, _of(group, "elapsed_s"), colour(position)))
    _draw_lines(figure.subplots(), lines, "elapsed time of a game (logarithmic)")


def draw_costs(figure: Figure, groups: Sequence[RunGroup]) -> None:
    """Computing and synchronizing for each commit, with a dot for each game."""
    lines = []
    for position, group in enumerate(groups):
        for name in ("computing", "synchronizing"):
            values = group.values(f"{name}_s_per_commit")
            lines.append(_ChartLine(f"{group.label},\n{name}", values, _of(group, f"{name}_s"), colour(position)))
    _draw_lines(figure.subplots(), lines, "time per commit, all peers together (logarithmic)")


def _of(group: RunGroup, name: str) -> PublishedMean | None:
    return getattr(group.published, name) if group.published else None


def _draw_lines(ax: Axes, lines: Sequence[_ChartLine], title: str) -> None:
    from matplotlib.lines import Line2D

    # Each label is given to one artist only, so that the legend has one entry of a kind.
    labels: list[str | None] = ["a game", MEAN_LABEL, MEDIAN_LABEL, PUBLISHED_LABEL]
    for height, line in enumerate(reversed(lines)):
        values = sorted(line.values)
        # Multiples of the golden ratio spread equal values evenly over a band, the same way in every report.
        places = [height + 0.4 * ((index * 0.618034) % 1 - 0.5) for index in range(len(values))]
        ax.scatter(values, places, s=12, color=line.colour, alpha=0.4, linewidths=0, label=labels[0])
        labels[0] = None
        if values:
            _draw_middle(ax, spread(values), values[0], height, line.colour, labels)
        if line.published:
            mark_published(ax, line.published.mean, height, labels[3], xerr=line.published.deviation)
            labels[3] = None
    ax.set_xscale("log")
    ax.margins(x=0.2)
    log_seconds(ax.xaxis)
    ax.set_yticks(range(len(lines)), [line.label for line in reversed(lines)])
    ax.set_ylim(-0.6, len(lines) - 0.3)
    ax.grid(axis="y", visible=False)
    ax.set_xlabel(title)
    legend = ax.legend(loc="lower center", bbox_to_anchor=(0.4, 1.0), ncols=2)
    # In the legend, the long bar of a median would cover the lines around it.
    for handle, text in zip(legend.legend_handles, legend.get_texts(), strict=True):
        if text.get_text() == MEDIAN_LABEL and isinstance(handle, Line2D):
            handle.set_markersize(9)
    for height, line in enumerate(reversed(lines)):
        if line.values:
            found = spread(line.values)
            told = f"median {spell_seconds(found.median)}, mean {spell_seconds(found.mean)}"
            _write_above(ax, found.median, height + 0.27, told, line.colour)
        if line.published:
            told = spell_seconds_spread(line.published.mean, line.published.deviation)
            _write_above(ax, line.published.mean, height + 0.3, told, PUBLISHED_COLOUR)


_CHARACTER = 0.0082
"""Half the width of a character, as a share of the axes' width."""
_CLEAR = 0.02
"""How far words stay from the ends of the axes, as a share of their width."""


def _write_above(ax: Axes, value: float, height: float, words: str, tone: str) -> None:
    """Words centred above a value, or as close to it as they fit into the axes."""
    low, high = (log10(limit) for limit in ax.get_xlim())
    half = _CHARACTER * len(words) + _CLEAR
    place = min(max((log10(value) - low) / (high - low), half), 1 - half)
    ax.annotate(
        words, (place, height), xycoords=("axes fraction", "data"), ha="center", va="bottom", fontsize=8, color=tone
    )


def _draw_middle(ax: Axes, found: MeanSpread, least: float, height: float, tone: str, labels: list[str | None]) -> None:
    """The mean with its interval, and the median."""
    ax.errorbar(
        [found.mean], [height], xerr=mean_error([found], [least]), fmt="o", color=tone, capsize=4, markersize=6,
        markeredgecolor="white", label=labels[1],
    )  # fmt: skip
    ax.plot([found.median], [height], "|", color=THEORY_COLOUR, markersize=17, markeredgewidth=2, label=labels[2])
    labels[1] = labels[2] = None


def draw_parts(figure: Figure, groups: Sequence[RunGroup]) -> None:
    """What an action costs its own peer: the parts of the mean, and the distribution over games."""
    with_costs = [(position, group) for position, group in enumerate(groups) if mean_costs(group)]
    means, games = figure.subplots(2, 1, height_ratios=(1, 1))
    for height, (_, group) in enumerate(reversed(with_costs)):
        left = 0.0
        for name, part_colour in zip(COSTS, _PART_COLOURS, strict=True):
            mean = 1e6 * fmean(row[name] for row in mean_costs(group))
            label = _PARTS[name] if height == 0 else None
            means.barh(height, mean, left=left, color=part_colour, edgecolor="white", height=0.55, label=label)
            left += mean
        means.annotate(f" {left:,.0f} µs", (left, height), va="center", fontsize=8)
    labels = [f"{group.label}\n(n = {count_games(len(mean_costs(group)))})" for _, group in with_costs]
    means.set_yticks(range(len(with_costs)), labels[::-1])
    means.set_xlabel("an action, mean over all games, µs")
    means.set_xlim(right=means.get_xlim()[1] * 1.15)
    means.grid(axis="y", visible=False)
    means.legend(loc="lower center", bbox_to_anchor=(0.4, 1.0), ncols=2)
    for position, group in with_costs:
        totals = sorted(1e6 * sum(row.values()) for row in mean_costs(group))
        step_up(games, totals[0], totals, position, group.label)
    games.set_xlabel("an action, mean of a game, at most, µs")
    games.set_ylabel("share of games, %")
    games.set_ylim(0, 103)
    games.set_xlim(left=0)
    games.legend(loc="lower center", bbox_to_anchor=(0.4, 1.0), ncols=2)


def mean_costs(group: RunGroup) -> list[dict[str, float]]:
    """For every game that recorded it and was not resumed, the seconds of an action by purpose."""
    found = []
    for row in group.games:
        if not row.resumed and row.actions and row.write_s is not None:
            found.append({name: (getattr(row, name) or 0.0) / row.actions for name in COSTS})
    return found


def draw_latencies(figure: Figure, latencies: Sequence[Latency]) -> None:
    """The latencies of one server, of one repository and of separate ones, beside the thesis's pulls."""
    players = sorted({one.players for one in latencies})
    lines = list(dict.fromkeys(_spell_setting(one) for one in latencies))
    heights = {label: height for height, label in enumerate(reversed(lines), 2)}
    ax = figure.subplots()
    for one in latencies:
        position = players.index(one.players)
        height = heights[_spell_setting(one)] + 0.13 * (len(players) - 1) - 0.26 * position
        ax.errorbar(
            [one.median_s], [height], xerr=[[one.median_s - one.low_s], [one.high_s - one.median_s]], fmt="o",
            color=colour(position), capsize=2, markersize=4, elinewidth=1.1,
            label=f"{one.players} players: median, 5 to 95 %",
        )  # fmt: skip
    for height, value in enumerate((PULL_WITHOUT_NEWS, PULL_WITH_NEWS)):
        mark_published(ax, value.mean, height, xerr=value.deviation, capsize=3, markersize=5)
    ax.set_xscale("log")
    log_seconds(ax.xaxis)
    ax.tick_params(axis="x", labelsize=8)  # the names of the lines leave little room for seven powers of ten
    names = ["thesis: pull, no news", "thesis: pull, news", *reversed(lines)]
    ax.set_yticks(range(len(names)), names, fontsize=8.5)
    ax.set_ylim(-0.6, len(names) - 0.4)
    ax.set_xlabel("how long it took (logarithmic)")
    ax.axhline(1.5, color="#bbbbbb", linewidth=0.8)
    legend_above(figure, 1)


def _spell_setting(one: Latency) -> str:
    what = one.what.replace("without news", "no news").replace("with news", "news").replace("synchronization", "sync")
    if one.setting == "central":
        return "one server: an action"
    if one.setting == "shared":
        return f"one repository: {what.replace('action', 'an action')}"
    link = "path" if one.transport == "path" else f"{one.transport}://"
    delay = f" + {1000 * one.delay_s:g} ms" if one.delay_s else ""
    return f"apart, {what}: {link}{delay}"
