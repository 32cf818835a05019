"""One served visitor: relays between the visitor and a Git process, as fast as the visitor reads."""

from __future__ import annotations

import contextlib
import selectors
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import IO

from catan_p2p.limits import MAX_HELD_ANSWER_BYTES
from catan_p2p.log.transport.bounded import kill_group
from catan_p2p.log.transport.told_refs import ListingSkipper
from catan_p2p.time_source import TimeSource

STALL_S = 10.0
"""How long a connection may stay without any traffic."""
_CHUNK = 1 << 16


def start_on(
    stdio: socket.socket, command: Sequence[str], env: Mapping[str, str], *, piped: bool = sys.platform == "win32"
) -> subprocess.Popen[bytes]:
    """Start a process that uses a socket as its standard input and output, through pipes where it must."""
    inside = subprocess.PIPE if piped else stdio.fileno()
    process = subprocess.Popen(
        command, stdin=inside, stdout=inside, stderr=subprocess.DEVNULL, start_new_session=True, env=env
    )
    if piped:
        assert process.stdin is not None and process.stdout is not None
        # A duplicate each: both threads close their own, whichever ends first.
        threading.Thread(target=_copy_to_pipe, args=(stdio.dup(), process.stdin), daemon=True).start()
        threading.Thread(target=_copy_from_pipe, args=(process.stdout, stdio.dup()), daemon=True).start()
    return process


def _copy_to_pipe(stdio: socket.socket, pipe: IO[bytes]) -> None:
    with contextlib.suppress(OSError), stdio, pipe:
        while data := stdio.recv(_CHUNK):
            pipe.write(data)
            pipe.flush()


def _copy_from_pipe(pipe: IO[bytes], stdio: socket.socket) -> None:
    with contextlib.suppress(OSError), stdio, pipe:
        while data := pipe.read1(_CHUNK):  # type: ignore[attr-defined]
            stdio.sendall(data)
        stdio.shutdown(socket.SHUT_WR)


class ServedConnection:
    """One served connection: it passes what Git says to the visitor, and what the visitor says to Git.

    The visitor has received the refs, and has begun its request: ``asked``.
    """

    def __init__(
        self,
        visitor: socket.socket,
        start: Callable[[socket.socket], subprocess.Popen[bytes]],
        leave: Callable[[], None],
        until: float,
        time: TimeSource,
        asked: bytes,
    ) -> None:
        self._time = time
        self._visitor = visitor
        self._start = start
        self._leave: Callable[[], None] | None = leave
        self._until = until
        self._process: subprocess.Popen[bytes] | None = None
        self._held = bytearray()
        self._asked = bytearray(asked)
        self._skipper = ListingSkipper()

    def run(self) -> None:
        """Serve until both sides are finished, nothing moves any more, or the time is over."""
        ours, theirs = socket.socketpair()
        try:
            # The process holds its own copy; without closing ours, its end would never be seen.
            with theirs:
                self._process = self._start(theirs)
            self._visitor.setblocking(False)
            ours.setblocking(False)
            self._relay(ours)
        finally:
            ours.close()
            self._end()

    def _end(self) -> None:
        """End the Git process and give up its place; only the first call has an effect."""
        if self._process is not None:
            if self._process.poll() is None:
                kill_group(self._process)
            self._process.wait()
            self._process = None
        if self._leave is not None:
            self._leave()
            self._leave = None

    def _relay(self, git: socket.socket) -> None:
        said_all = False
        with selectors.DefaultSelector() as selector:
            while not (said_all and not self._held):
                wanted: dict[socket.socket, int] = {}
                # Git is read ahead of a slow visitor up to a bound, so that its process can end soon.
                if not said_all and len(self._held) < MAX_HELD_ANSWER_BYTES:
                    wanted[git] = selectors.EVENT_READ
                # The visitor is read again only when Git has taken everything: nothing piles up here.
                if self._asked:
                    wanted[git] = wanted.get(git, 0) | selectors.EVENT_WRITE
                elif not said_all:
                    wanted[self._visitor] = selectors.EVENT_READ
                if self._held:
                    wanted[self._visitor] = wanted.get(self._visitor, 0) | selectors.EVENT_WRITE
                _watch(selector, wanted)
                ready = selector.select(min(STALL_S, self._until - self._time.monotonic()))
                if not ready or self._time.monotonic() > self._until:
                    return
                for key, events in ready:
                    if key.fileobj is git:
                        said_all = not self._with_git(git, events)
                        # The place is free for the next visitor while this one still reads what is held.
                        if said_all:
                            self._end()
                    elif not self._with_visitor(events):
                        return

    def _with_git(self, git: socket.socket, events: int) -> bool:
        """Read from Git and write to it; False once Git is finished."""
        if events & selectors.EVENT_WRITE and self._asked:
            with contextlib.suppress(OSError):
                del self._asked[: git.send(self._asked)]
        if events & selectors.EVENT_READ:
            data = git.recv(_CHUNK)
            self._held += self._skipper.rest_of(data)
            return bool(data)
        return True

    def _with_visitor(self, events: int) -> bool:
        """Write to the visitor and read from it; False once the visitor has gone."""
        if events & selectors.EVENT_WRITE and self._held:
            del self._held[: self._visitor.send(self._held[:_CHUNK])]
        if events & selectors.EVENT_READ:
            data = self._visitor.recv(_CHUNK)
            self._asked += data
            return bool(data)
        return True


def _watch(selector: selectors.BaseSelector, wanted: dict[socket.socket, int]) -> None:
    """Make a selector watch exactly these sockets."""
    for key in [*selector.get_map().values()]:
        if key.fileobj not in wanted:
            selector.unregister(key.fileobj)
    for stream, events in wanted.items():
        try:
            selector.modify(stream, events)
        except KeyError:
            selector.register(stream, events)
