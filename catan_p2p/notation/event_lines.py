"""Events as lines of JSON: how a public view keeps what was read from a format that has no lines of its own.

So are kept replays that are one JSON document, and what a client of the LMU protocol was told. Every event has its
line, on any map. It is no format of files: nobody else writes it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import fields
from datetime import datetime
from typing import Any

from catan_p2p.board import Map, format_tiles, format_wharfs, parse_map
from catan_p2p.cards import pack, unpack
from catan_p2p.notation.errors import NotationError, Unsayable
from catan_p2p.notation.events import EVENTS, Event, GameStarted, Participant, PlayerEvent

_KINDS = {kind.__name__: kind for kind in EVENTS if issubclass(kind, PlayerEvent)}
_CARDS = ("give", "receive", "cards")
"""Fields that are resource cards."""
_PLACES = ("line", "column")


def speller(start: GameStarted) -> Callable[[Event], tuple[str, ...]]:
    """Gives the line of an event: always one."""
    return lambda event: (spell(event),)


def spell(event: Event) -> str:
    """An event within a game as one line; where it was read is kept, and what nobody says is left out."""
    if type(event).__name__ not in _KINDS:
        raise Unsayable(f"{event} within a game")
    told: dict[str, Any] = {}
    for field in fields(event):
        value = getattr(event, field.name)
        if value is not None and not (field.name in _PLACES and not value):
            told[field.name] = list(unpack(value)) if field.name in _CARDS else value
    return json.dumps([type(event).__name__, told], separators=(",", ":"))


def parse(line: str, players: int) -> Event:
    """The event of a line in a game of so many players; ``NotationError`` if it is none."""
    try:
        name, told = json.loads(line)
        kind = _KINDS[name]
        values: dict[str, Any] = {field.name: None for field in fields(kind) if field.name not in _PLACES}
        for key, value in told.items():
            values[key] = pack(value) if key in _CARDS else tuple(value) if isinstance(value, list) else value
        event = kind(**values)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise NotationError(f"not an event: {error}") from None
    if event.player not in range(1, players + 1):
        raise NotationError(f"{name} of nobody who plays")
    return event


def start_lines(start: GameStarted) -> Iterator[str]:
    """The beginning of a game, in one line."""
    yield json.dumps(
        {
            "players": [list(player) for player in start.players],
            "tiles": format_tiles(start.map.tiles),
            "wharfs": format_wharfs(start.map.wharfs),
            "started": start.started.isoformat() if start.started else None,
            "version": start.version,
            "rules": start.rules,
            "headers": dict(start.headers),
        },
        separators=(",", ":"),
    )


def read_start(lines: Iterator[tuple[int, str]]) -> GameStarted:
    """The beginning of a game, which is the first of these lines."""
    try:
        told = json.loads(next(lines)[1])
        map: Map = parse_map(told["tiles"], told["wharfs"])
        players = tuple(Participant(int(seat), str(name), str(colour)) for seat, name, colour in told["players"])
        started = datetime.fromisoformat(told["started"]) if told["started"] else None
        return GameStarted(players, map, started, told["version"], told["rules"], tuple(told["headers"].items()))
    except (ValueError, TypeError, KeyError, AttributeError, StopIteration, RecursionError) as error:
        raise NotationError(f"not the beginning of a game: {error}") from None


class BodyReader:
    """Reads the lines after the beginning."""

    def __init__(self, start: GameStarted) -> None:
        self._players = len(start.players)

    def take(self, text: str, number: int) -> tuple[Event, ...]:
        """The event of a line."""
        return (parse(text, self._players),)

    def rest(self) -> tuple[Event, ...]:
        """What waits for further lines: nothing."""
        return ()
