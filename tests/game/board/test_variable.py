"""The variable set-up: the right pieces, all of them drawn from the seed, red tokens apart."""

import hashlib
from collections import Counter
from collections.abc import Callable
from itertools import combinations
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from catan_p2p.game.board import Board, Map
from catan_p2p.game.board.layouts import ISLAND, LARGE_ISLAND, Layout
from catan_p2p.game.board.map_file import format_map_file
from catan_p2p.game.board.tiles import HexCoordinates
from catan_p2p.game.board.variable import RED_NUMBERS, _draw_apart, free_map, spiral_map
from tests.for_each import for_each

LAYOUTS = st.sampled_from([ISLAND, LARGE_ISLAND])
DRAWS = st.sampled_from([spiral_map, free_map])
SEEDS = st.integers(0, 2**32)


@given(LAYOUTS, DRAWS, SEEDS)
def test_every_piece_is_used_once(layout: Layout, draw: Callable[[Layout, Random], Map], seed: int) -> None:
    drawn = draw(layout, Random(seed))
    land = [tile for tile in drawn.tiles if tile.is_land]
    assert Counter(tile.terrain for tile in land) == Counter(layout.terrains)
    assert Counter(tile.number for tile in land if tile.terrain != "desert") == Counter(layout.tokens)
    assert {tile.at for tile in land} == set(layout.land)
    assert Counter(wharf.type for wharf in drawn.wharfs) == Counter(layout.wharf_types)
    assert {wharf.tiles for wharf in drawn.wharfs} == set(layout.wharf_places)


@given(LAYOUTS, SEEDS)
def test_six_and_eight_are_never_adjacent_when_tokens_are_placed_freely(layout: Layout, seed: int) -> None:
    drawn = free_map(layout, Random(seed))
    red = {tile.at for tile in drawn.tiles if tile.number in RED_NUMBERS}
    assert len(red) == sum(token in RED_NUMBERS for token in layout.tokens)
    assert not any(beside in red for at in red for beside in at.neighbours())


@given(LAYOUTS, SEEDS)
def test_tokens_lie_in_alphabetical_order_on_a_spiral_from_a_corner(layout: Layout, seed: int) -> None:
    drawn = spiral_map(layout, Random(seed))
    number = {tile.at: tile.number for tile in drawn.tiles}
    spirals = [tuple(number[at] for at in layout.spiral(corner) if number[at]) for corner in layout.corners]
    assert layout.tokens in spirals


@given(LAYOUTS, DRAWS, SEEDS)
def test_the_bandit_starts_on_the_first_desert(
    layout: Layout, draw: Callable[[Layout, Random], Map], seed: int
) -> None:
    drawn = draw(layout, Random(seed))
    deserts = [i for i, tile in enumerate(drawn.tiles, 1) if tile.terrain == "desert"]
    assert Board(drawn).bandit_start == deserts[0]


@for_each(
    ("draw", "layout", "digest"),
    [
        (spiral_map, ISLAND, "636897ac46c89cbf90eed7f0e767da8c6f1ad5d56a8a04c6fff649f3801830d9"),
        (free_map, ISLAND, "b0cf18468ccc23364c58c27529e374e4e61364ca2d8468c515ce2cee1c5b54cc"),
        (spiral_map, LARGE_ISLAND, "65a2b8bcafc094d678e8bcbdac34cd24f5c91a98526e32d0986af719894dd522"),
        (free_map, LARGE_ISLAND, "7b54e3f82cb6428990be459682fbab8a54cea548a069fe6d2d564c1dbd246a6d"),
    ],
    ids=["variable", "variable-free", "large", "large-free"],
)
def test_ten_maps_of_every_kind_that_were_drawn_once_are_drawn_for_ever(
    draw: Callable[[Layout, Random], Map], layout: Layout, digest: str
) -> None:
    """The map of a seed must not change between versions: games of old seeds would come out otherwise."""
    text = "".join(format_map_file(draw(layout, Random(f"{seed}/0/map"))) for seed in range(10))
    assert hashlib.sha256(text.encode()).hexdigest() == digest


def test_every_corner_is_drawn_alike() -> None:
    begins: Counter[HexCoordinates] = Counter()
    for seed in range(1200):
        drawn = spiral_map(ISLAND, Random(seed))
        number = {tile.at: tile.number for tile in drawn.tiles}
        begins.update(
            corner
            for corner in ISLAND.corners
            if tuple(number[at] for at in ISLAND.spiral(corner) if number[at]) == ISLAND.tokens
        )
    assert len(begins) == 6
    # 200 of 1200 expected; 5 standard deviations are 65.
    assert all(135 < count < 265 for count in begins.values())


def test_every_terrain_and_wharf_comes_everywhere_alike() -> None:
    deserts: Counter[HexCoordinates] = Counter()
    ore_wharfs: Counter[tuple[HexCoordinates, HexCoordinates]] = Counter()
    for seed in range(1900):
        drawn = spiral_map(ISLAND, Random(seed))
        deserts.update(tile.at for tile in drawn.tiles if tile.terrain == "desert")
        ore_wharfs.update(wharf.tiles for wharf in drawn.wharfs if wharf.type == "Ore")
    # 100 and 211 expected; 5 standard deviations are 49 and 69.
    assert len(deserts) == 19
    assert all(51 < count < 149 for count in deserts.values())
    assert len(ore_wharfs) == 9
    assert all(142 < count < 280 for count in ore_wharfs.values())


def test_every_set_of_places_apart_is_drawn_alike() -> None:
    """Against all such sets, found by trying every combination."""
    places = [at for at in ISLAND.land if at.order[0] <= 3]
    apart = [
        chosen
        for chosen in combinations(places, 3)
        if not any(other in one.neighbours() for one, other in combinations(chosen, 2))
    ]
    drawn = Counter(tuple(_draw_apart(places, 3, Random(seed))) for seed in range(60 * len(apart)))
    assert set(drawn) == set(apart)
    assert len(apart) > 40
    # 60 each expected; 5 standard deviations are 39.
    assert all(21 < count < 99 for count in drawn.values())
