"""Players of simulated games leave, come back, withhold or lie: the others end on one commit, nobody else is blamed."""

from __future__ import annotations

import pytest

from tests.simulation.network.leaving import WAYS, play_one


@pytest.mark.parametrize("seed", range(len(WAYS)), ids=WAYS)
def test_play_goes_on(seed: int) -> None:
    figures = play_one(seed)
    assert figures.failures == []
    assert figures.left == 1


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(len(WAYS), 40 * len(WAYS)))
def test_play_goes_on_in_many_games(seed: int) -> None:
    assert play_one(seed).failures == []
