"""Coordinates and tiles."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catan_p2p.game.board import NUMBERS, TERRAINS, YIELD, HexCoordinates, Tile
from catan_p2p.game.cards import RESOURCES

PLACES = st.builds(HexCoordinates, st.integers(0, 1), st.integers(-50, 50), st.integers(-50, 50))


@pytest.mark.parametrize(
    ("place", "around"),
    [
        pytest.param((1, 1, 3), ((0, 1, 2), (0, 1, 3), (1, 1, 2), (1, 1, 4), (0, 2, 2), (0, 2, 3)), id="the desert"),
        pytest.param((0, 1, 1), ((1, 0, 1), (1, 0, 2), (0, 1, 0), (0, 1, 2), (1, 1, 1), (1, 1, 2)), id="in array zero"),
    ],
)
def test_neighbours_by_hand(place: tuple[int, int, int], around: tuple[tuple[int, int, int], ...]) -> None:
    assert HexCoordinates(*place).neighbours() == around


@given(PLACES)
def test_six_neighbours_ascending_and_each_has_this_one(place: HexCoordinates) -> None:
    around = place.neighbours()
    assert len(set(around)) == 6
    assert list(around) == sorted(around, key=lambda at: at.order)
    assert all(place in other.neighbours() for other in around)
    assert place not in around


@given(PLACES)
def test_neighbours_form_a_ring(place: HexCoordinates) -> None:
    around = set(place.neighbours())
    assert all(len(around & set(other.neighbours())) == 2 for other in around)


@given(PLACES, PLACES)
def test_order_tells_places_apart(one: HexCoordinates, other: HexCoordinates) -> None:
    assert (one.order == other.order) == (one == other)


def test_every_terrain_is_land_but_the_sea_and_five_yield() -> None:
    tiles = {terrain: Tile(HexCoordinates(0, 0, 0), terrain, None) for terrain in TERRAINS}
    assert [terrain for terrain, tile in tiles.items() if not tile.is_land] == ["sea"]
    assert {terrain for terrain, tile in tiles.items() if tile.resource is None} == {"sea", "desert"}
    assert tuple(YIELD.values()) == RESOURCES
    assert {terrain: tile.resource for terrain, tile in tiles.items() if tile.resource} == YIELD


def test_number_tokens_are_all_sums_of_two_dice_but_seven() -> None:
    sums = {one + other for one in range(1, 7) for other in range(1, 7)}
    assert tuple(sorted(sums - {7})) == NUMBERS
