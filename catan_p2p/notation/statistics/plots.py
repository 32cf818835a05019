"""Figures of games as pictures; needs matplotlib, which is imported here and nowhere else."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from catan_p2p.cards import RESOURCES
from catan_p2p.notation.statistics.gathering import DICE, WAYS, Statistics, total_dice

MOST_GAMES = 12
"""How many games get a row of their own; of more only the dice of all together are drawn."""

_COLOURS = {
    "Red": "#c0392b",
    "Blue": "#2c6fbb",
    "Green": "#3a8f4d",
    "Orange": "#e08a1e",
    "White": "#9a9a9a",
    "Brown": "#7a5230",
}
_RESOURCE_COLOURS = dict(zip(RESOURCES, ("#3c6e47", "#a8432f", "#a8c66c", "#e3b23c", "#6b7280"), strict=True))


def draw(games: Sequence[tuple[str, Statistics]], path: Path) -> None:
    """Draw a row of four panels for every game, and one of the dice of all games if there are several."""
    rows = list(games) if len(games) <= MOST_GAMES else []
    has_total = len(games) != 1
    count = len(rows) + has_total
    figure = Figure(figsize=(16, 3.6 * count), layout="constrained")
    FigureCanvasAgg(figure)
    grid = figure.add_gridspec(count, 4)
    for i, (name, found) in enumerate(rows):
        panels = [figure.add_subplot(grid[i, k]) for k in range(4)]
        _draw_dice(panels[0], found.dice, f"{name}: dice")
        _draw_points(panels[1], found)
        _draw_yields(panels[2], found)
        _draw_times(panels[3], found)
    if has_total:
        panel = figure.add_subplot(grid[count - 1, :])
        _draw_dice(panel, total_dice(found for _, found in games), f"dice of all {len(games)} games")
    figure.savefig(path, dpi=100)


def _draw_dice(panel: Any, dice: Any, title: str) -> None:
    rolls = sum(dice.values())
    panel.bar(list(DICE), [dice[sum_] for sum_ in DICE], color="#8fa3bf", label="rolled")
    expected = [rolls * WAYS[sum_] / 36 for sum_ in DICE]
    panel.plot(list(DICE), expected, "o-", color="#333333", markersize=3, linewidth=1, label="expected")
    panel.set_xticks(list(DICE))
    panel.set_title(f"{title} ({rolls} rolls)", fontsize=10)
    panel.legend(fontsize=8)


def _draw_points(panel: Any, found: Statistics) -> None:
    for seat, name in enumerate(found.names):
        points = [row[seat] for row in found.points]
        panel.step(range(len(points)), points, where="post", color=_COLOURS.get(name, "#444444"), label=name)
    panel.set_title("points that are seen, by turn", fontsize=10)
    panel.set_ylim(bottom=0)
    panel.legend(fontsize=8)


def _draw_yields(panel: Any, found: Statistics) -> None:
    bottoms = [0] * len(found.names)
    for resource in RESOURCES:
        heights = [counts[resource] for counts in found.yields]
        panel.bar(found.names, heights, bottom=bottoms, color=_RESOURCE_COLOURS[resource], label=resource)
        bottoms = [bottom + height for bottom, height in zip(bottoms, heights, strict=True)]
    panel.set_title("cards yielded", fontsize=10)
    panel.legend(fontsize=8)


def _draw_times(panel: Any, found: Statistics) -> None:
    told = [(name, times) for name, times in zip(found.names, found.seconds, strict=True) if times]
    panel.set_title("seconds per turn", fontsize=10)
    if not told:
        panel.text(0.5, 0.5, "the file does not say", ha="center", va="center", transform=panel.transAxes)
        panel.set_axis_off()
        return
    panel.boxplot([times for _, times in told], tick_labels=[name for name, _ in told])
    panel.set_ylim(bottom=0)
