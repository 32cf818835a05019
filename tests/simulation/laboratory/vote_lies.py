"""Games over simulated links in which one player lies about who is present: ``python -m ...vote_lies``.

Somebody is silent for longer than the others wait, or for ever where enough are left, so that there is a change of the
view. In the end nobody honest who was there is away, and all others have ended on one commit.
"""

import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, Literal, get_args

from catan_p2p.game.constants import Player
from catan_p2p.log.graph import DueMessage
from catan_p2p.log.verdict import LoggedStep
from catan_p2p.log.views.deciding import value_of
from catan_p2p.replication.core.view_duty import ViewDuty
from catan_p2p.replication.replica import Replica
from catan_p2p.simulation.game import SimulationSettings
from catan_p2p.simulation.laboratory.distributions import US
from catan_p2p.simulation.laboratory.hosts import Host
from catan_p2p.simulation.laboratory.lies import ForgedRefs
from catan_p2p.simulation.laboratory.scene import ShownRepository, SimulatedRepository
from tests.simulation.laboratory.colluding import ACTOR, JOINT, Act, Plan, SplitWorld
from tests.simulation.laboratory.leaving import NETWORKS
from tests.simulation.laboratory.oracle import PATIENCE_S
from tests.simulation.laboratory.relay_forks import by
from tests.simulation.laboratory.sums import Sums, run_simulated, watched
from tests.simulation.laboratory.worlds import settings

Lie = Literal["vote", "propose", "accept", "broken", "late", "hasty"]
"""What a liar does.

=======  ==========================================================================================================
vote     some are shown a vote, the others one that names nobody; from then on, the liar is two peers in one seat
propose  the same with a proposal, and one with fewer votes, and with another value if there is such a one
accept   the same with an acceptance, and a vote of the next round by one who has accepted nothing
broken   the same with a vote, while nobody is silent, and an action after which nothing has been promised
late     from the first vote on, some are shown nothing new of the liar's for a time
hasty    the liar votes and begins rounds long before the patience is over
=======  ==========================================================================================================
"""
RULES = (*JOINT, *ACTOR)
_HASTY_S = 0.5
_LATE_S = (1, 5, 15, 40)


class VoteLiesWorld(SplitWorld):
    """A game in which one player is silent, and another one lies in the change that follows, or begins one."""

    def __init__(self, number: int, chosen: SimulationSettings, plan: Plan, lie: Lie, silent: Player) -> None:
        super().__init__(number, chosen, plan)
        self.lie_told = lie
        self.silent: Host = self.hosts[silent - 1]
        is_for_ever = len(self.hosts) > 4 and self.rng.random() < 0.5
        self._silent_us = None if is_for_ever else int(self.rng.uniform(PATIENCE_S, 5 * PATIENCE_S) * US)
        self._due = DueMessage("vote", 1)
        """What the liar signs when the lie begins."""
        if lie == "hasty":
            liar = self.hosts[plan.liars[0] - 1]
            liar.seat = replace(liar.seat, pace=replace(liar.seat.pace, patience_s=_HASTY_S))

    @property
    def hear_one_another(self) -> bool:
        """Whether all others can hear one another, directly or through others, without the liar and who is silent."""
        others = {host.name: host for host in self.there if host is not self.silent}
        heard, waiting = set[str](), [*others][:1]
        while waiting:
            if (name := waiting.pop()) not in heard:
                heard.add(name)
                waiting += others.keys() & others[name].seat.settings.remotes.keys()
        return self.relay is not None or len(heard) == len(others)

    def has_started(self, host: Host, replica: Replica) -> None:
        super().has_started(host, replica)
        if host is self.silent:
            act = replica.act
            replica.act = lambda most=None: self._fall_silent(replica, act, most)  # type: ignore[method-assign]
        elif host is self.twin:
            replica.sign(self._other(replica))
            replica.store.publish()
        elif host.seat.player in self.plan.liars:
            sign = replica.sign
            replica.sign = lambda due: self._lie_in_change(host, replica, sign, due)  # type: ignore[method-assign]

    def _other(self, replica: Replica) -> DueMessage:
        """What the liar's other peer signs instead."""
        assert replica.graph.game.has_views
        valid, due = replica.graph.valid, self._due
        duty = ViewDuty(valid, replica.player)
        if due.kind == "accept":
            return duty._vote_in(due.round + 1, (), due.round)
        if due.kind == "vote":
            return duty._vote_in(due.round, (), due.round)
        votes = [*valid.changes.votes[duty.change][due.round].values()]
        subsets = [tuple(one for one in votes if one is not left) for left in votes]
        values = [(some, found[0]) for some in (tuple(votes), *subsets) if (found := value_of(valid, some)) is not None]
        others = [some for some, value in values if value != values[0][1]]
        return due._replace(votes=(others or [values[-1][0]])[0])

    def _fall_silent(self, replica: Replica, act: Act, most: int | None) -> list[LoggedStep]:
        is_now = len(replica.graph) >= self.plan.at + 4 and replica.is_awaited
        if self.silent.name in self._silences or not is_now:
            return act(most)
        if self._silent_us is None:
            self._go(self.silent)
        self.stand_still(self.silent, 10**15 if self._silent_us is None else self._silent_us)
        return []

    def collude(self, host: Host, replica: Replica, act: Act, max_actions: int | None) -> list[LoggedStep]:
        return super().collude(host, replica, act, max_actions) if self.lie_told == "broken" else act(max_actions)

    def _lie_in_change(
        self, host: Host, replica: Replica, sign: Callable[[DueMessage], LoggedStep], due: DueMessage
    ) -> LoggedStep:
        if not self.lies:
            if due.kind == self.lie_told:
                self._due = due
                self._split(host, replica)
            elif self.lie_told in ("late", "hasty"):
                self._has_left = True
                self.lies += 1
                if self.lie_told == "late":
                    self._hold_back(host, self.rng.choice(_LATE_S) * US)
        return sign(due)

    def _hold_back(self, host: Host, for_us: int) -> None:
        """Show some of the others nothing new of the liar's for a time."""
        source: Any = self.relay or host
        own, until = by(host.name, source.honest.refs), self.now + for_us

        def shown(_: SimulatedRepository, visitor: SimulatedRepository) -> ShownRepository:
            honest = source.honest
            if visitor.name not in self.side or self.now >= until:
                return honest  # type: ignore[no-any-return]
            others = {ref: head for ref, head in honest.refs.items() if ref not in by(host.name, honest.refs)}
            return ForgedRefs(honest, {**others, **own}, {})

        source.lie = shown
        self.at(until, source.has_news)


@dataclass
class Figures(Sums):
    """What a campaign has seen."""

    lies: Counter[str] = field(default_factory=Counter)


def game_of(seed: int, policies: str = "builder", hands: str = "open", players: int = 0) -> VoteLiesWorld:
    """A game of the campaign: everything else goes with the seed, and so do the players if there are 0."""
    rng = Random(f"vote lies {seed}")
    lie: Lie = get_args(Lie)[seed % len(get_args(Lie))]
    players = players or rng.randrange(3, 7)
    network, *more = rng.choice(NETWORKS).split("; ")
    liar, silent = rng.sample(range(1, players + 1), 2)
    if lie == "propose" and silent != 2:
        liar = 2  # the coordinator of the first round
    rules, plan = rng.choice(RULES), Plan("split views", (liar,), rng.randrange(1, 30), 0)

    def made(*words: str) -> VoteLiesWorld:
        network = "; ".join((*words, "machine = quick"))
        chosen = settings(network, seed, players, rules=rules, signed=True, policies=policies, hands=hands)
        return VoteLiesWorld(0, chosen, plan, lie, silent)

    world = made(network, *more)
    return world if world.hear_one_another else made(network)


def play_one(seed: int, policies: str = "builder", hands: str = "open", players: int = 0) -> Figures:
    """One game of the campaign."""
    world = game_of(seed, policies, hands, players)
    told = f"seed {seed}, {world.lie_told}, {len(world.hosts)} players, {world.plan}, {world.silent.name} is silent"
    found = watched(Figures(), world, told, world.check)
    found.lies[world.lie_told] += world.lies
    return found


if __name__ == "__main__":
    sys.exit(run_simulated("Let a player of simulated games lie about who is present.", play_one, Figures(), 100, 0))
