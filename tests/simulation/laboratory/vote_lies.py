"""Games over simulated links in which one player lies by votes: ``python -m tests.simulation.laboratory.vote_lies``.

Broken: before somebody else's turn is over, the player who is next shows one, two or all of the others a vote to go on
without them, and then acts after that turn as if there had been no vote.

Forked: a player has left for good. The liar signs another vote besides the one that the program casts, and shows it to
some of the others in the place of the first; or shows them no vote at all.
"""

import sys
from collections import Counter
from dataclasses import dataclass, field
from random import Random
from typing import Any, Literal, get_args

from catan_p2p.game.actions import Vote
from catan_p2p.game.actions.replies import vote_word
from catan_p2p.game.rules import awaited
from catan_p2p.log.commit import decode_commit
from catan_p2p.log.refs import local_ref
from catan_p2p.log.signing import signer
from catan_p2p.log.storage.objects import ObjectId, ObjectKind, object_id
from catan_p2p.log.verdict import LoggedStep
from catan_p2p.replication.core.events import VoteDecided
from catan_p2p.replication.replica import Replica
from catan_p2p.simulation.game import SimulationSettings
from catan_p2p.simulation.laboratory.hosts import Host
from catan_p2p.simulation.laboratory.lies import ForgedRefs
from catan_p2p.simulation.laboratory.scene import ShownRepository, SimulatedRepository
from catan_p2p.simulation.laboratory.served_disk import Objects
from tests.simulation.laboratory.hidden_forks import Act, GoneWorld
from tests.simulation.laboratory.leaving import HIDDEN_RULES, NETWORKS, RULES, Away
from tests.simulation.laboratory.sums import Sums, run_simulated, watched
from tests.simulation.laboratory.worlds import settings

Lie = Literal["broken, to one", "broken, to two", "broken, to all", "forked", "withheld"]
LIES: tuple[Lie, ...] = get_args(Lie)


class VoteLiesWorld(GoneWorld):
    """A game in which one player lies by one vote."""

    def __init__(self, number: int, chosen: SimulationSettings, away: Away, lie: Lie, gone: int = 0) -> None:
        super().__init__(number, chosen, away, gone)
        self.lie_told = lie
        self.watcher.lines.liars = {away.player}

    @property
    def is_lied(self) -> bool:
        return self.has_lied

    @property
    def has_lied(self) -> bool:
        """Whether there was an occasion."""
        return self._has_left

    def has_started(self, host: Host, replica: Replica) -> None:
        super().has_started(host, replica)
        if host is self.leaver:
            cast = replica.cast

            def casting(vote: VoteDecided) -> LoggedStep:
                step = cast(vote)
                if not self.lie_told.startswith("broken") and not self._has_left and vote.charge is None:
                    self._fork(local_ref(replica.core.held.vote_branch(replica.player, vote.round)), step)
                return step

            replica.cast = casting  # type: ignore[method-assign]

    def _taken_in(self, host: Host, step: LoggedStep) -> None:
        super()._taken_in(host, step)
        if host is self.leaver and self.lie_told.startswith("broken"):
            self.at(self.now, self._promise)

    def _leave(self, replica: Replica, act: Act) -> list[LoggedStep]:
        return act()

    def _promise(self) -> None:
        """Vote to go on without the player before this one, whose turn it is: the liar's next action breaks that."""
        replica, me = self.leaver.replica, self.away.player
        if replica is None or self._has_left or len(replica.graph) < self.away.at or not self._others:
            return
        graph, state = replica.graph, replica.graph.state
        if state.phase == "bot" or len(awaited(state)) != 1 or awaited(state) != (state.ap,):
            return
        if state.ap == me or state.next_player(state.ap) != me:
            return
        round, objects = graph.line.round_of(state.ap), Objects()

        def put(kind: ObjectKind, data: bytes) -> ObjectId:
            oid = object_id(kind, data)
            objects[oid] = kind, data
            return oid

        vote = graph.write_vote(round, Vote(me, round.absent, "yes"), int(self.leaver.time.date_s()), put)
        branch = self.game.reply_branch(round.base, vote_word(round.stage, round.absent), me)
        count = {"broken, to one": 1, "broken, to two": 2}.get(self.lie_told, len(self._others))
        self._tell(local_ref(branch), vote.commit, objects, count)

    def _fork(self, ref: str, step: LoggedStep) -> None:
        """Show some of the others another vote in the place of this one, or none."""
        host, objects = self.leaver, Objects()
        assert host.replica is not None and host.seat.key is not None
        count = self._rng.randrange(1, max(2, len(self._others)))
        if self.lie_told == "withheld":
            self._tell(ref, None, objects, count)
            return
        commit = decode_commit(host.replica.store.read(step.commit)[1])
        author = commit.author._replace(time_s=commit.author.time_s + 1)
        data = signer(host.seat.key)(commit._replace(author=author, committer=author, signature=None)).encode()
        other = object_id("commit", data)
        objects[other] = "commit", data
        self._tell(ref, other, objects, count)

    @property
    def _others(self) -> list[str]:
        return [one.name for one in self.hosts if one is not self.leaver and one.name not in self.gone]

    def _tell(self, ref: str, vote: ObjectId | None, objects: Objects, count: int) -> None:
        """Show so many of the others this vote at a ref, or none, from now on."""
        to = set(self._rng.sample(self._others, min(count, len(self._others))))
        self._has_left = True
        self.gone.add(self.leaver.name)
        source: Any = self.relay or self.leaver

        def shown(_: SimulatedRepository, visitor: SimulatedRepository) -> ShownRepository:
            honest = source.honest
            if visitor.name not in to:
                return honest  # type: ignore[no-any-return]
            refs = {name: head for name, head in honest.refs.items() if name != ref}
            return ForgedRefs(honest, refs if vote is None else {**refs, ref: vote}, objects)

        source.lie = shown
        source.has_news()


@dataclass
class Figures(Sums):
    """What a campaign has seen."""

    actions: int = 0
    lies: Counter[str] = field(default_factory=Counter)
    excused: int = 0


def game_of(seed: int, policies: str = "builder", hands: str = "open") -> VoteLiesWorld:
    """A game of the campaign: everything goes with the seed, and with who decides."""
    rng = Random(f"vote lies {seed}")
    lie, players = LIES[seed % len(LIES)], 3 + seed // len(LIES) % 4
    if not lie.startswith("broken"):
        players = max(4, players)  # one is gone, and two hear the liar
    words = f"{rng.choice(NETWORKS)}; machine = quick"
    rules = rng.choice([one for one in (RULES if hands == "open" else HIDDEN_RULES) if players < 5 or "brief" in one])
    liar, gone = rng.sample(range(1, players + 1), 2)
    chosen = settings(words, seed, players, rules=rules, signed=True, policies=policies, hands=hands)
    away = Away(liar, "votes", rng.randrange(1, 60))
    return VoteLiesWorld(0, chosen, away, lie, 0 if lie.startswith("broken") else gone)


def play_one(seed: int, policies: str = "builder", hands: str = "open") -> Figures:
    """One game of the campaign."""
    world = game_of(seed, policies, hands)
    told = f"seed {seed}, {world.lie_told}, {len(world.hosts)} players"
    found = watched(Figures(), world, told, world.check)
    graph = world.watcher.graph
    found.actions, found.excused = len(graph) - 1, sum(graph.state.away)
    found.lies[world.lie_told] += world.has_lied
    return found


if __name__ == "__main__":
    sys.exit(run_simulated("Let a player of simulated games lie by votes.", play_one, Figures(), 100, 0))
