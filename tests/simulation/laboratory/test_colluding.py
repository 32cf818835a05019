"""Liars who help one another, and who play two games at once: no told share is used again, all honest end alike."""

import pytest

from tests.simulation.laboratory.colluding import play_one

ACCOMPLICES, SPLIT = 2, 1


@pytest.mark.sampled(3)
@pytest.mark.long
@pytest.mark.parametrize("seed", [ACCOMPLICES, SPLIT], ids=["accomplices", "split views"])
def test_liars_are_found_out_and_the_others_go_on(seed: int) -> None:
    figures = play_one(seed)
    assert figures.failures == []
    assert min(figures.lies, figures.proven, figures.excused) > 0


@pytest.mark.long
@pytest.mark.sampled(9)
@pytest.mark.parametrize("seed", (0, 3, 8, 9, 16, 5015))
def test_games_of_the_campaign(seed: int) -> None:
    """In game 5015, the others have ended, and the liar waits for nobody."""
    assert play_one(seed).failures == []


@pytest.mark.long
@pytest.mark.sampled(3)
def test_those_who_were_apart_for_less_than_the_patience_hear_one_another_in_time() -> None:
    assert play_one(4115, hands="hidden", players=3).failures == []


@pytest.mark.long
@pytest.mark.sampled(3)
def test_who_has_voted_in_an_earlier_round_is_waited_for() -> None:
    """A liar shows White alone a call, and the others name White, who votes again once more than half have."""
    assert play_one(4088, "builder", "hidden", 6).failures == []
