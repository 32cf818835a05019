"""Games over simulated links with hidden hands: with faults, and with players who lie about their cards: ``...hidden``.

A lie is told once, as soon as the game gives an occasion for it. What everybody can check is refused, and whoever said
it is charged and excused for their silence; what only one player can check, that player shows to all, who excuse the
liar without votes. A winner shows the end to one player only, and plays on with the others. Besides, the games of
``leaving`` (a player goes away, withholds or forks) and of ``campaign`` (peers crash, ways are cut) are played with
hidden hands.
"""

import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from catan_p2p.game.actions import Claim, Excuse, Pledge
from catan_p2p.game.board.named_maps import BEGINNERS_MAP_NAME, MAPS
from catan_p2p.game.constants import Player
from catan_p2p.game.rules import effect
from catan_p2p.log.commit import NOTHING_TOLD
from catan_p2p.log.evidence import read_refusals
from catan_p2p.log.history import read_history
from catan_p2p.log.storage.objects import ObjectId, ObjectKind, object_id
from catan_p2p.log.storage.store import GitStore
from catan_p2p.log.tree import Put, collector, next_tree
from catan_p2p.log.verdict import LoggedStep
from catan_p2p.replication.replica import Replica
from catan_p2p.simulation.game import SimulationSettings
from catan_p2p.simulation.laboratory.hosts import FOLDER
from catan_p2p.simulation.laboratory.lies import ForgedRefs
from catan_p2p.simulation.laboratory.scene import PromiseBroken
from catan_p2p.simulation.laboratory.served_disk import Objects
from tests.simulation.laboratory import campaign, hidden_forks, leaving
from tests.simulation.laboratory.card_lies import EARLY, LATE, LIES, PARDONED, REFUSED, SHOWN, Lie, lies
from tests.simulation.laboratory.hidden_forks import MOMENTS, Act, EndingWorld, ForkingWorld, GoneWorld
from tests.simulation.laboratory.leaving import HIDDEN_RULES, NETWORKS, Away
from tests.simulation.laboratory.sums import Sums, run_simulated, watched
from tests.simulation.laboratory.worlds import of_campaign, settings


def objects_of(made: Iterable[tuple[ObjectKind, bytes]]) -> Objects:
    """What was made, by id."""
    return {object_id(kind, data): (kind, data) for kind, data in made}


class SealingWorld(GoneWorld):
    """A game in which one player tells one lie about hidden cards."""

    def __init__(self, number: int, chosen: SimulationSettings, away: Away, lie: str, gone: Player = 0) -> None:
        super().__init__(number, chosen, away, gone)
        self.lie = lie
        self.watcher.lines.liars = {away.player}

    @property
    def is_lied(self) -> bool:
        return self._has_left

    def _leave(self, replica: Replica, act: Act) -> list[LoggedStep]:
        own = replica._own
        assert own is not None
        lie = dict(lies(replica, own)).get(self.lie) if self.is_ripe(replica.graph.state) else None
        if lie is None:
            return [replica.act_one()]
        self._has_left = True
        self._go(self.leaver)
        commit = self._forged(replica, lie, collector(made := []))
        self._show(self.leaver.seat.log, commit, objects_of(made))
        return []

    def _forged(self, replica: Replica, lie: Lie, put: Put) -> ObjectId:
        """The commit of a lie, with all else as it has to be."""
        graph, action, own = replica.graph, lie.action, replica._own
        assert own is not None and graph.game.has_views
        prepared, known = graph.prepare(action), graph.known_shares
        share = replica._share_for(action)
        nonce = replica._chains[False].nonce if isinstance(action, Pledge) and False in replica._chains else None
        told = own.told(prepared, action, nonce) if lie.is_made_of_truth else NOTHING_TOLD
        entry = known.entry(action, prepared.state, known.draw(prepared.state, action), share)
        entry = lie.change(entry._replace(nonce=nonce, **told._asdict()))
        tree = next_tree(prepared.tree, effect(prepared.state, action), put)
        return graph._sign(entry, prepared.parents, tree, int(self.leaver.time.date_s()), put).commit

    def _show(self, ref: str, commit: ObjectId, objects: Objects) -> None:
        """Show everybody the lie from now on."""
        source: Any = self.relay or self.leaver
        source.lie = lambda _, visitor: ForgedRefs(source.honest, {**source.honest.refs, ref: commit}, objects)
        source.has_news()

    def check(self) -> None:
        super().check()
        if not self._has_left:
            return
        liar, reasons = self.leaver.name, set[str]()
        for host in self.there:
            with GitStore.within(host.disk, FOLDER, writer=None) as store:
                history = read_history(store.list_refs("refs/"), store.read, host.name)
            if history.last.away[self.away.player - 1] == (self.lie in PARDONED):
                raise PromiseBroken(
                    f"{host.name} has gone on with or without {liar}, who lied about {self.lie}, wrongly"
                )
            shown = any(isinstance(one.action, Excuse | Claim) and one.entry.seal for one in history.actions)
            if shown != (self.lie in SHOWN):
                raise PromiseBroken(f"{host.name}: {liar} lied about {self.lie}, shown to all: {shown}")
            found = read_refusals(FOLDER / "catan-p2p", host.disk)
            reasons |= {line["reason"] for line in found if line["colour"] == liar}
        if self.lie in REFUSED and REFUSED[self.lie] not in reasons:
            raise PromiseBroken(f"nobody charges {liar} with the lie about {self.lie}: {reasons}")


@dataclass
class Figures(Sums):
    """What a campaign has seen."""

    ways: Counter[str] = field(default_factory=Counter)
    """What players did, and which faults there were."""


def table(rng: Random, seed: int, players: int, policies: str) -> SimulationSettings:
    """A game of so many players on a map of its own, by rules of which there are two sets."""
    rules = rng.choice([words for words in HIDDEN_RULES if players < 5 or "brief" in words])
    words = f"{rng.choice(NETWORKS)}; machine = quick"
    chosen = settings(words, seed, players, rules=rules, signed=True, policies=policies, hands="hidden")
    return replace(chosen, map=map_of(seed, players))


def map_of(seed: int, players: int) -> str:
    """A map for so many players: each in turn."""
    names = [name for name in MAPS if players < 5 or name != BEGINNERS_MAP_NAME]
    return names[seed // 5 % len(names)]


def seats(rng: Random, players: int, *, is_left: bool) -> tuple[Player, Player]:
    """Who lies, and who leaves before, 0 for nobody."""
    liar, gone = rng.sample(range(1, players + 1), 2)
    return liar, gone if is_left else 0


def figures(world: GoneWorld, told: str, way: str) -> Figures:
    """Play a game, and tell what it has seen."""
    left = "nobody" if world.first is None else world.first.name
    found = watched(Figures(), world, f"{told}, {len(world.hosts)} players, {left} leaves before", world.check)
    found.ways[way] += world._has_left
    found.ways[f"{way}, without somebody"] += world._has_left and world.first is not None
    return found


def lying(seed: int, lie: str, policies: str = "builder", *, is_left: bool = False) -> Figures:
    """A game in which somebody tells a lie, if there is an occasion for it; ``is_left``: after another has left."""
    rng = Random(f"hidden {seed} {lie}")
    players = 4 + seed % 3 if is_left else 3 + seed % 4  # of two who are left nobody leaves the other out
    liar, gone = seats(rng, players, is_left=is_left)
    away = Away(liar, "withholds", 1)
    world = SealingWorld(0, table(rng, seed, players, policies), away, lie, gone)
    return figures(world, f"seed {seed}, lie {lie}", f"lie about {lie}")


def ending(seed: int, policies: str = "builder", *, is_left: bool = False) -> Figures:
    """A game that one player wins for another one only, if that player comes to win it."""
    rng = Random(f"ending {seed}")
    players = 4 + seed % 3 if is_left else 3 + seed % 4
    liar, gone = seats(rng, players, is_left=is_left)
    world = EndingWorld(0, table(rng, seed, players, policies), Away(liar, "forks", 1), gone)
    return figures(world, f"seed {seed}, an end for one", "an end for one")


def forking(seed: int, moment: str, policies: str = "builder", *, is_left: bool = False) -> Figures:
    """A game that one player goes on with in two ways, if it comes to the moment."""
    rng = Random(f"forking {seed} {moment}")
    players = 4 + seed % 3 if is_left else 3 + seed % 4
    liar, gone = seats(rng, players, is_left=is_left)
    world = ForkingWorld(0, table(rng, seed, players, policies), Away(liar, "forks", 1), moment, gone)
    return figures(world, f"seed {seed}, a fork at {moment}", f"fork at {moment}")


def faulty(seed: int, policies: str = "builder") -> Figures:
    """A game in which peers crash and ways are cut."""
    chosen, players = of_campaign(seed, 6, "joint", "hidden"), 2 + seed % 5
    profile = "thesis" if players < 5 and seed % 2 else "brief"
    chosen = replace(chosen, players=players, rules=f"{profile}; PointsToWin = 3", map=map_of(seed, players))
    found = campaign.play(replace(chosen, policies=(policies,)))
    return Figures(found.games, found.failures, found.actions, found.mistakes, ways=found.faults)


def left(seed: int, policies: str = "builder") -> Figures:
    """A game of ``leaving``."""
    found = leaving.play_one(seed, policies, "hidden")
    return Figures(**{name: number for name, number in vars(found).items() if name != "left"})


def play_hidden(seed: int, policies: str = "builder") -> Figures:
    """One game of the campaign: two of six with a lie about cards, one with a fork, one with an end for one player."""
    kind, turn = seed % 6, seed // 6
    match kind:
        case 2:
            return faulty(turn, policies)
        case 3:
            return left(turn, policies)
        case 4:
            return ending(turn, policies, is_left=turn % 2 == 1)
        case 5:
            moment, is_left = [*MOMENTS][turn % len(MOMENTS)], turn // len(MOMENTS) % 2 == 1
            return forking(turn, moment, policies, is_left=is_left or moment in hidden_forks.LATE)
    number = 2 * turn + kind
    lie, is_left = LIES[number % len(LIES)], number // len(LIES) % 2 == 1
    return lying(turn, lie, policies, is_left=(is_left or lie in LATE) and lie not in EARLY)


if __name__ == "__main__":
    sys.exit(
        run_simulated(
            "Break games of hidden hands, and let players lie in them.", play_hidden, Figures(), 600, 0, tables=False
        )
    )
