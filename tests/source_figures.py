"""Figures of how the source reads, one a line: ``python -m tests.source_figures``. tests/test_hygiene.py holds some."""

import ast
import pydoc
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import catan_p2p
from tests.shared import ROOT

DIRECTIVE = re.compile(r"#\s*(noqa|type:|fmt:|pragma)")
WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z][a-z0-9]*")


def sources() -> list[Path]:
    """The modules of the program."""
    return [path for room in ("catan_p2p", "visualizer") for path in sorted((ROOT / room).rglob("*.py"))]


def classes() -> dict[str, list[Path]]:
    """All classes of modules by name, each with where it is."""
    found: dict[str, list[Path]] = {}
    for path in sources():
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef):
                found.setdefault(node.name, []).append(path.relative_to(ROOT))
    return found


def one_word(names: dict[str, list[Path]]) -> list[str]:
    """Those whose name is one word."""
    return [name for name in names if len(WORD.findall(name)) == 1]


def comments() -> tuple[int, int]:
    """How many lines of the program have a comment for readers, and how many lines there are."""
    with_comment = lines = 0
    for path in sources():
        with path.open("rb") as file:
            told = [token for token in tokenize.tokenize(file.readline) if token.type == tokenize.COMMENT]
        with_comment += sum(not DIRECTIVE.match(token.string) for token in told)
        lines += len(path.read_text(encoding="utf-8").splitlines())
    return with_comment, lines


def words_of_docs() -> int:
    """Words of README.md and docs/, as ``wc -w`` counts them."""
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    return sum(len(page.read_text(encoding="utf-8").split()) for page in pages)


def figures() -> Iterator[str]:
    """The lines."""
    names = classes()
    words, (with_comment, lines) = one_word(names), comments()
    yield f"{len(names)} class names, {len(words)} of one word ({len(words) / len(names):.0%})"
    yield f"{sum(len(paths) > 1 for paths in names.values())} class names stand twice"
    yield f"{len(sources())} modules, {lines:,} lines, {with_comment:,} with a comment ({with_comment / lines:.1%})"
    yield f"{words_of_docs():,} words in README.md and docs/"
    page = pydoc.plain(pydoc.render_doc(catan_p2p)).splitlines()
    first = (catan_p2p.__doc__ or "").splitlines()
    yield f"{len(page):,} lines of help(catan_p2p), {len(first)} of them its first page"


if __name__ == "__main__":
    print("\n".join(figures()))
