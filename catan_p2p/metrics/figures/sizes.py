"""Figures about bytes: storage and deltas."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from catan_p2p.intervals import spread
from catan_p2p.metrics.figures.marks import mark_published, panels_of_groups
from catan_p2p.metrics.groups import RunGroup
from catan_p2p.plot_style import PUBLISHED_COLOUR, colour, legend_above

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_BIN_BYTES = 100
_LAST_BIN_BYTES = 2000


def draw_storage(figure: Figure, groups: Sequence[RunGroup]) -> None:
    """Commits against the size of ``.git``: a dot for each game, with mean and deviation of both."""
    for position, (ax, group) in enumerate(zip(panels_of_groups(figure, groups), groups, strict=True)):
        commits = [row.commits for row in group.games]
        sizes = [row.disk_bytes / 1e6 for row in group.games]
        ax.scatter(commits, sizes, s=14, color=colour(position), alpha=0.55, linewidths=0, label="a game")
        x, y = spread(commits), spread(sizes)
        ax.errorbar(
            x.mean, y.mean, xerr=x.deviation, yerr=y.deviation, fmt="o", color=colour(position), capsize=4,
            markersize=7, markeredgecolor="white", label="mean ± s.d.",
        )  # fmt: skip
        published = group.published
        if published:
            of, size = published.commits, published.disk_bytes
            mark_published(ax, of.mean, size.mean / 1e6, xerr=of.deviation, yerr=(size.deviation or 0) / 1e6)
        ax.set_ylabel(".git on disk at the end, MB")
    figure.axes[-1].set_xlabel("commits of a game")
    # The axes begin at zero, unless a deviation reaches below it.
    figure.axes[0].set_xlim(left=min(0, *(one.dataLim.x0 * 1.05 for one in figure.axes)))
    figure.axes[0].set_ylim(bottom=min(0, *(one.dataLim.y0 * 1.05 for one in figure.axes)))
    legend_above(figure)


def draw_deltas(figure: Figure, groups: Sequence[RunGroup]) -> None:
    """How many bytes a commit changes: a histogram of all commits, with empty deltas apart."""
    for position, (ax, group) in enumerate(zip(panels_of_groups(figure, groups), groups, strict=True)):
        count = group.diffs.total()
        bins = [0] * (_LAST_BIN_BYTES // _BIN_BYTES + 1)
        for size, many in group.diffs.items():
            if size:
                bins[min(size, _LAST_BIN_BYTES) // _BIN_BYTES] += many
        shares = [100 * found / count for found in bins]
        starts = [_BIN_BYTES * index for index in range(len(bins))]
        ax.bar(starts, shares, width=_BIN_BYTES, align="edge", color=colour(position), edgecolor="white", linewidth=0.5)
        empty = 100 * group.empty_diff_share
        ax.bar([-_BIN_BYTES], [empty], width=_BIN_BYTES, align="edge", color="#999999", label="empty")
        mean, middle = group.diff_spread.mean, int(group.diff_spread.median) // _BIN_BYTES * _BIN_BYTES
        told = f"median {middle:,} to {middle + _BIN_BYTES:,} B, mean {mean:,.0f} B, empty {empty:.1f} %"
        ax.axvline(mean, color=colour(position), linestyle="--", linewidth=1.3, label="mean")
        published = group.published
        if published:
            mark_published(ax, published.diff_bytes.mean, max(shares) * 1.1, xerr=published.diff_bytes.deviation)
            ax.plot(
                [-_BIN_BYTES / 2], [100 * published.empty_diff_share], "_", color=PUBLISHED_COLOUR, markersize=9,
                markeredgewidth=2, label="thesis, empty",
            )  # fmt: skip
            told += f" (thesis {100 * published.empty_diff_share:.1f} %)"
        ax.annotate(told, (0, 1), (0, 2), xycoords="axes fraction", textcoords="offset points", fontsize=8)
        ax.set_title(f"{group.label} (n = {count:,} commits)", pad=16)
        ax.set_ylabel("share of commits, %")
    figure.axes[-1].set_xlabel(f"git diff of a commit to its parent, bytes (last bar: {_LAST_BIN_BYTES:,} and more)")
    figure.axes[0].set_ylim(top=1.1 * figure.axes[0].get_ylim()[1])
    figure.axes[0].set_xlim(-1.6 * _BIN_BYTES, _LAST_BIN_BYTES + 1.6 * _BIN_BYTES)
    legend_above(figure)
