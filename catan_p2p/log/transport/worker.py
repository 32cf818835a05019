"""The process that reads one neighbour's repository: whatever that holds, only this process can hang, fill up or crash.

It reads requests from standard input, and answers with heads and commits on standard output. Its memory and the size of
the files that it writes are bounded before it touches anything of theirs, as are those of its child processes. The peer
ends it when it takes too long, and it ends by itself together with the peer.

    python -m catan_p2p.log.transport.worker URL OWN INCOMING MOST-BYTES
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, BinaryIO

from catan_p2p.frames import BadFrame, MessageFrame, read_frame, write_frame
from catan_p2p.limits import (
    MAX_ANSWER_CHARACTERS,
    MAX_FRAME_BODY_BYTES,
    MAX_NEW_COMMITS,
    MAX_WORKER_FILES,
    MAX_WORKER_MEMORY_BYTES,
    MAX_WRITTEN_FILE_BYTES,
)
from catan_p2p.log.storage.objects import KINDS, ObjectDamaged, ObjectId, ObjectMissing, parents_of, parse_object_id
from catan_p2p.log.transport.bounded import end_children, lead_session
from catan_p2p.log.transport.opening import open_client, push, readable
from catan_p2p.log.transport.quarantine import remove_whole
from catan_p2p.log.transport.queries import PushMove
from catan_p2p.log.transport.remote import ERRORS, BadFetch, FollowableRemote, Remote

IDLE_S = 60.0
"""After this long without a request, connections that are kept are closed: a server must not wait for nothing."""
LIFE_S = 90
"""No request takes longer: then the process ends by itself, even if the peer is gone."""


def bound() -> None:
    """Bound the resources of this process and its children, where the system allows that."""
    if sys.platform == "win32":
        return
    import resource

    for kind, most in (
        (resource.RLIMIT_AS, MAX_WORKER_MEMORY_BYTES),
        (resource.RLIMIT_FSIZE, MAX_WRITTEN_FILE_BYTES),
        (resource.RLIMIT_NOFILE, MAX_WORKER_FILES),
        (resource.RLIMIT_CORE, 0),
    ):
        with suppress(OSError, ValueError):
            _, hard = resource.getrlimit(kind)
            # A hard limit can only be lowered.
            most = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.setrlimit(kind, (most, most))
    # Ignored, so that a write beyond the limit fails with an error that can be reported.
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    # Ctrl-C in the player's terminal is for the peer, which ends its workers itself.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    lead_session()


def end_all(incoming: Path) -> None:
    """End this process and everything it has started, and remove what they have fetched."""
    end_children()
    remove_whole(incoming)
    # SIGKILL for those that ignored the first signal; this process is among them.
    if sys.platform != "win32" and os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(1)


def main(arguments: list[str]) -> None:
    """Answer requests until there are none left."""
    url, own, incoming, most_bytes = arguments
    bound()
    answers = sys.stdout.buffer
    # What a library prints must not get between the frames.
    sys.stdout = sys.stderr
    leave = partial(end_all, Path(incoming))
    # The alarm works even while a request hangs.
    if sys.platform != "win32":
        signal.signal(signal.SIGALRM, lambda *_: leave())
    requests: SimpleQueue[MessageFrame] = SimpleQueue()
    threading.Thread(target=_listen, args=(sys.stdin.buffer, requests, leave), daemon=True).start()
    try:
        reader = RemoteReader(url, Path(own), Path(incoming), int(most_bytes), answers)
        while True:
            try:
                frame = requests.get(timeout=IDLE_S)
            except Empty:
                reader.let_go()
                continue
            _set_alarm(LIFE_S)
            if not reader.answer_to(frame.head, answers):
                break
            _set_alarm(0)
    except (BrokenPipeError, KeyboardInterrupt):
        pass
    finally:
        leave()


def _listen(stream: BinaryIO, requests: SimpleQueue[MessageFrame], leave: Callable[[], None]) -> None:
    """Pass requests on; leave once the peer has closed the pipe, however busy this process is."""
    with suppress(BadFrame, OSError, ValueError):
        while (frame := read_frame(stream)) is not None:
            requests.put(frame)
    leave()


def _set_alarm(seconds: int) -> None:
    if sys.platform != "win32":
        signal.alarm(seconds)


class RemoteReader:
    """Reads the repository at a URL, and answers requests about it one after the other."""

    def __init__(self, url: str, own: Path, incoming: Path, most_bytes: int, news: BinaryIO | None = None) -> None:
        self._own, self._incoming, self._most_bytes = own, incoming, most_bytes
        self._news = news
        self._lock = threading.Lock()
        """Held while a frame is written."""
        self._remote = open_client(url, own, incoming, most_bytes, None if news is None else self._tell)

    def _tell(self, is_telling: bool) -> None:
        """Report, unasked, that something may be new, and whether the remote announces later moves by itself."""
        assert self._news is not None
        with suppress(OSError, ValueError), self._lock:  # nobody may listen any more
            write_frame(self._news, MessageFrame({"news": is_telling}))

    def answer_to(self, request: dict[str, Any], answers: BinaryIO) -> bool:
        """Answer a request; False if Git may still be running for it, and this process should end."""
        remote = self._remote
        try:
            answer = self._carry_out(request)
        except BadFetch as error:
            answer = MessageFrame(
                {"error": "bad", "reason": error.reason, "message": str(error)[:MAX_ANSWER_CHARACTERS]}
            )
        except MemoryError:
            most_mib = MAX_WORKER_MEMORY_BYTES >> 20
            answer = MessageFrame(
                {"error": "unreachable", "message": f"more than {most_mib} MiB are needed to read it"}
            )
        except Exception as error:  # noqa: BLE001 - their data may cause any error
            name = next((name for name, kind in ERRORS.items() if isinstance(error, kind)), None)
            message = str(error) if name else f"{type(error).__name__}: {error}"
            answer = MessageFrame({"error": name or "unreachable", "message": message[:MAX_ANSWER_CHARACTERS]})
        # After a failed negotiation a child of Git may be left, and only the end of the process is sure to end it.
        is_spent = remote.negotiates and "error" in answer.head
        if "answer" in request:
            counts = {"fetches": remote.fetches, "bytes": remote.bytes_received}
            answer.head.update(**counts, kept=remote.is_kept, ends=is_spent)
            with self._lock:
                write_frame(answers, answer)
        return not is_spent

    def let_go(self) -> None:
        """End the conversation with a server, if one is open."""
        if self._remote.is_kept:
            self._remote.close()

    def close(self) -> None:
        """Close everything that was opened for reading."""
        self._remote.close()

    def _carry_out(self, request: dict[str, Any]) -> MessageFrame:
        remote = self._remote
        match request["ask"]:
            case "heads":
                return MessageFrame({"heads": dict(remote.heads(request["refs"], request["folder"]))})
            case "commits":
                heads = {ref: parse_object_id(oid) for ref, oid in request["heads"].items()}
                held = [parse_object_id(oid) for oid in request["held"]]
                remote.bring(heads, held)
                return _commits(remote, [*heads.values()], {*held})
            case "push":
                moves = [PushMove(*move) for move in request["moves"]]
                return MessageFrame({"refused": dict(push(remote, self._own, moves))})
            case "readable":
                heads = {ref: parse_object_id(oid) for ref, oid in request["heads"].items()}
                return MessageFrame(
                    {"heads": dict(readable(remote, self._own, self._incoming, heads, self._most_bytes))}
                )
            case "follow":
                if isinstance(remote, FollowableRemote):
                    remote.follow([str(folder) for folder in request["folders"]])
                return MessageFrame({})
            case "read":
                kind, data = remote.read(parse_object_id(request["id"]))
                return MessageFrame({"objects": [[kind, len(data)]]}, data)
            case _:
                remote.rest()
                return MessageFrame({})


def _commits(remote: Remote, heads: list[ObjectId], held: set[ObjectId]) -> MessageFrame:
    """Return the readable commits that lead to the heads from ``held``."""
    found: list[list[Any]] = []
    data: list[bytes] = []
    size = 0
    stack, done = heads, set(held)
    while stack:
        oid = stack.pop()
        if oid in done:
            continue
        done.add(oid)
        try:
            kind, commit = remote.read(oid)
        except (ObjectMissing, ObjectDamaged):
            continue  # a caller that needs it asks for it alone, and gets the reason
        size += len(commit)
        if size > MAX_FRAME_BODY_BYTES or len(found) >= MAX_NEW_COMMITS:
            raise BadFetch(f"{remote.url}: shows more commits than any game has", "size")
        found.append([KINDS[KINDS.index(kind)], len(commit)])
        data.append(commit)
        if kind == "commit":
            stack.extend(parents_of(commit))
    return MessageFrame({"objects": found}, b"".join(data))


if __name__ == "__main__":
    main(sys.argv[1:])
