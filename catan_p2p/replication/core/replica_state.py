"""What a peer holds, as all parts of the core see it: the ledger, the refs, and pending effects on them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from catan_p2p.game.constants import Player
from catan_p2p.game.invariants import InvariantBroken
from catan_p2p.game.state import State
from catan_p2p.limits import MAX_COPIES
from catan_p2p.log.commit import LogEntry, decode_commit, parse_entry
from catan_p2p.log.dictionaries import RecentItems
from catan_p2p.log.game import FormatError
from catan_p2p.log.graph import CommitGraph
from catan_p2p.log.reading import Read
from catan_p2p.log.refs import (
    HEADS,
    REMOTES,
    Branch,
    CommitCopy,
    ReplyBranch,
    copy_at,
    copy_ref,
    local_ref,
    reply_branch_at,
)
from catan_p2p.log.storage.objects import ObjectId, ObjectKind
from catan_p2p.log.tree import Objects, collector
from catan_p2p.log.verdict import CommitRejected, LoggedStep
from catan_p2p.log.views.messages import ViewMessage
from catan_p2p.replication.core.effects import Effect, ForgetRef, KeepObjects, RecordRef, ReportCommit, ShowRefs

if TYPE_CHECKING:
    from catan_p2p.replication.core.source import BranchSource


class ReplicaState:
    """What one player holds. ``refs`` are those of the own repository after all ``effects``."""

    def __init__(self, graph: CommitGraph, player: Player, kept: Read, sources: Iterable[BranchSource]) -> None:
        self.graph = graph
        self.game = graph.game
        self.player = player
        self.sources = {source.colour: source for source in sources}
        self.refs: dict[str, ObjectId] = {}
        self.rejected: dict[ObjectId, CommitRejected] = RecentItems()
        self.effects: list[Effect] = []
        self.is_signed = all(seat.key is not None for seat in graph.game.seats)
        self.colour = self.game.seats[player - 1].colour
        self.log = local_ref(self.game.branch(player))
        self._kept = kept
        self._lingers_at: ObjectId | None = None
        self._unkept: dict[ObjectId, tuple[ObjectKind, bytes]] = {}

    def read(self, oid: ObjectId) -> tuple[ObjectKind, bytes]:
        """Return kind and bytes of an object that is kept, or about to be; raises ``ObjectMissing``."""
        return self._unkept.get(oid) or self._kept(oid)

    def is_far(self, player: Player) -> bool:
        """Whether a player is heard only through others."""
        return all(source.player != player for source in self.sources.values())

    # Effects

    def taken(self) -> list[Effect]:
        """Return the effects so far, which the shell will carry out."""
        effects, self.effects = self.effects, []
        if self._unkept:
            self._unkept.clear()
        return effects

    def keep(self, commit: ObjectId, objects: Objects) -> None:
        """Keep the objects of a commit, which come before the commit itself."""
        self._unkept[commit] = objects[-1]
        self.effects.append(KeepObjects(tuple(objects)))

    def record(self, ref: str, new: ObjectId) -> None:
        """Move a ref, if it is not there."""
        old = self.refs.get(ref)
        if old != new:
            self.refs[ref] = new
            self.effects.append(RecordRef(ref, old, new))

    def forget(self, ref: str) -> None:
        """Delete a ref."""
        self.effects.append(ForgetRef(ref, self.refs.pop(ref)))

    def show(self) -> None:
        """Show what is recorded."""
        self.effects.append(ShowRefs())

    def show_tidied(self) -> None:
        """Show what is recorded, without what is over."""
        self.tidy()
        self.show()

    def end(self) -> None:
        """Move the own log to the newest commit of the line, if that continues it, and show it.

        With views the log may end with what no commit of the line merges, such as a vote.
        """
        log = self.refs.get(self.log)
        if not self.graph.game.has_views or log is None or self.graph.valid.leads(self.graph.head, log):
            self.record(self.log, self.graph.head)
        self.show()

    def tell(self, step: LoggedStep, before: State) -> None:
        """Report an accepted commit to people."""
        self.effects.append(ReportCommit(step, before))

    # Judging

    def judge(self, commit: ObjectId, data: bytes, made: Objects | None = None) -> LoggedStep | CommitRejected:
        """Judge a commit by the graph; ``made`` receives its new objects, the commit last."""
        try:
            if made is None:
                return self.graph.check(commit, data)
            step = self.graph.check(commit, data, collector(made))
        except InvariantBroken as error:
            return CommitRejected("guard", commit, f"the action breaks the invariant {error.name}", (error.name,))
        made.append(("commit", data))
        return step

    def add(self, step: LoggedStep) -> None:
        """Add a commit that was judged; with what is signed about a change, more that forkers show may be needed."""
        self.graph.add(step)
        if isinstance(step.action, ViewMessage) and self.graph.valid.forkers:
            for source in self.sources.values():
                for ref, head in [*source.seen.items()]:
                    if head not in self.graph and ref not in source.rejected:
                        source.look_again(ref)

    def entry(self, data: bytes) -> LogEntry | None:
        """Parse the message of a commit, None if it is malformed."""
        try:
            return parse_entry(decode_commit(data).message, self.game.constants)
        except FormatError:
            return None

    def author(self, data: bytes) -> Player | None:
        """The player whom a commit names, None if it is malformed."""
        entry = self.entry(data)
        return None if entry is None else entry.action.player

    # Branches

    def own_replies(self) -> dict[str, ObjectId]:
        """The own temporary branches that still exist, by ref."""
        refs, colour = self.refs, self.colour
        return {ref: refs[ref] for ref, branch in self._replies() if branch.colour == colour and ref.startswith(HEADS)}

    def tracked(self) -> dict[str, ReplyBranch]:
        """Others' temporary branches that are kept, by ref."""
        return {ref: branch for ref, branch in self._replies() if ref.startswith(REMOTES)}

    def _replies(self) -> list[tuple[str, ReplyBranch]]:
        return [(ref, branch) for ref in self.refs if ref != self.log and (branch := reply_branch_at(ref)) is not None]

    def branch_of(self, step: LoggedStep) -> Branch | None:
        """The temporary branch that a commit belongs on, None if it is in the line or merged."""
        player = step.action.player
        if self.game.has_views:
            return self.game.branch(player)
        known = self.graph.replies.get(player)
        if known is None or known.commit != step.commit:
            return None
        return self.game.branch_for(self.graph.head, step.action)

    def continues(self, step: LoggedStep) -> bool:
        """Whether an own commit that has come back continues the own log; with views another one is a fork of it."""
        graph, log = self.graph, self.refs.get(self.log)
        return not graph.game.has_views or log is None or graph.valid.chains.leads(step.commit, log)

    @property
    def is_lingering(self) -> bool:
        """Whether others have been waited for a long time since the newest commit."""
        return self._lingers_at == self.graph.head

    def linger(self) -> None:
        """Make own refs lead to everything new, so that nobody is left out who could not hear of it, and show them."""
        self._lingers_at = self.graph.head
        self.show_copies()
        self.show()

    def show_copies(self) -> None:
        """Make own refs lead to what others may need and the own log does not lead to.

        Its player may have shown it only to some; a relay has no copies but these.
        """
        shown = {copy_ref(CommitCopy(commit, self.colour, self.game.number)): commit for commit in self._to_copy()}
        for ref in [ref for ref in self.refs if copy_at(ref) is not None and ref not in shown]:
            self.forget(ref)
        for ref, commit in shown.items():
            self.record(ref, commit)

    def _to_copy(self) -> list[ObjectId]:
        """With views, the proofs of forks, what forkers have accepted of the newest decision, who may show it to nobody
        else, and, after a long wait, the newest commits of others; a limited number.
        """
        graph, log = self.graph, self.refs.get(self.log)
        if not graph.game.has_views:
            return []
        valid = graph.valid
        proofs = [commit for proof in valid.forkers.values() for commit in proof]
        decision = valid.changes.decision_of(valid.view) if proofs else None
        accepted = [
            one
            for one in (() if decision is None else decision.acceptances)
            if valid.party_of[valid.nodes[one].link.player] in valid.forkers
        ]
        ends = valid.chain_ends.values() if self.is_lingering else ()
        shown = dict.fromkeys((*proofs, *accepted, *ends))
        lacking = [one for one in shown if log is None or not valid.leads(log, one)]
        return lacking[:MAX_COPIES]

    def tidy(self) -> None:
        """Remove own temporary branches whose commits are merged, or were too late; show what others need."""
        self.show_copies()
        graph = self.graph
        outstanding = graph.replies.get(self.player)
        for ref, commit in self.own_replies().items():
            known = commit in graph and (outstanding is None or commit != outstanding.commit)
            if known or (commit in self.rejected and self.rejected[commit].reason == "overtaken"):
                self.forget(ref)

    def tidy_all(self) -> None:
        """Also remove others' temporary branches that are merged."""
        self.tidy()
        graph = self.graph
        for ref, branch in self.tracked().items():
            if branch.base != graph.head or (graph.state.is_over and branch.kind != "opening"):
                self.forget(ref)
