"""The memory of one process that plays games one after the other, and whether it grows."""

import gc
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from statistics import median

from benchmarks.rows import Row
from catan_p2p.log.storage.store import GitStore
from catan_p2p.simulation.game import RunawayGame, SimulationSettings, game_folder, play_game

_ACTIONS = 1_000
_SETTINGS = SimulationSettings(players=4, seed=2)


def rows(*, quick: bool = False) -> list[Row]:
    """Four random players: 100 games (or GAMES) cut after 1,000 actions, then whole ones.

    A process holds a game while it plays and folds it, so the peak over whole games grows with the longest one so far.
    Games of one length show whether anything of finished games is left.
    """
    games = int(os.environ.get("GAMES", 10 if quick else 100))
    warm_up = min(100, games // 2)
    after = list(_memory_after_games(games, replace(_SETTINGS, max_actions=_ACTIONS)))
    whole = list(_memory_after_games(4 if quick else 40, _SETTINGS))
    note = f"{games} games of {_ACTIONS:,} actions"
    window = max(1, games // 10)
    early, late = median(after[warm_up : warm_up + window]), median(after[-window:])
    beside = f"after {warm_up} games"
    return [
        Row("memory of a process that plays", max(after), "MB", target="< 100", note=note),
        Row(f"the same, median of the last {window} games", late, "MB", beside, early, "<= 1.05"),
        Row("memory with whole games after it", max(whole), "MB", target="< 120", note=f"{len(whole)} games"),
    ]


def _memory_after_games(games: int, settings: SimulationSettings) -> Iterator[float]:
    """The megabytes after each game, after garbage collection."""
    with tempfile.TemporaryDirectory(prefix="catan-p2p-bench-") as temporary:
        for number in range(games):
            folder = game_folder(Path(temporary), number)
            try:
                play_game(Path(temporary), number, settings)
            except RunawayGame:  # cut: fold it, as at the end of a whole game
                with GitStore.open(folder) as store:
                    store.fold()
            shutil.rmtree(folder)
            gc.collect()
            yield resident_mb()


def resident_mb() -> float:
    """The memory of this process; its peak on systems that do not report the present value."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6
    except OSError:
        import resource

        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return most / 1e6 if sys.platform == "darwin" else most / 1e3
