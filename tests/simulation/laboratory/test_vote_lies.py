"""A player lies about who is present: nobody else is put out, and all others end on one commit."""

from typing import get_args

import pytest

from tests.simulation.laboratory.vote_lies import Lie, game_of, play_one

pytestmark = [pytest.mark.long, pytest.mark.sampled(6, together=True)]


@pytest.mark.parametrize(("lie", "seed"), [*zip(get_args(Lie), [0, 1, 8, 3, 4, 5], strict=True)])
def test_a_liar_in_a_change_puts_out_nobody_else(lie: Lie, seed: int) -> None:
    assert game_of(seed).lie_told == lie
    found = play_one(seed)
    assert found.failures == []
    assert found.lies.total() == 1


def test_nobody_waits_for_a_player_who_comes_back_as_the_last_one_ends() -> None:
    assert play_one(4151, players=5).failures == []


def test_what_a_forker_has_accepted_counts_for_all_once_it_has_for_one() -> None:
    """The liar's acceptance made a decision, of which only whom it leaves out has heard."""
    found = play_one(77059, players=4)
    assert (found.failures, found.proven) == ([], 1)


def test_whoever_should_record_that_another_is_out_may_be_left_out_too() -> None:
    """The liar acts next at the decided head, and after the liar somebody who has gone for good."""
    found = play_one(1005, hands="hidden", players=5)
    assert (found.failures, found.excused) == ([], 2)
