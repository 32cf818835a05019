"""Games with shares of rolls told ahead in which peers are killed, links are cut, and players leave or lie."""

from dataclasses import replace

import pytest

from tests.simulation.laboratory import colluding, leaving
from tests.simulation.laboratory.campaign import play
from tests.simulation.laboratory.worlds import of_campaign

AHEAD = "; Chance = joint; ChanceAhead = yes"
RULES = (
    "thesis; PointsToWin = 4; Leaving = yes; HandLimit = 3",
    "brief; PointsToWin = 4; Leaving = yes; TableTalk = yes",
)


@pytest.mark.long
@pytest.mark.sampled(3)
@pytest.mark.parametrize("seed", range(1, 9))
def test_games_with_faults_end_alike(seed: int) -> None:
    chosen = of_campaign(seed, chance="joint")
    assert play(replace(chosen, rules=chosen.rules + "; ChanceAhead = yes")).failures == []


@pytest.mark.long
@pytest.mark.sampled(3)
@pytest.mark.parametrize("seed", range(1, 9))
def test_the_others_go_on_where_somebody_leaves_or_lies(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is left out or charged who is honest, in whichever way the others lose somebody."""
    monkeypatch.setattr(leaving, "RULES", tuple(rules + AHEAD for rules in RULES))
    figures = leaving.play_one(seed)
    assert figures.failures == []


@pytest.mark.long
@pytest.mark.sampled(2)
@pytest.mark.parametrize("seed", (2, 3, 9))
def test_liars_who_help_one_another_use_no_share_again(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(colluding, "JOINT", tuple(f"{rules}; ChanceAhead = yes" for rules in colluding.JOINT))
    monkeypatch.setattr(colluding, "ACTOR", ())
    figures = colluding.play_one(seed)
    assert figures.failures == []
    assert figures.lies
