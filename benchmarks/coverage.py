"""How often a 95 % interval of a mean contains the mean, over few games: ``python -m benchmarks.coverage``.

Games are drawn with replacement from the published ones, whose mean is the true one.
"""

import csv
from collections.abc import Sequence
from pathlib import Path
from random import Random
from statistics import fmean

from catan_p2p.intervals import spread

COUNTS = (2, 5, 10, 20)
REPEATS = 10_000
_FIGURES = Path(__file__).parents[1] / "docs" / "research" / "figures"


def _column(file: str, name: str, **where: str) -> list[float]:
    with (_FIGURES / file).open(newline="") as rows:
        games = list(csv.DictReader(rows))
    return [float(game[name]) for game in games if all(game[key] == value for key, value in where.items())]


def _populations() -> dict[str, Sequence[float]]:
    """What studies measure: sizes, lengths, times, times over links, rare counts, wins; and normal values."""
    rng = Random(1)
    game = "figures-games.csv"
    links = {"players": "4", "network.profile": "world", "network.overlay": "all"}
    with (_FIGURES / game).open(newline="") as rows:
        won = [float(row["winner"] == "Red") for row in csv.DictReader(rows) if row["players"] == "4"]
    return {
        "normal values": [rng.gauss(100, 20) for _ in range(100_000)],
        "bytes a commit (`file_bytes_per_commit`)": _column(game, "file_bytes_per_commit", players="2"),
        "length (`actions`)": _column(game, "actions", players="2"),
        "time (`computing_s_per_action`)": _column(game, "computing_s_per_action", players="2"),
        "time over links (`hand_over_p95_s`)": _column("network-study-games.csv", "hand_over_p95_s", **links),
        "rare count (`PlayMonopoly`)": _column(game, "PlayMonopoly", players="2"),
        "win (`won_Red`, of four)": won,
    }


def coverage(population: Sequence[float], count: int, rng: Random) -> float:
    """The share of samples of ``count`` values whose interval contains the population's mean."""
    true, held = fmean(population), 0
    for _ in range(REPEATS):
        interval = spread(rng.choices(population, k=count)).interval
        held += interval is not None and interval.low - 1e-12 <= true <= interval.high + 1e-12
    return held / REPEATS


if __name__ == "__main__":
    print(f"| measure | {' | '.join(f'n = {count}' for count in COUNTS)} |\n| --- |{' ---: |' * len(COUNTS)}")
    for name, values in _populations().items():
        found = (f"{100 * coverage(values, count, Random(count)):.0f}" for count in COUNTS)
        print(f"| {name} | {' | '.join(found)} |")
