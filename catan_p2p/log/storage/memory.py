"""A medium in memory that fails as disks do: full, torn, forgetful after a loss of power.

What was written outlives its writer (``kill -9``); what was synced outlives a loss of power. Of the rest every part may
be there or not: a file may have its old content, zeros, or a part of its new content, and each change of a folder's
names may have happened or not. Only a rename is atomic. ``fail`` decides before each change what becomes of it;
``syncing`` says whether waiting for the medium works, fails or lies.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any, Literal

from catan_p2p.log.storage.medium import AnyPath, FileStatus


class PowerCut(BaseException):
    """The writer was killed in the middle of a change of its files: nothing it does comes after."""


class ShortWrite(OSError):
    """A write that the disk refuses after ``written`` bytes."""

    def __init__(self, code: int, written: int) -> None:
        super().__init__(code, os.strerror(code))
        self.written = written


@dataclass(eq=False, slots=True)
class _MemoryFile:
    """A file, under whatever names; ``synced`` is what of it a loss of power leaves, None if nothing."""

    number: int
    content: bytearray = field(default_factory=bytearray)
    synced: bytes | None = None
    names: int = 0
    version: int = 0
    dropped: tuple[int, int] | None = None
    """The bytes, from one to the other, that the system takes for written after a sync has failed; they are not."""

    def sync(self) -> None:
        """Have the content outlive a loss of power, but for what was dropped and not written again."""
        synced = bytes(self.content)
        if self.dropped is not None:
            start, end = self.dropped
            before = (self.synced or b"").ljust(end, b"\0")
            synced = synced[:start] + before[start:end] + synced[end:]
        self.synced = synced

    def fail_to_sync(self) -> None:
        """Drop what was not synced: as Linux does, which calls a page clean whether or not it could be written."""
        start = _same_bytes(bytes(self.content), self.synced or b"")
        if start < len(self.content):
            self.dropped = start, len(self.content)

    def rewritten(self, start: int, end: int) -> None:
        """Take note that these bytes were written anew."""
        if self.dropped is None:
            return
        first, last = self.dropped
        if start <= first:
            first = max(first, end)
        elif end >= last:
            last = min(last, start)
        self.dropped = (first, last) if first < last else None

    def after_cut(self, rng: Random | None) -> bytes:
        """One of the contents that it may have when the power is back."""
        now, before = bytes(self.content), self.synced or b""
        if now == before or rng is None:
            return before
        same = _same_bytes(now, before)
        rest = now[same:]
        half = rng.randrange(len(rest) + 1)
        torn = now[:same] + rest[:half]
        # Old, new, new length with zeros (delayed allocation), half of it before zeros, half of it.
        return rng.choice([before, now, now[:same] + bytes(len(rest)), torn + bytes(len(rest) - half), torn])


def _same_bytes(now: bytes, before: bytes) -> int:
    """How many bytes at the beginning are the same."""
    return next((i for i, (a, b) in enumerate(zip(now, before, strict=False)) if a != b), min(len(now), len(before)))


@dataclass(eq=False, slots=True)
class _MemoryFolder:
    """A folder: its names, and those that a loss of power leaves."""

    names: dict[str, _MemoryFile | _MemoryFolder] = field(default_factory=dict)
    synced: dict[str, _MemoryFile | _MemoryFolder] = field(default_factory=dict)


Fail = Callable[[int], int | None]
"""Called with the number of bytes about to be written (0: a name is about to change). Returns None, or how many of them
are written before the writer is killed. May raise ``OSError`` for a full disk: then nothing is written, or as many
bytes as ``ShortWrite`` says."""


class MemoryDisk:
    """Files in memory, by absolute paths."""

    KEEPS_OUT = False

    def __init__(self) -> None:
        self.fail: Fail = lambda size: None
        self.syncing: Literal["works", "fails", "lies"] = "works"
        """Whether a wait for the medium works, fails, or returns although nothing is on it."""
        self.changes = 0
        """How often anything was changed."""
        self.syncs = 0
        """How many waits for the medium there were, but for those below ``uncounted``."""
        self.uncounted = ""
        """The folder of what nobody waits for."""
        self._root = _MemoryFolder()
        self._open: dict[int, _MemoryFile] = {}
        self._next = 1

    # What the store does

    def make_folder(self, path: Path) -> None:
        """Make a folder, and those above it."""
        folder = self._root
        for name in _parts(str(path)):
            # Each folder on the way is a change of its own: a crash may come between any two.
            if name not in folder.names:
                self._change(0)
                folder.names[name] = _MemoryFolder()
            found = folder.names[name]
            if not isinstance(found, _MemoryFolder):
                raise _error(errno.ENOTDIR, path)
            folder = found

    def open_append(self, path: AnyPath) -> int:
        """Open a file, made if need be."""
        found = self._made(path)
        self._next += 1
        self._open[self._next] = found
        return self._next

    def _made(self, path: AnyPath) -> _MemoryFile:
        """A file, made if need be."""
        folder, name = self._place(path)
        found = folder.names.get(name)
        if found is None:
            self._change(0)
            found = folder.names[name] = self._new_file()
        if isinstance(found, _MemoryFolder):
            raise _error(errno.EISDIR, path)
        return found

    def append(self, descriptor: int, data: bytes) -> None:
        """Write at the end."""
        file = self._open[descriptor]
        self._write(file, len(file.content), data)

    def truncate(self, descriptor: int, size: int) -> None:
        """Cut to a size."""
        self._change(0)
        file = self._open[descriptor]
        del file.content[size:]
        file.rewritten(size, 1 << 62)
        file.version += 1

    def close(self, descriptor: int) -> None:
        """Close."""
        self._open.pop(descriptor, None)

    def sync(self, descriptor: int) -> None:
        """Have the content outlive a loss of power."""
        self._sync(self._open[descriptor])

    def sync_folder(self, path: AnyPath) -> None:
        """Have the names outlive a loss of power."""
        self._change(0)
        self.syncs += not self._is_uncounted(path)
        folder = self._folder(path)
        if self._syncs():
            folder.synced = dict(folder.names)

    def sync_file(self, path: AnyPath) -> None:
        """Have the content of a file outlive a loss of power, if there is one."""
        found = self._find(path)
        if isinstance(found, _MemoryFile):
            self.syncs -= self._is_uncounted(path)
            self._sync(found)

    def _is_uncounted(self, path: AnyPath) -> bool:
        return bool(self.uncounted) and str(path).startswith(self.uncounted)

    def create(self, path: AnyPath, data: bytes, *, read_only: bool = False, synced: bool = False) -> None:
        """Make a new file."""
        folder, name = self._place(path)
        if name in folder.names:
            raise _error(errno.EEXIST, path)
        self._change(0)
        file = folder.names[name] = self._new_file()
        try:
            self._write(file, 0, data)
            if synced:
                self._sync(file)
        except OSError:
            del folder.names[name]
            raise

    def rewrite(self, path: AnyPath, data: bytes) -> bool:
        """Replace the content in place, unless there is a second name."""
        found = self._made(path)
        if found.names != 1:
            return False
        self._write(found, 0, data)
        del found.content[len(data) :]
        found.rewritten(len(data), 1 << 62)
        return True

    def link(self, source: AnyPath, target: AnyPath) -> None:
        """A second name."""
        found = self._find(source)
        folder, name = self._place(target)
        if name in folder.names:
            raise _error(errno.EEXIST, target)
        if not isinstance(found, _MemoryFile):
            raise _error(errno.ENOENT, source)
        self._change(0)
        folder.names[name] = found
        found.names += 1

    def read(self, path: AnyPath) -> bytes | None:
        """What a file holds."""
        found = self._find(path)
        if isinstance(found, _MemoryFolder):
            raise _error(errno.EISDIR, path)
        return None if found is None else bytes(found.content)

    def replace(self, source: AnyPath, target: AnyPath) -> None:
        """Rename."""
        old_folder, old_name = self._place(source)
        folder, name = self._place(target)
        found = old_folder.names.get(old_name)
        there = folder.names.get(name)
        if found is None:
            raise _error(errno.ENOENT, source)
        if isinstance(there, _MemoryFolder):
            raise _error(errno.EISDIR, target)
        if there is found:
            return  # two names of one file stay two names
        self._change(0)
        if there is not None:
            there.names -= 1
        del old_folder.names[old_name]
        folder.names[name] = found

    def remove(self, path: AnyPath) -> None:
        """Remove a file if it is there."""
        try:
            folder, name = self._place(path)
        except FileNotFoundError:
            return
        found = folder.names.get(name)
        if isinstance(found, _MemoryFolder):
            raise _error(errno.EISDIR, path)
        if found is not None:
            self._change(0)
            found.names -= 1
            del folder.names[name]

    def exists(self, path: AnyPath) -> bool:
        """Whether there is something."""
        return self._find(path) is not None

    def is_folder(self, path: AnyPath) -> bool:
        """Whether there is a folder."""
        return isinstance(self._find(path), _MemoryFolder)

    def list_folder(self, path: AnyPath) -> list[tuple[str, bool]]:
        """What a folder holds, in the order in which it came."""
        return [(name, found.__class__ is _MemoryFolder) for name, found in self._folder(path).names.items()]

    def status(self, path: AnyPath) -> FileStatus | None:
        """The status of a file."""
        found = self._find(path)
        if not isinstance(found, _MemoryFile):
            return None
        return FileStatus((0, found.number), found.names, (found.version, len(found.content)))

    def remove_empty_folders(self, top: AnyPath) -> None:
        """Remove what is empty."""
        folder = self._folder(top)
        for name, found in [*folder.names.items()]:
            if isinstance(found, _MemoryFolder):
                self.remove_empty_folders(f"{top}/{name}")
        if not folder.names:
            above, name = self._place(top)
            self._change(0)
            del above.names[name]

    # What happens to it

    def let_go(self) -> None:
        """The process that had files open is gone."""
        self._open.clear()

    def lose_power(self, rng: Random | None) -> None:
        """Forget what was not synced, as far as chance has it; None: all of it."""
        self._open.clear()
        chosen: dict[int, bytes] = {}
        self._forget(self._root, rng, chosen)

    def flip(self, path: AnyPath, at: int) -> None:
        """Damage one byte of a file, also where it was synced."""
        found = self._find(path)
        if isinstance(found, _MemoryFile) and found.content:
            found.content[at % len(found.content)] ^= 0x55
            found.synced, found.dropped = bytes(found.content), None
            found.version += 1

    def files(self, top: AnyPath = "/") -> dict[str, bytes]:
        """All files below a folder, by their paths from there."""
        found: dict[str, bytes] = {}
        folders = [("", self._folder(top))]
        while folders:
            prefix, folder = folders.pop()
            for name, one in folder.names.items():
                if isinstance(one, _MemoryFolder):
                    folders.append((f"{prefix}{name}/", one))
                else:
                    found[prefix + name] = bytes(one.content)
        return found

    def put(self, path: AnyPath, data: bytes) -> None:
        """Add a file that is synced already."""
        folder = self._root
        *above, name = _parts(str(path))
        for part in above:
            found = folder.names.setdefault(part, _MemoryFolder())
            assert isinstance(found, _MemoryFolder)
            folder.synced[part] = found
            folder = found
        file = self._new_file()
        file.content, file.synced = bytearray(data), data
        folder.names[name] = folder.synced[name] = file

    def sync_all(self) -> None:
        """Have everything that is there outlive a loss of power."""
        folders = [self._root]
        while folders:
            folder = folders.pop()
            folder.synced = dict(folder.names)
            for one in folder.names.values():
                if isinstance(one, _MemoryFolder):
                    folders.append(one)
                else:
                    one.synced, one.dropped = bytes(one.content), None

    def restore(self, top: AnyPath, files: Mapping[str, bytes]) -> None:
        """Make a folder hold exactly these files, as the method ``files`` returns them, all of them synced."""
        self.empty(top)
        for name, data in files.items():
            self.put(f"{top}/{name}", data)
        self.sync_all()

    def empty(self, top: AnyPath) -> None:
        """Forget all below a folder."""
        folder = self._folder(top)
        folder.names, folder.synced = {}, {}
        self.changes += 1

    # Parts of these

    def _new_file(self) -> _MemoryFile:
        self._next += 1
        return _MemoryFile(self._next, names=1)

    def _sync(self, file: _MemoryFile) -> None:
        self._change(0)
        self.syncs += 1
        try:
            if self._syncs():
                file.sync()
        # The error is reported once; from then on the system takes the lost pages for clean.
        except OSError:
            file.fail_to_sync()
            raise

    def _syncs(self) -> bool:
        """Whether a wait has an effect; ``OSError`` if waits fail."""
        if self.syncing == "fails":
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return self.syncing == "works"

    def _write(self, file: _MemoryFile, at: int, data: bytes) -> None:
        self.changes += 1
        refused: ShortWrite | None = None
        try:
            written = self.fail(len(data))
        except ShortWrite as error:
            refused, written = error, error.written
        part = data if written is None else data[:written]
        file.content[at : at + len(part)] = part
        file.rewritten(at, at + len(part))
        file.version += 1
        if refused is not None:
            raise refused
        if written is not None:
            raise PowerCut

    def _change(self, size: int) -> None:
        self.changes += 1
        if self.fail(size) is not None:
            raise PowerCut

    def _find(self, path: AnyPath) -> _MemoryFile | _MemoryFolder | None:
        found: Any = self._root
        try:
            for name in _parts(str(path)):
                found = found.names[name]
        except (KeyError, TypeError):  # a file has no names, but a number of them
            return None
        there: _MemoryFile | _MemoryFolder = found
        return there

    def _folder(self, path: AnyPath) -> _MemoryFolder:
        found = self._find(path)
        if found is None:
            raise _error(errno.ENOENT, path)
        if not isinstance(found, _MemoryFolder):
            raise _error(errno.ENOTDIR, path)
        return found

    def _place(self, path: AnyPath) -> tuple[_MemoryFolder, str]:
        above, _, name = str(path).rpartition("/")
        return self._folder(above), name

    def _forget(self, folder: _MemoryFolder, rng: Random | None, chosen: dict[int, bytes]) -> None:
        after: dict[str, _MemoryFile | _MemoryFolder] = {}
        # Synced names first, then new ones: a fixed order, so that a seed gives the same result.
        for name in [*folder.synced, *(name for name in folder.names if name not in folder.synced)]:
            synced = folder.synced.get(name)
            one = synced if rng is None else rng.choice([synced, folder.names.get(name)])
            if one is None:
                continue
            after[name] = one
            if isinstance(one, _MemoryFolder):
                self._forget(one, rng, chosen)
            # A file under two names has one content, whichever name is looked at.
            elif one.number in chosen:
                one.names += 1
            else:
                chosen[one.number] = content = one.after_cut(rng)
                one.content, one.synced, one.dropped = bytearray(content), content, None
                one.names, one.version = 1, one.version + 1
        folder.names, folder.synced = after, dict(after)


@lru_cache(maxsize=1 << 12)
def _parts(path: str) -> tuple[str, ...]:
    return tuple(name for name in path.replace("\\", "/").split("/") if name)


def _error(code: int, path: AnyPath) -> OSError:
    return OSError(code, os.strerror(code), str(path))
