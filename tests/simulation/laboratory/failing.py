"""Games at tables that players may leave, over simulated links, whose disks and links fail: ``python -m ...failing``.

Nobody leaves or lies. A fault may last longer than the others wait; who had none is not away in the end.
"""

import sys
from collections import Counter
from dataclasses import dataclass, field
from random import Random

from catan_p2p.simulation.laboratory.distributions import US
from catan_p2p.simulation.laboratory.faults import Fault
from tests.simulation.laboratory.leaving import RULES, Away, LeavingWorld
from tests.simulation.laboratory.sums import Sums, run_simulated, watched
from tests.simulation.laboratory.worlds import DISKS, KINDS, settings

_STARTED_S = 3
"""By so much a fault may keep a player silent for longer than it lasts: the process starts again, and catches up."""


class FailingWorld(LeavingWorld):
    """A game with faults; whom one has struck may be left out, if it has lasted long enough."""

    def __init__(self, seed: int, policies: str, hands: str, players: int) -> None:
        rng, kinds = Random(f"failing {seed}"), (*DISKS, "restored late absence")[seed % 4]
        words = f"{KINDS[seed // 4 % len(KINDS)]}; faults = 10; kinds = {kinds}; machine = quick"
        players = players or rng.randrange(3, 7)
        chosen = settings(words, seed, players, rules=rng.choice(RULES), signed=True, policies=policies, hands=hands)
        super().__init__(0, chosen, Away(1, "fails", 10**9))
        begin = self._happening._begin

        def noted(fault: Fault) -> None:
            is_late_relay = fault.kind == "late" and fault.first == len(self.hosts)  # late for one player
            if (struck := fault.second if is_late_relay else fault.first) < len(self.hosts):
                self.is_silent(self.hosts[struck], fault.lasts_us + _STARTED_S * US)
            begin(fault)

        self._happening._begin = noted  # type: ignore[method-assign]


@dataclass
class Figures(Sums):
    """What a campaign has seen."""

    faults: Counter[str] = field(default_factory=Counter)


def play_one(seed: int, policies: str = "builder", hands: str = "open", players: int = 0) -> Figures:
    """One game of the campaign: everything else goes with the seed, and so do the players if there are 0."""
    world = FailingWorld(seed, policies, hands, players)
    found = watched(Figures(), world, f"seed {seed}, {world.network.kinds}, {len(world.hosts)} players", world.check)
    found.faults = Counter(fault.kind for fault in world.happened)
    return found


if __name__ == "__main__":
    sys.exit(run_simulated("Break disks and links at tables that players may leave.", play_one, Figures(), 100, 0))
