"""What a peer takes in of what others hold, and what it refuses.

``refs/heads/`` holds only this player's own branches. What was seen of others, and validated, is under
``refs/remotes/<Colour>/``; refused commits are kept apart, see ``log.evidence``. Only commits are taken from others:
every file that a valid commit holds is made by this peer itself.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from catan_p2p.game.actions import Claim, Excuse, Vote
from catan_p2p.game.actions.replies import CHARGES, REPLIES
from catan_p2p.game.chance import Nonce
from catan_p2p.game.constants import Player
from catan_p2p.game.invariants import InvariantBroken
from catan_p2p.limits import MAX_CHARGES, MAX_OPEN_VOTES
from catan_p2p.log.commit import decode_commit, parse_action, parse_entry
from catan_p2p.log.evidence import Refusal
from catan_p2p.log.game import FormatError
from catan_p2p.log.graph import Graph
from catan_p2p.log.reading import Read, new_commits
from catan_p2p.log.refs import (
    HEADS,
    REMOTES,
    Branch,
    ReplyBranch,
    branch_name,
    local_ref,
    parse_branch,
    remote_ref,
)
from catan_p2p.log.storage.objects import Damaged, ObjectId, ObjectKind, ObjectMissing, object_id
from catan_p2p.log.storage.store import Store
from catan_p2p.log.transport.queries import parents_of
from catan_p2p.log.transport.remote import Unreachable
from catan_p2p.log.tree import hash_only
from catan_p2p.log.verdict import Reason, Rejected, Step
from catan_p2p.players.choosing import Chooser
from catan_p2p.replication.catch_up import CatchUp
from catan_p2p.replication.neighbour import Neighbour
from catan_p2p.replication.peer import Clock, Randomness
from catan_p2p.replication.settler import Settler
from catan_p2p.time_source import SYSTEM_TIME, TimeSource

_PATIENT_LOOKS = 4
"""A commit that is missing is put on the list of refusals only if it is still missing after so many looks."""
MAY_MEND: tuple[Reason, ...] = ("missing",)
"""Refusals that may be over at the next look: the repository was damaged, or is just being repacked."""
PROVEN: tuple[Reason, ...] = ("parents", "fork", "late", "guard", "chance", "tree", "vote", "votes", "proof")
"""Refusals of commits whose author was found right: in a signed game they are the author's own doing."""


class Withheld(Exception):
    """A commit that cannot be judged yet: an unsigned game's, on a branch of somebody else than its author."""


class Intake(Settler):
    """A peer that judges what others' repositories hold, takes in what is valid, and keeps what proves a wrong."""

    def __init__(
        self,
        store: Store,
        graph: Graph,
        player: Player,
        chooser: Chooser,
        randomness: Randomness,
        clock: Clock,
        catch_up: CatchUp,
        *,
        secret: bytes | None = None,
        new_nonce: Callable[[], Nonce] | None = None,
        time: TimeSource = SYSTEM_TIME,
    ) -> None:
        super().__init__(
            store, graph, player, chooser, randomness, clock, secret=secret, new_nonce=new_nonce, time=time
        )
        self.catch_up = catch_up
        self.refusals = 0

    # Taking in what the own repository holds

    def resume(self) -> None:
        """Take in what the own repository holds: after a restart, before anything else.

        Raises ``Damaged`` if the own log cannot be read: a peer that does not know what it did must not act.
        """
        own = self.store.own_ref(local_ref(self.game.branch(self.player)))
        for ref, head in (self.store.list_refs(HEADS, broken=[]) | self.store.list_refs(REMOTES, broken=[])).items():
            if parse_branch(ref.rpartition("/")[2]) is None:
                continue
            problem = self._extend(head, self.store.read, None, [])
            if problem is not None and problem.reason == "missing":
                raise Damaged(f"{self.store.folder}: {ref}: {problem.detail}")
            if ref.startswith(REMOTES):
                self._tracked[ref] = head
        if own is not None and own not in self.graph:
            raise Damaged(f"{self.store.folder}: the own log at {own[:10]} is not one that this player could write")
        super().resume()
        if self.graph.state.away[self.player - 1]:
            self.graph.ballot.me = 0
        self._recall_lies()
        self._recall_told()
        self.move_to_survivor()

    # Judging what others hold

    def _extend(self, head: ObjectId, read: Read, neighbour: Neighbour | None, accepted: list[Step]) -> Rejected | None:
        """Validate everything up to ``head`` and add it to the graph, and to the store if it is a neighbour's."""
        commits = new_commits(head, self.graph, read)
        if neighbour is not None and not isinstance(commits, Rejected) and self._take_in_charges(commits, accepted):
            commits = new_commits(head, self.graph, read)
        if isinstance(commits, Rejected):
            return commits
        withheld: dict[ObjectId, str] = {}
        for number, (commit, data) in enumerate(commits):
            if withheld and not withheld.keys().isdisjoint(parents_of(data)):
                withheld[commit] = "it follows one that is withheld"
                continue
            made: list[tuple[ObjectKind, bytes]] = []
            step = self._judge(commit, data, made if neighbour is not None else None)
            if isinstance(step, Rejected) and neighbour is not None:
                if step.reason == "promised" and self._is_built_on(commits[number:], neighbour):
                    step = self._judge(commit, data, made)
                elif (
                    step.reason == "parents"
                    and self._is_without_us(data)
                    and self._move_over(commit, self._here_or(read), accepted)
                ):
                    # Votes that were held hang on nothing now: they come in anew with what merges them.
                    return self._extend(head, self._here_or(read), neighbour, accepted)
            if isinstance(step, Step) and neighbour is not None:
                step = self._unneeded(step, commits[-1]) or step
            if isinstance(step, Rejected):
                return step
            if neighbour is not None:
                if not self.is_signed and step.action.player != neighbour.player and not self._comes_back(step):
                    author = self.game.seats[step.action.player - 1].colour
                    withheld[commit] = f"{commit[:10]} of {author} is only in {neighbour.colour}'s log so far"
                    continue
                for kind, content in made:
                    self.store.add(kind, content)
                self.store.add("commit", data)
                accepted.append(step)
            self.graph.add(step)
        if withheld:
            raise Withheld(next(iter(withheld.values())))
        return None

    def _judge(self, commit: ObjectId, data: bytes, made: list[tuple[ObjectKind, bytes]] | None) -> Step | Rejected:
        try:
            return self.graph.check(commit, data) if made is None else self.graph.check(commit, data, _collector(made))
        except InvariantBroken as error:
            return Rejected("guard", commit, f"the action breaks the invariant {error.name}", (error.name,))

    def _unneeded(self, step: Step, newest: tuple[ObjectId, bytes] | None = None) -> Rejected | None:
        """Leave a vote alone that can change nothing, or is more than its player may have; nobody is charged with it.

        Votes that a commit of the line has merged are taken in: a vote that leads to ``newest`` is merged unless
        ``newest`` is that vote or a no that takes it back. Raises ``Withheld`` for a vote that may be taken in later.
        """
        voter, head = step.action.player, newest or (step.commit, b"")
        if not isinstance(step.action, Vote) or voter == self.player:
            return None
        if step.commit != head[0] and not (step.commit in decode_commit(head[1]).parents and self._is_vote(head[1])):
            return None
        round, ballot = self.graph.round_voted_on(step.parents, step.entry), self.graph.ballot
        if self.graph.is_decided(round):
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
            return isinstance(parse_action(decode_commit(data).message, self.game.constants), Vote)
        except FormatError:
            return False

    def _comes_back(self, step: Step) -> bool:
        """Whether a commit is this player's own, which a repository of this player may have lost."""
        return step.action.player == self.player and not self.catch_up.is_over

    def _goes_back(self, branch: Branch, head: ObjectId, before: ObjectId | None) -> Rejected | None:
        """Refuse a log that lost commits it had: those of a player only ever grow."""
        if before is None or before not in self.graph or isinstance(branch, ReplyBranch):
            return None
        if self.graph.height(head) >= self.graph.height(before):
            return None
        return Rejected("branch", head, f"{branch_name(branch)} goes back from {before[:10]}", other=before)

    # Votes on who is silent

    def _take_in_charges(self, commits: list[tuple[ObjectId, bytes]], accepted: list[Step]) -> bool:
        """Take in what is voted by proofs before anything else: it may say that what is held does not survive.

        Returns whether anything was taken in.
        """
        before = len(accepted)
        for commit, data in commits if self._may_settle else ():
            parents = [*parents_of(data)]
            if not parents or not all(parent in self.graph for parent in parents):
                continue
            with suppress(FormatError):
                if parse_entry(decode_commit(data).message, self.game.constants).charge is None:
                    continue
                made: list[tuple[ObjectKind, bytes]] = [("commit", data)]
                step = self._judge(commit, data, made)
                if isinstance(step, Step) and self._unneeded(step) is None:
                    for kind, content in made:
                        self.store.add(kind, content)
                    self.graph.add(step)
                    accepted.append(step)
        self.move_to_survivor()
        return len(accepted) > before

    def move_to_survivor(self) -> None:
        """Go over to what survives of a lie, and take it from the votes, if nobody shows it: they hold both commits."""
        super().move_to_survivor()
        for round, kept in [*self.graph.settling.outcomes.items()]:
            if kept is None or kept in self.graph or round.base not in self.graph:
                continue
            charges = self.graph.settling.charges(round).values()
            data = next(data for charge in charges for data in charge.proof if object_id("commit", data) == kept)
            made: list[tuple[ObjectKind, bytes]] = [("commit", data)]
            if not all(parent in self.graph for parent in decode_commit(data).parents):
                continue
            step = self._judge(kept, data, made)
            if isinstance(step, Step):
                for kind, content in made:
                    self.store.add(kind, content)
                self.graph.add(step)
                branch = self._branch_of(step) or self.game.branch(round.absent)
                self._track(remote_ref(branch.colour, branch), kept)

    def _is_built_on(self, commits: list[tuple[ObjectId, bytes]], neighbour: Neighbour) -> bool:
        """Whether another player has accepted what this one has promised not to: then the promise is over."""
        (named, data), *following = commits
        author = self._author(data)
        for commit, other in following:
            player = self._author(other)
            if commit in self.graph.settling.permitted:
                self.graph.settling.permitted.add(named)
                return True
            if player in (None, author, self.player) or not (self.is_signed or player == neighbour.player):
                continue
            if self.graph.is_forged(commit, other):
                continue
            self.graph.settling.permitted.add(named)
            for round in [*self.graph.ballot.rounds()]:
                if round.absent == author and round.base == self.graph.head:
                    self.graph.ballot.release(round)
            return True
        return False

    def _author(self, data: bytes) -> Player | None:
        try:
            return parse_action(decode_commit(data).message, self.game.constants).player
        except FormatError:
            return None

    def _is_without_us(self, data: bytes) -> bool:
        """Whether a commit excuses a player without this one having been asked: this one, or this one only watches."""
        try:
            action = parse_action(decode_commit(data).message, self.game.constants)
        except FormatError:
            return False
        is_watching = self.graph.state.away[self.player - 1]
        return isinstance(action, Excuse | Claim) and (action.absent == self.player or is_watching)

    def _here_or(self, read: Read) -> Read:
        """Reads from the own repository what is there, all else as ``read`` does."""

        def reading(oid: ObjectId) -> tuple[ObjectKind, bytes]:
            try:
                return self.store.read(oid)
            except ObjectMissing:
                return read(oid)

        return reading

    def _move_over(self, head: ObjectId, read: Read, accepted: list[Step]) -> bool:
        """Follow the others, who have gone on without this player: what nobody else has accepted is kept aside."""
        fresh = self.graph.begun_again()
        commits = new_commits(head, fresh, read)
        if isinstance(commits, Rejected):
            return False
        found: list[tuple[Step, list[tuple[ObjectKind, bytes]]]] = []
        for commit, data in commits:
            made: list[tuple[ObjectKind, bytes]] = [("commit", data)]
            step = fresh.check(commit, data, _collector(made))
            if isinstance(step, Rejected):
                return False
            fresh.add(step)
            if commit not in self.graph:
                found.append((step, made))
        for _, made in found:
            for kind, content in made:
                self.store.add(kind, content)
        self._drop_refs(fresh)
        self.graph = fresh
        accepted += [step for step, _ in found]
        return True

    def _watch_others(self, head: ObjectId, bad: Rejected, neighbour: Neighbour, accepted: list[Step]) -> bool:
        """Go over to where all others have excused this player, whom a liar had kept on another continuation.

        The excuse has the votes of all others, so nobody else is on this continuation. One of them must have gone on
        from it without having voted on the lie before: else the votes on the lie may still say that this one survives.
        """
        if not _is_other_side(bad) or not self._may_settle:
            return False
        read = self._here_or(neighbour.remote.read)
        commits = new_commits(head, self.graph, read)
        if isinstance(commits, Rejected):
            return False
        liar = self._author(read(bad.commit)[1])
        charging: set[Player | None] = {
            voter for round in self.graph.settling.rounds() for voter in self.graph.settling.charges(round)
        }
        is_excused = False
        for _, data in commits:
            author = self._author(data)
            if self._is_charge(data):
                charging.add(author)
            is_excused |= self._is_without_us(data)
            if is_excused and author not in (None, liar, self.player, *charging):
                return self._move_over(head, read, accepted)
        return False

    def _is_charge(self, data: bytes) -> bool:
        try:
            return parse_entry(decode_commit(data).message, self.game.constants).charge is not None
        except FormatError:
            return False

    # Keeping what was seen

    def _branch_of(self, step: Step) -> ReplyBranch | None:
        """The temporary branch that a commit belongs on, None if it is one of the line or merged."""
        player = step.action.player
        if isinstance(step.action, Vote):
            if (cast := self.graph.ballot.loose.get(step.commit)) is None:
                return None
            return self._vote_branch(cast)
        known = self.graph.replies.get(player)
        if known is None or known.commit != step.commit:
            return None
        return self.game.reply_branch(self.graph.head, REPLIES[type(step.action)], player)

    def _record_own(self, accepted: list[Step]) -> None:
        """Move the own branches to what has come back."""
        branches = [(step, self._branch_of(step)) for step in accepted]
        if any(branch is None for _, branch in branches):
            self.store.record(self._log, self.graph.head, self.store.own_ref(self._log))
        for step, branch in branches:
            if branch is not None and step.action.player == self.player:
                own = local_ref(branch)
                self.store.record(own, step.commit, self.store.own_ref(own))
                self._own_replies[own] = step.commit
        if accepted:
            self.store.publish()

    def _track_steps(self, neighbour: Neighbour, tracking: str, head: ObjectId, accepted: list[Step]) -> None:
        """Record what was accepted under refs that lead to all of it."""
        if head in self.graph:
            self._track(tracking, head)
            return
        branches = [(step, self._branch_of(step)) for step in accepted]
        if any(branch is None for _, branch in branches):
            self._track(remote_ref(neighbour.colour, self.game.branch(neighbour.player)), self.graph.head)
        for step, branch in branches:
            if branch is not None:
                self._track(remote_ref(neighbour.colour, branch), step.commit)

    def _track(self, ref: str, head: ObjectId) -> None:
        old = self.store.own_ref(ref)
        if old != head:
            self._unrecorded.add(ref)
            self.store.record(ref, head, old)
        self._unrecorded.discard(ref)
        self._tracked[ref] = head

    def _remove_own_replies(self) -> None:
        """Remove them once the merge is held for good: one that is known and not recorded dies with the process."""
        if not self._unrecorded:
            super()._remove_own_replies()

    def _tidy(self) -> None:
        """Remove tracked replies that are merged."""
        gone = []
        for ref, commit in self._tracked.items():
            if commit in self.graph.ballot.loose:
                continue
            branch = parse_branch(ref.rpartition("/")[2])
            if isinstance(branch, ReplyBranch) and (
                branch.base != self.graph.head or branch.is_vote or self.graph.state.tp == "top"
            ):
                if self.store.own_ref(ref) == commit:
                    self.store.delete_ref(ref, commit)
                gone.append(ref)
        for ref in gone:
            del self._tracked[ref]

    # Refusing

    def _refuse(self, neighbour: Neighbour, ref: str, head: ObjectId, bad: Rejected) -> None:
        self.rejected[bad.commit] = bad
        if bad.reason == "overtaken":
            neighbour.seen[ref] = head
            return
        self.refusals += 1
        own = self.store.read
        if bad.reason in MAY_MEND:
            if self._is_settled(neighbour, bad):
                self._evidence.keep(Refusal(neighbour.place, neighbour.place, ref, bad), neighbour.remote.read, own)
            raise Unreachable(str(bad))
        if bad.reason != "excused":
            self._evidence.keep(self._charge(neighbour, ref, bad), neighbour.remote.read, own)
        if bad.other is not None:
            with suppress(ObjectMissing, Damaged, Unreachable):
                rival = neighbour.remote.read(bad.commit)[1]
                liar = self._author(rival)
                self._learn_lie(rival, own(bad.other)[1], is_apart=liar != neighbour.player)
        neighbour.rejected[ref] = bad
        neighbour.seen[ref] = head

    def _is_settled(self, neighbour: Neighbour, bad: Rejected) -> bool:
        """Whether a refusal will not be over at the next look."""
        return bad.reason not in MAY_MEND or neighbour.failures >= _PATIENT_LOOKS

    def _charge(self, neighbour: Neighbour, ref: str, bad: Rejected) -> Refusal:
        """Whose doing a refused commit is: its author's, if that is proven or another commit contradicts it.

        Without signatures, a contradiction in somebody else's repository is the doing of one of the two, nobody can
        tell whose: the one may have made it up, or the other may have told people different things.
        """
        is_contradiction = _is_other_side(bad) or bad.reason == "vote"
        if is_contradiction or (self.is_signed and bad.reason in PROVEN):
            try:
                message = decode_commit(neighbour.remote.read(bad.commit)[1]).message
                player = parse_action(message, self.game.constants).player
            except (FormatError, ObjectMissing, Damaged, Unreachable):
                return Refusal(neighbour.place, neighbour.place, ref, bad)
            colour = self.game.seats[player - 1].colour
            return Refusal(colour, neighbour.place, ref, bad, self.is_signed or player == neighbour.player)
        return Refusal(neighbour.place, neighbour.place, ref, bad)


def _is_other_side(bad: Rejected) -> bool:
    """Whether a refused commit stands where another of its author's is held: on the line, or merged into it."""
    return bad.reason == "fork" or (bad.reason == "late" and bad.other is not None)


def _collector(made: list[tuple[ObjectKind, bytes]]) -> Callable[[ObjectKind, bytes], ObjectId]:
    """A ``Put`` that hashes, and remembers what it was given."""

    def put(kind: ObjectKind, data: bytes) -> ObjectId:
        made.append((kind, data))
        return hash_only(kind, data)

    return put
