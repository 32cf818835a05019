"""Games over an ordinary simulated relay at which one player lies alone:
``python -m tests.simulation.laboratory.relay_forks``.

Forks: the liar has two peers in one seat, and moves the own branches at the relay by force whenever somebody looks:
some of the others see what one of the peers pushes, the rest what the other does. Once somebody has voted on the lie,
the liar leaves one thing there for all: one side, the other, what was there before the lie, or nothing.

Hides: from a commit on the liar moves the own branches back whenever some of the others look.

What the others push is shown to all. In the end nobody but the liar is excused, and all others have ended on one
commit.
"""

import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Literal, get_args

from catan_p2p.log.refs import branch_at
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.verdict import LoggedStep
from catan_p2p.replication.replica import Replica
from catan_p2p.simulation.game import SimulationSettings
from catan_p2p.simulation.laboratory.distributions import US
from catan_p2p.simulation.laboratory.hosts import Host, RelayHost
from catan_p2p.simulation.laboratory.lies import ForgedRefs
from catan_p2p.simulation.laboratory.scene import ShownRepository, SimulatedRepository
from tests.simulation.laboratory.colluding import ACTOR, JOINT, Act, LyingWorld, Plan, SplitRelay, SplitWorld
from tests.simulation.laboratory.sums import Sums, run_simulated, watched
from tests.simulation.laboratory.worlds import settings

Left = Literal["both", "one side", "other side", "before", "nothing", "hides"]
"""What the liar leaves at the relay once somebody has voted on the lie; "both": everybody is shown what they were."""
NETWORKS = ("continent; overlay = star", "city; overlay = star", "lan; overlay = star", "mobile; overlay = star")
RULES = (*JOINT, *ACTOR)
_LOOK_US = US // 10
_LATER_S = (0, 0, 1, 5)
"""So long after the first vote the liar leaves one thing for all."""

Refs = Mapping[str, ObjectId]


def by(colour: str, refs: Refs) -> dict[str, ObjectId]:
    """A player's own branches."""
    found = {ref: branch_at(ref) for ref in refs}
    return {ref: refs[ref] for ref, branch in found.items() if branch is not None and branch.colour == colour}


def with_own(colour: str, relay: RelayHost, own: Refs) -> ShownRepository:
    """What a relay has, with other branches of one player's."""
    theirs = by(colour, relay.refs)
    return ForgedRefs(relay, {**{ref: head for ref, head in relay.refs.items() if ref not in theirs}, **own}, {})


class ForcedRelay(SplitRelay):
    """A relay at which the liar's branches are where the liar has moved them."""

    def __init__(self, relay: RelayHost) -> None:
        super().__init__(relay)
        self.left: Refs | None = None
        """The liar's branches for all, once they are the same for all."""

    def shown_to(self, visitor: SimulatedRepository) -> ShownRepository | None:
        if self.left is None or visitor.name == self._liar or visitor is self._twin:
            return super().shown_to(visitor)
        return with_own(self._liar, self, self.left)

    def sides(self) -> tuple[Refs, Refs]:
        """The liar's branches, as either side is shown them."""
        return by(self._liar, self.refs), by(self._liar, self._other)


class ForkingWorld(SplitWorld):
    """A liar alone at a relay, who moves the own branches there by force when the others vote."""

    def __init__(self, number: int, chosen: SimulationSettings, plan: Plan, left: Left) -> None:
        super().__init__(number, chosen, plan)
        assert self.relay is not None
        self.forced = self.relay = ForcedRelay(self.relay)
        self.left = left
        self._before: Refs = {}

    def _split(self, host: Host, replica: Replica) -> None:
        super()._split(host, replica)
        self._before = self.forced.sides()[0]
        self._look_for_votes()

    def _look_for_votes(self) -> None:
        """Leave one thing for all once somebody has voted because of the lie."""
        graphs = (host.replica.graph for host in self.there if host.replica is not None)
        if any(graph.game.has_views and graph.valid.changes.votes for graph in graphs):
            self.at(self.now + self.rng.choice(_LATER_S) * US, self._leave_one)
        elif not all(host.is_done for host in self.there):
            self.at(self.now + _LOOK_US, self._look_for_votes)

    def _leave_one(self) -> None:
        one, other = self.forced.sides()
        choices: dict[str, Refs] = {"one side": one, "other side": other, "before": self._before, "nothing": {}}
        self.forced.left = choices.get(self.left)
        self.forced.has_news()


class HidingWorld(LyingWorld):
    """A liar alone at a relay, who lets some of the others see nothing new of the own branches from a commit on."""

    left: Left = "hides"

    def __init__(self, number: int, chosen: SimulationSettings, plan: Plan) -> None:
        super().__init__(number, chosen, plan)
        names = [host.name for host in self.there]
        self.hidden_from = {*self.rng.sample(names, self.rng.randrange(1, len(names)))}

    def collude(self, host: Host, replica: Replica, act: Act, max_actions: int | None) -> list[LoggedStep]:
        relay = self.relay
        if not self.lies and len(replica.graph) >= self.plan.at and replica.is_awaited and relay is not None:
            before = by(host.name, relay.refs)

            def shown(source: SimulatedRepository, visitor: SimulatedRepository) -> ShownRepository:
                return with_own(host.name, relay, before) if visitor.name in self.hidden_from else relay

            relay.lie = shown
            self._has_left = True
            self.lies += 1
        return act(max_actions)


@dataclass
class Figures(Sums):
    """What a campaign has seen."""

    lies: int = 0
    left: Counter[str] = field(default_factory=Counter)
    """What the liars have left at the relay."""


def game_of(seed: int, policies: str = "builder", hands: str = "open", players: int = 4) -> ForkingWorld | HidingWorld:
    """A game of the campaign: everything else goes with the seed."""
    rng = Random(f"relay forks {seed}")
    words = f"{NETWORKS[rng.randrange(len(NETWORKS))]}; machine = quick"
    chosen = settings(words, seed, players, rules=rng.choice(RULES), signed=True, policies=policies, hands=hands)
    plan = Plan("split views", (1 + rng.randrange(players),), rng.randrange(1, 60), 0)
    left: Left = get_args(Left)[seed % len(get_args(Left))]
    return HidingWorld(0, chosen, plan) if left == "hides" else ForkingWorld(0, chosen, plan, left)


def play_one(seed: int, policies: str = "builder", hands: str = "open", players: int = 4) -> Figures:
    """One game of the campaign."""
    world = game_of(seed, policies, hands, players)
    found = watched(Figures(), world, f"seed {seed}, {world.plan}, {world.left}", world.check)
    found.lies = world.lies
    if world.lies:
        found.left[world.left] += 1
    return found


if __name__ == "__main__":
    sys.exit(run_simulated("Let a player of simulated games lie alone at a relay.", play_one, Figures(), 40, 0))
