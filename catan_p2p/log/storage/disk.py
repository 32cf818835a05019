"""The file operations of the store, each of which reports its error in one line.

Every change of the disk goes through one of these functions, one system call or one small sequence at a time. The tests
check what a crash between any two of them leaves behind.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from types import TracebackType

from catan_p2p.log.storage.medium import AnyPath, FileStatus
from catan_p2p.log.storage.objects import StoreError
from catan_p2p.time_source import SYSTEM_TIME

WINDOWS = sys.platform == "win32"
KEEPS_OUT = True
"""Other processes can get at it, so that a writer must keep a second one out."""
_BINARY = getattr(os, "O_BINARY", 0)
_RETRY_S = 0.005
_BUSY_S = 5.0
"""How long to wait, on Windows, for a reader to close a file that is to be replaced or removed."""


class _ExplainedError(AbstractContextManager[None]):
    """Explains the errors of one operation. It is no generator, which would take three times as many calls."""

    __slots__ = ("_doing", "_path")

    def __init__(self, doing: str, path: AnyPath) -> None:
        self._doing = doing
        self._path = path

    def __enter__(self) -> None:
        return None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None and isinstance(error, OSError):
            why = f"{reason(error)}{_whose(error, Path(str(self._path)))}"
            raise StoreError(f"{self._path}: cannot {self._doing}: {why}") from error


explained: Callable[[str, AnyPath], AbstractContextManager[None]] = _ExplainedError
"""Turns an OSError inside into a StoreError that says what could not be done to which file, and why."""


def check_readable(folder: Path) -> None:
    """Raise ``StoreError`` if a file or folder below ``folder`` may not be read by this user."""
    with explained("list", folder):
        for top, folders, files in os.walk(folder):
            for path in (*(Path(top, name) for name in folders), *(Path(top, name) for name in files)):
                needed = os.R_OK | os.X_OK if path.is_dir() else os.R_OK
                # Access as the effective user, where the system can tell: that is the user that opens files.
                may_read = os.access(path, needed, effective_ids=os.access in os.supports_effective_ids)
                if not path.is_symlink() and path.exists() and not may_read:
                    refusal = PermissionError(errno.EACCES, os.strerror(errno.EACCES))
                    raise StoreError(f"{path}: cannot be checked: {reason(refusal)}{_whose(refusal, path)}")


def _whose(error: OSError, path: Path) -> str:
    """Name the owner of a file that may not be used, and a remedy; empty for other errors or an unknown owner."""
    if sys.platform == "win32" or error.errno not in (errno.EACCES, errno.EPERM):
        return ""
    with suppress(OSError, KeyError):
        there = next(one for one in (path, *path.parents) if one.exists())
        if there.stat().st_uid != os.geteuid():
            return f" ({there.owner()} owns {there}: copy the whole folder to one of your own, or ask {there.owner()})"
    return ""


def reason(error: OSError) -> str:
    """Return the operating system's words for an error."""
    if error.errno == errno.ENOSPC:
        return "the disk is full"
    return error.strerror or str(error)


def make_folder(path: Path) -> None:
    """Make a folder, and those above it, if it is not there."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        # "File exists" would not tell the user what is wrong: something in the way is no folder.
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(path)) from None


def open_append(path: AnyPath) -> int:
    """Open a file for appending and reading, made if need be; returns the descriptor."""
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | _BINARY, 0o644)


def append(descriptor: int, data: bytes) -> None:
    """Write all of ``data`` at the end of a file; OSError if any of it could not be written."""
    # A signal or a disk that is nearly full may cut a write short; the next write then reports the reason.
    written = os.write(descriptor, data)
    while written < len(data):
        more = os.write(descriptor, data[written:])
        # A write of nothing reports no error, and would repeat for ever.
        if not more:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        written += more


def truncate(descriptor: int, size: int) -> None:
    """Cut an open file to ``size`` bytes."""
    os.ftruncate(descriptor, size)


def close(descriptor: int) -> None:
    """Close an open file."""
    os.close(descriptor)


def sync(descriptor: int) -> None:
    """Wait until an open file's data are on the medium."""
    # On macOS, fsync leaves the data in the drive's cache.
    if sys.platform == "darwin":
        import fcntl

        fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)
    # The size is metadata that fdatasync writes, too; times need no wait.
    elif hasattr(os, "fdatasync"):
        os.fdatasync(descriptor)
    else:
        os.fsync(descriptor)


def sync_folder(path: AnyPath) -> None:
    """Wait until a folder's names are on the medium (Windows has no such call and needs none)."""
    if WINDOWS:
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_file(path: AnyPath) -> None:
    """Wait until what a file holds is on the medium, if there is such a file."""
    with suppress(FileNotFoundError, NotADirectoryError):
        descriptor = os.open(path, (os.O_RDWR if WINDOWS else os.O_RDONLY) | _BINARY)
        try:
            sync(descriptor)
        # Windows flushes only files that are open for writing.
        finally:
            os.close(descriptor)


def sync_tree(top: Path) -> None:
    """Wait until a folder is on the medium, with everything in it and its own name."""
    for folder, _, files in os.walk(top):
        for file in files:
            if not os.path.islink(path := os.path.join(folder, file)):  # noqa: PTH114, PTH118
                sync_file(path)
        sync_folder(folder)
    # The name of a new folder is on the medium only when the folder above it is.
    sync_folder(top.parent)


def create(path: AnyPath, data: bytes, *, read_only: bool = False, synced: bool = False) -> None:
    """Make a new file with ``data``; FileExistsError if there is one already."""
    mode = 0o444 if read_only and not WINDOWS else 0o644
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, mode)
    try:
        append(descriptor, data)
        if synced:
            sync(descriptor)
    except OSError:
        os.close(descriptor)
        descriptor = -1
        # Half a file would be taken for the whole one by the next process.
        remove(path)
        raise
    finally:
        if descriptor >= 0:
            os.close(descriptor)


def rewrite(path: AnyPath, data: bytes) -> bool:
    """Make ``data`` the content of a file, made if need be, unless it has a second name; return whether it was done."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | _BINARY, 0o644)
    try:
        status = os.fstat(descriptor)
        # The second name may be a ref, which must never change in place.
        if status.st_nlink != 1:
            return False
        append(descriptor, data)
        if status.st_size > len(data):
            os.ftruncate(descriptor, len(data))
        return True
    finally:
        os.close(descriptor)


def link(source: AnyPath, target: AnyPath) -> None:
    """Make ``target``, which must not exist, a second name of ``source``, or a copy where that cannot be done.

    A new name costs far less than a new file: no inode has to be found for it.
    """
    # Some file systems have no hard links, or not for this user.
    try:
        os.link(source, target)
    except FileExistsError:
        raise
    except OSError:
        create(target, read(source) or b"")


def read(path: AnyPath) -> bytes | None:
    """Return what a small file holds, None if there is no such file."""
    try:
        descriptor = os.open(path, os.O_RDONLY | _BINARY)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except PermissionError:
        if WINDOWS and Path(path).is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR)) from None
        raise
    try:
        # Refs and lists fit into one read; only larger files take the loop.
        data = os.read(descriptor, 4096)
        if len(data) < 4096:
            return data
        parts = [data]
        while data:
            data = os.read(descriptor, 1 << 20)
            parts.append(data)
        return b"".join(parts)
    finally:
        os.close(descriptor)


def replace(source: AnyPath, target: AnyPath) -> None:
    """Give ``source`` the name ``target`` in one step, whether or not there is such a file."""
    # Windows refuses to replace a file that a reader has open, which it will soon close.
    for _ in _while_busy():
        try:
            os.replace(source, target)  # noqa: PTH105
            return
        except PermissionError:
            if not WINDOWS:
                raise
    # The last attempt is outside the loop, so that its error is the one that is raised.
    os.replace(source, target)  # noqa: PTH105


@contextmanager
def written_whole(path: Path) -> Iterator[Path]:
    """Another name to write to: the file is called ``path`` once all is in it, and removed if that fails.

    ``StoreError`` if it cannot be written.
    """
    # In the same folder, since a rename is atomic only within one file system.
    beside = path.with_name(f".{path.name}.new")
    with explained("write", path):
        try:
            yield beside
            replace(beside, path)
        # An interruption (Ctrl-C) must not leave the half-written file, either.
        except BaseException:
            with suppress(OSError):
                remove(beside)
            raise


def remove(path: AnyPath) -> None:
    """Remove a file if it is there."""
    with suppress(FileNotFoundError):
        try:
            os.unlink(path)  # noqa: PTH108
        except PermissionError:
            if not WINDOWS:
                raise
            # Windows does not remove read-only files, and packs are read-only.
            os.chmod(path, stat.S_IWRITE)  # noqa: PTH101
            os.unlink(path)  # noqa: PTH108


def exists(path: AnyPath) -> bool:
    """Whether there is a file or a folder."""
    return Path(path).exists()


def is_folder(path: AnyPath) -> bool:
    """Whether there is a folder."""
    return Path(path).is_dir()


def list_folder(path: AnyPath) -> list[tuple[str, bool]]:
    """What a folder holds: each name, and whether it is a folder itself; what is linked is none."""
    with os.scandir(path) as found:
        return [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in found]


def status(path: AnyPath) -> FileStatus | None:
    """The status of a file, None if there is no such file."""
    try:
        told = os.stat(path)  # noqa: PTH116
    except FileNotFoundError:
        return None
    return FileStatus((told.st_dev, told.st_ino), told.st_nlink, (told.st_mtime_ns, told.st_size))


def remove_empty_folders(top: AnyPath) -> None:
    """Remove a folder and those below, as far as they are empty."""
    for folder, _, _ in os.walk(top, topdown=False):
        with suppress(OSError):
            Path(folder).rmdir()


def _while_busy() -> Iterator[None]:
    deadline = SYSTEM_TIME.monotonic() + (_BUSY_S if WINDOWS else 0)
    yield
    while SYSTEM_TIME.monotonic() < deadline:
        SYSTEM_TIME.sleep(_RETRY_S)
        yield
