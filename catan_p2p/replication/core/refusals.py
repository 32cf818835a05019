"""Refuses what others hold: who is charged, what proves it, and how long it stays refused."""

from __future__ import annotations

from contextlib import suppress

from catan_p2p.limits import MAX_HIDDEN_COMMIT_BYTES
from catan_p2p.log.dictionaries import RecentItems
from catan_p2p.log.evidence import RefusedCommit
from catan_p2p.log.storage.objects import ObjectDamaged, ObjectId, ObjectMissing
from catan_p2p.log.verdict import FOR_GOOD, MAY_MEND, CommitRejected, Reason
from catan_p2p.replication.core.effects import DisownRef, KeepEvidence
from catan_p2p.replication.core.replica_state import ReplicaState
from catan_p2p.replication.core.source import PLACE, FetchSession

_LOOKS_BEFORE_REFUSAL = 4
"""A damaged commit is listed as a refusal only if it is still damaged after this many looks."""
PROVEN: tuple[Reason, ...] = ("parents", "fork", "late", "guard", "chance", "seal", "tree", "votes", "chain", "promise")
"""Refusals of commits with a valid author: in a signed game they are the author's fault."""


class SourceLeft(Exception):
    """A source is left alone for a while; ``is_waiting`` if something that it names has only not arrived yet."""

    def __init__(self, why: str, *, is_waiting: bool = False) -> None:
        super().__init__(why)
        self.is_waiting = is_waiting


class RefusalLog:
    """What one peer has refused."""

    def __init__(self, held: ReplicaState) -> None:
        self._held = held
        self.count = 0
        """How many commits were refused that somebody is to blame for."""
        self.for_good: dict[ObjectId, CommitRejected] = RecentItems()
        """Commits that no look will ever find valid, like all that continue them, whoever shows them."""

    def note(self, head: ObjectId, bad: CommitRejected, *, is_judged: bool) -> None:
        """Remember a permanent refusal, also for the head, so that its history need not be read again."""
        if bad.commit in self.for_good or (is_judged and bad.reason in FOR_GOOD):
            self.for_good[bad.commit] = self.for_good[head] = bad

    def refuse(self, visit: FetchSession, bad: CommitRejected) -> None:
        """Refuse a commit; raises ``SourceLeft`` if the refusal may end with the next look.

        What is missing is not refused: its author has written it before the ref that leads there, and it may still
        come.
        """
        if bad.reason == "missing":
            raise SourceLeft(f"{bad.commit[:10]} is missing there so far; waiting for it", is_waiting=True)
        held, source = self._held, visit.source
        if bad.reason in MAY_MEND:
            if self._is_lasting(visit, bad) and bad.commit not in held.rejected:
                held.rejected[bad.commit] = bad
                self.count += 1
                self._keep_evidence(visit, RefusedCommit(source.place, source.place, visit.ref, bad))
            raise SourceLeft(str(bad))
        held.rejected[bad.commit] = bad
        if bad.reason != "overtaken":
            if bad.reason != "excused":
                self.count += 1
                self._keep_evidence(visit, self._charge(visit, bad))
            source.rejected[visit.ref] = bad
        source.seen[visit.ref] = visit.head

    def disown(self, visit: FetchSession, bad: CommitRejected) -> None:
        """Tell the relay what is refused at this player's refs there."""
        if visit.source.place == PLACE and self._is_lasting(visit, bad):
            is_rival = bad.reason in PROVEN
            self._held.effects.append(DisownRef(visit.source.colour, visit.head, is_rival, str(bad)))

    def _keep_evidence(self, visit: FetchSession, refusal: RefusedCommit) -> None:
        bad, found = refusal.rejected, []
        for oid, read in ((bad.commit, visit.read), (bad.other, self._held.read)):
            with suppress(ObjectMissing, ObjectDamaged):
                if oid is not None and len((of := read(oid))[1]) <= MAX_HIDDEN_COMMIT_BYTES:
                    found.append((oid, *of))
        self._held.effects.append(KeepEvidence(refusal, tuple(found)))

    def _is_lasting(self, visit: FetchSession, bad: CommitRejected) -> bool:
        """Whether a refusal will not end with the next look."""
        return bad.reason not in MAY_MEND or visit.failures >= _LOOKS_BEFORE_REFUSAL

    def _charge(self, visit: FetchSession, bad: CommitRejected) -> RefusedCommit:
        """Decide who is charged with a refused commit: its author, if it is proven theirs or contradicts another one.

        Without signatures, a contradiction in somebody else's repository is the fault of one of the two, and nobody can
        tell which: one may have invented it, or the other may have shown people different things.
        """
        held, source = self._held, visit.source
        player = None
        if _is_other_side(bad) or (held.is_signed and bad.reason in PROVEN):
            with suppress(ObjectMissing):
                player = held.author(visit.read(bad.commit)[1])
        if player is None:
            return RefusedCommit(source.place, source.place, visit.ref, bad)
        is_certain = held.is_signed or player == source.player
        return RefusedCommit(held.game.seats[player - 1].colour, source.place, visit.ref, bad, is_certain)


def _is_other_side(bad: CommitRejected) -> bool:
    """Whether a refused commit stands where another one of its author is held: on the line, or merged into it."""
    return bad.reason == "fork" or (bad.reason == "late" and bad.other is not None)
