"""The parts of a report: sections of text, tables and figures, independent of their output format."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph of text; text between backticks is code."""

    text: str


@dataclass(frozen=True, slots=True)
class ReportTable:
    """A table whose cells are formatted already."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    name: str = ""
    """Set for a table that only adds detail: a documentation page links to it as a CSV file of this name."""


@dataclass(frozen=True, slots=True)
class FigureBlock:
    """A figure: its file name, a sentence that says what it shows, and how to draw it."""

    name: str
    caption: str
    draw: Callable[[Figure], None]
    height_in: float


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """Commands to type (``language`` is ``sh``), or the text of a file in this language, if it has one."""

    text: str
    language: str = ""


Block = Paragraph | ReportTable | FigureBlock | CodeBlock


@dataclass(frozen=True, slots=True)
class ReportSection:
    """A heading and what follows it."""

    title: str
    blocks: tuple[Block, ...]
