"""The weights of ``strategist`` by self-play: one number changed at a time, and kept if it wins more games.

    python -m benchmarks.tuning --games 40 --seed 1 --out benchmarks/tuning.json

Each candidate plays the present weights at tables of two, and alone against three ``builder`` at tables of four, which
the present weights have played on the same deals; it takes their place if it wins more than ``--margin`` games more
than they. What was tried, and what it won, is written down in the order in which it was tried: the same seed on the
same code tries and finds the same.
"""

from __future__ import annotations

import argparse
import json
import sys
from concurrent.futures import Executor, ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from catan_p2p.simulation.policies import POLICIES
from catan_p2p.simulation.strategist.policy import StrategistPolicy
from catan_p2p.simulation.strategist.weights import DEFAULT, Weights
from catan_p2p.tournament.games import Entry, play_deal

STEPS: tuple[tuple[str, tuple[float, ...]], ...] = (
    ("outset", (0.06, 0.2)),
    ("growth", (0.15, 0.3)),
    ("bonus", (1.3, 1.9)),
    ("patience", (1.2, 3.5)),
    ("card", (0.06, 0.16)),
    ("fresh", (1.2, 2.0)),
    ("robbed", (0.25, 0.55)),
    ("contest", (0.5, 2.0)),
    ("progress", (0.2, 0.45)),
)
"""What is tried for each number, in this order."""


LINES = (("candidate", "base"), ("candidate", "builder", "builder", "builder"))
"""The tables at which a candidate plays."""


def is_won(weights: Weights, base: Weights, seed: int, table: tuple[tuple[str, ...], int]) -> bool:
    """Whether the weights win a game: of a line, and a number."""
    POLICIES["candidate"] = partial(StrategistPolicy, weights)
    POLICIES["base"] = partial(StrategistPolicy, base)
    line, number = table
    return play_deal(Entry(line, seed=seed), number).winning_policy == "candidate"


def measure(weights: Weights, base: Weights, games: int, seed: int, pool: Executor) -> int:
    """Games won by the weights: beside the base, and alone among builders."""
    tables = [(line, number) for line in LINES for number in range(games)]
    return sum(pool.map(partial(is_won, weights, base, seed), tables, chunksize=4))


def tune(games: int, seed: int, margin: int, pool: Executor) -> dict[str, Any]:
    """Every step once; what was tried, and the weights in the end."""
    weights, tried = DEFAULT, []
    standard = measure(weights, weights, games, seed, pool)
    for name, values in STEPS:
        for value in values:
            candidate = weights._replace(**{name: value})
            count = measure(candidate, weights, games, seed, pool)
            kept = count > standard + margin
            tried.append({"weight": name, "value": value, "won": count, "standard": standard, "kept": kept})
            print(tried[-1], file=sys.stderr, flush=True)
            if kept:
                weights = candidate
                standard = measure(weights, weights, games, seed, pool)
                break
    return {"games": games, "seed": seed, "margin": margin, "tried": tried, "weights": weights._asdict()}


def main() -> int:
    """Tune and write."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.tuning", description=__doc__)
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--margin", type=int, default=4)
    parser.add_argument("--jobs", type=int, default=1, help="processes; they change nothing but the time")
    parser.add_argument("--out", type=Path, required=True)
    chosen = parser.parse_args()
    with ProcessPoolExecutor(chosen.jobs, get_context("spawn")) as pool:
        found = tune(chosen.games, chosen.seed, chosen.margin, pool)
    chosen.out.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
