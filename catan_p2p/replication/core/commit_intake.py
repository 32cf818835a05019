"""What a peer accepts of what others hold.

``refs/heads/`` holds only this player's own branches. What was seen of others, and validated, is below
``refs/remotes/<Colour>/``; refused commits are kept apart, see ``log.evidence``. Only commits are taken from others:
this peer makes every file of a valid commit itself.
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from functools import cached_property

from catan_p2p.game.constants import Player
from catan_p2p.limits import MAX_LINKED, MAX_UNLINKED
from catan_p2p.log.reading import Commits, Read, new_commits
from catan_p2p.log.refs import REMOTES, Branch, ReplyBranch, branch_at, branch_name, copy_at, local_ref, remote_ref
from catan_p2p.log.storage.objects import ObjectDamaged, ObjectId, ObjectKind, ObjectMissing, parents_of
from catan_p2p.log.tree import Objects
from catan_p2p.log.verdict import CommitRejected, LoggedStep
from catan_p2p.replication.core.effects import LeaveSource
from catan_p2p.replication.core.events import CommitsBrought, HeadHeard
from catan_p2p.replication.core.refusals import RefusalLog, SourceLeft
from catan_p2p.replication.core.replica_state import ReplicaState
from catan_p2p.replication.core.source import FetchSession
from catan_p2p.replication.core.unlinked_forks import may_decide, needed_for

_UNLINKED = "its player has forked, and nobody else builds on it"


class MissingCommit(Exception):
    """A commit that cannot be judged yet: in an unsigned game, on a branch of somebody other than its author."""


class CommitIntake:
    """Judges what others' repositories hold, accepts what is valid, and has proofs of faults kept."""

    def __init__(self, held: ReplicaState) -> None:
        self._held = held
        self._linked = Counter[Player]()
        """By party that has not forked, how many commits were judged for the sake of theirs, forkers' and these."""

    @cached_property
    def refusals(self) -> RefusalLog:
        """What was refused."""
        return RefusalLog(self._held)

    def hear(self, event: HeadHeard) -> None:
        """Accept or refuse a head at a source."""
        held = self._held
        if event.source is None:
            refused = self._extend(event.head, event.brought.commits, None)
            if refused is not None:
                held.rejected[event.head] = refused
            return

        source, read = held.sources[event.source], self._here_or(event.brought)
        branch = branch_at(event.ref) or self._branch_of_named(event.head, read) or held.game.branch(source.player)
        visit = FetchSession(source, event.ref, branch, event.head, read, event.failures, event.is_catching_up)
        try:
            if branch.colour == held.colour:
                self._take_back(visit, event.brought.commits)
            else:
                self._follow(visit, event.brought.commits)
        except SourceLeft as error:
            held.effects.append(LeaveSource(source.colour, str(error), error.is_waiting))

    def _branch_of_named(self, head: ObjectId, read: Read) -> Branch | None:
        """Return the branch that a copied commit belongs on; None if that is unknown."""
        with suppress(ObjectMissing, ObjectDamaged):
            data = read(head)[1]
            entry = self._held.entry(data)
            if entry is not None and (parents := [*parents_of(data)]):
                return self._held.game.branch_for(parents[0], entry.action)
        return None

    def recall(self, head: ObjectId) -> CommitRejected | None:
        """Take in what the own repository holds; return why something is refused."""
        return self._extend(head, new_commits(head, self._held.graph, self._held.read), None)

    def _here_or(self, brought: CommitsBrought) -> Read:
        """Return a reader of what was fetched, and of what is kept."""
        found: dict[ObjectId, tuple[ObjectKind, bytes]] = {}
        if not isinstance(brought.commits, CommitRejected):
            found = {commit: ("commit", data) for commit, data in brought.commits}
        elif brought.odd is not None:
            found[brought.commits.commit] = brought.odd

        def reading(oid: ObjectId) -> tuple[ObjectKind, bytes]:
            return found.get(oid) or self._held.read(oid)

        return reading

    # What others hold of their logs

    def _follow(self, visit: FetchSession, commits: Commits | CommitRejected) -> None:
        held, source, ref, head, branch = self._held, visit.source, visit.ref, visit.head, visit.branch
        tracking = remote_ref(source.colour, branch)
        if head in held.graph:
            self._know(visit, tracking)
            return
        refused = None
        try:
            refused = self._extend(head, commits, visit)
        except MissingCommit as error:
            if branch.colour == source.colour or visit.is_catching_up:
                source.withheld = str(error)
        self._track_steps(visit, tracking)
        if refused is not None:
            self.refusals.refuse(visit, refused)
            visit.accepted = []
        elif head in held.graph:
            source.seen[ref] = head
            source.rejected.pop(ref, None)

    def _know(self, visit: FetchSession, tracking: str) -> None:
        """Record that a source now has a head that is already held; an old one is not held against anybody.

        Logs only ever grow, but a disk may have gone back. Among copies of a distant log, older ones are no news.
        """
        held, source, ref, head, branch = self._held, visit.source, visit.ref, visit.head, visit.branch
        before = held.refs.get(tracking)
        source.seen[ref] = head
        if before is not None and before in held.graph:
            is_far = ref.startswith(REMOTES) and held.is_far(held.game.player_of(branch.colour) or 0)
            is_copy = is_far or copy_at(ref) is not None
            if is_copy and held.graph.height(head) <= held.graph.height(before):
                return
            if not isinstance(branch, ReplyBranch) and held.graph.height(head) < held.graph.height(before):
                why = f"{branch_name(branch)} goes back from {before[:10]}"
                source.rejected[ref] = CommitRejected("branch", head, why, other=before)
                return
        held.record(tracking, head)
        source.rejected.pop(ref, None)

    def _track_steps(self, visit: FetchSession, tracking: str) -> None:
        """Record what was accepted, under refs that lead to all of it."""
        held, colour = self._held, visit.source.colour
        if visit.accepted and visit.head in held.graph:
            held.record(tracking, visit.head)
            return
        branches = [(step, held.branch_of(step)) for step in visit.accepted]
        if any(branch is None for _, branch in branches):
            held.record(remote_ref(colour, held.game.branch(visit.source.player)), held.graph.head)
        for step, branch in branches:
            if branch is not None:
                held.record(remote_ref(colour, branch), step.commit)

    # What others hold of the own one

    def _take_back(self, visit: FetchSession, commits: Commits | CommitRejected) -> None:
        """Take in a copy of an own branch; it is withheld if more of others' logs must be known first."""
        held, source, refused = self._held, visit.source, None
        if visit.head not in held.graph:
            try:
                refused = self._extend(visit.head, commits, visit)
            except MissingCommit as error:
                source.withheld = str(error)
                return
            finally:
                # Also after a commit that is withheld: the ones before it are back.
                self._record_own(visit.accepted)
        if refused is not None:
            self.refusals.disown(visit, refused)
            self.refusals.refuse(visit, refused)
        source.seen[visit.ref] = visit.head

    def _record_own(self, accepted: list[LoggedStep]) -> None:
        """Move the own branches to commits that have come back."""
        held = self._held
        branches = [(step, held.branch_of(step)) for step in accepted]
        if any(branch is None for _, branch in branches):
            held.record(held.log, held.graph.head)
        for step, branch in branches:
            if branch is not None and step.action.player == held.player and held.continues(step):
                held.record(local_ref(branch), step.commit)
        if accepted:
            held.show()

    # Judging

    def _extend(
        self, head: ObjectId, commits: Commits | CommitRejected, visit: FetchSession | None
    ) -> CommitRejected | None:
        """Validate everything up to ``head`` and add it to the ledger; commits from a source are kept, too."""
        held = self._held
        if isinstance(commits, CommitRejected):
            self.refusals.note(head, commits, is_judged=False)
            return commits
        withheld: dict[ObjectId, str] = {}
        valid, left = held.graph.valid, dict[ObjectId, bytes]()
        for commit, data in commits:
            is_new = visit is not None and valid.has_views and commit not in valid
            is_forkers = is_new and valid.forkers and valid.party_of.get(held.author(data) or 0) in valid.forkers
            if visit is not None and (is_forkers or (left and not left.keys().isdisjoint(parents_of(data)))):
                left[commit] = data
                refused = None if is_forkers else self._take_linked(commit, left, visit)
                if refused is None or refused.reason == "overtaken":
                    continue
                self.refusals.note(head, refused, is_judged=True)
                return refused
            # What builds on a withheld commit cannot be judged before it.
            if withheld and not withheld.keys().isdisjoint(parents_of(data)):
                withheld[commit] = "it follows one that is withheld"
                continue
            made = None if visit is None else Objects()
            step = held.judge(commit, data, made)
            if isinstance(step, CommitRejected):
                self.refusals.note(head, step, is_judged=True)
                return step
            if visit is not None and not self._is_attested(step, visit):
                author = held.game.seats[step.action.player - 1].colour
                withheld[commit] = f"{commit[:10]} of {author} is only in {visit.source.colour}'s log so far"
                continue
            self._add(step, made, visit)
        if withheld:
            raise MissingCommit(next(iter(withheld.values())))
        for commit in [*left]:
            # If an acceptance is not taken, no other one leads to a head that is.
            if visit and commit in left and may_decide(valid, left[commit]):
                if self._take_linked(commit, left, visit) is not None:
                    break
        return CommitRejected("overtaken", next(iter(left)), _UNLINKED) if left else None

    def _add(self, step: LoggedStep, made: Objects | None, visit: FetchSession | None) -> None:
        if visit is not None and made is not None:
            self._held.keep(step.commit, made)
            visit.accepted.append(step)
        self._held.add(step)

    def _take_linked(self, commit: ObjectId, left: dict[ObjectId, bytes], visit: FetchSession) -> CommitRejected | None:
        """Judge one of the commits that are ``left``, with what it links to of them; keep all, or return why not."""
        held, valid, linked = self._held, self._held.graph.valid, list[ObjectId]()
        # What nobody has signed, or is malformed, makes this peer judge nothing else.
        refused = held.judge(commit, left[commit])
        if isinstance(refused, CommitRejected) and refused.reason != "parents":
            return refused
        party = valid.party_of[held.author(left[commit]) or 0]
        counted, most = (0, MAX_UNLINKED) if party in valid.forkers else (self._linked[party], MAX_LINKED)
        # Once there are too many, nobody looks for more: that would take long, and again for every commit.
        needed = needed_for(commit, left) if counted <= most else ()
        if party not in valid.forkers:
            self._linked[party] += len(needed)
        if counted + len(needed) > most:
            return CommitRejected("overtaken", commit, _UNLINKED)
        try:
            for one in needed:
                step = held.judge(one, left[one])
                if isinstance(step, CommitRejected):
                    return step
                held.graph.link(step)
                linked.append(one)
        finally:
            for one in reversed(linked):
                valid.unlink(one)
        for one in needed:
            made = Objects()
            step = held.judge(one, left.pop(one), made)
            assert not isinstance(step, CommitRejected), "it was judged just now"
            self._add(step, made, visit)
        return None

    def _is_attested(self, step: LoggedStep, visit: FetchSession) -> bool:
        """Whether a commit's author is certain, or it is an own commit that this repository may have lost."""
        player = step.action.player
        is_back = player == self._held.player and visit.is_catching_up
        return self._held.is_signed or player == visit.source.player or is_back
