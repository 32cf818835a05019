"""Tuning the weights of ``strategist`` by games with random weights.

    python -m benchmarks.tuning --games 2000 --seed 1 --jobs 2 --out benchmarks/tuning.json

In each game, every weight has its present value or one of two others, all three equally likely and independent of the
other weights. So every game says something about every weight: the share of games won with a value, less the share won
with the present one, is the worth of the value, averaged over the others. For each of ``--games``, ``candidate`` plays
one game against the present weights and one against three ``builder``. The output has the games won with each value,
the difference and its standard error; the same seed on the same code gives the same. Among so many values, some differ
by two standard errors by chance, so play a promising value again with another seed before you keep it.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Mapping
from concurrent.futures import Executor, ProcessPoolExecutor
from functools import partial
from math import sqrt
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from catan_p2p.players.policies import POLICIES
from catan_p2p.players.strategist.policy import StrategistPolicy
from catan_p2p.players.strategist.weights import DEFAULT, StrategistWeights
from catan_p2p.tournament.games import TournamentSetup, play_deal

FACTORS: dict[str, tuple[float, ...]] = {
    name: (0.7, 1.4)
    for name, value in DEFAULT._asdict().items()
    if isinstance(value, float)  # the shares of cards traded, three numbers, go together
}
"""The factors of the other values of each weight."""

LINES = {
    "against itself": ("candidate", "present"),
    "against three builders": ("candidate", "builder", "builder", "builder"),
}
"""The tables at which a candidate plays."""


class Game(NamedTuple):
    """A game to play: its table and its number."""

    line: str
    number: int


def drawn(seed: int, game: Game) -> dict[str, float]:
    """The factors of a game, by weight."""
    rng = Random(f"{seed}/{game.line}/{game.number}")
    return {name: rng.choice((1.0, *factors)) for name, factors in FACTORS.items()}


def weights_of(factors: Mapping[str, float]) -> StrategistWeights:
    """The present weights, each times its factor."""
    present = DEFAULT._asdict()
    return DEFAULT._replace(**{name: present[name] * factor for name, factor in factors.items()})


def is_won(seed: int, game: Game) -> bool:
    """Whether the candidate of a game wins it."""
    POLICIES["candidate"] = partial(StrategistPolicy, weights_of(drawn(seed, game)))
    POLICIES["present"] = StrategistPolicy
    return play_deal(TournamentSetup(LINES[game.line], seed=seed), game.number).winning_policy == "candidate"


def measure(games: int, seed: int, pool: Executor) -> list[dict[str, Any]]:
    """The games won with each value of each weight at each table, beside the present value."""
    all_games = [Game(line, number) for number in range(games) for line in LINES]
    played: Counter[tuple[str, str, float]] = Counter()
    won: Counter[tuple[str, str, float]] = Counter()
    for game, is_one in zip(all_games, pool.map(partial(is_won, seed), all_games, chunksize=4), strict=True):
        for name, factor in drawn(seed, game).items():
            played[game.line, name, factor] += 1
            won[game.line, name, factor] += is_one
    found = []
    for line in LINES:
        for name, factors in FACTORS.items():
            present = line, name, 1.0
            for factor in factors:
                other = line, name, factor
                if not (played[other] and played[present]):
                    continue
                shares = [(won[one] / played[one], played[one]) for one in (other, present)]
                error = sqrt(sum(share * (1 - share) / count for share, count in shares))
                found.append(
                    {
                        "table": line,
                        "weight": name,
                        "value": round(DEFAULT._asdict()[name] * factor, 4),
                        "games": played[other],
                        "won": won[other],
                        "present_games": played[present],
                        "present_won": won[present],
                        "difference": round(shares[0][0] - shares[1][0], 4),
                        "standard_error": round(error, 4),
                    }
                )
    return found


def main() -> int:
    """Play the games, print and write the results."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.tuning", description=__doc__)
    parser.add_argument("--games", type=int, default=100, help="games at each of the two tables")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="processes; they do not change the results")
    parser.add_argument("--out", type=Path, required=True)
    chosen = parser.parse_args()
    with ProcessPoolExecutor(chosen.jobs, get_context("spawn")) as pool:
        found = measure(chosen.games, chosen.seed, pool)
    for one in found:
        print(
            f"{one['table']:24} {one['weight']:10} {one['value']:8} {one['won']:5} of {one['games']:5}"
            f" {one['difference']:+.3f} +- {one['standard_error']:.3f}",
            file=sys.stderr,
        )
    table = {"games": chosen.games, "seed": chosen.seed, "present": DEFAULT._asdict(), "tried": found}
    chosen.out.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
