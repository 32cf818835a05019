"""Every promise of spec/CatanPatience.tla is kept, and is seen to fail without the clock or the guard that keeps it."""

import pytest

from catan_p2p.model_check.models import TURN_CLOCK
from catan_p2p.replication.turn_clock import TURN_PATIENCES
from tests.model_check.guard_mutations import run_changed, without

pytestmark = [pytest.mark.needs("spec"), pytest.mark.sampled(3)]


def run(tag: str, acts: int, patiences: int = 2) -> str:
    """What TLC finds with so many commits in a turn, 0 for any number, and without a guard."""
    tags = [tag] if tag else []
    result = run_changed(TURN_CLOCK.name, MaxActs=acts, Patiences=patiences, Without=without(*tags))
    return f"{result.verdict}: {result.detail}"


@pytest.mark.parametrize("acts", [0, 7])
def test_the_promises_are_kept(acts: int) -> None:
    assert run("", acts, TURN_PATIENCES).startswith("fine")


@pytest.mark.parametrize(
    ("tag", "acts", "found"),
    [
        ("OV1 silence", 7, "property"),
        ("OV2 turn", 0, "invariant: Invariant NoLonger"),
        ("VT1 over", 7, "invariant: Invariant NobodyEarly"),
    ],
)
def test_a_promise_fails_without_what_keeps_it(tag: str, acts: int, found: str) -> None:
    assert run(tag, acts).startswith(found)
