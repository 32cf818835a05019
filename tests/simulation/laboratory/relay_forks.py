"""Games over an ordinary simulated relay where a player alone shows two continuations:
``python -m tests.simulation.laboratory.relay_forks``.

The liar has two peers in one seat, and moves the own branches at the relay by force whenever somebody looks: some of
the others see what one of the peers pushes, the rest what the other does. What the others push is shown to all. Once
somebody has voted on the lie, the liar leaves one thing there for all: one side, the other, what was there before the
lie, or nothing. In the end only the liar is excused, and all others have ended on one commit.
"""

import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Literal, get_args

from catan_p2p.log.refs import ReplyBranch, branch_at
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.replication.replica import Replica
from catan_p2p.simulation.game import Settings
from catan_p2p.simulation.laboratory.distributions import US
from catan_p2p.simulation.laboratory.hosts import Host
from catan_p2p.simulation.laboratory.lies import Forged
from catan_p2p.simulation.laboratory.scene import Repository, Shown
from tests.simulation.laboratory.colluding import ACTOR, JOINT, Plan, SplitRelay, SplitWorld
from tests.simulation.laboratory.sums import Sums, run_campaign, watched
from tests.simulation.laboratory.worlds import settings

Left = Literal["both", "one side", "other side", "before", "nothing"]
"""What the liar leaves at the relay once somebody has voted on the lie; "both": everybody is shown what they were."""
NETWORKS = ("continent; overlay = star", "city; overlay = star", "lan; overlay = star", "mobile; overlay = star")
RULES = (*JOINT, *ACTOR)
_LOOK_US = US // 10


class ForcedRelay(SplitRelay):
    """A relay whose branches of the liar's are what the liar leaves there."""

    def __init__(self, relay: SplitRelay) -> None:
        super().__init__(relay)
        self.left: Mapping[str, ObjectId] | None = None
        """The liar's branches for all, once they are the same for all."""

    def shown_to(self, visitor: Repository) -> Shown | None:
        if self.left is None or visitor.name == self._liar or visitor is self._twin:
            return super().shown_to(visitor)
        return Forged(self, {**self.without_liar(self.refs), **self.left}, {})

    def without_liar(self, refs: Mapping[str, ObjectId]) -> dict[str, ObjectId]:
        return {ref: head for ref, head in refs.items() if not self.is_liars(ref)}

    def is_liars(self, ref: str) -> bool:
        branch = branch_at(ref)
        return branch is not None and branch.colour == self._liar

    def sides(self) -> tuple[dict[str, ObjectId], dict[str, ObjectId]]:
        """The liar's branches, as either side is shown them."""
        views = self.refs, self._other
        one, other = ({ref: head for ref, head in refs.items() if self.is_liars(ref)} for refs in views)
        return one, other


class RelayForkWorld(SplitWorld):
    """A liar alone at a relay, who moves the own branches there by force when the others vote."""

    def __init__(self, number: int, chosen: Settings, plan: Plan, left: Left) -> None:
        super().__init__(number, chosen, plan)
        assert isinstance(self.relay, SplitRelay)
        self.forced = self.relay = ForcedRelay(self.relay)
        self.left = left
        self._before: Mapping[str, ObjectId] = {}

    def _split(self, host: Host, replica: Replica) -> None:
        super()._split(host, replica)
        self._before = self.forced.sides()[0]
        self._look_for_votes()

    def has_ended(self, host: Host) -> None:
        super().has_ended(host)
        if all(one.is_done for one in self.there):
            self._ended = len(self.hosts)  # the liar's peers may wait for one another

    def _look_for_votes(self) -> None:
        """Leave one thing for all as soon as somebody has voted on the lie."""
        branches = (branch_at(ref) for ref in self.forced.refs)
        if not any(isinstance(branch, ReplyBranch) and branch.is_vote for branch in branches):
            if not all(host.is_done for host in self.there):
                self.at(self.now + _LOOK_US, self._look_for_votes)
            return
        one, other = self.forced.sides()
        choices = {"one side": one, "other side": other, "before": self._before, "nothing": {}}
        self.forced.left = choices.get(self.left)
        self.forced.has_news()


@dataclass
class Figures(Sums):
    """What a campaign has seen."""

    actions: int = 0
    lies: int = 0
    settled: int = 0
    """Lies on which all have voted."""
    excused: int = 0
    """Liars who were excused."""
    left: Counter[str] = field(default_factory=Counter)
    """What the liars have left at the relay."""


def game_of(seed: int, policies: str = "builder") -> RelayForkWorld:
    """A game of the campaign: everything goes with the seed, and with who decides."""
    rng = Random(f"relay forks {seed}")
    words = f"{NETWORKS[rng.randrange(len(NETWORKS))]}; machine = quick"
    rules = RULES[seed % len(RULES)]
    plan = Plan("split views", (1 + rng.randrange(4),), rng.randrange(1, 60), 0)
    left: Left = rng.choice(get_args(Left))
    return RelayForkWorld(0, settings(words, seed, 4, rules=rules, signed=True, policies=policies), plan, left)


def play_one(seed: int, policies: str = "builder") -> Figures:
    """One game of the campaign."""
    world = game_of(seed, policies)
    found = watched(Figures(), world, f"seed {seed}, {world.plan}, leaves {world.left}", world.check)
    found.lies, found.settled = world.lies, len(world.watcher.lines.settled)
    if world.lies:
        found.left[world.left] += 1
    graph = world.watcher.graph
    found.actions = len(graph) - 1
    found.excused = sum(graph.state.away[player - 1] for player in world.plan.liars)
    return found


if __name__ == "__main__":
    sys.exit(run_campaign("Let a player of simulated games fork at a relay.", play_one, 40, 0))
