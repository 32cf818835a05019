"""The positions of tiles, points, roads and wharfs of any map, fitted into a rectangle.

Hexagons have their points up and down. With ``size`` the distance from a tile's middle to its corners, columns are
half a tile (``sqrt(3) / 2 * size``) apart and rows one and a half sizes.
"""

from functools import lru_cache
from math import atan2, degrees, hypot, sqrt

from catan_p2p.game.board import Board
from catan_p2p.game.board.places import center, edge, middle

from ..shapes import Point, Points, Rect, extent, ring

HALF_TILE = sqrt(3) / 2
_MARGIN = 0.3
"""Room around the corners of the land for the pieces on them, in sizes."""
WHARF_OUT = 0.54
"""From the middle of the coast edge to the middle of a wharf's sign, in sizes."""
WHARF_RADIUS = 0.33
_CROWDED_OUT = 0.42
_CROWDED_RADIUS = 0.2
"""The same where several wharfs share one sea tile."""


class IslandGeometry:
    """A board laid out in a rectangle. Indices are the board's, so entry 0 of each tuple is unused."""

    def __init__(self, board: Board, area: Rect) -> None:
        self.board = board
        self.area = area
        centers = [center(*tile.at) for tile in board.map.tiles]
        signs = [_sign(board, centers, index) for index in range(len(board.wharf_tiles))]
        box = extent(_occupied(board, centers, signs))
        self.size: float = min(area.w / box.w, area.h / box.h)
        """From the middle of a tile to its corners."""
        left = area.x + (area.w - box.w * self.size) / 2 - box.x * self.size
        top = area.y + (area.h - box.h * self.size) / 2 - box.y * self.size
        self.tiles: Points = ((0.0, 0.0), *((left + x * self.size, top + y * self.size) for x, y in centers))
        """Middles of the tiles."""
        self.settlements: Points = (
            (0.0, 0.0),
            *(middle([self.tiles[tile] for tile in triple]) for triple in board.settlement_tiles[1:]),
        )
        """Where the settlement points lie."""
        self.roads: tuple[tuple[Point, Point], ...] = (
            ((0.0, 0.0), (0.0, 0.0)),
            *(edge(self.tiles[a], self.tiles[b]) for a, b in board.road_tiles[1:]),
        )
        """Of each road point the two ends of its edge."""
        self.wharfs: tuple[WharfSign, ...] = tuple(
            WharfSign(
                (left + x * self.size, top + y * self.size),
                radius * self.size,
                edge(self.tiles[a], self.tiles[b]),
                type,
            )
            for ((x, y), radius), ((a, b), type) in zip(signs, board.wharf_tiles, strict=True)
        )
        """Where the signs of the wharfs stand, in the order of the map."""

    def tile_corners(self, tile: int, share: float = 1.0) -> Points:
        """The corners of a tile, made larger or smaller around its middle."""
        x, y = self.tiles[tile]
        return tuple((x + px, y + py) for px, py in ring(6, self.size * share, 30.0))

    def road_end_points(self, road: int) -> tuple[tuple[Point, int], tuple[Point, int]]:
        """The two ends of a road's edge, each with the settlement point there, 0 if the map has none."""
        first, second = self.roads[road]
        return (first, self._point_at(road, first)), (second, self._point_at(road, second))

    def _point_at(self, road: int, end: Point) -> int:
        for point in self.board.ends[road]:
            x, y = self.settlements[point]
            # The two ends of a road are a whole size apart: a quarter only allows for rounding.
            if hypot(x - end[0], y - end[1]) < self.size / 4:
                return point
        return 0


class WharfSign:
    """Where a wharf's sign stands and which two corners it serves."""

    def __init__(self, sign: Point, radius: float, corners: tuple[Point, Point], type: str) -> None:
        self.sign = sign
        self.radius = radius
        self.corners = corners
        self.type = type


def _sign(board: Board, centers: list[Point], index: int) -> tuple[Point, float]:
    """Middle and radius of a wharf's sign, for size 1: on its sea tile, smaller if several wharfs share that tile."""
    a, b = board.wharf_tiles[index][0]
    land, sea = (a, b) if board.map.tiles[a - 1].is_land else (b, a)
    crowded = sum(sea in pair for pair, _ in board.wharf_tiles) > 1
    out, radius = (_CROWDED_OUT, _CROWDED_RADIUS) if crowded else (WHARF_OUT, WHARF_RADIUS)
    (lx, ly), (sx, sy) = centers[land - 1], centers[sea - 1]
    share = 0.5 + out / hypot(sx - lx, sy - ly)
    return (lx + (sx - lx) * share, ly + (sy - ly) * share), radius


def _occupied(board: Board, centers: list[Point], signs: list[tuple[Point, float]]) -> list[Point]:
    """Corners of all that must be visible, for size 1: the land with its margin, and the signs of wharfs."""
    land = [center for tile, center in zip(board.map.tiles, centers, strict=True) if tile.is_land]
    found = [(x + dx * HALF_TILE, y + dy) for x, y in land for dx in (-1, 1) for dy in (-1, 1)]
    found = [*extent(found).inset(-_MARGIN).corners]
    for (x, y), radius in signs:
        reach = radius + 0.1
        found += [(x - reach, y - reach), (x + reach, y + reach)]
    return found


def slope(first: Point, second: Point) -> float:
    """The direction from one point to another in degrees, 0 to the right, 90 down."""
    return degrees(atan2(second[1] - first[1], second[0] - first[0]))


@lru_cache(maxsize=8)
def geometry(board: Board, area: Rect) -> IslandGeometry:
    """The layout of a board in a rectangle, cached."""
    return IslandGeometry(board, area)
