"""What Git and peers cost: a game of peers over one repository beside the same game with one state and no log."""

import shutil
import statistics
import tempfile
from pathlib import Path

from benchmarks.rows import Row
from catan_p2p.metrics.central import play_central
from catan_p2p.simulation.game import Settings, play_game


def rows(*, quick: bool = False) -> list[Row]:
    """For two and four random players; both are played in turns."""
    return [_row(players, games=2 if quick else 8) for players in (2, 4)]


def _row(players: int, games: int) -> Row:
    settings = Settings(players=players, games=games, seed=3)
    on_git, central = [], []
    with tempfile.TemporaryDirectory(prefix="catan-p2p-bench-") as temporary:
        for number in range(games):
            played = play_game(Path(temporary), number, settings).result
            on_git.append(1e3 * played.elapsed_s / played.actions)
            alone = play_central(number, settings)
            central.append(1e3 * alone.elapsed_s / len(alone.actions))
            shutil.rmtree(Path(temporary) / f"Catan_{number}")
    return Row(
        f"action of a whole game on Git, {players} players", statistics.median(on_git), "ms", "one state, no log",
        statistics.median(central), note="tries out of turn included",
    )  # fmt: skip
