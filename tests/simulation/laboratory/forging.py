"""Games over simulated links in which a player shows forged commits before each of their own:
``python -m tests.simulation.laboratory.forging``.

Each forgery breaks one rule, is signed with the player's own key, and continues what all others hold, so that only that
rule refuses it. After a while it is taken back, and play goes on: a peer that had accepted it could not follow, and
would be put out.
"""

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from random import Random

from catan_p2p.game.actions import Action, Call, Claim, Excuse
from catan_p2p.game.actions.replies import is_reply
from catan_p2p.game.constants import Player
from catan_p2p.game.rules import awaited, broken_guards, effect
from catan_p2p.log.authorship import author_of
from catan_p2p.log.commit import NOTHING_TOLD, Commit, SecretParts, decode_commit
from catan_p2p.log.graph import CommitGraph, DueMessage
from catan_p2p.log.signing import signer
from catan_p2p.log.storage.objects import ObjectId, ObjectKind, object_id
from catan_p2p.replication.replica import Replica
from catan_p2p.simulation.game import SimulationSettings
from catan_p2p.simulation.laboratory.distributions import US
from catan_p2p.simulation.laboratory.hosts import Host
from catan_p2p.simulation.laboratory.lies import ForgedRefs
from catan_p2p.simulation.laboratory.served_disk import Objects
from catan_p2p.simulation.laboratory.spec import parse_network
from tests.simulation.laboratory.judged import NotingJudge
from tests.simulation.laboratory.oracle import OracleWorld
from tests.simulation.laboratory.sums import Sums, run_simulated, watched
from tests.simulation.laboratory.worlds import settings

NETWORKS = ("lan", "city; overlay = ring", "continent", "city; transport = path", "city; overlay = gossip 2")
RULES = (
    "thesis; PointsToWin = 3; Leaving = yes; Chance = joint",
    "brief; PointsToWin = 3; Leaving = yes",
    "thesis; PointsToWin = 3; Leaving = yes; HandLimit = 3",
    "brief; PointsToWin = 3; Leaving = yes; Chance = joint; TableTalk = yes",
)
SHOWN_US = 3 * US
"""For how long a forgery is shown."""
MOST = 12
"""How many forgeries there are in a game at most."""

Made = tuple[str, bytes]
"""The name of the branch that a forgery is for, and its bytes."""


class Forger:
    """Makes the forgeries of one player, each at a moment when nothing else of theirs is due."""

    def __init__(self, host: Host, rng: Random) -> None:
        self._host = host
        self._rng = rng
        assert host.seat.key is not None
        self._sign = signer(host.seat.key)
        self.objects = Objects()
        self.kinds: Counter[str] = Counter()

    def _put(self, kind: ObjectKind, data: bytes) -> ObjectId:
        oid = object_id(kind, data)
        self.objects[oid] = kind, data
        return oid

    def make(self, replica: Replica) -> Made | None:
        """A forgery, of a kind that was made least often so far, None if nothing can be forged now."""
        kinds = dict(self._kinds(replica.graph, replica)) if replica.graph.game.has_views else {}
        if not kinds:
            return None
        least = min(self.kinds[kind] for kind in kinds)
        kind = self._rng.choice([kind for kind in kinds if self.kinds[kind] == least])
        self.kinds[kind] += 1
        return kinds[kind]()

    def _kinds(self, graph: CommitGraph, replica: Replica) -> Iterator[tuple[str, Callable[[], Made]]]:
        me, state = replica.player, graph.state
        other = next(player for player in self._host.world.game.constants.players if player != me)
        yield "a claim where more than two are there", lambda: self._line(graph, Claim(me, other))
        excuses = [Excuse(me, player) for player in awaited(state) if player != me]
        if enabled := [one for one in excuses if not broken_guards(graph.before(one), one)]:
            yield "an excuse without a decision", lambda: self._line(graph, enabled[0])
        if (idle := {*graph.valid.view.present} - {me, *self._awaited(graph)}) and not self._has_left(graph, me):
            yield "a vote on whom nobody waits for", lambda: self._vote(graph, me, (min(idle),), 1)
        if not self._has_left(graph, me):
            yield "a vote in a round that nobody has reached", lambda: self._vote(graph, me, (), 2)
        if not replica.is_awaited:
            return
        if state.tp == "Drawing":
            if any(state.due) or graph.known_shares.draw(state) is None:
                return  # what a robber takes of hidden hands is in no share
            right = graph.settlement()
            wrong = self._another(right)
            if wrong is not None:
                yield "another outcome than the shares make", lambda: self._line(graph, wrong)
            return
        if state.tp in ("Pledging", "Discarding", "Offering"):
            return
        action = replica._decider(state)()
        if isinstance(action, Call) or is_reply(action):
            return
        told = NOTHING_TOLD if replica._own is None else replica._own.told(graph.line.prepare(action), action, None)

        def changed(change: Callable[[Commit], Commit], *, signs: bool = True) -> Made:
            commit = change(decode_commit(self._line(graph, action, told)[1])._replace(signature=None))
            return self._host.seat.log, (self._sign(commit) if signs else commit).encode()

        yield "the tree before", lambda: changed(lambda one: one._replace(tree=graph.line.prepare(action).tree.root))
        yield "an older parent as well", lambda: changed(lambda one: one._replace(parents=(*one.parents, graph.root)))
        foreign = author_of(self._host.world.game, other, int(self._host.time.date_s()))
        yield "another's name", lambda: changed(lambda one: one._replace(author=foreign, committer=foreign))
        yield "no signature", lambda: changed(lambda one: one, signs=False)

    def _another(self, right: Action) -> Action | None:
        if hasattr(right, "dice"):
            total = right.dice
            return replace(right, dice=total - 1 if total > 7 else total + 1, **_no_shows(right))
        return None

    def _line(self, graph: CommitGraph, action: Action, told: SecretParts = NOTHING_TOLD) -> Made:
        after = effect(graph.before(action), action)
        date = int(self._host.time.date_s()) + 7
        return self._host.seat.log, self.objects[graph.write(action, after, date, self._put, told=told).commit][1]

    def _vote(self, graph: CommitGraph, me: Player, waits: tuple[Player, ...], round: int) -> Made:
        vote = graph.sign(me, DueMessage("vote", round, waits), int(self._host.time.date_s()) + 7, self._put)
        return self._host.seat.log, self.objects[vote.commit][1]

    @staticmethod
    def _awaited(graph: CommitGraph) -> frozenset[Player]:
        return graph.valid.awaited(graph.valid.newest, graph.valid.replies(), graph.valid.view)

    @staticmethod
    def _has_left(graph: CommitGraph, me: Player) -> bool:
        return graph.valid.nodes[graph.valid.chain_ends[me]].link.promises.has_left(graph.valid.view)


def _no_shows(action: Action) -> dict[str, None]:
    return {"shows": None} if hasattr(action, "shows") else {}


class ForgingWorld(OracleWorld):
    """A game in which one player shows a forgery before each of their own actions, and at other times."""

    judge = NotingJudge

    def __init__(self, number: int, chosen: SimulationSettings, forger: int) -> None:
        super().__init__(number, chosen, parse_network(chosen.network))
        self.host: Host = self.hosts[forger]
        self.forger = Forger(self.host, self.stream("forging"))
        self.referee.evidence.liars.add(self.host.name)
        self.gone = {self.host.name}
        self._heads: set[ObjectId] = set()
        self._until = 0
        self.at(SHOWN_US, self._forge_unasked)

    def has_started(self, host: Host, replica: Replica) -> None:
        super().has_started(host, replica)
        if host is self.host:
            act = replica.act
            replica.act = lambda most=None: [] if self._forges(replica) else act(most)  # type: ignore[method-assign]

    def _forge_unasked(self) -> None:
        """Show forgeries where others are awaited, too."""
        if not self.host.is_done:
            if self.host.replica is not None and not self.host.replica.is_awaited:
                self._forges(self.host.replica)
            self.at(self.now + SHOWN_US, self._forge_unasked)

    def _forges(self, replica: Replica) -> bool:
        """Show a forgery once at each commit, and wait until it has been shown for long enough."""
        if self.now < self._until:
            return True
        self.host.lie = None
        if replica.graph.head in self._heads or self.forger.kinds.total() >= MOST or len(replica.graph) < 4:
            return False
        self._heads.add(replica.graph.head)
        made = self.forger.make(replica)
        if made is None:
            return False
        ref, data = made
        oid = object_id("commit", data)
        self.forger.objects[oid] = "commit", data
        self.host.lie = lambda source, visitor: ForgedRefs(
            self.host.honest, {**self.host.honest.refs, ref: oid}, self.forger.objects
        )
        self._until = self.now + SHOWN_US
        self.host.has_news()
        return True


@dataclass
class Figures(Sums):
    """What a campaign has seen."""

    forgeries: Counter[str] = field(default_factory=Counter)


def game_of(seed: int, policies: str = "builder", hands: str = "open", players: int = 0) -> ForgingWorld:
    """A game of the campaign: everything else goes with the seed, and so do the players if there are 0."""
    rng = Random(f"forging {seed}")
    players = players or 3 + seed % 2
    words = f"{NETWORKS[seed % len(NETWORKS)]}; machine = quick"
    rules = RULES[seed // 2 % len(RULES)]
    chosen = settings(words, seed, players, rules=rules, signed=True, policies=policies, hands=hands)
    return ForgingWorld(0, chosen, rng.randrange(players))


def play_one(seed: int, policies: str = "builder", hands: str = "open", players: int = 0) -> Figures:
    """One game of the campaign."""
    world = game_of(seed, policies, hands, players)
    found = watched(Figures(), world, f"seed {seed}")
    found.forgeries = world.forger.kinds
    return found


if __name__ == "__main__":
    sys.exit(run_simulated("Let a player of simulated games show forged commits.", play_one, Figures(), 40, 0))
