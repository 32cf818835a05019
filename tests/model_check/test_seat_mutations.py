"""Wrong seats and extra updates of the specification: they are made for all actions, and the chosen steps see them."""

import pytest

from catan_p2p.game.actions import ACTIONS, HIDDEN_ACTIONS
from tests.model_check import seat_mutations
from tests.model_check.guard_mutations import quick_tlc
from tests.model_check.seat_mutations import FIRST, look, mutants
from tests.model_check.spec_text import definitions

pytestmark = pytest.mark.long


def test_no_two_are_the_same() -> None:
    assert len({(one.definition, one.what) for one in mutants()}) == len(mutants())
    assert len({(one.start, one.new) for one in mutants()}) == len(mutants())


def test_every_action_that_changes_the_game_has_all_extra_updates() -> None:
    for kind in (*ACTIONS, *HIDDEN_ACTIONS):
        made = {one.what for one in mutants() if one.definition == kind.name}
        if "G' = " in definitions()[kind.name].text:
            assert {f"{name} is as at first" for name in FIRST} <= made, kind.name


def test_helper_definitions_have_wrong_seats_too() -> None:
    helpers = {one.definition for one in mutants()} - {kind.name for kind in (*ACTIONS, *HIDDEN_ACTIONS)}
    assert {"HandSize", "Owes", "CouldPay", "HasSealed", "InTheOpen", "Rested", "Unasked"} <= helpers


@pytest.mark.needs("spec")
def test_they_are_seen_and_what_changes_nothing_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """One of each kind, in the chosen steps alone."""
    steps = [states for states in seat_mutations.checks("Catan.tla") if states.name == "given steps"]
    monkeypatch.setattr(seat_mutations, "checks", lambda file: steps)
    of = {one.what: one for one in mutants() if one.definition == "SignEnd"}
    seat, update = of["the next seat in !.due[«p»]"], of["lr is as at first"]
    assert look([seat, update, seat._replace(what="none", new=seat.old)], quick_tlc()).keys() == {seat, update}
