"""Campaigns of simulated games, one after the other, and what they have seen, added up game by game."""

import argparse
import json
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import Self, TypeVar

from catan_p2p.replication.core.commit_author import GaveUp
from catan_p2p.simulation.laboratory.scene import PromiseBroken
from catan_p2p.simulation.laboratory.world import SimulatedWorld


@dataclass
class Sums:
    """Counts, counters and lists: the figures of one game or of several."""

    games: int = 0
    mistakes: int = 0
    """Decisions that a policy has failed to make."""
    failures: list[str] = field(default_factory=list)

    def add(self, other: Self) -> None:
        """Take another's figures in, each with its own kind of sum."""
        for one in fields(self):
            setattr(self, one.name, getattr(self, one.name) + getattr(other, one.name))


FoundT = TypeVar("FoundT", bound=Sums)


def watched(found: FoundT, world: SimulatedWorld, told: str, check: Callable[[], None] = lambda: None) -> FoundT:
    """Play a game and check it; what is broken goes to the failures, after what tells which game it is."""
    found.games = 1
    try:
        world.run()
        check()
    except (PromiseBroken, GaveUp) as error:
        found.failures.append(f"{told}, {world.network.profile} {world.network.overlay}: {error}")
    return found


def run_campaign(description: str, play_one: Callable[[int, str], Sums], games: int, seed: int = 1) -> int:
    """Play the campaign that the command line asks for, and print its figures; 1 if a game or a policy has failed.

    ``games`` is how many are played, and ``seed`` that of the first, unless the command line says otherwise.
    """
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--games", type=int, default=games, help=f"(default: {games})")
    parser.add_argument("--seed", type=int, default=seed, help=f"of the first game (default: {seed})")
    parser.add_argument(
        "--policy", default="builder", help="who decides: a policy, or one for each seat in turn (default: builder)"
    )
    args = parser.parse_args()
    figures, begin = Sums(), time.process_time()
    for number in range(args.seed, args.seed + args.games):
        found = play_one(number, args.policy)
        for failure in found.failures:
            print(failure, file=sys.stderr, flush=True)
        if figures.games:
            figures.add(found)
        else:
            figures = found
    print(json.dumps(vars(figures) | {"cpu_s": round(time.process_time() - begin, 1)}, indent=2))
    return 1 if figures.failures or figures.mistakes else 0
