"""Games over simulated links with hidden hands: with faults, and with players who lie about their cards: ``...hidden``.

A lie is told once, as soon as the game gives an occasion for it. What everybody can check is refused, and whoever said
it is charged and excused for their silence; what only one player can check, that player shows to all, who excuse the
liar without votes. A winner shows the end to one player only, and plays on with the others. Besides, the games of
``leaving`` (a player goes away, withholds or forks) and of ``campaign`` (peers crash, ways are cut) are played with
hidden hands.
"""

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import permutations
from random import Random
from typing import Any, NamedTuple

from catan_p2p.game import actions as a
from catan_p2p.game.actions.replies import REPLIES
from catan_p2p.game.cards import RESOURCES
from catan_p2p.game.rules import apply, broken_guards, draw_or_call, effect
from catan_p2p.log.authorship import author_of
from catan_p2p.log.commit import Commit, Entry, entry_message
from catan_p2p.log.evidence import read_refusals
from catan_p2p.log.history import read_history
from catan_p2p.log.refs import HEADS, local_ref
from catan_p2p.log.signing import signer
from catan_p2p.log.storage.objects import ObjectId, object_id
from catan_p2p.log.storage.store import Store
from catan_p2p.log.tree import Put, collector, next_tree
from catan_p2p.log.vault import NOTHING_TOLD, Told, Vault, paying
from catan_p2p.log.verdict import Step
from catan_p2p.players.choosing import shown_decisions
from catan_p2p.replication.own_cards import OwnCards
from catan_p2p.replication.replica import Replica
from catan_p2p.sealing.deck import share_message
from catan_p2p.sealing.group import BASE, ORDER, SIZE_BYTES, plus
from catan_p2p.sealing.transcript import Occasion
from catan_p2p.simulation.game import Settings
from catan_p2p.simulation.laboratory.hosts import FOLDER
from catan_p2p.simulation.laboratory.lies import Forged
from catan_p2p.simulation.laboratory.scene import Broken
from catan_p2p.simulation.laboratory.served import Objects
from tests.simulation.laboratory import campaign, leaving
from tests.simulation.laboratory.leaving import HIDDEN_RULES, NETWORKS, Away, LeavingWorld
from tests.simulation.laboratory.sums import Sums, run_campaign, watched
from tests.simulation.laboratory.worlds import of_campaign, settings

Act = Callable[..., list[Step]]
_TRADES = (a.TradeFourToOne, a.TradeThreeToOne, a.TradeTwoToOne)
SHOWN = ("opening", "piece")
"""Lies that only one other player sees, and shows to all."""
REFUSED = ("answer", "share", "shuffle", "pieces", "place", "payment", "card")
LIES = (*SHOWN, *REFUSED)
"""What a player lies about.

=======  ============================================================================
opening  the victim of a theft covers openings that open nothing
piece    a piece of another's key for the deck is not the one that both can compute
answer   the victim of a theft seals another hand than their own
share    the share for a buyer is none of the card
shuffle  the shuffled deck has a card twice
pieces   the public pieces of keys come without knowledge of the pieces
place    a robber takes another card than the chosen one
payment  sealed cards pay that are not there
card     a card of the deck is shown as a victory point that is none
=======  ============================================================================
"""


class Lie(NamedTuple):
    """What is done, and what its commit tells of hidden cards."""

    action: a.Action
    change: Callable[[Told], Told]
    is_made_of_truth: bool = True
    """Whether it changes what an honest player would tell."""


def more(scalar: bytes) -> bytes:
    """Another scalar."""
    return ((int.from_bytes(scalar, "little") + 1) % ORDER).to_bytes(SIZE_BYTES, "little")


def _sealed(change: Callable[[bytes], bytes]) -> Callable[[Told], Told]:
    def changed(told: Told) -> Told:
        assert told.seal is not None
        return told._replace(seal=change(told.seal))

    return changed


def lies(replica: Replica, own: OwnCards) -> Iterator[tuple[str, Lie]]:
    """Which lies a player can tell now who is awaited."""
    graph, me = replica.graph, replica.player
    state, vault = graph.state, own._vault(graph.line)
    action = replica._decider(state)()
    match action:
        case a.Shuffle() if state.hid.deck == "keys" and vault.has_pieces:
            yield "pieces", Lie(action, _sealed(lambda seal: seal[:32] + more(seal[32:64]) + seal[64:]))
            yield "piece", Lie(action, lambda told: _with_false_pieces(replica, own))
        case a.Shuffle() if state.hid.deck != "keys":
            yield "shuffle", Lie(action, _sealed(lambda seal: seal[64:128] + seal[64:]))
        case a.Reveal() if state.call.victim == me:
            count = state.hand_size(me)
            yield "opening", Lie(action, _sealed(lambda seal: _with_false_openings(seal, count)))
            yield "answer", Lie(action, _sealed(lambda seal: plus(seal[:32], BASE) + seal[32:]))
        case a.Reveal() if state.call.what == "BuyDevCard":
            yield "share", Lie(action, _sealed(lambda seal: plus(seal[:32], BASE) + seal[32:]))
        case a.MoveBandit() | a.PlayKnight() if action.card == "sealed":
            assert vault.choosing is not None
            size = vault.choosing.size
            if size > 1:
                yield "place", Lie(action, lambda told: told._replace(place=((told.place or 0) + 1) % size))
    if state.tp in ("Trading", "Building", "TradingBuilding", "DiceRoll") and state.ap == me:
        yield from _pretended(replica, own, vault)


def _with_false_openings(seal: bytes, count: int) -> bytes:
    start = len(seal) - SIZE_BYTES * count
    return seal[:start] + b"".join(more(seal[at : at + SIZE_BYTES]) for at in range(start, len(seal), SIZE_BYTES))


def _with_false_pieces(replica: Replica, own: OwnCards) -> Told:
    prepared = replica.graph.line.prepare(a.Shuffle(replica.player))
    assert prepared.vault is not None
    secret = own._meeting_secret(prepared.vault)
    own._meeting_secret = lambda vault: (secret + 1) % ORDER  # type: ignore[method-assign]
    try:
        return OwnCards.told(own, prepared, a.Shuffle(replica.player), None)
    finally:
        del own._meeting_secret


def _pretended(replica: Replica, own: OwnCards, vault: Vault) -> Iterator[tuple[str, Lie]]:
    """What a player can pretend to hold in their turn."""
    graph, me = replica.graph, replica.player
    state, hoard = graph.state, vault.of(me)
    occasion = Occasion(graph.root, me, graph.line.hearing_all().parents[0])
    show = a.ShowPoint(me, "held")
    others = [number for number in hoard.held if own.kind(vault, number) != "VictoryPoint"]
    if others and not broken_guards(state, show):
        share = share_message(occasion, vault.deck[others[0] - 1], own._deck_secret(vault), own.key(vault))
        yield "card", Lie(show, lambda told: Told(others[0], None, share), False)
    trades = (kind(me, give, receive) for kind in _TRADES for give, receive in permutations(RESOURCES, 2))
    for action in (a.Call(me, "BuyDevCard"), *trades):
        what = paying(hoard, state, action)
        is_lie = what is not None and own.lacking(graph.line, action) == ("HI2 held",)
        if what is not None and is_lie and not broken_guards(state, action):
            yield "payment", _pretending(action, what.message_bytes())
            return


def _pretending(action: a.Action, size: int) -> Lie:
    """An action that pays with bytes of the right number."""
    return Lie(action, lambda told: Told(seal=bytes([1]) * size), False)


class EndingWorld(LeavingWorld):
    """A game whose winner shows the end to one player only, and plays on with the others."""

    def _lie(self, replica: Replica, act: Act) -> list[Step]:
        graph, own = replica.graph, replica._own
        action = replica._decider(graph.state)()
        before = graph.before(action)
        if before.is_over or not apply(before, action).is_over:
            return [replica.act_one()]
        assert own is not None
        told = own.told(graph.line.prepare(action), action, None)
        time_s = int(self.leaver.time.date_s())
        win = graph.write(action, effect(before, action), time_s, collector(made := []), told=told)
        instead = Objects({object_id(kind, data): (kind, data) for kind, data in made})
        assert [*instead][-1] == win.commit
        other = next(self._others(replica, own), action)
        decider, replica._decider = replica._decider, lambda state: lambda: other  # type: ignore[method-assign]
        step = replica.act_one()
        replica._decider = decider  # type: ignore[method-assign]
        names = [host.name for host in self.hosts if host is not self.leaver]
        self._show_another(replica, step.commit, instead, {self._rng.choice(names)})
        return [step]

    def _others(self, replica: Replica, own: OwnCards) -> Iterator[a.Action]:
        """What the player can do instead, and the game goes on."""
        state, rng = replica.graph.line.hearing_all().state, Random(0)
        vault = own._vault(replica.graph.line)
        for one in shown_decisions(own.view(state, vault, rng), replica.player):
            if own.can(state, vault, one, rng):
                action = draw_or_call(state, one, rng)
                if not apply(state, action).is_over:
                    yield action


class SealingWorld(LeavingWorld):
    """A game in which one player tells one lie about hidden cards."""

    def __init__(self, number: int, chosen: Settings, away: Away, lie: str) -> None:
        super().__init__(number, chosen, away)
        self.lie = lie
        self.watcher.lines.liars = {away.player}

    @property
    def is_lied(self) -> bool:
        return self._has_left

    def _leave(self, replica: Replica, act: Act) -> list[Step]:
        own = replica._own
        assert own is not None
        lie = dict(lies(replica, own)).get(self.lie)
        if lie is None:
            return [replica.act_one()]
        self._has_left = True
        self._go(self.leaver)
        objects = Objects()
        commit = self._forged(replica, lie, collector(made := []))
        objects |= {object_id(kind, data): (kind, data) for kind, data in made}
        kind = REPLIES.get(type(lie.action))
        branch = None if kind is None else self.game.reply_branch(replica.graph.head, kind, replica.player)
        self._show(self.leaver.seat.log if branch is None else local_ref(branch), commit, objects)
        return []

    def _forged(self, replica: Replica, lie: Lie, put: Put) -> ObjectId:
        """The commit of a lie, with all else as it has to be."""
        graph, host, action, own = replica.graph, self.leaver, lie.action, replica._own
        assert own is not None and host.seat.key is not None
        prepared = graph.line.prepare(action)
        told = lie.change(own.told(prepared, action, None) if lie.is_made_of_truth else NOTHING_TOLD)
        tree = next_tree(prepared.tree, effect(prepared.state, action), put)
        author = author_of(self.game, replica.player, int(host.time.date_s()))
        parents = (*prepared.parents, *graph._brought(action))
        message = entry_message(Entry(action, **told._asdict()))
        return put("commit", signer(host.seat.key)(Commit(tree.root, parents, author, author, message)).encode())

    def _show(self, ref: str, commit: ObjectId, objects: Objects) -> None:
        """Show everybody the lie from now on."""
        source: Any = self.relay or self.leaver
        source.lie = lambda _, visitor: Forged(source.honest, {**source.honest.refs, ref: commit}, objects)
        source.has_news()

    def check(self) -> None:
        super().check()
        if not self._has_left:
            return
        liar, reasons = self.leaver.name, set[str]()
        for host in self.there:
            with Store.within(host.disk, FOLDER, writer=None) as store:
                history = read_history(store.list_refs(HEADS), store.read, host.name)
            if not history.last.away[self.away.player - 1]:
                raise Broken(f"{host.name} has not gone on without {liar}, who lied about {self.lie}")
            shown = any(isinstance(one.action, a.Excuse | a.Claim) and one.entry.seal for one in history.actions)
            if shown != (self.lie in SHOWN):
                raise Broken(f"{host.name}: {liar} lied about {self.lie}, shown to all: {shown}")
            found = read_refusals(FOLDER / "catan-p2p", host.disk)
            reasons |= {line["reason"] for line in found if line["colour"] == liar}
        if self.lie in REFUSED and "seal" not in reasons:
            raise Broken(f"nobody charges {liar} with the lie about {self.lie}: {reasons}")


@dataclass
class Figures(Sums):
    """What a campaign has seen."""

    actions: int = 0
    excused: int = 0
    ways: Counter[str] = field(default_factory=Counter)
    """What players did, and which faults there were."""


def lying(seed: int, lie: str, policies: str = "builder") -> Figures:
    """A game in which somebody tells a lie, if there is an occasion for it."""
    rng = Random(f"hidden {seed} {lie}")
    players = 3 if lie == "piece" else 2 + seed % 5
    rules = rng.choice([words for words in HIDDEN_RULES if players < 5 or "brief" in words])
    words = f"{rng.choice(NETWORKS)}; machine = quick"
    chosen = settings(words, seed, players, rules=rules, signed=True, policies=policies, hands="hidden")
    world = SealingWorld(0, chosen, Away(1 + rng.randrange(players), "withholds", 1), lie)
    found = watched(Figures(), world, f"seed {seed}, lie {lie}, {players} players", world.check)
    graph = world.watcher.graph
    found.actions, found.excused = len(graph) - 1, int(any(graph.state.away))
    found.ways[f"lie about {lie}"] += world._has_left
    return found


def ending(seed: int, policies: str = "builder") -> Figures:
    """A game that one player wins for another one only, if that player comes to win it."""
    rng = Random(f"ending {seed}")
    players = 3 + seed % 4
    rules = rng.choice([words for words in HIDDEN_RULES if players < 5 or "brief" in words])
    words = f"{rng.choice(NETWORKS)}; machine = quick"
    chosen = settings(words, seed, players, rules=rules, signed=True, policies=policies, hands="hidden")
    world = EndingWorld(0, chosen, Away(1 + rng.randrange(players), "forks", 1))
    found = watched(Figures(), world, f"seed {seed}, an end for one of {players} players", world.check)
    graph = world.watcher.graph
    found.actions, found.excused = len(graph) - 1, int(any(graph.state.away))
    found.ways["an end for one"] += world._has_left
    return found


def faulty(seed: int, policies: str = "builder") -> Figures:
    """A game in which peers crash and ways are cut."""
    chosen = of_campaign(seed, 6, "joint", "hidden")
    found = campaign.play(chosen)
    return Figures(found.games, found.mistakes, found.failures, found.actions, 0, found.faults)


def left(seed: int, policies: str = "builder") -> Figures:
    """A game of ``leaving``."""
    found = leaving.play_one(seed, policies, "hidden")
    return Figures(found.games, found.mistakes, found.failures, found.actions, found.excused, found.ways)


def play_hidden(seed: int, policies: str = "builder") -> Figures:
    """One game of the campaign: two of five with a lie about cards, one with an end for one player."""
    kind, turn = seed % 5, seed // 5
    if kind == 4:
        return ending(turn, policies)
    if kind == 2:
        return faulty(turn, policies)
    return left(turn, policies) if kind == 3 else lying(turn, LIES[(2 * turn + kind) % len(LIES)], policies)


if __name__ == "__main__":
    sys.exit(run_campaign("Break games of hidden hands, and let players lie in them.", play_hidden, 200, 0))
