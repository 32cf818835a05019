"""A medium that loses power: what a folder may hold afterwards, given what was synced and what was not.

The model is harsher than any file system that is in use. What ``fsync`` was not called for may be there, or not, or in
part: a file may have its old content, its new length with zeros, a part of its new content; each change of a folder's
names may have happened or not, whatever was done before or after it, unless the folder was synced since. A synced file
under a name that was not synced is lost with the name. Only a rename is atomic: the name is one file's or the other's.
"""

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

CutPoint = Callable[[str], None]


@dataclass
class _File:
    """A file, under whatever names: what of it is on the medium, None if nothing ever was."""

    descriptor: int
    synced: bytes | None

    def content(self) -> bytes:
        parts, at = [], 0
        while part := os.pread(self.descriptor, 1 << 20, at):
            parts.append(part)
            at += len(part)
        return b"".join(parts)

    def after_cut(self, rng: Random) -> bytes:
        """One of the contents that it may have when the power is back."""
        now, before = self.content(), self.synced or b""
        if now == before:
            return now
        same = next(
            (i for i, (a, b) in enumerate(zip(now, before, strict=False)) if a != b), min(len(now), len(before))
        )
        rest = now[same:]
        half = rng.randrange(len(rest) + 1)
        return rng.choice(
            [
                before,
                now,
                now[:same] + bytes(len(rest)),
                now[:same] + rest[:half] + bytes(len(rest) - half),
                now[: same + half],
                now[:same],
            ]
        )


@dataclass
class _Folder:
    """A folder: the names that are on the medium."""

    synced: dict[str, int] = field(default_factory=dict)


class Medium:
    """Follows the folder ``path``, all of which is on the medium to begin with."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.syncs = 0
        self._files: dict[int, _File] = {}
        self._folders: dict[int, _Folder] = {}
        self._kept: list[int] = []
        self._look(path, synced=True)

    def close(self) -> None:
        """Let go of all files."""
        for descriptor in self._kept:
            os.close(descriptor)
        self._kept.clear()

    def _look(self, folder: Path, *, synced: bool) -> dict[str, int]:
        """Take note of files and folders that are new; what is held open keeps its number, so none comes again."""
        names = {}
        inode = folder.stat().st_ino
        known = self._folders.setdefault(inode, _Folder())
        for entry in os.scandir(folder):
            number = entry.inode()
            names[entry.name] = number
            if entry.is_dir(follow_symlinks=False):
                self._look(Path(entry.path), synced=synced)
            elif number not in self._files:
                descriptor = os.open(entry.path, os.O_RDONLY)
                self._kept.append(descriptor)
                self._files[number] = file = _File(descriptor, None)
                if synced:
                    file.synced = file.content()
        if synced:
            known.synced = dict(names)
        return names

    def _has_synced(self, descriptor: int) -> None:
        status = os.fstat(descriptor)
        if stat.S_ISDIR(status.st_mode):
            if status.st_ino in self._folders:
                self._folders[status.st_ino].synced = {e.name: e.inode() for e in os.scandir(descriptor)}
        elif status.st_ino in self._files:
            file = self._files[status.st_ino]
            file.synced = file.content()

    @contextmanager
    def followed(self, at_sync: CutPoint) -> Iterator[None]:
        """Inside, every sync of what is here counts, and ``at_sync`` is called before each."""
        real = {name: getattr(os, name) for name in ("fsync", "fdatasync")}

        def syncing(call: Callable[[int], None]) -> Callable[[int], None]:
            def sync(descriptor: int) -> None:
                self._look(self.path, synced=False)
                if os.fstat(descriptor).st_ino not in self._files.keys() | self._folders.keys():
                    return
                self.syncs += 1
                at_sync(f"before sync {self.syncs}")
                self._has_synced(descriptor)

            return sync

        for name, call in real.items():
            setattr(os, name, syncing(call))
        try:
            yield
        finally:
            for name, call in real.items():
                setattr(os, name, call)

    def cut(self, target: Path, rng: Random) -> None:
        """Make at ``target`` what may be there after the power was cut now."""
        self._look(self.path, synced=False)
        made: dict[int, Path] = {}
        self._restore(self.path, target, self._index(), made, rng)

    def _index(self) -> dict[int, Path]:
        """Folders by number, as they are now."""
        return {Path(folder).stat().st_ino: Path(folder) for folder, _, _ in os.walk(self.path)}

    def _restore(
        self, folder: Path | int, target: Path, index: dict[int, Path], made: dict[int, Path], rng: Random
    ) -> None:
        number = folder if isinstance(folder, int) else folder.stat().st_ino
        before = self._folders[number].synced
        now = {e.name: e.inode() for e in os.scandir(index[number])} if number in index else {}
        target.mkdir(parents=True)
        for name in sorted(before.keys() | now.keys()):
            entry = rng.choice([before.get(name), now.get(name)])
            if entry is None:
                continue
            if entry in self._folders:
                self._restore(entry, target / name, index, made, rng)
            elif entry in made:
                os.link(made[entry], target / name)
            else:
                (target / name).write_bytes(self._files[entry].after_cut(rng))
                made[entry] = target / name
