"""Agreement: what ``instances`` lists is what no guard refuses, in a fixed order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import product
from math import prod
from random import Random
from typing import Any

import pytest

from catan_p2p.actions import (
    ACTIONS,
    Action,
    ActionKind,
    BuyDevCard,
    Discard,
    Domain,
    MoveBandit,
    PlayKnight,
    RollDice,
)
from catan_p2p.cards import DEV_CARDS, RESOURCES, pack, unpack
from catan_p2p.constants import Constants, Player
from catan_p2p.rules import apply, enabled
from catan_p2p.state import TURN_PHASES, State, TurnPhase
from tests.actions.test_guards import tags_of
from tests.positions import position
from tests.sampled_states import played, scrambled

SMALL = 400
"""Domains of so many instances are always looked through; of larger ones mostly a sample."""


@lru_cache
def values_of(domain: Domain, constants: Constants) -> tuple[Any, ...]:
    """All values of a domain, in order; found by asking it, not by how it is written."""
    candidates = (*range(-1, 100), *RESOURCES, *DEV_CARDS, "none", "nothing")
    return tuple(value for value in candidates if _is_in(domain, constants, value))


def _is_in(domain: Domain, constants: Constants, value: object) -> bool:
    try:
        return domain.contains(constants, value)
    except TypeError:
        return False


def universe(kind: ActionKind, state: State, player: Player) -> Iterator[Action]:
    """All instances of an action, enabled or not, in order; of discards those of a card more of each type than held."""
    if kind.cls is Discard:
        counts = product(*(range(held + 2) for held in unpack(state.h[player - 1].rc)))
        return (Discard(player, pack(chosen)) for chosen in counts)
    values = [values_of(domain, state.constants) for domain in kind.parameters.values()]
    return (kind.cls(player, *chosen) for chosen in product(*values))


def universe_size(kind: ActionKind, state: State, player: Player) -> int:
    """How many instances the universe has."""
    if kind.cls is Discard:
        return prod(held + 2 for held in unpack(state.h[player - 1].rc))
    return prod(len(values_of(domain, state.constants)) for domain in kind.parameters.values())


def check_agreement(kind: ActionKind, state: State, player: Player, rng: Random) -> bool:
    """Listed are exactly the instances that no guard refuses, in order; whether there were any."""
    listed = list(kind.instances(state, player))
    assert not any(kind.broken(state, action) for action in listed)
    size = universe_size(kind, state, player)
    if size <= SMALL or (size <= 10**4 and rng.random() < (0.1 if listed else 0.01)):
        assert [action for action in universe(kind, state, player) if not kind.broken(state, action)] == listed
    else:
        sample = [kind.sample(state.constants, player, rng) for _ in range(20)]
        assert [not kind.broken(state, action) for action in sample] == [action in listed for action in sample]
    return bool(listed)


def phases_of(kind: ActionKind) -> tuple[TurnPhase, ...]:
    """The phases that the action's first guard allows."""
    state = position()
    action = kind.sample(state.constants, 1, Random(0))
    return tuple(
        phase for phase in TURN_PHASES if tags_of(kind)[0] not in kind.broken(state._replace(tp=phase), action)
    )


def check_agreement_on_random_states(kind: ActionKind) -> None:
    """Agreement in states of random games, and in scrambled ones of the phases in which the action can be taken."""
    rng = Random(kind.name)
    scrambles = (
        scrambled(state, rng)._replace(tp=phase)
        for phase in phases_of(kind)
        for _ in range(3 if len(phases_of(kind)) == 1 else 1)
        for state in played()
    )
    with_instances = sum(
        check_agreement(kind, state, player, rng)
        for state in (*played(), *scrambles)
        for player in state.constants.players
    )
    assert with_instances >= 10, "an agreement on nothing says nothing"


@pytest.mark.parametrize("kind", ACTIONS, ids=lambda kind: kind.name)
def test_listed_is_what_no_guard_refuses(kind: ActionKind) -> None:
    check_agreement_on_random_states(kind)


@pytest.mark.parametrize("kind", ACTIONS, ids=lambda kind: kind.name)
def test_listed_instances_are_applied(kind: ActionKind) -> None:
    for state in played():
        for player in state.constants.players:
            for action in list(kind.instances(state, player))[:40]:
                assert apply(state, action) != state


CHANCE = {RollDice: "dice", MoveBandit: "card", PlayKnight: "card", BuyDevCard: "card"}
"""Fields of actions that chance decides."""


def decision_of(action: Action) -> Action:
    """The action without its outcome of chance."""
    name = CHANCE.get(type(action))
    return action if name is None else replace(action, **{name: None})  # type: ignore[type-var]


@pytest.mark.parametrize("kind", ACTIONS, ids=lambda kind: kind.name)
def test_one_representative_for_each_decision(kind: ActionKind) -> None:
    for state in played():
        for player in state.constants.players:
            listed, represented = kind.instances(state, player), kind.decisions(state, player)
            assert set(represented) <= set(listed)
            assert [decision_of(a) for a in represented] == list(dict.fromkeys(decision_of(a) for a in listed))


def test_chance_is_drawn_for_these_actions_only() -> None:
    assert {kind.cls for kind in ACTIONS if kind.draw is not None} == set(CHANCE)


def test_discards_of_a_hand_are_all_ways_to_give_up_the_excess() -> None:
    state = position(phase="Discarding", hands={1: "2 Lumber, 1 Wool, 5 Ore"})
    given_up = [unpack(action.cards) for action in enabled(state, 1)]
    lumber_wool_ore = [(0, 0, 4), (0, 1, 3), (1, 0, 3), (1, 1, 2), (2, 0, 2), (2, 1, 1)]
    assert given_up == [(lumber, 0, wool, 0, ore) for lumber, wool, ore in lumber_wool_ore]
