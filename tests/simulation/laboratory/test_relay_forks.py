"""One player lies alone at an ordinary relay: nobody else is excused, and nobody stands still."""

from collections.abc import Iterable
from typing import get_args

import pytest

from catan_p2p.replication.voting import VotingDuty
from tests.simulation.laboratory.relay_forks import Left, game_of, play_one

OTHER_SIDE_LEFT, HIDDEN, OVER_ON_BOTH_SIDES = 39, 5, 57


@pytest.mark.sampled(5, together=True)
@pytest.mark.long
@pytest.mark.parametrize(
    ("seed", "left"),
    [(OTHER_SIDE_LEFT, "before"), (HIDDEN, "hides"), (OVER_ON_BOTH_SIDES, "before")],
    ids=["what was voted on stands nowhere else", "the next player sees nothing new", "over on both sides of the fork"],
)
def test_only_the_liar_is_excused_and_all_others_end_alike(seed: int, left: str) -> None:
    """Each of these games once stood still, lost an honest player, or never ended for one."""
    assert game_of(seed).left == left
    figures = play_one(seed)
    assert figures.failures == []
    assert figures.lies == 1


@pytest.mark.sampled(5, together=True)
@pytest.mark.long
def test_that_what_the_next_player_lacks_is_shown_with_votes_only_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(VotingDuty, "_lingers", lambda voting, patience_s: False)
    seeds = range(95, 335, len(get_args(Left)))
    assert {game_of(seed).left for seed in seeds} == {"hides"}
    assert "honest and there" in first_failure(seeds)


def first_failure(seeds: Iterable[int]) -> str:
    """How the first game fails that shows a mistake."""
    failures = (failure for seed in seeds for failure in play_one(seed).failures)
    found = next(failures, None)
    assert found is not None, "no game shows it"
    return found


@pytest.mark.long
@pytest.mark.sampled(9)
@pytest.mark.parametrize("seed", range(6))
def test_games_of_the_campaign(seed: int) -> None:
    assert play_one(seed).failures == []
