"""A lock that ends with its process, so that it is never stale."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from pathlib import Path

from catan_p2p.log import disk
from catan_p2p.log.objects import StoreError, StoreLocked

_BUSY = {errno.EAGAIN, errno.EACCES, errno.EDEADLK}
_LOCKED_BYTE = 1 << 20
"""Windows forbids others to read a locked byte, so it is one far behind the content."""


class ProcessLock:
    """One process at a time holds the lock on ``path``; the file holds its process id for the others'
    message."""

    def __init__(self, path: Path, purpose: str) -> None:
        self.path = path
        self._file = -1
        with disk.explained("open the lock", path):
            descriptor = disk.open_append(path)
        try:
            _lock(descriptor)
        except OSError as error:
            os.close(descriptor)
            if error.errno in _BUSY:
                raise StoreLocked(f"{path}: {_holder(path)} is already {purpose}") from None
            raise StoreError(f"{path}: cannot lock: {disk.reason(error)}") from error
        self._file = descriptor
        with disk.explained("write the lock", path), self._closed_on_error():
            disk.truncate(descriptor, 0)
            disk.append(descriptor, b"%d\n" % os.getpid())

    def release(self) -> None:
        """Let the next process in; the file stays."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    @contextlib.contextmanager
    def _closed_on_error(self):  # type: ignore[no-untyped-def]
        try:
            yield
        except OSError:
            self.release()
            raise


def _holder(path: Path) -> str:
    with contextlib.suppress(OSError, ValueError):
        return f"process {int(disk.read(path) or b'')}"
    return "another process"


if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> None:
        os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        os.lseek(descriptor, 0, os.SEEK_SET)

else:
    import fcntl

    def _lock(descriptor: int) -> None:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno in _BUSY:
                raise
            fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
