"""The cost of surviving a power cut, against a store that survives only ``kill -9``.

    python -m benchmarks.durability

One recorded game is logged turn by turn into new repositories, alternately with each durability, and medians are
compared; the difference also with a bare append and ``fdatasync`` per publication, the least that durability needs.
"""

import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.games import log_again, record_game
from benchmarks.rows import Row
from catan_p2p.log.storage.store import Durability


def _bare_waits(folder: Path, publications: int, size: int) -> float:
    """Milliseconds for each append of ``size`` bytes with ``fdatasync``."""
    descriptor = os.open(folder / "bare", os.O_RDWR | os.O_CREAT | os.O_APPEND)
    try:
        begin = time.perf_counter()
        for _ in range(publications):
            os.write(descriptor, bytes(size))
            os.fdatasync(descriptor)
        return 1000 * (time.perf_counter() - begin) / publications
    finally:
        os.close(descriptor)


def rows(*, quick: bool = False) -> list[Row]:
    """The cost of a publication, durable and not."""
    rounds = 3 if quick else 7
    found: dict[Durability, list[float]] = {"process": [], "power": []}
    bare = []
    with tempfile.TemporaryDirectory(prefix="catan-p2p-bench-") as temporary:
        folder = Path(temporary)
        game, recorded = record_game(folder / "games", 4, seed=1, actions=300)
        publications = sum(1 for *_, is_published in recorded if is_published)
        for number in range(rounds):
            for durability, spent in found.items():
                logged = log_again(folder / f"{durability}_{number}", game, recorded, durability=durability)
                spent.append(1000 * logged.logging_s / publications)
            bare.append(_bare_waits(folder, publications, 2048))
    ours, fast, floor = (statistics.median(spent) for spent in (found["power"], found["process"], bare))
    title = "a publication that outlives a loss of power"
    note = f"{publications} publications, {len(recorded)} actions, one wait each"
    return [
        Row(title, ours, "ms", "one that outlives kill -9", fast, note=note),
        Row(f"{title}, the difference", ours - fast, "ms", "append 2 KiB and fdatasync", floor),
    ]


def main() -> int:
    for row in rows():
        print(f"{row.what}: {row.value:.2f} {row.unit}; {row.beside}: {row.other:.2f}; {row.note}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
