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
from catan_p2p.log.graph import CommitGraph
from catan_p2p.replication.core.voter import has_room, own_vote, silent_others
from catan_p2p.replication.turn_clock import TurnClock


class LeaveProspect(NamedTuple):
    """Whether one player can go on without another who is awaited."""

    absent: Player
    left_s: float
    """How long until the table's patience ends, if nothing comes; 0 from then on."""
    said: str | None = None
    """The player's vote so far."""
    has_room: bool = True
    """Whether the player may have one more unmerged vote."""
    is_claim: bool = False
    """Whether only two are left: then nobody votes, and the waiting player can claim the game."""

    @property
    def is_possible(self) -> bool:
        """Whether the vote, or the claim, is possible now."""
        return self.left_s <= 0 and self.said is None and self.has_room

    def in_words(self, names: Sequence[str]) -> str:
        """The same in a sentence; ``names`` are the players' names."""
        name, what = names[self.absent - 1], "claim the game" if self.is_claim else "vote to go on"
        if self.said is not None:
            return f"you have said {self.said} to going on without {name}"
        if not self.has_room:
            return f"too many of your votes are open: you cannot vote on {name} now"
        when = f"in {durations.left(self.left_s)}, if nothing comes from {name}" if self.left_s > 0 else "now"
        return f"you can {what} without {name} {when}"


def prospects(graph: CommitGraph, player: Player, clock: TurnClock) -> tuple[LeaveProspect, ...]:
    """What a player can do about each awaited player, in the order of seats; ``clock`` has seen the graph.

    Nobody can be voted on, and no game claimed, before the table's patience is over. It only counts time in which this
    machine ran and a connected program heard nothing new, or learned afterwards that nothing had been new.
    """
    state = graph.state
    if not state.constants.rules.leaving or state.tp == "top" or state.away[player - 1]:
        return ()
    return tuple(_prospects(graph, player, clock))


def _prospects(graph: CommitGraph, player: Player, clock: TurnClock) -> Iterator[LeaveProspect]:
    state = graph.state
    patience_s = state.constants.rules.patience
    if len(state.present) == 2:
        for other in state.present:
            if other != player and is_awaited(state, other) and not broken_guards(state, Claim(player, other)):
                yield LeaveProspect(other, clock.left_s(other, patience_s), is_claim=True)
        return
    for absent in silent_others(graph, player):
        left_s = clock.left_s(absent, patience_s)
        yield LeaveProspect(absent, left_s, own_vote(graph, player, absent), has_room(graph, player))
