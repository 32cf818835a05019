"""A relay: one repository at which all players meet, and to which each pushes only their own branches.

One process reads it, and one look serves all players. The refs that it has under the names of a player's branches
appear as that player's remote (``SharedView``), and those of the own branches as their copy. So code that looks at a
neighbour need not know where that is. Nobody trusts a relay more than a neighbour.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from catan_p2p.log.storage.objects import ObjectId, ObjectKind, StoreError
from catan_p2p.log.transport.pacing import quiet_pause_s
from catan_p2p.log.transport.queries import (
    Answer,
    AskCommits,
    AskHeads,
    AskPush,
    AskReadable,
    AsyncRemote,
    Request,
    SharedPlace,
)
from catan_p2p.log.transport.remote import RemoteUnreachable
from catan_p2p.time_source import SYSTEM_TIME, TimeSource

HEADS = "refs/heads/"
LEAST_S = 0.5
"""A listing begun this recently answers all callers; at a folder, where it costs little, there is a new one."""
KEPT_LEAST_S = 0.02
"""The same where a listing takes one round trip in a kept conversation."""
MOST_S = 5.0
"""The longest pause between two listings: games take days, and a relay is somebody else's server."""
_POLL_S = 0.25
_ASKED = 8
"""This many of the latest requests are asked together, by the names of their refs: more than there are players."""

Names: TypeAlias = Callable[[str], str | None]
"""Returns the name of the relay's ref at one player's remote, None if it is not visible there."""


@dataclass(slots=True)
class PendingRequest:
    """A request that waits for its turn, and its result."""

    request: Request
    answer: Answer | StoreError | None = None
    brought: Mapping[ObjectId, tuple[ObjectKind, bytes]] | None = None
    refused: Mapping[str, str] | None = None
    took_bytes: int = 0

    def give(self, answer: Answer | StoreError) -> None:
        """Record the answer."""
        self.answer = answer


class SharedRepository:
    """The repository at a URL, which is asked one thing after the other.

    ``also`` are refs to list besides those below ``folder``, where many players of many games may have theirs.
    """

    def __init__(
        self,
        remote: SharedPlace,
        also: Iterable[str] = (),
        time: TimeSource = SYSTEM_TIME,
        folder: str = HEADS,
    ) -> None:
        self._time = time
        self.remote = remote
        self.news = remote.news
        self.listing: dict[str, ObjectId] | None = None
        """The result of the last look, with what was pushed since; None before the first."""
        self.looks = 0
        """How many looks have been answered."""
        self.version = 0
        """How often the listing has changed."""
        self._also = tuple(also)
        self._folder = folder
        self._asked: deque[tuple[str, ...]] = deque(maxlen=_ASKED)
        self.least_s = 0.0 if remote.is_folder else LEAST_S
        """The shortest time between the beginnings of two listings."""
        self._begun_at = -MOST_S
        self.changed_at = self._time.monotonic()
        """When something new was last seen there, or pushed."""
        self._queue: deque[PendingRequest] = deque()
        self._current: PendingRequest | None = None

    def post(self, request: Request) -> PendingRequest:
        """Queue a request; calls of ``turn`` carry it out."""
        ticket = PendingRequest(request)
        self._queue.append(ticket)
        self.turn()
        return ticket

    def turn(self) -> None:
        """Take an answer that has come, and begin the next request; never while holding the lock of ``news``."""
        if self._current is not None and self.remote.answered():
            self._take(self._current)
        while self._current is None and self._queue:
            self._begin(self._queue.popleft())

    def close(self) -> None:
        """End the process, and everything that waits for it."""
        self._queue.clear()
        self._current = None
        self.remote.close()

    def expire(self) -> None:
        """Make the next look list anew, however recently the last listing was begun."""
        self._begun_at = self._time.monotonic() - MOST_S

    @property
    def is_ready(self) -> bool:
        """Whether ``turn`` would find an answer."""
        return self._current is not None and self.remote.answered()

    def wait_for(self, ticket: PendingRequest) -> Answer:
        """Return the answer to a ticket, however long it takes; every request has its deadline."""
        while ticket.answer is None:
            with self.news:
                # Woken at times even without news, since an answer whose time is over comes without any.
                self.news.wait_for(lambda: self.is_ready or self._current is None, _POLL_S)
            self.turn()
        if isinstance(ticket.answer, StoreError):
            raise ticket.answer
        return ticket.answer

    def _begin(self, ticket: PendingRequest) -> None:
        request = ticket.request
        if isinstance(request, AskHeads):
            if request.refs and request.refs not in self._asked:
                self._asked.append(request.refs)
            # A request for a folder alone is content with any listing.
            is_enough = not request.refs or self._time.monotonic() - self._begun_at < self._pause_s()
            if self.listing is not None and is_enough:
                ticket.give(self.listing)
                return
            self._begun_at = self._time.monotonic()
            # Asked for a folder only, a remote may tell what it told before.
            named = (ref for refs in (self._also, *self._asked, request.refs) for ref in refs)
            request = AskHeads(tuple(dict.fromkeys(named)), self._folder)
        try:
            self.remote.ask(request)
            self._current = ticket
        except StoreError as error:
            ticket.give(error)

    def _pause_s(self) -> float:
        least_s = min(self.least_s, KEPT_LEAST_S) if self.remote.is_kept else self.least_s
        return least_s and quiet_pause_s(self._time.monotonic() - self.changed_at, least_s, MOST_S)

    def _take(self, ticket: PendingRequest) -> None:
        self._current = None
        before = self.remote.bytes_received
        try:
            answer: Answer | StoreError = self.remote.answer()
        except StoreError as error:
            answer = error
        ticket.took_bytes = self.remote.bytes_received - before
        if isinstance(ticket.request, AskHeads):
            if not isinstance(answer, StoreError):
                if self.listing != answer:
                    self.changed_at = self._time.monotonic()
                    self.version += 1
                self.listing = dict(answer)
                self.looks += 1
            # All who have asked meanwhile wanted to know the same.
            others = [other for other in self._queue if isinstance(other.request, AskHeads)]
            for other in others:
                self._queue.remove(other)
                other.give(answer)
        elif not isinstance(answer, StoreError):
            if isinstance(ticket.request, AskReadable):
                pass  # the answer tells all
            elif isinstance(ticket.request, AskPush):
                ticket.refused = self.remote.refused
                if any(move.ref not in ticket.refused for move in ticket.request.moves):
                    self.changed_at = self._time.monotonic()
                # What was pushed counts as listed, so that no look is needed to know it.
                self._count_as_seen(ticket.request, self.remote.refused)
            else:
                ticket.brought = self.remote.brought
        ticket.give(answer)
        # Nothing waits, so a connection need not stay open.
        if not self._queue:
            self.remote.rest()

    def _count_as_seen(self, request: AskPush, refused: Mapping[str, str]) -> None:
        if self.listing is not None:
            self.version += 1
            for move in request.moves:
                if move.ref not in refused:
                    self.listing.pop(move.ref, None)
                    if move.new is not None:
                        self.listing[move.ref] = move.new

    def read_now(self, oid: ObjectId) -> tuple[ObjectKind, bytes]:
        """Return kind and bytes of an object that was not brought; ``RemoteUnreachable`` while a request is running."""
        if self._current is not None:
            raise RemoteUnreachable(f"{self.remote.url}: is still answering another request")
        return self.remote.read(oid)


class SharedView(AsyncRemote):
    """What a relay shows of one player, as that player's remote.

    ``names`` maps the name of each ref at the relay to its name here, None if it is not visible.
    """

    def __init__(self, shared: SharedRepository, names: Names) -> None:
        self._shared = shared
        self._names = names
        self.url = shared.remote.url
        self.negotiates = shared.remote.negotiates
        self.is_folder = shared.remote.is_folder
        self.news = shared.news
        self.fetches = 0
        self.bytes_received = 0
        self._ticket: PendingRequest | None = None
        self._seen_version = -1
        """The version of the listing that the last answer came from."""
        self._objects: Mapping[ObjectId, tuple[ObjectKind, bytes]] = {}

    @property
    def may_be_new(self) -> bool:
        """Whether the relay may show something new, or has shown it only to others."""
        return self._seen_version != self._shared.version or self._shared.remote.may_be_new

    def ask(self, request: Request) -> None:
        """Begin a request."""
        if isinstance(request, AskPush | AskReadable):
            raise RemoteUnreachable(f"{self.url}: a player's own branches are pushed by that player")
        if isinstance(request, AskCommits):
            shown = self._shown()
            # Under the names at the relay, which may differ.
            request = AskCommits(
                {shown[ref]: head for ref, head in request.heads.items() if ref in shown}, request.held
            )
        self._ticket, self._objects = self._shared.post(request), {}

    def answered(self) -> bool:
        """Whether the answer has come."""
        return self._ticket is None or self._ticket.answer is not None

    def answer(self) -> Answer:
        """Return the answer to the last request."""
        ticket, self._ticket = self._ticket, None
        if ticket is None:
            raise RemoteUnreachable(f"{self.url}: there is no request to answer")
        answer = self._shared.wait_for(ticket)
        self.bytes_received += ticket.took_bytes
        if isinstance(ticket.request, AskHeads):
            self._seen_version = self._shared.version
            return self._seen(answer, ticket.request)
        self.fetches += 1
        self._objects = ticket.brought or {}
        return {}

    def _seen(self, listing: Answer, request: AskHeads) -> Answer:
        """Return the part of the relay's listing that was asked for, under the names that it has here."""
        found = {name: head for ref, head in listing.items() if (name := self._names(ref)) is not None}
        folder = request.folder
        return {ref: head for ref, head in found.items() if ref in request.refs or (folder and ref.startswith(folder))}

    def _shown(self) -> dict[str, str]:
        """Return the names at the relay of the refs that are visible here."""
        listing = self._shared.listing or {}
        return {name: ref for ref in listing if (name := self._names(ref)) is not None}

    def read(self, oid: ObjectId) -> tuple[ObjectKind, bytes]:
        """Return kind and bytes of an object: at once if it was brought."""
        found = self._objects.get(oid)
        return self._shared.read_now(oid) if found is None else found

    def rest(self) -> None:
        """Drop what was brought."""
        self._objects = {}

    def close(self) -> None:
        """Do nothing: the code that opened the relay closes it."""
