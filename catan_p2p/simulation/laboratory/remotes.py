"""Other hosts' repositories over simulated links, with as many round trips and bytes as the real transports have.

``git``: this program's client of ``git://``. What a followed host has announced needs no request. Otherwise a poll is a
connection (one round trip) and a listing (another one); a fetch on the same connection is one more. ``path``: files of
a mounted folder; each file is a round trip.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from threading import Condition

from catan_p2p.log.storage.objects import ObjectId, ObjectKind, ObjectMissing, StoreError
from catan_p2p.log.transport.following import FollowPauses
from catan_p2p.log.transport.queries import Answer, AskCommits, AskHeads, AskPush, AskReadable, Request
from catan_p2p.log.transport.remote import RemoteUnreachable
from catan_p2p.log.transport.worker_remote import COMMITS_S, HEADS_S, WorkerEnded
from catan_p2p.simulation.laboratory.distributions import US
from catan_p2p.simulation.laboratory.following import CONNECT_US, SYN_BYTES, VirtualFollowing
from catan_p2p.simulation.laboratory.scene import ShownRepository, SimulatedRepository, VisitingHost
from catan_p2p.simulation.laboratory.served_disk import Objects, between, is_whole

REQUEST_BYTES = 60
WANT_BYTES = 50
_FEW_COMMITS = 8
"""For no more Git's choice is not worked out: a history that is sent once more is longer."""


def packed(shown: ShownRepository, heads: Collection[ObjectId], held: Collection[ObjectId]) -> Objects:
    """The commits of a pack: Git leaves out all that ``held`` leads to."""
    commits = shown.missing(heads, held)
    known = shown.missing(held, ()) if len(commits) > _FEW_COMMITS else ()
    return {oid: commit for oid, commit in commits.items() if oid not in known}


class VirtualRemote:
    """Another host's repository as a remote over simulated links."""

    is_kept = False
    negotiates = False

    def __init__(self, url: str, visitor: VisitingHost, target: SimulatedRepository) -> None:
        self.url = url
        self.is_folder = visitor.network.transport == "path"
        self.news = Condition()
        self.fetches = 0
        self.bytes_received = 0
        self.refused: Mapping[str, str] = {}
        self._way = visitor.world.recording.way(visitor.name, target.name)
        self._asked_at = -1
        """When the unanswered request was made; -1 if there is none."""
        self._is_transfer = False
        self._visitor = visitor
        self._target = target
        self._serial = 0
        self._answer: Answer | StoreError | None = None
        self._listed: Mapping[str, ObjectId] = {}
        self._is_listed = False
        """Whether that listing belongs to the current look."""
        self._is_connected = False
        self._objects: dict[ObjectId, tuple[ObjectKind, bytes]] = {}
        self._following: VirtualFollowing | None = None
        self._pauses = FollowPauses()
        self._has_news = False
        """Whether something was announced since the last look."""

    # The interface for a replica

    @property
    def may_be_new(self) -> bool:
        """Whether there may be something new since the last poll."""
        return not self.is_telling or self._has_news

    @property
    def is_telling(self) -> bool:
        """Whether the other host announces by itself what is new."""
        return self._following is not None and self._following.is_telling

    def follow(self, folders: Sequence[str]) -> None:
        """Follow these folders of refs, if the other host can announce moves and does not do so yet."""
        if not self._target.tells:
            return
        now, before = self._visitor.time.monotonic(), self._following
        if before is not None and not before.is_over:
            if {*folders} <= {*before.told.folders}:
                return
            folders = tuple(dict.fromkeys((*before.told.folders, *folders)))
            before.close()
        elif before is not None:
            self._pauses.ended(now, was_telling=before.told.refs is not None)
            self._following = None
        if self._pauses.are_over(now):
            self._following = VirtualFollowing(self.url, folders, self._visitor, self._target, self._hear_news)
            self._following.begin()

    def _hear_news(self, following: VirtualFollowing) -> None:
        if following is self._following:
            self._has_news = True
            self._visitor.wake()

    def ask(self, request: Request) -> None:
        """Begin a request; it takes the place of an unanswered one."""
        self._end_asking()
        self._serial += 1
        self._answer = None
        self._asked_at, self._is_transfer = self._visitor.world.now, not isinstance(request, AskHeads)
        self._visitor.spent.asks(self._is_transfer, 1)
        if isinstance(request, AskHeads) and request.refs:
            self._has_news = False
        if self._answer_as_told(request):
            return
        if isinstance(request, AskCommits):
            self._objects = {}
            self._fetch(request)
        elif isinstance(request, AskPush):
            self._push(request)
        elif isinstance(request, AskReadable):
            self._check(request)
        elif request.refs or not self._listed or not self._is_listed:
            self._look(request)
        else:
            self._after(self._visitor.machine.ask_us, lambda: self._hear(self._asked_for(request)))

    def _answer_as_told(self, request: Request) -> bool:
        """Answer a request from what the other host has announced; returns whether that was enough."""
        following = self._following
        if following is None:
            return False
        told, answer = following.told, dict[str, ObjectId]()
        if isinstance(request, AskHeads) and following.is_telling and told.covers(request.refs, request.folder):
            answer = told.heads(request.refs, request.folder)
        elif isinstance(request, AskCommits) and (size := told.leads(request.heads.values(), request.held)) is not None:
            self._objects = between(request.heads.values(), frozenset(request.held), told.read)
            self.fetches += 1
            self.bytes_received += size
        else:
            return False
        self._after(self._visitor.machine.ask_us, lambda: self._hear(answer))
        return True

    def answered(self) -> bool:
        """Whether the answer is there."""
        return self._answer is not None

    def answer(self) -> Answer:
        """The answer; raises the error with which the request has failed."""
        found, self._answer = self._answer, None
        if found is None:
            raise RemoteUnreachable(f"{self.url}: has not answered yet")
        if isinstance(found, StoreError):
            raise found
        return found

    def heads(self, refs: Iterable[str], folder: str | None = None) -> Mapping[str, ObjectId]:
        """Always raises: no time passes within a step, so it cannot wait for an answer."""
        raise RemoteUnreachable(f"{self.url}: cannot be waited for")

    def bring(self, heads: Mapping[str, ObjectId], held: Iterable[ObjectId] = ()) -> None:
        """Always raises, as ``heads`` does."""
        raise RemoteUnreachable(f"{self.url}: cannot be waited for")

    def read(self, oid: ObjectId) -> tuple[ObjectKind, bytes]:
        """A fetched object; ``ObjectMissing`` if it was not fetched."""
        found = self._objects.get(oid)
        if found is None:
            raise ObjectMissing(f"no object {oid}")
        return found

    @property
    def brought(self) -> Mapping[ObjectId, tuple[ObjectKind, bytes]]:
        """The objects of the last fetch."""
        return self._objects

    def rest(self) -> None:
        """Drop the fetched objects, and close the connection."""
        self._objects = {}
        self._is_connected = self._is_listed = False

    def close(self) -> None:
        """Close connections, and ignore answers that are on their way."""
        self._end_asking()
        self._serial += 1
        self._is_connected = False
        self.follow_no_more()

    def follow_no_more(self) -> None:
        """Close the connection over which the other host is followed."""
        if self._following is not None:
            self._following.close()
            self._following = None

    # The messages over the links

    def _look(self, request: AskHeads) -> None:
        self._way.looks += 1
        target, serial = self._target, self._serial

        def listed() -> None:
            shown = target.shown_to(self._visitor)
            if shown is None:
                self._fail_later(serial, HEADS_S)
                return
            refs = dict(shown.refs)
            self._back(serial, shown.listing_bytes, lambda: self._list(request, refs), HEADS_S)

        if self.is_folder:
            trips = max(1, len(request.refs))
            return self._files(serial, trips, listed)
        begun = lambda: self._begin(listed)  # noqa: E731
        if self._is_connected:
            return self._there(serial, REQUEST_BYTES, listed, HEADS_S)
        ask = self._visitor.machine.ask_us
        self._after(ask, lambda: self._connect(serial, lambda: self._there(serial, REQUEST_BYTES, begun, HEADS_S)))
        return None

    def _connect(self, serial: int, then: Callable[[], None]) -> None:
        visitor, target = self._visitor, self._target

        def reached() -> None:
            if not target.is_up:
                return self._back(serial, SYN_BYTES, lambda: self._fail("connection refused"), HEADS_S)
            return self._back(serial, SYN_BYTES, connected, HEADS_S)

        def connected() -> None:
            self._is_connected = True
            then()

        if visitor.world.cuts.blocks(visitor.name, target.name):
            if visitor.world.cuts.refuses(visitor.name, target.name):
                return self._after(1000, lambda: self._fail("network is unreachable"))
            return self._after(CONNECT_US, lambda: self._fail("does not answer"))

        return self._there(serial, SYN_BYTES, reached, HEADS_S, served=False)

    def _begin(self, do: Callable[[], object]) -> None:
        """Call ``do`` once the other host has started a process."""
        self._target.later(self._target.serve_us, do)

    def _fetch(self, request: AskCommits) -> None:
        target, serial = self._target, self._serial
        size = WANT_BYTES * (len(request.heads) + len(request.held))

        def served() -> None:
            shown = target.shown_to(self._visitor)
            if shown is None:
                return self._fail_later(serial, COMMITS_S)
            heads, held = request.heads.values(), request.held
            commits = shown.missing(heads, held) if self.is_folder else packed(shown, heads, held)
            if self.is_folder and commits:
                return self._files(serial, len(commits), lambda: self._bring(commits, shown.pack_bytes(commits)))
            size = shown.pack_bytes(commits)
            return self._back(serial, size, lambda: self._bring(commits, size), COMMITS_S)

        def asked() -> None:
            self._begin(served)

        def listed() -> None:
            self._back(serial, REQUEST_BYTES, lambda: self._there(serial, size, asked, COMMITS_S), COMMITS_S)

        if self.is_folder:
            return served()
        if self.is_telling:
            # A follower has no connection for looks, as it need not look.
            begun = lambda: self._begin(listed)  # noqa: E731
            return self._connect(serial, lambda: self._there(serial, REQUEST_BYTES, begun, COMMITS_S))
        return self._there(serial, size, served, COMMITS_S)

    def _check(self, request: AskReadable) -> None:
        """Fetch everything that these heads lead to, or read it in a folder; the answer is the complete heads."""
        target, serial = self._target, self._serial

        def served() -> None:
            shown = target.shown_to(self._visitor)
            if shown is None:
                return self._fail_later(serial, COMMITS_S)
            there = {ref: head for ref, head in request.heads.items() if is_whole(shown.missing([head], ()), head)}
            commits = shown.missing(request.heads.values(), ())
            if self.is_folder:
                return self._files(serial, max(1, len(commits)), lambda: self._hear(there))
            return self._back(serial, shown.pack_bytes(commits), lambda: self._hear(there), COMMITS_S)

        if self.is_folder:
            return served()
        asked = lambda: self._there(serial, WANT_BYTES * len(request.heads), served, COMMITS_S)  # noqa: E731
        return self._after(self._visitor.machine.git_us, lambda: self._connect(serial, asked))

    def _push(self, request: AskPush) -> None:
        """Push as ``git push`` does: a connection, a listing of the refs, then the pack, and a report."""
        visitor, target, serial = self._visitor, self._target, self._serial
        heads = [move.new for move in request.moves if move.new is not None]

        def received(commits: Objects) -> None:
            refused = target.push(visitor, request.moves, commits)
            self._back(serial, REQUEST_BYTES, lambda: self._reported(refused), COMMITS_S)

        def listed(there: frozenset[ObjectId]) -> None:
            commits = packed(visitor.honest, heads, there)
            size = visitor.honest.pack_bytes(commits) + 2 * WANT_BYTES * len(request.moves)
            self._there(serial, size, lambda: received(commits), COMMITS_S)

        def begun() -> None:
            # The honest refs: the relay may lie to those who fetch, but it would refuse a pack that is built on lies.
            sends_all = any(move.is_whole for move in request.moves)
            there = frozenset(() if sends_all else target.honest.refs.values())
            self._back(serial, target.listing_bytes, lambda: listed(there), COMMITS_S)

        def connected() -> None:
            self._there(serial, REQUEST_BYTES, lambda: self._begin(begun), COMMITS_S)

        self._after(visitor.machine.git_us, lambda: self._connect(serial, connected))

    def _reported(self, refused: Mapping[str, str]) -> None:
        self.refused = refused
        self._way.pushes += 1
        self._is_connected = False
        self._hear({})

    def _list(self, request: AskHeads, refs: Mapping[str, ObjectId]) -> None:
        if refs == self._listed:
            self._way.wasted_looks += 1
        self._listed, self._is_listed = refs, True
        self._hear(self._asked_for(request))

    def _asked_for(self, request: AskHeads) -> dict[str, ObjectId]:
        folder = request.folder
        wanted = request.refs
        return {
            ref: head
            for ref, head in self._listed.items()
            if ref in wanted or (folder is not None and ref.startswith(folder))
        }

    def _bring(self, commits: dict[ObjectId, tuple[ObjectKind, bytes]], size: int) -> None:
        self.fetches += 1
        self.bytes_received += size
        self._way.fetches += 1
        self._way.fetched_bytes += size
        self._objects = commits
        self._hear({})

    def _hear(self, answer: Answer | StoreError) -> None:
        self._answer = answer
        self._end_asking()
        self._visitor.wake()

    def _end_asking(self) -> None:
        """The request has its answer, or was replaced or dropped."""
        if self._asked_at < 0:
            return
        spent = self._visitor.world.now - self._asked_at
        self._asked_at = -1
        self._visitor.spent.asks(self._is_transfer, -1)
        if self._is_transfer:
            self._way.transfer_us += spent
        else:
            self._way.looking_us += spent

    def _fail(self, why: str) -> None:
        self._is_connected = False
        self._hear(RemoteUnreachable(f"{self.url}: {why}"))

    def _fail_later(self, serial: int, timeout_s: float) -> None:
        """No answer comes: after the timeout, the process that waits for it is killed."""

        def end() -> None:
            if self._current(serial) and self._asked_at >= 0:
                self._is_connected = False
                self._hear(WorkerEnded(f"{self.url}: takes too long"))

        self._visitor.later(int(timeout_s * US), end)

    def _current(self, serial: int) -> bool:
        return serial == self._serial

    def _after(self, delay_us: int, do: Callable[[], object]) -> None:
        serial = self._serial
        self._visitor.later(delay_us, lambda: do() if self._current(serial) else None)

    def _there(
        self, serial: int, size: int, do: Callable[[], object], timeout_s: float, *, served: bool = True
    ) -> None:
        """Send a message to the other host, whose process must be up if it is ``served``."""
        visitor, target = self._visitor, self._target

        def come() -> None:
            if not self._current(serial):
                return
            if served and not target.is_up:
                self._fail("connection reset")
            elif served and target.absent_us:
                target.later(target.absent_us, come)
            else:
                do()

        visitor.world.send(visitor, target, size, come, lambda: self._fail_later(serial, timeout_s))

    def _back(self, serial: int, size: int, do: Callable[[], object], timeout_s: float) -> None:
        """Have a message come from the other host."""
        come = lambda: do() if self._current(serial) else None  # noqa: E731
        self._visitor.world.send(self._target, self._visitor, size, come, lambda: self._fail_later(serial, timeout_s))

    def _files(self, serial: int, trips: int, do: Callable[[], None]) -> None:
        """Read ``trips`` files of a mounted folder, one after the other."""
        visitor, target = self._visitor, self._target
        if visitor.world.cuts.blocks(visitor.name, target.name):
            return self._after(CONNECT_US, lambda: self._fail("the folder is gone"))
        world, left = visitor.world, trips

        def ask() -> None:
            world.recording.sent(visitor.name, target.name, REQUEST_BYTES)
            world.carry(visitor, target, REQUEST_BYTES, reply)

        def reply() -> None:
            world.recording.sent(target.name, visitor.name, REQUEST_BYTES)
            world.carry(target, visitor, REQUEST_BYTES, come)

        def come() -> None:
            nonlocal left
            left -= 1
            if self._current(serial):
                ask() if left else do()

        return ask()
