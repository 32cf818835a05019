"""The style of figures, and how they are saved. Matplotlib is imported only when something is drawn."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import floor, log10
from typing import TYPE_CHECKING, Any, NamedTuple

from catan_p2p.intervals import Interval, has_library

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00")
"""Okabe and Ito's colours, one for each group: people with every kind of colour vision can tell them apart."""
PUBLISHED_COLOUR = "#222222"
PUBLISHED_MARKER = "D"
THEORY_COLOUR = "#222222"
PUBLISHED_LABEL = "thesis, published: mean ± s.d."
MEAN_LABEL = "mean, 95 % of it (Student's t)"
MEDIAN_LABEL = "median"

WIDTH_IN = 5.0
"""Narrow, so that texts are not scaled down on a phone; panels are below each other."""
_TIME_UNITS = (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6))
_PNG_DOTS_PER_IN = 180
STYLE: dict[str, Any] = {
    "font.family": "DejaVu Sans",
    "font.size": 9.5,
    "axes.titlesize": 10,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.grid": True,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.7,
    "legend.frameon": False,
    "legend.fontsize": 8.5,
    "figure.constrained_layout.use": True,
    # Without a salt, matplotlib draws the ids in an SVG at random, and no two files are equal.
    "svg.hashsalt": "catan-p2p",
    "svg.fonttype": "path",
    "path.simplify": True,
}


class MatplotlibMissing(Exception):
    """Matplotlib is not installed; the message says how to install it."""


class Picture(NamedTuple):
    """A drawn figure: the bytes of an SVG and of a PNG file."""

    svg: bytes
    png: bytes


def spell_bounds(low: str, high: str) -> str:
    """The bounds of an interval: ``428–439``, but ``-2 to 11``, whose minus a dash would hide."""
    return f"{low} to {high}" if low.startswith("-") else f"{low}–{high}"


def on_log_axis(bounds: Interval, least: float) -> Interval:
    """The part of an interval that a logarithmic axis shows: one that reaches 0 begins at the least value instead."""
    return bounds if bounds.low > 0 else Interval(min(least, bounds.high), bounds.high)


def check_matplotlib() -> None:
    """Raise ``MatplotlibMissing`` if matplotlib or scipy cannot be imported."""
    try:
        import matplotlib.figure  # noqa: F401
    except ImportError:
        raise MatplotlibMissing("the report needs matplotlib: pip install 'catan-p2p[report]'") from None
    if not has_library():
        raise MatplotlibMissing("the report needs scipy: pip install 'catan-p2p[report]'")


@contextmanager
def _styled() -> Iterator[None]:
    import matplotlib

    with matplotlib.rc_context(STYLE):
        yield


def render(draw: Callable[[Figure], None], height_in: float) -> Picture:
    """Draw a figure of the report's width and this height, and save it. The same data gives the same bytes."""
    from matplotlib.figure import Figure

    with _styled():
        figure = Figure(figsize=(WIDTH_IN, height_in))
        draw(figure)
        svg, png = io.BytesIO(), io.BytesIO()
        figure.savefig(svg, format="svg", metadata={"Date": None, "Creator": None})
        figure.savefig(png, format="png", dpi=_PNG_DOTS_PER_IN, metadata={"Software": None})
    return Picture(svg.getvalue(), png.getvalue())


def count_games(count: int) -> str:
    """``1 game`` or ``7 games``."""
    return f"{count} game" if count == 1 else f"{count} games"


def log_seconds(axis: Any) -> None:
    """Label a logarithmic axis of seconds with units: µs, ms, s. Set its limits first: they are widened to two ticks.

    An axis of less than three powers of ten has ticks at 2 and 5, too.
    """
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    low, high = sorted(axis.get_view_interval())
    if high / low < _TWO_TICKS:
        middle, half = (low * high) ** 0.5, _TWO_TICKS**0.5
        low, high = middle / half, middle * half
        getattr(axis.axes, f"set_{axis.axis_name}lim")(low, high)
    axis.set_major_locator(LogLocator(base=10, subs=(1, 2, 5) if high / low < 1000 else (1,), numticks=99))
    axis.set_major_formatter(FuncFormatter(lambda value, position: spell_seconds(value)))
    axis.set_minor_formatter(NullFormatter())


_TWO_TICKS = 8.0
"""A range of this factor contains at least two of the numbers 1, 2, 5, 10, ..., wherever it begins."""


def legend_above(figure: Figure) -> None:
    """One legend for all panels, above them, with each name once."""
    handles: dict[str, Any] = {}
    for ax in figure.axes:
        for handle, label in zip(*ax.get_legend_handles_labels(), strict=True):
            handles.setdefault(label, handle)
    # Three columns fit the width only with short labels.
    wide = max(map(len, handles), default=0)
    columns = 3 if wide <= 30 and len(handles) == 3 else 2
    figure.legend(handles.values(), handles.keys(), loc="outside upper center", ncols=columns, columnspacing=1.0)


def spell_seconds(value: float) -> str:
    """A time with its unit, to three digits."""
    for unit, size in _TIME_UNITS:
        if abs(value) >= size * 0.9995:  # rounded to three digits, this is 1
            return f"{spell_number(value / size)} {unit}"
    return f"{value / 1e-6:.3g} µs"


def spell_number(value: float) -> str:
    """A number to three digits; from a thousand on, to the unit: ``0.762``, ``64.4``, ``1,234``."""
    return f"{value:,.0f}" if abs(value) >= 999.5 else f"{value:.3g}"


def spell_seconds_spread(mean: float, deviation: float | None) -> str:
    """A mean and its standard deviation in the same unit: ``1.01 ± 0.32 ms``; the mean alone without a deviation."""
    if deviation is None:
        return spell_seconds(mean)
    unit, size = next(((unit, size) for unit, size in _TIME_UNITS if mean >= size * 0.9995), _TIME_UNITS[-1])
    digits = max(0, 2 - floor(log10(mean / size))) if mean > 0 else 2
    return f"{mean / size:,.{digits}f} ± {deviation / size:,.{digits}f} {unit}"


def colour(position: int) -> str:
    """The colour of the group at a position, from 0; colours repeat after the last."""
    return COLOURS[position % len(COLOURS)]
