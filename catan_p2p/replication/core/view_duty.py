"""What a party signs next in the change from its view: a vote, a proposal or an acceptance, or nothing yet."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from catan_p2p.game.actions import ComeBack, Excuse
from catan_p2p.game.constants import Player
from catan_p2p.game.rules import broken_guards
from catan_p2p.game.state import State
from catan_p2p.limits import MAX_CHANGES, MAX_ROUNDS
from catan_p2p.log.graph import DueMessage
from catan_p2p.log.nodes import Promises
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.valid_commits import ValidCommits, next_record, owing_first
from catan_p2p.log.views.deciding import next_change, returning, side_of, value_of
from catan_p2p.log.views.view import Change, View, ViewValue

_LASTING = {"CB3 missed", "CB5 settled"}
"""The guards of a return that hold in a later phase only if they hold now."""


class ViewDuty:
    """A player's part in the changes of the view: spec/CatanViews.tla says what they may sign, this class when.

    A party's first seat votes, proposes and accepts for it; every seat records decisions when it acts next.
    """

    def __init__(self, graph: ValidCommits, player: Player) -> None:
        self._graph = graph
        self._player, self._party = player, graph.party_of[player]
        self._next: tuple[int, Change] | None = None
        """The change that came next when so many commits were known."""

    @property
    def _promises(self) -> Promises:
        return self._graph.promises_of(self._player)

    @property
    def change(self) -> Change:
        """The change that comes next: a settlement, where one has two decisions."""
        if self._next is None or self._next[0] != len(self._graph):
            self._next = len(self._graph), next_change(self._graph)
        return self._next[1]

    @property
    def round(self) -> int:
        """The round of that change in which the player has signed something last, 0 before."""
        mine = self._promises
        return mine.round if mine.change == self.change else 0

    @property
    def lacks_voter(self) -> bool:
        """Whether a party that has voted in this change has not voted in its present round: it may not know of it yet.

        Proven forkers are not waited for.
        """
        cast, round = self._graph.changes.votes.get(self.change, {}), self.round
        before = {party for earlier, votes in cast.items() if earlier < round for party in votes}
        return not before <= {*cast.get(round, ()), *self._graph.forkers}

    @property
    def has_left(self) -> bool:
        """Whether the player signs no action or reply any more before the next view."""
        return self._promises.has_left(self._graph.view)

    def awaited(self) -> frozenset[Player]:
        """The parties that are awaited now."""
        graph = self._graph
        return graph.awaited(graph.newest, graph.replies(), graph.view)

    def record(self, state: State) -> Excuse | ComeBack | None:
        """The record of a decision that the player makes next, None if they make none.

        ``state`` is the game's after the newest commit of the line and the replies to it.
        """
        graph = self._graph
        pending = graph.pending(graph.line_node(graph.newest), graph.view)
        if not pending or state.tp == "top" or self.has_left or owing_first(state, pending):
            return None
        record = next_record(state, pending)
        return record if record.player == self._player else None

    def _grants(self, requests: Mapping[Player, ObjectId]) -> bool:
        """Whether the game grants one of some requests at the newest commit of the line."""
        graph = self._graph
        return bool(returning(graph, graph.newest, graph.replies(), graph.view, requests))

    @property
    def is_away(self) -> bool:
        """Whether the party was left out, but for lying."""
        return self._party not in self._graph.view.present and self._party not in self._graph.forkers

    @property
    def may_come_back(self) -> bool:
        """Whether the party was left out, and may come back, now or in a later phase: it asks then.

        Programs end their turns faster than a request travels: it is there before the phase is.
        """
        graph = self._graph
        node = graph.line_node(graph.newest)
        if not self.is_away or graph.pending(node, graph.view):
            return False
        state, seats = node.ledger.line.state, graph.may_return(self._party, node.ledger)
        if state.is_over or state.tp == "Signing":
            return False
        lacking = {guard for seat in seats for guard in broken_guards(state, ComeBack(state.present[0], seat))}
        return bool(seats) and lacking.isdisjoint(_LASTING)

    def request(self) -> DueMessage | None:
        """The request to come back that the player signs now, once in a view; None if none is due."""
        asked = self._promises.asked
        if self._player != self._party or (asked is not None and asked.id == self._graph.view.id):
            return None
        return DueMessage("request") if self.may_come_back else None

    def due(
        self, waited: Collection[Player] = (), *, is_round_over: bool = False, is_grace_over: bool = True
    ) -> DueMessage | None:
        """Return what to sign now.

        ``waited`` are parties that were awaited for one patience, ``is_round_over`` whether the time of the party's
        present round has passed, ``is_grace_over`` whether votes that are only slow had time to come since the last.
        """
        # Whoever has forked their own chain, as from a backup, can sign nothing any more that others take.
        has_forked = self._party in self._graph.forkers
        if has_forked or self._player != self._party or self._party not in self.change.members:
            return None
        if self.change.again >= MAX_CHANGES:
            return None
        return self._acceptance() or self._proposal(is_grace_over) or self._vote(waited, is_round_over)

    def _acceptance(self) -> DueMessage | None:
        mine = self._promises
        proposals = self._graph.changes.proposals.get(self.change, ())
        newest = max(proposals, key=lambda one: one.round, default=None)
        if newest is None or newest.round < self.round or (newest.round == self.round and "accept" in mine.signed):
            return None
        return DueMessage("accept", newest.round, proposal=newest)

    def _proposal(self, is_grace_over: bool) -> DueMessage | None:
        """The proposal that is due; one that leaves out somebody who may only be slow to vote waits for the grace."""
        graph, change, mine = self._graph, self.change, self._promises
        cast = graph.changes.votes.get(change, {})
        for round in sorted((round for round in cast if round >= self.round), reverse=True):
            if change.coordinator(round) != self._party or (round == self.round and "propose" in mine.signed):
                continue
            votes = tuple(cast[round].values())
            if (found := value_of(graph, votes)) is None:
                continue
            slow = {*found[0].out} - {*found[0].proven} - {vote.link.player for vote in votes}
            is_whole = round > 1 or len(votes) == len(change.members)
            if (is_grace_over or not slow) and (is_whole or not self._keeps_in(*found)):
                return DueMessage("propose", round, votes=votes)
        return None

    @staticmethod
    def _keeps_in(value: ViewValue, view: View) -> bool:
        """Whether whoever is awaited is kept in once more: a first round waits for those who may name them."""
        return not value.out and view.before is not None and view.before.begins_again_at(value.head)

    def _vote(self, waited: Collection[Player], is_round_over: bool) -> DueMessage | None:
        graph, change, mine = self._graph, self.change, self.round
        awaited, begins_again = self.awaited(), graph.view.begins_again_at(graph.newest)
        grants = self._grants(graph.requests)
        waits = self._waits(awaited & {*waited, *self._named(self._party)} - {self._party}, grants)
        cast = graph.changes.votes.get(change, {})
        highest = max((round for round, votes in cast.items() if change.is_majority(votes)), default=0)
        # Who is awaited at one commit once more may have voted at once: all others wait before they vote.
        may_name = begins_again and not graph.is_of_two and bool(awaited - {self._party})
        must_wait = may_name and not (waits or self._forks() or change.without)
        if highest > (max(mine, 1) if must_wait else mine):
            return self._vote_in(highest, waits, highest)
        if mine:
            is_next = is_round_over and highest == mine < MAX_ROUNDS
            return self._vote_in(mine + 1, waits, mine) if is_next else None
        voters = {party for votes in cast.values() for party in votes}
        if not awaited:  # whoever believes that the game is over begins nothing, unless there may be two ends
            is_due = bool(voters - {*graph.forkers} or self._forks())
        else:
            is_called = not voters.isdisjoint(awaited)
            is_asked = is_called and not begins_again
            # Whoever is awaited begins: others may not know yet that play has gone on to where nobody comes back.
            is_granted = grants and (is_called or self._party in awaited)
            is_left = not graph.is_of_two and bool(graph.gone(graph.newest, graph.view))
            is_due = bool(waits or is_asked or is_granted or is_left or self._forks() or change.without)
        return self._vote_in(1, waits, 1) if is_due else None

    def _waits(self, silent: frozenset[Player], grants: bool) -> tuple[Player, ...]:
        """For which of some silent parties it votes.

        Whoever of two votes can no longer claim the game. So they follow a third that asks to come back: its vote says
        that it is there, and has waited as well.
        """
        graph = self._graph
        if graph.is_of_two and not grants:
            return ()
        if graph.is_of_two and self._party in graph.view.present:
            silent &= frozenset().union(*map(self._named, graph.requests))
        return tuple(sorted(silent))

    def _named(self, party: Player) -> set[Player]:
        """The parties for which a party's votes in this change have said that it has waited."""
        cast = (votes.get(party) for votes in self._graph.changes.votes.get(self.change, {}).values())
        return {other for vote in cast if vote is not None for other in vote.waits}

    def _vote_in(self, round: int, waits: tuple[Player, ...], of: int) -> DueMessage:
        """A vote in a round, with the votes of a round with which it begins."""
        graph = self._graph
        votes = tuple(graph.changes.cast(self.change, of).values()) if round > 1 else ()
        side = side_of(graph, votes, graph.view) if votes else None
        if side is not None and graph.line.leads(graph.newest, side):
            side = None
        if side is not None:
            waits = tuple(sorted(graph.awaited(side, graph.replies(side), graph.view).intersection(waits)))
        requests = () if self.change.without else tuple(graph.requests.values())
        # Another may merge the request of a forker: with the proof it counts for nothing.
        asking = {*graph.changes.requests.get(graph.view.id, ())} - {*graph.view.present}
        forks = *self._forks(), *self._proofs(asking)
        return DueMessage("vote", round, waits, votes, requests, forks, side=side)

    def _forks(self) -> tuple[ObjectId, ...]:
        """What proves the forks of those who are present."""
        return () if self._graph.is_of_two else self._proofs(self._graph.view.present)

    def _proofs(self, parties: Collection[Player]) -> tuple[ObjectId, ...]:
        """What proves that some of these parties, not the own one, have forked."""
        forkers = self._graph.forkers
        proven = [party for party in sorted(parties) if party in forkers and party != self._party]
        return tuple(commit for party in proven for commit in forkers[party])
