"""Lines of JSON as SGN messages, and the column of a value in its line."""

import json
import re
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Any, NamedTuple, TypeAlias

from catan_p2p.notation.errors import NotationError, unexpected
from catan_p2p.notation.sgn.words import PLAYERS

Path: TypeAlias = tuple[int | str, ...]
"""Indices and names that lead from the message to one of its values; its member ``value`` is at ``(2,)``."""

_FIELDS = ("player", "aCode", "value")
"""The members of a message of version 0.4, in the order of those of version 1.0."""


class MemberName(str):
    """As the last step of a path: the name of a member, not its value."""


class WrongValue(Exception):
    """A wrong value; ``path`` leads to it."""

    def __init__(self, path: Path, expected: str) -> None:
        super().__init__(path, expected)
        self.path = path
        self.expected = expected


class SgnMessage(NamedTuple):
    """The message of one line."""

    player: int
    code: str
    value: Any
    text: str
    line: int

    def error(self, path: Path, expected: str) -> NotationError:
        """The error for the value at a path."""
        return error_at(self.text, self.line, path, expected)


def parse(text: str, line: int) -> SgnMessage:
    """The message in a line: an array as in version 1.0, or an object as in version 0.4."""
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise NotationError(f"not JSON: {error.msg}", line, error.pos + 1) from None
    except RecursionError:
        raise NotationError("values are nested too deeply", line, 1) from None
    except ValueError as error:
        raise NotationError(f"not JSON: {error}", line, 1) from None
    if type(value) is dict:
        value = [value[name] for name in _FIELDS if name in value] if len(value) == len(_FIELDS) else None
    if type(value) is not list or len(value) != len(_FIELDS):
        raise unexpected(text, 0, "[player, code, value]", line)
    player, code, value = value
    if type(player) is not str or player not in PLAYERS:
        raise error_at(text, line, (0,), 'a player, "1" to "6"')
    if type(code) is not str:
        raise error_at(text, line, (1,), "a code of two letters")
    return SgnMessage(int(player), code, value, text, line)


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not a number")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"{twice!r} is there twice")
    return value


_DECODER = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_no_constant)
# The standard decoder does not report positions, so the line is decoded a second time for an error.
_SKIP = json.JSONDecoder()
_BLANK = re.compile(r"[ \t\n\r]*")


def error_at(text: str, line: int, path: Path, expected: str) -> NotationError:
    """The error for a value of a line of JSON."""
    return unexpected(text, _find(text, path), expected, line)


def _find(text: str, path: Path) -> int:
    """The index at which the value at a path begins; of a path that ends too early, its last value."""
    at = _skip_blanks(text, 0)
    for key in path:
        if text[at] == "{":
            found = _find_member(text, at, _FIELDS[key] if isinstance(key, int) else key)
        else:
            found = _find_item(text, at, key) if isinstance(key, int) and text[at] == "[" else None
        if found is None:
            break
        at = found
    return at


def _find_item(text: str, at: int, index: int) -> int | None:
    at = _skip_blanks(text, at + 1)
    for _ in range(index):
        if text[at] == "]":
            return None
        _, at = _SKIP.raw_decode(text, at)
        at = _skip_blanks(text, at)
        if text[at] == "]":
            return None
        at = _skip_blanks(text, at + 1)
    return at


def _find_member(text: str, at: int, name: str) -> int | None:
    at = _skip_blanks(text, at + 1)
    while text[at] != "}":
        start = at
        key, at = scanstring(text, at + 1)
        at = _skip_blanks(text, _skip_blanks(text, at) + 1)
        if key == name:
            return start if isinstance(name, MemberName) else at
        _, at = _SKIP.raw_decode(text, at)
        at = _skip_blanks(text, at)
        if text[at] == ",":
            at = _skip_blanks(text, at + 1)
    return None


def _skip_blanks(text: str, at: int) -> int:
    match = _BLANK.match(text, at)
    return match.end() if match else at
