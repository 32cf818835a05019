"""A logged action, everything included, beside the floor: its objects only hashed, deflated and appended to a file.

A recorded game of random players is logged anew (trees, commit, journal, packs at every hand-over, refs, folding in the
end), in turns with the floor. Beside it stand the thesis's program and plain use of GitPython.
"""

from __future__ import annotations

import shutil
import statistics
import tempfile
from pathlib import Path

from benchmarks.games import Entry, Logged, log_again, record_game
from benchmarks.log_floor import LoggedAction, floor
from benchmarks.rows import Row

THESIS_MS = {2: 29.0, 4: 44.4}
"""Milliseconds a commit that the thesis's program took on a machine like CI's."""


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
    floors: list[float] = []
    for _ in range(repeats):
        floors.append(floor(wanted, folder / "floor", tuned=False))
        shutil.rmtree(folder / "repository", ignore_errors=True)
        logged.append(log_again(folder / "repository", game, recorded))
    floor_ms = 1e3 * statistics.median(floors) / actions
    ratios = [(one.logging_s + one.folding_s) / base for one, base in zip(logged, floors, strict=True)]
    total_ms = 1e3 * statistics.median(one.logging_s + one.folding_s for one in logged) / actions
    folding_ms = 1e3 * statistics.median(one.folding_s for one in logged) / actions
    title = f"logged action, {players} players"
    spread = f"{min(ratios):.2f} to {max(ratios):.2f}"
    return [
        Row(title, total_ms, "ms", "hash, deflate, append", floor_ms, "<= 3", note=f"ratios {spread}"),
        Row(f"{title}, of it folding packs in the end", folding_ms, "ms"),
        Row(
            f"{title}, beside the thesis's program", total_ms, "ms", "thesis's program, measured before",
            THESIS_MS[players], "<= 0.02",
        ),
    ]  # fmt: skip


def as_logged(objects: list[list[Entry]]) -> list[LoggedAction]:
    """The objects of each action as the floor takes them."""
    return [
        LoggedAction("", None, [(entry.kind, entry.data, entry.base) for entry in entries], publish=False)
        for entries in objects
    ]
