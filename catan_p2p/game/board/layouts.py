"""Layouts of islands: where land and sea are, where wharfs can be, and which pieces are placed on them.

They are the rule book's island for two to four players and the extension's for five and six. A layout is not yet a map:
the variable set-up puts its pieces on its places (``variable``).
"""

from collections.abc import Iterable
from functools import cached_property
from typing import TypeAlias

from catan_p2p.game.board.maps import DEFAULT_MAP, THREE_TO_ONE, WharfType
from catan_p2p.game.board.tiles import HexCoordinates, Terrain

WharfPlace: TypeAlias = tuple[HexCoordinates, HexCoordinates]
"""Where a wharf can be: its two tiles, one land and one sea, ascending."""


class Layout:
    """An island's shape and its pieces.

    ``rows`` are the land tiles row by row from the north-west. ``terrains``, ``wharf_types`` and ``tokens`` each have
    one entry for each place; ``tokens`` are number tokens in alphabetical order of their letters.
    """

    def __init__(
        self,
        rows: Iterable[tuple[HexCoordinates, int]],
        wharf_places: tuple[WharfPlace, ...],
        terrains: dict[Terrain, int],
        wharf_types: dict[WharfType, int],
        tokens: tuple[int, ...],
    ) -> None:
        self.land: tuple[HexCoordinates, ...] = tuple(
            first._replace(col=first.col + i) for first, width in rows for i in range(width)
        )
        """The places of land tiles, ascending."""
        self.wharf_places = wharf_places
        """The places of wharfs, clockwise from the north-west."""
        self.terrains: tuple[Terrain, ...] = tuple(name for name, count in terrains.items() for _ in range(count))
        """The terrain of every land tile, sorted by kind."""
        self.wharf_types: tuple[WharfType, ...] = tuple(
            name for name, count in wharf_types.items() for _ in range(count)
        )
        """The type of every wharf, sorted by kind."""
        self.tokens = tokens
        """The number tokens from A on."""

    @cached_property
    def sea(self) -> tuple[HexCoordinates, ...]:
        """The places of sea tiles, ascending: every neighbour of land that is not land."""
        land = set(self.land)
        beside = {at for place in self.land for at in place.neighbours()} - land
        return tuple(sorted(beside, key=lambda at: at.order))

    @cached_property
    def corners(self) -> tuple[HexCoordinates, ...]:
        """The land tiles with three sea tiles beside them, ascending: where a spiral can begin."""
        sea = set(self.sea)
        return tuple(at for at in self.land if sum(beside in sea for beside in at.neighbours()) == 3)

    def spiral(self, corner: HexCoordinates) -> tuple[HexCoordinates, ...]:
        """All land tiles from a corner counter-clockwise along the coast and on towards the centre.

        Rule book, "Set-up, Variable" and illustration Q. Every tile touches the one before.
        """
        left = set(self.land)
        around = _counter_clockwise(corner)
        at = corner
        # The coast is on the right hand: the first land after the sea, turning left.
        heading = next(i for i in range(6) if around[i] in left and around[i - 1] not in left)
        path = [corner]
        left.remove(corner)
        while left:
            around = _counter_clockwise(at)
            # As far right as possible, so the path keeps to the coast and then to the tiles already taken.
            heading = next(turn % 6 for turn in range(heading - 2, heading + 4) if around[turn % 6] in left)
            at = around[heading]
            path.append(at)
            left.remove(at)
        return tuple(path)


def _counter_clockwise(at: HexCoordinates) -> tuple[HexCoordinates, ...]:
    """The six neighbours of a tile, counter-clockwise from the east."""
    north_west, north_east, west, east, south_west, south_east = at.neighbours()
    return (east, north_east, north_west, west, south_west, south_east)


def _wharf_place(sea: tuple[int, int, int], land: tuple[int, int, int]) -> WharfPlace:
    first, second = sorted((HexCoordinates(*sea), HexCoordinates(*land)), key=lambda at: at.order)
    return first, second


ISLAND = Layout(
    rows=(
        (HexCoordinates(1, 0, 2), 3),
        (HexCoordinates(0, 1, 1), 4),
        (HexCoordinates(1, 1, 1), 5),
        (HexCoordinates(0, 2, 1), 4),
        (HexCoordinates(1, 2, 2), 3),
    ),
    wharf_places=tuple(wharf.tiles for wharf in DEFAULT_MAP.wharfs),
    terrains={"forest": 4, "pasture": 4, "fields": 4, "hills": 3, "mountains": 3, "desert": 1},
    wharf_types={THREE_TO_ONE: 4, "Lumber": 1, "Brick": 1, "Wool": 1, "Grain": 1, "Ore": 1},
    tokens=(5, 2, 6, 3, 8, 10, 9, 12, 11, 4, 8, 10, 9, 4, 5, 6, 3, 11),
)
"""The island of the rule book: 19 land tiles, nine wharfs, tokens A to R."""

LARGE_ISLAND = Layout(
    rows=(
        (HexCoordinates(1, 0, 3), 3),
        (HexCoordinates(0, 1, 2), 4),
        (HexCoordinates(1, 1, 2), 5),
        (HexCoordinates(0, 2, 1), 6),
        (HexCoordinates(1, 2, 2), 5),
        (HexCoordinates(0, 3, 2), 4),
        (HexCoordinates(1, 3, 3), 3),
    ),
    wharf_places=tuple(
        _wharf_place(sea, land)
        for sea, land in (
            ((0, 0, 2), (1, 0, 3)),
            ((0, 0, 4), (1, 0, 4)),
            ((1, 0, 6), (0, 1, 5)),
            ((0, 2, 7), (0, 2, 6)),
            ((0, 3, 6), (1, 2, 6)),
            ((1, 3, 6), (1, 3, 5)),
            ((0, 4, 4), (1, 3, 4)),
            ((0, 4, 2), (1, 3, 3)),
            ((0, 3, 1), (0, 3, 2)),
            ((1, 2, 1), (0, 2, 1)),
            ((1, 1, 1), (1, 1, 2)),
        )
    ),
    terrains={"forest": 6, "pasture": 6, "fields": 6, "hills": 5, "mountains": 5, "desert": 2},
    wharf_types={THREE_TO_ONE: 5, "Lumber": 1, "Brick": 1, "Wool": 2, "Grain": 1, "Ore": 1},
    tokens=(2, 5, 4, 6, 3, 9, 8, 11, 11, 10, 6, 3, 8, 4, 8, 10, 11, 12, 10, 5, 4, 9, 5, 9, 12, 3, 2, 6),
)
"""The island of the extension for five and six players: 30 land tiles, eleven wharfs, tokens A to Y, Za, Zb, Zc."""
