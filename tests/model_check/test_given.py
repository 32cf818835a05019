"""Chosen steps: TLC makes of every given state what the program makes of it, and takes no step that it refuses."""

import pytest

from catan_p2p.game.actions import ACTIONS, HIDDEN_ACTIONS
from catan_p2p.game.constants import Constants
from catan_p2p.model_check.tlc import TlcError
from tests.model_check.given import Given, ask
from tests.model_check.given_steps import disagreements, group_name, groups
from tests.model_check.guard_mutations import quick_tlc
from tests.model_check.spec_text import module_text
from tests.positions import position

pytestmark = [pytest.mark.long, pytest.mark.sampled(14)]


@pytest.mark.needs("spec")
@pytest.mark.parametrize("constants", groups(), ids=group_name)
def test_given_steps_are_the_same(constants: Constants) -> None:
    assert list(disagreements(constants, quick_tlc())) == []


def test_every_action_is_among_the_steps_and_the_refusals() -> None:
    cases = [case for group in groups().values() for case in group]
    assert {case.kind for case in cases if case.after is not None} == {
        kind.name for kind in (*ACTIONS, *HIDDEN_ACTIONS)
    }
    assert {case.kind for case in cases if case.after is None} >= {kind.name for kind in (*ACTIONS, *HIDDEN_ACTIONS)}


@pytest.mark.needs("spec")
def test_difference_is_seen_and_told() -> None:
    """One group, four mistakes: in Init, in an effect, in a guard, and in a step that is not taken any more."""
    constants = position().constants
    text = module_text("Catan.tla")
    for old, new in (
        ("sb |-> NoOwner,", "sb |-> 1,"),
        ('!.s[sp].st = "City"', '!.s[sp].st = "Village"'),
        ("/\\ G.bnk.RC[receive] > 0                                \\* TF4", "/\\ TRUE \\* TF4"),
        ("{card \\in DCT : G.bnk.DC[card] > 0}", "{card \\in DCT : G.bnk.DC[card] > 14}"),
    ):
        assert old in text
        text = text.replace(old, new, 1)
    kinds = {"BuildCity", "TradeFourToOne", "BuyDevCard"}
    told = [one.text for one in disagreements(constants, quick_tlc(), kinds, {"Catan.tla": text})]
    assert "Init: sb" in told
    assert "BuildCity: a city takes the place of a village, which goes back to the supply: s of 20" in told
    assert "refused: TF4 bank: taken" in told
    assert "BuyDevCard: Knight is bought, not yet available: not taken" in told


@pytest.mark.needs("spec")
def test_a_specification_that_cannot_be_read_is_an_error() -> None:
    with pytest.raises(TlcError, match="cannot judge"):
        ask(position().constants, [Given(position())], quick_tlc(), {"Catan.tla": "---- MODULE Catan ----\n"})
