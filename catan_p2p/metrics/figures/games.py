"""Figures about the games themselves: length, dice, actions, winners."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor, log10
from statistics import median
from typing import TYPE_CHECKING

from catan_p2p.game.actions import ACTIONS
from catan_p2p.intervals import Interval, wilson
from catan_p2p.metrics.figures.marks import mark_published, panels_of_groups, step_up
from catan_p2p.metrics.groups import RunGroup
from catan_p2p.metrics.rows import DICE_SUMS
from catan_p2p.plot_style import PUBLISHED_LABEL, THEORY_COLOUR, colour, legend_above, marker

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_ANNOTATED = 2
"""The most groups for which shares are written beside the points; those of more would overlap."""


def dice_chance(dice: int) -> float:
    """The probability of a sum of two dice."""
    return (6 - abs(7 - dice)) / 36


def draw_length(figure: Figure, groups: Sequence[RunGroup]) -> None:
    """How many commits the games took, as the share of games that are over by then."""
    published = [group for group in groups if group.published]
    if published:
        ax, below = figure.subplots(2, 1, sharex=True, height_ratios=(5, 1 + len(published)))
    else:
        ax = below = figure.subplots()
    for position, group in enumerate(groups):
        commits = sorted(row.commits for row in group.games)
        middle, mean = median(commits), sum(commits) / len(commits)
        label = f"{group.label}, n = {len(commits)}: median {middle:,.0f}, mean {mean:,.0f}"
        step_up(ax, 0, commits, position, label)
        over = 100 * sum(count <= middle for count in commits) / len(commits)
        ax.plot([middle], [over], "o", color=colour(position), markeredgecolor="white", markersize=8)
    ax.set_yticks(range(0, 101, 25))
    ax.set_ylim(0, 106)
    ax.set_ylabel("games over by then, %")
    ax.legend(loc="lower center", bbox_to_anchor=(0.45, 1.0))
    for height, group in enumerate(published):
        assert group.published is not None
        value = group.published.commits
        mark_published(below, value.mean, -height, None, xerr=value.deviation)
    if published:
        below.set_yticks(
            [-height for height in range(len(published))], [f"thesis, {group.label}" for group in published]
        )
        below.set_ylim(-len(published) + 0.4, 0.6)
        below.set_title(PUBLISHED_LABEL, fontsize=8.5, fontweight="normal")
        below.grid(axis="y", visible=False)
    below.set_xlim(left=0)
    below.set_xlabel("commits of a game")


def draw_dice(figure: Figure, groups: Sequence[RunGroup]) -> None:
    """How often each sum was rolled, with 95 % confidence, beside the expectation for two dice."""
    axes = panels_of_groups(figure, groups)
    for position, (ax, group) in enumerate(zip(axes, groups, strict=True)):
        counts = [group.totals.counts[f"dice_{dice}"] for dice in DICE_SUMS]
        rolls = sum(counts)
        _shares(ax, list(DICE_SUMS), counts, rolls, position)
        expected = [100 * dice_chance(dice) for dice in DICE_SUMS]
        ax.plot(DICE_SUMS, expected, "_", color=THEORY_COLOUR, markersize=15, markeredgewidth=2, label="two dice")
        ax.set_title(f"{group.label} (n = {rolls:,} rolls)")
        ax.set_xticks(list(DICE_SUMS))
        ax.set_ylabel("share of rolls, %")
    axes[-1].set_xlabel("sum of the two dice")
    axes[0].set_ylim(bottom=0)
    legend_above(figure)


def _shares(ax: Axes, places: Sequence[int], counts: Sequence[int], total: int, position: int) -> None:
    """Bars of shares in per cent with Wilson's intervals; nothing if nothing was counted."""
    shares = [100 * count / max(total, 1) for count in counts]
    bounds = [wilson(count, total) if total else Interval(0.0, 0.0) for count in counts]
    errors = [
        [max(0.0, share - 100 * bound.low) for share, bound in zip(shares, bounds, strict=True)],
        [max(0.0, 100 * bound.high - share) for share, bound in zip(shares, bounds, strict=True)],
    ]
    ax.bar(
        places, shares, yerr=errors, color=colour(position), alpha=0.75, width=0.7, capsize=3,
        error_kw={"elinewidth": 1}, label="found, 95 % confidence (Wilson)",
    )  # fmt: skip
    ax.grid(axis="x", visible=False)


def draw_actions(figure: Figure, groups: Sequence[RunGroup]) -> None:
    """The share of each kind of action, on a logarithmic axis so that rare ones show too."""
    names = [kind.name for kind in ACTIONS if any(group.totals.counts[kind.name] for group in groups)]
    heights = range(len(names) - 1, -1, -1)
    ax = figure.subplots()
    shown: list[float] = []
    for position, group in enumerate(groups):
        totals = group.totals
        shares = [100 * totals.counts[name] / totals.actions for name in names]
        shown += filter(None, shares)
        ax.plot(
            # A logarithmic axis has no place for a share of zero; a point at nan is not drawn.
            [share or float("nan") for share in shares], heights, marker(position),
            color=colour(position), markersize=7, alpha=0.9, label=f"{group.label}, n = {totals.actions:,} actions",
            linestyle="none",
        )  # fmt: skip
        for height, share in zip(heights, shares if len(groups) <= _ANNOTATED else (), strict=False):
            ax.annotate(
                f"{share:.2g} %" if share else "none", (1, height), (46 + 46 * position, 0), annotation_clip=False,
                xycoords=("axes fraction", "data"), textcoords="offset points", va="center", ha="right", fontsize=8,
                color=colour(position),
            )  # fmt: skip
    ax.set_xscale("log")
    powers = range(min(-1, floor(log10(min(shown)))), 3)
    ax.set_xlim(0.7 * 10 ** powers[0], 150)
    ax.set_xticks([10**power for power in powers], [f"{10**power:g}" for power in powers])
    ax.set_yticks(list(heights), names)
    ax.set_ylim(-0.7, len(names) - 0.3)
    ax.set_xlabel("share of all actions, % (logarithmic)")
    ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0))


def draw_winners(figure: Figure, groups: Sequence[RunGroup]) -> None:
    """How often each seat won, with 95 % confidence, beside equal chances."""
    axes = panels_of_groups(figure, groups, share_x=False)
    for position, (ax, group) in enumerate(zip(axes, groups, strict=True)):
        seats = list(range(1, group.players + 1))
        wins = [sum(row.winner == group.colour_of(row.game, seat) for row in group.games) for seat in seats]
        names = [{group.colour_of(row.game, seat) for row in group.games} for seat in seats]
        _shares(ax, seats, wins, len(group.games), position)
        ax.axhline(100 / group.players, color=THEORY_COLOUR, linestyle="--", linewidth=1.2, label="equal chances")
        ax.set_xticks(
            seats,
            [
                ": ".join([str(seat), *own] if len(own) == 1 else [str(seat)])
                for seat, own in zip(seats, names, strict=True)
            ],
        )
        ax.set_xlim(0.4, group.players + 0.6)
        ax.set_ylabel("share of games, %")
    axes[-1].set_xlabel("seat and colour of the winner")
    axes[0].set_ylim(0, 104)
    axes[0].set_yticks(range(0, 101, 25))
    legend_above(figure)
