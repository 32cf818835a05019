"""The full cost of a logged action, beside the floor: its objects only hashed, deflated and appended to a file.

A recorded game of random players is logged again (trees, commit, journal, packs, refs, folding at the end), alternately
with the floor: with as many publications as in a simulation, whose peers share a process, and with one for each
hand-over, as separate peers make them. It is also compared with the thesis's program.
"""

import statistics
import tempfile
from pathlib import Path

from benchmarks.games import Entry, Logged, log_again, record_game
from benchmarks.log_floor import LAG_S, LoggedAction, floor
from benchmarks.rows import Row

THESIS_MS = {2: 29.0, 4: 44.4}
"""Milliseconds per commit of the thesis's program, by players, on a machine like CI's."""


def rows(*, quick: bool = False) -> list[Row]:
    """For two and four players."""
    found = []
    for players in (2, 4):
        with tempfile.TemporaryDirectory(prefix="catan-p2p-bench-") as temporary:
            found += _rows(Path(temporary), players, actions=400 if quick else 1000, repeats=3 if quick else 7)
    return found


def _rows(folder: Path, players: int, actions: int, repeats: int) -> list[Row]:
    game, recorded = record_game(folder / "games", players, seed=1, actions=actions)
    kept = log_again(folder / "kept", game, recorded, keep=True)
    wanted = as_logged(kept.objects)
    logged: list[Logged] = []
    apart: list[Logged] = []
    floors: list[float] = []
    for number in range(repeats):
        # a new folder each time: file systems are slow to find an inode among those just freed
        logged.append(log_again(folder / f"together-{number}", game, recorded, lag_s=LAG_S))
        floors.append(floor(wanted, folder / "floor", tuned=False))
        apart.append(log_again(folder / f"apart-{number}", game, recorded))
        floors.append(floor(wanted, folder / "floor", tuned=False))
    floor_ms = 1e3 * statistics.median(floors) / actions
    totals_ms = [1e3 * (one.logging_s + one.folding_s) / actions for one in logged]
    total_ms = statistics.median(totals_ms)
    folding_ms = 1e3 * statistics.median(one.folding_s for one in logged) / actions
    apart_ms = 1e3 * statistics.median(one.logging_s + one.folding_s for one in apart) / actions
    title = f"logged action, {players} players"
    beside = "hash, deflate, append"
    note = f"from {min(totals_ms):.3f} to {max(totals_ms):.3f} ms"
    return [
        Row(title, total_ms, "ms", beside, floor_ms, "<= 2.2", note=note),
        Row(f"{title}, of it folding packs in the end", folding_ms, "ms"),
        Row(f"{title}, every hand-over published", apart_ms, "ms", beside, floor_ms),
        Row(
            f"{title}, beside the thesis's program", total_ms, "ms", "thesis's program, measured before",
            THESIS_MS[players], "<= 0.02",
        ),
    ]  # fmt: skip


def as_logged(objects: list[list[Entry]]) -> list[LoggedAction]:
    """The objects of each action, for the floor."""
    return [LoggedAction("", None, entries, publish=False) for entries in objects]
