"""The beginners' set-up: what the rule book says of it, and who plays which of its positions."""

from collections import Counter
from itertools import combinations, permutations

import pytest

from catan_p2p.game.board import DEFAULT_BOARD
from catan_p2p.game.board.openings import beginners_opening
from catan_p2p.game.cards import RESOURCES, unpack
from tests.for_each import for_each

FOUR = ("Red", "Blue", "Green", "Orange")


def tiles_at(village: int) -> list[str]:
    """Terrain and number of the tiles of a settlement point, such as ``hills 5``."""
    tiles = (DEFAULT_BOARD.map.tiles[tile - 1] for tile in DEFAULT_BOARD.settlement_tiles[village])
    return sorted(f"{tile.terrain} {tile.number}" for tile in tiles)


def villages_of(colours: tuple[str, ...], colour: str) -> dict[bool, list[str]]:
    """A colour's two villages by whether they earn."""
    seat = colours.index(colour) + 1
    return {one.earns: tiles_at(one.village) for one in beginners_opening(colours) if one.player == seat}


@for_each(
    ("colour", "first", "starred"),
    [
        ("Red", ["hills 6", "mountains 10", "pasture 2"], ["fields 9", "forest 11", "forest 8"]),
        ("Blue", ["fields 4", "pasture 11", "pasture 5"], ["forest 8", "hills 5", "mountains 3"]),
        ("Green", ["forest 3", "mountains 8", "pasture 5"], ["fields 12", "forest 11", "hills 6"]),
        ("Orange", ["forest 9", "hills 10", "pasture 4"], ["fields 4", "fields 6", "mountains 3"]),
    ],
)
def test_where_every_colour_begins(colour: str, first: list[str], starred: list[str]) -> None:
    assert villages_of(FOUR, colour) == {False: first, True: starred}


def test_blue_receives_brick_lumber_and_ore_for_the_leftmost_settlement() -> None:
    """The rule book's example, word for word."""
    star, other = sorted((one for one in beginners_opening(FOUR) if one.player == 2), key=lambda one: not one.earns)
    cards = dict(zip(RESOURCES, unpack(DEFAULT_BOARD.first_yield[star.village]), strict=True))
    assert cards == {"Brick": 1, "Lumber": 1, "Ore": 1, "Wool": 0, "Grain": 0}

    def west(village: int) -> int:
        places = (DEFAULT_BOARD.map.tiles[tile - 1].at for tile in DEFAULT_BOARD.settlement_tiles[village])
        return sum(2 * at.col - at.arr for at in places)

    assert west(star.village) < west(other.village)


def test_everybody_has_two_villages_of_which_one_earns_three_cards() -> None:
    opening = beginners_opening(FOUR)
    assert Counter(one.player for one in opening) == {1: 2, 2: 2, 3: 2, 4: 2}
    earning = [one for one in opening if one.earns]
    assert [one.player for one in earning] == [1, 2, 3, 4]
    assert all(sum(unpack(DEFAULT_BOARD.first_yield[one.village])) == 3 for one in earning)


def test_the_distance_rule_holds() -> None:
    for one, other in combinations(beginners_opening(FOUR), 2):
        assert one.village != other.village
        assert not DEFAULT_BOARD.adjacent_settlements[one.village] >> other.village & 1


def test_every_road_touches_its_village_and_no_two_are_one() -> None:
    opening = beginners_opening(FOUR)
    assert all(DEFAULT_BOARD.roads_at[one.village] >> one.road & 1 for one in opening)
    assert len({one.road for one in opening}) == len(opening)


def test_nothing_lies_beside_the_bandit() -> None:
    bandit = DEFAULT_BOARD.bandit_start
    for one in beginners_opening(FOUR):
        assert not DEFAULT_BOARD.corners[bandit] >> one.village & 1
        assert not DEFAULT_BOARD.edges[bandit] >> one.road & 1


RED_PLACES = {10, 29}
"""The settlement points of the red position."""


@for_each("count", [2, 3])
@for_each("colours", [FOUR, ("Blue", "Green", "Orange", "Brown"), ("White", "Brown", "Red")], ids=str)
def test_with_fewer_than_four_nobody_plays_red(colours: tuple[str, ...], count: int) -> None:
    opening = beginners_opening(colours[:count])
    assert not RED_PLACES & {one.village for one in opening}
    assert len({one.village for one in opening}) == 2 * count


def test_a_colour_keeps_its_position_in_every_seat() -> None:
    for colours in permutations(FOUR):
        for colour in FOUR:
            assert villages_of(colours, colour) == villages_of(FOUR, colour)


def test_red_takes_the_position_that_is_free_if_three_play() -> None:
    colours = ("Red", "Blue", "Green")
    assert villages_of(colours, "Red") == villages_of(FOUR, "Orange")
    assert villages_of(colours, "Blue") == villages_of(FOUR, "Blue")


def test_white_has_its_own_position_and_green_only_without_white() -> None:
    assert villages_of(("White", "Blue", "Orange"), "White") == villages_of(FOUR, "Green")
    both = ("Green", "White", "Blue", "Orange")
    assert villages_of(both, "White") == villages_of(FOUR, "Green")
    assert villages_of(both, "Green") == villages_of(FOUR, "Red")


def test_five_cannot_play_it() -> None:
    with pytest.raises(ValueError, match="5 players, the beginners' set-up is for at most 4"):
        beginners_opening(("Red", "Blue", "Green", "Orange", "White"))
