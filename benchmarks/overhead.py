"""The cost of Git and peers: a game of peers over one repository, beside the same game with one state and no log.

Peers that share a process judge each commit once for all; the cost if each judges for itself is measured too. Function
calls are counted as well, since they are the same on every machine, however busy it is.
"""

import cProfile
import pstats
import shutil
import statistics
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from benchmarks.rows import Row
from catan_p2p.metrics.latency import play_central
from catan_p2p.simulation.game import RunawayGame, SimulationSettings, play_game
from catan_p2p.simulation.run import JUDGINGS


def rows(*, quick: bool = False) -> list[Row]:
    """For two and four random players, alternately."""
    counted = [count_row(players) for players in _CALLS]  # first, while caches are empty
    return counted + [row for players in _CALLS for row in _rows(players, games=2 if quick else 8)]


_CALLS = {2: "<= 8", 4: "<= 11.5"}
"""The most function calls of peers, as a multiple of those of a game on one state, by number of players."""
_COUNTED = 150


def count_row(players: int) -> Row:
    """The function calls per action at the beginning of a game, including what only the first actions need."""
    settings = SimulationSettings(players=players, seed=3, max_actions=_COUNTED)
    with tempfile.TemporaryDirectory(prefix="catan-p2p-bench-") as temporary:
        on_git = _calls(lambda: play_game(Path(temporary), 0, settings))
    central = _calls(lambda: play_central(0, settings))
    return Row(
        f"function calls an action on Git, {players} players", on_git / _COUNTED, "", "one state, no log",
        central / _COUNTED, _CALLS[players], f"first {_COUNTED} actions",
    )  # fmt: skip


def _calls(play: Callable[[], object]) -> int:
    profile = cProfile.Profile()
    with suppress(RunawayGame):
        profile.runcall(play)
    return int(pstats.Stats(profile).total_calls)  # type: ignore[attr-defined]


def _rows(players: int, games: int) -> list[Row]:
    settings = SimulationSettings(players=players, games=games, seed=3)
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
