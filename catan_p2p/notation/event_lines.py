"""Events as lines of JSON, in which a public view keeps a game of a format without lines of its own.

Those are replays that are one JSON document, games of LMU clients, and games of hidden hands. Every event on any map
has one line. This is not a format of files: no other program writes it.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import MISSING
from datetime import datetime
from typing import Any, NamedTuple, TypeAlias

from catan_p2p.game.board import Board, Map, board_of, format_tiles, format_wharfs, parse_map
from catan_p2p.game.cards import DEV_CARDS, RESOURCES, is_valid, pack, unpack
from catan_p2p.notation.errors import NotationError, NotExpressible
from catan_p2p.view import events as e

_KINDS = {kind.__name__: kind for kind in e.EVENTS if issubclass(kind, e.PlayerEvent)}
_CARDS = ("give", "receive", "cards")
"""Fields that are resource cards."""


def speller(start: e.GameStarted) -> Callable[[e.Event], tuple[str, ...]]:
    """A function that writes an event as one line."""
    return lambda event: (spell(event),)


def spell(event: e.Event) -> str:
    """An event within a game as one line, with its place in the file; fields at their defaults are left out."""
    if type(event).__name__ not in _KINDS:
        raise NotExpressible(f"{event} within a game")
    told: dict[str, Any] = {}
    for field in e.written_fields(event):
        value = getattr(event, field.name)
        if value is not None and value != field.default:
            told[field.name] = list(unpack(value)) if field.name in _CARDS else value
    return json.dumps([type(event).__name__, told], separators=(",", ":"))


def parse(line: str, start: e.GameStarted) -> e.Event:
    """The event of a line of this game; ``NotationError`` if it is not one."""
    try:
        name, told = json.loads(line)
        kind = _KINDS[name]
        values: dict[str, Any] = {field.name: None for field in e.written_fields(kind) if field.default is MISSING}
        names = {field.name for field in e.written_fields(kind)}
        for key, value in told.items():
            if key not in names:
                raise ValueError(f"{name} has no {key!r}")
            values[key] = pack(_whole(value)) if key in _CARDS else tuple(value) if isinstance(value, list) else value
        event = kind(**values)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise NotationError(f"not an event: {error}") from None
    if wrong := misfit(event, board_of(start.map), len(start.players)):
        raise NotationError(f"{name}: {wrong}")
    return event


def _whole(counts: Any) -> list[int]:
    if not all(type(count) is int for count in counts):
        raise ValueError("expected whole numbers of cards")
    return list(counts)


def misfit(event: e.Event, board: Board, player_count: int) -> str | None:
    """A sentence about the first field whose value is impossible in such a game, None if there is none."""
    if type(event).__name__ not in _KINDS:
        return "it follows from what players do, so it is in no record of a game"
    for field in e.written_fields(event):
        value = getattr(event, field.name)
        if not _FITS[field.name](value, event, _EventContext(board, player_count)):
            return f"{field.name} is {str(value)[:40]}, which cannot be"
    return None


class _EventContext(NamedTuple):
    """The bounds of the values of events: the board and the number of players."""

    board: Board
    player_count: int


def _is_in(value: object, low: int, high: int) -> bool:
    return type(value) is int and low <= value <= high


def _is_number(value: object, event: e.Event, game: _EventContext) -> bool:
    return _is_in(value, 0, _MOST)


def _is_place(value: object, event: e.Event, game: _EventContext) -> bool:
    if isinstance(event, e.BanditStands | e.BanditMoved):
        return _is_in(value, 1, game.board.tile_count)
    is_road = isinstance(event, e.RoadBuilt | e.RoadBuildingPlayed)
    return _is_in(value, 1, game.board.road_count if is_road else game.board.settlement_count)


def _is_player(value: object, event: e.Event, game: _EventContext) -> bool:
    return _is_in(value, 1, game.player_count)


def _is_half(value: object, event: e.Event, game: _EventContext) -> bool:
    """A field of a progress card that brings two things, roads or resources."""
    if value is None:
        return True
    return _is_place(value, event, game) if isinstance(event, e.RoadBuildingPlayed) else _is_one_of(value, RESOURCES)


def _are_cards(value: object, event: e.Event, game: _EventContext) -> bool:
    return type(value) is int and is_valid(value)


def _is_card(value: object, event: e.Event, game: _EventContext) -> bool:
    kinds = ("none", *RESOURCES) if isinstance(event, e.BanditMoved) else DEV_CARDS
    return value is None or _is_one_of(value, kinds)


def _is_one_of(value: object, names: tuple[str, ...]) -> bool:
    return isinstance(value, str) and value in names


_Fits: TypeAlias = Callable[[Any, e.Event, _EventContext], bool]
_MOST = 10**9
_MOST_SECONDS = 10**12  # as in `.catan`; below zero where a clock was set back
_FITS: dict[str, _Fits] = {
    "line": _is_number,
    "column": _is_number,
    "player": _is_player,
    "other": _is_player,
    "victim": lambda value, event, game: value is None or _is_in(value, 0, game.player_count),
    "at": _is_place,
    "to": _is_place,
    "first": _is_half,
    "second": _is_half,
    "card": _is_card,
    "resource": lambda value, event, game: _is_one_of(value, RESOURCES),
    "dice": lambda value, event, game: _is_in(value, 2, 12),
    "pair": lambda value, event, game: (
        value is None or (isinstance(value, tuple) and len(value) == 2 and all(_is_in(one, 1, 6) for one in value))
    ),
    "cards": _are_cards,
    "unseen": _is_number,
    "give": _are_cards,
    "receive": _are_cards,
    "rate": lambda value, event, game: value is None or _is_one_of(value, (e.FOUR_TO_ONE, e.THREE_TO_ONE, *RESOURCES)),
    "accepts": lambda value, event, game: isinstance(value, bool),
    "seconds": lambda value, event, game: value is None or _is_in(value, -_MOST_SECONDS, _MOST_SECONDS),
}
"""By its name what the value of a field can be."""


def start_lines(start: e.GameStarted) -> Iterator[str]:
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


def read_start(lines: Iterator[tuple[int, str]]) -> e.GameStarted:
    """The start of a game, which is the first of these lines."""
    try:
        told = json.loads(next(lines)[1])
        map: Map = parse_map(told["tiles"], told["wharfs"])
        players = tuple(e.Participant(int(seat), str(name), str(colour)) for seat, name, colour in told["players"])
        started = datetime.fromisoformat(told["started"]) if told["started"] else None
        return e.GameStarted(players, map, started, told["version"], told["rules"], tuple(told["headers"].items()))
    except (ValueError, TypeError, KeyError, AttributeError, StopIteration, RecursionError) as error:
        raise NotationError(f"not the beginning of a game: {error}") from None


class EventBodyReader:
    """Reads the lines after the beginning."""

    def __init__(self, start: e.GameStarted) -> None:
        self._start = start

    def take(self, text: str, number: int) -> tuple[e.Event, ...]:
        """The event of a line."""
        return (parse(text, self._start),)

    def rest(self) -> tuple[e.Event, ...]:
        """Events that wait for further lines: none in this format."""
        return ()


body_reader = EventBodyReader
"""The common name of the readers of all line formats."""
