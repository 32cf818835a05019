"""Dataclasses that were written as JSON objects, read back: every field has its type, or it is told which has not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, fields
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

T = TypeVar("T")


def parse_record(record: Callable[..., T], raw: object) -> T:
    """The dataclass ``record`` from a parsed JSON object; ``ValueError`` names the field that is wrong.

    Fields with a default may be missing. Numbers, words, truth values and tuples of them are understood.
    """
    if not isinstance(raw, dict):
        raise ValueError("expected a JSON object")
    known = {one.name: one for one in fields(record)}  # type: ignore[arg-type]
    for name in raw:
        if name not in known:
            raise ValueError(f"{name!r} is no field")
    hints = get_type_hints(record)
    values = {}
    for name, one in known.items():
        if name in raw:
            values[name] = _parse(name, hints[name], raw[name])
        elif one.default is MISSING:
            raise ValueError(f"{name!r} is missing")
    return record(**values)


def _parse(name: str, expected: Any, value: object) -> object:
    if get_origin(expected) is tuple:
        member = get_args(expected)[0]
        if isinstance(value, list):
            return tuple(_parse(name, member, one) for one in value)
        raise ValueError(f"{name!r} is {value!r}, expected a list")
    plain = getattr(expected, "__supertype__", expected)
    accepted = (int, float) if plain is float else (plain,)
    if type(value) not in accepted:
        raise ValueError(f"{name!r} is {value!r}, expected {plain.__name__}")
    return value
