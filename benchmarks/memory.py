"""Memory of one process that plays games, one after the other: how much, and whether it grows."""

from __future__ import annotations

import gc
import os
import shutil
import sys
import tempfile
from pathlib import Path

from benchmarks.rows import Row
from catan_p2p.simulation.game import Settings, play_game

_WARM_UP_GAMES = 10


def rows(*, quick: bool = False) -> list[Row]:
    """Twenty games, sixty or, with the variable GAMES in the environment, as many as that: four random players."""
    games = int(os.environ.get("GAMES", 20 if quick else 60))
    settings = Settings(players=4, games=games, seed=2)
    actions = 0
    most = after_warm_up = 0.0
    with tempfile.TemporaryDirectory(prefix="catan-p2p-bench-") as temporary:
        for number in range(games):
            actions += play_game(Path(temporary), number, settings).result.actions
            shutil.rmtree(Path(temporary) / f"Catan_{number}")
            gc.collect()
            if number + 1 == _WARM_UP_GAMES:
                after_warm_up = resident_mb()
            most = max(most, resident_mb())
    note = f"{games} games of {actions / games:.0f} actions on average"
    return [
        Row("memory of a process that plays", most, "MB", target="< 150", note=note),
        Row("the same, growth", resident_mb(), "MB", f"after {_WARM_UP_GAMES} games", after_warm_up, "<= 1.05"),
    ]


def resident_mb() -> float:
    """What the process holds in memory now; the most it ever held where the system does not say."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6
    except OSError:
        import resource

        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return most / 1e6 if sys.platform == "darwin" else most / 1e3
