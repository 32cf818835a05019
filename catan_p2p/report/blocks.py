"""What a report is made of: sections of text, tables and figures, independent of how they are written down."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Text; what is between backticks is code."""

    text: str


@dataclass(frozen=True, slots=True)
class Table:
    """A table of words and numbers as they are to be shown."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class FigureBlock:
    """A figure: the name of its files, what it shows in a sentence, and how to draw it."""

    name: str
    caption: str
    draw: Callable[[Figure], None]
    height_in: float


@dataclass(frozen=True, slots=True)
class Code:
    """Commands to be typed, or the text of a file; ``language`` is that of the text, if it has one."""

    text: str
    language: str = ""


Block = Paragraph | Table | FigureBlock | Code


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and what stands below it."""

    title: str
    blocks: tuple[Block, ...]
