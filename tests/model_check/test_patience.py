"""Every promise of spec/CatanPatience.tla is kept, and is seen to fail without the clock or the guard that keeps it."""

from __future__ import annotations

from pathlib import Path

import pytest

from catan_p2p.model_check.models import TURN_CLOCK
from catan_p2p.replication.turn_clock import TURN_PATIENCES
from tests.model_check.guard_mutations import quick_tlc

pytestmark = pytest.mark.spec


def run(tmp_path: Path, without: str, acts: int, patiences: int = 2) -> str:
    """What TLC finds with so many commits in a turn, 0 for any number, and without a guard."""
    text = TURN_CLOCK.config_file.read_text(encoding="utf-8")
    text = text.replace("MaxActs = 7", f"MaxActs = {acts}").replace("Patiences = 2", f"Patiences = {patiences}")
    config = tmp_path / "Clock.cfg"
    config.write_text(text.replace("{}", f'{{"{without}"}}' if without else "{}"), encoding="utf-8")
    result = quick_tlc().run(TURN_CLOCK.module_file, config, ["-deadlock"])
    return f"{result.verdict}: {result.detail}"


@pytest.mark.parametrize("acts", [0, 7])
def test_the_promises_are_kept(tmp_path: Path, acts: int) -> None:
    assert run(tmp_path, "", acts, TURN_PATIENCES).startswith("fine")


@pytest.mark.parametrize(
    ("without", "acts", "found"),
    [
        ("OV1 silence", 7, "property"),
        ("OV2 turn", 0, "invariant: Invariant NoLonger"),
        ("VT1 over", 7, "invariant: Invariant NobodyEarly"),
    ],
)
def test_a_promise_fails_without_what_keeps_it(tmp_path: Path, without: str, acts: int, found: str) -> None:
    assert run(tmp_path, without, acts).startswith(found)
