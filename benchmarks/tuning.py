"""The weights of ``strategist`` by self-play: one number changed at a time, and kept if it wins more games.

    python -m benchmarks.tuning --games 40 --seed 1 --out benchmarks/results/tuning.json

Each candidate plays the present weights at tables of two, and alone against three ``builder`` at tables of four, which
the present weights have played on the same deals; it takes their place if it wins more than ``--margin`` games more
than they. What was tried, and what it won, is written down in the order in which it was tried: the same seed on the
same code tries and finds the same.
"""

from __future__ import annotations

import argparse
import json
import sys
from functools import partial
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


def won(lines: tuple[tuple[str, ...], ...], games: int, seed: int) -> int:
    """How many games ``candidate`` wins at these tables."""
    return sum(
        play_deal(Entry(line, seed=seed), number).winning_policy == "candidate"
        for line in lines
        for number in range(games)
    )


def measure(weights: Weights, base: Weights, games: int, seed: int) -> int:
    """Games won by the weights: beside the base, and alone among builders."""
    POLICIES["candidate"] = partial(StrategistPolicy, weights)
    POLICIES["base"] = partial(StrategistPolicy, base)
    return won((("candidate", "base"), ("candidate", "builder", "builder", "builder")), games, seed)


def tune(games: int, seed: int, margin: int) -> dict[str, Any]:
    """Every step once; what was tried, and the weights in the end."""
    weights, tried = DEFAULT, []
    standard = measure(weights, weights, games, seed)
    for name, values in STEPS:
        for value in values:
            candidate = weights._replace(**{name: value})
            count = measure(candidate, weights, games, seed)
            kept = count > standard + margin
            tried.append({"weight": name, "value": value, "won": count, "standard": standard, "kept": kept})
            print(tried[-1], file=sys.stderr, flush=True)
            if kept:
                weights = candidate
                standard = measure(weights, weights, games, seed)
                break
    return {"games": games, "seed": seed, "margin": margin, "tried": tried, "weights": weights._asdict()}


def main() -> int:
    """Tune and write."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.tuning", description=__doc__)
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--margin", type=int, default=4)
    parser.add_argument("--out", type=Path, required=True)
    chosen = parser.parse_args()
    found = tune(chosen.games, chosen.seed, chosen.margin)
    chosen.out.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
