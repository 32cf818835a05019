"""Tiles of a map and their neighbours in the hexagonal efficient coordinate system (HECS).

A HECS coordinate (thesis, section 2.2) is ``(arr, row, col)``: two rectangular arrays interleave, array 1 half a tile
to the left of and one row below array 0. Everything here is integer arithmetic.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias, get_args

from catan_p2p.game.cards import Resource

Terrain: TypeAlias = Literal["sea", "desert", "forest", "hills", "pasture", "fields", "mountains"]
TERRAINS: tuple[Terrain, ...] = get_args(Terrain)

YIELD: dict[Terrain, Resource] = {
    "forest": "Lumber",
    "hills": "Brick",
    "pasture": "Wool",
    "fields": "Grain",
    "mountains": "Ore",
}
"""The resource that each productive terrain yields."""

NUMBERS: tuple[int, ...] = (2, 3, 4, 5, 6, 8, 9, 10, 11, 12)
"""Number tokens: every sum of two dice but seven."""


class HexCoordinates(NamedTuple):
    """A HECS coordinate."""

    arr: int
    row: int
    col: int

    @property
    def order(self) -> tuple[int, int]:
        """Sort key of tiles: rows from north to south, each from west to east."""
        return (2 * self.row + self.arr, self.col)

    def neighbours(self) -> tuple[HexCoordinates, ...]:
        """The six adjacent coordinates, ascending."""
        arr, row, col = self
        other = 1 - arr
        above, below = (row - 1, row) if arr == 0 else (row, row + 1)
        west = col if arr == 0 else col - 1
        return (
            HexCoordinates(other, above, west),
            HexCoordinates(other, above, west + 1),
            HexCoordinates(arr, row, col - 1),
            HexCoordinates(arr, row, col + 1),
            HexCoordinates(other, below, west),
            HexCoordinates(other, below, west + 1),
        )


class Tile(NamedTuple):
    """One hexagon of the map; ``number`` is None for sea and desert."""

    at: HexCoordinates
    terrain: Terrain
    number: int | None

    @property
    def is_land(self) -> bool:
        """Whether it is land; the desert is land, the sea is not."""
        return self.terrain != "sea"

    @property
    def resource(self) -> Resource | None:
        """What it yields, None for sea and desert."""
        return YIELD.get(self.terrain)
