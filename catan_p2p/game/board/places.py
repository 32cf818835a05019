"""Where everything on a board is in the plane, for pictures: tiles are hexagons of size 1 with a point up.

The size of a hexagon is the distance from its centre to a corner. x grows to the east, y to the south.
"""

from collections.abc import Iterable
from functools import lru_cache
from math import cos, pi, sin, sqrt
from typing import Any, NamedTuple, TypeAlias

Place: TypeAlias = tuple[float, float]


class BoardPlaces(NamedTuple):
    """The places of a board, indexed by the board's numbers; entry 0 is unused."""

    tiles: tuple[Place, ...]
    """Centres of the tiles."""
    settlements: tuple[Place, ...]
    roads: tuple[tuple[Place, Place], ...]
    """The two ends of the edge on which a road lies."""
    wharfs: tuple[Place, ...]
    """Centres of the wharfs' signs, in the order of the map, from index 0."""


@lru_cache(maxsize=64)
def places(board: Any) -> BoardPlaces:
    """Where the points of a board lie."""
    tiles = ((0.0, 0.0), *(center(*tile.at) for tile in board.map.tiles))
    settlements = ((0.0, 0.0), *(middle(tiles[tile] for tile in triple) for triple in board.settlement_tiles[1:]))
    roads = (((0.0, 0.0),) * 2, *(edge(tiles[a], tiles[b]) for a, b in board.road_tiles[1:]))
    return BoardPlaces(tiles, settlements, roads, tuple(_sign(board, tiles, pair) for pair, _ in board.wharf_tiles))


def hexagon(middle: Place) -> tuple[Place, ...]:
    """The six corners of a hexagon, clockwise from the north."""
    x, y = middle
    return tuple((x + sin(i * pi / 3), y - cos(i * pi / 3)) for i in range(6))


def center(arr: int, row: int, col: int) -> Place:
    """The centre of the tile with these coordinates."""
    return (2 * col + (1 if arr == 0 else 0)) * (sqrt(3) / 2), (2 * row + arr) * 1.5


def middle(points: Iterable[Place]) -> Place:
    """The centre of some places."""
    found = list(points)
    return sum(x for x, _ in found) / len(found), sum(y for _, y in found) / len(found)


def edge(a: Place, b: Place) -> tuple[Place, Place]:
    """The edge between two neighbouring tiles: perpendicular to the line between them, and shorter by sqrt(3)."""
    (x, y), dx, dy = middle((a, b)), (b[0] - a[0]) / (2 * sqrt(3)), (b[1] - a[1]) / (2 * sqrt(3))
    return (x - dy, y + dx), (x + dy, y - dx)


def _sign(board: Any, tiles: tuple[Place, ...], pair: tuple[int, int]) -> Place:
    land, sea = pair if board.map.tiles[pair[0] - 1].is_land else (pair[1], pair[0])
    share = 0.79
    return tuple(a + (b - a) * share for a, b in zip(tiles[land], tiles[sea], strict=True))  # type: ignore[return-value]
