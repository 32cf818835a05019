"""The board of the oracle: hexagons as points in the plane, and everything else found by looking at all of them."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

YIELDS = {"forest": "Lumber", "hills": "Brick", "pasture": "Wool", "fields": "Grain", "mountains": "Ore"}


class Island:
    """Tiles, points and roads by number, counted from 1 in the order of the tiles that they touch."""

    def __init__(
        self, tiles: Iterable[tuple[int, int, int, str, int | None]], wharfs: Iterable[tuple[int, int, str]]
    ) -> None:
        listed = list(tiles)
        self.terrain = {i: tile[3] for i, tile in enumerate(listed, 1)}
        self.number = {i: tile[4] for i, tile in enumerate(listed, 1)}
        # The second array lies half a tile west of the first, and one row below it.
        self.place = {i: (col - arr / 2, 2 * row + arr) for i, (arr, row, col, _, _) in enumerate(listed, 1)}
        near = {frozenset(pair) for pair in combinations(self.place, 2) if self._touch(*pair)}
        land = {i for i, terrain in self.terrain.items() if terrain != "sea"}
        self.land = land
        triples = sorted(
            (a, b, c)
            for a, b in map(sorted, near)
            for c in self.place
            if c > b and {frozenset((a, c)), frozenset((b, c))} <= near and land & {a, b, c}
        )
        self.point = {i: frozenset(triple) for i, triple in enumerate(triples, 1)}
        pairs = sorted(tuple(sorted(pair)) for pair in near if pair & land)
        self.road = {i: frozenset(pair) for i, pair in enumerate(pairs, 1)}
        self.ends = {i: [p for p, tiles in self.point.items() if pair <= tiles] for i, pair in self.road.items()}
        self.roads_at = {p: [i for i, ends in self.ends.items() if p in ends] for p in self.point}
        self.neighbours = {p: {q for i in self.roads_at[p] for q in self.ends[i]} - {p} for p in self.point}
        self.wharfs = {
            p: {kind for a, b, kind in wharfs if {a, b} <= tiles} for p, tiles in self.point.items()
        }  # fmt: skip
        deserts = [i for i in sorted(land) if self.terrain[i] == "desert"]
        self.start = (deserts or sorted(land))[0]

    def _touch(self, a: int, b: int) -> bool:
        (x, y), (u, v) = self.place[a], self.place[b]
        return (abs(x - u), abs(y - v)) in ((1, 0), (0.5, 1))

    def around(self, point: int) -> list[str]:
        """One card for every tile that yields."""
        return [YIELDS[self.terrain[tile]] for tile in self.point[point] if self.terrain[tile] in YIELDS]

    def longest_road(self, roads: set[int], blocked: set[int]) -> int:
        """The longest way over roads, none used twice, that passes no blocked point: every way is tried."""

        def ends(road: int) -> list[object]:
            # A road that leads off the map ends where nobody else's does.
            return [*self.ends[road], *(("off", road, i) for i in range(2 - len(self.ends[road])))]

        def walk(at: object, used: frozenset[int]) -> int:
            if used and at in blocked:
                return len(used)
            ways = [(road, ends(road)) for road in roads - used if at in ends(road)]
            return max((walk(both[both[0] == at], used | {road}) for road, both in ways), default=len(used))

        return max((walk(at, frozenset()) for road in roads for at in ends(road)), default=0)
