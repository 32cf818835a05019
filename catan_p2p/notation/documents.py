"""Files that are one JSON document: read as a whole, with checked access to the values."""

import json
from collections.abc import Mapping
from typing import Any, Protocol, TypeVar

from catan_p2p.notation.errors import NotationError, NotUtf8
from catan_p2p.notation.lines import MARK

MOST_CHARACTERS = 1 << 26
"""The longest document that is read; no game is longer."""

_T = TypeVar("_T")
_NAMES = {dict: "an object", list: "an array", int: "a whole number", str: "a text", bool: "true or false"}


class WholeFile(Protocol):
    """The methods of a text file that a reader of a document needs."""

    def read(self, limit: int, /) -> str:
        """At most ``limit`` characters of the file."""


def read_document(handle: WholeFile) -> dict[str, Any]:
    """The JSON object in a file; ``NotationError`` says where it is not one."""
    text = handle.read(MOST_CHARACTERS + 1)
    if len(text) > MOST_CHARACTERS:
        raise NotationError(f"more than {MOST_CHARACTERS} characters, which is too long for a game")
    if text[:2] in ("\udcff\udcfe", "\udcfe\udcff") or "\0" in text[:2]:
        raise NotUtf8("UTF-16 text, expected UTF-8", 1, 1)
    try:
        value = json.loads(text.removeprefix(MARK), parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        raise NotationError(f"not JSON: {error.msg}", error.lineno, error.colno) from None
    except RecursionError:
        raise NotationError("values are nested too deeply", 1, 1) from None
    except ValueError as error:
        raise NotationError(f"not JSON: {error}", 1, 1) from None
    document = checked(value, dict, "the file")
    for members, what in _FOREIGN.items():
        if document.keys() >= members:
            raise NotationError(f"{what}, expected a game of catanatron or a replay of colonist.io")
    return document


_FOREIGN = {
    frozenset(
        {"modelVersion", "savedByVersion"}
    ): "a savegame of JSettlers, which has one moment and not the game that "
    "led to it (JSettlers's event logs, .soclog, are read)",
    frozenset({"findings", "fine"}): "what import --json prints of a game",
    frozenset({"games", "total"}): "what stats --json prints of games",
}
"""JSON objects of other kinds, recognized by their members."""


def checked(value: object, kind: type[_T], where: str) -> _T:
    """The value if it has exactly this type; ``where`` names its place in the error."""
    # Not isinstance: JSON's true and false would pass as integers.
    if type(value) is not kind:
        raise NotationError(f"{where}: {_excerpt(value)}, expected {_NAMES[kind]}")
    return value


def member(value: dict[str, Any], name: str, kind: type[_T], where: str) -> _T:
    """A required member of an object."""
    if name not in value:
        raise NotationError(f"{where}: no {name!r} in it")
    return checked(value[name], kind, f"{where}, {name}")


def optional(value: dict[str, Any], name: str, kind: type[_T], where: str) -> _T | None:
    """A member of an object; None if it is missing or null."""
    return None if value.get(name) is None else checked(value[name], kind, f"{where}, {name}")


def whole(value: object, low: int, high: int, where: str) -> int:
    """A whole number from ``low`` to ``high``."""
    number = checked(value, int, where)
    if not low <= number <= high:
        raise NotationError(f"{where}: {_excerpt(value)}, expected {low} to {high}")
    return number


def one_of(value: object, words: Mapping[str, _T], where: str) -> _T:
    """The meaning of a value that must be one of these words."""
    word = checked(value, str, where)
    if word not in words:
        raise NotationError(f"{where}: {_excerpt(value)}, expected one of {', '.join(words)}")
    return words[word]


def _excerpt(value: object) -> str:
    try:
        text = json.dumps(value)
    except (TypeError, ValueError, RecursionError):
        text = type(value).__name__
    return text if len(text) <= 40 else f"{text[:40]}..."


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not a number")
