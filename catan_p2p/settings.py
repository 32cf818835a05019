"""Checks of what callers pass to the public functions: the message names the setting, the value, and what was expected.

``TypeError`` for a value of another type, ``ValueError`` for one outside its range. True and False are no numbers.
"""

from __future__ import annotations

import operator
import os
from collections.abc import Iterable, Sequence
from typing import Any

from catan_p2p.limits import MAX_SEATS


def whole(name: str, value: object, least: int = 0, most: int | None = None) -> int:
    """The whole number that a setting is; also one of NumPy's."""
    told = f"{least} to {most}" if most is not None else f"a whole number, {least} or more"
    try:
        if isinstance(value, bool):
            raise TypeError
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(f"{name} {value!r}: expected {told}") from None
    if number < least or (most is not None and number > most):
        raise ValueError(f"{name} {number}: expected {told}")
    return number


def word(name: str, value: object, words: Iterable[str]) -> str:
    """One of some words."""
    known = tuple(words)
    if value not in known or not isinstance(value, str):
        error = ValueError if isinstance(value, str) else TypeError
        raise error(f"{name} {value!r}: expected one of {', '.join(known)}")
    return value


def text(name: str, value: object, what: str) -> str:
    """Any text; ``what`` says what it means."""
    if not isinstance(value, str):
        raise TypeError(f"{name} {value!r}: expected {what}")
    return value


def flag(name: str, value: object) -> bool:
    """True or False."""
    if not isinstance(value, bool):
        raise TypeError(f"{name} {value!r}: expected True or False")
    return value


def path(name: str, value: object) -> None:
    """Raise ``TypeError`` unless the value is a path: a text or a ``pathlib.Path``."""
    if not isinstance(value, str | os.PathLike) or not isinstance(os.fspath(value), str):
        raise TypeError(f"{name} {value!r}: expected a path, as text or as a Path")


def generator(name: str, value: object) -> None:
    """Raise ``TypeError`` unless the value draws numbers as a ``random.Random`` does."""
    if isinstance(value, type) or not all(
        callable(getattr(value, method, None)) for method in ("randrange", "randint")
    ):
        raise TypeError(f"{name} {value!r}: expected a random.Random")


def several(name: str, value: object, count: int, what: str) -> Sequence[Any]:
    """A list or another sequence of ``count`` values."""
    if not isinstance(value, Sequence) or isinstance(value, str | bytes):
        raise TypeError(f"{name} {value!r}: expected {count} {what}")
    if len(value) != count:
        raise ValueError(f"{name}: {len(value)}, expected {count} {what}")
    return value


def players(value: object) -> int:
    """The number of players."""
    return whole("players", value, 2, MAX_SEATS)


def seed(value: object) -> int:
    """The seed of all chance."""
    return whole("seed", value)


def rules(value: object) -> str:
    """The text that names rules; whether there are such rules is found out where they are read."""
    return text("rules", value, "the name of a profile, with changes or without, as in 'standard; HandLimit = 9'")


def map_name(value: object) -> str:
    """The name of a map or the text of a map file; whether it is one is found out where it is read."""
    return text("map", value, "the name of a map or the text of a map file")
