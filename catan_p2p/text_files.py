"""Files that a user names: regular ones, bounded in size, and told of in one line if they are not."""

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
    """Open a regular file of at most ``most_bytes`` for reading; ``OSError`` if it is something else.

    Reading raises ``OSError``, too, where the file goes on: it may grow, and some files tell no size.
    """
    _check(path, path.stat(), most_bytes)  # before it is opened: a pipe would wait for a writer
    file = path.open("rb", buffering=0)
    try:
        _check(path, os.fstat(file.fileno()), most_bytes)
    except OSError:
        file.close()
        raise
    return bounded(file, most_bytes, str(path))


def bounded(file: io.RawIOBase | BinaryIO, most_bytes: int, name: str) -> BinaryIO:
    """The same file; reading raises ``OSError`` where it goes on after ``most_bytes``."""
    return cast(BinaryIO, io.BufferedReader(_BoundedFile(file, most_bytes, name), _AT_ONCE))


def _check(path: Path, status: os.stat_result, most_bytes: int) -> None:
    mode = status.st_mode
    if stat.S_ISDIR(mode):
        return  # the system says why it cannot be opened
    if not stat.S_ISREG(mode):
        kind = next((kind for is_kind, kind in _KINDS if is_kind(mode)), "something else")
        raise OSError(errno.EINVAL, f"{kind}, expected a regular file", str(path))
    if status.st_size > most_bytes:
        raise _too_long(most_bytes, str(path))


def _too_long(most_bytes: int, name: str) -> OSError:
    return OSError(errno.EFBIG, f"longer than {most_bytes} bytes", name)


class _BoundedFile(io.RawIOBase):
    """A file of which at most so much can be read."""

    def __init__(self, file: io.RawIOBase | BinaryIO, most_bytes: int, name: str) -> None:
        self._file = file
        self._left = self._most_bytes = most_bytes
        self._name = name

    def readable(self) -> bool:
        """It is there to be read."""
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        """Read up to one byte more than is allowed."""
        data = self._file.read(min(len(buffer), self._left + 1)) or b""
        self._left -= len(data)
        if self._left < 0:
            raise _too_long(self._most_bytes, self._name)
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        """Close the file, too."""
        if not self.closed:
            self._file.close()
        super().close()


def read_text(argument: str, most_bytes: int, instead: str) -> str:
    """The text of a file, without a byte order mark; ``BadTextFile`` if there is none, or it is too long or no UTF-8.

    ``instead`` says what the argument could have been if there is no such file.
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
