"""Games with faults over simulated links: ``python -m tests.simulation.laboratory.campaign``."""

import argparse
import gc
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import get_context

from catan_p2p.game.constants import CHANCES
from catan_p2p.replication.core.commit_author import GaveUp
from catan_p2p.simulation.command import simulate_command
from catan_p2p.simulation.game import SimulationSettings
from catan_p2p.simulation.laboratory.scene import PromiseBroken
from catan_p2p.simulation.laboratory.spec import parse_network
from catan_p2p.simulation.laboratory.world import SimulatedWorld
from tests.simulation.laboratory.judged import JudgedWorld
from tests.simulation.laboratory.sums import Sums
from tests.simulation.laboratory.worlds import SHORT, of_campaign, of_disks, of_kinds, settings

Game = Callable[[int], "Figures"]
_TOLD_EVERY = 250
"""A line after so many games: a long campaign takes an hour."""


@dataclass
class Figures(Sums):
    """What a campaign has seen."""

    actions: int = 0
    acknowledged: int = 0
    restarts: int = 0
    mended: int = 0
    faults: Counter[str] = field(default_factory=Counter)


def play_one(seed: int, faults: int = 6, chance: str = "actor") -> Figures:
    """One game of the campaign."""
    return play(of_campaign(seed, faults, chance))


def play_disks(seed: int) -> Figures:
    """One game in which disks fail."""
    return play(of_disks(seed))


def play_kinds(seed: int, kinds: str, chance: str = "actor") -> Figures:
    """One game in which only these kinds of faults happen."""
    return play(of_kinds(seed, kinds, chance))


def play_far(seed: int, chance: str) -> Figures:
    """One game of six in a ring, each of whom hears three of the others through others only."""
    rules = f"{SHORT}; SpecialBuilding = yes"
    return play(settings("world; overlay = ring; machine = quick", seed, 6, rules=rules, signed=True, chance=chance))


def play(chosen: SimulationSettings) -> Figures:
    """One game, and what it has seen; the independent referee judges those of open hands."""
    kind = JudgedWorld if chosen.hands == "open" else SimulatedWorld
    world = kind(0, chosen, parse_network(chosen.network))
    found = Figures(games=1)
    try:
        world.run()
    except (PromiseBroken, GaveUp) as error:
        found.failures.append(f"{error}; again with: {simulate_command(chosen, 1)}")
    found.actions = len(world.referee.graph) - 1
    found.acknowledged = sum(map(len, world.referee.acknowledged.values()))
    found.restarts = sum(host.spent.starts - 1 for host in world.hosts)
    found.mended = sum(host.spent.mended for host in world.hosts)
    found.faults = Counter(fault.kind for fault in world.happened)
    return found


def collect_seldom() -> None:
    """Let the collector of garbage look seldom while a game is played: it takes a sixth of the time otherwise.

    Whoever does so collects after each game: what is left of many is hundreds of megabytes.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


def _collected(game: Game, seed: int) -> Figures:
    found = game(seed)
    gc.collect()
    return found


def _played(seeds: Sequence[int], game: Game, jobs: int) -> Iterator[Figures]:
    """What came of each game, in order, in this many processes."""
    if jobs == 1:
        yield from map(game, seeds)
        return
    with ProcessPoolExecutor(jobs, get_context("spawn"), collect_seldom) as pool:
        yield from pool.map(partial(_collected, game), seeds, chunksize=8)


def main() -> int:
    parser = argparse.ArgumentParser(description="Break simulated games on purpose and count what is lost.")
    parser.add_argument("--games", type=int, default=1000, help="(default: 1000)")
    parser.add_argument("--seed", type=int, default=1, help="of the first game (default: 1)")
    parser.add_argument("--chance", choices=CHANCES, default="actor", help="who draws (default: actor)")
    parser.add_argument("--disks", action="store_true", help="let disks fail, lie and go back, and nothing else")
    parser.add_argument("--jobs", type=int, default=1, help="processes (default: 1)")
    args = parser.parse_args()
    figures, begin = Figures(), time.monotonic()
    game: Game = play_disks if args.disks else partial(play_one, chance=args.chance)
    for found in _played(range(args.seed, args.seed + args.games), game, args.jobs):
        figures.add(found)
        for failure in found.failures:
            print(failure, file=sys.stderr, flush=True)
        if not figures.games % _TOLD_EVERY:
            told = f"{figures.games} games, {len(figures.failures)} failures, {time.monotonic() - begin:.0f} s"
            print(told, file=sys.stderr, flush=True)
    told = {name: getattr(figures, name) for name in ("games", "actions", "acknowledged", "restarts", "mended")}
    spent = {"elapsed_s": round(time.monotonic() - begin, 1), "cpu_s": round(sum(os.times()[:4]), 1)}
    print(json.dumps(told | spent | {"faults": dict(figures.faults), "failures": figures.failures}, indent=2))
    return 1 if figures.failures else 0


if __name__ == "__main__":
    sys.exit(main())
