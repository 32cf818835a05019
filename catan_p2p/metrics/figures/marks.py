"""What several figures have: panels, the thesis's values, shares of games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from catan_p2p.intervals import MeanSpread
from catan_p2p.metrics.groups import RunGroup
from catan_p2p.plot_style import (
    PUBLISHED_COLOUR,
    PUBLISHED_LABEL,
    PUBLISHED_MARKER,
    colour,
    count_games,
    marker,
    mean_error,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def panels(figure: Figure, count: int, *, share_x: bool = True, share_y: bool = True) -> list[Axes]:
    """This many panels, one below the other, with both axes in common."""
    return list(figure.subplots(count, 1, squeeze=False, sharex=share_x, sharey=share_y)[:, 0])


def panels_of_groups(figure: Figure, groups: Sequence[RunGroup], *, share_x: bool = True) -> list[Axes]:
    """A panel for each group, titled with its label."""
    axes = panels(figure, len(groups), share_x=share_x)
    for ax, group in zip(axes, groups, strict=True):
        ax.set_title(f"{group.label} (n = {count_games(len(group.games))})")
    return axes


def mark_published(ax: Axes, x: float, y: float, label: str | None = PUBLISHED_LABEL, **style: Any) -> None:
    """A value that the thesis publishes; ``style`` has its deviation as ``xerr`` or ``yerr``."""
    given: dict[str, Any] = {"capsize": 4, **style}
    ax.errorbar([x], [y], fmt=PUBLISHED_MARKER, color=PUBLISHED_COLOUR, mfc="white", label=label, **given)


def beside_one_another(places: Sequence[int], position: int, count: int) -> list[float]:
    """Where the dots of one of ``count`` groups are, beside those of the others at the same places."""
    return [place + (position - (count - 1) / 2) * min(0.18, 0.7 / count) for place in places]


def draw_means(
    ax: Axes, at: Sequence[float], found: Sequence[MeanSpread], position: int, least: Sequence[float] | None = None,
    **style: Any,
) -> None:  # fmt: skip
    """Means with their intervals, in the colour of a group; for ``least`` see ``mean_error``."""
    ax.errorbar(
        at, [one.mean for one in found], yerr=mean_error(found, least), marker=marker(position), capsize=3,
        color=colour(position), **style,
    )  # fmt: skip


def step_up(ax: Axes, begin: float, values: Sequence[float], position: int, label: str) -> None:
    """The share of games with at most this value, in per cent; ``values`` are sorted."""
    heights = [100 * index / len(values) for index in range(len(values) + 1)]
    ax.step([begin, *values], heights, where="post", color=colour(position), label=label)
