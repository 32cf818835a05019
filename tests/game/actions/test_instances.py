"""Agreement: what ``instances`` lists is what no guard refuses, in a fixed order."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import product
from math import prod
from random import Random
from typing import Any

import pytest

from catan_p2p.game.actions import (
    ACTIONS,
    KIND_NAMED,
    Action,
    ActionKind,
    Call,
    Claim,
    ComeBack,
    Discard,
    Domain,
    Excuse,
    OfferTrade,
    ProposeTrade,
    RollForStart,
)
from catan_p2p.game.actions.offering import listed_offers, random_sides
from catan_p2p.game.cards import DEV_CARDS, RESOURCES, Cards, pack, unpack
from catan_p2p.game.constants import BRIEF, Constants, Player
from catan_p2p.game.rules import apply, enabled
from catan_p2p.game.state import DRAWS, TURN_PHASES, State, TurnPhase
from tests.game.actions.test_effects import CHANCE, decision_of
from tests.game.actions.test_guards import phase_tag
from tests.positions import position
from tests.sampled_states import played, scrambled, without_cards_to_play, without_some

pytestmark = [pytest.mark.long, pytest.mark.sampled(10)]

OFFERS = (OfferTrade, ProposeTrade)
SMALL = 400
"""Domains of so many instances are always looked through; of larger ones mostly a sample."""


@lru_cache
def values_of(domain: Domain, constants: Constants) -> tuple[Any, ...]:
    """All values of a domain, in order; found by asking it, not by how it is written."""
    candidates = (
        *range(-1, 100),
        *RESOURCES,
        *DEV_CARDS,
        *DRAWS,
        "sealed",
        "none",
        "nothing",
        "accept",
        "reject",
        "asked",
        "yes",
        "no",
    )
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
    if kind.cls in OFFERS:
        own, others = _offer_counts(state, player)
        return (kind.cls(player, give, receive) for give in own for receive in others)
    values = [values_of(domain, state.constants) for domain in kind.parameters.values()]
    return (kind.cls(player, *chosen) for chosen in product(*values))


def _offer_counts(state: State, player: Player) -> tuple[list[Cards], list[Cards]]:
    """All cards up to one more of each type than the player holds, and than can be asked for, up to five."""
    rules = state.constants.rules
    hands = [unpack(hand.rc) for hand in state.h]
    own = hands.pop(player - 1)
    if rules.table_talk:
        hands = [tuple(min(card, rules.offer_max) for card in unpack(rules.resource_pool))]
    ranges = ([min(held + 2, 6) for held in own], [min(max(held) + 2, 6) for held in zip(*hands, strict=True)])
    both = ([pack(chosen) for chosen in product(*map(range, most))] for most in ranges)
    first, second = both
    return first, second


def universe_size(kind: ActionKind, state: State, player: Player) -> int:
    """How many instances the universe has."""
    if kind.cls is Discard:
        return prod(held + 2 for held in unpack(state.h[player - 1].rc))
    if kind.cls in OFFERS:
        return prod(map(len, _offer_counts(state, player)))
    return prod(len(values_of(domain, state.constants)) for domain in kind.parameters.values())


def beside(kind: ActionKind, action: Action, rng: Random, constants: Constants) -> Action:
    """The action with one of its parameters drawn anew: few guards refuse it, if any does."""
    name = rng.choice(list(kind.parameters))
    return replace(action, **{name: getattr(kind.sample(constants, action.player, rng), name)})


def check_agreement(kind: ActionKind, state: State, player: Player, rng: Random) -> bool:
    """Listed are exactly the instances that no guard refuses, in order; whether there were any."""
    listed = list(kind.instances(state, player))
    looked_at = listed if len(listed) <= SMALL else rng.sample(listed, SMALL)
    assert not any(kind.broken(state, action) for action in looked_at)
    size = universe_size(kind, state, player)
    if size <= SMALL or (size <= 10**4 and rng.random() < (0.1 if listed else 0.01)):
        assert [action for action in universe(kind, state, player) if not kind.broken(state, action)] == listed
    else:
        sample = [kind.sample(state.constants, player, rng) for _ in range(20)]
        sample += [beside(kind, rng.choice(listed), rng, state.constants) for _ in range(20 if listed else 0)]
        assert [not kind.broken(state, action) for action in sample] == [action in listed for action in sample]
    return bool(listed)


def phases_of(kind: ActionKind) -> tuple[TurnPhase, ...]:
    """The phases that the action's first guard allows."""
    if kind.cls is RollForStart:  # its phase is that of the set-up
        return ("bot",)
    if kind.cls is Call:  # they are those of what it is for
        return ("bot", "DiceRoll", "MovingBandit", "TradingBuilding", "SpecialBuilding")
    state = position(rules=replace(BRIEF, table_talk=True))
    action = kind.sample(state.constants, 1, Random(0))
    return tuple(phase for phase in TURN_PHASES if phase_tag(kind) not in kind.broken(state._replace(tp=phase), action))


def check_agreement_on_random_states(kind: ActionKind) -> None:
    """Agreement in states of random games, and in scrambled ones of the phases in which the action can be taken."""
    rng = Random(kind.name)
    scrambles = (
        scrambled(state, rng)._replace(tp=phase)
        for phase in phases_of(kind)
        for _ in range(3 if len(phases_of(kind)) == 1 else 1)
        for state in played()[:: 2 if len(phases_of(kind)) < 8 else 20]
    )
    absences = (without_some(state, rng) for state in played() if state.constants.rules.leaving for _ in range(3))
    spent = (without_cards_to_play(state, rng) for state in played() if kind.cls is Call)
    with_instances = sum(
        check_agreement(kind, state, player, rng)
        for state in (*played(), *scrambles, *absences, *spent)
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


ABSENCE = (Excuse, Claim, ComeBack)
"""About who plays, no moves of the game: nobody decides them as such."""


@pytest.mark.parametrize("kind", ACTIONS, ids=lambda kind: kind.name)
def test_one_representative_for_each_decision(kind: ActionKind) -> None:
    for state in played():
        for player in state.constants.players:
            listed, represented = kind.instances(state, player), kind.decisions(state, player)
            assert set(represented) <= set(listed)
            if kind.cls in ABSENCE:
                assert not represented
                continue
            assert [decision_of(a) for a in represented] == list(dict.fromkeys(decision_of(a) for a in listed))


def test_chance_is_drawn_for_these_actions_only() -> None:
    assert {kind.name for kind in ACTIONS if kind.draw is not None} == set(CHANCE)


def test_discards_of_a_hand_are_all_ways_to_give_up_the_excess() -> None:
    state = position(phase="Discarding", hands={1: "2 Lumber, 1 Wool, 5 Ore"})
    given_up = [unpack(action.cards) for action in enabled(state, 1)]
    lumber_wool_ore = [(0, 0, 4), (0, 1, 3), (1, 0, 3), (1, 1, 2), (2, 0, 2), (2, 1, 1)]
    assert given_up == [(lumber, 0, wool, 0, ore) for lumber, wool, ore in lumber_wool_ore]


@pytest.mark.parametrize("seed", range(20))
def test_offers_are_all_that_no_guard_refuses(seed: int) -> None:
    """Small hands, where every offer can be looked at; by the counts given, then by the counts wanted."""
    rng = Random(seed)
    hands = {seat: ", ".join(f"1 {card}" for card in rng.choices(RESOURCES, k=rng.randint(0, 4))) for seat in (1, 2, 3)}
    state = position(3, phase="TradingBuilding", hands=hands, rules=replace(BRIEF, offer_max=rng.randint(1, 4)))
    kind = KIND_NAMED["offer_trade"]
    listed = list(kind.instances(state, 1))
    assert listed == [action for action in universe(kind, state, 1) if not kind.broken(state, action)]
    assert list(kind.decisions(state, 1)) == listed[:1]


def test_an_offer_is_drawn_uniformly_from_all() -> None:
    state = position(phase="TradingBuilding", hands={1: "2 Ore", 2: "1 Wool, 1 Brick"}, rules=BRIEF)
    listed = enabled(state, 1)
    offers = [action for action in listed if isinstance(action, OfferTrade)]
    assert len(offers) == 6
    rng = Random(5)
    drawn = Counter(OfferTrade(1, *random_sides(state, 1, rng)) for _ in range(600))
    assert set(drawn) == set(offers)
    assert min(drawn.values()) > 60
    hands = {1: "2 Ore, 1 Grain, 3 Wool", 2: "1 Wool, 1 Brick, 2 Lumber"}
    many = position(phase="TradingBuilding", hands=hands, rules=BRIEF)
    for seed in range(40):  # as recorded games drew it
        assert random_sides(many, 1, Random(seed)) == Random(seed).choice(listed_offers(many, 1))
