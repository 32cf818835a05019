"""A neighbour's repository behind a process of its own, which is ended when it takes too long.

The process (``worker``) starts with the first request and lives as long as it behaves. Its answers are bounded and
checked again here: heads must be ids, and an object's id is computed from its bytes.
"""

from __future__ import annotations

import contextlib
import subprocess
import sys
import threading
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO, cast

from catan_p2p.frames import BadFrame, MessageFrame, read_frame, write_frame
from catan_p2p.limits import MAX_QUARANTINED_BYTES, MAX_TOLD_REFS
from catan_p2p.log.storage.objects import (
    KINDS,
    ObjectFalse,
    ObjectId,
    ObjectKind,
    StoreError,
    object_id,
    parse_object_id,
)
from catan_p2p.log.transport.bounded import kill_group
from catan_p2p.log.transport.quarantine import Quarantine, remove_whole
from catan_p2p.log.transport.queries import Answer, AskHeads, AskPush, AskReadable, AsyncRemote, PushMove, Request
from catan_p2p.log.transport.remote import ERRORS, BadFetch, RemoteUnreachable, local_path
from catan_p2p.log.transport.watched_refs import WatchedRefs
from catan_p2p.safe_text import shown
from catan_p2p.time_source import SYSTEM_TIME, TimeSource

HEADS_S = 20.0
"""How long a look may take; ``COMMITS_S`` is the same for bringing commits."""
COMMITS_S = 60.0
READ_S = 2.0
"""How long it may take to read one object that was not brought, while other remotes are waiting."""


class WorkerEnded(RemoteUnreachable):
    """The process that read a remote had to be ended, or ended by itself."""


class _WorkerProcess:
    """One worker process, and the thread that waits for its answers."""

    def __init__(self, url: str, own: Path, incoming: Path, news: threading.Condition, most_bytes: int) -> None:
        self._news = news
        self._incoming = incoming / Quarantine.new_name()
        self._frame: MessageFrame | None = None
        self._is_over = False
        self.is_telling = False
        """Whether the remote announces by itself what is new."""
        self.has_news = False
        """Whether it has announced something since the last look."""
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "catan_p2p.log.transport.worker", url, str(own)]
                + [str(self._incoming), str(most_bytes)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            raise RemoteUnreachable(f"{url}: cannot start a process: {error}") from None
        self._thread = threading.Thread(target=self._listen, name=f"answers of {url}", daemon=True)
        self._thread.start()

    def _listen(self) -> None:
        stream = cast(BinaryIO, self._process.stdout)
        frame: MessageFrame | None = None
        while True:
            try:
                frame = read_frame(stream)
            except (BadFrame, OSError, ValueError):
                frame = None
            with self._news:
                if frame is not None and "news" in frame.head:
                    self.is_telling, self.has_news = frame.head["news"] is True, True
                    self._news.notify_all()
                    continue
                # The last answer stays, however soon after it the process has ended.
                self._frame, self._is_over = self._frame if frame is None else frame, frame is None
                self._news.notify_all()
            if frame is None:
                return

    def send(self, head: dict[str, Any]) -> bool:
        """Send a request; False if the process no longer reads."""
        try:
            write_frame(cast(BinaryIO, self._process.stdin), MessageFrame(head))
        except (OSError, ValueError):
            return False
        return True

    def is_ready(self) -> bool:
        """Whether there is an answer, or will never be one."""
        return self._frame is not None or self._is_over

    def take(self) -> MessageFrame | None:
        """Return the answer, None if the process has ended."""
        with self._news:
            frame, self._frame = self._frame, None
            return frame

    def end(self) -> None:
        """End the process with everything it has started, and remove what they have fetched."""
        # The whole session first, so that no child goes on writing into the folder that is removed last.
        kill_group(self._process)
        self._process.wait()
        self._thread.join(5.0)
        for stream in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError):
                cast(BinaryIO, stream).close()
        remove_whole(self._incoming)


class WorkerRemote(AsyncRemote):
    """A remote that is read by a process of its own."""

    is_kept = False

    def __init__(
        self,
        url: str,
        own: Path,
        incoming: Path,
        news: threading.Condition | None = None,
        time: TimeSource = SYSTEM_TIME,
    ) -> None:
        self.url = url
        self._time = time
        self.is_folder = local_path(url) is not None
        self.negotiates = not self.is_folder and not url.startswith("git://")
        self.fetches = 0
        self.bytes_received = 0
        self.starts = 0
        """How many processes were started: more than one, if some had to be ended."""
        self.refused: Mapping[str, str] = {}
        """The moves that the last push was refused, with the reasons."""
        self.news = threading.Condition() if news is None else news
        self.heads_s, self.commits_s, self.read_s = HEADS_S, COMMITS_S, READ_S
        self.quarantine_bytes = MAX_QUARANTINED_BYTES
        """How many bytes may wait on disk to be validated."""
        self._own = own
        self._incoming = incoming
        path = local_path(url)
        self._watched = None if path is None else WatchedRefs(path, own, time)
        self._has_listed = False
        """Whether a look has been answered: until then the peer itself touches nothing there."""
        self._process: _WorkerProcess | None = None
        self._deadline: float | None = None
        self._counted = (0, 0)
        self._objects: dict[ObjectId, tuple[ObjectKind, bytes]] = {}
        self._followed: set[str] = set()

    def follow(self, folders: Sequence[str]) -> None:
        """Make the remote announce moves in these folders, if it can and does not yet."""
        if not self.url.startswith("git://") or (self.is_telling and {*folders} <= self._followed):
            return
        self._followed |= {*folders}
        if self._process is not None:
            self._process.send({"ask": "follow", "folders": [*self._followed]})

    @property
    def is_telling(self) -> bool:
        """Whether the remote announces by itself what is new."""
        return self._process is not None and self._process.is_telling

    @property
    def may_be_new(self) -> bool:
        """Whether something may be new there since the last listing of named refs; for folders this is known."""
        if self._watched is not None:
            return self._watched.may_have_moved
        return not self.is_telling or cast(_WorkerProcess, self._process).has_news

    # Asking

    def ask(self, request: Request) -> None:
        """Begin a request."""
        if isinstance(request, AskHeads):
            # Cleared before the look: news that comes during it may not be part of its answer.
            if self._process is not None and request.refs:
                self._process.has_news = False
            # The state is recorded before the look, so that a move during it is noticed later.
            if self._watched is not None and self._has_listed and request.refs:
                self._watched.note(request.refs)
            self._send({"ask": "heads", "refs": request.refs, "folder": request.folder}, self.heads_s)
        elif isinstance(request, AskPush):
            self.refused = {}
            self._send({"ask": "push", "moves": [list(move) for move in request.moves]}, self.commits_s)
        elif isinstance(request, AskReadable):
            self._send({"ask": "readable", "heads": dict(request.heads)}, self.commits_s)
        else:
            self._objects = {}
            self._send({"ask": "commits", "heads": dict(request.heads), "held": request.held}, self.commits_s)

    def answered(self) -> bool:
        """Whether the answer has come, or its time is over."""
        return self._process is None or self._process.is_ready() or self._time.monotonic() >= (self._deadline or 0.0)

    def answer(self) -> Answer:
        """Return the answer to the last request."""
        try:
            frame = self._receive()
        except StoreError:
            # A folder that has just failed may hang, so the peer itself leaves it alone again.
            self._has_listed = False
            if self._watched is not None:
                self._watched.forget()
            raise
        if "heads" in frame.head:
            self._has_listed = True
            return self._checked_heads(frame.head["heads"])
        if "refused" in frame.head:
            self.refused = {str(ref): shown(str(why)) for ref, why in frame.head["refused"].items()}
            return {}
        self._objects = self._checked_objects(frame)
        return {}

    # Asking and waiting

    def push(self, moves: Iterable[PushMove]) -> Mapping[str, str]:
        """Move refs there; return the refused moves with the reasons, by ref."""
        self.ask(AskPush(tuple(moves)))
        self.answer()
        return self.refused

    @property
    def brought(self) -> Mapping[ObjectId, tuple[ObjectKind, bytes]]:
        """The objects of the last answered request for commits, until the next one."""
        return self._objects

    def read(self, oid: ObjectId) -> tuple[ObjectKind, bytes]:
        """Return kind and bytes of an object: at once if it was brought, else within ``read_s``."""
        found = self._objects.get(oid)
        if found is not None:
            return found
        self._send({"ask": "read", "id": oid}, self.read_s)
        read = self._checked_objects(self._receive())
        if oid not in read:
            raise ObjectFalse(f"the content of object {oid} does not match its id")
        return read[oid]

    def rest(self) -> None:
        """Drop what was brought, and let the process close its connection."""
        self._objects = {}
        if not self.is_folder and self._process is not None and self._deadline is None:
            self._process.send({"ask": "rest"})

    def close(self) -> None:
        """End the process."""
        self._objects = {}
        self._deadline = None
        self.is_kept = False
        if self._process is not None:
            self._process.end()
            self._process = None
            self._counted = (0, 0)

    # Frames

    def _send(self, head: dict[str, Any], timeout_s: float) -> None:
        if self._deadline is not None:
            raise RemoteUnreachable(f"{self.url}: has not answered the previous request yet")
        if self._process is None:
            self._start()
        self._deadline = self._time.monotonic() + timeout_s
        # The process may have ended since the last answer: one more try, with a new one.
        if self._process is None or not self._process.send({**head, "answer": True}):
            self.close()
            self._start()
            self._deadline = self._time.monotonic() + timeout_s
            cast(_WorkerProcess, self._process).send({**head, "answer": True})

    def _start(self) -> None:
        self._process = _WorkerProcess(self.url, self._own, self._incoming, self.news, self.quarantine_bytes)
        self.starts += 1
        if self._followed:
            self._process.send({"ask": "follow", "folders": [*self._followed]})

    def _receive(self) -> MessageFrame:
        """Return the answer, waiting until its time is over; then the process is ended."""
        process = self._process
        if process is None or self._deadline is None:
            raise RemoteUnreachable(f"{self.url}: there is no request to answer")
        with self.news:
            self.news.wait_for(process.is_ready, max(0.0, self._deadline - self._time.monotonic()))
        was_ready = process.is_ready()
        frame = process.take()
        self._deadline = None
        if frame is None:
            self.close()
            raise WorkerEnded(f"{self.url}: {'the process that reads it has ended' if was_ready else 'takes too long'}")
        self._count(frame.head)
        self.is_kept = frame.head.get("kept") is True
        if frame.head.get("ends"):
            self.close()
        if "error" in frame.head:
            raise self._error(frame.head)
        return frame

    def _count(self, head: dict[str, Any]) -> None:
        fetches, size = (head.get(name) for name in ("fetches", "bytes"))
        # The process is not trusted: True would count as an int.
        if type(fetches) is int and type(size) is int:
            self.fetches += max(0, fetches - self._counted[0])
            self.bytes_received += max(0, size - self._counted[1])
            self._counted = fetches, size

    def _error(self, head: dict[str, Any]) -> StoreError:
        message = shown(str(head.get("message")))
        if head["error"] == "bad" and head.get("reason") in ("format", "missing", "size"):
            return BadFetch(message, head["reason"])
        kind = ERRORS.get(str(head["error"]), RemoteUnreachable)
        is_named = self.url in message or not issubclass(kind, RemoteUnreachable)
        return kind(message if is_named else f"{self.url}: {message}")

    def _checked_heads(self, heads: Any) -> dict[str, ObjectId]:
        try:
            if len(heads) > MAX_TOLD_REFS:
                raise ValueError(f"it lists more than {MAX_TOLD_REFS} refs")
            return {str(ref): parse_object_id(oid) for ref, oid in heads.items()}
        except (ValueError, TypeError, AttributeError) as error:
            raise RemoteUnreachable(f"{self.url}: {error}") from None

    def _checked_objects(self, frame: MessageFrame) -> dict[ObjectId, tuple[ObjectKind, bytes]]:
        found: dict[ObjectId, tuple[ObjectKind, bytes]] = {}
        at = 0
        for kind, size in frame.head.get("objects", []):
            # Sizes come from the process: a wrong one gives an object with another id, or none.
            data = frame.body[at : at + size]
            at += size
            if kind in KINDS and len(data) == size:
                found[object_id(kind, data)] = kind, data
        return found
