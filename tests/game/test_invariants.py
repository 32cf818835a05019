"""The invariants hold in every state of a game, and each part of each of them is seen to fail."""

import ast
import inspect
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import islice
from types import ModuleType
from typing import Any

import pytest

from catan_p2p.game import invariants
from catan_p2p.game.constants import THESIS
from catan_p2p.game.invariants import INVARIANTS, InvariantBroken, changed_components, check
from catan_p2p.game.state import State
from tests.for_each import for_each
from tests.game.actions.hidden_positions import keyed, signing
from tests.game.broken_states import BROKEN_STATES
from tests.game.broken_states.broken_state import BrokenState
from tests.game.broken_states.hidden import BROKEN_PAUSES
from tests.positions import position, random_game
from tests.sampled_states import played

NAMES = (
    "TypeOK",
    "ConservationOfResourceCards",
    "ConservationOfDevelopmentCards",
    "ConservationOfBuildings",
    "DistanceRule",
    "RoadsConnected",
    "BanditOnLand",
    "BonusHolders",
    "BoughtByActive",
    "TurnOrder",
    "OfferIsCovered",
    "SharesAreDue",
    "AwayAreSkipped",
    "WinAtOnce",
)


def broken_name(state: State, since: State | None = None, module: ModuleType = invariants) -> str | None:
    """The invariant that ``check`` finds broken, None if all hold."""
    try:
        module.check(state, since)
    except module.InvariantBroken as error:
        return error.name
    return None


def check_found(case: BrokenState, module: ModuleType = invariants) -> None:
    """The sound state passes, the broken one is found, from scratch and from what changed alike."""
    assert broken_name(case.sound, module=module) is None
    assert broken_name(case.state, module=module) == case.invariant
    assert broken_name(case.state, case.sound, module=module) == case.invariant


@for_each("case", (*BROKEN_STATES, *BROKEN_PAUSES), ids=lambda case: case.name)
def test_invariant_fails(case: BrokenState) -> None:
    check_found(case)


def test_the_error_names_the_invariant() -> None:
    with pytest.raises(InvariantBroken, match=r"^invariant BanditOnLand is broken$"):
        check(next(case for case in BROKEN_STATES if case.invariant == "BanditOnLand").state)


def test_the_end_is_signed_by_others_who_are_there() -> None:
    assert broken_name(signing(False, True, True)) is None
    assert broken_name(keyed(signing(False, False, True)._replace(away=(False, True, False)))) is None
    assert broken_name(keyed(signing(False, True, True)._replace(tp="top", away=(True, False, False)))) is None
    rules = replace(THESIS, leaving=True, points_to_win=5)
    in_the_open = position(3, phase="top", unveiled={1: "5 VictoryPoint"}, rules=rules)
    assert broken_name(in_the_open) is None
    assert broken_name(in_the_open._replace(away=(True, False, False))) == "AwayAreSkipped"


def test_the_invariants_of_the_model_in_its_order() -> None:
    assert tuple(invariant.name for invariant in INVARIANTS) == NAMES
    assert {case.invariant for case in BROKEN_STATES} == set(NAMES)


@for_each("invariant", INVARIANTS, ids=lambda invariant: invariant.name)
def test_invariant_holds_in_random_games(invariant: invariants.Invariant) -> None:
    assert all(invariant.holds(state) for state in played())


@for_each("case", BROKEN_STATES, ids=lambda case: case.name)
def test_an_invariant_is_broken_if_one_of_its_parts_is(case: BrokenState) -> None:
    for invariant in INVARIANTS:
        if invariant.name == case.invariant:
            assert not invariant.holds(case.state)
            break
        assert invariant.holds(case.state)


def test_changed_components_are_those_that_are_other_objects() -> None:
    case = next(case for case in BROKEN_STATES if set(case.changes) == {"h", "bnk"})
    assert changed_components(case.state, case.sound) == ("bnk", "h")
    assert changed_components(case.sound, case.sound) == ()


def test_checking_what_changed_finds_the_same_as_checking_everything() -> None:
    """Every component of a state of a game, replaced by that of any other state of the game."""
    game = list(random_game(3, 3, steps=700))[::35]
    found = set()
    for state in game:
        for other in game:
            for component in State._fields[1:]:
                mixed = state._replace(**{component: getattr(other, component)})
                everything = broken_name(mixed)
                assert broken_name(mixed, since=state) == everything
                found.add(everything)
    assert {None, "ConservationOfResourceCards", "ConservationOfBuildings", "TurnOrder"} <= found


def test_a_part_reads_only_the_components_that_it_names() -> None:
    """Whatever the other components are, the part's answer is the same."""
    for constants in {state.constants: None for state in played()}:
        states = [state for state in played() if state.constants == constants]
        for state, other in zip(states[::5], reversed(states[::5]), strict=True):
            for invariant in INVARIANTS:
                for part in invariant.conjuncts:
                    elsewhere = other._replace(**{name: getattr(state, name) for name in part.reads})
                    assert part.holds(elsewhere) == part.holds(state)


# --------------------------------------------------------------------------------------------------------- mutations


SOURCE = inspect.getsource(invariants)


def weakenings() -> Iterator[tuple[str, Callable[[ast.Module], None]]]:
    """What is left out, an operand of a conjunction or a component that a part reads, and how it is left out."""
    for i, node in enumerate(ast.walk(ast.parse(SOURCE))):
        if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):
            for j, operand in enumerate(node.values):
                where = f"line {operand.lineno}, column {operand.col_offset}"
                yield f"{where}: {ast.unparse(operand)[:60]}", partial(_without_operand, i, j)
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "_invariant":
            for j, part in enumerate(node.args[1:], 1):
                reads, holds = part.elts  # type: ignore[attr-defined]
                for name in reads.value.split():
                    yield f"{holds.id} reads {name}", partial(_without_component, i, j, name)


def _without_operand(node: int, operand: int, tree: ast.Module) -> None:
    _node(tree, node).values[operand] = ast.Constant(True)


def _without_component(node: int, part: int, name: str, tree: ast.Module) -> None:
    reads = _node(tree, node).args[part].elts[0]
    reads.value = " ".join(component for component in reads.value.split() if component != name)


def _node(tree: ast.Module, index: int) -> Any:
    return next(islice(ast.walk(tree), index, None))


WEAKENINGS = dict(weakenings())


@pytest.mark.long
@pytest.mark.parametrize("what", WEAKENINGS)
def test_a_weaker_invariant_is_noticed(what: str) -> None:
    tree = ast.parse(SOURCE)
    WEAKENINGS[what](tree)
    weaker = ModuleType(invariants.__name__)
    exec(compile(ast.fix_missing_locations(tree), "invariants", "exec"), vars(weaker))
    with pytest.raises((AssertionError, ValueError)):
        for case in (*BROKEN_STATES, *BROKEN_PAUSES):
            check_found(case, weaker)


def test_there_is_a_weakening_for_every_operand_and_component() -> None:
    assert len(WEAKENINGS) == len(list(weakenings())) > 70
