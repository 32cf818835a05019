"""Shared by the verbs: exit codes, tables, data on standard output, and messages on standard error."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from enum import IntEnum
from typing import Any

from catan_p2p.log.storage import disk
from catan_p2p.log.storage.objects import StoreError
from catan_p2p.safe_text import shown, shown_lines

FINE = 0
FINDING = 1
WRONG_USAGE = 2
INTERRUPTED = 130


class Verbosity(IntEnum):
    """How much the program prints on standard error: ``QUIET`` only what went wrong, ``VERBOSE`` all progress too."""

    QUIET = 0
    USUAL = 1
    VERBOSE = 2


_talk = Verbosity.USUAL


def set_talk(talk: Verbosity) -> None:
    """Set the verbosity of this process."""
    global _talk
    _talk = talk


def say(text: str) -> None:
    """Print on standard error what the user must know: errors, findings, and what changes the user's next step."""
    print(shown_lines(text), file=sys.stderr)


def tell(text: str) -> None:
    """Print useful information on standard error; nothing with ``--quiet``."""
    if _talk > Verbosity.QUIET:
        say(text)


def show_progress(text: str) -> None:
    """Replace the progress line if standard error is a terminal; else print a line, but only with ``--verbose``."""
    if _talk == Verbosity.QUIET:
        return
    if sys.stderr.isatty():
        # To the beginning of the line, and erase it.
        print(f"\r\x1b[K{shown(text)}", end="", file=sys.stderr, flush=True)
    elif _talk == Verbosity.VERBOSE:
        say(text)


def let_everything_be_printed() -> None:
    """Make every text printable: undecodable file names as their bytes, characters not in the encoding as escapes."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            is_utf8 = stream.encoding.lower().replace("-", "") == "utf8"
            stream.reconfigure(errors="surrogateescape" if is_utf8 else "backslashreplace")


def end_progress() -> None:
    """Remove the progress line."""
    if sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def emit(text: str) -> None:
    """Print data on standard output."""
    with _writing():
        print(shown_lines(text))


def emit_json(value: Any) -> None:
    """Print data on standard output as one JSON document."""
    emit(json.dumps(value, indent=2))


def emit_bytes(data: bytes) -> None:
    """Write data to standard output as they are."""
    if sys.stdout is not None:
        with _writing():
            sys.stdout.buffer.write(data)


def flush_output() -> None:
    """Flush standard output. ``StoreError`` if that fails, ``BrokenPipeError`` if nobody reads it any more."""
    if sys.stdout is not None:  # Python sets it to None if the caller has closed it
        with _writing():
            sys.stdout.flush()


@contextmanager
def _writing() -> Iterator[None]:
    """Turn a failure of standard output into ``StoreError``; ``BrokenPipeError`` stays."""
    try:
        yield
    except OSError as error:
        # Python flushes the rest of the buffer at exit: into nothing, or it would fail a second time.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            raise
        raise StoreError(f"standard output: cannot write: {disk.reason(error)}") from error


def counted(number: int, what: str) -> str:
    """``1 game``, ``2 games``."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A table: columns as wide as their widest cell, numbers to the right, words to the left, None empty."""
    cells = [[_spell(cell) for cell in row] for row in rows]
    widths = [max(len(row[i]) for row in [list(head), *cells]) for i in range(len(head))]
    right = [all(isinstance(row[i], int | float | None) for row in rows) for i in range(len(head))]

    def line(row: Sequence[str]) -> str:
        padded = (c.rjust(w) if to_right else c.ljust(w) for c, w, to_right in zip(row, widths, right, strict=True))
        return "  ".join(padded).rstrip()

    return "\n".join([line(head), *(line(row) for row in cells)])


def _spell(cell: object) -> str:
    if cell is None:
        return ""
    return f"{cell:.2f}" if isinstance(cell, float) else str(cell)
