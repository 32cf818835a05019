"""Games of the laboratory with faults, silent players and liars: the referee agrees with every peer on every commit."""

from collections.abc import Callable
from typing import Any

import pytest

from catan_p2p.log import judging, rules
from tests.referee.beside import beside
from tests.simulation.laboratory import campaign, colluding, leaving

MOST_GAMES = 40


@pytest.mark.sampled(3)
@pytest.mark.long
@pytest.mark.parametrize(
    ("play", "seed"),
    [(leaving.play_one, 6), (colluding.play_one, 0), (colluding.play_one, 32)],
    ids=["forks", "forks, and would excuse", "accomplices"],
)
def test_a_game_with_a_liar(play: Callable[[int], Any], seed: int) -> None:
    """The first game from a seed on in which somebody is proven to have forked."""
    for number in range(seed, seed + MOST_GAMES):
        with beside() as both:
            assert play(number).failures == []
        if both.forks and both.judged["accepted"] > 500:
            return
    pytest.fail(f"no game with a fork among {MOST_GAMES}")


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(100))
@pytest.mark.parametrize("play", [leaving.play_one, colluding.play_one], ids=["leaving", "colluding"])
def test_many_games_with_liars(play: Callable[[int], Any], seed: int) -> None:
    with beside():
        play(seed)


def test_a_rule_that_is_lost_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "RULES", tuple(rule for rule in rules.RULES if rule is not rules.guard))
    (failure,) = campaign.play_one(45).failures
    assert "which the independent referee refuses" in failure
