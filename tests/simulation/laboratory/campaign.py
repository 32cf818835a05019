"""Games with faults over simulated links: ``python -m tests.simulation.laboratory.campaign``."""

import sys
from argparse import Namespace
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from catan_p2p.game.constants import CHANCES
from catan_p2p.replication.core.commit_author import GaveUp
from catan_p2p.simulation.command import simulate_command
from catan_p2p.simulation.game import SimulationSettings
from catan_p2p.simulation.laboratory.scene import PromiseBroken
from catan_p2p.simulation.laboratory.spec import parse_network
from catan_p2p.simulation.laboratory.world import SimulatedWorld
from tests.campaigns import options, run_campaign
from tests.simulation.laboratory.judged import JudgedWorld
from tests.simulation.laboratory.sums import Sums
from tests.simulation.laboratory.worlds import SHORT, of_campaign, of_disks, of_kinds, settings


@dataclass
class Figures(Sums):
    """What a campaign has seen."""

    tell_every = 250
    spent = ("elapsed_s", "cpu_s")

    acknowledged: int = 0
    restarts: int = 0
    mended: int = 0
    faults: Counter[str] = field(default_factory=Counter)

    def as_json(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "mistakes"}


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


def play_asked(seed: int, args: Namespace) -> Figures:
    """One game of the campaign that the command line asks for."""
    return play_disks(seed) if args.disks else play_one(seed, chance=args.chance)


def main() -> int:
    parser = options("Break simulated games on purpose and count what is lost.", 1000)
    parser.add_argument("--chance", choices=CHANCES, default="actor", help="who draws (default: actor)")
    parser.add_argument("--disks", action="store_true", help="let disks fail, lie and go back, and nothing else")
    parser.add_argument("--jobs", type=int, default=1, help="processes (default: 1)")
    return run_campaign(parser.parse_args(), play_asked, Figures())


if __name__ == "__main__":
    sys.exit(main())
