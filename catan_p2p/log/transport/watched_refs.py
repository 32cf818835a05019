"""Whether refs in a folder may have moved, told by the state of a few files: a look that finds nothing costs nothing.

A ref is moved by renaming a file, which changes the time of the folder that it is in. The files of the refs that are
looked for are watched, too: some program may write into them. Only folders on the own device
are watched, and no link is followed: this is asked by the peer itself, which must never wait for a mount that hangs.
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
"""Of so many players the copies are watched, each a folder below ``refs/remotes``; with more, nothing is."""
YOUNG_S = 0.05
"""Something that was changed so short a time before it was looked at may change again within the same tick."""
_YOUNG_IN_SECONDS_S = 2.1
"""The same where times are kept in whole seconds, or in two."""
_SECOND_NS = 1_000_000_000

_Stamp: TypeAlias = tuple[tuple[int, int, int] | None, ...]
"""Of each watched path when it was changed, how large it is, and which file it is."""


class WatchedRefs:
    """The refs of the repository at ``path``, watched from the peer whose Git folder is ``own``."""

    def __init__(self, path: Path, own: Path, time: TimeSource = SYSTEM_TIME) -> None:
        self._path = path
        self._own = own
        self._time = time
        self._folder: str | None = None
        self._device: int | None = None
        self._is_elsewhere = False
        """Whether it is on another device, and never watched."""
        self._paths: tuple[str, ...] = ()
        self._seen: _Stamp | None = None

    def note(self, refs: Iterable[str] = ()) -> None:
        """Take note of how it is now, before a look for these refs and others begins."""
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
        is_coarse = all(at % _SECOND_NS == 0 for at in changed)
        young_s = _YOUNG_IN_SECONDS_S if is_coarse else YOUNG_S
        is_young = any(abs(now_ns - at) < young_s * _SECOND_NS for at in changed)
        self._seen = None if is_young else seen

    def forget(self) -> None:
        """Anything may have moved, as far as is known."""
        self._seen = self._folder = None

    @property
    def may_have_moved(self) -> bool:
        """Whether a ref may have moved since this was noted."""
        if self._seen is None:
            return True
        try:
            return self._stamp() != self._seen
        except OSError:
            return True

    def _found(self) -> str:
        """The Git folder, if it is on the own device."""
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

    def _state(self, path: str) -> tuple[int, int, int] | None:
        try:
            found = os.lstat(path)
        except FileNotFoundError:
            return None
        if found.st_dev != self._device or stat.S_ISLNK(found.st_mode):
            raise OSError(f"{path}: not on the own device")
        return found.st_mtime_ns, found.st_size, found.st_ino
