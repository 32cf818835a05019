"""What each action changes, component by component, and that it leaves everything else the very same objects."""

from collections.abc import Sequence

import pytest

from catan_p2p.game.actions import ACTIONS, HIDDEN_ACTIONS, KIND_OF, Action
from catan_p2p.game.hidden import possible_instances
from catan_p2p.game.invariants import changed_components, check
from catan_p2p.game.rules import apply
from catan_p2p.game.state import State
from tests.for_each import for_each
from tests.game.actions.cases import COMPONENTS, EffectCase
from tests.game.actions.effect_cases import EFFECT_CASES


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
        for case in EFFECT_CASES
        for component in case.changed
    ],
)
def test_effect(case: EffectCase, component: str) -> None:
    check_component(case, component)


@for_each("case", EFFECT_CASES, ids=lambda case: case.name)
def test_everything_else_is_the_very_same(case: EffectCase) -> None:
    check_shared(case)


def test_the_cases_are_positions_of_the_game() -> None:
    for case in EFFECT_CASES:
        check(case.before)
        check(case.after)
        assert case.action in listed(case.before, case.action), case.name


def listed(state: State, action: Action) -> Sequence[Action]:
    """The instances of an action's kind and player that are listed in a state."""
    kind, player = KIND_OF[type(action)], action.player
    is_open = state.constants.rules.hands == "open"
    return kind.instances(state, player) if is_open else possible_instances(kind, state, player)


def test_every_action_has_a_case() -> None:
    assert {type(case.action) for case in EFFECT_CASES} == {kind.cls for kind in (*ACTIONS, *HIDDEN_ACTIONS)}


def test_every_component_is_changed_by_some_case() -> None:
    assert {name for case in EFFECT_CASES for name in case.changed} == set(COMPONENTS)


def test_no_two_cases_have_the_same_name() -> None:
    assert len({case.name for case in EFFECT_CASES}) == len(EFFECT_CASES)
