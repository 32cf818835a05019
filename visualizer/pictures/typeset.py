"""Fitting texts into a width: shortened, broken into lines, or made a little smaller."""

from collections.abc import Iterable, Sequence

from .palette import INK
from .scene import TextMeasure
from .shapes import Color, Text

ELLIPSIS = "…"
LEAST = 0.875
"""How small a label may become, as a share of its size, before it is shortened."""


def shortened(measure: TextMeasure, text: str, size: float, width: float, bold: bool = False) -> str:
    """The text, or as much of its beginning as fits with an ellipsis; empty if not even that fits."""
    if measure(text, size, bold) <= width:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if measure(text[:middle].rstrip() + ELLIPSIS, size, bold) <= width:
            low = middle
        else:
            high = middle - 1
    return text[:low].rstrip() + ELLIPSIS if low else ""


def fitting(measure: TextMeasure, forms: Sequence[str], size: float, width: float, bold: bool = False) -> str:
    """The first form that fits, if need be at a smaller size; else the last, which is the shortest."""
    return next(
        (form for form in forms if measure(form, _fitted(measure, form, size, width, bold), bold) <= width), forms[-1]
    )


def _fitted(measure: TextMeasure, text: str, size: float, width: float, bold: bool) -> float:
    """The size at which a text fits, or the least size allowed."""
    if (fits := measure(text, size, bold)) <= width:
        return size
    smaller = max(size * LEAST, size * width / max(fits, 1))
    # Fonts round widths to pixels, so a text may be wider than in proportion to its size.
    return smaller if measure(text, smaller, bold) <= width else size * LEAST


def lines(measure: TextMeasure, text: str, size: float, width: float, most: int, bold: bool = False) -> list[str]:
    """The text broken between words into at most ``most`` lines; the last one is shortened if needed.

    Words joined by a no-break space stay together.
    """
    found: list[str] = []
    rest = [word for word in text.replace("\n", " ").split(" ") if word]
    while rest and len(found) < most - 1:
        taken = 1
        while taken < len(rest) and measure(" ".join(rest[: taken + 1]), size, bold) <= width:
            taken += 1
        found.append(shortened(measure, " ".join(rest[:taken]), size, width, bold))
        rest = rest[taken:]
    if rest:
        found.append(shortened(measure, " ".join(rest), size, width, bold))
    return found


def label(
    measure: TextMeasure,
    x: float,
    y: float,
    text: str,
    size: float,
    width: float,
    color: Color = INK,
    bold: bool = False,
    align: float = 0.0,
) -> Text:
    """A line of text at most ``width`` wide; it may shrink by an eighth before it is shortened."""
    size = _fitted(measure, text, size, width, bold)
    return Text(x, y, shortened(measure, text, size, width, bold), size, color, bold, align)


def widest(measure: TextMeasure, texts: Iterable[str], size: float, bold: bool = False) -> float:
    """The width of the widest text."""
    return max((measure(text, size, bold) for text in texts), default=0.0)
