"""Git processes with bounds on their time, their output and the files that they write."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import IO, NamedTuple

from catan_p2p.limits import MAX_COMPLAINT_BYTES, MAX_WRITTEN_FILE_BYTES
from catan_p2p.log.transport.remote import RemoteUnreachable
from catan_p2p.time_source import SYSTEM_TIME, TimeSource

TIMEOUT_S = 60.0
_LOOK_EVERY_S = 0.02
"""How often to check whether a process has written too much."""
_BLOCK_BYTES = 512
"""The unit of ``ulimit -f``."""

_leads_session = False


class ProcessEnd(NamedTuple):
    """How a process ended."""

    code: int
    out: bytes
    complaint: str
    wrote_too_much: bool


def lead_session() -> None:
    """Declare that this process leads a session of its own: a worker, which is ended together with its children.

    From then on it survives SIGTERM, which ends the processes that it has started, and theirs.
    """
    global _leads_session
    if sys.platform != "win32" and os.getsid(0) == os.getpid():
        # A handler, for a signal that is ignored would be ignored by those processes, too.
        signal.signal(signal.SIGTERM, lambda *_: None)
        _leads_session = True


def end_children() -> None:
    """End everything that this process has started, if it leads a session."""
    if _leads_session and sys.platform != "win32":
        with contextlib.suppress(OSError):
            os.killpg(0, signal.SIGTERM)


def kill_group(process: subprocess.Popen[bytes]) -> None:
    """Kill a process that leads a session, with everything that it has started; on Windows, the process alone."""
    if sys.platform == "win32":
        process.kill()
    else:
        with contextlib.suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)


def run_bounded(
    command: Sequence[str],
    environment: Mapping[str, str],
    limit: int,
    given: bytes = b"",
    *,
    most_file_bytes: int = MAX_WRITTEN_FILE_BYTES,
    writes_too_much: Callable[[], bool] | None = None,
) -> ProcessEnd:
    """Run a process that reads ``given``, prints at most ``limit`` bytes and ends within ``TIMEOUT_S``.

    The system bounds each file where it can; the process ends as soon as ``writes_too_much`` returns true.
    """
    process = start(command, environment, is_told=bool(given), most_file_bytes=most_file_bytes)
    watcher = _ProcessWatcher(process, writes_too_much)
    complaints: list[bytes] = []
    assert process.stdout is not None and process.stderr is not None
    # Both streams are read at once: a full pipe that nobody reads would stop the process.
    listener = threading.Thread(target=drain, args=(process.stderr, complaints), daemon=True)
    listener.start()
    # From a thread of its own, for the same reason: the process may print before it has read everything.
    if process.stdin is not None:
        threading.Thread(target=_tell, args=(process.stdin, given), daemon=True).start()
    try:
        out = b""
        # One byte more than allowed shows that there is more.
        while len(out) <= limit and (data := process.stdout.read1(limit + 1 - len(out))):  # type: ignore[attr-defined]
            out += data
        if len(out) > limit:
            raise RemoteUnreachable(f"{command[0]} printed more than {limit} bytes")
        code = process.wait()
        # A child of the process may keep the pipe open, so the wait for its end is short.
        listener.join(1.0)
    finally:
        watcher.stop()
        end(process)
        process.stdout.close()
    return ProcessEnd(code, out, b"".join(complaints).decode("utf-8", "replace"), watcher.found_too_much)


def start(
    command: Sequence[str],
    environment: Mapping[str, str],
    *,
    is_told: bool,
    most_file_bytes: int = MAX_WRITTEN_FILE_BYTES,
) -> subprocess.Popen[bytes]:
    """Start a process whose output is read; ``end`` ends it. Each file that it writes is bounded where possible."""
    try:
        return subprocess.Popen(
            _with_small_files(command, most_file_bytes),
            env=environment,
            stdin=subprocess.PIPE if is_told else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            # Children of a worker stay in its session, so that one signal ends all of them.
            start_new_session=not _leads_session,
        )
    except OSError as error:
        raise RemoteUnreachable(f"cannot run {command[0]}: {error.strerror}") from error


def _with_small_files(command: Sequence[str], most_bytes: int) -> Sequence[str]:
    """Wrap the command so that neither it nor its children can write larger files, where the system allows that.

    The limit is set before the command runs: set later, it would miss the children that already run.
    """
    if sys.platform != "linux":
        return command
    # POSIX sh counts in blocks of 512 bytes; the division rounds up.
    return ("/bin/sh", "-c", 'ulimit -f "$0" 2>/dev/null; exec "$@"', str(-(-most_bytes // _BLOCK_BYTES)), *command)


class _ProcessWatcher:
    """Ends a process that takes too long, or that writes too much."""

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        writes_too_much: Callable[[], bool] | None,
        time: TimeSource = SYSTEM_TIME,
    ) -> None:
        self.found_too_much = False
        self._time = time
        self._process = process
        self._writes_too_much = writes_too_much
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def _watch(self) -> None:
        deadline = self._time.monotonic() + TIMEOUT_S
        while (left_s := deadline - self._time.monotonic()) > 0:
            pause_s = left_s
            if self._writes_too_much is not None:
                pause_s = min(pause_s, _LOOK_EVERY_S)
            if self._over.wait(pause_s):
                return
            if self._writes_too_much is not None and self._writes_too_much():
                self.found_too_much = True
                break
        end(self._process)

    def stop(self) -> None:
        """Stop watching the process."""
        self._over.set()
        self._thread.join()


def _tell(stream: IO[bytes], told: bytes) -> None:
    with contextlib.suppress(OSError, ValueError), stream:
        stream.write(told)


def drain(stream: IO[bytes], into: list[bytes]) -> None:
    """Read a process's standard error to its end, and keep at most ``MAX_COMPLAINT_BYTES`` of it."""
    room = MAX_COMPLAINT_BYTES
    with contextlib.suppress(OSError, ValueError):
        while data := os.read(stream.fileno(), 4096):
            if room > 0:
                into.append(data)
                room -= len(data)
    stream.close()


def end(process: subprocess.Popen[bytes]) -> None:
    """End a process with everything that it has started, if it still runs."""
    if process.poll() is None:
        with contextlib.suppress(OSError):
            # A child that handles SIGTERM would survive the signal to its session.
            if _leads_session:
                end_children()
                process.kill()
            else:
                kill_group(process)
        process.wait()
