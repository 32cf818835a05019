"""Lines of a text file, read one by one in bounded memory, and a cursor that parses a line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, TypeAlias

from catan_p2p.notation.errors import NotationError, NotExpressible, NotUtf8, unexpected
from catan_p2p.view import events as e

OnError: TypeAlias = Callable[[NotationError], None]
"""What a reader does with an error before it goes on."""


def reporter(on_error: OnError | None) -> OnError:
    """``on_error``, or a function that raises the error if there is none."""

    def raised(error: NotationError) -> None:
        raise error from None

    return on_error or raised


def numbered_lines(handle: FileLines, longest: int, on_error: OnError | None) -> Iterator[tuple[int, str]]:
    """Number and text of every line, without its end; an error for a line that does not end with LF.

    With ``on_error`` the error is passed to it and the line is yielded all the same; a line of more than ``longest``
    characters is left out.
    """

    report = reporter(on_error)
    number = 0
    while text := _read(handle, longest + 1, number):
        number += 1
        if number == 1 and (text.startswith(_UTF_16_MARKS) or "\0" in text[:2]):
            raise NotUtf8("UTF-16 text, expected UTF-8", 1, 1)
        if text[-1] == "\n":
            text = text[:-1]
        elif len(text) > longest:
            report(NotationError(f"more than {longest} characters, expected the end of the line", number, longest + 1))
            while (rest := _read(handle, longest, number)) and rest[-1] != "\n":
                pass
            continue
        else:
            report(unexpected(text, len(text), "a newline at the end of the file", number))
        if text.startswith("#"):
            continue  # a comment: no notation has them, but people write them
        if text.endswith("\r"):
            report(NotationError("the line ends with CR LF, expected LF", number, len(text)))
            text = text[:-1]
        yield number, text


MARK = "\ufeff"
"""The byte order mark, which some editors write before UTF-8 text."""
_MOST_COMMENTS = 65536
"""The most characters of comments before a game that are read in advance."""
_UTF_16_MARKS = ("\udcff\udcfe", "\udcfe\udcff")
"""The byte order marks of UTF-16 as read with ``surrogateescape``."""


def _read(handle: FileLines, limit: int, line: int) -> str:
    """The next line; the first one without its byte order mark."""
    try:
        text = handle.readline(limit)
    except UnicodeDecodeError as error:
        raise NotationError(f"not UTF-8 text: {error.reason}", line + 1) from None
    return text if line else text.removeprefix(MARK)


def file_lines(
    events: Iterable[e.Event],
    wanted: str,
    head: Callable[[e.GameStarted], Iterable[str]],
    speller: Callable[[e.GameStarted], Callable[[e.Event], Iterable[str]]],
) -> Iterator[str]:
    """The lines of a file: those of ``head``, then those that ``speller`` gives for each event.

    ``NotExpressible`` with the text ``wanted`` if the events do not begin with the start of a game.
    """
    stream = iter(events)
    start = next(stream, None)
    if not isinstance(start, e.GameStarted):
        raise NotExpressible(wanted)
    yield from head(start)
    spell = speller(start)
    for event in stream:
        yield from spell(event)


class FileLines(Protocol):
    """The methods of a text file that a reader needs."""

    def readline(self, limit: int = -1, /) -> str:
        """The next line with its end, or its first ``limit`` characters; empty at the end of the file."""


class PeekedFile:
    """A text file whose beginning can be read in advance."""

    def __init__(self, handle: FileLines) -> None:
        self._handle = handle
        self._held = ""
        self._begins = 0

    def peek(self, count: int = 1) -> str:
        """Up to ``count`` characters of the first line that is not a comment; of a JSON object, also of later lines."""
        if not self._held:
            self._held = line = _read(self._handle, count + 1, 0)
            while line.startswith("#") and line.endswith("\n") and len(self._held) < _MOST_COMMENTS:
                self._begins = len(self._held)
                line = _read(self._handle, count + 1, 0)
                self._held += line
            if line.lstrip().startswith("{"):
                while line and len(self._held) < self._begins + count:
                    line = _read(self._handle, count + 1, 1)
                    self._held += line
        return self._held[self._begins :][:count]

    def readline(self, limit: int = -1, /) -> str:
        """The next line, as ``FileLines`` says."""
        held, self._held = self._held, ""
        end = held.find("\n") + 1
        if 0 < end < len(held):  # several lines were read in advance: return one of them
            held, self._held = held[:end], held[end:]
            if 0 < limit < len(held):
                held, self._held = held[:limit], held[limit:] + self._held
            return held
        if held.endswith("\n") or 0 < limit <= len(held):
            if 0 < limit < len(held):
                held, self._held = held[:limit], held[limit:]
            return held
        return held + self._handle.readline(limit - len(held) if limit > 0 else -1)

    def read(self, limit: int) -> str:
        """The rest of the file, up to ``limit`` characters."""
        parts, left = [], limit
        while left > 0 and (line := self.readline(left)):
            parts.append(line)
            left -= len(line)
        return "".join(parts)


class LineCursor:
    """A position in a line. Each method parses from it and moves it on, or raises an error of that line and column."""

    __slots__ = ("at", "line", "text")

    def __init__(self, text: str, line: int, at: int = 0) -> None:
        self.text = text
        self.line = line
        self.at = at

    def error(self, expected: str) -> NotationError:
        """The error that something else was expected here."""
        return unexpected(self.text, self.at, expected, self.line)

    def sees(self, literal: str) -> bool:
        """Whether ``literal`` comes next; takes it if so."""
        if self.text.startswith(literal, self.at):
            self.at += len(literal)
            return True
        return False

    def take(self, literal: str) -> None:
        """Take ``literal``, which must come next."""
        if not self.text.startswith(literal, self.at):
            raise self.error(repr(literal))
        self.at += len(literal)

    def end(self) -> None:
        """Check that the line ends here."""
        if self.at != len(self.text):
            raise self.error("the end of the line")

    def word(self, stops: str = " ") -> str:
        """Take everything up to the first of these characters, or up to the end of the line."""
        text, at = self.text, self.at
        end = min((found for stop in stops if (found := text.find(stop, at)) >= 0), default=len(text))
        self.at = end
        return text[at:end]

    def number(self, what: str, low: int, high: int) -> int:
        """Take a number from ``low`` to ``high`` without leading zeros; ``what`` names it in the error."""
        text, at = self.text, self.at
        end = at
        while end < len(text) and "0" <= text[end] <= "9":
            end += 1
        digits = text[at:end]
        if 0 < len(digits) <= 15 and (digits[0] != "0" or len(digits) == 1) and low <= int(digits) <= high:
            self.at = end
            return int(digits)
        raise self.error(f"{what} ({low} to {high})")
