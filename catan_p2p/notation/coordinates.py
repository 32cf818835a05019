"""Tiles and points in the coordinate systems of the notations, computed from the board's own coordinates.

Tiles are pointy-topped. The axial system counts ``q`` to the east and ``r`` to the south-east from the centre of the
standard island. catanlog numbers the 19 land tiles counter-clockwise from the north-west corner, spiralling inwards,
and names a point by a tile and a direction, such as ``(1 NW)``. Its module hexgrid has one number for each tile, corner
and edge, which JSettlers uses too.
"""

from functools import lru_cache
from typing import NamedTuple, TypeAlias

from catan_p2p.game.board import DEFAULT_BOARD, Board, HexCoordinates

Axial: TypeAlias = tuple[int, int]

_EAST, _SOUTH_EAST, _SOUTH_WEST, _WEST, _NORTH_WEST, _NORTH_EAST = (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)

EDGE_DIRECTIONS: dict[str, Axial] = {
    "NE": _NORTH_EAST,
    "E": _EAST,
    "SE": _SOUTH_EAST,
    "SW": _SOUTH_WEST,
    "W": _WEST,
    "NW": _NORTH_WEST,
}
"""The edges of a tile, each with the step to the tile behind it."""

NODE_DIRECTIONS: dict[str, tuple[Axial, Axial]] = {
    "N": (_NORTH_WEST, _NORTH_EAST),
    "NE": (_NORTH_EAST, _EAST),
    "SE": (_EAST, _SOUTH_EAST),
    "S": (_SOUTH_EAST, _SOUTH_WEST),
    "SW": (_SOUTH_WEST, _WEST),
    "NW": (_WEST, _NORTH_WEST),
}
"""The corners of a tile, each with the steps to the two other tiles that meet there."""

_HEXGRID_CENTRE, _HEXGRID_Q, _HEXGRID_R = 0x77, 0x22, 0x20
_HEXGRID_EDGES = {"NE": 0x01, "E": 0x11, "SE": 0x10, "SW": -0x01, "W": -0x11, "NW": -0x10}
_HEXGRID_NODES = {"N": 0x01, "NE": 0x12, "SE": 0x21, "S": 0x10, "SW": -0x01, "NW": -0x10}

RADIUS = 2
"""Rings of land around the centre of the standard island."""


def axial_of(at: HexCoordinates) -> Axial:
    """The axial coordinates of a tile."""
    r = 2 * at.row + at.arr - 3
    return at.col - 3 - r // 2, r


def tile_at(axial: Axial) -> HexCoordinates:
    """The tile at axial coordinates."""
    q, r = axial
    return HexCoordinates((r + 3) % 2, (r + 3) // 2, q + 3 + r // 2)


def ring(radius: int) -> tuple[Axial, ...]:
    """The tiles at a distance from the centre, counter-clockwise from the north-west corner."""
    q, r = 0, -radius
    found = []
    for dq, dr in (_SOUTH_WEST, _SOUTH_EAST, _EAST, _NORTH_EAST, _NORTH_WEST, _WEST):
        for _ in range(radius):
            found.append((q, r))
            q, r = q + dq, r + dr
    return tuple(found) or ((0, 0),)


class CatanlogPlaces(NamedTuple):
    """catanlog's names of the places of the standard island; tuples are indexed by the board's numbers."""

    tiles: dict[int, int]
    """From tile ids to tile numbers."""
    tile_ids: dict[int, int]
    """From tile numbers to tile ids."""
    nodes: dict[str, int]
    """From every spelling of a corner, such as ``(2 NE)``, to the settlement point."""
    node_names: tuple[str, ...]
    """The canonical name of each settlement point: the one with the lowest tile id."""
    edges: dict[str, int]
    edge_names: tuple[str, ...]
    hexgrid_tiles: dict[int, int]
    """From hexgrid numbers to tile numbers."""
    hexgrid_nodes: dict[int, int]
    hexgrid_edges: dict[int, int]


def is_standard_island(board: Board) -> bool:
    """Whether the board has the 19 land and 18 sea tiles of the standard island, and so the same numbers."""
    return board.tile_number == DEFAULT_BOARD.tile_number and board.land == DEFAULT_BOARD.land


def _name_places() -> CatanlogPlaces:
    board = DEFAULT_BOARD
    corner = {triple: point for point, triple in enumerate(board.settlement_tiles) if triple}
    edge = {pair: point for point, pair in enumerate(board.road_tiles) if pair}
    places = CatanlogPlaces(
        {}, {}, {}, ("",) * len(board.settlement_tiles), {}, ("",) * len(board.road_tiles), {}, {}, {}
    )
    node_names, edge_names = list(places.node_names), list(places.edge_names)
    ids = [axial for radius in range(RADIUS, -1, -1) for axial in ring(radius)]
    for id, (q, r) in enumerate(ids, 1):
        tile = board.tile_number[tile_at((q, r))]
        hexgrid = _HEXGRID_CENTRE + _HEXGRID_Q * q + _HEXGRID_R * r
        places.tiles[id], places.tile_ids[tile], places.hexgrid_tiles[hexgrid] = tile, id, tile
        behind = {way: board.tile_number[tile_at((q + way[0], r + way[1]))] for way in EDGE_DIRECTIONS.values()}
        for direction, (one, other) in NODE_DIRECTIONS.items():
            point = corner[_ordered(tile, behind[one], behind[other])]
            name = f"({id} {direction})"
            places.nodes[name] = places.hexgrid_nodes[hexgrid + _HEXGRID_NODES[direction]] = point
            node_names[point] = node_names[point] or name
        for direction, way in EDGE_DIRECTIONS.items():
            point = edge[_ordered(tile, behind[way])]
            name = f"({id} {direction})"
            places.edges[name] = places.hexgrid_edges[hexgrid + _HEXGRID_EDGES[direction]] = point
            edge_names[point] = edge_names[point] or name
    return places._replace(node_names=tuple(node_names), edge_names=tuple(edge_names))


def _ordered(*tiles: int) -> tuple[int, ...]:
    return tuple(sorted(tiles))


STANDARD_PLACES: CatanlogPlaces = _name_places()
"""The names of the standard island's places."""


def clockwise(axial: Axial) -> tuple[int, int]:
    """Sort key that lists tiles from the outermost ring inwards, each ring clockwise from its north-west corner."""
    q, r = axial
    distance = max(abs(q), abs(r), abs(q + r))
    return -distance, _clockwise_ring(distance)[axial]


@lru_cache(maxsize=64)
def _clockwise_ring(radius: int) -> dict[Axial, int]:
    tiles = ring(radius)
    return {axial: i for i, axial in enumerate((tiles[0], *reversed(tiles[1:])))}
