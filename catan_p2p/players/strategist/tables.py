"""Cached tables of a board: yields, trading rates, distances and trails.

Cards are five numbers in the order of the resources, mostly expected values. Times are counted in rolls.
"""

from functools import lru_cache
from typing import NamedTuple, TypeAlias

from catan_p2p.game.board import THREE_TO_ONE, Board, Points, longest_trail, numbers, reach
from catan_p2p.game.cards import RESOURCES
from catan_p2p.game.constants import Player
from catan_p2p.game.float_sums import added
from catan_p2p.game.state import State
from catan_p2p.players.strategist.weights import FARTHEST_SITE

Vector: TypeAlias = tuple[float, float, float, float, float]
"""A number for each resource."""

NOTHING: Vector = (0.0, 0.0, 0.0, 0.0, 0.0)
ANY, NO_WHARF = 5, -1


class VillageSite(NamedTuple):
    """A settlement point where a village could be built."""

    roads: int
    """the number of roads to build first"""
    point: int
    yields: Vector
    wharf: int
    """the index of the resource of the wharf there, ``ANY`` for a 3:1 wharf, ``NO_WHARF`` for none"""


def chance_of(number: int | None) -> float:
    """The probability of a number on two dice."""
    return 0.0 if number is None else (6 - abs(7 - number)) / 36


def plus(a: Vector, b: Vector, times: float = 1.0) -> Vector:
    """The first vector plus the second one times a factor."""
    return (
        a[0] + times * b[0],
        a[1] + times * b[1],
        a[2] + times * b[2],
        a[3] + times * b[3],
        a[4] + times * b[4],
    )


@lru_cache(maxsize=64)
def tile_yields(board: Board) -> tuple[tuple[int, float], ...]:
    """For each tile, the index of its resource, -1 for none, and the probability that a roll yields it."""
    return ((-1, 0.0),) + tuple(
        (-1, 0.0)
        if tile.resource is None or tile.number is None
        else (RESOURCES.index(tile.resource), chance_of(tile.number))
        for tile in board.map.tiles
    )


@lru_cache(maxsize=1 << 10)
def point_yields(board: Board, bandit: int, robbed: float) -> tuple[Vector, ...]:
    """For each settlement point, a village's expected cards per roll; the bandit's tile yields the share ``robbed``."""
    yields = tile_yields(board)
    found = [NOTHING]
    for triple in board.settlement_tiles[1:]:
        cards = [0.0] * 5
        for tile in triple:
            kind, chance = yields[tile]
            if kind >= 0:
                cards[kind] += chance * (robbed if tile == bandit else 1.0)
        found.append((cards[0], cards[1], cards[2], cards[3], cards[4]))
    return tuple(found)


@lru_cache(maxsize=1 << 13)
def income(board: Board, bandit: int, robbed: float, villages: Points, cities: Points) -> Vector:
    """The expected cards per roll of these settlements."""
    yields = point_yields(board, bandit, robbed)
    total = NOTHING
    for point in numbers(villages):
        total = plus(total, yields[point])
    for point in numbers(cities):
        total = plus(total, yields[point], 2.0)
    return total


@lru_cache(maxsize=64)
def wharfs(board: Board) -> tuple[int, ...]:
    """For each settlement point, its wharf: the index of a resource, ``ANY`` or ``NO_WHARF``."""
    found = [NO_WHARF] * (board.settlement_count + 1)
    for type, points in board.wharf_points.items():
        for point in numbers(points):
            found[point] = ANY if type == THREE_TO_ONE else RESOURCES.index(type)
    return tuple(found)


@lru_cache(maxsize=1 << 12)
def rates(board: Board, settled: Points) -> tuple[int, int, int, int, int]:
    """For each resource, how many cards the bank takes for one card from the owner of these settlements."""
    three = 3 if board.wharf_points[THREE_TO_ONE] & settled else 4
    lumber, brick, wool, grain, ore = (2 if board.wharf_points[resource] & settled else three for resource in RESOURCES)
    return lumber, brick, wool, grain, ore


@lru_cache(maxsize=1 << 13)
def distances(board: Board, roads: Points, blocked: Points, own: Points, foreign: Points) -> tuple[Points, ...]:
    """The settlement points by the number of roads that a network needs to reach them, up to ``FARTHEST_SITE``.

    ``roads`` are the player's, ``blocked`` all players'; a settlement in ``foreign`` ends a road.
    """
    touched, _ = reach(board, roads, own, foreign)
    rings = [touched | own]
    seen = rings[0]
    for _ in range(FARTHEST_SITE):
        ring = 0
        for point in numbers(rings[-1] & ~foreign):
            for road in numbers(board.roads_at[point] & ~blocked):
                ring |= board.end_points[road]
        ring &= ~seen
        seen |= ring
        rings.append(ring)
    return tuple(rings)


@lru_cache(maxsize=1 << 13)
def sites(
    board: Board, roads: Points, blocked: Points, own: Points, foreign: Points, free: Points
) -> tuple[VillageSite, ...]:
    """The ``free`` points that the owner of these roads could settle, by distance and then by yield."""
    yields, wharf = point_yields(board, 0, 1.0), wharfs(board)
    found = [
        VillageSite(away, point, yields[point], wharf[point])
        for away, ring in enumerate(distances(board, roads, blocked, own, foreign))
        for point in numbers(ring & free)
    ]
    found.sort(key=lambda site: (site.roads, -added(site.yields)))
    return tuple(found)


@lru_cache(maxsize=1 << 13)
def trail(board: Board, roads: Points, foreign: Points) -> int:
    """The length of the longest trail of these roads, also if it is too short to count."""
    return longest_trail(board, roads, foreign) if roads else 0


@lru_cache(maxsize=1 << 13)
def extending(board: Board, roads: Points, blocked: Points, own: Points, foreign: Points) -> Points:
    """The free road points that make the longest trail longer."""
    length = trail(board, roads, foreign)
    _, open_roads = reach(board, roads, own, foreign)
    found = 0
    for road in numbers(open_roads & ~blocked):
        if trail(board, roads | 1 << road, foreign) > length:
            found |= 1 << road
    return found


def others_of(state: State, player: Player) -> tuple[Player, ...]:
    """All present players except this one."""
    return tuple(seat for seat in state.present if seat != player)
