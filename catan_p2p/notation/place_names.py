"""The names of a board's tiles, settlement points and road points in every notation, and the places of names."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias

from catan_p2p.game.board import DEFAULT_BOARD, Board
from catan_p2p.notation.catanatron.words import places_of as catanatron_places
from catan_p2p.notation.coordinates import STANDARD_PLACES, is_standard_island
from catan_p2p.notation.errors import NotExpressible
from catan_p2p.notation.sgn.words import places_of as sgn_places

System: TypeAlias = Literal["catan", "sgn", "hexgrid", "catanatron"]
"""``catan``: ``1`` and ``(1 NW)``; ``sgn``: axial coordinates; ``hexgrid``: JSettlers' hexadecimal numbers;
``catanatron``: cube coordinates, corners by number, edges by two of them."""


class PlaceNames(NamedTuple):
    """The canonical names of all places by number; the methods find a number by its name."""

    tiles: dict[int, str]
    settlements: dict[int, str]
    roads: dict[int, str]

    def tile(self, name: str) -> int:
        """The number of the tile of this name; ``KeyError`` if there is none."""
        return _turned(self.tiles)[name]

    def settlement(self, name: str) -> int:
        """The number of the settlement point of this name; ``KeyError`` if there is none."""
        return _turned(self.settlements)[name]

    def road(self, name: str) -> int:
        """The number of the road point of this name; ``KeyError`` if there is none."""
        return _turned(self.roads)[name]


def _turned(names: dict[int, str]) -> dict[str, int]:
    return {name: number for number, name in names.items()}


@lru_cache(maxsize=32)
def place_names(system: System, board: Board = DEFAULT_BOARD) -> PlaceNames:
    """The names of a board's places.

    ``NotExpressible`` if the system has only the standard island, and this is another.
    """
    if system == "sgn":
        texts = sgn_places(board)
        return PlaceNames(*map(_listed, (texts.tile_texts, texts.intersection_texts, texts.path_texts)))
    if not is_standard_island(board):
        raise NotExpressible(f"{system} has names for the standard island only")
    places = STANDARD_PLACES
    if system == "catan":
        tiles = {tile: str(number) for tile, number in places.tile_ids.items()}
        return PlaceNames(tiles, _listed(places.node_names), _listed(places.edge_names))
    if system == "hexgrid":
        tables = (places.hexgrid_tiles, places.hexgrid_nodes, places.hexgrid_edges)
        return PlaceNames(*({place: f"0x{number:02x}" for number, place in table.items()} for table in tables))
    theirs = catanatron_places(board)
    return PlaceNames(
        {tile: ",".join(map(str, cube)) for cube, tile in theirs.tiles.items()},
        {point: str(node) for point, node in theirs.node_of.items()},
        {road: f"{one}-{other}" for road, (one, other) in theirs.edge_of.items()},
    )


def _listed(texts: Iterable[str]) -> dict[int, str]:
    return {number: text for number, text in enumerate(texts) if number and text and text != "[]"}
