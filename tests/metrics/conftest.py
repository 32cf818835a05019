"""Runs and tables that the tests of metrics share."""

import shutil
from pathlib import Path

import pytest

from catan_p2p.simulation.game import SimulationSettings
from catan_p2p.simulation.run import begin_run, play_run
from tests.metrics.by_hand import write_three_games
from tests.shared import made_once


@pytest.fixture(scope="session")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two runs: two games of two random players, one game of four builders."""

    def play(folder: Path) -> None:
        play_run(begin_run(folder / "four", SimulationSettings(players=4, games=1, seed=7, policies=("builder",))))
        play_run(
            begin_run(folder / "two", SimulationSettings(players=2, games=2, seed=5, policies=("builder", "random")))
        )

    return made_once(tmp_path_factory, "measured-runs", play)


@pytest.fixture
def own_runs(runs: Path, tmp_path: Path) -> Path:
    """The same, to be changed."""
    return Path(shutil.copytree(runs, tmp_path / "runs"))


@pytest.fixture
def metrics(tmp_path: Path) -> Path:
    """The metrics of three games, written by hand, to be changed."""
    return write_three_games(tmp_path / "metrics")
