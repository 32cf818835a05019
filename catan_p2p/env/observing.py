"""What a player may know of a state, as arrays of fixed shape and as readable values.

A player sees the board, the bank, all pieces, their own cards, the unveiled cards of others and the number of their
hidden cards. Seats are counted from the viewer: entry 0 is the viewer, entry 1 the next in turn, so that one policy can
play every seat. Rows of players who do not play, and of points that the island does not have, are zero.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from catan_p2p.env.action_space import LANDS, POINTS, ROADS, SEATS
from catan_p2p.game.board import Board, numbers
from catan_p2p.game.cards import RESOURCES, CardCounts, Cards, total
from catan_p2p.game.constants import Constants, Player
from catan_p2p.game.flat import PHASE_NUMBER, CoreBuild, ObservationBuffer, fastest, places
from catan_p2p.game.state import TURN_PHASES, State, TurnPhase

PHASES: tuple[TurnPhase, ...] = tuple(phase for phase in TURN_PHASES if phase not in ("Pledging", "Drawing", "Signing"))
"""The phases of a game without a log; those of joint draws do not occur in an environment."""
PLAYER_FEATURES = places.OF_SEAT
"""The numbers for each seat, which ``catan_p2p.game.flat.observing`` writes."""
TABLE_FEATURES = 10 + len(PHASES) + 3 + 1 + 13 + 10 + 5 + 3
TILE_FEATURES = places.OF_TILE
"""The numbers for each land tile: its resource (5), the throws of 36 that yield it, whether it is the desert, and
whether the bandit is there."""
SHAPES: dict[str, tuple[int, ...]] = {
    "players": (SEATS, PLAYER_FEATURES),
    "table": (TABLE_FEATURES,),
    "hand": (15,),
    "points": (SEATS, 2, POINTS),
    "roads": (SEATS, ROADS),
    "tiles": (LANDS, TILE_FEATURES),
    "wharfs": (6, POINTS),
}
"""The shape of each array, of ``float32`` and never negative. docs/guides/environment.md explains each entry."""


def _laid_out() -> dict[str, slice]:
    found, first = {}, 0
    for name, shape in SHAPES.items():
        size = int(np.prod(shape))
        found[name] = slice(first, first + size)
        first += size
    return found


SLICES: dict[str, slice] = _laid_out()
"""The slice of each array in the flat observation."""
OBSERVATION_SIZE = sum(part.stop - part.start for part in SLICES.values())


_STARTS = [part.start for part in SLICES.values()] + [OBSERVATION_SIZE]
_FIRST_PHASE = 10
"""The column of ``table`` at which the phases begin."""


def _columns() -> list[int]:
    found = [0] * (max(PHASE_NUMBER.values()) + 1)
    for phase, number in PHASE_NUMBER.items():
        found[number] = _FIRST_PHASE + PHASES.index(phase)
    return found


_COLUMNS = _columns()
"""The column of each phase in ``table``, by the flat core's number of the phase."""


class ObservedEpisode:
    """An array into which the flat core writes what a player may know of a game."""

    def __init__(self, array: Any = None) -> None:
        self.array = np.empty(OBSERVATION_SIZE, np.float32) if array is None else array
        self._constants: Constants | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {"array": self.array, "_constants": None}

    def writer(self, core: CoreBuild, constants: Constants) -> ObservationBuffer:
        """The core's writer into the array for games with these constants; ``ValueError`` if the island is too big."""
        if constants is not self._constants:
            self._writer = core.observation(constants, memoryview(self.array), _STARTS, _COLUMNS)
            self.array[:] = _island(constants.board)
            self._constants = constants
        return self._writer


@lru_cache(maxsize=64)
def _island(board: Board) -> Any:
    """An observation of the island alone: its land tiles and wharfs."""
    island: Any = np.zeros(OBSERVATION_SIZE, np.float32)
    tiles, wharfs = (island[SLICES[name]].reshape(SHAPES[name]) for name in ("tiles", "wharfs"))
    for row, number in enumerate(board.land):
        tile = board.map.tiles[number - 1]
        if tile.resource is not None and tile.number is not None:
            tiles[row, RESOURCES.index(tile.resource)] = 1
            tiles[row, 5] = 6 - abs(7 - tile.number)
        tiles[row, 6] = tile.terrain == "desert"
    for row, points in enumerate(board.wharf_points.values()):
        wharfs[row, [point - 1 for point in numbers(points)]] = 1
    island.setflags(write=False)
    return island


def flat(state: State, player: Player, given_up: Cards = 0) -> Any:
    """The arrays of ``observe`` in one flat array of ``OBSERVATION_SIZE`` numbers."""
    if player not in state.constants.players:
        raise ValueError(f"player {player}: expected 1 to {state.constants.player_count}")
    core, at = fastest(), ObservedEpisode()
    at.writer(core, state.constants).write(core.shown(state), player, given_up)
    return at.array


def observe(state: State, player: Player, given_up: Cards = 0) -> dict[str, Any]:
    """The arrays of ``SHAPES`` for a viewer who has named ``given_up`` of the cards to discard."""
    row = flat(state, player, given_up)
    return {name: row[part].reshape(SHAPES[name]) for name, part in SLICES.items()}


def told(state: State, player: Player) -> dict[str, Any]:
    """What a player may know as names and numbers: the same as ``observe``, readable."""

    def seen(seat: Player) -> dict[str, Any]:
        hand, left = state.h[seat - 1], state.b[seat - 1]
        return {
            "player": seat,
            "points": state.points(seat),
            "resource cards": total(hand.rc),
            "development cards": total(hand.bc) + total(hand.ac),
            "unveiled": dict(hand.unveiled),
            "pieces left": left._asdict(),
            "longest road": state.lr == seat,
            "largest army": state.la == seat,
        }

    hand = state.h[player - 1]
    return {
        "viewer": player,
        "phase": state.sup if state.tp == "bot" else state.tp,
        "dice": state.dice,
        "active player": state.su_ap if state.tp == "bot" else state.ap,
        "bandit": state.ba,
        "bank": dict(state.bnk.resources),
        "development cards left": total(state.bnk.dc),
        "offer": {"give": dict(CardCounts(state.offer.give)), "receive": dict(CardCounts(state.offer.receive))},
        "answers": list(state.ans),
        "own": {
            "resources": dict(hand.resources),
            "bought": dict(hand.bought),
            "available": dict(hand.available),
        },
        "players": [seen(seat) for seat in state.constants.players],
        "villages": [_places(points) for points in state.s.villages],
        "cities": [_places(points) for points in state.s.cities],
        "roads": [_places(points) for points in state.r],
    }


def _places(points: int) -> list[int]:

    return list(numbers(points))
