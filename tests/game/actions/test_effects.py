"""What each action changes, component by component, and that it leaves everything else the very same objects."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from catan_p2p.game.actions import (
    ACTIONS,
    HIDDEN_ACTIONS,
    KIND_OF,
    Action,
    Claim,
    ComeBack,
    Excuse,
    OfferTrade,
    OfferTradeTo,
    ProposeTrade,
)
from catan_p2p.game.hidden import possible_instances
from catan_p2p.game.invariants import changed_components, check
from catan_p2p.game.rules import NotEnabled, apply, broken_guards
from catan_p2p.game.state import State
from tests.for_each import for_each
from tests.game.actions.asymmetric import LOOKED_AT, changed, moved_up, parts
from tests.game.actions.cases import COMPONENTS, EffectCase
from tests.game.actions.effect_cases import EFFECT_CASES, PLAIN_CASES


def check_component(case: EffectCase, component: str) -> None:
    """One component has become what the case says."""
    assert getattr(apply(case.before, case.action), component) == getattr(case.after, component)


def check_shared(case: EffectCase) -> None:
    """Exactly the components that the case changes are new, and within them only what differs."""
    before, after = case.before, apply(case.before, case.action)
    assert after.constants is before.constants
    assert changed_components(after, before) == tuple(
        name for name in COMPONENTS if name in (*case.changed, *case.anew.split())
    )
    for name in ("h", "b"):
        for old, new in zip(getattr(before, name), getattr(after, name), strict=True):
            assert (old is new) == (old == new) or name in case.anew.split()


@for_each(
    ("case", "component"),
    [
        pytest.param(case, component, id=f"{case.name} ({component})")
        for case in (*PLAIN_CASES, *EFFECT_CASES)
        for component in case.changed
    ],
)
def test_effect(case: EffectCase, component: str) -> None:
    check_component(case, component)


@for_each("case", EFFECT_CASES, ids=lambda case: case.name)
def test_everything_else_is_the_very_same(case: EffectCase) -> None:
    check_shared(case)


def test_the_plain_cases_are_positions_of_the_game() -> None:
    for case in PLAIN_CASES:
        check(case.before)
        check(case.after)
        assert case.action in listed(case.before, case.action), case.name


def listed(state: State, action: Action) -> Sequence[Action]:
    """The instances of an action's kind and player that are listed in a state."""
    kind, player = KIND_OF[type(action)], action.player
    is_open = state.constants.rules.hands == "open"
    return kind.instances(state, player) if is_open else possible_instances(kind, state, player)


def test_the_action_is_listed() -> None:
    """Where hands are hidden it is in the plain cases: what may be listed is found by what else a state says."""
    for case in EFFECT_CASES:
        if case.before.constants.rules.hands == "open":
            assert case.action in listed(case.before, case.action), case.name


CHANCE = {"RollForStart": "dice", "RollDice": "dice", "MoveBandit": "card", "PlayKnight": "card", "BuyDevCard": "card"}
"""What chance decides of an action, by its name."""


def decision_of(action: Action) -> Action:
    """The action without its outcome of chance; of an offer or a proposal only that there is one."""
    if isinstance(action, OfferTrade | OfferTradeTo | ProposeTrade):
        return replace(action, give=0, receive=0)
    name = CHANCE.get(type(action).__name__)
    return action if name is None else replace(action, **{name: None})  # type: ignore[type-var]


def test_the_decision_is_represented_by_an_enabled_instance() -> None:
    for case in EFFECT_CASES:
        kind = KIND_OF[type(case.action)]
        if case.before.constants.rules.hands == "open" and not isinstance(case.action, Excuse | Claim | ComeBack):
            represented = kind.decisions(case.before, case.action.player)
            assert decision_of(case.action) in map(decision_of, represented), case.name
            assert not any(broken_guards(case.before, action) for action in represented), case.name


def test_what_is_drawn_is_an_enabled_outcome_of_the_decision() -> None:
    rng = Random(1)
    for case in EFFECT_CASES:
        draw = KIND_OF[type(case.action)].draw
        for _ in range(5 if draw is not None else 0):
            drawn = draw(case.before, case.action, rng)
            assert decision_of(drawn) == decision_of(case.action), case.name
            assert not broken_guards(case.before, drawn), case.name


def test_the_table_of_asymmetric_cases_names_nothing_without_a_reason() -> None:
    """With another value of what an action looks at, some case would be another one."""
    for name, looked_at in LOOKED_AT.items():
        cases = [case for case in PLAIN_CASES if type(case.action).__name__ == name]
        for part in looked_at.split():
            assert any(is_other(case, part) for case in cases), f"{name} does not look at {part}"


def is_other(case: EffectCase, part: str) -> bool:
    """Whether, with another value of a part, an action is refused, leads elsewhere, or has less to change."""
    for name, change in parts(case):
        if name == part:
            other = changed(case, name, change)
            try:
                if apply(other.before, other.action) != other.after or not differing(case) <= differing(other):
                    return True
            except (NotEnabled, IndexError):
                return True
    return False


def test_asymmetric_cases_change_all_that_the_plain_ones_change() -> None:
    for plain, case in zip(PLAIN_CASES, EFFECT_CASES, strict=True):
        turned = plain if plain.action.player == case.action.player else moved_up(plain)
        assert differing(turned) <= differing(case), case.name


def differing(case: EffectCase) -> set[tuple[str | int, ...]]:
    """Where in a state a case changes something."""
    pairs: list[tuple[tuple[str | int, ...], Any, Any]] = [
        ((name,), getattr(case.before, name), getattr(case.after, name)) for name in COMPONENTS
    ]
    found = set()
    while pairs:
        where, old, new = pairs.pop()
        if isinstance(old, tuple):
            pairs += [((*where, i), *both) for i, both in enumerate(zip(old, new, strict=True))]
        elif old != new:
            found.add(where)
    return found


def test_every_action_has_a_case() -> None:
    assert {type(case.action) for case in EFFECT_CASES} == {kind.cls for kind in (*ACTIONS, *HIDDEN_ACTIONS)}


def test_every_component_is_changed_by_some_case() -> None:
    assert {name for case in EFFECT_CASES for name in case.changed} == set(COMPONENTS)


def test_no_two_cases_have_the_same_name() -> None:
    assert len({case.name for case in EFFECT_CASES}) == len(EFFECT_CASES)
