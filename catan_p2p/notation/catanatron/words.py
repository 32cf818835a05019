"""catanatron's words, and its places: cube coordinates of tiles, and corners numbered in the order of its map."""

from functools import lru_cache
from typing import NamedTuple, TypeAlias

from catan_p2p.game.board import DEFAULT_BOARD, Board
from catan_p2p.game.cards import DevCard, Resource
from catan_p2p.notation.coordinates import EDGE_DIRECTIONS, NODE_DIRECTIONS, Axial, axial_of, is_standard_island

Cube: TypeAlias = tuple[int, int, int]

RESOURCE_WORDS: dict[Resource, str] = {
    "Lumber": "WOOD",
    "Brick": "BRICK",
    "Wool": "SHEEP",
    "Grain": "WHEAT",
    "Ore": "ORE",
}
"""catanatron's names, in its order of resources."""
RESOURCE_OF: dict[str, Resource] = {word: resource for resource, word in RESOURCE_WORDS.items()}

CARD_WORDS: dict[DevCard, str] = {
    "Knight": "KNIGHT",
    "YearOfPlenty": "YEAR_OF_PLENTY",
    "Monopoly": "MONOPOLY",
    "RoadBuilding": "ROAD_BUILDING",
    "VictoryPoint": "VICTORY_POINT",
}
CARD_OF: dict[str, DevCard] = {word: card for card, word in CARD_WORDS.items()}

COLOURS = ("RED", "BLUE", "ORANGE", "WHITE")
LONG_DIRECTIONS = {
    "N": "NORTH",
    "NE": "NORTHEAST",
    "E": "EAST",
    "SE": "SOUTHEAST",
    "S": "SOUTH",
    "SW": "SOUTHWEST",
    "W": "WEST",
    "NW": "NORTHWEST",
}
DIRECTION_OF = {long: short for short, long in LONG_DIRECTIONS.items()}


def cube_of(axial: Axial) -> Cube:
    """The cube coordinates of a tile."""
    q, r = axial
    return q, -q - r, r


class CatanatronPlaces(NamedTuple):
    """catanatron's names of the places of the standard island."""

    tiles: dict[Cube, int]
    """From cube coordinates to tile numbers."""
    nodes: dict[int, int]
    """From corner numbers to settlement points."""
    node_of: dict[int, int]
    roads: dict[tuple[int, int], int]
    """From two corner numbers, ascending, to the road point between them."""
    edge_of: dict[int, tuple[int, int]]


@lru_cache(maxsize=4)
def places_of(board: Board = DEFAULT_BOARD) -> CatanatronPlaces:
    """The places of a board on the standard island."""
    assert is_standard_island(board)
    tile = {axial_of(at): number for at, number in board.tile_number.items()}
    corner = {triple: point for point, triple in enumerate(board.settlement_tiles) if point}
    node_of: dict[int, int] = {}
    for q, r in _land():
        for one, other in NODE_DIRECTIONS.values():
            behind = (tile[q, r], tile[q + one[0], r + one[1]], tile[q + other[0], r + other[1]])
            ordered = tuple(sorted(behind))
            node_of.setdefault(corner[ordered], len(node_of))
    edge_of = {
        road: (min(ends), max(ends))
        for road, points in enumerate(board.ends)
        if road and len(ends := [node_of[point] for point in points]) == 2
    }
    return CatanatronPlaces(
        {cube_of(at): number for at, number in tile.items()},
        {node: point for point, node in node_of.items()},
        node_of,
        {edge: road for road, edge in edge_of.items()},
        edge_of,
    )


def _land() -> list[Axial]:
    """The land tiles in the order of catanatron's map: the centre, then each ring clockwise from the east."""
    found: list[Axial] = [(0, 0)]
    for radius in (1, 2):
        q, r = radius * EDGE_DIRECTIONS["E"][0], radius * EDGE_DIRECTIONS["E"][1]
        for name in ("SW", "W", "NW", "NE", "E", "SE"):
            step = EDGE_DIRECTIONS[name]
            for _ in range(radius):
                found.append((q, r))
                q, r = q + step[0], r + step[1]
    return found
