"""Reads files that a user names. They must be regular files of bounded size; a refusal is one line."""

import errno
import io
import os
import stat
from pathlib import Path
from typing import BinaryIO, cast

_KINDS = (
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISSOCK, "a socket"),
)
_AT_ONCE = 1 << 16


class BadTextFile(ValueError):
    """A file that cannot be read as text; the message names it and says why."""


def open_file(path: Path, most_bytes: int) -> BinaryIO:
    """Open a regular file of at most ``most_bytes`` for reading; ``OSError`` if it is anything else.

    Reading beyond ``most_bytes`` raises ``OSError`` too: a file can grow, and files in /proc have a size of 0.
    """
    _check(path, path.stat(), most_bytes)  # before opening: that would wait for the writer of a pipe
    file = path.open("rb", buffering=0)
    try:
        _check(path, os.fstat(file.fileno()), most_bytes)  # again: another file may be there by now
    except OSError:
        file.close()
        raise
    return bounded(file, most_bytes, str(path))


def bounded(file: io.RawIOBase | BinaryIO, most_bytes: int, name: str) -> BinaryIO:
    """The same file, buffered; reading beyond ``most_bytes`` raises ``OSError``."""
    return cast(BinaryIO, io.BufferedReader(_BoundedFile(file, most_bytes, name), _AT_ONCE))


def _check(path: Path, status: os.stat_result, most_bytes: int) -> None:
    mode = status.st_mode
    if stat.S_ISDIR(mode):
        return  # opening it fails with the system's own message
    if not stat.S_ISREG(mode):
        kind = next((kind for is_kind, kind in _KINDS if is_kind(mode)), "something else")
        raise OSError(errno.EINVAL, f"{kind}, expected a regular file", str(path))
    if status.st_size > most_bytes:
        raise _too_long(most_bytes, str(path))


def _too_long(most_bytes: int, name: str) -> OSError:
    return OSError(errno.EFBIG, f"longer than {most_bytes} bytes", name)


class _BoundedFile(io.RawIOBase):
    """A file of which at most ``most_bytes`` can be read."""

    def __init__(self, file: io.RawIOBase | BinaryIO, most_bytes: int, name: str) -> None:
        self._file = file
        self._left = self._most_bytes = most_bytes
        self._name = name

    def readable(self) -> bool:
        """Always true; ``io.BufferedReader`` asks for it."""
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        """Read at most one byte more than is allowed: that byte is the proof that the file is too long."""
        data = self._file.read(min(len(buffer), self._left + 1)) or b""
        self._left -= len(data)
        if self._left < 0:
            raise _too_long(self._most_bytes, self._name)
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        """Close this file and the one below."""
        if not self.closed:
            self._file.close()
        super().close()


def read_text(argument: str, most_bytes: int, instead: str) -> str:
    """The text of a file, without a byte order mark.

    ``BadTextFile`` if there is no such file, or if it is too long or not UTF-8. ``instead`` is what the message then
    says about a file that does not exist.
    """
    try:
        with open_file(Path(argument), most_bytes) as file:
            data = file.read()
    except FileNotFoundError:
        raise BadTextFile(f"{argument}: {instead}") from None
    except (OSError, ValueError) as error:
        raise BadTextFile(f"{argument}: cannot read: {getattr(error, 'strerror', None) or error}") from None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadTextFile(f"{argument}: not UTF-8 text: {error.reason} at byte {error.start}") from None
