"""What a player may know of a state, as arrays of fixed shape and as readable values.

A player sees the board, the bank, all pieces, their own cards, how many cards the others hold and what the others have
unveiled, but not which cards the others hold. Seats are counted from the viewer: entry 0 is the viewer, entry 1 the
next in turn, so one policy can play every seat. Rows of players who do not play, and of points that the island does not
have, are zero.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from catan_p2p.env.action_space import LANDS, NOTHING_BEGUN, POINTS, ROADS, SEATS, Begun
from catan_p2p.game.board import Board, numbers
from catan_p2p.game.cards import RESOURCES, CardCounts, total, unpack
from catan_p2p.game.constants import Player
from catan_p2p.game.state import TURN_PHASES, State, TurnPhase

PHASES: tuple[TurnPhase, ...] = tuple(phase for phase in TURN_PHASES if phase not in ("Pledging", "Drawing", "Signing"))
"""The phases of a game in which the environment asks for decisions; those of joint chance belong to the logs."""
PLAYER_FEATURES = 26
"""Numbers for each seat, see ``_seat_row``."""
TABLE_FEATURES = 10 + len(PHASES) + 3 + 1 + 13 + 10 + 5 + 3
TILE_FEATURES = 8
"""of each land tile: its resource (5), throws out of 36 that yield it, whether it is desert, whether the bandit is
there
"""
_POINT_BYTES = (POINTS + 8) // 8
_ROAD_BYTES = (ROADS + 8) // 8

SHAPES: dict[str, tuple[int, ...]] = {
    "players": (SEATS, PLAYER_FEATURES),
    "table": (TABLE_FEATURES,),
    "hand": (15,),
    "points": (SEATS, 2, POINTS),
    "roads": (SEATS, ROADS),
    "tiles": (LANDS, TILE_FEATURES),
    "wharfs": (6, POINTS),
}
"""Shape of each array; all are of ``float32``, and none is negative. docs/guides/environment.md explains each entry."""


def _laid_out() -> dict[str, slice]:
    found, first = {}, 0
    for name, shape in SHAPES.items():
        size = int(np.prod(shape))
        found[name] = slice(first, first + size)
        first += size
    return found


SLICES: dict[str, slice] = _laid_out()
"""Where each array lies in the flat observation."""
OBSERVATION_SIZE = sum(part.stop - part.start for part in SLICES.values())


def flat(state: State, player: Player, begun: Begun = NOTHING_BEGUN) -> Any:
    """The arrays of ``observe`` in a row, ``OBSERVATION_SIZE`` numbers."""
    return np.concatenate([array.ravel() for array in observe(state, player, begun).values()])


def observe(state: State, player: Player, begun: Begun = NOTHING_BEGUN) -> dict[str, Any]:
    """The arrays of ``SHAPES`` for a viewer; ``begun`` is what the viewer has named of an unfinished action."""
    order = [*range(player, state.constants.player_count + 1), *range(1, player)]
    seats = len(order)
    players: Any = np.zeros(SHAPES["players"], np.float32)
    points: Any = np.zeros(SHAPES["points"], np.float32)
    roads: Any = np.zeros(SHAPES["roads"], np.float32)
    for row, seat in enumerate(order):
        players[row] = _seat_row(state, seat, row)
    points[:seats, 0] = [_bits(state.s.villages[seat - 1], _POINT_BYTES, POINTS) for seat in order]
    points[:seats, 1] = [_bits(state.s.cities[seat - 1], _POINT_BYTES, POINTS) for seat in order]
    roads[:seats] = [_bits(state.r[seat - 1], _ROAD_BYTES, ROADS) for seat in order]
    return {
        "players": players,
        "table": np.array(_table(state, player, order), np.float32),
        "hand": np.array(_own(state, player, begun), np.float32),
        "points": points,
        "roads": roads,
        "tiles": _tiles(state.constants.board, state.ba),
        "wharfs": _wharfs(state.constants.board),
    }


@lru_cache(maxsize=1 << 14)
def _bits(points: int, length: int, count: int) -> Any:
    """A set of numbers from 1 as zeros and ones."""
    bits = np.unpackbits(np.frombuffer(points.to_bytes(length, "little"), np.uint8), bitorder="little")
    return bits[1 : count + 1].astype(np.float32)


def _seat_row(state: State, seat: Player, row: int) -> list[float]:
    """What everybody sees of a seat, in 26 numbers.

    plays, resource cards, cards bought, cards available; unveiled by type (5); points, longest road, largest army;
    roads, villages, cities left; its turn, awaited to build, set-up turn; must keep so many cards; start roll; answer
    (none, asked, accept, reject); distance in turn, whether it began.
    """
    hand, left = state.h[seat - 1], state.b[seat - 1]
    answer = state.ans[seat - 1]
    return [
        1,
        total(hand.rc),
        total(hand.bc),
        total(hand.ac),
        *unpack(hand.uc),
        state.points(seat),
        state.lr == seat,
        state.la == seat,
        left.road,
        left.village,
        left.city,
        state.ap == seat,
        state.sb == seat,
        state.tp == "bot" and state.su_ap == seat,
        state.lim[seat - 1],
        state.rolls[seat - 1],
        answer == "none",
        answer == "asked",
        answer == "accept",
        answer == "reject",
        row,
        state.first == seat,
    ]


def _table(state: State, player: Player, order: list[Player]) -> list[float]:
    """The bank (5 resources, cards left), the discard pile's size, the phase, the dice, the offer, the rules."""
    rules = state.constants.rules
    dice = [0.0] * 13
    dice[state.dice] = 1.0
    return [
        *unpack(state.bnk.rc),
        total(state.bnk.dc),
        total(state.dp),
        state.pd,
        len(order),
        rules.points_to_win,
        *(state.tp == phase for phase in PHASES),
        *(state.sup == phase for phase in ("Rolling", "PhaseOne", "PhaseTwo")),
        state.is_over,
        *dice,
        *unpack(state.offer.give),
        *unpack(state.offer.receive),
        *unpack(state.dp),
        rules.combined_trade_build,
        rules.domestic_trade,
        rules.special_building,
    ]


def _own(state: State, player: Player, begun: Begun) -> list[int]:
    """The viewer's own cards: resources less those named for a discard, bought, available development cards."""
    hand = state.h[player - 1]
    return [*unpack(hand.rc - begun.given_up), *unpack(hand.bc), *unpack(hand.ac)]


@lru_cache(maxsize=1 << 10)
def _tiles(board: Board, bandit: int) -> Any:
    rows: Any = np.zeros(SHAPES["tiles"], np.float32)
    for row, number in enumerate(board.land):
        tile = board.map.tiles[number - 1]
        if tile.resource is not None and tile.number is not None:
            rows[row, RESOURCES.index(tile.resource)] = 1
            rows[row, 5] = 6 - abs(7 - tile.number)
        rows[row, 6] = tile.terrain == "desert"
        rows[row, 7] = number == bandit
    rows.setflags(write=False)
    return rows


@lru_cache(maxsize=64)
def _wharfs(board: Board) -> Any:
    rows = np.stack([_bits(points, _POINT_BYTES, POINTS) for points in board.wharf_points.values()])
    rows.setflags(write=False)
    return rows


def told(state: State, player: Player) -> dict[str, Any]:
    """What a player may know, in words and numbers: the same knowledge as ``observe`` for people and programs."""

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
