"""Splits a stream of text into JSON objects: several in one piece, one in several pieces, garbage in between.

The buffer is bounded. An unfinished object is dropped when a new line or frame begins another message, so that one
broken message does not swallow those after it.
"""

import codecs
import json
import re
from collections.abc import Container, Iterator
from typing import Any, NamedTuple

MAX_OBJECT_CHARS = 64 << 10
MAX_DEPTH = 20

_KEY = re.compile(r'\s*\{\s*"([^"\\]{1,80})"\s*:')
_SPACE = " \t\r\n\ufeff\x00"


class InvalidText(NamedTuple):
    """Stands for text that is not a JSON object; ``why`` is in German."""

    why: str


class LineTooLong(Exception):
    """An object that exceeds the bound: the rest of the stream cannot be split any more."""


class JsonSplitter:
    """Takes pieces of text and yields the parsed JSON objects in them, or ``InvalidText`` in place of one."""

    def __init__(self, keys: Container[str] = (), max_chars: int = MAX_OBJECT_CHARS) -> None:
        """``keys`` are the names of messages: a line that begins with one of them starts a new object."""
        self._keys = keys
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._held: list[str] = []
        self._held_chars = 0
        self._depth = 0
        self._in_string = False
        self._escaped = False
        self._max_chars = max_chars

    def feed_bytes(self, data: bytes) -> Iterator[Any]:
        """The objects that end in these bytes; invalid UTF-8 becomes replacement characters."""
        return self.feed(self._decoder.decode(data))

    def feed_frame(self, text: str) -> Iterator[Any]:
        """The same for a WebSocket frame: a frame that is a whole message does not continue an unfinished object."""
        if self._depth and self._begins_message(text) and not isinstance(_parse(text), InvalidText):
            self._reset()
            yield InvalidText("ein Objekt bricht ab")
        yield from self.feed(text)

    def feed(self, text: str) -> Iterator[Any]:
        """The objects that end in this piece."""
        if self._depth and self._held[-1].endswith("\n") and self._begins_message(text):
            self._reset()
            yield InvalidText("ein Objekt bricht ab")
        while not self._held and text[:1] == "{":  # the usual case, and much faster: one whole object per line
            line, end, rest = text.partition("\n")
            found = _parse(line) if len(line) <= self._max_chars else InvalidText("zu lang")
            if isinstance(found, InvalidText):
                break
            yield found
            if not end:
                return
            text = rest
        begin = 0
        for i, char in enumerate(text):
            if self._depth == 0:
                if char == "{":
                    if text[begin:i].strip(_SPACE) or "".join(self._held).strip(_SPACE):
                        yield InvalidText("kein JSON-Objekt")
                    self._reset()
                    begin, self._depth = i, 1
                elif char == "\n":
                    if text[begin:i].strip(_SPACE) or "".join(self._held).strip(_SPACE):
                        yield InvalidText("kein JSON-Objekt")
                    self._reset()
                    begin = i + 1
                continue
            # JSON strings contain no raw newline, so an open string at the end of a line is a broken object.
            if char == "\n" and (self._in_string or self._begins_message(text[i + 1 : i + 100])):
                self._reset()
                begin = i + 1
                yield InvalidText("ein Objekt bricht ab")
            elif self._in_string:
                if self._escaped:
                    self._escaped = False
                elif char == "\\":
                    self._escaped = True
                elif char == '"':
                    self._in_string = False
            elif char == '"':
                self._in_string = True
            elif char in "{[":
                self._depth += 1
            elif char in "}]":
                self._depth -= 1
                if self._depth == 0:
                    whole = "".join((*self._held, text[begin : i + 1]))
                    self._reset()
                    begin = i + 1
                    self._check(len(whole))
                    yield _parse(whole)
        if begin < len(text):
            self._held.append(text[begin:])
            self._held_chars += len(text) - begin
            self._check(self._held_chars)

    def _begins_message(self, text: str) -> bool:
        match = _KEY.match(text)
        return match is not None and match[1] in self._keys

    def _check(self, chars: int) -> None:
        if chars > self._max_chars:
            raise LineTooLong(f"mehr als {self._max_chars} Zeichen")

    def _reset(self) -> None:
        self._held.clear()
        self._held_chars = self._depth = 0
        self._in_string = self._escaped = False


def _parse(text: str) -> Any:
    if _depth(text) > MAX_DEPTH:
        return InvalidText(f"tiefer als {MAX_DEPTH} geschachtelt")
    try:
        # json.loads accepts NaN and Infinity, which are not JSON.
        return json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return InvalidText("kein JSON")


def _depth(text: str) -> int:
    """An upper bound on the nesting depth: brackets within strings count too."""
    depth = most = 0
    for char in text:
        if char in "{[":
            depth += 1
            most = max(most, depth)
        elif char in "}]":
            depth -= 1
    return most


def _refuse(constant: str) -> None:
    raise ValueError(constant)
