"""The state: one immutable value."""

from dataclasses import replace

import pytest

from catan_p2p.game.actions import Pledge
from catan_p2p.game.actions.empty_build import next_special_builder
from catan_p2p.game.board import FirstPlacement, as_points
from catan_p2p.game.cards import NO_CARDS, pack
from catan_p2p.game.constants import BRIEF, NO_OWNER, THESIS, Constants, Rules, profile
from catan_p2p.game.invariants import check
from catan_p2p.game.rules import apply
from catan_p2p.game.state import (
    BUILD_PHASES,
    NO_CALL,
    NOTHING_HIDDEN,
    PLAY_PHASES,
    SETUP_PHASES,
    TRADE_PHASES,
    TURN_PHASES,
    Bank,
    Buildings,
    Hand,
    HiddenCounts,
    Offer,
    PlacedSettlements,
    State,
    WayBack,
    initial_state,
    roads_taken,
    taken,
)
from tests.for_each import for_each
from tests.positions import position, random_game

INITIAL = {
    "sup": "PhaseOne",
    "su_ap": 1,
    "first": 1,
    "rolls": (0, 0, 0),
    "ap": 1,
    "tp": "bot",
    "dice": 0,
    "pd": 0,
    "sb": 0,
    "ba": 19,
    "dp": NO_CARDS,
    "lr": 0,
    "la": 0,
    "lim": (0, 0, 0),
    "offer": Offer(NO_CARDS, NO_CARDS),
    "ans": ("none", "none", "none"),
    "prop": (Offer(NO_CARDS, NO_CARDS),) * 3,
    "made": (0, 0, 0),
    "due": (False, False, False),
    "call": NO_CALL,
    "away": (False, False, False),
    "ret": (WayBack(0, False),) * 3,
    "ahead": (False, False, False),
    "s": PlacedSettlements((0, 0, 0), (0, 0, 0)),
    "r": (0, 0, 0),
    "bnk": Bank(pack((19, 19, 19, 19, 19)), pack((2, 2, 2, 14, 5))),
    "h": (Hand(0, 0, 0, 0),) * 3,
    "b": (Buildings(15, 5, 4),) * 3,
    "hid": NOTHING_HIDDEN,
}


@for_each("component", State._fields[1:])
def test_initial_value_of(component: str) -> None:
    assert getattr(initial_state(Constants(player_count=3)), component) == INITIAL[component]


def test_hidden_hands_begin_empty() -> None:
    constants = Constants(replace(THESIS, chance="joint", hands="hidden"), player_count=3)
    none = (0, 0, 0)
    assert initial_state(constants).hid == HiddenCounts(none, none, none, 0, "none", "bot", keyless=(False,) * 3)


def test_the_dice_decide_who_begins() -> None:
    assert initial_state(Constants(BRIEF)).sup == "Rolling"
    assert initial_state(Constants(BRIEF))._replace(sup="PhaseOne", constants=Constants()) == initial_state(Constants())


OPENING = (
    FirstPlacement(1, 20, 23, False),
    FirstPlacement(2, 15, 16, True),
    FirstPlacement(1, 43, 64, True),
    FirstPlacement(2, 36, 57, False),
)


JOINT = replace(THESIS, chance="joint")


def test_where_all_draw_together_pledges_come_first() -> None:
    for rules, opening, phase in (
        (JOINT, (), "bot"),
        (JOINT, OPENING, "DiceRoll"),
        (replace(JOINT, start_order="dice"), OPENING, "bot"),
    ):
        constants = Constants(rules, opening=opening)
        state = initial_state(constants)
        assert (state.tp, state.due, state.call) == ("Pledging", (True, True), NO_CALL)
        check(state)
        pledged = apply(apply(state, Pledge(2)), Pledge(1))
        assert pledged == initial_state(replace(constants, rules=replace(rules, chance="actor")))._replace(
            constants=constants
        )
        assert pledged.tp == phase


def test_an_opening_lies_on_the_board_and_has_earned_its_cards() -> None:
    hands = {1: "1 Brick, 1 Grain, 1 Ore", 2: "1 Lumber, 1 Brick, 1 Wool"}
    constants = Constants(opening=OPENING)
    state = initial_state(constants)
    assert state == position(phase="DiceRoll", hands=hands)._replace(constants=constants)
    check(state)


def test_after_an_opening_the_dice_may_decide_who_begins() -> None:
    rules = replace(THESIS, start_order="dice")
    state = initial_state(Constants(rules, opening=OPENING))
    assert (state.sup, state.tp, state.su_ap, state.ap) == ("Rolling", "bot", 1, 1)
    assert state.s == position().s
    check(state)


def test_initial_pools_are_those_of_the_rules() -> None:
    resources, dev_cards = pack((1, 2, 3, 4, 5)), pack((0, 0, 1, 2, 0))
    rules = Rules(resource_pool=resources, dev_card_pool=dev_cards, roads=4, villages=3, cities=2)
    state = initial_state(Constants(rules))
    assert state.bnk == Bank(resources, dev_cards)
    assert state.b == (Buildings(4, 3, 2),) * 2


def test_phases() -> None:
    assert SETUP_PHASES == ("Rolling", "PhaseOne", "PhaseTwo")
    assert (
        *("Pledging", "Shuffling", "bot", "DiceRoll", "Discarding", "MovingBandit", "Trading", "Building"),
        *("TradingBuilding", "Offering", "SpecialBuilding", "Drawing", "Surrendering", "Signing", "top"),
    ) == TURN_PHASES


def test_sets_of_phases() -> None:
    assert {"Trading", "TradingBuilding"} == TRADE_PHASES
    assert {"Building", "TradingBuilding", "SpecialBuilding"} == BUILD_PHASES
    assert {"Trading", "Building", "TradingBuilding"} == PLAY_PHASES


def test_the_builder_is_the_active_player_except_in_the_special_building_phase() -> None:
    assert position(4, phase="SpecialBuilding", turn=2, builder=4).builder == 4
    assert position(4, turn=2).builder == 2


def test_the_next_builder_is_looked_for_once_around_the_table() -> None:
    """Also in a damaged state: where builder and active player are away, all others come after the builder for ever."""
    state = position(5, phase="SpecialBuilding", builder=2, rules=profile("standard", 5))
    state = state._replace(away=(True, True, True, False, False))
    assert next_special_builder(state, 2) == NO_OWNER
    rich = tuple(hand._replace(rc=pack([1] * 5)) for hand in state.h)
    assert next_special_builder(state._replace(h=rich), 2) == 4


def test_after_the_dice_come_trading_or_both() -> None:
    assert position().after_dice == "Trading"
    assert position(rules=BRIEF).after_dice == "TradingBuilding"


def test_neighbours_in_the_order_of_play() -> None:
    state = position(3)
    assert [state.next_player(player) for player in (1, 2, 3)] == [2, 3, 1]
    assert [state.previous_player(player) for player in (1, 2, 3)] == [3, 1, 2]


def test_only_known_components_can_be_replaced() -> None:
    assert position()._replace(ba=3).ba == 3
    assert type(position()._replace(ba=3)) is State
    with pytest.raises(KeyError):
        position()._replace(bandit=3)


def test_a_state_can_be_hashed_and_compared() -> None:
    one, other = random_game(1, steps=30), random_game(1, steps=30)
    pairs = list(zip(one, other, strict=True))
    assert all(a[1:] == b[1:] and hash(a[1:]) == hash(b[1:]) for a, b in pairs)
    assert len({a for a, _ in pairs}) == len(pairs)


def test_no_component_can_be_set() -> None:
    state = initial_state(Constants())
    for value, name in (
        (state, "ap"),
        (state.h[0], "rc"),
        (state.bnk, "rc"),
        (state.b[0], "road"),
        (state.s, "cities"),
    ):
        with pytest.raises(AttributeError):
            setattr(value, name, 1)


def test_settlements_of_a_player_are_villages_and_cities() -> None:
    s = position(villages={1: (43,)}, cities={1: (20,)}).s
    assert s.of(1) == as_points((20, 43))
    assert s.of(2) == as_points((15, 36))


def test_owner_of_a_point() -> None:
    s = position(villages={1: (43,)}, cities={1: (20,)}).s
    assert [s.owner(point) for point in (20, 43, 15, 36, 1)] == [1, 1, 2, 2, 0]


def test_adversaries_settlements_are_all_but_the_players() -> None:
    state = position(3, villages={1: (43,), 3: (54,)}, cities={1: (20,), 3: (10,)})
    assert state.others(1) == as_points((15, 36, 10, 54))
    assert state.others(2) == as_points((20, 43, 10, 54))


def test_all_points_taken() -> None:
    state = position(villages={1: (43,)}, cities={1: (20,)})
    assert taken(state.s) == as_points((20, 43, 15, 36))
    assert roads_taken(state.r) == as_points((23, 64, 16, 57))


def test_only_top_is_over_and_what_signs_the_end() -> None:
    assert [phase for phase in TURN_PHASES if position(phase=phase).is_over] == ["Signing", "top"]
