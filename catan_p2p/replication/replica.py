"""A peer with a repository of its own: it fetches from the other players' repositories and trusts none of them.

It takes in what others hold of the own log before its first own action. ``core`` decides what happens to fetched
commits.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from contextlib import suppress

from catan_p2p.game.actions import Action
from catan_p2p.game.chance import Nonce
from catan_p2p.game.constants import Player
from catan_p2p.game.rules import awaited
from catan_p2p.limits import COSTLY_BYTES, MAX_REFUSAL_LINES
from catan_p2p.log.evidence import EvidenceBox, RefusedCommit
from catan_p2p.log.graph import CommitGraph
from catan_p2p.log.reading import new_commits
from catan_p2p.log.refs import CHAT, HEADS, REMOTES
from catan_p2p.log.storage.objects import ObjectDamaged, ObjectId, ObjectMissing, StoreError
from catan_p2p.log.storage.store import GitStore
from catan_p2p.log.transport.pacing import Backoff
from catan_p2p.log.transport.queries import Answer, AskCommits, AskHeads, AsyncRemote
from catan_p2p.log.transport.remote import BadFetch, CostlyRemote, NotThereYet, RemoteUnreachable
from catan_p2p.log.verdict import MAY_MEND, CommitRejected, LoggedStep
from catan_p2p.players.choosing import PolicyChooser
from catan_p2p.replication.catch_up import CatchUp
from catan_p2p.replication.chat import ChatLog
from catan_p2p.replication.core.commit_author import GaveUp
from catan_p2p.replication.core.effects import DisownRef, Effect, KeepEvidence, LeaveSource, RecordRef
from catan_p2p.replication.core.events import CommitsBrought, HeadHeard, LooksEnded
from catan_p2p.replication.core.source import PLACE, BranchSource
from catan_p2p.replication.coroutines import LookPause, Waiting, carried_out
from catan_p2p.replication.head_note import HeadNote
from catan_p2p.replication.neighbour import Look, Neighbour
from catan_p2p.replication.peer import Clock, Peer, Randomness, SyncTiming
from catan_p2p.replication.relay import SeatRelay
from catan_p2p.time_source import SYSTEM_TIME, TimeSource

ANSWER_S = 10.0
"""How long to wait for an answer by default."""
_STRAYS_EVERY_S = 0.5
_STRAYS_SELDOM_S = 5.0
"""The longer interval while nothing else is new."""
_UNWATCHED_S = 3.0
"""How often to look at a neighbour where nothing seems to have moved: the system may report it late, or wrongly."""
_VAIN_LOOKS, _VAIN_S = 10, 0.05
"""After this many looks in a row without a result, each delays the next one by this much, whatever is announced."""
_WHOLE_QUIET_S, _WHOLE_S = 5.0, 120.0
"""How often a neighbour that announces moves is nevertheless asked for everything, including what it has seen of
others: after this long without anything new, and in any case. Such a look takes some six delays, and what the neighbour
announces meanwhile waits for its end.
"""
_WATCH_PART, _WATCH_LEAST_S, _WATCH_MOST_S = 0.2, 0.002, 0.2
"""While waiting, a folder is checked for changes after each such part of the wait."""
_REMEMBERED = 0.9
"""The part of the longest look's time that is remembered after the next one."""


class Replica(Peer):
    """A player's replica in the player's own repository, with a remote for each other player that is known."""

    def __init__(
        self,
        store: GitStore,
        graph: CommitGraph,
        player: Player,
        chooser: PolicyChooser,
        randomness: Randomness,
        clock: Clock,
        remotes: Mapping[str, AsyncRemote],
        *,
        relay: SeatRelay | None = None,
        has_chat: bool = True,
        alone: bool = False,
        secret: bytes | None = None,
        new_nonce: Callable[[], Nonce] | None = None,
        time: TimeSource = SYSTEM_TIME,
        note: HeadNote | None = None,
    ) -> None:
        game = graph.game
        neighbours = [
            Neighbour(BranchSource(other, seat.colour, place), remote, backoff)
            for other, seat in enumerate(game.seats, 1)
            if other != player and (seat.colour in remotes or relay is not None)
            for remote, place, backoff in [_seen_at(seat.colour, remotes, relay, time)]
        ]
        sources = [neighbour.source for neighbour in neighbours]
        super().__init__(
            store,
            graph,
            player,
            chooser,
            randomness,
            clock,
            sources=sources,
            secret=secret,
            new_nonce=new_nonce,
            time=time,
        )
        colours = [one.colour for one in neighbours]
        self.catch_up = CatchUp(colours, excused=self._excused, alone=alone, time=time)
        self._note = note if game.has_views else None
        self._begun_before: frozenset[str] | None = None
        """In a repository that was put back: the views that others were leaving when catching up was over."""
        self.neighbours = neighbours
        self.relay = relay
        self.chat = ChatLog(store, game, graph.root, time) if has_chat else None
        """The players' chat, None if nobody listens."""
        self._evidence = EvidenceBox(store.folder / "catan-p2p", store.medium)
        self.tell_refusal: Callable[[RefusedCommit], None] = lambda refusal: None
        """Called for each commit that is refused, but not for ever: a player may send junk for ever."""
        self._colour = game.seats[player - 1].colour
        self.looks = 0
        """How many looks found nothing new."""
        self._known_count, self._grew_at = 0, time.monotonic()
        """How many commits were known at the last look at others, and when the last of them came."""
        self.dirt: str | None = None
        """Git's complaint about the repository apart from the game; None if there is none."""

    def _excused(self) -> dict[str, bool]:
        """The neighbours who have been excused, by colour, and whether they can be reached."""
        away = self.graph.state.away
        return {one.colour: one.trouble is None for one in self.neighbours if away[one.player - 1]}

    def close(self) -> None:
        """Close all remotes; the store stays open."""
        self._sync_note()
        for neighbour in self.neighbours:
            neighbour.remote.close()
        if self.relay is not None:
            self.relay.close()

    def resume(self) -> None:
        """Take in the own repository: after a restart, before anything else.

        Raises ``ObjectDamaged`` if the own log cannot be read: a peer that does not know what it did must not act.
        """
        self._restart(ref for folder in (HEADS, REMOTES) for ref in self.store.list_refs(folder, broken=[]))
        if self._note is not None:
            self.catch_up.is_here = self._note.agrees(self.store.own_ref(self.core.held.log))

    def _sync_note(self) -> None:
        """Keep a loss of power from making this repository look like one that was put back."""
        if self._note is not None:
            self._note.sync()

    @property
    def is_awaited(self) -> bool:
        """Whether the game waits for this player, who takes part in it."""
        return super().is_awaited and not self._is_left_before

    @property
    def _is_left_before(self) -> bool:
        """Whether others were leaving the present view when catching up was over in a repository that was put back."""
        graph = self.graph
        return graph.game.has_views and graph.valid.view.id in (self._begun_before or ())

    @property
    def may_sign(self) -> bool:
        """Whether this player signs anything now: not before they know what the others hold of the own log.

        From a repository that was put back they take no part in a change of the view that had begun before.
        """
        if not self.catch_up.is_over:
            return False
        graph = self.graph
        if self.catch_up.is_here or not graph.game.has_views:
            return True
        if self._begun_before is None:
            # Whoever comes for the first time has signed nothing that could be lost.
            has_played = graph.valid.chain_ends[self.player] != graph.root or self._note is None or self._note.is_kept
            self._begun_before = frozenset(change.id for change in graph.valid.changes.votes if has_played)
        if self._is_left_before:
            return False
        self.catch_up.is_here = True
        if self._note is not None and (log := self.store.own_ref(self.core.held.log)) is not None:
            self._note.keep(log)
        return True

    def _carry_out(self, effect: Effect) -> None:
        match effect:
            case KeepEvidence(refusal, commits):
                found = {oid: (kind, data) for oid, kind, data in commits}
                self._evidence.keep(refusal, found)
                if self.refusals <= MAX_REFUSAL_LINES:
                    self.tell_refusal(refusal)
            case DisownRef(_, head, is_rival, why):
                if self.relay is not None:
                    self.relay.refused(head, is_rival, why)
            case RecordRef(ref, old, new):
                is_noted = self._note is not None and ref == self.core.held.log and self.catch_up.is_here
                if is_noted and self._note is not None:
                    self._note.keep(*filter(None, (old, new)))
                # What another program has put there is not what the core knows of: the store sets it aside.
                if self.store.own_ref(ref) != new:
                    self.store.record(ref, new, old)
                if is_noted and self._note is not None:
                    self._note.keep(new)
            case LeaveSource(_, why, is_waiting):
                self._due.clear()  # it is the last
                raise NotThereYet(why) if is_waiting else RemoteUnreachable(why)
            case _:
                super()._carry_out(effect)

    # Looking at others

    def synchronize(self, everybody: bool = True, answer_s: float = ANSWER_S) -> int:
        """Look at the other players' repositories, validate and take in what is new; return the number of new commits.

        All are looked at side by side, or with ``everybody`` False only those whose move is awaited. The answer of one
        that takes longer than ``answer_s`` is taken in by a later call. A repository that cannot be reached is noted
        and skipped. Raises ``StoreError`` if the own repository cannot be written; then the next call writes what was
        validated.
        """
        return carried_out(self.synchronizing(everybody, answer_s), self.pause)

    def synchronizing(self, everybody: bool = True, answer_s: float = ANSWER_S) -> Waiting[int]:
        """The same, with its pauses left to the caller."""
        begin, held = self.time.monotonic(), self.core.held
        before = len(held.graph)
        if before != self._known_count:
            self._known_count, self._grew_at = before, begin
        due = awaited(held.graph.state)
        if self.chat is not None:
            self.chat.take_own(self._colour)
        # Before the looks, so that the relay has the own actions while the others' are read.
        self.push()
        self._sync_note()
        for neighbour in self.neighbours:
            has_news = self._has_news(neighbour)
            if not (everybody or neighbour.hinted or has_news or neighbour.player in due) or not neighbour.is_due:
                continue
            relayed = everybody or has_news
            if has_news or self._is_worth_a_look(neighbour, relayed=relayed):
                self._begin_look(neighbour, relayed=relayed)
        yield from self._go_on(answer_s)
        # A commit that was withheld may be attested by what came later.
        while (count := len(held.graph)) > before:
            for neighbour in self.neighbours:
                if neighbour.source.withheld is not None and neighbour.is_due:
                    self._begin_look(neighbour, relayed=False)
            yield from self._go_on(answer_s)
            if len(held.graph) == count:
                break
        # Who was being looked at when there was something new may have answered before it was there.
        if hinted := [neighbour for neighbour in self.neighbours if neighbour.hinted and neighbour.is_due]:
            for neighbour in hinted:
                self._begin_look(neighbour, relayed=everybody)
            yield from self._go_on(answer_s)
        if not self._due:
            self.feed(LooksEnded())
        self.push()
        found = len(held.graph) - before
        spent = self.time.monotonic() - begin
        if found:
            self.syncs.append(SyncTiming(self.player, found, spent))
        else:
            self.looks += 1
        return found

    def _is_worth_a_look(self, neighbour: Neighbour, *, relayed: bool) -> bool:
        """Whether a look may find something: not if nothing has moved, and everything that was there is dealt with."""
        if neighbour.remote.may_be_new or neighbour.hinted or neighbour.listed is None:
            return True
        source, looking = neighbour.source, self.core.looking
        asked, heads = neighbour.listed
        return (
            source.withheld is not None
            or neighbour.known_count != len(self.graph)
            or not self.catch_up.has_heard(neighbour.colour)
            or self._is_whole(neighbour)
            or not asked.issuperset(looking.wanted(source, relayed=self._relayed(neighbour) if relayed else ()))
            or any(self._is_fresh(neighbour, ref, head) for ref, head in heads.items())
            or (self.relay is not None and neighbour.place == PLACE and self.relay.has_unknown(self.graph))
        )

    def _is_fresh(self, neighbour: Neighbour, ref: str, head: ObjectId) -> bool:
        """Whether a head at a ref is not dealt with."""
        if self.chat is not None and ref == self.chat.ref(neighbour.colour):
            return self.chat.is_fresh(neighbour.colour, head)
        return self.core.looking.is_fresh(neighbour.source, ref, head)

    def _has_news(self, neighbour: Neighbour) -> bool:
        """Whether something may be new there without looking; less often after false alarms."""
        if not neighbour.has_news:
            return False
        vain = neighbour.vain_looks - _VAIN_LOOKS
        return vain <= 0 or self.time.monotonic() >= neighbour.begun_at + min(vain * _VAIN_S, 1.0)

    def _is_whole(self, neighbour: Neighbour) -> bool:
        """Whether a neighbour must be asked for everything, whatever it announces."""
        if neighbour.remote.is_telling:
            since_s = self.time.monotonic() - neighbour.whole_at
            return since_s >= (_WHOLE_QUIET_S if self.time.monotonic() - self._grew_at >= _WHOLE_QUIET_S else _WHOLE_S)
        return self.time.monotonic() >= neighbour.begun_at + _UNWATCHED_S

    def _relayed(self, neighbour: Neighbour) -> Collection[Player]:
        """The players whose branches are looked for at a neighbour: if it announces moves, those nobody else shows."""
        if neighbour.remote.is_telling and not self._is_whole(neighbour):
            return self._unheard
        return self.core.held.game.constants.players

    @property
    def _unheard(self) -> tuple[Player, ...]:
        """The players who cannot be looked at directly, or not now."""
        heard = {one.player for one in self.neighbours if not one.failures}
        return tuple(player for player in self.core.held.game.constants.players if player not in {*heard, self.player})

    @property
    def _needs_copies(self) -> bool:
        """Whether neighbours should also announce at once what they have seen of others: if somebody is heard only
        through others, or if the game is over, because players may leave once all have what everybody opened.
        """
        return bool(self._unheard) or self.graph.state.is_over

    def push(self) -> None:
        """Push what is published to the relay, if there is one."""
        if self.relay is not None:
            self.relay.tend(self.store, self.graph, may_replace=self.catch_up.is_over)

    @property
    def is_signed(self) -> bool:
        """Whether all players have keys."""
        return self.core.held.is_signed

    @property
    def refusals(self) -> int:
        """How many commits were refused that somebody is to blame for."""
        return self.core.intake.refusals.count

    @property
    def longest_look_s(self) -> float:
        """The longest time that a look at another player has taken, as far as remembered."""
        return max((neighbour.longest_s for neighbour in self.neighbours), default=0.0)

    @property
    def has_pushed_all(self) -> bool:
        """Whether the relay, if there is one, has everything that is published here."""
        return self.relay is None or self.relay.has_all(self.store)

    @property
    def has_answers(self) -> bool:
        """Whether an answer has come that is not taken in yet."""
        if self.relay is not None and self.relay.meeting.is_ready:
            return True
        for neighbour in self.neighbours:  # noqa: SIM110 - after every step of every peer, so without a generator
            if neighbour.look is not None and neighbour.remote.answered():
                return True
        return False

    @property
    def has_news(self) -> bool:
        """Whether an answer has come, or a neighbour may have something new."""
        return self.has_answers or self._others_have_news

    @property
    def _others_have_news(self) -> bool:
        """Whether a neighbour without a current look may have something new."""
        return any(one.is_due and self._has_news(one) for one in self.neighbours)

    def wait(self, most_s: float) -> None:
        """Wait at most ``most_s`` until a neighbour has answered, or may have something new."""
        under_way = [neighbour for neighbour in self.neighbours if neighbour.look is not None]
        watched = [neighbour for neighbour in self.neighbours if neighbour.is_watched]
        meeting = None if self.relay is None else self.relay.meeting
        if not under_way and not watched and meeting is None:
            self.time.sleep(most_s)
            return
        news = meeting.news if meeting is not None else (*under_way, *watched)[0].remote.news
        until = self.time.monotonic() + most_s
        pause_s = most_s
        if any(neighbour.remote.is_folder for neighbour in watched):
            pause_s = min(max(_WATCH_PART * most_s, _WATCH_LEAST_S), _WATCH_MOST_S)
        with news:
            while not self.has_news and (left_s := until - self.time.monotonic()) > 0:
                news.wait(min(pause_s, left_s))

    def hint(self, colour: str) -> None:
        """Note that a player's repository is said to have something new: it is looked at next."""
        for neighbour in self.neighbours:
            if neighbour.colour == colour:
                neighbour.hinted = True
        if self.relay is not None:
            self.relay.meeting.expire()

    def pause(self, asked: LookPause) -> None:
        """Pause as some work of this replica asks."""
        if asked.for_news:
            self.wait(asked.most_s)
        else:
            self.time.sleep(asked.most_s)

    # One look is a dialogue: it asks, and goes on when the answer is there, while others are looked at.

    def _begin_look(self, neighbour: Neighbour, *, relayed: bool) -> None:
        neighbour.source.withheld = None
        neighbour.hinted = False
        neighbour.looks += 1
        neighbour.begun_at = self.time.monotonic()
        neighbour.known_count, neighbour.listed = len(self.graph), None
        neighbour.look = self._look_at(neighbour, relayed=relayed)
        self._step(neighbour, None)
        neighbour.is_watched = not neighbour.remote.may_be_new

    def _go_on(self, answer_s: float) -> Waiting[None]:
        """Continue all looks whose answers have come; recent requests are waited for."""
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
                left_s = max(neighbour.asked_at for neighbour in under_way) + answer_s - self.time.monotonic()
                if left_s <= 0 or self._others_have_news:  # a neighbour with news does not wait for a slow one
                    return
                yield LookPause(left_s)

    def _step(self, neighbour: Neighbour, answer: Answer | StoreError | None) -> None:
        """Pass a look its answer, and send its next request; at its end record how it went."""
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
            neighbour.backoff.worked()
            took_s = self.time.monotonic() - neighbour.begun_at
            neighbour.longest_s = max(_REMEMBERED * neighbour.longest_s, took_s)
            neighbour.is_watched |= not neighbour.remote.may_be_new
            neighbour.vain_looks = 0 if len(self.graph) != neighbour.known_count else neighbour.vain_looks + 1
        except (RemoteUnreachable, BadFetch, ObjectDamaged, ObjectMissing) as error:
            neighbour.backoff.failed(error)
        finally:
            if neighbour.look is None:
                look.close()
                # A failed or finished look leaves no connection open without need.
                neighbour.remote.rest()

    def _look_at(self, neighbour: Neighbour, *, relayed: bool) -> Look:
        looking, source, held = self.core.looking, neighbour.source, self.core.held
        is_heard = self.catch_up.has_heard(neighbour.colour)
        # Own commits may be left in copies of others' logs alone, which have merged them.
        whose = held.game.constants.players if not is_heard else self._relayed(neighbour) if relayed else ()
        wanted = looking.wanted(source, relayed=whose)
        with_copies = self._needs_copies or not neighbour.remote.is_telling or self._is_whole(neighbour)
        if relayed and self._is_whole(neighbour):
            neighbour.whole_at = self.time.monotonic()
        words = () if self.chat is None else (self.chat.ref(neighbour.colour),)
        neighbour.remote.follow((HEADS, CHAT, REMOTES) if self._needs_copies else (HEADS, CHAT))
        heads = (yield AskHeads((*wanted, *words))) or {}
        fresh = {ref: heads[ref] for ref in wanted if ref in heads and looking.is_fresh(source, ref, heads[ref])}
        lacking = [head for head in fresh.values() if head not in held.graph]
        is_too_much, bytes_before = False, neighbour.remote.bytes_received
        try:
            yield from self._bring(neighbour, fresh)
        except BadFetch as error:
            is_too_much = error.reason == "size"
            for ref, head in fresh.items():
                self._feed_heard(neighbour, ref, head, CommitsBrought(CommitRejected(error.reason, head, str(error))))
            fresh = {}
        for ref, head in fresh.items():
            self._hear(neighbour, ref, head)
        if not is_heard or (neighbour.place == PLACE and self.relay is not None and self.relay.has_unknown(held.graph)):
            yield from self._ask(neighbour)
        if fresh or neighbour.remote.is_telling or self.time.monotonic() >= neighbour.strays_at + _STRAYS_SELDOM_S:
            yield from self._look_for_strays(neighbour, with_copies=with_copies)
        for ref in words:
            if ref in heads:
                yield from self._listen(neighbour, ref, heads[ref])
        if held.graph.state.is_over and not neighbour.has_opened and self.opens_cards:
            there = {**heads, **((yield AskHeads((), REMOTES)) or {})}
            neighbour.has_opened = looking.has_openings(source, there)
        took_bytes = neighbour.remote.bytes_received - bytes_before
        if is_too_much or (took_bytes >= COSTLY_BYTES and not any(head in held.graph for head in lacking)):
            # Otherwise a neighbour could send other junk at every look, and each would cost as much.
            much = "too much" if is_too_much else f"{took_bytes} bytes, none of which belong to the game"
            raise CostlyRemote(f"{neighbour.remote.url}: sends {much}")
        neighbour.listed = frozenset(wanted), {ref: heads[ref] for ref in (*wanted, *words) if ref in heads}

    def _bring(self, neighbour: Neighbour, fresh: Mapping[str, ObjectId]) -> Look:
        remote, lacking = neighbour.remote, {ref: head for ref, head in fresh.items() if head not in self.graph}
        if lacking:
            if remote.negotiates:
                # Git tells the server the own refs, so they must lead to everything that is held.
                self.store.publish()
            # In a folder nothing is read below a commit that was refused for good; to Git one would promise to have it.
            refused = () if remote.negotiates else self.core.intake.refusals.for_good
            yield AskCommits(lacking, self.core.looking.held_there(neighbour.source, refused))

    def _hear(self, neighbour: Neighbour, ref: str, head: ObjectId) -> None:
        """Tell the core about a neighbour's head at a ref."""
        commits = new_commits(head, self.graph, neighbour.remote.read, self.core.intake.refusals.for_good)
        odd = None
        # The bytes of a refused commit are the evidence against its author.
        if isinstance(commits, CommitRejected) and commits.reason not in MAY_MEND:
            with suppress(ObjectMissing, ObjectDamaged, RemoteUnreachable):
                odd = neighbour.remote.read(commits.commit)
        self._feed_heard(neighbour, ref, head, CommitsBrought(commits, odd))

    def _feed_heard(self, neighbour: Neighbour, ref: str, head: ObjectId, brought: CommitsBrought) -> None:
        is_catching_up = not self.catch_up.is_over
        try:
            self.feed(HeadHeard(neighbour.colour, ref, head, brought, neighbour.failures, is_catching_up))
        except StoreError:
            neighbour.source.look_again(ref)  # the disk may take it then
            raise

    def _ask(self, neighbour: Neighbour) -> Look:
        """Take in what a neighbour holds of the own log: its own copies, and copies that others have shown it."""
        fresh = self.core.looking.own_copies(neighbour.source, (yield AskHeads((), REMOTES)) or {})
        yield from self._bring(neighbour, fresh)
        for ref, head in fresh.items():
            self._hear(neighbour, ref, head)
        if neighbour.source.withheld is None:  # else it is looked at again once more of others' logs is known
            self.catch_up.hear(neighbour.colour)

    def _look_for_strays(self, neighbour: Neighbour, *, with_copies: bool) -> Look:
        """Look at replies to past commits, in the neighbour's own branches and, if signed, in copies of others'."""
        if self.time.monotonic() < neighbour.strays_at and not neighbour.remote.is_telling:
            return
        neighbour.strays_at = self.time.monotonic() + _STRAYS_EVERY_S
        heads = dict((yield AskHeads((), HEADS)) or {})
        if self.is_signed and with_copies:
            heads |= (yield AskHeads((), REMOTES)) or {}
        for ref, head in self.core.looking.strays(neighbour.source, heads):
            yield from self._bring(neighbour, {ref: head})
            self._hear(neighbour, ref, head)

    def _listen(self, neighbour: Neighbour, ref: str, head: ObjectId) -> Look:
        """Take in a player's chat; its faults do not concern the game."""
        if self.chat is None or not self.chat.is_fresh(neighbour.colour, head):
            return
        try:
            yield AskCommits({ref: head}, self.chat.held(neighbour.colour))
            self.chat.take(neighbour.colour, head, neighbour.remote.read)
        except BadFetch as error:
            self.chat.refuse(neighbour.colour, str(error))

    def act(self, max_actions: int | None = None) -> list[LoggedStep]:
        """Act like any peer, once it is known what the others hold of the own log."""
        return super().act(max_actions) if self.may_sign else []

    def carry_out(self, action: Action) -> LoggedStep:
        """Log an own action that was decided elsewhere, like any peer; ``GaveUp`` while this player may not sign."""
        if not self.may_sign:
            raise GaveUp("the other players must be heard from first: try again in a minute")
        return super().carry_out(action)


def _seen_at(
    colour: str, remotes: Mapping[str, AsyncRemote], relay: SeatRelay | None, time: TimeSource
) -> tuple[AsyncRemote, str, Backoff]:
    """Where to look for a player's branches, whose place that is, and how long to leave it alone after failures."""
    if relay is None or colour in remotes:
        return remotes[colour], colour, Backoff(time=time)
    return relay.view(colour), PLACE, relay.new_backoff()
