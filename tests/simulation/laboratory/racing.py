"""Games over slow simulated links in which players act just as the others stop waiting for them:
``python -m tests.simulation.laboratory.racing``.

Again and again somebody whose turn it is stands still for as long as the others wait, give or take the time that a
message takes. So actions cross the votes to go on without them, and the excuse.
"""

import sys
from random import Random

from catan_p2p.log.verdict import LoggedStep
from catan_p2p.replication.replica import Replica
from catan_p2p.simulation.laboratory.distributions import US
from catan_p2p.simulation.laboratory.hosts import Host
from tests.simulation.laboratory.leaving import RULES, Away, Figures, LeavingWorld
from tests.simulation.laboratory.oracle import PATIENCE_S
from tests.simulation.laboratory.sums import run_simulated, watched
from tests.simulation.laboratory.worlds import settings

NETWORKS = (
    "satellite",
    "mobile; overlay = ring",
    "satellite; overlay = star",
    "world; overlay = gossip 2",
    "mobile; looks = hooks",
)
EARLY_S, LATE_S = 2.0, 2.0 + 2 * PATIENCE_S / 10
"""By how much a player acts before the first vote, or after it, at most: the others vote, and the
excuser excuses, after a last call each.
"""


class RacingWorld(LeavingWorld):
    """A game in which everybody stands still now and then, and comes back as the others vote."""

    def __init__(self, seed: int, policies: str, hands: str, players: int) -> None:
        self._views = Random(f"racing {seed}")
        words = f"{NETWORKS[seed % len(NETWORKS)]}; machine = quick"
        rules = self._views.choice(RULES)
        players = players or 3 + seed % 2
        chosen = settings(words, seed, players, rules=rules, signed=True, policies=policies, hands=hands)
        super().__init__(0, chosen, Away(1, "races", 10**9))
        self.races = 0

    def has_started(self, host: Host, replica: Replica) -> None:
        super().has_started(host, replica)
        act = replica.act

        def acting(most: int | None = None) -> list[LoggedStep]:
            if replica.is_awaited and self.now > host.absent_until and self._views.random() < 0.2:
                wait_s = PATIENCE_S + self._views.uniform(-EARLY_S, LATE_S)
                self.stand_still(host, int(wait_s * US))
                self.races += 1
                return []
            return act(most)

        replica.act = acting  # type: ignore[method-assign]


def play_one(seed: int, policies: str = "builder", hands: str = "open", players: int = 0) -> Figures:
    """One game of the campaign."""
    world = RacingWorld(seed, policies, hands, players)
    found = watched(Figures(), world, f"seed {seed}", world.check)
    found.left = world.races
    return found


if __name__ == "__main__":
    sys.exit(
        run_simulated("Let players of simulated games act just as the others stop waiting.", play_one, Figures(), 40)
    )
