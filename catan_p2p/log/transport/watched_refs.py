"""Tells from the state of a few files whether refs in a folder may have moved, so that an idle look costs nothing.

A ref moves by renaming a file, which changes the time of its folder. The files of the named refs are watched, too: some
programs write into them. Only folders on the own device are watched, and no link is followed: the peer itself makes
this check, and it must never wait for a mount that hangs.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import TypeAlias

from catan_p2p.log.storage.objects import StoreError
from catan_p2p.log.transport.their_files import git_folder
from catan_p2p.time_source import SYSTEM_TIME, TimeSource

_WATCHED = ("packed-refs", "refs/heads", "refs/chat", "refs/remotes")
_COPIES = "refs/remotes"
_MOST_COPIES = 16
"""The copies of at most this many players are watched, each a folder below ``refs/remotes``."""
YOUNG_S = 0.05
"""A file changed this shortly before it was looked at may change again within the same tick of its clock."""
_YOUNG_IN_SECONDS_S = 2.1
"""The same where times are kept in whole seconds, or in steps of two."""
_SECOND_NS = 1_000_000_000

_Stamp: TypeAlias = tuple[tuple[int, int, int, int] | None, ...]
"""For each watched path the times of change of its content and of its inode, its size, and its inode."""


class WatchedRefs:
    """The refs of the repository at ``path``, watched from the peer whose Git folder is ``own``."""

    def __init__(self, path: Path, own: Path, time: TimeSource = SYSTEM_TIME) -> None:
        self._path = path
        self._own = own
        self._time = time
        self._folder: str | None = None
        self._device: int | None = None
        self._is_elsewhere = False
        """Whether it is on another device, and so never watched."""
        self._paths: tuple[str, ...] = ()
        self._seen: _Stamp | None = None

    def note(self, refs: Iterable[str] = ()) -> None:
        """Record the present state, before a look for these refs and others begins."""
        self._seen = None
        if self._is_elsewhere:
            return
        try:
            folder = self._folder = self._folder or self._found()
            copies = self._copies(f"{folder}/{_COPIES}")
            self._paths = (*(f"{folder}/{name}" for name in (*_WATCHED, *refs)), *copies)
            seen = self._stamp()
        except (OSError, StoreError):
            return
        now_ns = self._time.date_s() * _SECOND_NS
        changed = [one[0] for one in seen if one is not None]
        # FAT keeps times in steps of two seconds, some other file systems in whole ones.
        is_coarse = all(at % _SECOND_NS == 0 for at in changed)
        young_s = _YOUNG_IN_SECONDS_S if is_coarse else YOUNG_S
        is_young = any(abs(now_ns - at) < young_s * _SECOND_NS for at in changed)
        self._seen = None if is_young else seen

    def forget(self) -> None:
        """Forget the recorded state: anything may have moved."""
        self._seen = self._folder = None

    @property
    def may_have_moved(self) -> bool:
        """Whether a ref may have moved since the last ``note``."""
        if self._seen is None:
            return True
        try:
            return self._stamp() != self._seen
        except OSError:
            return True

    def _found(self) -> str:
        """Return the Git folder, if it is on the own device."""
        folder = git_folder(self._path)
        self._device = self._own.stat().st_dev
        self._is_elsewhere = folder.stat().st_dev != self._device
        if self._is_elsewhere:
            raise OSError(f"{folder}: not on the own device")
        return str(folder)

    def _copies(self, folder: str) -> tuple[str, ...]:
        if self._state(folder) is None:
            return ()
        names: list[str] = []
        with os.scandir(folder) as entries:
            for entry in entries:
                if len(names) == _MOST_COPIES:
                    raise OSError(f"{folder}: more than are watched")
                names.append(entry.path)
        return tuple(sorted(names))

    def _stamp(self) -> _Stamp:
        return tuple([self._state(path) for path in self._paths])

    def _state(self, path: str) -> tuple[int, int, int, int] | None:
        try:
            found = os.lstat(path)
        except FileNotFoundError:
            return None
        if found.st_dev != self._device or stat.S_ISLNK(found.st_mode):
            raise OSError(f"{path}: not on the own device")
        # A program that copies files may set the first time back, never the second.
        return found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino
