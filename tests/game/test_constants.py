"""The constants of a game: three profiles, and what contradicts itself."""

import re
from dataclasses import fields, replace
from typing import Any

import pytest

from catan_p2p.game.board import DEFAULT_MAP, FirstPlacement, board_of
from catan_p2p.game.cards import DEV_CARDS, RESOURCES, pack, unpack
from catan_p2p.game.constants import BRIEF, PROFILES, STANDARD, THESIS, Constants, Rules, UnsupportedRules, profile
from tests.for_each import for_each

DIFFERENT = tuple(field.name for field in fields(Rules) if getattr(THESIS, field.name) != getattr(BRIEF, field.name))


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


def test_the_profiles_differ_in_eleven_rules_and_in_trades() -> None:
    assert PROFILES == {"thesis": THESIS, "brief": BRIEF, "standard": STANDARD}
    assert replace(BRIEF, offer_max=0, table_talk=True) == STANDARD
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
        "offer_max",
        "start_order",
    )


@for_each("name", ["brief", "standard"])
@for_each("count", range(2, 7))
def test_five_and_six_players_have_more_cards_and_the_special_building_phase(count: int, name: str) -> None:
    assert profile("thesis", count) is THESIS
    rules = profile(name, count)
    many = count > 4
    assert rules.special_building == many
    assert unpack(rules.resource_pool) == ((24,) * 5 if many else (19,) * 5)
    assert unpack(rules.dev_card_pool) == ((3, 3, 3, 20, 5) if many else (2, 2, 2, 14, 5))
    same = {"special_building": False, "resource_pool": THESIS.resource_pool, "dev_card_pool": THESIS.dev_card_pool}
    assert replace(rules, **same) == PROFILES[name]
    assert Constants(rules, player_count=count).rules is rules


@for_each("name", DIFFERENT)
def test_each_rule_of_the_rule_book_is_played_by_itself(name: str) -> None:
    changes = {name: getattr(BRIEF, name)}
    if name == "domestic_trade":
        changes["offer_max"] = 1
    assert getattr(Constants(replace(THESIS, **changes)).rules, name) == getattr(BRIEF, name)


SIGNED_END = "signed_end: expected with hands = hidden and leaving, and only then"


@for_each(
    ("changes", "message"),
    [
        ({"domestic_trade": True, "offer_max": -1}, "offer_max = -1: expected 0 for any number, or more"),
        ({"table_talk": True}, "table_talk without domestic_trade: expected both, or no table talk"),
        ({"road_building_needs": 3}, "road_building_needs = 3: expected 1 or 2"),
        ({"offers_per_turn": -1}, "offers_per_turn = -1: expected 0 for no limit, or more"),
        ({"proposals_per_turn": -2}, "proposals_per_turn = -2: expected 0 for no limit, or more"),
        ({"leaving": True, "patience": -1}, "patience = -1: expected seconds, or 0 for none"),
        ({"signed_end": True}, SIGNED_END),
        ({"signed_end": True, "hands": "hidden", "chance": "joint"}, SIGNED_END),
        ({"leaving": True, "hands": "hidden", "chance": "joint"}, SIGNED_END),
        ({"chance_ahead": True}, "chance_ahead without chance = joint: expected both, or no shares ahead"),
        (
            {"chance_ahead": True, "chance": "joint", "special_building": True},
            "chance_ahead with special_building: expected one of them, or neither",
        ),
        ({"patience": 600}, "patience without leaving: expected both, or no patience"),
        ({"dev_cards_per_turn": -1}, "dev_cards_per_turn = -1: expected 0 for no limit, or more"),
    ],
)
def test_rules_that_mean_nothing_are_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(UnsupportedRules, match=f"^{re.escape(message)}$"):
        Constants(replace(THESIS, **changes))


OPENING = (
    FirstPlacement(1, 20, 23, True),
    FirstPlacement(1, 43, 64, True),
    FirstPlacement(2, 15, 16, True),
    FirstPlacement(2, 36, 57, True),
)


@for_each(
    ("opening", "rules", "message"),
    [
        (OPENING[:3], {}, "an opening of 3 placements, expected two for each player"),
        ((*OPENING, *OPENING[:1]), {}, "an opening of 5 placements"),
        ((*OPENING[:3], FirstPlacement(3, 36, 57, True)), {}, "an opening of 4 placements"),
        (
            (*OPENING[:3], FirstPlacement(2, 55, 57, True)),
            {},
            "village on 55 with a road on 57: expected a settlement point",
        ),
        (
            (*OPENING[:3], FirstPlacement(2, 0, 57, True)),
            {},
            "village on 0 with a road on 57: expected a settlement point",
        ),
        (
            (*OPENING[:3], FirstPlacement(2, 36, 1, True)),
            {},
            "village on 36 with a road on 1: expected a settlement point",
        ),
        ((*OPENING[:3], FirstPlacement(2, 20, 22, True)), {}, "village on 20 with a road on 22: too close"),
        ((*OPENING[:3], FirstPlacement(2, 19, 21, True)), {}, "village on 19 with a road on 21: too close"),
        (
            OPENING,
            {"points_to_win": 2},
            "needs two villages and two roads for each player, and more than two points to win",
        ),
        (OPENING, {"villages": 1}, "needs two villages and two roads for each player, and more than two points to win"),
        (OPENING, {"roads": 1}, "needs two villages and two roads for each player, and more than two points to win"),
        (OPENING, {"resource_pool": pack((1, 1, 1, 1, 1))}, "the bank has too few cards for what the opening earns"),
    ],
)
def test_openings_that_no_set_up_could_have_led_to(
    opening: tuple[FirstPlacement, ...], rules: dict[str, Any], message: str
) -> None:
    Constants(opening=OPENING)
    with pytest.raises(ValueError, match=re.escape(message)):
        Constants(replace(THESIS, **rules), opening=opening)


def test_other_numbers_are_played() -> None:
    assert Constants(Rules(points_to_win=4, hand_limit=3, dice=(6, 7), roads=3)).rules.points_to_win == 4


@for_each("count", range(2, 7))
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
    assert Constants() != Constants(opening=OPENING)
