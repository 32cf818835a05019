"""The report as one self-contained HTML page."""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping, Sequence
from html import escape

from catan_p2p.report.blocks import Block, Code, FigureBlock, Paragraph, Section, Table
from catan_p2p.report.style import Picture

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


def html_page(title: str, sections: Sequence[Section], pictures: Mapping[str, Picture]) -> str:
    """The page; ``pictures`` are the figures of the sections by name."""
    body = "\n".join(
        f"<h2>{escape(section.title)}</h2>\n" + "\n".join(_block(block, pictures) for block in section.blocks)
        for section in sections
    )
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{escape(title)}</title>\n'
        f"<style>{_CSS}</style>\n</head>\n<body>\n<h1>{escape(title)}</h1>\n{body}\n</body>\n</html>\n"
    )


def _block(block: Block, pictures: Mapping[str, Picture]) -> str:
    match block:
        case Paragraph(text):
            return f"<p>{_inline(text)}</p>"
        case Code(text):
            return f"<pre>{escape(text)}</pre>"
        case Table():
            return _table(block)
        case FigureBlock(name, caption):
            data = base64.b64encode(pictures[name].svg).decode()
            alt = escape(caption.replace("`", ""), quote=True)
            return (
                f'<figure id="{name}">\n<img alt="{alt}" src="data:image/svg+xml;base64,{data}">\n'
                f"<figcaption>{_inline(caption)}</figcaption>\n</figure>"
            )


def _table(table: Table) -> str:
    head = "".join(f"<th>{_inline(cell)}</th>" for cell in table.head)
    rows = "\n".join("<tr>" + "".join(map(_cell, row, table.head)) + "</tr>" for row in table.rows)
    return f'<div class="wide"><table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody>\n</table></div>'


def _cell(text: str, head: str) -> str:
    """A cell; on a phone, where rows are shown as lists, its column's head precedes it."""
    name = escape(head.replace("`", ""), quote=True)
    kind = ' class="number"' if _NUMBER.fullmatch(text) is not None else ""
    return f'<td{kind} data-head="{name}">{escape(text) if kind else _inline(text)}</td>'


def _inline(text: str) -> str:
    return re.sub(r"`([^`]*)`", r"<code>\1</code>", escape(text, quote=False))
