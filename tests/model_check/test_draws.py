"""Every promise of spec/CatanChance.tla is seen to fail without the guard that keeps it."""

import re

import pytest

from catan_p2p.model_check.tlc import spec_folder
from tests.model_check.guard_mutations import run_changed, without

pytestmark = [pytest.mark.needs("spec"), pytest.mark.long, pytest.mark.sampled(3)]

RED = {
    "FixedBeforeRevealed": [("MCDrawHonest", {"CC1 once"}), ("MCDrawLiar", {"AC2 one call", "RE2 once"})],
    "NobodyRevealsEarly": [("MCDrawHonest", {"RE1 called"})],
    "EveryOutcomeIsPossible": [("MCDrawHonest", {"AC1 pledged"}), ("MCDrawLiar", {"SE1 all"})],
    "SameDraw": [("MCDrawLiar", {"SE1 all"})],
}
"""By property the models that show it to fail, and without which guards."""

CASES = [(name, model, tags) for name, cases in RED.items() for model, tags in cases]


@pytest.mark.parametrize(("name", "model", "tags"), CASES, ids=[f"{name}-{model}" for name, model, _ in CASES])
def test_a_promise_fails_without_its_guard(name: str, model: str, tags: set[str]) -> None:
    result = run_changed(model, name, SPECIFICATION="UnfairSpec", Without=without(*tags))
    assert result.verdict == "invariant", result.detail
    assert name in result.detail


def test_a_draw_need_not_end_where_the_honest_may_stop() -> None:
    assert run_changed("MCDrawHonest", "AllSettle", SPECIFICATION="UnfairSpec").verdict == "property"


def test_every_guard_is_taken_out_in_some_case() -> None:
    text = (spec_folder() / "CatanChance.tla").read_text(encoding="utf-8")
    assert set(re.findall(r'Keeps\("([^"]+)"', text)) == {tag for _, _, tags in CASES for tag in tags}
