"""Whether a player can vote on going on without another, or claim the game: the one place that decides it.

A running peer asks with its own clock, ``status`` with the clock that the peer has kept, so the button of a window,
``vote``, ``status`` and every message agree.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from catan_p2p import durations
from catan_p2p.game.actions import Claim
from catan_p2p.game.actions.absence import is_awaited
from catan_p2p.game.constants import Player
from catan_p2p.game.rules import broken_guards
from catan_p2p.game.state import State
from catan_p2p.log.graph import CommitGraph
from catan_p2p.log.valid_commits import ValidCommits
from catan_p2p.log.views.deciding import next_change
from catan_p2p.log.views.view import Change
from catan_p2p.replication.turn_clock import TurnClock
from catan_p2p.sentences import listed

LEFT_OUT = "the others have gone on without you; you can watch"
"""What a player who was left out is told."""


class OpenVote(NamedTuple):
    """A change of the view that is open, or could be: parties are named by their first seats."""

    change: Change
    awaited: tuple[Player, ...]
    """Who is awaited."""
    voted: tuple[Player, ...]
    """Who has voted in it."""
    named: tuple[Player, ...] = ()
    """Without whom somebody has voted to go on."""
    is_of_two: bool = False
    """Whether only two parties are present, of which neither can leave the other out."""

    @property
    def missing(self) -> tuple[Player, ...]:
        """Who counts, and has not voted."""
        return tuple(party for party in self.change.members if party not in self.voted)

    @property
    def needed(self) -> int:
        """How many must vote: more than half of those who count."""
        return len(self.change.members) // 2 + 1

    def may_pass_without(self, party: Player) -> bool:
        """Whether all who are not awaited are enough, with this party's vote not counted."""
        silent = {party, *self.awaited} - {*self.voted}
        return not self.is_of_two and len(self.change.members) - len(silent) >= self.needed


def open_vote(valid: ValidCommits) -> OpenVote:
    """The change that comes next, as far as it is known here."""
    change = next_change(valid)
    votes = [vote for said in valid.changes.votes.get(change, {}).values() for vote in said.values()]
    voted = {vote.link.player for vote in votes}
    awaited = valid.awaited(valid.newest, valid.replies(), valid.view)
    named = {party for vote in votes for party in vote.waits}
    is_of_two = len(valid.view.present) <= 2
    return OpenVote(change, tuple(sorted(awaited)), tuple(sorted(voted)), tuple(sorted(named)), is_of_two)


class LeaveProspect(NamedTuple):
    """Whether one player can go on without another who is awaited."""

    absent: Player
    left_s: float
    """How long until the table's patience ends, if nothing comes; 0 from then on."""
    said: str | None = None
    """The player's vote so far."""
    is_claim: bool = False
    """Whether only two are left: then nobody votes, and the waiting player can claim the game."""
    open: OpenVote | None = None
    """The change in which the player can vote; None where they can claim."""

    @property
    def is_possible(self) -> bool:
        """Whether the vote, or the claim, is possible now."""
        may_pass = self.open is None or self.open.may_pass_without(self.absent)
        return self.left_s <= 0 and self.said is None and may_pass

    def in_words(self, names: Sequence[str]) -> str:
        """The same in a sentence; ``names`` are the players' names."""
        if self.open is not None:
            return self._in_view(self.open, names)
        name = names[self.absent - 1]
        when = f"in {durations.left(self.left_s)}, if nothing comes from {name}" if self.left_s > 0 else "now"
        return f"you can claim the game without {name} {when}"

    def _in_view(self, open: OpenVote, names: Sequence[str]) -> str:
        name, of = names[self.absent - 1], f"{open.needed} of {len(open.change.members)}"
        if open.is_of_two:
            return f"nobody can go on without {name}: of two who have a vote, neither can leave the other out"
        if not open.may_pass_without(self.absent):
            silent = [names[party - 1] for party in open.awaited if party not in open.voted]
            return f"nobody can go on without {listed(silent)}: {of} must vote"
        if self.said is not None:
            lacking = open.needed - len(open.voted)
            missing = listed([names[party - 1] for party in open.missing if party != self.absent])
            more = f": {lacking} more must vote, not voted yet: {missing}" if lacking > 0 else ""
            return f"you have voted to go on without {name}{more}"
        when = f"in {durations.left(self.left_s)}, if nothing comes from {name}" if self.left_s > 0 else "now"
        voted = f"; voted: {listed([names[party - 1] for party in open.voted])}" if open.voted else ""
        return f"you can vote to go on without {name} {when} ({of} must vote{voted})"


def prospects(graph: CommitGraph, player: Player, clock: TurnClock) -> tuple[LeaveProspect, ...]:
    """What a player can do about each awaited player, in the order of seats; ``clock`` has seen the graph.

    Nobody can be voted on, and no game claimed, before the table's patience is over. It only counts time in which this
    machine ran and a connected program heard nothing new, or learned afterwards that nothing had been new.
    """
    state = graph.state
    if not state.constants.rules.leaving or state.tp == "top" or state.away[player - 1]:
        return ()
    if graph.game.has_views and len(state.present) > 2:
        return tuple(_in_views(graph, player, clock))
    return tuple(_claims(state, player, clock))


def _in_views(graph: CommitGraph, player: Player, clock: TurnClock) -> Iterator[LeaveProspect]:
    valid, patience_s = graph.valid, graph.state.constants.rules.patience
    open, waited = open_vote(valid), dict[Player, float]()
    for seat in graph.awaited:
        party, left_s = valid.party_of[seat], clock.left_s(seat, patience_s)
        waited[party] = min(left_s, waited.get(party, left_s))
    # A party's first seat votes for it.
    if player not in open.change.members:
        return
    has_voted = player in open.voted
    own = [vote for said in valid.changes.votes.get(open.change, {}).values() if (vote := said.get(player))]
    named = {party for vote in own for party in vote.waits}
    for party in open.awaited:
        if party != player:
            said = "yes" if has_voted and party in named else None
            yield LeaveProspect(party, waited.get(party, float(patience_s)), said, open=open)


def _claims(state: State, player: Player, clock: TurnClock) -> Iterator[LeaveProspect]:
    patience_s = state.constants.rules.patience
    for other in state.present:
        if other != player and is_awaited(state, other) and not broken_guards(state, Claim(player, other)):
            yield LeaveProspect(other, clock.left_s(other, patience_s), is_claim=True)
