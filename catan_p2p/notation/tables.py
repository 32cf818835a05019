"""The facts that each notation has about a game, and the order of play behind its seats."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain
from typing import Literal, TypeAlias, get_args

from catan_p2p.game.board import board_of
from catan_p2p.game.constants import Player
from catan_p2p.log.refs import COLOURS
from catan_p2p.notation.catanlog.header import MAX_PLAYERS, MIN_PLAYERS
from catan_p2p.notation.coordinates import STANDARD_PLACES, is_standard_island
from catan_p2p.notation.errors import NotationError, PlayersUnclear
from catan_p2p.notation.lines import OnError
from catan_p2p.notation.players import nameless
from catan_p2p.notation.sgn.words import places_of
from catan_p2p.view import events as e
from catan_p2p.view.advance import ViewContext

Format: TypeAlias = Literal["catan", "sgn", "catanatron", "colonist", "soclog"]
FORMATS: tuple[Format, ...] = get_args(Format)
ViewFormat: TypeAlias = Literal["catan", "sgn", "catanatron", "colonist", "soclog", "lmu", "hidden"]
"""The sources of public views: the file formats, an LMU client's messages, and games of hidden hands."""
VIEW_FORMATS: tuple[ViewFormat, ...] = get_args(ViewFormat)

_TYPED = ("catan", "sgn")
"""Formats that people type at a table; programs write the others."""

_USUAL_RULES: dict[ViewFormat, str] = {"catanatron": "standard"}
"""The profile assumed for a game that keeps its rules as well as others'; the thesis's for all other formats."""


def begun(events: Iterable[e.Event]) -> tuple[e.GameStarted, Iterator[e.Event]]:
    """The start of a game and the events after it; ``NotationError`` if the first event is another one."""
    stream = iter(events)
    start = next(stream, None)
    if not isinstance(start, e.GameStarted):
        raise NotationError("a game begins with its map")
    return start, stream


def table_for(start: e.GameStarted, format: ViewFormat) -> ViewContext:
    """The context in which to read events of this format; the players must be known."""
    names = tuple(player.colour.capitalize() for player in start.players)
    if format == "lmu":
        return ViewContext(
            names,
            says_turn_ends=True,
            says_discards=False,
            spell_tile=lambda tile: f"tile {tile}",
            spell_node=lambda point: f"point {point}",
            spell_edge=lambda point: f"road point {point}",
            is_typed=False,
        )
    board = board_of(start.map)
    if format != "sgn" and is_standard_island(board):
        places = STANDARD_PLACES
        return ViewContext(
            names,
            says_turn_ends=True,
            says_discards=format != "catan",
            spell_tile=lambda tile: f"tile {places.tile_ids[tile]}" if tile in places.tile_ids else "a sea tile",
            spell_node=lambda point: places.node_names[point],
            spell_edge=lambda point: places.edge_names[point],
            is_typed=format in _TYPED,
            hides_points=format == "hidden",
            usual_rules=_USUAL_RULES.get(format, "thesis"),
        )
    texts = places_of(board)
    return ViewContext(
        names,
        says_turn_ends=format != "sgn",
        says_discards=True,
        spell_tile=lambda tile: texts.tile_texts[tile],
        spell_node=lambda point: texts.intersection_texts[point],
        spell_edge=lambda point: texts.path_texts[point],
        is_typed=format in _TYPED,
        hides_points=format == "hidden",
    )


def in_order_of_play(
    events: Iterable[e.Event], player_count: int | None = None, on_error: OnError | None = None
) -> Iterator[e.Event]:
    """The same events with players numbered in the order of play, which is the order of their first villages.

    The first event then names all players in that order; their seats stay those of the file. If the file does not say
    how many play, they are those who settle before one settles a second time; ``PlayersUnclear`` if it ends before that
    and there is no ``player_count``. ``NotationError`` for an event of anybody else; with ``on_error`` the error is
    passed to it and the event left out.
    """
    start, stream = begun(events)
    count = len(start.players) or player_count
    held, order, is_complete = _settlers(stream, count)
    if count is None and not is_complete:
        raise PlayersUnclear(f"the file ends before it is clear how many play, at least {max(MIN_PLAYERS, len(order))}")
    wanted = max(count or len(order), MIN_PLAYERS)
    # the players who have not settled yet follow clockwise
    # Numbers may have gaps, as 1, 2 and 5 for three players.
    seats = wanted if all(player <= wanted for player in order) else MAX_PLAYERS
    first = order[0] if order else 1
    clockwise = [(first + i - 1) % seats + 1 for i in range(seats)]
    order += [player for player in clockwise if player not in order][: wanted - len(order)]
    yield replace(start, players=_participants(start, order))
    place = {player: number for number, player in enumerate(order, 1)}
    is_same = all(player == number for player, number in place.items())
    for event in chain(held, stream):
        stranger = e.stranger_in(event, place)
        if stranger is None:
            yield event if is_same else e.renumbered(event, place)
            continue
        error = NotationError(f"player {stranger} has not settled and does not play", event.line, event.column)
        if on_error is None:
            raise error
        on_error(error)


def _settlers(stream: Iterator[e.Event], count: int | None) -> tuple[list[e.Event], list[Player], bool]:
    """The events up to the last player's first village, the players in the order of settling, and whether they are all.

    Players who were excused before they settled come last. If ``count`` is unknown, all have settled once one settles
    again, other than to move a village that has no road yet.
    """
    held: list[e.Event] = []
    order: list[Player] = []
    left: list[Player] = []
    has_road = True
    while len(order) + len(left) != count and len(held) < _LONGEST_SETUP:
        event = next(stream, None)
        if event is None:
            return held, order + left, False
        held.append(event)
        if isinstance(event, e.PlayerExcused) and event.other not in order:
            left.append(event.other)
        if isinstance(event, e.VillageBuilt):
            if event.player not in order:
                order.append(event.player)
            elif count is None and has_road:
                return held, order + left, True
        has_road = not isinstance(event, e.VillageBuilt)
    return held, order + left, len(order) + len(left) == count


_LONGEST_SETUP = 1000
"""How many events may come before the last player's first village."""


def _participants(start: e.GameStarted, order: list[Player]) -> tuple[e.Participant, ...]:
    if not start.players:
        return tuple(e.Participant(player, nameless(player), COLOURS[player - 1].lower()) for player in order)
    return tuple(start.players[player - 1] for player in order)
