"""Disks and links fail at tables that players may leave: who was there is not away, and nobody signs twice."""

import pytest

from catan_p2p.replication.catch_up import CatchUp
from tests.simulation.laboratory.failing import play_one

pytestmark = [pytest.mark.long, pytest.mark.sampled(3)]

GIVEN_BACK = 15
"""In this game a restored repository is given back a vote of its own, and others wait for it at the same time."""


@pytest.mark.parametrize("seed", [0, 1, 2, 3, GIVEN_BACK])
def test_a_game_ends_in_spite_of_faults(seed: int) -> None:
    assert play_one(seed).failures == []


def test_what_a_killed_process_had_written_is_known_to_the_referee() -> None:
    assert play_one(1045, players=5).failures == []


def test_that_a_restored_peer_acts_before_it_has_asked_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CatchUp, "is_over", property(lambda catch_up: True))
    assert "has continued" in play_one(GIVEN_BACK).failures[0]
