"""What the verbs have in common: exit codes, tables, talk on standard error."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from catan_p2p.log.storage import disk
from catan_p2p.log.storage.objects import StoreError

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
    with _writing():
        print(text)


def emit_json(value: Any) -> None:
    """Data as one JSON document, on standard output."""
    emit(json.dumps(value, indent=2))


def emit_bytes(data: bytes) -> None:
    """Data as they are, on standard output."""
    if sys.stdout is not None:
        with _writing():
            sys.stdout.buffer.write(data)


def flush_output() -> None:
    """Write what standard output holds back; ``StoreError`` if it cannot be, ``BrokenPipeError`` if nobody reads."""
    if sys.stdout is not None:  # as it is where the caller has closed it
        with _writing():
            sys.stdout.flush()


@contextmanager
def _writing() -> Iterator[None]:
    """Tell a failure of standard output; what that holds back is led nowhere, or it would fail again at the end."""
    try:
        yield
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            raise
        raise StoreError(f"standard output: cannot write: {disk.reason(error)}") from error


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
