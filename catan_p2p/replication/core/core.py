"""The core of a peer: ``step`` takes an event and returns the effects for a shell, in order; nothing else changes it.

It reads no clock, draws nothing, and has no store; objects that it had kept it looks up by id (``kept``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from catan_p2p.game.constants import Player
from catan_p2p.log.graph import CommitGraph
from catan_p2p.log.reading import Read
from catan_p2p.log.refs import branch_at, copy_at
from catan_p2p.log.storage.objects import ObjectDamaged
from catan_p2p.log.verdict import MAY_MEND
from catan_p2p.replication.core import events
from catan_p2p.replication.core.commit_author import CommitAuthor
from catan_p2p.replication.core.commit_intake import CommitIntake
from catan_p2p.replication.core.effects import Effect
from catan_p2p.replication.core.looking import SourceLooks
from catan_p2p.replication.core.replica_state import ReplicaState

if TYPE_CHECKING:
    from catan_p2p.replication.core.source import BranchSource


class ReplicaCore:
    """One player's replica of a game, without I/O.

    ``kept`` reads the own repository, ``sources`` are the places to look for others. Its parts answer what they know
    and what they would do; only ``step`` changes anything.
    """

    def __init__(self, graph: CommitGraph, player: Player, kept: Read, sources: Iterable[BranchSource] = ()) -> None:
        self.held = ReplicaState(graph, player, kept, sources)
        self.author = CommitAuthor(self.held)
        self.intake = CommitIntake(self.held)
        self._takes: Mapping[type[events.Event], Callable[[Any], None]] = {
            events.ProcessRestarted: self._restart,
            events.HeadHeard: self.intake.hear,
            events.LooksEnded: lambda _: self.held.tidy_all(),
            events.ActionDecided: self.author.decide,
            events.MessageDue: self.author.sign,
            events.DecisionStored: lambda _: self.author.store(),
            events.PlayerPassed: lambda _: self.held.show_tidied(),
            events.LingerEnded: lambda _: self.held.linger(),
            events.LogEnded: lambda _: self.held.end(),
        }

    @cached_property
    def looking(self) -> SourceLooks:
        """Where to look for what is new; not needed by players who share one repository."""
        return SourceLooks(self.held)

    def step(self, event: events.Event) -> list[Effect]:
        """Return the effects of an event.

        Raises ``ObjectDamaged`` at a restart if the own log is unreadable, ``UnacceptableCommit`` if the others would
        refuse the player's decision.
        """
        try:
            self._takes[type(event)](event)
        except BaseException:
            # Effects of a failed step must not be carried out with the next one.
            self.held.taken()
            raise
        return self.held.taken()

    def _restart(self, event: events.ProcessRestarted) -> None:
        held = self.held
        held.refs = dict(event.refs)
        for ref, head in event.refs.items():
            # With views, copies of what proves a fork may be the only refs that lead to it.
            is_kept = branch_at(ref) is not None or (held.game.has_views and copy_at(ref) is not None)
            problem = self.intake.recall(head) if is_kept else None
            if problem is not None and problem.reason in MAY_MEND:
                raise ObjectDamaged(f"{ref}: {problem.detail}")
        own = held.refs.get(held.log)
        if own is not None and own not in held.graph:
            raise ObjectDamaged(f"the own log at {own[:10]} is not one that this player could write")
        if held.graph.game.has_views:
            held.graph.lead_from(held.player)
