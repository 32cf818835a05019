"""Points and bonus cards."""

from itertools import product

import pytest

from catan_p2p.game.constants import Rules
from catan_p2p.game.scoring import (
    army_size,
    bonus_holder,
    largest_army_holder,
    longest_road_holder,
    player_points,
    trail_length,
)
from catan_p2p.game.state import State
from tests.for_each import for_each
from tests.positions import position

ROW = {1: (23, 21, 10, 8, 64, 19)}
"""Five roads of player 1's in a row, and one elsewhere."""


@for_each(
    ("what", "position_", "points"),
    [
        ("two villages", position(), 2),
        ("a city counts two", position(villages={1: (43,)}, cities={1: (20,)}), 3),
        ("each victory point counts one", position(unveiled={1: "3 VictoryPoint"}), 5),
        ("knights count nothing", position(unveiled={1: "2 Knight"}), 2),
        ("hidden cards count nothing", position(bought={1: "1 Knight"}, available={1: "2 Monopoly"}), 2),
        ("the longest road counts two", position(roads=ROW, longest_road=1), 4),
        ("the largest army counts two", position(unveiled={1: "3 Knight"}, largest_army=1), 4),
        (
            "what others have counts nothing",
            position(unveiled={2: "5 VictoryPoint"}, longest_road=2, largest_army=2),
            2,
        ),
        (
            "everything together",
            position(
                villages={1: (43,)},
                cities={1: (20,)},
                roads=ROW,
                unveiled={1: "3 Knight, 2 VictoryPoint"},
                longest_road=1,
                largest_army=1,
            ),
            9,
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_points(what: str, position_: State, points: int) -> None:
    assert player_points(position_, 1) == points


def test_trails_shorter_than_the_minimum_may_count_as_none() -> None:
    assert trail_length(position(roads={1: (23, 21, 10, 8)}), 1) == 0
    assert trail_length(position(roads=ROW), 1) == 5
    assert trail_length(position(roads=ROW, villages={2: (11, 36)}), 1) == 3, "cut at 11: 10, 8 and 19 on one side"


def test_the_army_is_the_unveiled_knights() -> None:
    state = position(unveiled={1: "4 Knight, 1 VictoryPoint"}, available={1: "1 Knight"}, bought={1: "1 Knight"})
    assert (army_size(state, 1), army_size(state, 2)) == (4, 0)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_bonus_card(players: int) -> None:
    """Of all sizes around the minimum: the most takes it, a tie leaves it with its holder, or sets it aside."""
    for sizes, minimum, holder in product(product(range(5), repeat=players), range(1, 4), range(players + 1)):
        enough = [i for i, size in enumerate(sizes, 1) if size >= minimum and size == max(sizes)]
        expected = holder if holder in enough else enough[0] if len(enough) == 1 else 0
        assert bonus_holder(sizes, minimum, holder) == expected, (sizes, minimum, holder)


def test_the_longest_road_is_looked_at_for_all_players() -> None:
    assert longest_road_holder(position()) == 0
    assert longest_road_holder(position(roads=ROW)) == 1
    row_of_second = {2: (16, 14, 13, 9, 2, 57)}
    assert longest_road_holder(position(roads={**ROW, **row_of_second})) == 0
    assert longest_road_holder(position(roads={**ROW, **row_of_second}, longest_road=2)) == 2
    assert longest_road_holder(position(roads={**ROW, 2: (16, 14, 13, 9, 2, 1)}, longest_road=1)) == 2
    assert longest_road_holder(position(roads={1: ROW[1][:-1]}, longest_road=1)) == 0


def test_the_minimum_of_the_longest_road_is_a_rule() -> None:
    assert longest_road_holder(position(roads={1: (23, 21, 64)}, rules=Rules(longest_road_min=2))) == 1
    assert longest_road_holder(position(roads=ROW, rules=Rules(longest_road_min=6))) == 0


def test_the_largest_army_is_looked_at_for_all_players() -> None:
    assert largest_army_holder(position(unveiled={1: "2 Knight"})) == 0
    assert largest_army_holder(position(unveiled={2: "3 Knight"})) == 2
    assert largest_army_holder(position(unveiled={1: "3 Knight", 2: "3 Knight"}, largest_army=1)) == 1
    assert largest_army_holder(position(unveiled={1: "3 Knight", 2: "4 Knight"}, largest_army=1)) == 2


def test_the_minimum_of_the_largest_army_is_a_rule() -> None:
    assert largest_army_holder(position(unveiled={1: "1 Knight"}, rules=Rules(largest_army_min=1))) == 1
    assert largest_army_holder(position(unveiled={1: "3 Knight"}, rules=Rules(largest_army_min=4))) == 0
