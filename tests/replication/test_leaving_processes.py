"""A player of a game of real processes goes away for ever: the others end it on one commit, and nothing is lost."""

from pathlib import Path

import pytest

from catan_p2p.cli.main import main
from tests.replication.leaving import TOPOLOGIES, TWICE, WAYS, Plan, plan_of, play_one


@pytest.mark.first
@pytest.mark.long
@pytest.mark.parametrize(
    ("players", "way", "hands"),
    [(5, "coordinator voted", "Hands = open"), (4, "coordinator proposed", "Chance = joint; Hands = hidden")],
)
def test_the_others_end_a_game_whose_player_and_coordinator_were_killed(
    tmp_path: Path, players: int, way: str, hands: str
) -> None:
    rules = f"brief; PointsToWin = 3; Leaving = yes; {hands}"
    figures = play_one(tmp_path, Plan(1, players, "folders", way, 12.0, "Green", 6, rules))
    assert figures.failures == []
    assert figures.actions > 10


@pytest.mark.long
@pytest.mark.needs("spec")
def test_the_others_go_on_without_a_seat_that_two_programs_play(tmp_path: Path) -> None:
    """Nobody is left out for being silent: the game would stand still for so long."""
    rules = "brief; PointsToWin = 3; Leaving = yes"
    assert play_one(tmp_path, Plan(1, 4, "folders", TWICE, 600.0, "Green", 0, rules)).failures == []
    assert main(["check-trace", str(tmp_path)]) == 0


def test_a_campaign_has_every_way_on_every_topology() -> None:
    plans = [plan_of(seed, patience_s=1.0) for seed in range(36)]
    assert len({(plan.way, plan.topology) for plan in plans}) == len(WAYS) * len(TOPOLOGIES) == 36
    assert {plan.players for plan in plans} == {3, 4, 5}


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(36))
def test_the_others_end_a_game_from_which_somebody_goes(tmp_path: Path, seed: int) -> None:
    figures = play_one(tmp_path, plan_of(seed, patience_s=10.0))
    assert figures.failures == []
