"""Each guard of each action, broken on its own; and what a refusal carries."""

import ast
import importlib
import inspect
import re
from pathlib import Path

import pytest

from catan_p2p.game.actions import ACTIONS, HIDDEN_ACTIONS, KIND_OF, ActionKind, BuildRoad
from catan_p2p.game.rules import NotEnabled, apply, broken_guards, enabled
from tests.for_each import for_each
from tests.game.actions.guard_cases import GUARD_CASES, GuardCase
from tests.positions import position

MODEL = Path(__file__).parents[3] / "docs" / "reference/model.md"


def tags_of(kind: ActionKind) -> tuple[str, ...]:
    """The tags in the source of an action's guards: every ``condition or "TAG word"``, in order."""
    module = importlib.import_module(f"catan_p2p.game.actions.{kind.snake_name}")
    tree = ast.parse(inspect.getsource(module.broken))
    return tuple(
        node.values[-1].value
        for node in ast.walk(tree)
        if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or) and isinstance(node.values[-1], ast.Constant)
    )


def phase_tag(kind: ActionKind) -> str:
    """The tag of the guard that asks for the phase: the first one, but for an action that the rules can leave out."""
    return next(tag for tag in tags_of(kind) if tag.endswith(" phase"))


ALL_TAGS = tuple(tag for kind in (*ACTIONS, *HIDDEN_ACTIONS) for tag in tags_of(kind))


def check_refused(case: GuardCase) -> None:
    """The case's guard is broken and no other, ``apply`` says so, and the instance is not listed."""
    kind = KIND_OF[type(case.action)]
    expected = tuple(sorted((case.tag, *case.also), key=lambda tag: int(tag.split()[0][2:])))
    assert kind.broken(case.state, case.action) == expected
    with pytest.raises(NotEnabled) as refusal:
        apply(case.state, case.action)
    assert refusal.value.guards == expected
    assert case.action not in kind.instances(case.state, case.action.player)


@for_each("case", GUARD_CASES, ids=lambda case: case.name)
def test_guard_refuses(case: GuardCase) -> None:
    check_refused(case)


def test_every_guard_has_a_case() -> None:
    assert {case.tag for case in GUARD_CASES} == set(ALL_TAGS)


def test_no_two_cases_have_the_same_name() -> None:
    names = [case.name for case in GUARD_CASES]
    assert len(set(names)) == len(names)


@for_each("kind", (*ACTIONS, *HIDDEN_ACTIONS), ids=lambda kind: kind.name)
def test_tags_are_numbered_from_one_with_one_pair_of_letters(kind: ActionKind) -> None:
    tags = tags_of(kind)
    letters = tags[0][:2]
    assert [tag.split()[0] for tag in tags] == [f"{letters}{i}" for i in range(1, len(tags) + 1)]
    assert tags[0] == f"{letters}1 phase" or tags[:2] == (f"{letters}1 rule", f"{letters}2 phase")


def test_no_two_actions_share_their_letters() -> None:
    kinds = (*ACTIONS, *HIDDEN_ACTIONS)
    assert len({tags_of(kind)[0][:2] for kind in kinds}) == len(kinds)


def test_the_guards_that_the_model_page_explains_are_those_of_their_actions() -> None:
    table = MODEL.read_text(encoding="utf-8").partition("## Actions and their guards")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (`[^|]+`) \| (.*) \|$", table, re.MULTILINE)
    named = {kind.name: kind for kind in ACTIONS}
    assert len(rows) > 10
    for actions, guards in rows:
        explained = re.findall(r"(?:^|; |, )([A-Z]{2}\d+ \w+)", guards)
        tags = [tag for name in re.findall(r"`(\w+)`", actions) for tag in tags_of(named[name])]
        assert explained and explained == [tag for tag in tags if tag in explained], actions


def test_a_refusal_carries_every_broken_guard_in_order() -> None:
    action = BuildRoad(1, 23)
    state = position(phase="DiceRoll", turn=2, bandit=11)
    with pytest.raises(NotEnabled) as refusal:
        apply(state, action)
    assert refusal.value.action is action
    assert refusal.value.guards == ("BR1 phase", "BR2 turn", "BR3 cost", "BR5 free", "BR7 bandit")
    assert str(refusal.value) == (
        "BuildRoad(player=1, at=23) is not enabled: BR1 phase, BR2 turn, BR3 cost, BR5 free, BR7 bandit"
    )
    assert broken_guards(state, action) == refusal.value.guards


def test_an_enabled_instance_breaks_no_guard() -> None:
    state = position(phase="Trading", hands={1: "4 Ore"})
    listed = enabled(state, 1)
    assert listed
    assert all(broken_guards(state, action) == () for action in listed)
