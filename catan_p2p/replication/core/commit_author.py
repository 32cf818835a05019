"""Writes the player's commits: each is judged as the others will judge it, and has happened once it is recorded."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from catan_p2p.log.refs import local_ref
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.tree import Objects, collector
from catan_p2p.log.verdict import CommitRejected, LoggedStep
from catan_p2p.replication.core.effects import KeepObjects, RecordRef
from catan_p2p.replication.core.events import ActionDecided, MessageDue
from catan_p2p.replication.core.replica_state import ReplicaState


class GaveUp(Exception):
    """A peer cannot go on, as the message says.

    Every choice broke an invariant, or a commit that it reads does; or its chain of shares has no more of them.
    """


class UnacceptableCommit(GaveUp):
    """An own commit that the others would refuse: a bug in this program. It was shown to nobody."""


class _UnrecordedCommit(NamedTuple):
    """A commit that is not recorded yet, and the ref that it is for."""

    step: LoggedStep
    ref: str


Judge: TypeAlias = Callable[[ObjectId, bytes], LoggedStep | CommitRejected]


class CommitAuthor:
    """Writes the commits of one player."""

    def __init__(self, held: ReplicaState) -> None:
        self._held = held
        self._written: _UnrecordedCommit | None = None
        self.judge: Judge | None = None
        """Judges what is written before it is recorded: another reader's graph; None for the own one."""

    @property
    def written(self) -> LoggedStep | None:
        """The commit to be recorded."""
        return None if self._written is None else self._written.step

    def decide(self, event: ActionDecided) -> None:
        """Write an action."""
        held, action, objects = self._held, event.action, Objects()
        step = held.graph.write(
            action,
            event.after,
            event.time_s,
            collector(objects),
            event.share,
            nonce=event.nonce,
            told=event.told,
            ahead=event.ahead,
        )
        self._write(step, local_ref(held.game.branch_for(held.graph.head, action)), objects)

    def sign(self, event: MessageDue) -> None:
        """Write a vote, a proposal or an acceptance."""
        graph, objects = self._held.graph, Objects()
        assert graph.game.has_views
        step = graph.sign(self._held.player, event.due, event.time_s, collector(objects))
        self._write(step, self._held.log, objects)

    def _write(self, step: LoggedStep, ref: str, objects: Objects) -> None:
        held = self._held
        # A mistake of ours must stop this peer, before the others can hold it against the player.
        verdict = (self.judge or held.graph.check)(step.commit, objects[-1][1])
        if isinstance(verdict, CommitRejected):
            raise UnacceptableCommit(f"this player's own {type(step.action).__name__} is not acceptable: {verdict}")
        held.effects += (KeepObjects(tuple(objects)), RecordRef(ref, held.refs.get(ref), step.commit))
        self._written = _UnrecordedCommit(step, ref)

    def store(self) -> None:
        """Take in the written commit: it is recorded now."""
        assert self._written is not None
        (step, ref), self._written = self._written, None
        self._held.refs[ref] = step.commit
        self._held.add(step)
