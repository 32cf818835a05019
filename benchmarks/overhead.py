"""What Git and peers cost: a game of peers over one repository beside the same game with one state and no log.

Peers that share a process judge each commit once for all; beside that stands what it costs if each judges for itself.
"""

import shutil
import statistics
import tempfile
from dataclasses import replace
from pathlib import Path

from benchmarks.rows import Row
from catan_p2p.metrics.central import play_central
from catan_p2p.simulation.game import Settings, play_game
from catan_p2p.simulation.run import JUDGINGS


def rows(*, quick: bool = False) -> list[Row]:
    """For two and four random players; all are played in turns."""
    return [row for players in (2, 4) for row in _rows(players, games=2 if quick else 8)]


def _rows(players: int, games: int) -> list[Row]:
    settings = Settings(players=players, games=games, seed=3)
    central: list[float] = []
    on_git: dict[str, list[float]] = {judging: [] for judging in JUDGINGS}
    with tempfile.TemporaryDirectory(prefix="catan-p2p-bench-") as temporary:
        for number in range(games):
            for judging, costs in on_git.items():
                played = play_game(Path(temporary), number, replace(settings, judging=judging)).result
                costs.append(1e3 * played.elapsed_s / played.actions)
                shutil.rmtree(Path(temporary) / f"Catan_{number}")
            alone = play_central(number, settings)
            central.append(1e3 * alone.elapsed_s / len(alone.actions))
    return [
        Row(
            f"action of a whole game on Git, {players} players{_HOW[judging]}", statistics.median(costs), "ms",
            "one state, no log", statistics.median(central), note="tries out of turn included",
        )
        for judging, costs in on_git.items()
    ]  # fmt: skip


_HOW = {"once": "", "each": ", each judging for itself"}
