"""Players of simulated games leave, come back, withhold or lie: the others end on one commit, nobody else is blamed."""

import pytest

from catan_p2p.players.policies import POLICIES
from tests.players.hostile import HostilePolicy
from tests.simulation.laboratory import racing
from tests.simulation.laboratory.leaving import WAYS, play_one

pytestmark = [pytest.mark.long, pytest.mark.sampled(18)]

_WAYS = (
    "killed",
    "races",
    "killed once all shares are told",
    "forks",
    "replies twice, and would go on",
    "forks, and stands between",
    "two silent who both owe a reply",
    "forks, over a satellite",
    "killed, over a satellite",
    "replies twice, and a folder of refs goes",
    "forks, and the relay shows one player the other side only",
    "replies twice, and the relay shows one player the other side only",
    "forks, and would excuse who is on the other side",
    "replies twice, and would excuse who is on the other side",
)


@pytest.mark.parametrize("seed", [0, 4, 8, 14, 15, 30, 5, 6, 48, 71, 102, 287, 126, 183], ids=_WAYS)
def test_a_game_ends_from_which_a_player_is_excused(seed: int) -> None:
    figures = play_one(seed)
    assert figures.failures == []
    assert (figures.left, figures.excused) == (1, 1)


@pytest.mark.parametrize("seed", [2, 6, 15, 8], ids=["withholds", "forks", "replies twice", "killed"])
def test_a_game_of_hidden_hands_ends_without_a_player(seed: int) -> None:
    figures = play_one(seed, hands="hidden")
    assert figures.failures == []
    assert (figures.left, figures.excused) == (1, 1)


@pytest.mark.parametrize("seed", [0, 9], ids=["killed", "cut off"])
def test_strategists_go_on_without_a_player(seed: int) -> None:
    figures = play_one(seed, "strategist")
    assert figures.failures == []
    assert (figures.excused, figures.mistakes) == (1, 0)


def test_no_peer_ends_for_a_hostile_policy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(POLICIES, "hostile", HostilePolicy)
    figures = play_one(0, "hostile,builder,strategist")
    assert figures.failures == []
    assert figures.excused == 1
    assert figures.mistakes > 5


def test_a_game_ends_in_which_all_act_as_the_others_stop_waiting() -> None:
    """In this one, who was excused and is not the first player once waited for others who had left."""
    assert racing.play_one(5031).failures == []


def test_whoever_replied_after_an_early_vote_is_not_left_out_as_one_who_only_votes() -> None:
    """Two pause at one commit, and the third votes on both; then it is the third's turn, who may not act any more."""
    found = racing.play_one(4186, players=5)
    assert found.failures == []
    assert found.actions > 120


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(40 * len(WAYS)))
def test_play_goes_on(seed: int) -> None:
    assert play_one(seed).failures == []


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(10 * len(WAYS)))
def test_play_goes_on_among_strategists(seed: int) -> None:
    figures = play_one(seed, "strategist")
    assert (figures.failures, figures.mistakes) == ([], 0)
