"""The full cost of a logged action, beside the floor: its objects only hashed, deflated and appended to a file.

A recorded game of random players is logged again (trees, commit, journal, packs, refs, folding at the end), alternately
with the floor: with as many publications as in a simulation, whose peers share a process, and with one for each
hand-over, as separate peers make them. It is also compared with the thesis's program.

Publications make files, which the floor does not, and how long a disk takes for that depends on what was done on it
before. So the game is logged in memory, too, where there is such a file system (``/dev/shm``).
"""

import statistics
import tempfile
from dataclasses import dataclass
from pathlib import Path

from benchmarks.games import Entry, Logged, log_again, record_game
from benchmarks.log_floor import LAG_S, LoggedAction, floor
from benchmarks.rows import Row

THESIS_MS = {2: 29.0, 4: 44.4}
"""Milliseconds per commit of the thesis's program, by players, on a machine like CI's."""
_MEMORY = Path("/dev/shm")
_FLOOR = "hash, deflate, append"


@dataclass(frozen=True, slots=True)
class LoggingCost:
    """Medians in milliseconds per action: with publications as in a simulation, and with one for each hand-over."""

    together: float
    least: float
    most: float
    folding: float
    apart: float
    floor: float


def rows(*, quick: bool = False) -> list[Row]:
    """For two and four players."""
    found = []
    for players in (2, 4):
        size = (400, 3) if quick else (1000, 7)
        title = f"logged action, {players} players"
        here = measure(None, players, *size)
        found += _rows(title, here)
        found.append(
            Row(
                f"{title}, beside the thesis's program", here.together, "ms", "thesis's program, measured before",
                THESIS_MS[players], "<= 0.02",
            )
        )  # fmt: skip
        if _MEMORY.is_dir():
            found += _rows(f"{title}, in memory", measure(_MEMORY, players, *size))
    return found


def _rows(title: str, cost: LoggingCost) -> list[Row]:
    note = f"from {cost.least:.3f} to {cost.most:.3f} ms"
    return [
        Row(title, cost.together, "ms", _FLOOR, cost.floor, "<= 2", note=note),
        Row(f"{title}, of it folding packs in the end", cost.folding, "ms"),
        Row(f"{title}, every hand-over published", cost.apart, "ms", _FLOOR, cost.floor, "<= 3"),
    ]


def measure(place: Path | None, players: int, actions: int, repeats: int) -> LoggingCost:
    """Log a game in a new folder at ``place``, by default where temporary files are."""
    logged: list[Logged] = []
    apart: list[Logged] = []
    floors: list[float] = []
    with tempfile.TemporaryDirectory(prefix="catan-p2p-bench-", dir=place) as temporary:
        folder = Path(temporary)
        game, recorded = record_game(folder / "games", players, seed=1, actions=actions)
        wanted = as_logged(log_again(folder / "kept", game, recorded, keep=True).objects)
        for number in range(repeats):
            # a new folder each time: file systems are slow to find an inode among those just freed
            logged.append(log_again(folder / f"together-{number}", game, recorded, lag_s=LAG_S))
            floors.append(floor(wanted, folder / "floor", tuned=False))
            apart.append(log_again(folder / f"apart-{number}", game, recorded))
            floors.append(floor(wanted, folder / "floor", tuned=False))
    totals, alone = ([1e3 * (one.logging_s + one.folding_s) / actions for one in runs] for runs in (logged, apart))
    return LoggingCost(
        together=statistics.median(totals),
        least=min(totals),
        most=max(totals),
        folding=statistics.median(1e3 * one.folding_s / actions for one in logged),
        apart=statistics.median(alone),
        floor=statistics.median(1e3 * one / actions for one in floors),
    )


def as_logged(objects: list[list[Entry]]) -> list[LoggedAction]:
    """The objects of each action, for the floor."""
    return [LoggedAction("", None, entries, publish=False) for entries in objects]
