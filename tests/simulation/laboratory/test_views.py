"""Campaigns of the laboratory in games with views: all who are there and honest end on one commit, and none is away."""

import pytest

from tests.simulation.laboratory import colluding, leaving, racing, relay_forks
from tests.simulation.laboratory.sums import Sums

pytestmark = pytest.mark.long


def ends_well(found: Sums) -> None:
    assert not found.failures, found.failures


@pytest.mark.sampled(16)
@pytest.mark.parametrize("seed", range(48))
def test_all_who_are_there_play_on_when_somebody_leaves_or_lies(seed: int) -> None:
    ends_well(leaving.play_one(seed))


@pytest.mark.sampled(16)
@pytest.mark.parametrize("seed", range(32))
def test_the_same_with_hidden_hands(seed: int) -> None:
    ends_well(leaving.play_one(seed, hands="hidden"))


@pytest.mark.sampled(16)
@pytest.mark.parametrize("seed", [*range(32), 57])
def test_a_liar_at_a_relay_divides_nobody(seed: int) -> None:
    ends_well(relay_forks.play_one(seed))


@pytest.mark.sampled(12)
@pytest.mark.parametrize("seed", range(24))
def test_whoever_acts_when_the_others_stop_waiting_is_heard_or_left_out(seed: int) -> None:
    ends_well(racing.play_one(seed))


@pytest.mark.sampled(12)
@pytest.mark.parametrize("seed", range(24))
def test_liars_who_collude_divide_nobody_who_is_honest(seed: int) -> None:
    ends_well(colluding.play_one(seed))
