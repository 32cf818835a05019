"""Playing over a relay: each player pushes their own branches to one repository, and fetches all others from it.

The relay can withhold or lose what it was given, or show old refs. It cannot forge anything, because every commit from
it is validated like any neighbour's. Only published commits are pushed, so they are on stable storage before anybody
else can see them. Foreign commits at this player's refs are replaced, where the relay allows it, but never commits that
this player's key has signed: they come from another copy of this seat at play.

A relay can also lose objects that its refs still lead to. It is asked whether all of this player's branches can be read
there: at the start, and again while nothing new comes from it, less and less often. In a folder everything is written
again. To a server Git sends no object that any ref there leads to. So each player whose branches have lost something
deletes them first, and pushes them anew once those of all others are gone, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from catan_p2p.game.constants import Player
from catan_p2p.log.game import GameDefinition
from catan_p2p.log.graph import CommitGraph
from catan_p2p.log.refs import (
    HEADS,
    Branch,
    ReplyBranch,
    branch_at,
    chat_branch_ref,
    chat_ref,
    copy_at,
    local_ref,
    remote_ref,
)
from catan_p2p.log.storage.objects import ObjectId, StoreError
from catan_p2p.log.storage.store import GitStore
from catan_p2p.log.transport.pacing import Backoff, quiet_pause_s
from catan_p2p.log.transport.queries import AskHeads, AskPush, AskReadable, PushMove
from catan_p2p.log.transport.shared_repository import Names, PendingRequest, SharedRepository, SharedView
from catan_p2p.replication.coroutines import LookPause, Waiting, carried_out
from catan_p2p.time_source import SYSTEM_TIME, TimeSource

LEAST_S = 30.0
"""How long a relay must have shown nothing new before it is asked again."""
GONE_S = 20.0
"""How long the own branches stay away from a server while branches of others still lead to something there."""
_QUIET_PART = 0.5
"""Objects are lost seldom: after the same quiet the pause is five times that between looks for news."""
_MOST_S = 600.0
_MOST_DOUBLINGS = 10


class RelayObjects:
    """Which of this player's branches at a relay lead to objects that cannot be read there."""

    def __init__(self, meeting: SharedRepository, time: TimeSource = SYSTEM_TIME) -> None:
        self.least_s = LEAST_S
        self.gone_s = GONE_S
        self._meeting = meeting
        self._time = time
        self._lost: dict[str, ObjectId] = {}
        """Refs that count as missing, with their heads."""
        self._removed_at: float | None = None
        self._logs: frozenset[str] = frozenset()
        self._asked: PendingRequest | None = None
        self._asked_at: float | None = None
        self._losses = 0
        """How often in a row something was lost: it is sent again less and less often."""

    @property
    def is_known(self) -> bool:
        """Whether the relay was asked, and has answered."""
        return self._asked_at is not None and self._asked is None

    def is_lost(self, ref: str, there: ObjectId | None) -> bool:
        """Whether the history of a ref at the relay cannot be read."""
        return there is not None and self._lost.get(ref) == there

    @property
    def stays_away(self) -> bool:
        """Whether removed branches must not be pushed yet, because others still have branches there."""
        removed_at = self._removed_at
        return removed_at is not None and bool(self._logs) and self._time.monotonic() < removed_at + self.gone_s

    def was_pushed(self, ref: str) -> None:
        """Note that everything that a ref leads to was sent."""
        self._lost.pop(ref, None)

    def was_removed(self, ref: str) -> None:
        """Note that a ref with a lost history is gone."""
        if self._lost.pop(ref, None) is not None:
            self._removed_at = self._time.monotonic()

    def tend(self, published: Mapping[str, ObjectId], logs: Iterable[str]) -> None:
        """Take in the answer, and ask again when it is time.

        ``published`` are the own branches at the relay, ``logs`` those of the others: if one of them disappears, its
        player may have found something lost.
        """
        before, self._logs = self._logs, frozenset(logs)
        asked = self._asked
        if asked is not None and asked.answer is not None:
            self._asked = None
            assert isinstance(asked.request, AskReadable)
            if not isinstance(asked.answer, StoreError):  # what cannot be asked now is asked later
                readable = asked.answer
                self._lost = {ref: head for ref, head in asked.request.heads.items() if ref not in readable}
                self._losses = self._losses + 1 if self._lost else 0
        elif asked is None and (before - self._logs or self._is_due()):
            self._asked_at = self._time.monotonic()
            if published:
                self._asked = self._meeting.post(AskReadable(published))

    def _is_due(self) -> bool:
        if self._asked_at is None:
            return True
        now = self._time.monotonic()
        least_s: float = self.least_s * 2 ** min(self._losses, _MOST_DOUBLINGS)
        pause_s = quiet_pause_s(now - self._meeting.changed_at, least_s, _MOST_S, _QUIET_PART)
        return now - max(self._asked_at, self._meeting.changed_at) >= pause_s


_FLUSH_S = 20.0
_FLUSH_WAIT_S = 0.05
_REMOVED_AT_ONCE = 16
SERVER_S = 15.0
"""The longest pause after a failure of a server."""


class SeatRelay:
    """The relay of one seat: what is pushed there, and what prevents it."""

    def __init__(
        self,
        meeting: SharedRepository,
        game: GameDefinition,
        player: Player,
        time: TimeSource = SYSTEM_TIME,
        *,
        has_chat: bool = True,
    ) -> None:
        self._time = time
        self.meeting = meeting
        self._said = chat_ref(game.seats[player - 1].colour, game.number) if has_chat else None
        """The ref of the own chat in the own repository."""
        self._chat = self._said
        """Its ref at the relay: a branch, if the relay takes only branches."""
        self.backoff = self.new_backoff()
        self.url = meeting.remote.url
        self._game = game
        self._colour = game.seats[player - 1].colour
        self._log = local_ref(game.branch(player))
        self._others_logs = {local_ref(game.branch(other + 1)) for other in range(len(game.seats))} - {self._log}
        self.objects = RelayObjects(meeting, time)
        self._push: PendingRequest | None = None
        self._look: PendingRequest | None = None
        self._pushed: dict[str, ObjectId] = {}
        self._junk: set[ObjectId] = set()
        self._rivals: dict[ObjectId, str] = {}
        self._refused_chat: tuple[ObjectId | None, ObjectId | None] | None = None
        """Heads of the own chat, there and here, between which the relay refuses to move."""
        self._kept: set[str] = set()
        """Refs that the relay does not delete."""
        self._refused: set[PushMove] = set()
        """Moves that the relay has refused since a push last succeeded, not those that failed because it was away."""

    def new_backoff(self) -> Backoff:
        """How long something there is left alone after failures: longer at somebody else's server."""
        return Backoff(time=self._time) if self.meeting.remote.is_folder else Backoff(most_s=SERVER_S, time=self._time)

    def view(self, colour: str) -> SharedView:
        """Return the remote of another player, as the relay shows it."""
        return SharedView(self.meeting, self._names(colour))

    def _names(self, colour: str) -> Names:
        said, said_before = chat_ref(colour, self._game.number), chat_branch_ref(colour, self._game.number)

        def name(ref: str) -> str | None:
            if ref == said or (ref == said_before and said not in self._listing):
                return said
            if (copy := copy_at(ref)) is not None:
                return ref if (copy.colour, copy.game) == (colour, self._game.number) else None
            branch = self._branch(ref)
            if branch is None:
                return None
            if branch.colour == colour:
                return ref
            # What is there of the own branches is a copy of them, as others have copies.
            return remote_ref(self._colour, branch) if branch.colour == self._colour else None

        return name

    @property
    def _listing(self) -> Mapping[str, ObjectId]:
        return self.meeting.listing or {}

    def _branch(self, ref: str) -> Branch | None:
        """Return the branch of this game at a ref of the relay, None if it is none."""
        branch = branch_at(ref) if ref.startswith(HEADS) else None
        return branch if branch is not None and branch.game == self._game.number else None

    @property
    def trouble(self) -> str | None:
        """Why the last push failed, None if it did not."""
        return self.backoff.trouble

    def refused(self, head: ObjectId, by_own_key: bool, why: str) -> None:
        """Note a head at this player's refs there that this peer did not put there."""
        if by_own_key:
            self._rivals[head] = why
        else:
            self._junk.add(head)

    def has_unknown(self, graph: CommitGraph) -> bool:
        """Whether a head at this player's log there has not been looked at."""
        own = (self.meeting.listing or {}).get(self._log)
        return own is not None and own not in graph and own not in self._junk and own not in self._rivals

    def tend(self, store: GitStore, graph: CommitGraph, *, may_replace: bool) -> None:
        """Continue requests to the relay, and push what is published here and missing there."""
        self.meeting.turn()
        self._take_answers()
        listing = self.meeting.listing
        may_retry = self.backoff.is_over
        # What was never refused does not wait with what was: a relay that shows what is old refuses what follows it.
        if self._push is not None or self._look is not None or not (may_retry or self._refused):
            return
        if listing is None:
            self._look = self.meeting.post(AskHeads((self._log,), HEADS)) if may_retry else None
            return
        own = self._own(store)
        if may_retry:
            there = {ref: listing[ref] for ref in own if ref in listing}
            is_own = {ref: head for ref, head in there.items() if ref == self._chat or head in graph}
            self.objects.tend(is_own, self._others_logs & listing.keys())
        moves = self._moves(own, graph, listing, may_replace=may_replace)
        if not may_retry:
            moves = tuple(move for move in moves if move not in self._refused)
        if moves:
            self._push = self.meeting.post(AskPush(moves))

    def _take_answers(self) -> None:
        look, push = self._look, self._push
        if look is not None and look.answer is not None:
            self._look = None
            if isinstance(look.answer, StoreError):
                self._refused.clear()
                self.backoff.failed(look.answer)
        if push is None or push.answer is None:
            return
        self._push = None
        if isinstance(push.answer, StoreError):
            self._refused.clear()
            self.backoff.failed(push.answer)
            return
        assert isinstance(push.request, AskPush)
        refused = push.refused or {}
        lost = set()
        for move in push.request.moves:
            if move.new is None and self.objects.is_lost(move.ref, move.old):
                if move.ref in refused:
                    lost.add(move.ref)
                else:
                    self.objects.was_removed(move.ref)
            elif move.new is None and move.ref in refused:
                self._kept.add(move.ref)
            elif move.ref == self._chat and move.ref in refused:
                # The relay takes no refs outside refs/heads: the chat moves to a branch there.
                if move.old is None and move.ref == self._said:
                    self._chat = chat_branch_ref(self._colour, self._game.number)
                else:
                    self._refused_chat = move.old, move.new
            elif move.new is not None and move.ref not in refused:
                self._pushed[move.ref] = move.new
                if move.is_whole:
                    self.objects.was_pushed(move.ref)
        chats = (self._said, self._chat)
        serious = {ref: why for ref, why in refused.items() if ref not in self._kept and ref not in chats}
        if serious:
            ref, why = next(iter(serious.items()))
            self._refused.update(move for move in push.request.moves if move.ref in serious)
            does = "refuses to delete, after losing its objects," if ref in lost else "refuses"
            self.backoff.failed(StoreError(f"{self.url}: {does} {ref.removeprefix(HEADS)}: {why}"))
            # A refusal may mean that the listing is outdated.
            self._look = self.meeting.post(AskHeads((self._log,), HEADS))
        else:
            self._refused.clear()
            self.backoff.worked()

    def _moves(
        self, own: Mapping[str, ObjectId], graph: CommitGraph, listing: dict[str, ObjectId], *, may_replace: bool
    ) -> tuple[PushMove, ...]:
        moves = []
        for ref, new in own.items():
            there = listing.get(ref)
            is_lost = self.objects.is_lost(ref, there)
            if there == new and not is_lost:
                continue
            # Git would send nothing that a ref there still leads to, so the ref goes first.
            if is_lost and not self.meeting.remote.is_folder:
                moves.append(PushMove(ref, there, None))
            elif there is None and self.objects.stays_away:
                continue
            elif copy_at(ref) is not None:
                # The name says which commit it is, so nothing else that is there is worth keeping.
                moves.append(PushMove(ref, there, new, is_forced=there is not None, is_whole=is_lost))
            elif ref == self._chat:
                # Git knows whether it continues what is there; what it refuses is not tried again.
                if (there, new) != self._refused_chat:
                    moves.append(PushMove(ref, there, new, is_whole=is_lost))
            elif new not in graph:
                continue  # what others have gone on without: the ref is about to move
            elif there is None or there in graph:
                if there is None or is_lost or graph.height(there) < graph.height(new):
                    moves.append(PushMove(ref, there, new, is_whole=is_lost))
            elif there in self._rivals:
                why = f"{self.url}: another copy of this seat is playing: {self._rivals[there]}; stop one of the two"
                if self.backoff.is_over:
                    self._refused.clear()
                    self.backoff.failed(StoreError(why))
            # Only when catching up is over: what stands there may be this player's own, from before a loss.
            elif may_replace and there in self._junk:
                moves.append(PushMove(ref, there, new, is_forced=True))
        gone = [ref for ref in listing if ref not in own and ref not in self._kept and self._is_over(ref, own, graph)]
        # A bounded number, since each deletion is a line of one command.
        return (*moves, *(PushMove(ref, listing[ref], None) for ref in gone[:_REMOVED_AT_ONCE]))

    def _is_over(self, ref: str, own: Mapping[str, ObjectId], graph: CommitGraph) -> bool:
        """Whether nobody needs what this player has shown at a temporary ref of the relay any more."""
        if self._is_own_copy(ref):
            return self._listing.get(self._log) == own.get(self._log)  # which leads there now
        branch = self._branch(ref)
        is_own_reply = isinstance(branch, ReplyBranch) and branch.colour == self._colour and branch.base in graph
        return is_own_reply and self._listing[ref] in graph

    def _is_own_copy(self, ref: str) -> bool:
        """Whether a ref of the relay is an own copy of another player's commit."""
        copy = copy_at(ref)
        return copy is not None and (copy.colour, copy.game) == (self._colour, self._game.number)

    def _own(self, store: GitStore) -> dict[str, ObjectId]:
        """Where this player's branches are published."""
        refs = store.list_refs(HEADS, broken=[])
        own = {ref: head for ref, head in refs.items() if (b := self._branch(ref)) and b.colour == self._colour}
        own |= {ref: head for ref, head in refs.items() if self._is_own_copy(ref)}
        if self._said is not None and self._chat is not None and (said := store.read_ref(self._said)) is not None:
            own[self._chat] = said
        return own

    def has_all(self, store: GitStore) -> bool:
        """Whether the relay has everything that is published here, according to its listing."""
        listing = self.meeting.listing
        return listing is not None and all(
            (listing.get(ref) == head and not self.objects.is_lost(ref, head))
            or (listing.get(ref), head) == self._refused_chat
            for ref, head in self._own(store).items()
        )

    def flush(self, store: GitStore, graph: CommitGraph, most_s: float = _FLUSH_S) -> bool:
        """Push what is published, for at most ``most_s``; return whether all of it is there."""
        return carried_out(self.flushing(store, graph, most_s), self._wait)

    def _wait(self, asked: LookPause) -> None:
        with self.meeting.news:
            self.meeting.news.wait_for(lambda: self.meeting.is_ready, asked.most_s)

    def flushing(self, store: GitStore, graph: CommitGraph, most_s: float = _FLUSH_S) -> Waiting[bool]:
        """The same, with its pauses left to the caller."""
        until = self._time.monotonic() + most_s

        def is_done() -> bool:
            return self.has_all(store) and self.objects.is_known

        while not is_done() and self._time.monotonic() < until:
            self.tend(store, graph, may_replace=False)
            if not is_done():
                yield LookPause(_FLUSH_WAIT_S, for_news=False)
        return self.has_all(store)

    def close(self) -> None:
        """End what was begun for it."""
        self.meeting.close()
