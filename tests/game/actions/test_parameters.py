"""The parameters of actions: what they range over, and their one spelling."""

import re
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catan_p2p.game.actions import ACTIONS, HIDDEN_ACTIONS, KIND_NAMED, KIND_OF, ActionKind, Domain, ParameterError
from catan_p2p.game.actions.parameters import (
    ANSWER,
    CARDS,
    DEV_CARD,
    DICE,
    DRAWN,
    GOAL,
    OFFERED,
    PLAYER,
    RESOURCE,
    ROAD_POINT,
    SECOND_ROAD,
    SETTLEMENT_POINT,
    STOLEN,
    TILE,
    VICTIM,
)
from catan_p2p.game.cards import DEV_CARDS, RESOURCES, pack, total
from catan_p2p.game.constants import Constants, Rules
from catan_p2p.game.state import DRAWS
from catan_p2p.model_check.tlc import spec_folder
from tests.for_each import for_each
from tests.positions import cards

CONSTANTS = Constants(player_count=3)

DOMAINS: dict[str, tuple[Domain, tuple[object, ...]]] = {
    "PLAYER": (PLAYER, (1, 2, 3)),
    "VICTIM": (VICTIM, (0, 1, 2, 3)),
    "SETTLEMENT_POINT": (SETTLEMENT_POINT, tuple(range(1, 55))),
    "ROAD_POINT": (ROAD_POINT, tuple(range(1, 73))),
    "TILE": (TILE, tuple(range(1, 38))),
    "DICE": (DICE, tuple(range(2, 13))),
    "RESOURCE": (RESOURCE, RESOURCES),
    "STOLEN": (STOLEN, (*RESOURCES, "none")),
    "DEV_CARD": (DEV_CARD, DEV_CARDS),
    "SECOND_ROAD": (SECOND_ROAD, tuple(range(1, 73))),
    "ANSWER": (ANSWER, ("accept", "reject")),
    "DRAWN": (DRAWN, DRAWS),
    "GOAL": (GOAL, tuple(range(38))),
}


@pytest.fixture(params=DOMAINS.values(), ids=DOMAINS.keys())
def domain(request: pytest.FixtureRequest) -> tuple[Domain, tuple[object, ...]]:
    return request.param


def test_every_value_is_spelled_and_read_back(domain: tuple[Domain, tuple[object, ...]]) -> None:
    kind, values = domain
    spelled = [kind.spell(value) for value in values]
    assert len(set(spelled)) == len(values)
    assert tuple(kind.read(text, CONSTANTS) for text in spelled) == values


def test_samples_are_all_values_and_no_others(domain: tuple[Domain, tuple[object, ...]]) -> None:
    kind, values = domain
    rng = Random(1)
    assert {kind.sample(CONSTANTS, rng) for _ in range(40 * len(values))} == set(values)


@pytest.mark.parametrize(
    "text", ["", " ", "x", "01", "+1", " 1", "1 ", "1.0", "-1", "99", "\u0661", "None", "ore", "1\n"]
)
def test_what_does_not_spell_a_value(domain: tuple[Domain, tuple[object, ...]], text: str) -> None:
    kind, _ = domain
    with pytest.raises(ParameterError) as error:
        kind.read(text, CONSTANTS)
    assert str(error.value) == f"{text!r} is not {kind.what}"


@given(st.tuples(*[st.integers(0, 19)] * 5))
def test_cards_are_spelled_and_read_back(counts: tuple[int, ...]) -> None:
    assert CARDS.read(CARDS.spell(pack(counts)), CONSTANTS) == pack(counts)


@for_each(
    "text",
    [
        "",
        "0 Ore",
        "20 Ore",
        "-1 Ore",
        "1 Ore, 1 Ore",
        "1 Ore, 1 Wool",
        "1 Wool,1 Ore",
        "1  Ore",
        "1 Knight",
        "Ore",
        "01 Ore",
        "1 Ore, ",
        "128 Ore",
        "1" * 5000 + " Ore",
    ],
)
def test_what_does_not_spell_cards(text: str) -> None:
    with pytest.raises(ParameterError, match=r" is not a number of resource cards$"):
        CARDS.read(text, CONSTANTS)


@for_each("value", [-1, 1 << 7, 1 << 40, pack((20, 0, 0, 0, 0)), pack((0, 0, 0, 0, 127))])
def test_no_more_cards_than_the_game_has(value: int) -> None:
    assert not CARDS.contains(CONSTANTS, value)


def test_the_pool_bounds_the_cards() -> None:
    small = Constants(Rules(resource_pool=cards("2 Ore")))
    assert CARDS.contains(small, cards("2 Ore"))
    assert not CARDS.contains(small, cards("3 Ore"))
    assert not CARDS.contains(small, cards("1 Wool"))
    rng = Random(1)
    assert all(CARDS.contains(small, CARDS.sample(small, rng)) for _ in range(50))


@for_each("kind", ACTIONS, ids=lambda kind: kind.name)
def test_samples_of_an_action_are_in_its_domains(kind: ActionKind) -> None:
    rng = Random(2)
    for _ in range(50):
        action = kind.sample(CONSTANTS, 2, rng)
        assert action.player == 2
        assert all(domain.contains(CONSTANTS, getattr(action, name)) for name, domain in kind.parameters.items())


def test_a_single_road_is_a_value_where_one_is_enough() -> None:
    single = Constants(Rules(road_building_needs=1))
    assert SECOND_ROAD.contains(single, 0)
    assert SECOND_ROAD.read("0", single) == 0
    assert not SECOND_ROAD.contains(CONSTANTS, 0)
    rng = Random(1)
    assert {SECOND_ROAD.sample(single, rng) for _ in range(3000)} == set(range(73))


def test_offered_cards_are_few_in_samples() -> None:
    rng = Random(1)
    sizes = {total(OFFERED.sample(CONSTANTS, rng)) for _ in range(1000)}
    assert {0, 1, 2, 3, 4, 5} <= sizes


def test_actions_of_next_are_those_of_the_program_in_order() -> None:
    text = (spec_folder() / "Catan.tla").read_text(encoding="utf-8")
    next_ = text[text.index("\nActs(p) ==") : text.index("\nSpec ==")]
    names = [kind.name for kind in (*ACTIONS, *HIDDEN_ACTIONS)]
    assert re.findall(rf"\b({'|'.join(names)})\(p\b", next_) == names


def test_an_action_is_found_by_its_class_and_by_its_snake_case_name() -> None:
    for kind in ACTIONS:
        assert KIND_OF[kind.cls] is kind  # type: ignore[index]
        assert KIND_NAMED[kind.snake_name] is kind
        assert kind.snake_name.replace("_", "") == kind.name.lower()
