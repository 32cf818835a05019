"""The island of a colonist.io replay as a map, and its numbers of tiles, corners and edges as places of a board."""

from typing import Any, NamedTuple

from catan_p2p.game.board import (
    THREE_TO_ONE,
    YIELD,
    Board,
    HexCoordinates,
    Map,
    MapError,
    Terrain,
    Tile,
    Wharf,
    WharfType,
    board_of,
    make_map,
)
from catan_p2p.game.cards import Resource
from catan_p2p.notation.coordinates import Axial, tile_at
from catan_p2p.notation.documents import checked, member, whole
from catan_p2p.notation.errors import NotationError

RESOURCES: dict[int, Resource] = {1: "Lumber", 2: "Brick", 3: "Wool", 4: "Grain", 5: "Ore"}

_TERRAIN_OF: dict[Resource, Terrain] = {resource: terrain for terrain, resource in YIELD.items()}
_CORNERS: dict[int, tuple[Axial, Axial, Axial]] = {
    0: ((0, 0), (0, -1), (1, -1)),
    1: ((0, 0), (0, 1), (-1, 1)),
}
"""By ``z``, the three tiles at a corner, relative to the tile at its ``x`` and ``y``: 0 is its top, 1 its bottom."""
_EDGES: dict[int, tuple[Axial, Axial]] = {0: ((0, 0), (0, -1)), 1: ((0, 0), (-1, 0)), 2: ((0, 0), (-1, 1))}
"""By ``z``, the two tiles beside an edge: the tile itself, and the one to the north-west, west or south-west."""
_MOST = 500


class Island(NamedTuple):
    """A map, and for each number of the replay the tile, settlement point or road point of its board."""

    map: Map
    tiles: dict[int, int]
    corners: dict[int, int]
    edges: dict[int, int]


def read_island(map_state: dict[str, Any]) -> Island:
    """The island of a replay's initial state; a replay lists land only, so sea is added around it."""
    hexes = _places(map_state, "tileHexStates")
    land = {(x, y): (key, value) for key, (x, y, value) in hexes.items()}
    tiles = [_tile(at, value, f"tile {key}") for at, (key, value) in land.items()]
    for tile in list(tiles):
        tiles += [Tile(at, "sea", None) for at in tile.at.neighbours() if at not in {t.at for t in tiles}]
    try:
        board = board_of(make_map(tiles, ()))
        map = make_map(tiles, _wharfs(map_state, board))
    except MapError as error:
        raise NotationError(f"tileHexStates: {error}") from None
    board = board_of(map)
    corner_of = {frozenset(triple): point for point, triple in enumerate(board.settlement_tiles) if point}
    edge_of = {frozenset(pair): point for point, pair in enumerate(board.road_tiles) if point}
    return Island(
        map,
        {key: board.tile_number[tile_at(at)] for at, (key, _) in land.items()},
        _numbered(map_state, "tileCornerStates", board, _CORNERS, corner_of),
        _numbered(map_state, "tileEdgeStates", board, _EDGES, edge_of),
    )


def _places(map_state: dict[str, Any], name: str) -> dict[int, tuple[int, int, dict[str, Any]]]:
    """The ``x``, ``y`` and other members of each numbered entry."""
    found = {}
    entries = member(map_state, name, dict, "mapState")
    if len(entries) > _MOST:
        raise NotationError(f"{name}: {len(entries)} entries, expected at most {_MOST}")
    for key, value in entries.items():
        where = f"{name}, {key}"
        if not key.isascii() or not key.isdigit() or len(key) > 4:
            raise NotationError(f"{where}: expected a number")
        told = checked(value, dict, where)
        found[int(key)] = whole(told.get("x"), -50, 50, where), whole(told.get("y"), -50, 50, where), told
    return found


def _tile(at: Axial, told: dict[str, Any], where: str) -> Tile:
    kind = whole(told.get("type"), 0, 9, f"{where}, type")
    if kind == 0:
        return Tile(tile_at(at), "desert", None)
    if kind not in RESOURCES:
        raise NotationError(f"{where}: type {kind}, expected 0 for the desert or a resource, 1 to 5")
    number = whole(told.get("diceNumber"), 2, 12, f"{where}, diceNumber")
    if number == 7:
        raise NotationError(f"{where}: a tile with the number 7")
    return Tile(tile_at(at), _TERRAIN_OF[RESOURCES[kind]], number)


def _wharfs(map_state: dict[str, Any], board: Board) -> list[Wharf]:
    wharfs = []
    for key, (x, y, told) in _places(map_state, "portEdgeStates").items():
        where = f"portEdgeStates, {key}"
        z = whole(told.get("z"), 0, 2, where)
        kind = whole(told.get("type"), 1, 6, f"{where}, type")
        type: WharfType = THREE_TO_ONE if kind == 1 else RESOURCES[kind - 1]
        one, other = (tile_at((x + q, y + r)) for q, r in _EDGES[z])
        if one not in board.tile_number or other not in board.tile_number:
            raise NotationError(f"{where}: not on the coast")
        pair: tuple[HexCoordinates, HexCoordinates] = (one, other) if one < other else (other, one)
        wharfs.append(Wharf(pair, type))
    return wharfs


def _numbered(
    map_state: dict[str, Any],
    name: str,
    board: Board,
    shapes: dict[int, Any],
    point_of: dict[frozenset[int], int],
) -> dict[int, int]:
    """The board's point for each number of a replay's corners or edges."""
    found = {}
    for key, (x, y, told) in _places(map_state, name).items():
        z = whole(told.get("z"), 0, len(shapes) - 1, f"{name}, {key}, z")
        around = [tile_at((x + q, y + r)) for q, r in shapes[z]]
        point = point_of.get(frozenset(board.tile_number.get(at, 0) for at in around))
        if point is None:
            raise NotationError(f"{name}, {key}: not on the island")
        found[key] = point
    return found
