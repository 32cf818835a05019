"""A game file that a user names, or standard input."""

import hashlib
import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, TextIO

from catan_p2p.limits import MAX_GAME_FILE_BYTES
from catan_p2p.log.storage import disk
from catan_p2p.log.storage.objects import StoreError
from catan_p2p.notation.sources import as_text, open_game_file
from catan_p2p.text_files import bounded

STDIN = Path("-")


class GameFile:
    """The text of a game. A file is read anew for each pass, and never held as a whole; standard input is kept.

    ``StoreError`` says why it cannot be read.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._data: bytes | None = None
        if path == STDIN:
            with disk.explained("read", "standard input"):
                self._data = bounded(sys.stdin.buffer, MAX_GAME_FILE_BYTES, str(path)).read()
        elif path.is_fifo():  # it could be read only once
            raise StoreError(f"{path}: a pipe, expected a file; - reads standard input")

    @contextmanager
    def open(self) -> Iterator[TextIO]:
        """The text, from the beginning."""
        with disk.explained("read", self._path), self._bytes() as file:
            yield as_text(file)

    def digest(self) -> str:
        """The first 16 hexadecimal digits of the SHA-256 of the contents."""
        digest = hashlib.sha256()
        with disk.explained("read", self._path), self._bytes() as file:
            while piece := file.read(1 << 20):
                digest.update(piece)
        return digest.hexdigest()[:16]

    def _bytes(self) -> BinaryIO:
        return open_game_file(self._path) if self._data is None else io.BytesIO(self._data)
