"""Every promise of spec/CatanChance.tla is seen to fail without the guard that keeps it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from catan_p2p.model_check.tlc import spec_folder
from tests.model_check.guard_mutations import quick_tlc

pytestmark = pytest.mark.spec

RED = {
    "FixedBeforeRevealed": [("MCDrawHonest", {"CC1 once"}), ("MCDrawLiar", {"AC2 one call", "RE2 once"})],
    "NobodyRevealsEarly": [("MCDrawHonest", {"RE1 called"})],
    "EveryOutcomeIsPossible": [("MCDrawHonest", {"AC1 pledged"}), ("MCDrawLiar", {"SE1 all"})],
    "SameDraw": [("MCDrawLiar", {"SE1 all"})],
}
"""By property the models that show it to fail, and without which guards."""

CASES = [(name, model, tags) for name, cases in RED.items() for model, tags in cases]


def run(tmp_path: Path, model: str, head: str, tail: str) -> str:
    constants = (spec_folder() / f"{model}.cfg").read_text(encoding="utf-8").partition("CONSTANTS")[2]
    constants = constants.partition("INVARIANTS")[0]
    config = tmp_path / "Draw.cfg"
    config.write_text(f"SPECIFICATION {head}\nCONSTANTS{constants}{tail}\n")
    result = quick_tlc().run(spec_folder() / "CatanChance.tla", config, ["-deadlock"])
    return f"{result.verdict}: {result.detail}"


@pytest.mark.parametrize(("name", "model", "tags"), CASES, ids=[f"{name}-{model}" for name, model, _ in CASES])
def test_a_promise_fails_without_its_guard(tmp_path: Path, name: str, model: str, tags: set[str]) -> None:
    text = (spec_folder() / f"{model}.cfg").read_text(encoding="utf-8")
    quoted = ", ".join(f'"{tag}"' for tag in sorted(tags))
    constants = text.partition("CONSTANTS")[2].partition("INVARIANTS")[0].replace("{}", f"{{{quoted}}}")
    config = tmp_path / "Draw.cfg"
    config.write_text(f"SPECIFICATION UnfairSpec\nCONSTANTS{constants}INVARIANT {name}\n")
    result = quick_tlc().run(spec_folder() / "CatanChance.tla", config, ["-deadlock"])
    assert result.verdict == "invariant", result.detail
    assert name in result.detail


def test_a_draw_need_not_end_where_the_honest_may_stop(tmp_path: Path) -> None:
    assert run(tmp_path, "MCDrawHonest", "UnfairSpec", "PROPERTY AllSettle").startswith("property")


def test_every_guard_is_taken_out_in_some_case() -> None:
    text = (spec_folder() / "CatanChance.tla").read_text(encoding="utf-8")
    assert set(re.findall(r'Keeps\("([^"]+)"', text)) == {tag for _, _, tags in CASES for tag in tags}
