"""The state: one immutable value."""

from __future__ import annotations

import pytest

from catan_p2p.board import as_points
from catan_p2p.cards import NO_CARDS, pack
from catan_p2p.constants import Constants, Rules
from catan_p2p.state import (
    SETUP_PHASES,
    TURN_PHASES,
    Bank,
    Buildings,
    Hand,
    Settlements,
    State,
    initial_state,
    roads_taken,
    taken,
)
from tests.positions import position, random_game

INITIAL = {
    "sup": "PhaseOne",
    "su_ap": 1,
    "ap": 1,
    "tp": "bot",
    "dice": 0,
    "ba": 19,
    "dp": NO_CARDS,
    "lr": 0,
    "la": 0,
    "lim": (0, 0, 0),
    "s": Settlements((0, 0, 0), (0, 0, 0)),
    "r": (0, 0, 0),
    "bnk": Bank(pack((19, 19, 19, 19, 19)), pack((2, 2, 2, 14, 5))),
    "h": (Hand(0, 0, 0, 0),) * 3,
    "b": (Buildings(15, 5, 4),) * 3,
}


@pytest.mark.parametrize("component", State._fields[1:])
def test_initial_value_of(component: str) -> None:
    assert getattr(initial_state(Constants(player_count=3)), component) == INITIAL[component]


def test_initial_pools_are_those_of_the_rules() -> None:
    resources, dev_cards = pack((1, 2, 3, 4, 5)), pack((0, 0, 1, 2, 0))
    rules = Rules(resource_pool=resources, dev_card_pool=dev_cards, roads=4, villages=3, cities=2)
    state = initial_state(Constants(rules))
    assert state.bnk == Bank(resources, dev_cards)
    assert state.b == (Buildings(4, 3, 2),) * 2


def test_phases() -> None:
    assert SETUP_PHASES == ("PhaseOne", "PhaseTwo")
    assert TURN_PHASES == ("bot", "DiceRoll", "Discarding", "MovingBandit", "Trading", "Building", "top")


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


def test_only_top_is_over() -> None:
    assert [phase for phase in TURN_PHASES if position(phase=phase).is_over] == ["top"]
