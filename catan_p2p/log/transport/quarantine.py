"""The quarantine: a folder for objects that were fetched from somebody and not yet validated.

It is bounded in bytes on disk, whatever they are: an interrupted fetch leaves a ``tmp_pack_*`` that Git never removes.
Code that ends a fetch removes the folder as a whole. Every process has its own folder, and holds a lock in it while it
lives, so that the next start can distinguish what a killed process has left from what is in use.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from catan_p2p.limits import MAX_QUARANTINED_BYTES
from catan_p2p.log.storage import disk
from catan_p2p.log.storage.lock import ProcessLock, is_locked
from catan_p2p.log.transport.remote import RemoteUnreachable
from catan_p2p.time_source import SYSTEM_TIME, TimeSource

_BLOCK_BYTES = 4096
_LOCK_FILE = "lock"
_NAME = re.compile(r"fetched-[0-9a-f]{16}")
_TRIES = 100
_RETRY_S = 0.02
"""A process that was just killed may still create a file."""
_MAX_DEPTH = 3


class Quarantine:
    """A folder of objects outside the own repository's, made when it is first used."""

    def __init__(self, folder: Path, most_bytes: int = MAX_QUARANTINED_BYTES) -> None:
        self.folder = folder
        self.objects = folder / "objects"
        self.most_bytes = most_bytes
        self._lock: ProcessLock | None = None

    @staticmethod
    def new_name(entropy: Callable[[int], bytes] = os.urandom) -> str:
        """Return a name such as ``fetched-0123456789abcdef``, for a folder that no other process has."""
        return f"fetched-{entropy(8).hex()}"

    def begin(self) -> None:
        """Make the folder, and hold its lock from then on."""
        with disk.explained("make the quarantine", self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
            if self._lock is None:
                self._lock = ProcessLock(self.folder / _LOCK_FILE, "fetching into it")
            (self.objects / "pack").mkdir(parents=True, exist_ok=True)

    @property
    def packs(self) -> int:
        """How many packs there are."""
        return sum(1 for _ in (self.objects / "pack").glob("*.pack"))

    @property
    def size(self) -> int:
        """How many bytes all files take on disk: packs, indexes and unfinished ones."""
        return bytes_in(self.objects)

    @property
    def room(self) -> int:
        """How many more bytes may be written."""
        return max(0, self.most_bytes - self.size)

    def clear(self) -> None:
        """Remove the folder as a whole. ``RemoteUnreachable`` if it cannot be removed: then nothing more is fetched."""
        if self._lock is not None:
            # Windows removes no file that is open.
            self._lock.release()
            self._lock = None
        if not remove_whole(self.folder):
            raise RemoteUnreachable(f"{self.folder}: cannot be removed")


def bytes_in(folder: Path) -> int:
    """How many bytes all files in a folder take on disk."""
    total = 0
    for place, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):
                size = os.lstat(os.path.join(place, name)).st_size  # noqa: PTH118
                # Rounded up to blocks: a great many tiny files fill a disk, too.
                total += -(-size // _BLOCK_BYTES) * _BLOCK_BYTES
    return total


def remove_whole(folder: Path, time: TimeSource = SYSTEM_TIME) -> bool:
    """Remove a folder with everything in it; return whether it is gone."""
    for _ in range(_TRIES):
        if not os.path.lexists(folder):
            return True
        shutil.rmtree(folder, ignore_errors=True)
        if not os.path.lexists(folder):
            return True
        time.sleep(_RETRY_S)
    return False


def sweep(incoming: Path) -> None:
    """Remove what ended processes have left in a seat's folder of quarantines; folders in use, and links, stay.

    Only for the holder of the seat's lock: folders without a lock come from earlier versions of this program.
    """
    _sweep(incoming, _MAX_DEPTH)


def _sweep(folder: Path, depth: int) -> None:
    try:
        entries = [*os.scandir(folder)]
    except OSError:
        return
    for entry in entries:
        path = Path(entry.path)
        with suppress(OSError):
            # A link could lead the removal anywhere.
            mode = entry.stat(follow_symlinks=False).st_mode
            if stat.S_ISLNK(mode):
                continue
            if not stat.S_ISDIR(mode):
                path.unlink()
            elif not _NAME.fullmatch(entry.name) and depth > 0:
                _sweep(path, depth - 1)
                # Fails while something below is in use, which is as it should be.
                path.rmdir()
            elif not is_locked(path / _LOCK_FILE):
                shutil.rmtree(path, ignore_errors=True)
