"""Figures about the games themselves: length, dice, actions, winners."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import TYPE_CHECKING

from catan_p2p.actions import ACTIONS
from catan_p2p.log.refs import COLOURS as SEAT_COLOURS
from catan_p2p.metrics.rows import DICE_SUMS
from catan_p2p.report.data import Group
from catan_p2p.report.style import (
    PUBLISHED_COLOUR,
    PUBLISHED_LABEL,
    PUBLISHED_MARKER,
    THEORY_COLOUR,
    colour,
    panels,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_MARKERS = "osD^vP"
_CONFIDENCE = 1.96
"""Standard errors on each side of a share that make 95 %."""


def dice_chance(dice: int) -> float:
    """How likely two dice show a sum."""
    return (6 - abs(7 - dice)) / 36


def draw_length(figure: Figure, groups: Sequence[Group]) -> None:
    """How many commits the games took: the share of games that are over by then."""
    published = [group for group in groups if group.published]
    if published:
        ax, below = figure.subplots(2, 1, sharex=True, height_ratios=(5, len(published)))
    else:
        ax = below = figure.subplots()
    for position, group in enumerate(groups):
        commits = sorted(row.commits for row in group.games)
        heights = [100 * index / len(commits) for index in range(len(commits) + 1)]
        ax.step([0, *commits], heights, where="post", color=colour(position), label=group.label)
        mean = sum(commits) / len(commits)
        over = 100 * sum(count <= mean for count in commits) / len(commits)
        ax.plot([mean], [over], "o", color=colour(position), markeredgecolor="white", markersize=8)
        ax.annotate(
            f"mean {mean:.0f}",
            (mean, over),
            xytext=(-9, 6),
            textcoords="offset points",
            color=colour(position),
            ha="right",
        )
    ax.set_yticks(range(0, 101, 25))
    ax.set_ylabel("games over by then, %")
    ax.legend(loc="upper left")
    for height, group in enumerate(published):
        assert group.published is not None
        value = group.published.commits
        below.errorbar(
            [value.mean], [-height], xerr=value.deviation, fmt=PUBLISHED_MARKER, mfc="white", color=PUBLISHED_COLOUR,
            capsize=4,
        )  # fmt: skip
    if published:
        below.set_yticks(
            [-height for height in range(len(published))], [f"thesis, {group.label}" for group in published]
        )
        below.set_ylim(-len(published) + 0.4, 0.6)
        below.set_title(PUBLISHED_LABEL, fontsize=8.5, fontweight="normal")
        below.grid(axis="y", visible=False)
    below.set_xlim(left=0)
    below.set_xlabel("commits")


def draw_dice(figure: Figure, groups: Sequence[Group]) -> None:
    """How often each sum was rolled, with 95 % confidence, beside what two dice give."""
    for position, (ax, group) in enumerate(zip(panels(figure, groups), groups, strict=True)):
        counts = [group.count(f"dice_{dice}") for dice in DICE_SUMS]
        rolls = sum(counts) or 1
        shares = [100 * count / rolls for count in counts]
        errors = [100 * _CONFIDENCE * sqrt(count / rolls * (1 - count / rolls) / rolls) for count in counts]
        ax.bar(
            DICE_SUMS, shares, yerr=errors, color=colour(position), alpha=0.75, width=0.8, capsize=2.5,
            error_kw={"elinewidth": 1}, label=f"{rolls} rolls, 95 % confidence",
        )  # fmt: skip
        expected = [100 * dice_chance(dice) for dice in DICE_SUMS]
        ax.plot(DICE_SUMS, expected, "_", color=THEORY_COLOUR, markersize=15, markeredgewidth=2, label="two dice")
        ax.set_xticks(list(DICE_SUMS))
        ax.set_xlabel("sum of the dice")
        ax.grid(axis="x", visible=False)
        ax.legend(loc="upper left", fontsize=7.5)
    figure.axes[0].set_ylim(0, 21)
    figure.axes[0].set_ylabel("share of rolls, %")


def draw_actions(figure: Figure, groups: Sequence[Group]) -> None:
    """The share of each kind of action, on a logarithmic axis because the rare ones matter too."""
    names = [kind.name for kind in ACTIONS]
    heights = range(len(names) - 1, -1, -1)
    ax = figure.subplots()
    for position, group in enumerate(groups):
        shares = [100 * group.count(name) / group.actions for name in names]
        ax.plot(
            [share or float("nan") for share in shares], heights, _MARKERS[position % len(_MARKERS)],
            color=colour(position), markersize=7, alpha=0.9, label=group.label, linestyle="none",
        )  # fmt: skip
        for height, share in zip(heights, shares, strict=True):
            ax.annotate(
                f"{share:.2g} %" if share else "none", (1.09 + 0.1 * position, height), annotation_clip=False,
                xycoords=("axes fraction", "data"), va="center", ha="right", fontsize=8, color=colour(position),
            )  # fmt: skip
    ax.set_xscale("log")
    ax.set_xlim(0.01, 100)
    ax.set_xticks([0.01, 0.1, 1, 10, 100], ["0.01 %", "0.1 %", "1 %", "10 %", "100 %"])
    ax.set_yticks(list(heights), names)
    ax.set_ylim(-0.7, len(names) - 0.3)
    ax.set_xlabel("share of all actions (logarithmic)")
    ax.legend(loc="lower right")


def draw_winners(figure: Figure, groups: Sequence[Group]) -> None:
    """How often each seat won, with 95 % confidence, beside equal chances."""
    axes = panels(figure, groups, share_x=False)
    for position, (ax, group) in enumerate(zip(axes, groups, strict=True)):
        colours = SEAT_COLOURS[: group.players]
        shares = [sum(row.winner == name for row in group.games) / len(group.games) for name in colours]
        errors = [100 * _CONFIDENCE * sqrt(share * (1 - share) / len(group.games)) for share in shares]
        seats = list(range(1, group.players + 1))
        ax.bar(
            seats, [100 * share for share in shares], yerr=errors, color=colour(position), alpha=0.75, width=0.6,
            capsize=4, label="won, 95 % confidence",
        )  # fmt: skip
        ax.axhline(100 / group.players, color=THEORY_COLOUR, linestyle="--", linewidth=1.2, label="equal chances")
        ax.set_xticks(seats, [f"{seat}: {name}" for seat, name in zip(seats, colours, strict=True)])
        ax.set_xlabel("seat")
        ax.grid(axis="x", visible=False)
        ax.legend(loc="upper right")
    axes[0].set_ylim(0, 100)
    axes[0].set_ylabel("share of games, %")
