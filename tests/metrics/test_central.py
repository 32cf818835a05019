"""The central baseline plays the very same game."""

from pathlib import Path

import pytest

from catan_p2p.log.history import load_history
from catan_p2p.metrics.latency import play_central
from catan_p2p.simulation.game import RunawayGame, SimulationSettings
from catan_p2p.simulation.run import resume_run


@pytest.mark.parametrize(("run", "number"), [("two", 0), ("two", 1), ("four", 0)])
def test_the_same_seed_gives_the_same_actions_as_on_git(runs: Path, run: str, number: int) -> None:
    history = load_history(runs / run / f"Catan_{number}")
    played = play_central(number, resume_run(runs / run).settings)
    assert played.last == history.last
    # Discards after one seven may be in any order: they commute.
    assert sorted(map(repr, played.actions)) == sorted(repr(logged.action) for logged in history.actions)


def test_a_game_without_a_winner_is_stopped() -> None:
    with pytest.raises(RunawayGame, match="seed 3"):
        play_central(0, SimulationSettings(players=2, seed=3, max_actions=50))
