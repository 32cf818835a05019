"""Measuring a game: the deltas of all commits in one process, beside one ``git diff | wc -c`` per commit."""

import subprocess
import tempfile
import time
from pathlib import Path

from benchmarks.games import log_again, record_game
from benchmarks.rows import Row
from catan_p2p.log.history import load_history
from catan_p2p.log.storage.store import GitStore
from catan_p2p.metrics.deltas import diff_sizes


def rows(*, quick: bool = False) -> list[Row]:
    """The deltas of 1,000 commits, and a sample of them by ``git diff``."""
    sample = 50 if quick else 200
    with tempfile.TemporaryDirectory(prefix="catan-p2p-bench-") as temporary:
        folder = Path(temporary)
        game, recorded = record_game(folder / "games", 4, seed=1, actions=1000)
        log_again(folder / "game", game, recorded)
        pairs = [(logged.commit, logged.parents[0]) for logged in load_history(folder / "game").actions]
        begin = time.perf_counter()
        with GitStore.open(folder / "game", writer=None) as store:
            sizes = diff_sizes(store.repo, pairs)
        together_s = (time.perf_counter() - begin) * 1000 / len(pairs)
        begin = time.perf_counter()
        for commit, parent in pairs[:sample]:
            printed = subprocess.run(
                ["git", "-C", str(folder / "game"), "diff", parent, commit], capture_output=True, check=True
            ).stdout
            if len(printed) != sizes[commit]:
                raise AssertionError(f"{commit}: {sizes[commit]} bytes, git diff prints {len(printed)}")
        each_s = (time.perf_counter() - begin) * 1000 / sample
    title = "deltas of 1,000 commits"
    return [
        Row(title, together_s, "s", target="<= 0.2"),
        Row(f"{title}, beside a process each", together_s, "s", "git diff, a process each", each_s),
    ]
