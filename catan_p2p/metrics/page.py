"""Pages of text, tables and figures: their parts, and how they are written as HTML and as Markdown."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from catan_p2p.log.storage import disk
from catan_p2p.metrics.tables import write_csv
from catan_p2p.plot_style import Picture, render

if TYPE_CHECKING:
    from matplotlib.figure import Figure

HTML_FILE = "report.html"
MARKDOWN_FILE = "report.md"
PICTURES = "figures"


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


def write_pages(title: str, sections: Sequence[ReportSection], out: Path) -> Path:
    """Write sections as HTML and as Markdown into ``out``, and every figure as SVG and PNG; returns the HTML page.

    ``StoreError`` if something cannot be written.
    """
    pictures = _drawn(sections)
    with disk.explained("write", out):
        out.mkdir(parents=True, exist_ok=True)
        for name, picture in pictures.items():
            (out / f"{name}.svg").write_bytes(picture.svg)
            (out / f"{name}.png").write_bytes(picture.png)
        (out / MARKDOWN_FILE).write_text(markdown_page(title, sections), encoding="utf-8")
        (out / HTML_FILE).write_text(html_page(title, sections, pictures), encoding="utf-8")
    return out / HTML_FILE


def write_page(title: str, sections: Sequence[ReportSection], page: Path) -> Path:
    """Write sections as one Markdown file for documentation, its figures and named tables in ``PICTURES`` beside it.

    The name of the page stands before that of each of these files. Returns the folder; ``StoreError`` if something
    cannot be written.
    """
    pictures = page.parent / PICTURES
    with disk.explained("write", page):
        pictures.mkdir(parents=True, exist_ok=True)
        for name, picture in _drawn(sections).items():
            (pictures / f"{page.stem}-{name}.png").write_bytes(picture.png)
        for block in (block for section in sections for block in section.blocks):
            if isinstance(block, ReportTable) and block.name:
                write_csv(pictures / f"{page.stem}-{block.name}.csv", block.head, block.rows)
        page.write_text(markdown_page(title, sections, f"{PICTURES}/{page.stem}-"), encoding="utf-8")
    return pictures


def _drawn(sections: Sequence[ReportSection]) -> dict[str, Picture]:
    figures = [block for section in sections for block in section.blocks if isinstance(block, FigureBlock)]
    return {figure.name: render(figure.draw, figure.height_in) for figure in figures}


def markdown_page(title: str, sections: Sequence[ReportSection], pictures: str = "") -> str:
    """The page; every figure is a PNG file of its name, with ``pictures`` before it, as is the CSV of a named table."""
    parts = [f"# {title}"]
    for section in sections:
        parts.append(f"## {section.title}")
        parts += [_as_markdown(block, pictures) for block in section.blocks]
    return "\n\n".join(parts) + "\n"


def _as_markdown(block: Block, pictures: str) -> str:
    match block:
        case Paragraph(text):
            return text
        case CodeBlock(text, "sh"):
            # The tests that type the commands of a page leave out those with this remark.
            return "\n".join(["```console", *(f"$ {line}     # takes minutes" for line in text.splitlines()), "```"])
        case CodeBlock(text, language):
            return f"```{language}\n{text}\n```"
        case ReportTable(_, _, name) if name and pictures:
            return f"[{name}.csv]({pictures}{name}.csv) has the numbers."
        case ReportTable(head, rows):
            lines = [head, tuple("---" for _ in head), *rows]
            return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)
        case FigureBlock(name, caption):
            return f"![{name}]({pictures}{name}.png)\n\n*{caption}*"


_CSS = """
:root { color-scheme: light; }
body { font: 16px/1.5 system-ui, sans-serif; color: #1a1a1a; background: #fff; max-width: 62rem; margin: 2rem auto;
  padding: 0 1rem; }
h1 { font-size: 1.7rem; } h2 { font-size: 1.25rem; margin-top: 2.5rem; border-bottom: 1px solid #ddd; }
figure { margin: 1.5rem 0; } figure img { width: 100%; max-width: 40rem; height: auto; }
figcaption { color: #444; font-size: .9rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .88rem; margin: 1rem 0; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .7rem; border-bottom: 1px solid #e4e4e4; text-align: left; vertical-align: top; }
th { border-bottom: 2px solid #999; } td.number { text-align: right; white-space: nowrap; }
code, pre { font: .9em ui-monospace, monospace; background: #f4f4f4; border-radius: 3px; }
code { padding: 0 .2em; } pre { padding: .8rem; overflow-x: auto; }
@media (max-width: 44rem) {
  table, tbody, tr, td { display: block; } thead { display: none; }
  tr { border-bottom: 2px solid #bbb; padding: .4rem 0; }
  td, td.number { border: 0; padding: .1rem 0 .1rem 45%; position: relative; text-align: left; white-space: normal; }
  td::before { content: attr(data-head); position: absolute; left: 0; width: 42%; color: #555; }
}
"""
_NUMBER = re.compile(r"[-\d][\d.,]*(?:e[+-]?\d+)?(?: ?(?:B|kB|MB|s|ms|µs|%))?(?: ± .*)?")


def html_page(title: str, sections: Sequence[ReportSection], pictures: Mapping[str, Picture]) -> str:
    """The page; ``pictures`` are the figures of the sections by name."""
    body = "\n".join(
        f"<h2>{escape(section.title)}</h2>\n" + "\n".join(_as_html(block, pictures) for block in section.blocks)
        for section in sections
    )
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{escape(title)}</title>\n'
        f"<style>{_CSS}</style>\n</head>\n<body>\n<h1>{escape(title)}</h1>\n{body}\n</body>\n</html>\n"
    )


def _as_html(block: Block, pictures: Mapping[str, Picture]) -> str:
    match block:
        case Paragraph(text):
            return f"<p>{_inline(text)}</p>"
        case CodeBlock(text):
            return f"<pre>{escape(text)}</pre>"
        case ReportTable():
            return _table(block)
        case FigureBlock(name, caption):
            data = base64.b64encode(pictures[name].svg).decode()
            alt = escape(caption.replace("`", ""), quote=True)
            return (
                f'<figure id="{name}">\n<img alt="{alt}" src="data:image/svg+xml;base64,{data}">\n'
                f"<figcaption>{_inline(caption)}</figcaption>\n</figure>"
            )


def _table(table: ReportTable) -> str:
    head = "".join(f"<th>{_inline(cell)}</th>" for cell in table.head)
    rows = "\n".join("<tr>" + "".join(map(_cell, row, table.head)) + "</tr>" for row in table.rows)
    return f'<div class="wide"><table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody>\n</table></div>'


def _cell(text: str, head: str) -> str:
    """A cell; on a phone, where rows are shown as lists, the head of its column precedes it."""
    name = escape(head.replace("`", ""), quote=True)
    kind = ' class="number"' if _NUMBER.fullmatch(text) is not None else ""
    return f'<td{kind} data-head="{name}">{escape(text) if kind else _inline(text)}</td>'


def _inline(text: str) -> str:
    return re.sub(r"`([^`]*)`", r"<code>\1</code>", escape(text, quote=False))
