"""What the verbs have in common: exit codes, tables, talk on standard error."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Any

FINE = 0
FINDING = 1
WRONG_USAGE = 2
INTERRUPTED = 130


def say(text: str) -> None:
    """Talk to the user, on standard error."""
    print(text, file=sys.stderr)


def show_progress(text: str) -> None:
    """Replace the last line on standard error, if that is a terminal; say nothing otherwise."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)


def end_progress() -> None:
    """Remove the progress line."""
    if sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def emit(text: str) -> None:
    """Data, on standard output."""
    print(text)


def emit_json(value: Any) -> None:
    """Data as one JSON document, on standard output."""
    print(json.dumps(value, indent=2))


def counted(number: int, what: str) -> str:
    """``1 game``, ``2 games``."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Columns as wide as their widest cell; numbers to the right, words to the left."""
    cells = [[_spell(cell) for cell in row] for row in rows]
    widths = [max(len(row[i]) for row in [list(head), *cells]) for i in range(len(head))]
    right = [all(isinstance(row[i], int | float) for row in rows) for i in range(len(head))]

    def line(row: Sequence[str]) -> str:
        padded = (c.rjust(w) if to_right else c.ljust(w) for c, w, to_right in zip(row, widths, right, strict=True))
        return "  ".join(padded).rstrip()

    return "\n".join([line(head), *(line(row) for row in cells)])


def _spell(cell: object) -> str:
    return f"{cell:.2f}" if isinstance(cell, float) else str(cell)
