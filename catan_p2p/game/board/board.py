"""The board: points of a map and which of them touch, as tables of small integers, built once for each map."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple, TypeAlias

from catan_p2p.game.board.maps import DEFAULT_MAP, WHARF_TYPES, Map, WharfType
from catan_p2p.game.board.points import Points, as_points, numbers
from catan_p2p.game.board.tiles import HexCoordinates
from catan_p2p.game.cards import NO_CARDS, ONE, Cards


class YieldingTile(NamedTuple):
    """A tile that yields: its number on the map, its corners, and the one card that a village there gets."""

    tile: int
    corners: Points
    card: Cards


class FirstPlacement(NamedTuple):
    """A village and its road of one player; it ``earns`` if its tiles pay the player's first cards.

    ``player`` is a seat, ``village`` a settlement point, ``road`` a road point, all from 1.
    """

    player: int
    village: int
    road: int
    earns: bool


Opening: TypeAlias = tuple[FirstPlacement, ...]
"""What is on the board before the first action; empty if the players place it themselves."""


class Board:
    """Tiles, settlement points and road points of one map, numbered from 1 as in docs/reference/model.md.

    All tables are indexed by these numbers; entry 0 is unused. Boards of equal maps are equal; ``board_of`` gives the
    same board for equal maps, and so does reading a pickled board.
    """

    def __init__(self, map: Map) -> None:
        self.map = map
        """The map it was built from."""
        self._hash = hash(map)
        self.tile_count = len(map.tiles)
        self.tile_number: dict[HexCoordinates, int] = {tile.at: i for i, tile in enumerate(map.tiles, 1)}
        """From coordinates to tile numbers."""
        beside = [frozenset[int]()] + [
            frozenset(self.tile_number[at] for at in tile.at.neighbours() if at in self.tile_number)
            for tile in map.tiles
        ]
        land = frozenset(i for i, tile in enumerate(map.tiles, 1) if tile.is_land)
        self.land: tuple[int, ...] = tuple(sorted(land))
        """Numbers of the land tiles."""

        self.settlement_tiles: tuple[tuple[int, ...], ...] = ((), *_triples(beside, land))
        """For each settlement point its three tiles, ascending."""
        self.road_tiles: tuple[tuple[int, ...], ...] = ((), *_pairs(beside, land))
        """For each road point its two tiles, ascending."""
        self.settlement_count = len(self.settlement_tiles) - 1
        self.road_count = len(self.road_tiles) - 1

        self.ends: tuple[tuple[int, ...], ...] = _ends(self.settlement_tiles, self.road_tiles)
        """For each road point the settlement points it touches: two, or fewer where the map lacks its sea."""
        self.end_points: tuple[Points, ...] = tuple(as_points(ends) for ends in self.ends)
        """The same as sets."""
        self.roads_at: tuple[Points, ...] = _touching(self.settlement_count, self.ends)
        """For each settlement point the road points that touch it."""
        self.adjacent_settlements: tuple[Points, ...] = (0,) + tuple(
            as_points(end for rp in numbers(roads) for end in self.ends[rp] if end != sp)
            for sp, roads in enumerate(self.roads_at[1:], 1)
        )
        """For each settlement point the points one road away."""
        self.corners: tuple[Points, ...] = _touching(self.tile_count, self.settlement_tiles)
        """For each tile the settlement points at its corners."""
        self.edges: tuple[Points, ...] = _touching(self.tile_count, self.road_tiles)
        """For each tile the road points at its edges."""

        self.producers: dict[int, tuple[YieldingTile, ...]] = {}
        """Which tiles yield, by the sum of the dice."""
        self.first_yield: tuple[Cards, ...] = (NO_CARDS,) + tuple(
            sum(ONE[resource] for tile in triple if (resource := map.tiles[tile - 1].resource) is not None)
            for triple in self.settlement_tiles[1:]
        )
        """For each settlement point one card for every productive tile: what the second village of the set-up earns."""
        for i, tile in enumerate(map.tiles, 1):
            if tile.number is not None and tile.resource is not None:
                producer = YieldingTile(i, self.corners[i], ONE[tile.resource])
                self.producers[tile.number] = (*self.producers.get(tile.number, ()), producer)

        self.wharf_tiles: tuple[tuple[tuple[int, int], WharfType], ...] = tuple(
            ((self.tile_number[w.tiles[0]], self.tile_number[w.tiles[1]]), w.type) for w in map.wharfs
        )
        """The wharfs with the numbers of their two tiles."""
        self.wharf_points: dict[WharfType, Points] = {
            type: as_points(
                sp
                for sp, triple in enumerate(self.settlement_tiles)
                for pair, wharf_type in self.wharf_tiles
                if wharf_type == type and set(pair) <= set(triple)
            )
            for type in WHARF_TYPES
        }
        """The settlement points at which a wharf of a type can be used."""
        desert = next((i for i, tile in enumerate(map.tiles, 1) if tile.terrain == "desert"), None)
        self.bandit_start = self.land[0] if desert is None else desert
        """Where the bandit starts: on the first desert, or on the first land tile of a map without a desert."""

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Board) and self.map == other.map)

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[Callable[[Map], Board], tuple[Map]]:
        # The tables follow from the map; and hashes of strings differ from one process to another.
        return board_of, (self.map,)

    def _repr_svg_(self) -> str:
        """The picture that a notebook shows."""
        from catan_p2p.game.board.svg import board_svg

        return board_svg(self)

    def __repr__(self) -> str:
        return f"<Board of {len(self.land)} land tiles, {self.settlement_count} settlement points>"


def _triples(beside: list[frozenset[int]], land: frozenset[int]) -> list[tuple[int, ...]]:
    return sorted(
        (a, b, c)
        for a in range(1, len(beside))
        for b, c in combinations(sorted(n for n in beside[a] if n > a), 2)
        if c in beside[b] and land & {a, b, c}
    )


def _pairs(beside: list[frozenset[int]], land: frozenset[int]) -> list[tuple[int, ...]]:
    return sorted((a, b) for a in range(1, len(beside)) for b in beside[a] if a < b and land & {a, b})


def _ends(
    settlement_tiles: tuple[tuple[int, ...], ...], road_tiles: tuple[tuple[int, ...], ...]
) -> tuple[tuple[int, ...], ...]:
    at_pair: dict[tuple[int, ...], list[int]] = {}
    for sp, triple in enumerate(settlement_tiles):
        for pair in combinations(triple, 2):
            at_pair.setdefault(pair, []).append(sp)
    return tuple(tuple(at_pair.get(pair, ())) for pair in road_tiles)


def _touching(count: int, touched: tuple[tuple[int, ...], ...]) -> tuple[Points, ...]:
    """By number, up to ``count``: the indices of those entries that hold the number."""
    found = [0] * (count + 1)
    for i, numbers_of in enumerate(touched):
        for number in numbers_of:
            found[number] |= 1 << i
    return tuple(found)


@lru_cache(maxsize=256)
def board_of(map: Map) -> Board:
    """The board of a map: the same object for equal maps, as long as it is one of the last 256."""
    return Board(map)


DEFAULT_BOARD = board_of(DEFAULT_MAP)
"""The board of the default map: 54 settlement points, 72 road points."""
