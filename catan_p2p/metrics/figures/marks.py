"""What several figures have: panels, the thesis's values, shares of games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from catan_p2p.metrics.groups import RunGroup
from catan_p2p.plot_style import PUBLISHED_COLOUR, PUBLISHED_LABEL, PUBLISHED_MARKER, colour, count_games

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


def step_up(ax: Axes, begin: float, values: Sequence[float], position: int, label: str) -> None:
    """The share of games with at most this value, in per cent; ``values`` are sorted."""
    heights = [100 * index / len(values) for index in range(len(values) + 1)]
    ax.step([begin, *values], heights, where="post", color=colour(position), label=label)
