"""Plots of game statistics; needs matplotlib, which is imported here and nowhere else."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patheffects import Normal, Stroke

from catan_p2p.game.cards import RESOURCES
from catan_p2p.game.palette import player_colour
from catan_p2p.intervals import Interval, wilson
from catan_p2p.notation.statistics.gathering import DICE, WAYS, GameStatistics, total_dice

MOST_GAMES = 12
"""The most games that get a row each; for more, only the dice of all games together are drawn."""
_MOST_LETTERS = 30

_OUTLINE = "#555555"
_RESOURCE_COLOURS = dict(zip(RESOURCES, ("#3c6e47", "#a8432f", "#a8c66c", "#e3b23c", "#6b7280"), strict=True))


def draw(games: Sequence[tuple[str, GameStatistics]], path: Path) -> None:
    """Write the plots to a file, in the format that its suffix names."""
    drawing(games).savefig(path, dpi=150)


def drawing(games: Sequence[tuple[str, GameStatistics]]) -> Figure:
    """A panel for each kind of plot: in one column for one game; for several, in one row per game.

    The last row of several shows the dice of all games together. Games without a clock have no panel of turn lengths.
    """
    rows = list(games) if len(games) <= MOST_GAMES else []
    kinds: list[Callable[[Any, GameStatistics, str], None]] = [_draw_dice_of, _draw_points, _draw_yields]
    if any(any(found.seconds) for _, found in rows):
        kinds.append(_draw_times)
    if len(games) == 1:
        figure = _figure(1, len(kinds))
        ((name, found),) = rows
        for panel, draw_kind in zip(figure.subplots(len(kinds), 1), kinds, strict=True):
            draw_kind(panel, found, _shortened(name))
        return figure
    columns = len(kinds) if rows else 1
    figure = _figure(columns, len(rows) + 1)
    grid = figure.add_gridspec(len(rows) + 1, columns)
    for row, (name, found) in enumerate(rows):
        for column, draw_kind in enumerate(kinds):
            if draw_kind is not _draw_times or any(found.seconds):
                draw_kind(figure.add_subplot(grid[row, column]), found, _shortened(name))
    _draw_dice(figure.add_subplot(grid[-1, :]), total_dice(found for _, found in games), f"all {len(games)} games")
    return figure


def _figure(columns: int, rows: int) -> Figure:
    figure = Figure(figsize=(5.0 * columns, 2.7 * rows), layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def _shortened(name: str) -> str:
    """A long name without its middle, so that the title of a panel fits."""
    return name if len(name) <= _MOST_LETTERS else f"{name[: _MOST_LETTERS // 2]}…{name[1 - _MOST_LETTERS // 2 :]}"


def _entitle(panel: Any, title: str, x: str, y: str, columns: int = 0) -> None:
    """Set a panel's title and axis labels, and a legend of ``columns`` columns below it, if any."""
    panel.set_title(title, fontsize=10, loc="left", wrap=True)
    panel.set_xlabel(x, fontsize=9)
    panel.set_ylabel(y, fontsize=9)
    panel.tick_params(labelsize=8.5)
    if columns:
        panel.legend(fontsize=8, ncols=columns, loc="upper center", bbox_to_anchor=(0.45, -0.24), frameon=False)


def _draw_dice(panel: Any, dice: Any, name: str) -> None:
    rolls = sum(dice.values())
    counts = [dice[sum_] for sum_ in DICE]
    bounds = [wilson(count, rolls) if rolls else Interval(0.0, 0.0) for count in counts]
    errors = [
        [max(0.0, count - rolls * low) for count, (low, _) in zip(counts, bounds, strict=True)],
        [max(0.0, rolls * high - count) for count, (_, high) in zip(counts, bounds, strict=True)],
    ]
    panel.bar(
        list(DICE), counts, yerr=errors, capsize=2, error_kw={"elinewidth": 1}, color="#8fa3bf",
        label="rolled, 95 % (Wilson)",
    )  # fmt: skip
    expected = [rolls * WAYS[sum_] / 36 for sum_ in DICE]
    panel.plot(list(DICE), expected, "o-", color="#333333", markersize=3, linewidth=1, label="two fair dice, mean")
    panel.set_xticks(list(DICE))
    _entitle(panel, f"{name}: dice, n = {rolls:,} rolls", "sum of the two dice", "rolls", 2)


def _draw_dice_of(panel: Any, found: GameStatistics, name: str) -> None:
    _draw_dice(panel, found.dice, name)


def _draw_points(panel: Any, found: GameStatistics, name: str) -> None:
    for seat, colour in enumerate(found.names):
        points = [row[seat] for row in found.points]
        outlined = [Stroke(linewidth=3, foreground=_OUTLINE), Normal()]  # makes white visible on white paper
        panel.step(
            range(len(points)), points, where="post", color=player_colour(colour), label=colour, linewidth=1.6,
            path_effects=outlined if colour == "White" else None,
        )  # fmt: skip
    panel.set_ylim(bottom=0)
    _entitle(panel, f"{name}: points that are seen", "turn", "points", 4)


def _draw_yields(panel: Any, found: GameStatistics, name: str) -> None:
    bottoms = [0] * len(found.names)
    for resource in RESOURCES:
        heights = [counts[resource] for counts in found.yields]
        panel.bar(found.names, heights, bottom=bottoms, color=_RESOURCE_COLOURS[resource], label=resource)
        bottoms = [bottom + height for bottom, height in zip(bottoms, heights, strict=True)]
    panel.set_ylim(0, 1.08 * max(1, *bottoms))
    _entitle(panel, f"{name}: cards that the dice gave", "player", "cards", 5)


def _draw_times(panel: Any, found: GameStatistics, name: str) -> None:
    told = [(colour, times) for colour, times in zip(found.names, found.seconds, strict=True) if times]
    _entitle(panel, f"{name}: how long turns took", "player (n turns)", "seconds a turn")
    panel.boxplot([times for _, times in told], tick_labels=[f"{colour}\n({len(times)})" for colour, times in told])
    panel.set_ylim(bottom=0)
