"""Refusing what others hold: whose doing it is, what proves that, and how long it is refused."""

from __future__ import annotations

from contextlib import suppress

from catan_p2p.limits import MAX_HIDDEN_COMMIT_BYTES
from catan_p2p.log.evidence import RefusedCommit
from catan_p2p.log.recent import RecentItems
from catan_p2p.log.storage.objects import ObjectDamaged, ObjectId, ObjectMissing
from catan_p2p.log.verdict import FOR_GOOD, CommitRejected, Reason
from catan_p2p.replication.core.effects import DisownRef, KeepEvidence
from catan_p2p.replication.core.events import LieProven
from catan_p2p.replication.core.fork_settlement import ForkSettlement
from catan_p2p.replication.core.replica_state import ReplicaState
from catan_p2p.replication.core.source import MAY_MEND, PLACE, FetchSession

_LOOKS_BEFORE_REFUSAL = 4
"""A commit that is missing is put on the list of refusals only if it is still missing after so many looks."""
PROVEN: tuple[Reason, ...] = ("parents", "fork", "late", "guard", "chance", "seal", "tree", "vote", "votes", "proof")
"""Refusals of commits whose author was found right: in a signed game they are the author's own doing."""


class SourceLeft(Exception):
    """A source is left alone."""


class RefusalLog:
    """What one peer has refused."""

    def __init__(self, held: ReplicaState, settler: ForkSettlement) -> None:
        self._held = held
        self._settler = settler
        self.count = 0
        """How many commits were refused that somebody is to blame for."""
        self.for_good: dict[ObjectId, CommitRejected] = RecentItems()
        """Commits that no look will ever find valid, nor what continues them, whoever shows them."""

    def note(self, head: ObjectId, bad: CommitRejected, *, is_judged: bool) -> None:
        """Remember a refusal that is for good, also of the head: later it need not be read down to where it began."""
        if bad.commit in self.for_good or (is_judged and bad.reason in FOR_GOOD):
            self.for_good[bad.commit] = self.for_good[head] = bad

    def refuse(self, visit: FetchSession, bad: CommitRejected) -> None:
        """Refuse a commit; raises ``SourceLeft`` where the refusal may be over at the next look."""
        held, source = self._held, visit.source
        held.rejected[bad.commit] = bad
        if bad.reason != "overtaken":
            self.count += 1
            if bad.reason in MAY_MEND:
                if self._is_lasting(visit, bad):
                    self._keep_evidence(visit, RefusedCommit(source.place, source.place, visit.ref, bad))
                raise SourceLeft(str(bad))
            if bad.reason != "excused":
                self._keep_evidence(visit, self._charge(visit, bad))
            if bad.other is not None:
                with suppress(ObjectMissing, ObjectDamaged):
                    rival = visit.read(bad.commit)[1]
                    is_apart = held.author(rival) != source.player
                    self._settler.learn(LieProven(rival, held.read(bad.other)[1], is_apart))
            source.rejected[visit.ref] = bad
        source.seen[visit.ref] = visit.head

    def disown(self, visit: FetchSession, bad: CommitRejected) -> None:
        """Tell the relay of what is refused in this player's place there."""
        if visit.source.place == PLACE and self._is_lasting(visit, bad):
            is_rival = bad.reason in PROVEN and not self._held.graph.settling.is_dropped(bad)
            self._held.effects.append(DisownRef(visit.source.colour, visit.head, is_rival, str(bad)))

    def _keep_evidence(self, visit: FetchSession, refusal: RefusedCommit) -> None:
        bad, found = refusal.rejected, []
        for oid, read in ((bad.commit, visit.read), (bad.other, self._held.read)):
            with suppress(ObjectMissing, ObjectDamaged):
                if oid is not None and len((of := read(oid))[1]) <= MAX_HIDDEN_COMMIT_BYTES:
                    found.append((oid, *of))
        self._held.effects.append(KeepEvidence(refusal, tuple(found)))

    def _is_lasting(self, visit: FetchSession, bad: CommitRejected) -> bool:
        """Whether a refusal will not be over at the next look."""
        return bad.reason not in MAY_MEND or visit.failures >= _LOOKS_BEFORE_REFUSAL

    def _charge(self, visit: FetchSession, bad: CommitRejected) -> RefusedCommit:
        """Whose doing a refused commit is: its author's, if that is proven or another commit contradicts it.

        Without signatures, a contradiction in somebody else's repository is the doing of one of the two, nobody can
        tell whose: the one may have made it up, or the other may have told people different things.
        """
        held, source = self._held, visit.source
        player = None
        if is_other_side(bad) or bad.reason == "vote" or (held.is_signed and bad.reason in PROVEN):
            with suppress(ObjectMissing):
                player = held.author(visit.read(bad.commit)[1])
        if player is None:
            return RefusedCommit(source.place, source.place, visit.ref, bad)
        is_certain = held.is_signed or player == source.player
        return RefusedCommit(held.game.seats[player - 1].colour, source.place, visit.ref, bad, is_certain)


def is_other_side(bad: CommitRejected) -> bool:
    """Whether a refused commit stands where another of its author's is held: on the line, or merged into it."""
    return bad.reason == "fork" or (bad.reason == "late" and bad.other is not None)
