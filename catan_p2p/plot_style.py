"""The style of figures, and how they are saved. Matplotlib is imported only when something is drawn."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from math import floor, log10
from typing import TYPE_CHECKING, Any, NamedTuple

from catan_p2p.extras import needed
from catan_p2p.intervals import MeanSpread

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
_UNITS = {
    "s": (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)),
    "B": (("MB", 1e6), ("kB", 1e3), ("B", 1.0)),
}
_MARKERS = "osD^vP*X"
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


class Picture(NamedTuple):
    """A drawn figure: the bytes of an SVG and of a PNG file."""

    svg: bytes
    png: bytes


def check_matplotlib() -> None:
    """Import what figures need; ``MissingExtra`` if it is not installed."""
    for module in ("matplotlib.figure", "scipy.special"):
        needed(module, "report", "a figure")


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


def legend_above(figure: Figure, columns: int | None = None) -> None:
    """One legend for all panels, above them, with each name once, in as many columns as fit or in these."""
    handles: dict[str, Any] = {}
    for ax in figure.axes:
        for handle, label in zip(*ax.get_legend_handles_labels(), strict=True):
            handles.setdefault(label, handle)
    spacing = 1.0 if columns is None else 2.0
    if columns is None:  # three fit the width only with short labels
        columns = 3 if max(map(len, handles), default=0) <= 30 and len(handles) == 3 else 2
    figure.legend(handles.values(), handles.keys(), loc="outside upper center", ncols=columns, columnspacing=spacing)


def spell_measured(value: float, unit: str, like: float | None = None) -> str:
    """A value with its unit, to three digits, in the unit that suits ``like``; if that is None, the value."""
    size_of = abs(value if like is None else like)
    units = _UNITS.get(unit, ((unit, 1.0),))
    name, size = next((one for one in units if size_of >= one[1] * 0.9995), units[-1])  # rounded, this is 1
    return f"{spell_number(value / size)} {name}".rstrip()


def spell_seconds(value: float) -> str:
    """A time with its unit, to three digits."""
    return spell_measured(value, "s")


def spell_number(value: float) -> str:
    """A number to three digits; from a thousand on, to the unit: ``0.762``, ``64.4``, ``1,234``."""
    return f"{value:,.0f}" if abs(value) >= 999.5 else f"{value:.3g}"


def spell_seconds_spread(mean: float, deviation: float | None = None, like: float | None = None) -> str:
    """A mean and its standard deviation in the same unit: ``1.01 ± 0.32 ms``; the mean alone without a deviation."""
    if deviation is None:
        return spell_measured(mean, "s", like)
    unit, size = next((one for one in _UNITS["s"] if mean >= one[1] * 0.9995), _UNITS["s"][-1])
    digits = max(0, 2 - floor(log10(mean / size))) if mean > 0 else 2
    return f"{mean / size:,.{digits}f} ± {deviation / size:,.{digits}f} {unit}"


Speller = Callable[..., str]
"""Spells a mean and, if they are given, its standard deviation and a value ``like`` whose unit it has: ``64.4 ms``."""


def speller(form: str, unit: str = "", size: float = 1) -> Speller:
    """Spells ``508 ± 62 B`` with the format of its numbers, the unit after them, and how much that is."""

    def spell(mean: float, deviation: float | None = None, like: float | None = None) -> str:
        found = [format(value / size, form) for value in (mean, deviation) if value is not None]
        return f"{' ± '.join(found)} {unit}".rstrip()

    return spell


def measured_in(unit: str, plus: str = "") -> Speller:
    """Spells a measured value without a deviation, one of at least 0 with ``plus`` before it."""

    def spell(mean: float, deviation: float | None = None, like: float | None = None) -> str:
        return f"{plus if mean >= 0 else '-'}{spell_measured(abs(mean), unit, like)}"

    return spell


def spell_spread(found: MeanSpread, spell: Speller) -> str:
    """Mean and deviation in words; the mean alone for a single value."""
    return spell(found.mean, found.deviation if found.count > 1 else None)


def spell_bounds(found: MeanSpread, spell: Speller) -> list[str]:
    """The two bounds of the interval of a mean, in the unit of the mean; empty if it has no interval."""
    return [spell(bound, None, found.mean) for bound in found.interval or ()]


def bare(measured: str) -> str:
    """The number of a measured value, without its unit."""
    return measured.partition(" ")[0]


def colour(position: int) -> str:
    """The colour of the group at a position, from 0; colours repeat after the last."""
    return COLOURS[position % len(COLOURS)]


def marker(position: int) -> str:
    """The marker of the group at a position, from 0; markers repeat after the last."""
    return _MARKERS[position % len(_MARKERS)]


def mean_error(values: Sequence[MeanSpread], least: Sequence[float] | None = None) -> list[list[float]]:
    """How far the intervals of means reach below and above them, for error bars.

    On a logarithmic axis, which has no 0, an interval that reaches it begins at the ``least`` value instead.
    """
    below, above = [], []
    for at, one in enumerate(values):
        low, high = one.interval or (one.mean, one.mean)
        if least is not None and low <= 0:
            low = min(least[at], high)
        below.append(max(0.0, one.mean - low))
        above.append(max(0.0, high - one.mean))
    return [below, above]
