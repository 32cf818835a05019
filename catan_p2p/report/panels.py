"""Panels of a figure, one for each group of games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from catan_p2p.plot_style import count_games
from catan_p2p.report.data import RunGroup

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def panels(figure: Figure, groups: Sequence[RunGroup], *, share_x: bool = True) -> list[Axes]:
    """A panel for each group, one below the other, titled with its label, with both axes in common."""
    axes = figure.subplots(len(groups), 1, squeeze=False, sharex=share_x, sharey=True)[:, 0]
    for ax, group in zip(axes, groups, strict=True):
        ax.set_title(f"{group.label} (n = {count_games(len(group.games))})")
    return list(axes)
