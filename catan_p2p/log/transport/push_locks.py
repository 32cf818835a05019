"""Locks on refs of a repository in a folder, and how to recognize those left by a killed push from here.

Before a lock appears there, the own repository records which file it will be. A seat runs one push at a time, so a lock
that matches the record was left by a push that has ended, and the next push removes it. A copy of the seat that plays
elsewhere has its own locks, which no record here names. On a file system without hard links, a lock is recorded right
after it has appeared; one left in between is removed after ``LOCK_S`` seconds.
"""

from __future__ import annotations

import contextlib
import json
import os
import platform
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from catan_p2p.log.storage import disk
from catan_p2p.log.storage.lock import ProcessLock
from catan_p2p.log.storage.objects import ObjectDamaged, StoreLocked, parse_object_id
from catan_p2p.log.storage.writer_folder import FOLDER
from catan_p2p.log.transport.bounded import TIMEOUT_S
from catan_p2p.log.transport.own_git import has_object
from catan_p2p.log.transport.remote import RemoteUnreachable
from catan_p2p.log.transport.their_files import read_start
from catan_p2p.safe_text import shown_date

_PUSH_LOCK = f"{FOLDER}/pushing.lock"
_RECORD = f"{FOLDER}/pushing.record"
LOCK_S = 2 * TIMEOUT_S
"""Longer than a push holds a lock: an older lock of this seat was left behind, even if no record names it."""
_MOST_BYTES = 64


class LockRecord(NamedTuple):
    """A lock that a push is about to take, and its file."""

    lock: str
    inode: int
    changed_ns: int
    content: str
    host: str
    seat: tuple[int, int]
    """The file that the seat's only running push has locked: a copy of the repository has another file."""


class PushLocks:
    """The locks of one push from the repository ``own``; made by ``pushing``."""

    def __init__(self, own: Path, held: ProcessLock) -> None:
        self._own = own
        self._record = own / _RECORD
        status = held.path.stat()
        self._seat = status.st_dev, status.st_ino
        if (left := self._read_record()) is not None:
            # The lock itself, or its file before it was linked.
            for file in (Path(left.lock), _unlinked(Path(left.lock))):
                if self._is(file, left):
                    disk.remove(file)

    def take(self, lock: Path, content: bytes) -> str | None:
        """Make a lock, after removing one that this seat has left behind; return None, or why it cannot be made.

        The lock appears with its whole content, an id that the own repository has. So it is recognized even after a
        loss of power, which can take the record.
        """
        fresh = _unlinked(lock)
        disk.remove(fresh)
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666), "wb") as file:
            file.write(content)
            file.flush()
            # The lock must outlive a loss of power with its content, or nobody would recognize it.
            disk.sync(file.fileno())
        try:
            self._claim(lock, fresh, content)
            # A second attempt, after an old lock of this seat was removed.
            for _ in range(2):
                try:
                    disk.link(fresh, lock)
                except FileExistsError:
                    # Both times come from the file system of the folder, whose clock may differ from ours.
                    since_s, now_s = lock.lstat().st_mtime, fresh.stat().st_mtime
                else:
                    if lock.stat().st_ino != fresh.stat().st_ino:  # a copy: this file system has no links
                        self._claim(lock, lock, content)
                    return None
                names_own = self._names_own(lock)
                if abs(now_s - since_s) < LOCK_S or not names_own:
                    break
                disk.remove(lock)
        except FileNotFoundError:
            return "its lock has just gone"
        finally:
            disk.remove(fresh)
        who = "another push of this seat, or one that was interrupted," if names_own else "somebody else"
        return f"{who} has held its lock since {shown_date(int(since_s)):%Y-%m-%d %H:%M} UTC: {lock}"

    def _claim(self, lock: Path, file: Path, content: bytes) -> None:
        """Record in the own repository, on stable storage, that ``lock`` will be this file."""
        status = file.stat()
        record = LockRecord(
            str(lock), status.st_ino, status.st_mtime_ns, content.decode("ascii"), platform.node(), self._seat
        )
        disk.rewrite(self._record, json.dumps(record._asdict()).encode())
        disk.sync_file(self._record)

    def _read_record(self) -> LockRecord | None:
        """Return the record of the previous push, if it came from this repository on this machine."""
        try:
            told = json.loads(disk.read(self._record) or b"")
            record = LockRecord(**(told | {"seat": tuple(told["seat"])}))
        except (ValueError, TypeError, KeyError):
            return None  # it was cut while it was written, before there was a lock
        return record if (record.host, record.seat) == (platform.node(), self._seat) else None

    @staticmethod
    def _is(lock: Path, record: LockRecord) -> bool:
        try:
            status = lock.lstat()
            content = read_start(lock, _MOST_BYTES)
        except (OSError, ObjectDamaged):
            return False
        # An inode number is used again after its file is gone, so the time and the content must match, too.
        is_file = (status.st_ino, status.st_mtime_ns) == (record.inode, record.changed_ns)
        return is_file and content == record.content.encode("ascii")

    def _names_own(self, lock: Path) -> bool:
        """Whether a lock holds the id of one of our own objects, as only pushes of this seat write it."""
        try:
            content = read_start(lock, _MOST_BYTES) or b""
            oid = parse_object_id(content.decode("ascii").removesuffix("\n"))
        except (ObjectDamaged, ValueError):
            return False
        return content == f"{oid}\n".encode() and has_object(self._own, oid)


def _unlinked(lock: Path) -> Path:
    """The temporary name of a lock until it is complete."""
    return lock.with_name(f".{lock.name}.new")


@contextlib.contextmanager
def pushing(own: Path) -> Iterator[PushLocks]:
    """Run one push of a seat at a time; first remove the locks that a killed one has left."""
    try:
        disk.make_folder(own / FOLDER)
        held = ProcessLock(own / _PUSH_LOCK, "pushing from here")
    except StoreLocked as error:
        raise RemoteUnreachable(str(error)) from None
    try:
        yield PushLocks(own, held)
    finally:
        held.release()
