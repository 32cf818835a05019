"""Same enabling: in states of full games TLC and the engine see the same successors, one by one."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from catan_p2p.actions.replies import is_reply
from catan_p2p.constants import Constants
from catan_p2p.log.game import new_game
from catan_p2p.model_check.successors import compare_successors, state_before
from catan_p2p.model_check.tlc import Tlc
from catan_p2p.model_check.trace import Entry, RecordedStep, Recording
from catan_p2p.rules import apply, awaited, decisions, draw, initial_state

pytestmark = pytest.mark.spec


def random_recording(players: int, seed: int, most: int) -> Recording:
    """A random game of the full rules, up to a number of entries."""
    rng = Random(seed)
    constants = Constants(player_count=players)
    state = before = initial_state(constants)
    entries: list[Entry] = []
    replies: list[RecordedStep] = []
    while not state.is_over and len(entries) < most:
        action = draw(state, rng.choice(decisions(state, awaited(state)[0])), rng)
        state = apply(state, action)
        if is_reply(action):
            replies.append(RecordedStep("", action, apply(before, action)))
        else:
            entries.append(Entry(tuple(replies), RecordedStep("", action, state)))
            before, replies = state, []
    return Recording(new_game(0, constants), tuple(entries), None)


def test_successors_are_the_same_in_states_of_full_games() -> None:
    tlc = Tlc.find()
    for players, seed in ((2, 1), (4, 2)):
        recording = random_recording(players, seed, 700)
        sample = range(1, len(recording.entries) + 1, 10)
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
def test_successors_are_the_same_in_two_thousand_states() -> None:
    tlc = Tlc.find()
    compared = 0
    seed = 0
    while compared < 2000:
        seed += 1
        recording = random_recording(2 + seed % 3, seed, 1500)
        sample = range(1 + seed % 3, len(recording.entries) + 1, 3)
        assert compare_successors(recording, sample, tlc) == [], seed
        compared += len(sample)
