"""The journal: one append acknowledges an action, before packs and refs show it to others.

The file is a heading and records ``length, checksum, payload``. A process killed while it appends leaves a
last record that is too short; it was not acknowledged, and is cut off when the journal is opened again. So are zeros at
the end, which a loss of power leaves where a file was lengthened and not yet written. A record of full length with a
wrong checksum is damage: it and what follows are set aside under another name, and reported.

In a durable store the journal is what makes everything else durable. What was recorded is on the medium after ``sync``,
which is called before anything of it is shown. Packs and refs may reach the medium later, since the journal makes them
anew. A ``mark`` ends each publication, so that a replay makes the same packs again. Once packs and refs are on the
medium themselves, the journal begins anew.
"""

from __future__ import annotations

import struct
import zlib
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from catan_p2p.log.storage import disk
from catan_p2p.log.storage.loggers import logger
from catan_p2p.log.storage.medium import FileMedium
from catan_p2p.log.storage.objects import NULL_ID, ObjectDamaged, ObjectId, StoreError

HEADING = b"catan-p2p journal 1\n"
_FRAME = struct.Struct("<LL")
_MOVE = struct.Struct("<H20s20sL")


class RefMove(NamedTuple):
    """A ref goes from one object to another; None is a ref that does not exist."""

    ref: str
    old: ObjectId | None
    new: ObjectId | None


class JournalRecord(NamedTuple):
    """One acknowledged action: the move of a ref and the pack entries of ``entry_count`` new objects."""

    move: RefMove
    entry_count: int
    entries: bytes

    def encode(self) -> bytes:
        """Return the payload of this record."""
        (ref, old, new), count, entries = self
        name = ref.encode()
        ids = bytes.fromhex(old or NULL_ID), bytes.fromhex(new or NULL_ID)
        return b"%b%b%b" % (_MOVE.pack(len(name), *ids, count), name, entries)

    @classmethod
    def decode(cls, payload: bytes) -> JournalRecord:
        """Return the record of a payload; ObjectDamaged if it is none."""
        try:
            ref_bytes, old, new, count = _MOVE.unpack_from(payload)
            start = _MOVE.size + ref_bytes
            ref = payload[_MOVE.size : start].decode()
        except (struct.error, UnicodeDecodeError) as error:
            raise ObjectDamaged(f"a record of the journal cannot be read: {error}") from None
        return cls(RefMove(ref, _or_none(old), _or_none(new)), count, payload[start:])


_MARK = JournalRecord(RefMove("", None, None), 0, b"")


class JournalContents(NamedTuple):
    """The contents of a journal when it was opened.

    ``cut_bytes`` counts the bytes of a torn last record, which was never acknowledged; ``set_aside`` is the file that
    holds damaged records, None if there were none.
    """

    records: tuple[JournalRecord, ...]
    cut_bytes: int
    set_aside: Path | None

    @property
    def publications(self) -> list[list[JournalRecord]]:
        """The records, publication by publication; the last, maybe empty, is not known to have been published."""
        groups: list[list[JournalRecord]] = [[]]
        for record in self.records:
            if record == _MARK:
                groups.append([])
            else:
                groups[-1].append(record)
        return groups


class Journal:
    """An open journal; its writer must hold the writer's lock.

    ``durable`` makes the file itself outlive a loss of power from the beginning; its records do so after ``sync``.
    """

    def __init__(self, path: Path, *, durable: bool = False, medium: FileMedium = disk) -> None:
        self.path = path
        self._medium = medium
        self._durable = durable
        self._end = 0
        self._torn = False
        self._unsynced = bytearray()
        self._must_rewrite = False
        self._new = path.with_name(f"{path.name}.new")
        self._file = -1
        self._must_open = True
        """Whether the file is to be opened, as where that failed after it was written anew."""
        with disk.explained("open the journal", path):
            self._open()
        try:
            self.found = self._recover()
            if durable:
                with disk.explained("make the journal durable", path):
                    # The file may be new, and so may the folder that it is in.
                    self._medium.sync_folder(path.parent)
                    self._medium.sync_folder(path.parent.parent)
        except BaseException:
            self.close()
            raise

    def append(self, record: JournalRecord) -> None:
        """Append a record; when this returns it is acknowledged, when it raises StoreError it is not there.

        What a failed write has left is cut off at once, or before the next record if the disk refuses that, too.
        """
        # Bytes of a torn record in front of this one would make both unreadable.
        if self._torn:
            with disk.explained("write the action", self.path):
                self._take_back()
        payload = record.encode()
        framed = _FRAME.pack(len(payload), zlib.crc32(payload)) + payload
        try:
            self._open()
            self._medium.append(self._file, framed)
        except OSError as error:
            self._torn = True
            with suppress(OSError):
                self._take_back()
            raise StoreError(f"{self.path}: cannot write the action: {disk.reason(error)}") from error
        self._end += len(framed)
        if self._durable:
            self._unsynced += framed

    def mark(self) -> None:
        """Say that everything recorded so far is published; a mark that is lost does no harm."""
        self.append(_MARK)

    def sync(self) -> None:
        """Wait until everything recorded is on the medium.

        After a failed wait nobody knows which pages the system has kept, so the unsynced part is written anew.
        """
        if not self._unsynced and not self._must_rewrite:
            return
        with disk.explained("make the actions durable", self.path):
            if self._must_rewrite:
                # Up to there the last wait succeeded; what the system reads back beyond that may not be on the medium.
                start = self._end - len(self._unsynced)
                self._write_anew((self._medium.read(self.path) or b"")[:start], bytes(self._unsynced))
            else:
                # Stays set if sync raises: Linux reports a failed write once, and the next fsync succeeds without it.
                self._must_rewrite = True
                self._open()
                self._medium.sync(self._file)
                self._must_rewrite = False
        self._unsynced.clear()

    def read(self) -> JournalContents:
        """Read the records again; ``ObjectDamaged`` if some cannot be read."""
        with disk.explained("read the journal", self.path):
            content = self._medium.read(self.path) or b""
        records, end, _ = _scan(content[: self._end])
        if end != self._end:
            raise ObjectDamaged(f"{self.path}: damaged after {len(records)} records")
        return JournalContents(tuple(records), 0, None)

    @property
    def size(self) -> int:
        """How many bytes of records there are."""
        return self._end - len(HEADING)

    def reset(self) -> None:
        """Forget all records: they are published."""
        if self._end == len(HEADING):
            return
        with disk.explained("reset the journal", self.path):
            # A new file: if one is only cut off, a failed wait may leave old records in the place of new ones.
            if self._durable:
                self._write_anew(HEADING)
            else:
                self._open()
                self._medium.truncate(self._file, len(HEADING))
        self._end = len(HEADING)
        self._unsynced.clear()

    def close(self) -> None:
        """Close the file for good: nothing is written without the writer's lock."""
        self._must_open = False
        self._close_file()

    def _close_file(self) -> None:
        if self._file >= 0:
            self._medium.close(self._file)
            self._file = -1

    def _open(self) -> None:
        if self._must_open:
            self._file = self._medium.open_append(self.path)
            self._must_open = False

    def _take_back(self) -> None:
        self._open()
        self._medium.truncate(self._file, self._end)
        self._torn = False

    def _write_anew(self, content: bytes, unsynced: bytes = b"") -> None:
        """Put a file with other bytes in the place of this one, whole or not at all; in a durable journal, synced.

        If only the wait for its name fails, the next ``sync`` tries again.
        """
        content += unsynced
        self._medium.remove(self._new)
        # Synced before the rename: otherwise a loss of power could leave the new name on an empty file.
        self._medium.create(self._new, content, synced=self._durable)
        self._close_file()
        self._must_open = True
        try:
            self._medium.replace(self._new, self.path)
            self._end, self._unsynced, self._must_rewrite = len(content), bytearray(unsynced), self._durable
        # Also if the rename failed: the journal must stay open, and the old file is still there.
        finally:
            self._open()
        if self._durable:
            self._medium.sync_folder(self.path.parent)
        self._must_rewrite = False

    def _recover(self) -> JournalContents:
        """Find what there is; in a durable journal it is on the medium then, as a wait for it may have failed."""
        with disk.explained("read the journal", self.path):
            content = self._medium.read(self.path) or b""
            # What a crash has left of ``_write_anew`` was never the journal.
            self._medium.remove(self._new)
        # A torn heading, or zeros in its place, is what a crash leaves of a journal that was being made.
        if not HEADING.startswith(content[: len(HEADING)]) and content.strip(b"\0"):
            raise ObjectDamaged(f"{self.path}: not a journal of format 1")
        if len(content) < len(HEADING) or not content.strip(b"\0"):
            with disk.explained("begin the journal", self.path):
                self._write_anew(HEADING)
            self._end = len(HEADING)
            return JournalContents((), 0, None)
        records, end, damaged = _scan(content)
        aside = None
        with disk.explained("mend the journal", self.path):
            if damaged:
                aside = _set_aside(self.path, content[end:], self._medium)
                logger(__name__).warning(
                    "%s: damaged after %d records; the rest is in %s", self.path, len(records), aside
                )
            # A killed process may have failed in its last wait, and only writing anew makes sure.
            if self._durable:
                self._write_anew(content[:end])
            elif end < len(content):
                self._medium.truncate(self._file, end)
        self._end = end
        return JournalContents(tuple(records), 0 if damaged else len(content) - end, aside)


def read_journal(path: Path, medium: FileMedium = disk) -> JournalContents:
    """Return what the journal of another process holds, which is not changed; ``ObjectDamaged`` if it is none."""
    content = medium.read(path) or b""
    if len(content) < len(HEADING) or not content.strip(b"\0"):
        return JournalContents((), 0, None)
    if not content.startswith(HEADING):
        raise ObjectDamaged(f"{path}: not a journal of format 1")
    return JournalContents(tuple(_scan(content)[0]), 0, None)


def _scan(content: bytes) -> tuple[list[JournalRecord], int, bool]:
    """Return the good records, where they end, and whether what follows is damaged rather than torn."""
    records: list[JournalRecord] = []
    at = len(HEADING)
    while at + _FRAME.size <= len(content):
        length, checksum = _FRAME.unpack_from(content, at)
        start = at + _FRAME.size
        # Zeros to the end were lengthened and never written; their checksum, zero, would even be right.
        if start + length > len(content) or not content[at:].strip(b"\0"):
            break
        payload = content[start : start + length]
        if zlib.crc32(payload) != checksum:
            return records, at, True
        try:
            records.append(JournalRecord.decode(payload))
        except ObjectDamaged:
            return records, at, True
        at = start + length
    return records, at, False


def _set_aside(path: Path, damaged: bytes, medium: FileMedium) -> Path:
    number = 1
    while medium.exists(aside := path.with_name(f"{path.name}.damaged-{number}")):
        number += 1
    medium.create(aside, damaged)
    return aside


def _or_none(raw: bytes) -> ObjectId | None:
    oid = ObjectId(raw.hex())
    return None if oid == NULL_ID else oid
