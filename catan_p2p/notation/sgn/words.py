"""The codes of SGN, and its spelling of tiles, intersections and paths."""

import json
from functools import lru_cache
from typing import NamedTuple

from catan_p2p.game.board import THREE_TO_ONE, Board, Terrain, WharfType
from catan_p2p.game.cards import DevCard, Resource
from catan_p2p.notation.coordinates import Axial, axial_of

TERRAIN_CODES: dict[Terrain, str] = {
    "hills": "H",
    "mountains": "M",
    "fields": "F",
    "forest": "FO",
    "pasture": "P",
    "desert": "D",
    "sea": "S",
}
TERRAIN_OF: dict[str, Terrain] = {code: terrain for terrain, code in TERRAIN_CODES.items()}

RESOURCE_CODES: dict[Resource, str] = {"Brick": "B", "Grain": "G", "Lumber": "L", "Ore": "O", "Wool": "W"}
"""In the order in which the writer lists them."""
RESOURCE_OF: dict[str, Resource] = {code: resource for resource, code in RESOURCE_CODES.items()}

CARD_CODES: dict[DevCard, str] = {
    "Knight": "KN",
    "Monopoly": "MO",
    "RoadBuilding": "RB",
    "VictoryPoint": "VP",
    "YearOfPlenty": "YP",
}
CARD_OF: dict[str, DevCard] = {code: card for card, code in CARD_CODES.items()}

HARBOUR_CODES: dict[WharfType, str] = {
    THREE_TO_ONE: "HR",
    **{resource: f"HR{code}" for resource, code in RESOURCE_CODES.items()},
}
HARBOUR_OF: dict[str, WharfType] = {code: type for type, code in HARBOUR_CODES.items()}

PLAYERS = ("1", "2", "3", "4", "5", "6")
BANK = "B"

MIN_TILES, MAX_TILES = 37, 127
"""A map has at least the standard island. The upper bound limits the work for one file."""
MIN_HARBOURS = 8
FARTHEST = 99
"""The bound on coordinates, positive and negative."""

Corner = tuple[Axial, ...]
"""The three tiles of an intersection, ascending."""


class SgnPlaces(NamedTuple):
    """SGN's names of a board's places."""

    tiles: dict[Axial, int]
    """From axial coordinates to tile numbers."""
    intersections: dict[Corner, int]
    """From three tiles to the settlement point where they meet."""
    paths: dict[tuple[int, int], int]
    """From two settlement points, ascending, to the road point between them."""
    tile_texts: tuple[str, ...]
    intersection_texts: tuple[str, ...]
    path_texts: tuple[str, ...]


@lru_cache(maxsize=16)
def places_of(board: Board) -> SgnPlaces:
    """The places of a board whose every land tile has six neighbours."""
    axial = ((0, 0), *(axial_of(tile.at) for tile in board.map.tiles))
    corners = [tuple(axial[tile] for tile in triple) for triple in board.settlement_tiles]
    spelled = [_spell_intersection(corner) for corner in corners]
    return SgnPlaces(
        tiles={at: number for number, at in enumerate(axial) if number},
        intersections={tuple(sorted(corner)): point for point, corner in enumerate(corners) if point},
        paths={(ends[0], ends[1]): point for point, ends in enumerate(board.ends) if len(ends) == 2},
        tile_texts=tuple(_text(at) for at in axial),
        intersection_texts=tuple(_text(corner) for corner in spelled),
        path_texts=tuple(_text(tuple(sorted((spelled[end] for end in ends), key=_path_order))) for ends in board.ends),
    )


def _spell_intersection(corner: Corner) -> Corner:
    """The corner's tiles clockwise, from the one with the smallest r, of two the one with the larger q."""
    if not corner:
        return ()
    first, second, third = sorted(corner, key=lambda at: (at[1], -at[0]))
    return (first, second, third) if second[1] != first[1] else (first, third, second)


def _path_order(corner: Corner) -> list[tuple[int, int]]:
    return [(r, q) for q, r in corner]


def _text(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))
