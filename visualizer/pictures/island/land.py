"""The layer of the island that never changes in a game: sea, coast, tiles and wharfs."""

from functools import lru_cache

from catan_p2p.game.board import Board

from ..palette import SAND, SEA, SHALLOW, TERRAIN, mixed
from ..scene import Layer
from ..shapes import Path, Point, Polygon, Rect, Shape, bounds, moved, scaled
from . import pieces
from .geometry import IslandGeometry, geometry
from .terrain import texture

_TILE_SHARE = 0.965


@lru_cache(maxsize=4)
def terrain_layer(board: Board, area: Rect) -> Layer:
    """Sea, coast, tiles with their textures, and the wharfs."""
    place = geometry(board, area)
    shapes: list[Shape] = []
    tiles = list(enumerate(board.map.tiles, 1))
    for number, tile in tiles:
        if not tile.is_land:
            shapes.append(Path(place.tile_corners(number, 0.97), (255, 255, 255, 14), place.size * 0.018, closed=True))
            shapes += _texture(place, number)
    coast = [number for number, tile in tiles if tile.is_land]
    for share, tone in ((1.2, mixed(SEA, SHALLOW, 0.5)), (1.13, SHALLOW), (1.065, SAND)):
        shapes += [Polygon(_soft(place, number, share), tone) for number in coast]
    for number, tile in tiles:
        if tile.is_land:
            tone = TERRAIN[tile.terrain]
            shapes.append(Polygon(place.tile_corners(number, _TILE_SHARE), mixed(tone, (0, 0, 0), 0.2)))
            shapes.append(Polygon(place.tile_corners(number, _TILE_SHARE - 0.05), tone))
            shapes += _texture(place, number)
    for wharf in place.wharfs:
        for corner in wharf.corners:
            shapes += pieces.pier(wharf, corner, place.size)
    shapes += [pieces.wharf(wharf) for wharf in place.wharfs]
    return Layer("terrain", area, SEA, tuple(shape for shape in shapes if bounds(shape).overlaps(area)))


def _soft(place: IslandGeometry, tile: int, share: float) -> tuple[Point, ...]:
    """A hexagon with its corners cut off a little."""
    corners = place.tile_corners(tile, share)
    soft: list[Point] = []
    for i, (x, y) in enumerate(corners):
        for near in (corners[i - 1], corners[(i + 1) % 6]):
            soft.append((x + (near[0] - x) * 0.08, y + (near[1] - y) * 0.08))
    return tuple(soft)


def _texture(place: IslandGeometry, tile: int) -> list[Shape]:
    x, y = place.tiles[tile]
    found = place.board.map.tiles[tile - 1]
    return [moved(scaled(shape, place.size), x, y) for shape in texture(found.terrain, tile)]
