"""The listing of refs that opens a conversation: Git prints it once for all visitors, until some ref moves."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from catan_p2p.log.storage import disk
from catan_p2p.log.storage.objects import StoreError
from catan_p2p.log.transport.their_files import TheirRefs


class ToldRefs:
    """The listing of the refs in a Git folder; ``list_refs`` has Git print it."""

    def __init__(self, folder: Path, list_refs: Callable[[], bytes]) -> None:
        self._head = folder / "HEAD"
        self._refs = TheirRefs(folder)
        self._list_refs = list_refs
        self._seen: object = None
        self._listing = b""

    def read(self) -> bytes:
        """Return the current listing; ``OSError`` if there is none."""
        try:
            # HEAD is part of the listing.
            seen = (disk.read(self._head), self._refs.list("refs/"))
        except StoreError as error:
            raise OSError(str(error)) from None
        if seen != self._seen:
            self._listing, self._seen = self._list_refs(), seen
        return self._listing


class ListingSkipper:
    """Removes the listing from the output of a Git process: the visitor has one already."""

    def __init__(self) -> None:
        self._data = bytearray()
        self._at = 0
        self._is_over = False

    def rest_of(self, data: bytes) -> bytes:
        """Return what comes after the listing; ``OSError`` if the output begins with something else."""
        if self._is_over:
            return data
        self._data += data
        while len(self._data) >= self._at + 4:
            try:
                size = int(self._data[self._at : self._at + 4], 16)
            except ValueError:
                raise OSError("not a listing of refs") from None
            # The special packets (0000 to 0003) have no content beyond their four digits.
            self._at += max(size, 4)
            if size == 0:
                self._is_over = True
                rest = bytes(self._data[self._at :])
                self._data.clear()
                return rest
        return b""
