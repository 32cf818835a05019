"""Draws any measure by cell: means with 95 % intervals against up to three factors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from catan_p2p.metrics.cells import CellComparison, CellSummary, FigurePlan, Level, spell_level
from catan_p2p.metrics.columns import COLUMNS
from catan_p2p.metrics.figures.marks import beside_one_another, draw_means, panels
from catan_p2p.plot_style import legend_above, log_seconds, spell_measured, spell_number

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_LOGARITHMIC = 30
"""An axis is logarithmic if its largest value is at least this many times its smallest."""
_PANEL_IN = 2.2
_LINE_IN = 0.17
_ACROSS = 60
"""The letters that fit beside one another along the axis."""
_LEAST_WIDE = 5


def shown_cells(plan: CellComparison, figure: FigurePlan) -> dict[str, Level]:
    """The fixed levels of the factors that a figure does not show: those of its ``at``, the baseline's, or the first.

    Only cells with these levels are in the figure. Empty if it shows all factors.
    """
    held = {
        name: figure.at.get(name, plan.baseline.get(name, levels[0]))
        for name, levels in plan.factors.items()
        if name not in figure.by and len(levels) > 1
    }
    found = [cell for cell in plan.cells if held.items() <= cell.levels.items()]
    if found:
        return held
    first = plan.cells[0].levels  # the study leaves that combination out
    return {name: first[name] for name in held}


def points_of(plan: CellComparison, figure: FigurePlan, summaries: Sequence[CellSummary]) -> list[CellSummary]:
    """The points of a figure: the summaries of its measure in the cells with its fixed levels."""
    held = shown_cells(plan, figure)
    return [one for one in summaries if one.measure == figure.measure and held.items() <= one.cell.levels.items()]


def panels_of(plan: CellComparison, figure: FigurePlan, points: Sequence[CellSummary]) -> list[Level | None]:
    """The levels of the third factor that have points, a panel each; one None if the figure has no third factor."""
    if len(figure.by) < 3:
        return [None]
    there = {one.cell.levels[figure.by[2]] for one in points}
    return [level for level in plan.factors[figure.by[2]] if level in there]


def height_in(plan: CellComparison, figure: FigurePlan, points: Sequence[CellSummary]) -> float:
    """The height of a figure in inches."""
    lines = max(name.count("\n") for name in _tick_names(_levels_along(plan, figure, points)))
    return 0.9 + _PANEL_IN * len(panels_of(plan, figure, points)) + _LINE_IN * lines


def draw_measure(drawn: Figure, plan: CellComparison, figure: FigurePlan, points: Sequence[CellSummary]) -> None:
    """Draw the points of ``points_of``: along a line if the levels are numbers, else as dots side by side.

    The first factor is along the axis, the second has colours, the third has panels.
    """
    levels_down = panels_of(plan, figure, points)
    axes = panels(drawn, len(levels_down))
    along, second = figure.by[0], figure.by[1] if len(figure.by) > 1 else None
    levels = _levels_along(plan, figure, points)
    series: tuple[Level | None, ...] = plan.factors[second] if second else (None,)
    for ax, panel in zip(axes, levels_down, strict=True):
        own = [one for one in points if panel is None or one.cell.levels[figure.by[2]] == panel]
        for position, level in enumerate(series):
            line = {one.cell.levels[along]: one for one in own if second is None or one.cell.levels[second] == level}
            if line:
                label = "" if second is None else level_words(second, level)
                _draw_line(ax, levels, line, position, len(series), label)
        if panel is not None:
            ax.set_title(level_words(figure.by[2], panel))
        ax.set_ylabel(measure_words(figure.measure))
    _scale(axes[0], levels, figure.measure, points)
    axes[-1].set_xlabel(factor_words(along))
    if second is not None:
        legend_above(drawn)


def _draw_line(
    ax: Axes, levels: Sequence[Level], line: Mapping[Level, CellSummary], position: int, count: int, label: str
) -> None:
    places = [(at, line[level]) for at, level in enumerate(levels) if level in line]
    if _is_numeric(levels):
        xs: list[float] = [float(levels[at]) for at, _ in places]
    else:
        xs = beside_one_another([at for at, _ in places], position, count)
    style: dict[str, Any] = {"ls": "-" if _is_numeric(levels) else "none", "lw": 1.2, "ms": 4.5}
    draw_means(ax, xs, [one.games for _, one in places], position, label=label or None, **style)


def _levels_along(plan: CellComparison, figure: FigurePlan, points: Sequence[CellSummary]) -> list[Level]:
    """The levels of the first factor that have points."""
    there = {one.cell.levels[figure.by[0]] for one in points}
    return [level for level in plan.factors[figure.by[0]] if level in there]


def _scale(ax: Axes, levels: Sequence[Level], measure: str, points: Sequence[CellSummary]) -> None:
    """Scale both axes, which all panels share."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter, NullLocator

    if _is_numeric(levels):
        numbers = sorted(float(level) for level in levels)
        # A logarithmic axis cannot have 0: it is linear from there to the next level.
        if numbers[0] == 0 and len(numbers) > 2 and numbers[-1] >= _LOGARITHMIC * numbers[1]:
            ax.set_xscale("symlog", linthresh=numbers[1], linscale=0.7)
            ax.set_xlim(-0.2 * numbers[1], numbers[-1] * 1.6)
        elif numbers[0] > 0 and numbers[-1] >= _LOGARITHMIC * numbers[0]:
            ax.set_xscale("log")
            ax.set_xlim(numbers[0] / 1.6, numbers[-1] * 1.6)
        else:
            aside = 0.15 * max(numbers[-1] - numbers[0], 1.0)
            ax.set_xlim(numbers[0] - aside, numbers[-1] + aside)
        ax.set_xticks(numbers, [spell_number(number) for number in numbers])
        ax.xaxis.set_minor_locator(NullLocator())
    else:
        ax.set_xticks(range(len(levels)), _tick_names(levels))
        ax.set_xlim(-0.6, len(levels) - 0.4)
    ends = [end for one in points for end in one.games.interval or (one.games.mean,)]
    lowest, highest = min(ends), max(ends)
    unit = COLUMNS[measure].unit
    if lowest > 0 and highest >= _LOGARITHMIC * lowest:
        ax.set_yscale("log")
        ax.set_ylim(lowest / 1.4, highest * 1.4)
        if unit == "s":
            log_seconds(ax.yaxis)
            return
        ax.yaxis.set_major_locator(LogLocator(base=10, subs=(1, 2, 5) if highest < 1000 * lowest else (1,)))
        ax.yaxis.set_minor_formatter(NullFormatter())
    else:
        room = 0.08 * (highest - min(lowest, 0.0)) or 1.0
        ax.set_ylim(min(0.0, lowest - room) if lowest < 0 else 0.0, highest + room)
    ax.yaxis.set_major_formatter(FuncFormatter(lambda value, position: spell_measured(value, unit, highest)))


def _is_numeric(levels: Sequence[Level]) -> bool:
    return all(type(level) is int for level in levels)  # not isinstance: true is no number


def _tick_names(levels: Sequence[Level]) -> list[str]:
    """Names of levels along the axis, in as many lines as they need beside one another."""
    wide = max(_LEAST_WIDE, _ACROSS // len(levels))
    return ["\n".join(wrap(spell_level(level), wide)) for level in levels]


def measure_words(measure: str) -> str:
    """A measure in words: ``hand-over, median`` for ``hand_over_p50_s``."""
    name, separator, percentile = measure.removesuffix("_s").rpartition("_p")
    if separator and percentile.isdecimal():
        which = "median" if percentile == "50" else f"{percentile}th percentile"
        return f"{measure_words(name)}, {which}"
    name = measure.removesuffix("_s").replace("_s_per_", "_per_")
    return name.replace("hand_over", "hand-over").replace("_", " ")


def factor_words(name: str) -> str:
    """A factor in words."""
    return name.removeprefix("network.").replace("_", " ")


def level_words(factor: str, level: Level | None) -> str:
    """A level in a legend or a title."""
    if type(level) is int:
        return f"{spell_number(level)} {factor_words(factor)}"
    return f"{factor_words(factor)}: {spell_level(level)}" if isinstance(level, bool) else spell_level(level or "-")
