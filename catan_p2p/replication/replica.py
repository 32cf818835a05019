"""A peer with a repository of its own: it fetches from the other players' repositories and trusts none of them.

``refs/heads/`` holds only this player's own branches. What was seen of others, and validated, is under
``refs/remotes/<Colour>/``; refused commits are kept apart, see ``log.evidence``. Only commits are taken from others:
every file that a valid commit holds is made by this peer itself. What others hold of the own log is taken in before the
first own action.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from catan_p2p.actions import Claim, Excuse, Vote
from catan_p2p.actions.replies import REPLIES, may_reply, reply_kinds, vote_word
from catan_p2p.constants import Player
from catan_p2p.invariants import InvariantBroken
from catan_p2p.log.commit import decode_commit, parse_action
from catan_p2p.log.evidence import EvidenceBox, Refusal
from catan_p2p.log.game import FormatError
from catan_p2p.log.graph import Graph
from catan_p2p.log.reading import Read, new_commits
from catan_p2p.log.refs import (
    HEADS,
    REMOTES,
    Branch,
    ReplyBranch,
    abandoned_ref,
    branch_name,
    local_ref,
    parse_branch,
    remote_ref,
)
from catan_p2p.log.storage.objects import Damaged, ObjectId, ObjectKind, ObjectMissing, StoreError
from catan_p2p.log.storage.store import Store
from catan_p2p.log.transport.asking import Answer, AskCommits, Asked, AskHeads
from catan_p2p.log.transport.remote import BadFetch, Unreachable
from catan_p2p.log.verdict import Reason, Rejected, Step
from catan_p2p.peer import Chooser, Clock, Peer, Randomness, SyncTiming
from catan_p2p.replication.chat import Chat
from catan_p2p.replication.inquiry import Inquiry
from catan_p2p.replication.neighbour import Look, Neighbour
from catan_p2p.replication.patience import Patience
from catan_p2p.replication.relay import PLACE, Relay
from catan_p2p.replication.waiting import Wait, Waiting, carried_out
from catan_p2p.rules import awaited
from catan_p2p.time_source import SYSTEM_TIME, TimeSource

PATIENCE_S = 10.0
"""So long an answer is waited for, unless something else is said."""
_PATIENT_LOOKS = 4
"""A commit that is missing is put on the list of refusals only if it is still missing after so many looks."""
_STRAYS_EVERY_S = 0.5
_STRAYS_SELDOM_S = 5.0
"""Where nothing else is new, so much more rarely."""
MAX_STRAY_BRANCHES = 64
"""So many branches of replies that do not count any more are looked at, at one remote."""

_MAY_MEND: tuple[Reason, ...] = ("missing",)
"""Refusals that may be over at the next look: the repository was damaged, or is just being repacked."""
_PROVEN: tuple[Reason, ...] = ("parents", "fork", "late", "guard", "chance", "tree", "vote", "votes")
"""Refusals of commits whose author was found right: in a signed game they are the author's own doing."""


class Withheld(Exception):
    """A commit that cannot be judged yet: an unsigned game's, on a branch of somebody else than its author."""


class Replica(Peer):
    """A player's replica in the player's own repository, with a remote for each other player that is known."""

    def __init__(
        self,
        store: Store,
        graph: Graph,
        player: Player,
        chooser: Chooser,
        randomness: Randomness,
        clock: Clock,
        remotes: Mapping[str, Asked],
        *,
        relay: Relay | None = None,
        has_chat: bool = True,
        alone: bool = False,
        secret: bytes | None = None,
        time: TimeSource = SYSTEM_TIME,
    ) -> None:
        super().__init__(store, graph, player, chooser, randomness, clock, secret=secret, time=time)
        game = graph.game
        self.relay = relay
        self.chat = Chat(store, game, graph.root, time) if has_chat else None
        """What the players say, None if nobody listens."""
        self.neighbours = [
            Neighbour(other, seat.colour, *_seen_at(seat.colour, remotes, relay, time))
            for other, seat in enumerate(game.seats, 1)
            if other != player and (seat.colour in remotes or relay is not None)
        ]
        self._colour = game.seats[player - 1].colour
        self.inquiry = Inquiry((one.colour for one in self.neighbours), alone=alone, time=time)
        self.is_signed = all(seat.key is not None for seat in game.seats)
        self.looking_s = 0.0
        """Time spent on looks that found nothing new."""
        self.looks = 0
        self.refusals = 0
        self.dirt: str | None = None
        """What Git finds to complain of in the repository, besides the game; None if nothing."""
        self._evidence = EvidenceBox(store.folder / "catan-p2p", store.medium)
        self._tracked: dict[str, ObjectId] = {}
        self._unrecorded: set[str] = set()
        """Tracking refs whose move could not be recorded: what they lead to is known, and not kept."""

    def close(self) -> None:
        """End what was begun for reading remotes; the store stays open."""
        for neighbour in self.neighbours:
            neighbour.remote.close()
        if self.relay is not None:
            self.relay.close()

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

    # Looking at others

    def synchronize(self, everybody: bool = True, patience_s: float = PATIENCE_S) -> int:
        """Look at the other players' repositories, validate what is new and take it in; how many commits that were.

        All are looked at side by side, with ``everybody`` False only those whose move is awaited. One that does not
        answer within ``patience_s`` is left, and its answer taken in by a later call. A repository that cannot be
        reached is noted and skipped. Raises ``StoreError`` if the own repository cannot be written; what was validated
        is written with the next call then.
        """
        return carried_out(self.synchronizing(everybody, patience_s), self.pause)

    def synchronizing(self, everybody: bool = True, patience_s: float = PATIENCE_S) -> Waiting[int]:
        """The same, with its pauses left to whoever carries it out."""
        begin = self.time.monotonic()
        before = len(self.graph)
        due = awaited(self.graph.state)
        if self.chat is not None:
            self.chat.take_own(self._colour)
        self.push()
        for neighbour in self.neighbours:
            if (everybody or neighbour.hinted or neighbour.player in due) and neighbour.is_due:
                self._begin_look(neighbour, relayed=everybody)
        yield from self._go_on(patience_s)
        # A commit that was withheld may be attested by what came later.
        while (count := len(self.graph)) > before:
            for neighbour in self.neighbours:
                if neighbour.withheld is not None and neighbour.is_due:
                    self._begin_look(neighbour, relayed=False)
            yield from self._go_on(patience_s)
            if len(self.graph) == count:
                break
        # Who was being looked at when there was something new may have answered before it was there.
        if hinted := [neighbour for neighbour in self.neighbours if neighbour.hinted and neighbour.is_due]:
            for neighbour in hinted:
                self._begin_look(neighbour, relayed=everybody)
            yield from self._go_on(patience_s)
        self._remove_own_replies()
        self._tidy()
        self.push()
        found = len(self.graph) - before
        spent = self.time.monotonic() - begin
        if found:
            self.syncs.append(SyncTiming(self.player, found, spent))
        else:
            self.looks += 1
            self.looking_s += spent
        return found

    def push(self) -> None:
        """Go on with the relay, if there is one: what is published goes there."""
        if self.relay is not None:
            self.relay.tend(self.store, self.graph, may_replace=self.inquiry.is_over)

    @property
    def has_pushed_all(self) -> bool:
        """Whether the relay, if there is one, has everything that is published here."""
        return self.relay is None or self.relay.has_all(self.store)

    @property
    def has_answers(self) -> bool:
        """Whether something that was asked is answered, and not taken in yet."""
        if self.relay is not None and self.relay.meeting.is_ready:
            return True
        return any(neighbour.look is not None and neighbour.remote.answered() for neighbour in self.neighbours)

    def wait(self, most_s: float) -> None:
        """Wait until a neighbour has answered, at most so long."""
        under_way = [neighbour for neighbour in self.neighbours if neighbour.look is not None]
        meeting = None if self.relay is None else self.relay.meeting
        if not under_way and meeting is None:
            self.time.sleep(most_s)
            return
        news = under_way[0].remote.news if meeting is None else meeting.news
        with news:
            news.wait_for(lambda: self.has_answers, most_s)

    def hint(self, colour: str) -> None:
        """Take note that a player's repository is said to have something new: it is looked at next."""
        for neighbour in self.neighbours:
            if neighbour.colour == colour:
                neighbour.hinted = True

    def pause(self, asked: Wait) -> None:
        """Wait as some work of this replica asks for."""
        if asked.for_news:
            self.wait(asked.most_s)
        else:
            self.time.sleep(asked.most_s)

    # One look is a dialogue: it asks, and goes on when the answer is there, while others are looked at.

    def _begin_look(self, neighbour: Neighbour, *, relayed: bool) -> None:
        neighbour.withheld = None
        neighbour.hinted = False
        neighbour.looks += 1
        neighbour.look = self._look_at(neighbour, relayed=relayed)
        self._step(neighbour, None)

    def _go_on(self, patience_s: float) -> Waiting[None]:
        """Go on with all looks whose answers are there; those that were not long ago asked are waited for."""
        while under_way := [neighbour for neighbour in self.neighbours if neighbour.look is not None]:
            if self.relay is not None:
                self.relay.meeting.turn()
            ready = [neighbour for neighbour in under_way if neighbour.remote.answered()]
            for neighbour in ready:
                try:
                    answer: Answer | StoreError = neighbour.remote.answer()
                except StoreError as error:
                    answer = error
                self._step(neighbour, answer)
            if not ready:
                left_s = max(neighbour.asked_at for neighbour in under_way) + patience_s - self.time.monotonic()
                if left_s <= 0:
                    return
                yield Wait(left_s)

    def _step(self, neighbour: Neighbour, answer: Answer | StoreError | None) -> None:
        """Tell a look its answer, and ask what it asks next; at its end take note of how it went."""
        look = neighbour.look
        assert look is not None
        neighbour.look = None
        try:
            request = look.throw(answer) if isinstance(answer, StoreError) else look.send(answer)
            neighbour.remote.ask(request)
            neighbour.asked_at = self.time.monotonic()
            neighbour.look = look
            return
        except StopIteration:
            neighbour.patience.worked()
        except (Unreachable, BadFetch, Damaged, ObjectMissing) as error:
            neighbour.patience.failed(error)
        finally:
            if neighbour.look is None:
                look.close()
                neighbour.remote.rest()

    def _look_at(self, neighbour: Neighbour, *, relayed: bool) -> Look:
        wanted = self._branches(neighbour, relayed=relayed)
        words = () if self.chat is None else (self.chat.ref(neighbour.colour),)
        heads = (yield AskHeads((*wanted, *words))) or {}
        fresh = {ref: heads[ref] for ref in wanted if ref in heads and self._is_fresh(neighbour, ref, heads[ref])}
        if fresh:
            try:
                yield from self._bring(neighbour, fresh)
            except BadFetch as error:
                for ref, head in fresh.items():
                    self._refuse(neighbour, ref, head, Rejected(error.reason, head, str(error)))
                fresh = {}
            for ref in wanted:
                if ref in fresh:
                    self._follow_remote(neighbour, ref, wanted[ref], fresh[ref])
        if not self.inquiry.has_heard(neighbour.colour) or (
            neighbour.place == PLACE and self.relay is not None and self.relay.has_unknown(self.graph)
        ):
            yield from self._ask(neighbour)
        if fresh or self.time.monotonic() >= neighbour.strays_at + _STRAYS_SELDOM_S:
            yield from self._look_for_strays(neighbour)
        for ref in words:
            if ref in heads:
                yield from self._listen(neighbour, ref, heads[ref])

    def _listen(self, neighbour: Neighbour, ref: str, head: ObjectId) -> Look:
        """Take in what a player says; whatever is wrong with that is no affair of the game's."""
        if self.chat is None or not self.chat.is_fresh(neighbour.colour, head):
            return
        try:
            yield AskCommits({ref: head}, self.chat.held(neighbour.colour))
            self.chat.take(neighbour.colour, head, neighbour.remote.read)
        except BadFetch as error:
            self.chat.refuse(neighbour.colour, str(error))

    def _branches(self, neighbour: Neighbour, *, relayed: bool) -> dict[str, Branch]:
        """The refs to look for at a remote: the player's log and reply, and what it has seen of others.

        A reply that is known already is looked for, too: its player may have shown another one elsewhere.
        """
        state = self.graph.state
        found: dict[str, Branch] = {}
        for player, seat in enumerate(self.game.seats, 1):
            direct = player == neighbour.player
            if player == self.player or not (direct or relayed):
                continue
            branches: list[Branch] = [self.game.branch(player)]
            known = self.graph.replies.get(player)
            kinds = set(reply_kinds(state)) if known is not None or may_reply(state, player) else set()
            if known is not None:
                kinds.add(REPLIES[type(known.action)])
            branches += [self.game.reply_branch(self.graph.head, kind, player) for kind in sorted(kinds)]
            branches += self._votes_of(player)
            for branch in branches:
                found[local_ref(branch) if direct else remote_ref(seat.colour, branch)] = branch
        return found

    def _votes_of(self, player: Player) -> list[Branch]:
        """Where a player's votes on those would be whom the game waits for."""
        state = self.graph.state
        if not state.constants.rules.leaving or state.away[player - 1]:
            return []
        rounds = (self.graph.round_of(absent) for absent in awaited(state) if absent != player)
        return [self.game.reply_branch(one.base, vote_word(one.stage, one.absent), player) for one in rounds]

    def _branch_of(self, step: Step) -> ReplyBranch | None:
        """The temporary branch that a commit belongs on, None if it is one of the line or merged."""
        player = step.action.player
        if isinstance(step.action, Vote):
            if (cast := self.graph.ballot.loose.get(step.commit)) is None:
                return None
            return self.game.reply_branch(cast.round.base, vote_word(cast.round.stage, cast.round.absent), player)
        known = self.graph.replies.get(player)
        if known is None or known.commit != step.commit:
            return None
        return self.game.reply_branch(self.graph.head, REPLIES[type(step.action)], player)

    def _is_fresh(self, neighbour: Neighbour, ref: str, head: ObjectId) -> bool:
        if neighbour.seen.get(ref) == head or any(head == reply.commit for reply in self.graph.replies.values()):
            return False
        refused = neighbour.rejected.get(ref)
        return refused is None or refused.commit != head or refused.reason in _MAY_MEND

    def _bring(self, neighbour: Neighbour, fresh: Mapping[str, ObjectId]) -> Look:
        lacking = {ref: head for ref, head in fresh.items() if head not in self.graph}
        if lacking:
            if neighbour.remote.negotiates:
                self.store.publish()
            yield AskCommits(lacking, tuple(self._held(neighbour)))

    def _held(self, neighbour: Neighbour) -> list[ObjectId]:
        """Commits that a remote is likely to have too, the most telling first."""
        seen = [head for head in neighbour.seen.values() if head in self.graph]
        logs = (
            self.store.own_ref(remote_ref(neighbour.colour, self.game.branch(p))) for p in self.game.constants.players
        )
        return [*dict.fromkeys([*seen, *(log for log in logs if log is not None), self.graph.head, self.graph.root])]

    def _ask(self, neighbour: Neighbour) -> Look:
        """Take in what a neighbour holds of the own log: its own copies, and those that others have shown it."""
        heads = (yield AskHeads((), REMOTES)) or {}
        copies = {
            ref: branch
            for ref in heads
            if (branch := parse_branch(ref.rpartition("/")[2])) is not None and branch.colour == self._colour
        }
        nearest = remote_ref(self._colour, self.game.branch(self.player))
        wanted = sorted(copies, key=lambda ref: (ref != nearest, ref))[:MAX_STRAY_BRANCHES]
        fresh = {ref: heads[ref] for ref in wanted if self._is_fresh(neighbour, ref, heads[ref])}
        yield from self._bring(neighbour, fresh)
        for ref, head in fresh.items():
            if not self._take_back(neighbour, ref, head):
                return
        self.inquiry.hear(neighbour.colour)

    def _take_back(self, neighbour: Neighbour, ref: str, head: ObjectId) -> bool:
        """Take in a copy of an own branch; False if it must be looked at again once more of others' logs is known."""
        accepted: list[Step] = []
        refused = None
        if head not in self.graph:
            try:
                refused = self._extend(head, neighbour.remote.read, neighbour, accepted)
            except Withheld as error:
                neighbour.withheld = str(error)
                return False
            finally:
                self._record_own(accepted)
        if refused is not None:
            if neighbour.place == PLACE and self.relay is not None and self._is_settled(neighbour, refused):
                self.relay.refused(head, refused.reason in _PROVEN, str(refused))
            self._refuse(neighbour, ref, head, refused)
        neighbour.seen[ref] = head
        return True

    def _is_settled(self, neighbour: Neighbour, bad: Rejected) -> bool:
        """Whether a refusal will not be over at the next look."""
        return bad.reason not in _MAY_MEND or neighbour.failures >= _PATIENT_LOOKS

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

    def act(self, max_actions: int | None = None) -> list[Step]:
        """Act like any peer, once it is known what the others hold of the own log; nothing before that."""
        return super().act(max_actions) if self.inquiry.is_over else []

    def _look_for_strays(self, neighbour: Neighbour) -> Look:
        """Look at replies to what is over, in the neighbour's own branches and, if signed, copies of others'.

        An honest player removes them, another may try again, or have said something else to others.
        """
        if self.time.monotonic() < neighbour.strays_at:
            return
        neighbour.strays_at = self.time.monotonic() + _STRAYS_EVERY_S
        strays = dict((yield AskHeads((), HEADS)) or {})
        if self.is_signed:
            strays |= (yield AskHeads((), REMOTES)) or {}
        for ref, head in [*strays.items()][:MAX_STRAY_BRANCHES]:
            branch = parse_branch(ref.rpartition("/")[2])
            if not isinstance(branch, ReplyBranch) or head in self.graph:
                continue
            if ref not in (local_ref(branch), remote_ref(branch.colour, branch)) or branch.colour == self._colour:
                continue
            if ref.startswith(HEADS) and branch.colour != neighbour.colour:
                continue
            if branch.base == self.graph.head and not branch.is_vote:
                continue
            if branch.base in self.graph and self._is_fresh(neighbour, ref, head):
                yield from self._bring(neighbour, {ref: head})
                self._follow_remote(neighbour, ref, branch, head)

    def _follow_remote(self, neighbour: Neighbour, ref: str, branch: Branch, head: ObjectId) -> None:
        tracking = remote_ref(neighbour.colour, branch)
        before = self.store.own_ref(tracking)
        if head in self.graph:
            refused = self._goes_back(branch, head, before)
            if refused is None:
                self._track(tracking, head)
                neighbour.seen[ref] = head
                neighbour.rejected.pop(ref, None)
            else:
                # Its disk may have gone back: whoever shows no other continuation is charged with nothing.
                neighbour.rejected[ref] = refused
                neighbour.seen[ref] = head
            return
        accepted: list[Step] = []
        try:
            refused = self._extend(head, neighbour.remote.read, neighbour, accepted)
        except Withheld as error:
            refused = None
            if branch.colour == neighbour.colour:
                neighbour.withheld = str(error)
        if accepted:
            self._track_steps(neighbour, tracking, head, accepted)
        if refused is not None and refused.reason == "promised":
            neighbour.withheld = refused.detail
        elif refused is not None:
            self._refuse(neighbour, ref, head, refused)
        elif head in self.graph:
            neighbour.seen[ref] = head
            neighbour.rejected.pop(ref, None)

    def _goes_back(self, branch: Branch, head: ObjectId, before: ObjectId | None) -> Rejected | None:
        """Refuse a log that lost commits it had: those of a player only ever grow."""
        if before is None or before not in self.graph or isinstance(branch, ReplyBranch):
            return None
        if self.graph.height(head) >= self.graph.height(before):
            return None
        return Rejected("branch", head, f"{branch_name(branch)} goes back from {before[:10]}", other=before)

    def _extend(self, head: ObjectId, read: Read, neighbour: Neighbour | None, accepted: list[Step]) -> Rejected | None:
        """Validate everything up to ``head`` and add it to the graph, and to the store if it is a neighbour's."""
        commits = new_commits(head, self.graph, read)
        if isinstance(commits, Rejected):
            return commits
        withheld: dict[ObjectId, str] = {}
        for number, (commit, data) in enumerate(commits):
            if withheld and not withheld.keys().isdisjoint(decode_commit(data).parents):
                withheld[commit] = "it follows one that is withheld"
                continue
            made: list[tuple[ObjectKind, bytes]] = []
            step = self._judge(commit, data, made if neighbour is not None else None)
            if isinstance(step, Rejected) and neighbour is not None:
                if step.reason == "promised" and self._is_built_on(data, commits[number + 1 :], neighbour):
                    step = self._judge(commit, data, made)
                elif (
                    step.reason == "parents"
                    and self._is_without_us(data)
                    and self._move_over(commit, neighbour, accepted)
                ):
                    continue
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

    # Votes on who is silent

    def _is_built_on(self, data: bytes, following: list[tuple[ObjectId, bytes]], neighbour: Neighbour) -> bool:
        """Whether another player has accepted what this one has promised not to: then the promise is over."""
        author = self._author(data)
        for commit, other in following:
            player = self._author(other)
            if player in (None, author, self.player) or not (self.is_signed or player == neighbour.player):
                continue
            if self.graph.is_forged(commit, other):
                continue
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

    def _move_over(self, head: ObjectId, neighbour: Neighbour, accepted: list[Step]) -> bool:
        """Follow the others, who have gone on without this player: what nobody else has accepted is kept aside."""
        fresh = self.graph.begun_again()

        def read(oid: ObjectId) -> tuple[ObjectKind, bytes]:
            try:
                return self.store.read(oid)
            except ObjectMissing:
                return neighbour.remote.read(oid)

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
        left = self.store.own_ref(self._log)
        if left is not None and left not in fresh:
            self.store.record(abandoned_ref(left), left, self.store.own_ref(abandoned_ref(left)))
        self.graph = fresh
        accepted += [step for step, _ in found]
        return True

    def _comes_back(self, step: Step) -> bool:
        """Whether a commit is this player's own, which a repository of this player may have lost."""
        return step.action.player == self.player and not self.inquiry.is_over

    def _judge(self, commit: ObjectId, data: bytes, made: list[tuple[ObjectKind, bytes]] | None) -> Step | Rejected:
        try:
            return self.graph.check(commit, data) if made is None else self.graph.check(commit, data, _collector(made))
        except InvariantBroken as error:
            return Rejected("guard", commit, f"the action breaks the invariant {error.name}", (error.name,))

    # Keeping what was seen

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
            branch = parse_branch(ref.rpartition("/")[2])
            if commit in self.graph.ballot.loose:
                continue
            if isinstance(branch, ReplyBranch) and (
                branch.base != self.graph.head or branch.is_vote or self.graph.state.tp == "top"
            ):
                if self.store.own_ref(ref) == commit:
                    self.store.delete_ref(ref, commit)
                gone.append(ref)
        for ref in gone:
            del self._tracked[ref]

    def _refuse(self, neighbour: Neighbour, ref: str, head: ObjectId, bad: Rejected) -> None:
        self.rejected[bad.commit] = bad
        if bad.reason == "overtaken":
            neighbour.seen[ref] = head
            return
        self.refusals += 1
        own = self.store.read
        if bad.reason in _MAY_MEND:
            if self._is_settled(neighbour, bad):
                self._evidence.keep(Refusal(neighbour.place, neighbour.place, ref, bad), neighbour.remote.read, own)
            raise Unreachable(str(bad))
        if bad.reason != "excused":
            self._evidence.keep(self._charge(neighbour, ref, bad), neighbour.remote.read, own)
        neighbour.rejected[ref] = bad
        neighbour.seen[ref] = head

    def _charge(self, neighbour: Neighbour, ref: str, bad: Rejected) -> Refusal:
        """Whose doing a refused commit is: its author's, if that is proven or another commit contradicts it.

        Without signatures, a contradiction in somebody else's repository is the doing of one of the two, nobody can
        tell whose: the one may have made it up, or the other may have told people different things.
        """
        is_contradiction = bad.reason in ("fork", "vote") or (bad.reason == "late" and bad.other is not None)
        if is_contradiction or (self.is_signed and bad.reason in _PROVEN):
            try:
                message = decode_commit(neighbour.remote.read(bad.commit)[1]).message
                player = parse_action(message, self.game.constants).player
            except (FormatError, ObjectMissing, Damaged, Unreachable):
                return Refusal(neighbour.place, neighbour.place, ref, bad)
            colour = self.game.seats[player - 1].colour
            return Refusal(colour, neighbour.place, ref, bad, self.is_signed or player == neighbour.player)
        return Refusal(neighbour.place, neighbour.place, ref, bad)


def _seen_at(
    colour: str, remotes: Mapping[str, Asked], relay: Relay | None, time: TimeSource
) -> tuple[Asked, str, Patience]:
    """Where a player's branches are looked for, whose place that is, and how long it is left alone after failures."""
    if relay is None or colour in remotes:
        return remotes[colour], colour, Patience(time=time)
    return relay.view(colour), PLACE, relay.new_patience()


def _collector(made: list[tuple[ObjectKind, bytes]]) -> Callable[[ObjectKind, bytes], ObjectId]:
    """A ``Put`` that hashes, and remembers what it was given."""
    from catan_p2p.log.tree import hash_only

    def put(kind: ObjectKind, data: bytes) -> ObjectId:
        made.append((kind, data))
        return hash_only(kind, data)

    return put
