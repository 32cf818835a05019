"""The commands that a page shows, with what it says they print.

A fenced block of the kind ``console`` holds commands, each behind ``$ `` (``> `` where a line ends in a backslash and
goes on), and below each what it prints: everything, in order. A line ``...`` stands for any lines, ``...`` at the end
of a line for the rest of it, a number with a decimal point for any such number, for those are times or sizes. Nothing
below a command says nothing of its output. A comment behind a command speaks to reader and test alike::

    # exit code 1         how it ends, if not with 0
    # opens a window      it is not run, only read as the program would read it
    # takes minutes       the same
    # until Ctrl-C        the same

A block of the kind ``python`` is run as a whole, or saved if its first line is a comment that names a file; one that
begins with ``>>>`` is left to doctest (tests/api). Scripts, ``sh``, have tests of their own. All other
blocks are no commands.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_FENCE = re.compile(r"^```(\w*)\s*$")
_FILE = re.compile(r"# (\w+\.py)$", re.MULTILINE)
_COMMENT = re.compile(r"\s+# (.*)$")
_EXIT_CODE = re.compile(r"exit code (\d)")
_NOT_RUN = ("opens a window", "takes minutes", "until Ctrl-C")
_VARIES = re.compile(r"\b\d+\.\d+\b")


@dataclass(frozen=True, slots=True)
class Command:
    """One command of a page: its line there, its text, the lines below it, and how it ends; or a Python program."""

    line: int
    text: str
    shown: tuple[str, ...] = ()
    code: int = 0
    is_run: bool = True
    is_python: bool = False

    @property
    def file(self) -> str | None:
        """The file in which a Python program is to be saved, None for one that is run."""
        found = _FILE.match(self.text) if self.is_python else None
        return found[1] if found else None


def blocks(text: str) -> Iterator[tuple[int, str, list[str]]]:
    """The fenced blocks of a page: the line of the fence, its kind, the lines between."""
    kind: str | None = None
    begun, lines = 0, []
    for number, line in enumerate(text.splitlines(), 1):
        fence = _FENCE.match(line)
        if kind is None and fence:
            kind, begun, lines = fence[1], number, []
        elif kind is not None and line == "```":
            yield begun, kind, lines
            kind = None
        elif kind is not None:
            lines.append(line)
    if kind is not None:
        raise ValueError(f"line {begun}: the block has no end")


def commands(page: Path) -> Iterator[Command]:
    """What a page says can be done, in order."""
    for begun, kind, lines in blocks(page.read_text(encoding="utf-8")):
        if kind == "python":
            is_doctest = any(line.startswith(">>> ") for line in lines[:1])
            yield Command(begun, "\n".join(lines), is_python=True, is_run=not is_doctest)
        elif kind == "console":
            yield from _commands_of(begun, lines)


def _commands_of(begun: int, lines: list[str]) -> Iterator[Command]:
    at = 0
    while at < len(lines):
        if not lines[at].startswith("$ "):
            raise ValueError(f"line {begun + 1 + at}: expected a command behind '$ '")
        number, text = begun + 1 + at, lines[at][2:]
        at += 1
        while at < len(lines) and text.endswith("\\") and lines[at].startswith("> "):
            text, at = f"{text}\n{lines[at][2:]}", at + 1
        shown = []
        while at < len(lines) and not lines[at].startswith("$ "):
            shown.append(lines[at])
            at += 1
        comment = found[1] if (found := _COMMENT.search(text)) else ""
        code = int(found[1]) if (found := _EXIT_CODE.search(comment)) else 0
        yield Command(number, text, tuple(shown), code, not any(words in comment for words in _NOT_RUN))


def differences(shown: tuple[str, ...], printed: list[str]) -> str | None:
    """What is wrong between what a page shows and what a command prints; None if nothing is."""
    parts: list[list[str]] = [[]]
    for line in shown:
        if line.strip() == "...":
            parts.append([])
        else:
            parts[-1].append(_masked(line))
    lines, at = [_masked(line) for line in printed], 0
    for number, part in enumerate(parts):
        last = len(lines) - len(part)
        first = last if number == len(parts) - 1 else at
        last = at if number == 0 else last
        place = next((i for i in range(max(first, at), last + 1) if _are_there(part, lines[i : i + len(part)])), None)
        if place is None or (len(parts) == 1 and len(lines) != len(part)):
            return "\n".join(["shown:", *shown, "printed:", *printed])
        at = place + len(part)
    return None


def _are_there(shown: list[str], lines: list[str]) -> bool:
    return len(shown) == len(lines) and all(
        line.startswith(one[:-3]) if one.endswith("...") else line == one
        for one, line in zip(shown, lines, strict=True)
    )


def _masked(line: str) -> str:
    return " ".join(_VARIES.sub("#", line).split())
