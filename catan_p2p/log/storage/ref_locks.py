"""The lock files that become refs.

Git makes a new file for every move of a ref. Finding an inode for it, and freeing the one it replaces, can cost more
than the rest of a publication. So a ref that moves often has two files of its own here: one of them is the ref, under
its other name, and the other one is rewritten and linked as the lock. A file with a second name is never written to,
so a ref is never changed in place, whatever else happens to it.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from pathlib import Path
from urllib.parse import quote

from catan_p2p.log.storage import disk
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.storage.writer_folder import WriterFolder

_PLAIN_MOVES = 2
"""The first moves of a ref use plain new files: a branch for a discard has no more of them."""


class RefLocks:
    """Makes the locks of one writer."""

    def __init__(self, home: WriterFolder) -> None:
        self._home = home
        self._fresh = home.file("ref.new")
        self._sides: dict[str, tuple[Path, Path]] = {}
        self._moves: Counter[str] = Counter()

    def make(self, lock: Path, ref: str, new: ObjectId | None) -> None:
        """Make ``lock``, ready to become ``ref`` at ``new``; FileExistsError if it is there already.

        Where the file system has links, it appears with its whole content.
        """
        # A lock for a deletion holds no id: the ref is removed, and the lock after it.
        if new is None:
            self.mark(lock)
            self._moves.pop(ref, None)
            self._sides.pop(ref, None)
            return
        content = f"{new}\n".encode()
        self._moves[ref] += 1
        spare = self._write_spare(ref, content) if self._moves[ref] > _PLAIN_MOVES else None
        if spare is not None:
            self._home.medium.link(spare, lock)
            return
        fresh = self._fresh
        # Left by a process that was killed between the next steps.
        self._home.medium.remove(fresh)
        self._home.medium.create(fresh, content)
        try:
            # Linked when complete, so no reader finds a lock without content.
            self._home.medium.link(fresh, lock)
        finally:
            with contextlib.suppress(OSError):
                self._home.medium.remove(fresh)

    def mark(self, lock: Path) -> None:
        """Create ``lock`` for a deletion, so it never becomes a ref; FileExistsError if it is there already."""
        self._home.medium.link(self._home.marker, lock)

    def is_own(self, lock: Path) -> bool:
        """Whether ``lock`` is a file of this writer under another name, or a copy of its marker, maybe torn."""
        medium = self._home.medium
        status = medium.status(lock)
        if status is None:
            return False
        # A file with one name cannot be ours under another one, which spares a look at every spare.
        ours = [medium.status(name) for name in (self._home.marker, *self._spares())] if status.names > 1 else []
        linked = any(own is not None and own.identity == status.identity for own in ours)
        content = medium.read(lock) or b""
        # A loss of power may leave zeros in it; an empty one Git may have just made.
        return linked or (content != b"" and self._home.mark.startswith(content.rstrip(b"\0")))

    def clear(self) -> None:
        """Remove the spare files; refs keep their own names, and move along new files from here on.

        What a loss of power can bring back in the place of a ref is then no older than this.
        """
        with disk.explained("remove spare files", self._home.folder):
            for spare in self._spares():
                self._home.medium.remove(spare)
        self._moves.clear()
        self._sides.clear()

    def _spares(self) -> list[Path]:
        return self._home.files("ref.")

    def _write_spare(self, ref: str, content: bytes) -> Path | None:
        """Return the spare file of ``ref`` that has no other name, now with ``content``; None if it cannot be had."""
        if ref not in self._sides:
            stem = f"ref.{quote(ref, safe='')}"
            self._sides[ref] = self._home.file(f"{stem}.a"), self._home.file(f"{stem}.b")
        for path in self._sides[ref]:
            try:
                if self._home.medium.rewrite(path, content):
                    return path
            # Without a spare file the move takes a plain new one.
            except OSError:
                return None
        return None
