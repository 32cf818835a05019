"""Figures about time: elapsed, computing against synchronizing, the parts of an action, latencies."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from catan_p2p.metrics.collection import spread
from catan_p2p.metrics.latency import Latency
from catan_p2p.metrics.rows import GameRow
from catan_p2p.report.data import COSTS, Group
from catan_p2p.report.published import PULL_WITH_NEWS, PULL_WITHOUT_NEWS, Published, Value
from catan_p2p.report.style import (
    PUBLISHED_COLOUR,
    PUBLISHED_LABEL,
    PUBLISHED_MARKER,
    colour,
    log_seconds,
    spell_seconds,
    spell_seconds_spread,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_PARTS = {"choose_s": "choosing", "apply_s": "applying", "check_s": "checking invariants", "write_s": "writing"}
_PART_COLOURS = ("#56B4E9", "#009E73", "#F0E442", "#CC79A7")


class _Line(NamedTuple):
    """One line of a chart with a logarithmic axis of time."""

    label: str
    values: Sequence[float]
    published: Value | None
    colour: str


def draw_elapsed(figure: Figure, groups: Sequence[Group]) -> None:
    """How long the games took, a dot a game."""
    lines = [
        _Line(group.label, group.values(lambda row: row.elapsed_s), _of(group, "elapsed_s"), colour(position))
        for position, group in enumerate(groups)
    ]
    _draw_lines(figure.subplots(), lines, "elapsed time of a game (logarithmic)")


def draw_costs(figure: Figure, groups: Sequence[Group]) -> None:
    """Computing and synchronizing, per commit, a dot a game."""
    figures: tuple[tuple[str, Callable[[GameRow], float | None]], ...] = (
        ("computing", lambda row: row.computing_s and row.computing_s / row.commits),
        ("synchronizing", lambda row: row.synchronizing_s and row.synchronizing_s / row.commits),
    )
    lines = [
        _Line(f"{group.label}, {name}", group.values(figure_of), _of(group, f"{name}_s"), colour(position))
        for position, group in enumerate(groups)
        for name, figure_of in figures
    ]
    _draw_lines(figure.subplots(), lines, "per commit, all peers together (logarithmic)")


def _of(group: Group, name: str) -> Value | None:
    published: Published | None = group.published
    return getattr(published, name) if published else None


def _draw_lines(ax: Axes, lines: Sequence[_Line], title: str) -> None:
    label: str | None = PUBLISHED_LABEL
    for height, line in enumerate(reversed(lines)):
        values = sorted(line.values)
        # Dots of equal values side by side: spread over a band in a fixed order that looks like none.
        places = [height + 0.5 * ((index * 0.618034) % 1 - 0.5) for index in range(len(values))]
        ax.scatter(values, places, s=12, color=line.colour, alpha=0.5, linewidths=0)
        if values:
            found = spread(values)
            low = min(found.deviation, found.mean * 0.999)
            ax.errorbar(
                [found.mean], [height], xerr=[[low], [found.deviation]], fmt="o", color=line.colour, capsize=4,
                markersize=7, markeredgecolor="white",
            )  # fmt: skip
            ax.annotate(
                spell_seconds_spread(found.mean, found.deviation), (found.mean, height + 0.3),
                ha="center", va="bottom", color=line.colour, fontsize=8,
            )  # fmt: skip
        if line.published:
            _draw_published(ax, line.published, height, label)
            label = None
    ax.set_xscale("log")
    log_seconds(ax.xaxis)
    ax.set_yticks(range(len(lines)), [line.label for line in reversed(lines)])
    ax.set_ylim(-0.6, len(lines) - 0.2)
    ax.grid(axis="y", visible=False)
    ax.set_xlabel(title)
    if any(line.published for line in lines):
        ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0))
    ax.margins(x=0.08)


def _draw_published(ax: Axes, value: Value, height: float, label: str | None) -> None:
    ax.errorbar(
        [value.mean], [height], xerr=value.deviation, fmt=PUBLISHED_MARKER, color=PUBLISHED_COLOUR, mfc="white",
        capsize=4, label=label,
    )  # fmt: skip
    ax.annotate(
        spell_seconds_spread(value.mean, value.deviation), (value.mean, height + 0.3), ha="center", va="bottom",
        fontsize=8, color=PUBLISHED_COLOUR,
    )  # fmt: skip


def draw_parts(figure: Figure, groups: Sequence[Group]) -> None:
    """What an action costs its own peer: the parts of the mean, and how the actions are distributed."""
    with_costs = [group for group in groups if group.costs["write_s"]]
    means, shares = figure.subplots(1, 2, width_ratios=(1, 1.15))
    for height, group in enumerate(reversed(with_costs)):
        left = 0.0
        for name, part_colour in zip(COSTS, _PART_COLOURS, strict=True):
            mean = 1000 * sum(group.costs[name]) / len(group.costs[name])
            label = _PARTS[name] if height == 0 else None
            means.barh(height, mean, left=left, color=part_colour, edgecolor="white", height=0.55, label=label)
            left += mean
        means.annotate(f" {left:.3f} ms", (left, height), va="center", fontsize=8)
    means.set_yticks(range(len(with_costs)), [group.label for group in reversed(with_costs)])
    means.set_xlabel("mean of an action, ms")
    means.set_xlim(right=means.get_xlim()[1] * 1.2)
    means.set_ylim(-0.6, len(with_costs) + 0.4)
    means.grid(axis="y", visible=False)
    means.legend(loc="upper center", ncols=2)
    for position, group in enumerate(groups):
        if group in with_costs:
            totals = sorted(map(sum, zip(*(group.costs[name] for name in COSTS), strict=True)))
            kept = totals[:: max(1, len(totals) // 2000)]
            heights = [100 * index / len(kept) for index in range(1, len(kept) + 1)]
            shares.plot(kept, heights, color=colour(position), label=f"{group.label}, {len(totals)} actions")
    shares.set_xscale("log")
    log_seconds(shares.xaxis)
    shares.set_xlabel("an action takes at most (logarithmic)")
    shares.set_ylabel("share of actions, %")
    shares.set_ylim(0, 100)
    shares.legend(loc="lower right")


def draw_latencies(figure: Figure, latencies: Sequence[Latency]) -> None:
    """The latencies of one server, of one repository and of repositories apart, beside the thesis's pulls."""
    players = sorted({one.players for one in latencies})
    lines = list(dict.fromkeys(_spell_setting(one) for one in latencies))
    heights = {label: height for height, label in enumerate(reversed(lines), 2)}
    ax = figure.subplots()
    for one in latencies:
        position = players.index(one.players)
        height = heights[_spell_setting(one)] + 0.13 * (len(players) - 1) - 0.26 * position
        ax.errorbar(
            [one.median_s], [height], xerr=[[one.median_s - one.low_s], [one.high_s - one.median_s]], fmt="o",
            color=colour(position), capsize=3, markersize=5, elinewidth=1.2,
            label=f"{one.players} players: median, 5 to 95 %",
        )  # fmt: skip
        ax.annotate(
            spell_seconds(one.median_s), (one.high_s, height), xytext=(6, 0), va="center",
            textcoords="offset points", fontsize=7.5, color=colour(position),
        )  # fmt: skip
    for height, value in enumerate((PULL_WITHOUT_NEWS, PULL_WITH_NEWS)):
        ax.errorbar(
            [value.mean], [height], xerr=value.deviation, fmt=PUBLISHED_MARKER, color=PUBLISHED_COLOUR, mfc="white",
            capsize=4, label=PUBLISHED_LABEL,
        )  # fmt: skip
        ax.annotate(
            spell_seconds(value.mean), (value.mean, height), xytext=(9, 0), va="center", textcoords="offset points",
            fontsize=7.5,
        )  # fmt: skip
    ax.set_xscale("log")
    log_seconds(ax.xaxis)
    names = ["thesis: pull from GitHub without news", "thesis: pull from GitHub with news", *reversed(lines)]
    ax.set_yticks(range(len(names)), names)
    ax.set_ylim(-0.6, len(names) - 0.4)
    ax.set_xlim(right=ax.get_xlim()[1] * 3)
    ax.set_xlabel("logarithmic")
    ax.axhline(1.5, color="#bbbbbb", linewidth=0.8)
    handles, labels = ax.get_legend_handles_labels()
    once = dict(zip(labels, handles, strict=True))
    figure.legend(once.values(), once.keys(), loc="outside upper center", ncols=len(once))


def _spell_setting(one: Latency) -> str:
    if one.setting == "central":
        return "one server: an action"
    if one.setting == "shared":
        return f"one repository: {one.what.replace('action', 'an action')}"
    link = "path" if one.transport == "path" else f"{one.transport}://"
    delay = f", {1000 * one.delay_s:g} ms each way" if one.delay_s else ""
    return f"apart, {one.what}: {link}{delay}"
