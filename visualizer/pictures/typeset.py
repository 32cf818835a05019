"""Texts that fit: shortened, broken into lines, or made a little smaller."""

from __future__ import annotations

from collections.abc import Iterable

from .palette import INK
from .scene import Measure
from .shapes import Color, Text

ELLIPSIS = "…"


def shortened(measure: Measure, text: str, size: float, width: float, bold: bool = False) -> str:
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


def lines(measure: Measure, text: str, size: float, width: float, most: int, bold: bool = False) -> list[str]:
    """The text broken between words into at most so many lines; the last one is shortened."""
    found: list[str] = []
    rest = text.split()
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
    measure: Measure,
    x: float,
    y: float,
    text: str,
    size: float,
    width: float,
    color: Color = INK,
    bold: bool = False,
    align: float = 0.0,
) -> Text:
    """A line of text that is at most so wide; it may shrink by an eighth before it is shortened."""
    fits = measure(text, size, bold)
    if fits > width:
        size = max(size * 0.875, size * width / max(fits, 1))
    return Text(x, y, shortened(measure, text, size, width, bold), size, color, bold, align)


def widest(measure: Measure, texts: Iterable[str], size: float, bold: bool = False) -> float:
    """The width of the widest text."""
    return max((measure(text, size, bold) for text in texts), default=0.0)
