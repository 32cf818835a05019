"""A lock that ends with its process, so that it is never stale."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from pathlib import Path

from catan_p2p.log.storage import disk
from catan_p2p.log.storage.objects import StoreError, StoreLocked
from catan_p2p.time_source import SYSTEM_TIME, TimeSource

# flock and lockf name different errors for a lock that is held.
_BUSY = {errno.EAGAIN, errno.EACCES, errno.EDEADLK}
_LOCKED_BYTE = 1 << 20
"""Windows forbids others to read a locked byte, so it is one far behind the content."""
_PROCESS = b"%10d\n"
"""A process id, padded: a repository has the same size whichever process wrote it."""
_RETRY_S = 0.01
_DYING_S = 10.0
"""A process killed while it starts Git leaves a child that keeps its files open until it executes Git."""
_held: set[tuple[int, int]] = set()
"""Device and file of every lock that this process holds. A released one may still be open in such a child."""


class ProcessLock:
    """One process at a time holds the lock on ``path``; the file holds its process id for the others' message.

    StoreLocked if another process holds it, or this one. A lock that survives only in a child about to become Git is
    waited for some seconds.
    """

    def __init__(self, path: Path, purpose: str, time: TimeSource = SYSTEM_TIME) -> None:
        self.path = path
        self._time = time
        with disk.explained("open the lock", path):
            self._file = disk.open_append(path)
        self._key: tuple[int, int] | None = None
        try:
            self._acquire(purpose)
            found = os.fstat(self._file)
            self._key = found.st_dev, found.st_ino
            _held.add(self._key)
            with disk.explained("write the lock", path):
                # Written after locking, so the id always names the holder; it is only for messages, and not trusted.
                disk.truncate(self._file, 0)
                disk.append(self._file, _PROCESS % os.getpid())
        except BaseException:
            self.release()
            raise

    def release(self) -> None:
        """Let the next process in; the file stays."""
        if self._file >= 0:
            if self._key is not None:
                _held.discard(self._key)
            os.close(self._file)
            self._file = -1

    def _acquire(self, purpose: str) -> None:
        deadline = self._time.monotonic() + _DYING_S
        while True:
            try:
                _lock(self._file)
                return
            except OSError as error:
                if error.errno not in _BUSY:
                    raise StoreError(f"{self.path}: cannot lock: {disk.reason(error)}") from error
            holder = self._holder()
            # After a dead holder, or one that has released the lock, only a child of it can still have it.
            if (_is_alive(holder) and not self._is_left(holder)) or self._time.monotonic() >= deadline:
                who = f"process {holder}" if holder else "another process"
                raise StoreLocked(f"{self.path}: {who} is already {purpose}")
            self._time.sleep(_RETRY_S)

    def _is_left(self, holder: int | None) -> bool:
        """Whether this process has released the lock, and only a child of it still holds it."""
        found = os.fstat(self._file)
        return holder == os.getpid() and (found.st_dev, found.st_ino) not in _held

    def _holder(self) -> int | None:
        with contextlib.suppress(OSError, ValueError):
            return int(disk.read(self.path) or b"")
        return None


def is_locked(path: Path) -> bool:
    """Whether a process holds the lock on ``path``; not if there is no such file."""
    # A link in the place of the lock could name any file of the user's.
    flags = getattr(os, "O_NOFOLLOW", 0)
    try:
        try:
            # Some systems lock exclusively only what is open for writing.
            descriptor = os.open(path, os.O_RDWR | flags)
        except PermissionError:
            descriptor = os.open(path, os.O_RDONLY | flags)
        except OSError as error:
            if error.errno != errno.EROFS:
                raise
            descriptor = os.open(path, os.O_RDONLY | flags)
    except FileNotFoundError:
        return False
    except OSError:
        return True  # a caller that cannot tell must remove nothing
    try:
        _lock(descriptor)
    except OSError:
        return True
    finally:
        os.close(descriptor)
    return False


if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> None:
        os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        os.lseek(descriptor, 0, os.SEEK_SET)

    def _is_alive(process: int | None) -> bool:
        return True

else:
    import fcntl

    def _lock(descriptor: int) -> None:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            # Some network file systems know only record locks.
            if error.errno in _BUSY:
                raise
            fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _is_alive(process: int | None) -> bool:
        if process is None:
            return False
        try:
            # Signal 0 asks whether the process exists without touching it.
            os.kill(process, 0)
        except ProcessLookupError:
            return False
        # The process belongs to another user.
        except OSError:
            return True
        return True
