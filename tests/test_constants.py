"""The constants of a game: two profiles, and what this version does not play."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest

from catan_p2p.board import DEFAULT_MAP, board_of
from catan_p2p.cards import DEV_CARDS, RESOURCES, unpack
from catan_p2p.constants import PROFILES, STANDARD, THESIS, Constants, Rules, UnsupportedRules

DIFFERENT = tuple(field.name for field in fields(Rules) if getattr(THESIS, field.name) != getattr(STANDARD, field.name))


def test_pools_of_the_game() -> None:
    assert dict(zip(RESOURCES, unpack(THESIS.resource_pool), strict=True)) == dict.fromkeys(RESOURCES, 19)
    assert unpack(THESIS.dev_card_pool) == (2, 2, 2, 14, 5)
    assert sum(unpack(THESIS.dev_card_pool)) == 25
    assert len(DEV_CARDS) == 5
    assert (THESIS.roads, THESIS.villages, THESIS.cities) == (15, 5, 4)


def test_numbers_of_the_rules() -> None:
    assert (THESIS.points_to_win, THESIS.hand_limit) == (10, 7)
    assert (THESIS.longest_road_min, THESIS.largest_army_min) == (5, 3)
    assert THESIS.dice == tuple(range(2, 13))


def test_the_profiles_differ_in_nine_rules() -> None:
    assert PROFILES == {"thesis": THESIS, "standard": STANDARD}
    assert DIFFERENT == (
        "bandit_blocks_building",
        "bandit_targets",
        "shortage",
        "combined_trade_build",
        "dev_cards_per_turn",
        "dev_card_before_dice",
        "win_check",
        "domestic_trade",
        "road_building_needs",
    )


@pytest.mark.parametrize("name", DIFFERENT)
def test_each_rule_that_is_not_played_yet_is_refused_by_name(name: str) -> None:
    value = getattr(STANDARD, name)
    with pytest.raises(UnsupportedRules, match=rf"^not playable yet: {name} = {value}; the thesis rules are$"):
        Constants(replace(THESIS, **{name: value}))


def test_all_rules_that_are_not_played_yet_are_named() -> None:
    with pytest.raises(UnsupportedRules) as error:
        Constants(STANDARD)
    assert all(name in str(error.value) for name in DIFFERENT)


def test_other_numbers_are_played() -> None:
    assert Constants(Rules(points_to_win=4, hand_limit=3, dice=(6, 7), roads=3)).rules.points_to_win == 4


@pytest.mark.parametrize("count", range(2, 7))
def test_two_to_six_players(count: int) -> None:
    assert list(Constants(player_count=count).players) == list(range(1, count + 1))


@pytest.mark.parametrize("count", [0, 1, 7])
def test_fewer_or_more_players_are_refused(count: int) -> None:
    with pytest.raises(ValueError, match=f"^{count} players, expected 2 to 6$"):
        Constants(player_count=count)


def test_constants_are_compared_by_value() -> None:
    one, other = Constants(player_count=3), Constants(Rules(points_to_win=10), board_of(DEFAULT_MAP), 3)
    assert one == other
    assert hash(one) == hash(other)
    assert len({one, Constants(player_count=2), Constants(Rules(points_to_win=9), player_count=3)}) == 3
