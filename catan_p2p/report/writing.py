"""Writing the report of a folder of metrics: the page, and every figure as SVG and PNG."""

from __future__ import annotations

from pathlib import Path

from catan_p2p.log.storage import disk
from catan_p2p.report.blocks import FigureBlock
from catan_p2p.report.data import load_report_data
from catan_p2p.report.html import html_page
from catan_p2p.report.markdown import markdown_page
from catan_p2p.report.sections import sections
from catan_p2p.report.style import check_matplotlib, render

HTML_FILE = "report.html"
MARKDOWN_FILE = "report.md"
TITLE = "Figures of games on Git"


def write_report(metrics: Path, out: Path) -> Path:
    """Write the report on the games of a folder of metrics into ``out``; returns the HTML page.

    ``MatplotlibMissing`` if nothing can be drawn, ``StoreError`` if something cannot be read or written.
    """
    check_matplotlib()
    found = sections(load_report_data(metrics))
    figures = [block for section in found for block in section.blocks if isinstance(block, FigureBlock)]
    pictures = {figure.name: render(figure.draw, figure.height_in) for figure in figures}
    with disk.explained("write", out):
        out.mkdir(parents=True, exist_ok=True)
        for name, picture in pictures.items():
            (out / f"{name}.svg").write_bytes(picture.svg)
            (out / f"{name}.png").write_bytes(picture.png)
        (out / MARKDOWN_FILE).write_text(markdown_page(TITLE, found), encoding="utf-8")
        (out / HTML_FILE).write_text(html_page(TITLE, found, pictures), encoding="utf-8")
    return out / HTML_FILE
