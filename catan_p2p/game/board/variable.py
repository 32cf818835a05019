"""The variable set-up: an island drawn at random (rule book, "Set-up, Variable").

Everything is drawn with ``Random.randrange`` in a fixed order, so that the same seed gives the same map on every
machine: terrains, wharfs, then number tokens.
"""

from collections.abc import Sequence
from functools import cache
from random import Random
from typing import TypeVar

from catan_p2p.game.board.layouts import ISLAND, LARGE_ISLAND, Layout
from catan_p2p.game.board.maps import Map, Wharf, make_map
from catan_p2p.game.board.tiles import HexCoordinates, Tile

RED_NUMBERS = (6, 8)
"""The numbers of the red tokens, which are never on adjacent tiles when tokens are placed freely."""

_T = TypeVar("_T")


def draw_island(name: str, rng: Random) -> Map:
    """The map of one of the names ``named_maps.DRAWN_MAPS``."""
    layout = LARGE_ISLAND if name.startswith("large") else ISLAND
    return free_map(layout, rng) if name.endswith("-free") else spiral_map(layout, rng)


def spiral_map(layout: Layout, rng: Random) -> Map:
    """An island with its tokens in alphabetical order along the spiral from a random corner, deserts skipped."""
    tiles, wharfs = _draw_terrains_and_wharfs(layout, rng)
    corner = layout.corners[rng.randrange(len(layout.corners))]
    desert = {tile.at for tile in tiles if tile.terrain == "desert"}
    productive = [at for at in layout.spiral(corner) if at not in desert]
    return _with_tokens(tiles, wharfs, dict(zip(productive, layout.tokens, strict=True)))


def free_map(layout: Layout, rng: Random) -> Map:
    """An island with its tokens anywhere, no two red ones on adjacent tiles.

    Uniform over all such placements on the drawn terrains. The places of the red tokens come first, as the number of a
    random set of pairwise separate tiles; then each token gets one of its places.
    """
    tiles, wharfs = _draw_terrains_and_wharfs(layout, rng)
    productive = [tile.at for tile in tiles if tile.terrain not in ("sea", "desert")]
    red = [token for token in layout.tokens if token in RED_NUMBERS]
    others = [token for token in layout.tokens if token not in RED_NUMBERS]
    places = _draw_apart(productive, len(red), rng)
    rest = [at for at in productive if at not in places]
    numbers = dict(zip(places, _shuffled(red, rng), strict=True)) | dict(zip(rest, _shuffled(others, rng), strict=True))
    return _with_tokens(tiles, wharfs, numbers)


def _draw_terrains_and_wharfs(layout: Layout, rng: Random) -> tuple[list[Tile], list[Wharf]]:
    """The tiles without their numbers, and the wharfs."""
    tiles = [Tile(at, terrain, None) for at, terrain in zip(layout.land, _shuffled(layout.terrains, rng), strict=True)]
    tiles += [Tile(at, "sea", None) for at in layout.sea]
    types = _shuffled(layout.wharf_types, rng)
    return tiles, [Wharf(place, type) for place, type in zip(layout.wharf_places, types, strict=True)]


def _with_tokens(tiles: list[Tile], wharfs: list[Wharf], numbers: dict[HexCoordinates, int]) -> Map:
    return make_map((tile._replace(number=numbers.get(tile.at)) for tile in tiles), wharfs)


def _shuffled(pieces: Sequence[_T], rng: Random) -> list[_T]:
    """The pieces in random order, every order equally likely; unlike ``Random.shuffle``, this can never change."""
    order = list(pieces)
    # Fisher-Yates, written out here.
    for i in range(len(order) - 1, 0, -1):
        j = rng.randrange(i + 1)
        order[i], order[j] = order[j], order[i]
    return order


def _draw_apart(places: Sequence[HexCoordinates], count: int, rng: Random) -> list[HexCoordinates]:
    """This many of the places, no two adjacent, every such set equally likely, in ascending order."""
    place_of = {at: i for i, at in enumerate(places)}
    apart_from = tuple(
        1 << i | sum(1 << place_of[beside] for beside in at.neighbours() if beside in place_of)
        for i, at in enumerate(places)
    )

    # Counting the sets first lets one random number choose among them, each equally likely.
    @cache
    def sets(left: int, count: int) -> int:
        """How many such sets there are among the places whose bits are set."""
        if count == 0:
            return 1
        if left == 0:
            return 0
        # Either the lowest place is taken, which excludes its neighbours, or it is not.
        lowest = (left & -left).bit_length() - 1
        return sets(left & ~apart_from[lowest], count - 1) + sets(left & ~(1 << lowest), count)

    left = (1 << len(places)) - 1
    number = rng.randrange(sets(left, count))
    drawn = []
    for i, at in enumerate(places):
        if not left >> i & 1 or count == 0:
            continue
        with_it = sets(left & ~apart_from[i], count - 1)
        if number < with_it:
            drawn.append(at)
            left &= ~apart_from[i]
            count -= 1
        else:
            number -= with_it
            left &= ~(1 << i)
    return drawn
