"""The events of a game as lines of JSON, as public views keep what a client of a server was told.

Every event has its line, on any map; what was not told is null. It is no format of files: nobody else writes it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import fields
from datetime import datetime

from catan_p2p.board import MapError, format_tiles, format_wharfs, parse_map
from catan_p2p.notation.errors import NotationError, Unsayable
from catan_p2p.notation.events import EVENTS, Event, GameStarted, Participant, PlayerEvent

_NAMED: dict[str, type[Event]] = {kind.__name__: kind for kind in EVENTS if kind is not GameStarted}


def start_lines(start: GameStarted) -> Iterator[str]:
    """Who plays and the map, in one line."""
    yield json.dumps(
        {
            "players": [list(player) for player in start.players],
            "tiles": format_tiles(start.map.tiles),
            "wharfs": format_wharfs(start.map.wharfs),
            "started": start.started.isoformat() if start.started else None,
        }
    )


def read_start(lines: Iterator[tuple[int, str]]) -> GameStarted:
    """The first event from the lines of ``start_lines``; ``NotationError`` if they are not that."""
    number, line = next(lines, (1, ""))
    try:
        told = json.loads(line)
        players = tuple(Participant(int(seat), str(name), str(colour)) for seat, name, colour in told["players"])
        started = None if told["started"] is None else datetime.fromisoformat(told["started"])
        return GameStarted(players, parse_map(told["tiles"], told["wharfs"]), started)
    except (ValueError, TypeError, LookupError, MapError) as error:
        raise NotationError(f"not the beginning of a game: {error}", number, 1) from None


def speller(start: GameStarted) -> Callable[[Event], tuple[str, ...]]:
    """Gives the line of an event."""

    def spell(event: Event) -> tuple[str, ...]:
        if type(event).__name__ not in _NAMED:
            raise Unsayable(f"{event} within a game")
        members = {one.name: getattr(event, one.name) for one in fields(event) if one.name not in ("line", "column")}
        return (json.dumps([type(event).__name__, members]),)

    return spell


class BodyReader:
    """Reads events again, one a line."""

    def __init__(self, start: GameStarted) -> None:
        self._players = len(start.players)

    def take(self, line: str, number: int) -> tuple[Event, ...]:
        """The event of a line; ``NotationError`` if it is none."""
        try:
            name, members = json.loads(line)
            event = _NAMED[name](**members, line=number, column=1)
        except (ValueError, TypeError, LookupError) as error:
            raise NotationError(f"not an event: {error}", number, 1) from None
        if not isinstance(event, PlayerEvent) or event.player not in range(1, self._players + 1):
            raise NotationError(f"{name} of nobody who plays", number, 1)
        return (event,)

    def rest(self) -> tuple[Event, ...]:
        """Nothing is held back."""
        return ()
