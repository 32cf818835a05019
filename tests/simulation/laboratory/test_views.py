"""Campaigns of the laboratory in games with views: all who are there and honest end on one commit, and none is away."""

from typing import Any

import pytest

from catan_p2p.log.game import GameDefinition, new_game, with_parties
from tests.simulation.laboratory import colluding, leaving, racing, relay_forks
from tests.simulation.laboratory.sums import Sums

pytestmark = pytest.mark.long


@pytest.fixture(autouse=True)
def views(monkeypatch: pytest.MonkeyPatch) -> None:
    """The games of the laboratory have views, and each seat is a party."""

    def with_views(*args: Any, **names: Any) -> GameDefinition:
        return with_parties(new_game(*args, **names))

    monkeypatch.setattr("catan_p2p.simulation.laboratory.seats.new_game", with_views)


def seeds(count: int, *unexplained: int) -> list[Any]:
    """Seeds of games; some end in a way that is not explained yet: a commit that two held is undone, or who acts late.

    They may show a fault of the oracle, which judges by the older rules what a peer has accepted, and when.
    """
    reason = "not explained yet: what two held is undone, or whoever acts at the last moment is left out"
    marks = pytest.mark.xfail(strict=True, reason=reason)
    return [pytest.param(seed, marks=marks) if seed in unexplained else seed for seed in range(count)]


def ends_well(found: Sums) -> None:
    assert not found.failures, found.failures


@pytest.mark.sampled(16)
@pytest.mark.parametrize("seed", seeds(48))
def test_all_who_are_there_play_on_when_somebody_leaves_or_lies(seed: int) -> None:
    ends_well(leaving.play_one(seed))


@pytest.mark.sampled(16)
@pytest.mark.parametrize("seed", seeds(32, 4))
def test_the_same_with_hidden_hands(seed: int) -> None:
    ends_well(leaving.play_one(seed, hands="hidden"))


@pytest.mark.sampled(16)
@pytest.mark.parametrize("seed", seeds(32))
def test_a_liar_at_a_relay_divides_nobody(seed: int) -> None:
    ends_well(relay_forks.play_one(seed))


@pytest.mark.sampled(12)
@pytest.mark.parametrize("seed", seeds(24, 2, 7, 12, 22))
def test_whoever_acts_when_the_others_stop_waiting_is_heard_or_left_out(seed: int) -> None:
    ends_well(racing.play_one(seed))


@pytest.mark.sampled(12)
@pytest.mark.parametrize("seed", seeds(24))
def test_liars_who_collude_divide_nobody_who_is_honest(seed: int) -> None:
    ends_well(colluding.play_one(seed))
