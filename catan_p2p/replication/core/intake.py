"""What a peer takes in of what others hold, and what it refuses.

``refs/heads/`` holds only this player's own branches. What was seen of others, and validated, is under
``refs/remotes/<Colour>/``; refused commits are kept apart, see ``log.evidence``. Only commits are taken from others:
every file that a valid commit holds is made by this peer itself.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field

from catan_p2p.game.actions import Claim, Excuse, Vote
from catan_p2p.game.actions.replies import CHARGES
from catan_p2p.game.constants import Player
from catan_p2p.limits import MAX_CHARGES, MAX_COMMIT_BYTES, MAX_OPEN_VOTES
from catan_p2p.log import votes
from catan_p2p.log.commit import decode_commit, parse_action, parse_entry
from catan_p2p.log.evidence import Refusal
from catan_p2p.log.game import FormatError
from catan_p2p.log.reading import Read, new_commits
from catan_p2p.log.recent import Recent
from catan_p2p.log.refs import REMOTES, Branch, ReplyBranch, branch_name, local_ref, remote_ref
from catan_p2p.log.storage.objects import Damaged, ObjectId, ObjectKind, ObjectMissing
from catan_p2p.log.transport.queries import parents_of
from catan_p2p.log.verdict import FOR_GOOD, Reason, Rejected, Step
from catan_p2p.replication.core.effects import Disown, KeepEvidence, Leave
from catan_p2p.replication.core.events import Brought, Heard, Proven, Spoiled
from catan_p2p.replication.core.held import Held, Objects, collector
from catan_p2p.replication.core.settler import Settler
from catan_p2p.replication.core.source import MAY_MEND, PLACE, Source

_PATIENT_LOOKS = 4
"""A commit that is missing is put on the list of refusals only if it is still missing after so many looks."""
PROVEN: tuple[Reason, ...] = ("parents", "fork", "late", "guard", "chance", "tree", "vote", "votes", "proof")
"""Refusals of commits whose author was found right: in a signed game they are the author's own doing."""

Commits = list[tuple[ObjectId, bytes]]


class Withheld(Exception):
    """A commit that cannot be judged yet: an unsigned game's, on a branch of somebody else than its author."""


class _Left(Exception):
    """A source is left alone."""


@dataclass(slots=True)
class _Visit:
    """What comes of one head at one source."""

    source: Source
    ref: str
    head: ObjectId
    brought: Brought
    read: Read
    """Reads what was brought, and what is kept."""
    failures: int
    is_catching_up: bool = False
    accepted: list[Step] = field(default_factory=list)


class Intake:
    """Judges what others' repositories hold, takes in what is valid, and has kept what proves a wrong."""

    def __init__(self, held: Held, settler: Settler) -> None:
        self._held = held
        self._settler = settler
        self.refusals = 0
        self.refused_for_good: dict[ObjectId, Rejected] = Recent()
        """Commits that no look will ever find valid, nor what continues them, whoever shows them."""

    def hear(self, event: Heard) -> None:
        """Take in, or refuse, a head that a source has."""
        held = self._held
        if event.source is None:
            refused = self._extend(event.head, event.brought, None)
            if refused is not None:
                held.rejected[event.head] = refused
            return
        source = held.sources[event.source]
        read = self._here_or(event.brought)
        visit = _Visit(source, event.ref, event.head, event.brought, read, event.failures, event.is_catching_up)
        try:
            if event.branch.colour == held.colour:
                self._take_back(visit)
            else:
                self._follow(visit, event.branch)
        except _Left as error:
            held.effects.append(Leave(source.colour, str(error)))

    def spoil(self, event: Spoiled) -> None:
        """Refuse a head that cannot be read at all."""
        held, bad = self._held, event.bad
        source = held.sources[event.source]
        try:
            self._refuse(_Visit(source, event.ref, bad.commit, Brought(bad), held.read, event.failures), bad)
        except _Left as error:
            held.effects.append(Leave(source.colour, str(error)))

    def recall(self, head: ObjectId) -> Rejected | None:
        """Take in what the own repository holds; why something is refused."""
        return self._extend(head, Brought(new_commits(head, self._held.graph, self._held.read)), None)

    # What others hold of their logs, and of the own one

    def _follow(self, visit: _Visit, branch: Branch) -> None:
        held, source, ref, head = self._held, visit.source, visit.ref, visit.head
        tracking = remote_ref(source.colour, branch)
        before = held.refs.get(tracking)
        if head in held.graph:
            if before is not None and self._is_older_copy(ref, branch, head, before):
                source.seen[ref] = head
                return
            refused = self._goes_back(branch, head, before)
            source.seen[ref] = head
            if refused is None:
                held.record(tracking, head)
                source.rejected.pop(ref, None)
            else:
                # Its disk may have gone back: whoever shows no other continuation is charged with nothing.
                source.rejected[ref] = refused
            return
        refused = None
        try:
            refused = self._extend(head, visit.brought, visit)
        except Withheld as error:
            if branch.colour == source.colour:
                source.withheld = str(error)
        self._track_steps(visit, tracking)
        if refused is not None and refused.reason == "promised":
            source.withheld = refused.detail
        elif refused is not None:
            self._refuse(visit, refused)
            visit.accepted = []
            if self._watch_others(visit, refused):
                self._track_steps(visit, tracking)
                held.look_at_all_anew()
        elif head in held.graph:
            source.seen[ref] = head
            source.rejected.pop(ref, None)
        self._settler.move_to_survivor()

    def _is_older_copy(self, ref: str, branch: Branch, head: ObjectId, before: ObjectId) -> bool:
        """Whether a source shows, of several copies of one that is far, another that is not as old."""
        held = self._held
        if not ref.startswith(REMOTES) or not held.is_far(held.game.player_of(branch.colour) or 0):
            return False
        return before in held.graph and held.graph.height(head) <= held.graph.height(before)

    def _goes_back(self, branch: Branch, head: ObjectId, before: ObjectId | None) -> Rejected | None:
        """Refuse a log that lost commits it had: those of a player only ever grow."""
        graph = self._held.graph
        if before is None or before not in graph or isinstance(branch, ReplyBranch):
            return None
        if graph.height(head) >= graph.height(before):
            return None
        return Rejected("branch", head, f"{branch_name(branch)} goes back from {before[:10]}", other=before)

    def _take_back(self, visit: _Visit) -> None:
        """Take in a copy of an own branch; it is withheld if more of others' logs has to be known first."""
        held, source, refused = self._held, visit.source, None
        if visit.head not in held.graph:
            try:
                refused = self._extend(visit.head, visit.brought, visit)
            except Withheld as error:
                source.withheld = str(error)
                return
            finally:
                self._record_own(visit.accepted)
        if refused is not None:
            if source.place == PLACE and self._is_lasting(visit, refused):
                is_rival = refused.reason in PROVEN and not held.graph.settling.is_dropped(refused)
                held.effects.append(Disown(source.colour, visit.head, is_rival, str(refused)))
            self._refuse(visit, refused)
        source.seen[visit.ref] = visit.head
        self._settler.move_to_survivor()

    # Judging

    def _extend(self, head: ObjectId, brought: Brought, visit: _Visit | None) -> Rejected | None:
        """Validate everything up to ``head`` and add it to the ledger; what a source has shown is kept, too."""
        held, commits = self._held, brought.commits
        if visit is not None and not isinstance(commits, Rejected) and self._take_in_charges(commits, visit):
            commits = new_commits(head, held.graph, visit.read, self.refused_for_good)
        if isinstance(commits, Rejected):
            if commits.commit in self.refused_for_good:
                self.refused_for_good[head] = commits
            return commits
        withheld: dict[ObjectId, str] = {}
        for number, (commit, data) in enumerate(commits):
            if withheld and not withheld.keys().isdisjoint(parents_of(data)):
                withheld[commit] = "it follows one that is withheld"
                continue
            made = None if visit is None else Objects()
            step = held.judge(commit, data, made)
            if isinstance(step, Rejected) and visit is not None:
                if step.reason == "promised" and self._is_built_on(commits[number:], visit.source):
                    step = held.judge(commit, data, made := Objects())
                elif without_us := self._without_us(step, commits[number:]):
                    excuse, content = without_us[0]
                    is_bound = held.graph.settling.binds(held.author(content) or 0, excuse)
                    if is_bound and not self._is_built_on(without_us, visit.source):
                        return Rejected("promised", excuse, "who excuses this player has lied")
                    if self._move_over(excuse, visit):
                        # Votes that were held hang on nothing now: they come in anew with what merges them.
                        commits = new_commits(head, held.graph, visit.read, self.refused_for_good)
                        return self._extend(head, Brought(commits), visit)
            if isinstance(step, Step) and visit is not None:
                step = self._unneeded(step, commits[-1]) or step
            if isinstance(step, Rejected):
                if step.reason in FOR_GOOD:
                    # The head too: what continues it later need not be read down to where it began.
                    self.refused_for_good[commit] = self.refused_for_good[head] = step
                return step
            if visit is not None and made is not None:
                if (
                    not held.is_signed
                    and step.action.player != visit.source.player
                    and not self._comes_back(step, visit)
                ):
                    author = held.game.seats[step.action.player - 1].colour
                    withheld[commit] = f"{commit[:10]} of {author} is only in {visit.source.colour}'s log so far"
                    continue
                held.keep(commit, made)
                visit.accepted.append(step)
            held.graph.add(step)
        if withheld:
            raise Withheld(next(iter(withheld.values())))
        return None

    def _here_or(self, brought: Brought) -> Read:
        """Reads what was brought, and what is kept."""
        found: dict[ObjectId, tuple[ObjectKind, bytes]] = {}
        if not isinstance(brought.commits, Rejected):
            found = {commit: ("commit", data) for commit, data in brought.commits}
        elif brought.odd is not None:
            found[brought.commits.commit] = brought.odd

        def reading(oid: ObjectId) -> tuple[ObjectKind, bytes]:
            return found.get(oid) or self._held.read(oid)

        return reading

    def _unneeded(self, step: Step, newest: tuple[ObjectId, bytes] | None = None) -> Rejected | None:
        """Leave a vote alone that can change nothing, or is more than its player may have; nobody is charged with it.

        Votes that a commit of the line has merged are taken in: a vote that leads to ``newest`` is merged unless
        ``newest`` is that vote or a no that takes it back. Raises ``Withheld`` for a vote that may be taken in later.
        """
        voter, head = step.action.player, newest or (step.commit, b"")
        if not isinstance(step.action, Vote) or voter == self._held.player:
            return None
        if step.commit != head[0] and not (step.commit in decode_commit(head[1]).parents and self._is_vote(head[1])):
            return None
        graph = self._held.graph
        round, ballot = graph.ledger.round_voted_on(step.parents, step.entry), graph.ballot
        if votes.is_decided(graph.ledger, round):
            return Rejected("overtaken", step.commit, "the question has been decided")
        if round.stage in CHARGES:
            if ballot.charge_count(voter, round.absent) < MAX_CHARGES:
                return None
            return Rejected("overtaken", step.commit, f"more than {MAX_CHARGES} votes of one player on one liar")
        if ballot.open_count(voter) >= MAX_OPEN_VOTES:
            raise Withheld(f"{step.commit[:10]}: more than {MAX_OPEN_VOTES} open votes of player {voter}")
        return None

    def _is_vote(self, data: bytes) -> bool:
        try:
            return isinstance(parse_action(decode_commit(data).message, self._held.game.constants), Vote)
        except FormatError:
            return False

    def _comes_back(self, step: Step, visit: _Visit) -> bool:
        """Whether a commit is this player's own, which a repository of this player may have lost."""
        return step.action.player == self._held.player and visit.is_catching_up

    # Votes on who is silent

    def _take_in_charges(self, commits: Commits, visit: _Visit) -> bool:
        """Take in what is voted by proofs before anything else: it may say that what is held does not survive.

        Returns whether anything was taken in.
        """
        held, before = self._held, len(visit.accepted)
        for commit, data in commits if held.may_settle else ():
            parents = [*parents_of(data)]
            if not parents or not all(parent in held.graph for parent in parents):
                continue
            with suppress(FormatError):
                if parse_entry(decode_commit(data).message, held.game.constants).charge is None:
                    continue
                step = held.judge(commit, data, made := Objects())
                if isinstance(step, Step) and self._unneeded(step) is None:
                    held.keep(commit, made)
                    held.graph.add(step)
                    visit.accepted.append(step)
        self._settler.move_to_survivor()
        return len(visit.accepted) > before

    def _is_built_on(self, commits: Commits, source: Source) -> bool:
        """Whether the promise not to take in the first of these is over, as they show.

        Another player has built on it, or who would have excused was proven a liar, and nobody holds their excuse.
        """
        held, graph, settling = self._held, self._held.graph, self._held.graph.settling
        (named, data), *following = commits
        author = held.author(data)
        coming = self._heights_over(commits)
        waiting = [one for one in graph.ballot.rounds() if one.absent == author and one.base == graph.head]
        for round in waiting:
            if round.stage not in CHARGES and votes.is_void(graph.ledger, round, graph.ballot.loose, coming):
                graph.free([round])
                return True
        for commit, other in following:
            player = held.author(other)
            if commit in settling.permitted:
                graph.free(commits=[named])
                return True
            if player in (None, author, held.player) or not (held.is_signed or player == source.player):
                continue
            if graph.ledger.is_forged(commit, other):
                continue
            graph.free(waiting, [named])
            return True
        return False

    def _heights_over(self, commits: Commits) -> dict[ObjectId, int]:
        """The heights of those of these commits that lead to the first one by first parents alone."""
        graph = self._held.graph
        height: dict[ObjectId, int] = {}
        line: dict[ObjectId, int] = {}
        for commit, data in commits:
            parents = [*parents_of(data)]
            height[commit] = 1 + max(
                height[one] if one in height else graph.height(one) if one in graph else 0 for one in parents
            )
            if not line or parents[0] in line:
                line[commit] = height[commit]
        return line

    def _without_us(self, bad: Rejected, commits: Commits) -> Commits:
        """The commits from the one on by which others have gone on without this player, as a refused one shows.

        That is the refused one, or a later one where its author is excused here only. Empty if there is none.
        """
        first = {"parents": 1, "excused": len(commits)}.get(bad.reason, 0)
        found = (number for number in range(first) if self._is_without_us(commits[number][1]))
        return commits[next(found, len(commits)) :]

    def _is_without_us(self, data: bytes) -> bool:
        """Whether a commit excuses a player without this one having been asked: this one, or this one only watches."""
        try:
            action = parse_action(decode_commit(data).message, self._held.game.constants)
        except FormatError:
            return False
        is_watching = self._held.graph.state.away[self._held.player - 1]
        return isinstance(action, Excuse | Claim) and (action.absent == self._held.player or is_watching)

    def _move_over(self, head: ObjectId, visit: _Visit) -> bool:
        """Follow the others, who have gone on without this player: what nobody else has accepted is kept aside."""
        held = self._held
        fresh = held.graph.at_root()
        commits = new_commits(head, fresh, visit.read)
        if isinstance(commits, Rejected):
            return False
        found: list[tuple[Step, Objects]] = []
        for commit, data in commits:
            made = Objects()
            step = fresh.check(commit, data, collector(made))
            if isinstance(step, Rejected):
                return False
            fresh.add(step)
            if commit not in held.graph:
                found.append((step, [*made, ("commit", data)]))
        for step, made in found:
            held.keep(step.commit, made)
        self._settler.go_over(fresh)
        visit.accepted += [step for step, _ in found]
        return True

    def _watch_others(self, visit: _Visit, bad: Rejected) -> bool:
        """Go over to where all others have excused this player, whom a liar had kept on another continuation.

        The excuse has the votes of all others, so nobody else is on this continuation. One of them must have gone on
        from it without having voted on the lie before: else the votes on the lie may still say that this one survives.
        """
        held = self._held
        if not _is_other_side(bad) or not held.may_settle:
            return False
        commits = new_commits(visit.head, held.graph, visit.read)
        if isinstance(commits, Rejected):
            return False
        liar = held.author(visit.read(bad.commit)[1])
        settling = held.graph.settling
        charging: set[Player | None] = {voter for round in settling.rounds() for voter in settling.charges(round)}
        is_excused = False
        for _, data in commits:
            author = held.author(data)
            if self._is_charge(data):
                charging.add(author)
            is_excused |= self._is_without_us(data)
            if is_excused and author not in (None, liar, held.player, *charging):
                return self._move_over(visit.head, visit)
        return False

    def _is_charge(self, data: bytes) -> bool:
        try:
            return parse_entry(decode_commit(data).message, self._held.game.constants).charge is not None
        except FormatError:
            return False

    # Keeping what was seen

    def _record_own(self, accepted: list[Step]) -> None:
        """Move the own branches to what has come back."""
        held = self._held
        branches = [(step, held.branch_of(step)) for step in accepted]
        if any(branch is None for _, branch in branches):
            held.record(held.log, held.graph.head)
        for step, branch in branches:
            if branch is not None and step.action.player == held.player:
                held.record(local_ref(branch), step.commit)
        if accepted:
            held.show()

    def _track_steps(self, visit: _Visit, tracking: str) -> None:
        """Record what was accepted under refs that lead to all of it."""
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

    # Refusing

    def _refuse(self, visit: _Visit, bad: Rejected) -> None:
        """Refuse a commit; raises ``_Left`` where the refusal may be over at the next look."""
        held, source = self._held, visit.source
        held.rejected[bad.commit] = bad
        if bad.reason != "overtaken":
            self.refusals += 1
            if bad.reason in MAY_MEND:
                if self._is_lasting(visit, bad):
                    self._keep_evidence(visit, Refusal(source.place, source.place, visit.ref, bad))
                raise _Left(str(bad))
            if bad.reason != "excused":
                self._keep_evidence(visit, self._charge(visit, bad))
            if bad.other is not None:
                with suppress(ObjectMissing, Damaged):
                    rival = visit.read(bad.commit)[1]
                    is_apart = held.author(rival) != source.player
                    self._settler.learn(Proven(rival, held.read(bad.other)[1], is_apart))
            source.rejected[visit.ref] = bad
        source.seen[visit.ref] = visit.head

    def _keep_evidence(self, visit: _Visit, refusal: Refusal) -> None:
        bad, found = refusal.rejected, []
        for oid, read in ((bad.commit, visit.read), (bad.other, self._held.read)):
            with suppress(ObjectMissing, Damaged):
                if oid is not None and len((of := read(oid))[1]) <= MAX_COMMIT_BYTES:
                    found.append((oid, *of))
        self._held.effects.append(KeepEvidence(refusal, tuple(found)))

    def _is_lasting(self, visit: _Visit, bad: Rejected) -> bool:
        """Whether a refusal will not be over at the next look."""
        return bad.reason not in MAY_MEND or visit.failures >= _PATIENT_LOOKS

    def _charge(self, visit: _Visit, bad: Rejected) -> Refusal:
        """Whose doing a refused commit is: its author's, if that is proven or another commit contradicts it.

        Without signatures, a contradiction in somebody else's repository is the doing of one of the two, nobody can
        tell whose: the one may have made it up, or the other may have told people different things.
        """
        held, source = self._held, visit.source
        player = None
        if _is_other_side(bad) or bad.reason == "vote" or (held.is_signed and bad.reason in PROVEN):
            with suppress(ObjectMissing):
                player = held.author(visit.read(bad.commit)[1])
        if player is None:
            return Refusal(source.place, source.place, visit.ref, bad)
        is_certain = held.is_signed or player == source.player
        return Refusal(held.game.seats[player - 1].colour, source.place, visit.ref, bad, is_certain)


def _is_other_side(bad: Rejected) -> bool:
    """Whether a refused commit stands where another of its author's is held: on the line, or merged into it."""
    return bad.reason == "fork" or (bad.reason == "late" and bad.other is not None)
