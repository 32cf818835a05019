"""Cost as work grows: more games, more players, more commits in one repository."""

import contextlib
import tempfile
import time
from pathlib import Path

from benchmarks.games import Mark, play_endless
from benchmarks.rows import Row
from catan_p2p.log.history import load_history
from catan_p2p.metrics.storage import measure_storage
from catan_p2p.simulation.game import SimulationSettings, play_game


def rows(*, quick: bool = False) -> list[Row]:
    """Rows beside the smallest workload of their kind: a ratio of 1 is a cost that does not grow."""
    return [
        *_games(1 if quick else 3),
        *_players(500 if quick else 2000),
        *_commits((1000, 5000) if quick else (1000, 10_000, 30_000, 98_000)),
    ]


def _games(decades: int) -> list[Row]:
    """1 to 1,000 games one after the other in one process and one folder; each adds a repository."""
    found: list[Row] = []
    settings = SimulationSettings(players=2, games=1000, seed=9, policies=("builder",))
    with tempfile.TemporaryDirectory(prefix="catan-p2p-bench-") as temporary:
        play_game(Path(temporary) / "first", 0, settings)  # so that imports and cached tables do not count
        elapsed_s, actions, number = 0.0, 0, 0
        for decade in range(decades + 1):
            while number < 10**decade:
                played = play_game(Path(temporary), number, settings).result
                elapsed_s, actions, number = elapsed_s + played.elapsed_s, actions + played.actions, number + 1
            value = 1e3 * elapsed_s / actions
            beside = "1 game" if found else ""
            title = f"an action, {number:,} games"
            found.append(Row(title, value, "ms", beside, found[0].value if found else None, "<= 1.5" if found else ""))
    return found


def _players(actions: int) -> list[Row]:
    found: list[Row] = []
    for players in range(2, 7):
        with tempfile.TemporaryDirectory(prefix="catan-p2p-bench-") as temporary:
            with contextlib.closing(play_endless(Path(temporary) / "Catan_0", players, seed=5, every=actions)) as game:
                mark = next(game)
            size = measure_storage(Path(temporary) / "Catan_0" / ".git").file_bytes / (mark.actions + 1)
        value = 1e3 * mark.elapsed_s / mark.actions
        found.append(
            Row(
                f"an action, {players} players", value, "ms", "2 players" if found else "",
                found[0].value if found else None, note=f"every peer validates it; {size:.0f} B a commit",
            )
        )  # fmt: skip
    return found


def _commits(marks: tuple[int, ...]) -> list[Row]:
    """One repository that grows almost to the limit of commits: the cost of the thousand actions before each mark."""
    found: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="catan-p2p-bench-") as temporary:
        path = Path(temporary) / "Catan_0"
        last = Mark(0, 0.0)
        with contextlib.closing(play_endless(path, 4, seed=5, every=1000)) as game:
            for mark in game:
                if mark.actions >= marks[len(found)]:
                    size = measure_storage(path / ".git").file_bytes / (mark.actions + 1)
                    found.append(
                        Row(
                            f"an action, {marks[len(found)]:,} commits in one repository",
                            1e3 * (mark.elapsed_s - last.elapsed_s) / (mark.actions - last.actions),
                            "ms",
                            f"{marks[0]:,} commits" if found else "",
                            found[0].value if found else None,
                            "<= 1.5" if found else "",
                            f"{size:.0f} B a commit",
                        )
                    )
                    if len(found) == len(marks):
                        break
                last = mark
        begin = time.perf_counter()
        count = len(load_history(path).actions)
        value = 1e3 * (time.perf_counter() - begin) / count
        found.append(Row(f"reading and validating a commit, of {count:,}", value, "ms"))
    return found
