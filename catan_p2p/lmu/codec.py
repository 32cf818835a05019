"""Codecs between JSON and typed values. Reading tolerates harmless deviations, writing has one spelling.

Reading tolerates unknown members, null for an optional member, whole numbers written as 3.0, words in any case and
without umlauts, and any empty value for a message without members.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields
from functools import cache
from typing import Any, ClassVar, NamedTuple, TypeAlias, dataclass_transform, get_args, get_type_hints

from catan_p2p.game.cards import DEV_CARDS, FIELD_MAX, RESOURCES, Cards, pack, unpack
from catan_p2p.lmu.words import DEV_CARD_WORDS, RESOURCE_WORDS, UNKNOWN, folded

Json: TypeAlias = Any

MAX_ID = 2**31 - 1
MAX_TEXT = 1000
MAX_COORDINATE = 99
_BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Characters that look like a blank but that Unicode does not class as one."""
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")


class UnreadableJson(ValueError):
    """JSON that breaks the protocol; the message names the member and what was expected, in German."""


class UnknownCards(NamedTuple):
    """A number of cards whose kinds are hidden: ``{"Unbekannt": n}``."""

    number: int


class TilePlace(NamedTuple):
    """A tile in the protocol's coordinates."""

    x: int
    y: int


@dataclass(frozen=True, slots=True)
class Codec:
    """Reads and writes one kind of value; ``read`` raises ``UnreadableJson``."""

    read: Callable[[Json], Any]
    write: Callable[[Any], Json]


@dataclass(frozen=True, slots=True)
class JsonMember:
    """The name of a member of an object, and how its value is read and written."""

    name: str
    codec: Codec


@dataclass_transform(frozen_default=True)
class LmuMessage:
    """A message: a frozen dataclass whose fields are annotated with ``JsonMember``; ``KEY`` is its name in JSON."""

    KEY: ClassVar[str] = ""

    def __init_subclass__(cls, key: str = "") -> None:
        cls.KEY = key
        if key:
            dataclass(frozen=True)(cls)


def _same(value: Any) -> Any:
    return value


def whole(low: int, high: int) -> Codec:
    """A whole number from ``low`` to ``high``."""

    def read(value: Json) -> int:
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        # Not isinstance: true and false are integers in Python.
        if type(value) is not int or not low <= value <= high:
            raise UnreadableJson(f"eine ganze Zahl von {low} bis {high} erwartet")
        return value

    return Codec(read, _same)


def text(longest: int = MAX_TEXT) -> Codec:
    """A text of at most ``longest`` characters, without control characters."""

    def read(value: Json) -> str:
        if not isinstance(value, str):
            raise UnreadableJson("ein Text erwartet")
        if len(value) > longest:
            raise UnreadableJson(f"ein Text von höchstens {longest} Zeichen erwartet")
        if _CONTROL.search(value):
            raise UnreadableJson("ein Text ohne Steuerzeichen erwartet")
        return value

    return Codec(read, _same)


def _read_flag(value: Json) -> bool:
    if not isinstance(value, bool):
        raise UnreadableJson("true oder false erwartet")
    return value


def name(longest: int) -> Codec:
    """A name of one line; invisible characters and direction marks are removed, so that no two names look the same."""

    def read(value: Json) -> str:
        if not isinstance(value, str):
            raise UnreadableJson("ein Text erwartet")
        if len(value) > longest:
            raise UnreadableJson(f"ein Text von höchstens {longest} Zeichen erwartet")
        shown = (" " if one in _BLANK else one for one in unicodedata.normalize("NFC", value))
        kept = (one for one in shown if one.isprintable() or one.isspace())
        return " ".join("".join(kept).split())

    return Codec(read, _same)


def word(words: Mapping[Any, str]) -> Codec:
    """The key of one of ``words``, read in any case, with or without umlauts."""
    meant = {folded(spelling): value for value, spelling in words.items()}

    def read(value: Json) -> Any:
        found = folded(value) if isinstance(value, str) else None
        if found not in meant:
            raise UnreadableJson(f"eines von {', '.join(words.values())} erwartet")
        return meant[found]

    return Codec(read, lambda value: words[value])


def words(spellings: tuple[str, ...]) -> Codec:
    """One of these words; the value is the word itself."""
    return word({spelling: spelling for spelling in spellings})


def counts(kinds: tuple[Any, ...], spellings: Mapping[Any, str], *, hidden: bool) -> Codec:
    """The number of cards of each kind; if they may be ``hidden``, also ``UnknownCards``."""
    index = {folded(spellings[kind]): i for i, kind in enumerate(kinds)}
    number = whole(0, FIELD_MAX)

    def read(value: Json) -> Cards | UnknownCards:
        if not isinstance(value, dict):
            raise UnreadableJson("ein Objekt mit Karten erwartet")
        found = [0] * len(kinds)
        unknown = next((name for name in value if folded(name) == folded(UNKNOWN)), None)
        if unknown is not None:
            if not hidden:
                raise UnreadableJson(f"{UNKNOWN} ist hier nicht möglich")
            return UnknownCards(_member(unknown, whole(0, 5 * FIELD_MAX), value[unknown]))
        for name, amount in value.items():
            if folded(name) in index and amount is not None:
                found[index[folded(name)]] = _member(name, number, amount)
        return pack(found)

    def write(cards: Cards | UnknownCards) -> Json:
        if isinstance(cards, UnknownCards):
            return {UNKNOWN: cards.number}
        return {spellings[kind]: n for kind, n in zip(kinds, unpack(cards), strict=True) if n}

    return Codec(read, write)


def many(codec: Codec, least: int, most: int) -> Codec:
    """A list of ``least`` to ``most`` values."""

    def read(value: Json) -> tuple[Any, ...]:
        if not isinstance(value, list) or not least <= len(value) <= most:
            raise UnreadableJson(f"eine Liste von {least} bis {most} erwartet" if least != most else f"{most} erwartet")
        return tuple(_member(str(i), codec, one) for i, one in enumerate(value))

    return Codec(read, lambda value: [codec.write(one) for one in value])


def record(cls: type[Any]) -> Codec:
    """An object read into the dataclass ``cls``, whose fields are annotated with ``JsonMember``.

    A default makes a member optional.
    """
    return Codec(lambda value: _read_record(cls, value), lambda value: _write_record(cls, value))


def _members(cls: Any) -> dict[str, tuple[JsonMember, bool]]:
    hints = get_type_hints(cls, include_extras=True)
    return {one.name: (_annotated(hints[one.name]), one.default is MISSING) for one in fields(cls)}


members: Callable[[Any], dict[str, tuple[JsonMember, bool]]] = cache(_members)
"""For each field of a dataclass: its JSON member, and whether it is required."""


def _annotated(hint: Any) -> JsonMember:
    for argument in (hint, *get_args(hint)):
        for extra in getattr(argument, "__metadata__", ()):
            if isinstance(extra, JsonMember):
                return extra
    raise TypeError(f"{hint} has no member")


def _read_record(cls: type[Any], value: Json) -> Any:
    known = members(cls)
    if not isinstance(value, dict):
        if value or any(needed for _, needed in known.values()):
            raise UnreadableJson("ein Objekt erwartet")
        value = {}
    found = {}
    if not value.keys() <= {member.name for member, _ in known.values()}:
        spelled = {folded(member.name): member.name for member, _ in known.values()}
        # The exact spelling wins over another spelling of the same member.
        value = {spelled[folded(name)]: one for name, one in value.items() if folded(name) in spelled} | value
    for name, (member, needed) in known.items():
        given = value.get(member.name)
        if given is not None:
            found[name] = _member(member.name, member.codec, given)
        elif needed:
            raise UnreadableJson(f"{member.name}: fehlt")
    return cls(**found)


def _write_record(cls: type[Any], value: Any) -> Json:
    written = {}
    for name, (member, needed) in members(cls).items():
        own = getattr(value, name)
        if needed or own is not None:
            written[member.name] = member.codec.write(own)
    return written


def _member(name: str, codec: Codec, value: Json) -> Any:
    try:
        return codec.read(value)
    except UnreadableJson as error:
        inner = str(error)
        # An inner message that already has a path ("Ort.x: ...") gets this member in front of it.
        raise UnreadableJson(f"{name[:40]}.{inner}" if ": " in inner else f"{name[:40]}: {inner}") from None


COORDINATE = whole(-MAX_COORDINATE, MAX_COORDINATE)


def _read_place(value: Json) -> TilePlace:
    if not isinstance(value, dict) or "x" not in value or "y" not in value:
        raise UnreadableJson("ein Ort mit x und y erwartet")
    return TilePlace(_member("x", COORDINATE, value["x"]), _member("y", COORDINATE, value["y"]))


FLAG = Codec(_read_flag, _same)
ID = whole(0, MAX_ID)
"""A player's number: from 1 by the protocol, but some servers start at 0."""
TRADE_ID = whole(0, MAX_ID)
PLACE = Codec(_read_place, lambda place: {"x": place.x, "y": place.y})
EDGE = many(PLACE, 2, 2)
SPOT = many(PLACE, 2, 3)
"""Two tiles for a road, three for a settlement."""
RESOURCE = word(RESOURCE_WORDS)
RESOURCE_COUNTS = counts(RESOURCES, RESOURCE_WORDS, hidden=False)
SOME_RESOURCES = counts(RESOURCES, RESOURCE_WORDS, hidden=True)
SOME_DEV_CARDS = counts(DEV_CARDS, DEV_CARD_WORDS, hidden=True)
DEV_CARD = word({**DEV_CARD_WORDS, None: UNKNOWN})
"""A development card; None for a hidden one."""
