"""Players of simulated games leave, come back, withhold or lie: the others end on one commit, nobody else is blamed."""

from __future__ import annotations

import pytest

from tests.simulation.network.leaving import WAYS, play_one

_WAYS = (
    "killed",
    "races",
    "killed once all shares are told",
    "forks",
    "replies twice, and would go on",
    "forks, and stands between",
    "two silent who both owe a reply",
    "forks, over long polls",
    "killed, over long polls",
    "replies twice, and a folder of refs goes",
    "forks, and the relay shows one player the other side only",
    "replies twice, and the relay shows one player the other side only",
)


@pytest.mark.parametrize("seed", [0, 4, 8, 14, 15, 30, 5, 6, 48, 71, 102, 287], ids=_WAYS)
def test_a_game_ends_from_which_a_player_is_excused(seed: int) -> None:
    figures = play_one(seed)
    assert figures.failures == []
    assert (figures.left, figures.excused) == (1, 1)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(40 * len(WAYS)))
def test_play_goes_on(seed: int) -> None:
    assert play_one(seed).failures == []
