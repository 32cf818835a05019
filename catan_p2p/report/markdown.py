"""The report as Markdown with its pictures beside it."""

from __future__ import annotations

from collections.abc import Sequence

from catan_p2p.report.blocks import Block, Code, FigureBlock, Paragraph, Section, Table


def markdown_page(title: str, sections: Sequence[Section]) -> str:
    """The page; every figure is a PNG file of its name in the same folder."""
    parts = [f"# {title}"]
    for section in sections:
        parts.append(f"## {section.title}")
        parts += [_block(block) for block in section.blocks]
    return "\n\n".join(parts) + "\n"


def _block(block: Block) -> str:
    match block:
        case Paragraph(text):
            return text
        case Code(text, "sh"):
            return "\n".join(["```console", *(f"$ {line}     # takes minutes" for line in text.splitlines()), "```"])
        case Code(text, language):
            return f"```{language}\n{text}\n```"
        case Table(head, rows):
            lines = [head, tuple("---" for _ in head), *rows]
            return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)
        case FigureBlock(name, caption):
            return f"![{caption.replace('`', '')}]({name}.png)\n\n*{caption}*"
