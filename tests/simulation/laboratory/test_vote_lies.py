"""A player lies about who is present: nobody else is put out, and all others end on one commit."""

from typing import get_args

import pytest

from tests.simulation.laboratory.vote_lies import Lie, game_of, play_one

pytestmark = [pytest.mark.long, pytest.mark.sampled(6, together=True)]


@pytest.mark.parametrize("seed", range(len(get_args(Lie))), ids=get_args(Lie))
def test_whoever_signs_twice_in_a_change_is_found_out(seed: int) -> None:
    assert game_of(seed).lie_told == get_args(Lie)[seed]
    found = play_one(seed)
    assert found.failures == []
    assert found.lies.total() == 1
