"""A note outside of a player's repository, on the machine on which the seat was played last: where the own log is.

A repository that was put back from a backup, or copied from another machine, disagrees with it, or there is none.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from catan_p2p.log.storage import disk
from catan_p2p.log.storage.medium import FileMedium
from catan_p2p.log.storage.objects import ObjectId


class HeadNote:
    """The file that holds the note. Whatever happens to it, the seat is only taken for one that was put back."""

    def __init__(self, notes: Path, root: ObjectId, colour: str, medium: FileMedium = disk) -> None:
        self._path, self._medium = notes / f"{root}_{colour}", medium
        self._is_synced = self._is_name_synced = False  # another process may have made the note

    def agrees(self, log: ObjectId | None) -> bool:
        """Whether the own log is where the note says."""
        with suppress(OSError, UnicodeDecodeError):
            return log is not None and log in (self._medium.read(self._path) or b"").decode().split()
        return False

    @property
    def is_kept(self) -> bool:
        """Whether there is a note, so that the seat has been played here."""
        with suppress(OSError):
            return self._medium.read(self._path) is not None
        return True

    def keep(self, *heads: ObjectId) -> None:
        """Note where the log is; two commits while it moves from one to the other, before anybody sees the second."""
        with suppress(OSError):
            if not self._medium.exists(self._path):
                self._medium.make_folder(self._path.parent)
                self._is_name_synced = False
            self._is_synced = False
            self._medium.rewrite(self._path, "".join(f"{head}\n" for head in heads).encode())

    def sync(self) -> None:
        """Have the note outlive a loss of power; called once others can see what was noted, so that no move waits."""
        if self._is_synced:
            return
        self._is_synced = True  # also if it fails: the system would take the note for written the next time
        with suppress(OSError):
            self._medium.sync_file(self._path)
            if not self._is_name_synced:
                self._medium.sync_folder(self._path.parent)
                self._medium.sync_folder(self._path.parent.parent)
                self._is_name_synced = True
