"""Every promise of spec/CatanFoundOut.tla is kept, and is seen to fail without the guard that keeps it."""

import re

import pytest

from catan_p2p.model_check.check import check_model
from catan_p2p.model_check.models import FOUND_OUT
from catan_p2p.model_check.tlc import spec_folder
from tests.model_check.guard_mutations import quick_tlc, run_changed, without

pytestmark = [pytest.mark.needs("spec"), pytest.mark.sampled(3)]

TAGS = ("VO1 all", "VO2 newest", "VO3 void", "CH1 watcher", "FO2 bound")
"""Without any of them, not all the honest end alike: VO3 is what was lacking where play stood still."""


def run(**changes: str | int) -> str:
    """What TLC finds where constants have other values."""
    return run_changed(FOUND_OUT.name, **changes).verdict


def test_every_promise_is_kept() -> None:
    assert check_model(FOUND_OUT, quick_tlc()).is_as_expected


@pytest.mark.parametrize("sends", ["{}", '{"no"}'])
def test_play_goes_on_whatever_the_excuser_sends(sends: str) -> None:
    assert run(LiarSends=sends) == "fine"


@pytest.mark.soak
def test_every_promise_is_kept_among_four() -> None:
    assert run(NPlayers=4) == "fine"


@pytest.mark.parametrize("tag", TAGS)
def test_play_stands_still_or_forks_without_a_guard(tag: str) -> None:
    assert run(Without=without(tag)) == "property"


def test_every_guard_is_taken_out_in_some_case() -> None:
    text = (spec_folder() / "CatanFoundOut.tla").read_text(encoding="utf-8")
    assert {*re.findall(r'"(\w\w\d \w+)"', text)} == {*TAGS}
