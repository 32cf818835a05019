"""Same enabling: in states of full games TLC and the engine see the same successors, one by one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from catan_p2p.model_check.tlc import Tlc
from tests.model_check.recordings import random_recording
from tests.model_check.successors import compare_successors, state_before

pytestmark = pytest.mark.spec


def test_successors_are_the_same_in_states_of_full_games() -> None:
    tlc = Tlc.find()
    for players, seed in ((2, 1), (4, 2)):
        recording = random_recording(players, seed, 700)
        sample = range(1, len(recording.entries) + 1, 10)
        assert compare_successors(recording, sample, tlc) == []


def test_successors_are_the_same_by_the_rule_book() -> None:
    tlc = Tlc.find()
    for players, seed in ((3, 1), (5, 2)):
        recording = random_recording(players, seed, 500, "standard")
        sample = range(1, len(recording.entries) + 1, 30)
        phases = {state_before(recording, entry).tp for entry in sample}
        assert {"bot", "DiceRoll", "TradingBuilding", "Offering"} <= phases
        assert compare_successors(recording, sample, tlc) == []


def test_difference_is_seen_and_told() -> None:
    recording = random_recording(3, 5, 40)
    at = next(n for n in range(2, 40) if state_before(recording, n).tp == "DiceRoll")
    (found,) = compare_successors(recording, [at], _OneStepShort())
    assert found.entry == at
    assert len(found.only_program) == 1
    assert not found.only_tlc


class _OneStepShort(Tlc):
    """A TLC that forgets one of the successors it has printed."""

    def __init__(self) -> None:
        super().__init__(*(getattr(Tlc.find(), name) for name in ("java", "jar")))

    def run(self, *args, **kwargs):  # type: ignore[no-untyped-def]
        result = super().run(*args, **kwargs)
        text = "\n".join(result.printed)
        first, second = text.index('"next"'), text.index('"next"', text.index('"next"') + 1)
        return replace(result, printed=tuple((text[:first] + text[second:]).split("\n")))


@pytest.mark.soak
@pytest.mark.parametrize("rules", ["thesis", "standard"])
def test_successors_are_the_same_in_two_thousand_states(rules: str) -> None:
    tlc = Tlc.find()
    compared = 0
    seed = 0
    while compared < 2000:
        seed += 1
        recording = random_recording(2 + seed % (3 if rules == "thesis" else 5), seed, 1500, rules)
        sample = range(1 + seed % 3, len(recording.entries) + 1, 3)
        assert compare_successors(recording, sample, tlc) == [], seed
        compared += len(sample)
