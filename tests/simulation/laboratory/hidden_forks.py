"""Games of hidden hands that a player goes on with in two ways: in the middle of something hidden, or at the end."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from random import Random
from typing import TypeAlias

from catan_p2p.game import actions as a
from catan_p2p.game.actions.drawing import ROBBERIES, is_shared
from catan_p2p.game.constants import Player
from catan_p2p.game.rules import apply, draw_or_call, effect
from catan_p2p.game.state import State
from catan_p2p.log.commit import Commit, decode_commit, entry_message, parse_entry
from catan_p2p.log.storage.objects import ObjectId, object_id
from catan_p2p.log.tree import collector
from catan_p2p.log.verdict import LoggedStep
from catan_p2p.players.choosing import shown_decisions
from catan_p2p.replication.own_cards import OwnCards
from catan_p2p.replication.replica import Replica
from catan_p2p.sealing.group import SIZE_BYTES, generator, plus
from catan_p2p.simulation.game import SimulationSettings
from catan_p2p.simulation.laboratory.hosts import Host
from catan_p2p.simulation.laboratory.scene import PromiseBroken
from catan_p2p.simulation.laboratory.served_disk import Objects
from tests.simulation.laboratory.leaving import Away, LeavingWorld

Act = Callable[..., list[LoggedStep]]
Is: TypeAlias = Callable[[State, a.Action], bool]


def _shuffles(stage: str, state: State, action: a.Action) -> bool:
    return isinstance(action, a.Shuffle) and state.hid.deck == stage


MOMENTS: Mapping[str, Is] = {
    "theft": lambda state, action: isinstance(action, a.Call) and action.what in ROBBERIES,
    "victim": lambda state, action: isinstance(action, a.Reveal) and state.call.victim == action.player,
    "robber": lambda state, action: isinstance(action, a.MoveBandit | a.PlayKnight) and action.card == "sealed",
    "purchase": lambda state, action: isinstance(action, a.Call) and action.what == "BuyDevCard",
    "share": lambda state, action: isinstance(action, a.Reveal) and state.call.what == "BuyDevCard",
    "buyer": lambda state, action: isinstance(action, a.BuyDevCard),
    "keys": partial(_shuffles, "keys"),
    "first": partial(_shuffles, "first"),
    "rest": partial(_shuffles, "rest"),
    "monopoly": lambda state, action: isinstance(action, a.PlayMonopoly),
    "surrender": lambda state, action: isinstance(action, a.Surrender),
    "roll": lambda state, action: isinstance(action, a.Reveal) and is_shared(state),
    "signature": lambda state, action: isinstance(action, a.SignEnd),
    "closing": lambda state, action: isinstance(action, a.CloseGame),
}
"""Where a player goes on in two ways.

=========  =========================================================================
theft      the robber calls for a card: two different choices
victim     the victim answers
robber     the robber takes the card
purchase   the buyer calls for a card
share      another tells their share of that card
buyer      the buyer takes the card
keys       a player tells their key for the deck
first      a player shuffles the deck
rest       a player shuffles the rest of the deck, after somebody has left
monopoly   a player takes all of a resource
surrender  another says what that takes of their sealed cards
roll       a player tells their share of a roll
signature  a player signs the end
closing    the winner merges the signatures of the end
=========  =========================================================================
"""
LATE = ("rest",)
"""Those for which somebody has to be gone."""


class GoneWorld(LeavingWorld):
    """A game that one player leaves for good early on, before another one lies; or nobody does."""

    def __init__(self, number: int, chosen: SimulationSettings, away: Away, gone: Player = 0) -> None:
        super().__init__(number, chosen, away)
        self.first: Host | None = self.hosts[gone - 1] if gone else None
        self.first_at = self.stream("gone").randrange(1, 40)

    def has_started(self, host: Host, replica: Replica) -> None:
        super().has_started(host, replica)
        if host is self.first:
            act = replica.act

            def acting(max_actions: int | None = None) -> list[LoggedStep]:
                if len(replica.graph) < self.first_at:
                    return act(max_actions)
                if host.name not in self.gone and all(
                    one.replica and one.replica.catch_up.is_over for one in self.hosts
                ):
                    self._go(host)
                    host.restart_after_us = 10**15
                    host.kill()
                return []

            replica.act = acting  # type: ignore[method-assign]

    def is_ripe(self, state: State) -> bool:
        """Whether whoever leaves has left."""
        return self.first is None or any(state.away)


class ForkingWorld(GoneWorld):
    """A game that one player goes on with in two ways, in the middle of something hidden."""

    def __init__(self, number: int, chosen: SimulationSettings, away: Away, moment: str, gone: Player = 0) -> None:
        super().__init__(number, chosen, away, gone)
        self._is_now = MOMENTS[moment]
        self._moment = moment

    def _is_forked(self, state: State, action: a.Action) -> bool:
        return self.is_ripe(state) and self._is_now(state, action)

    def _another(self, step: LoggedStep, commit: Commit) -> Commit:
        if self._moment != "theft":
            return commit
        told = step.entry.seal
        assert told is not None
        other = step.entry._replace(seal=told[:-SIZE_BYTES] + plus(told[-SIZE_BYTES:], generator("theft")))
        return commit._replace(message=entry_message(other))

    def check(self) -> None:
        super().check()
        data, answers = self.watcher.lines.data, dict[tuple[Player, ObjectId], set[ObjectId]]()
        for commit in map(decode_commit, data.values()):
            entry = parse_entry(commit.message, self.game.constants) if commit.parents else None
            if entry is None or not isinstance(entry.action, a.Reveal) or entry.share is not None:
                continue
            called = decode_commit(data[commit.parents[0]])
            call = parse_entry(called.message, self.game.constants).action
            assert isinstance(call, a.Call)
            if call.what in ROBBERIES and entry.action.player != self.leaver.seat.player:
                answers.setdefault((entry.action.player, called.parents[0]), set()).add(commit.parents[0])
        twice = [answered for answered, calls in answers.items() if len(calls) > 1]
        if twice:
            raise PromiseBroken(f"a robber has two answers of one victim: {twice}")


class EndingWorld(GoneWorld):
    """A game whose winner shows the end to one player only, and plays on with the others."""

    def _lie(self, replica: Replica, act: Act) -> list[LoggedStep]:
        graph, own = replica.graph, replica._own
        action = replica._decider(graph.state)()
        before = graph.before(action)
        if not self.is_ripe(before) or before.is_over or not apply(before, action).is_over:
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
        names = [host.name for host in self.hosts if host is not self.leaver and host.name not in self.gone]
        self._show_another(replica, step.commit, instead, {self._rng.choice(names)})
        return [step]

    def _others(self, replica: Replica, own: OwnCards) -> Iterator[a.Action]:
        """What the player can do instead, and the game goes on."""
        state, rng = replica.graph.line.hearing_all().state, Random(0)
        sealed_cards = own._sealed_cards(replica.graph.line)
        for one in shown_decisions(own.view(state, sealed_cards, rng), replica.player):
            if own.can(state, sealed_cards, one, rng):
                action = draw_or_call(state, one, rng)
                if not apply(state, action).is_over:
                    yield action
