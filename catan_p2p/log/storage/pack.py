"""Pack files: built in memory for each publication, folded into larger ones, parsed again after a crash.

A pack is a header, the objects' entries one after the other, and a checksum; its index lists id and offset of every
entry. An entry is either a whole object or a delta against an earlier entry of the same pack, as a zlib stream.
Format: gitformat-pack, packs of version 2; indexes are written in version 1, which is shorter
by the entries' checksums, and read in version 2 as well.

zlib is made for text. Most objects of a log consist of a few dozen bytes, and the delta between two trees is a few
instructions, and ids, which are random: the fixed Huffman code suits them best, because it needs no description.
Format of streams: RFC 1950, RFC 1951.
"""

from __future__ import annotations

import hashlib
import struct
import sys
import zlib
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from catan_p2p.log.storage.delta import apply_delta
from catan_p2p.log.storage.objects import (
    KINDS,
    ObjectDamaged,
    ObjectId,
    ObjectKind,
    ObjectTooLarge,
    StoreError,
    object_id,
)

_HEADER_BYTES = 12
_TRAILER_BYTES = 20
_OFS_DELTA = 6
_REF_DELTA = 7
_TYPE_CODES: dict[ObjectKind, int] = {kind: code for code, kind in enumerate(KINDS, start=1)}
KINDS_BY_CODE: dict[int, ObjectKind] = {code: kind for kind, code in _TYPE_CODES.items()}
_INDEX_MAGIC = b"\xfftOc\0\0\0\x02"
_INDEX_ROW = struct.Struct(">L20s")
_FANOUT = struct.Struct(">256L")
# Larger offsets need a second table in an index of version 2, and do not fit into one of version 1.
_OFFSET_MAX = 0x7FFFFFFF
_ZLIB_OVERHEAD = 1024
_MAX_SHIFT = 60
"""Limit of a size in bits, so that a size whose bytes never end is not decoded to its end."""
# The zlib header (window of 32 KiB, fastest) and a final block that is stored.
_STORED = b"\x78\x01\x01"
_STORED_MAX = 0xFFFF
_STORED_EXTRA = 11
_LENGTH = struct.Struct("<HH")
_SHORT = tuple(_STORED + _LENGTH.pack(size, size ^ _STORED_MAX) for size in range(1 << 10))
"""What comes before short data, encoded in advance."""
_SHORT_END = len(_SHORT)
_ONE_BLOCK = 1 << 10
"""Data with fewer bytes fit into one block even with the least memory."""


_new_entry = tuple.__new__
"""``PackEntry(...)`` without the extra call of a named tuple's constructor: there are millions of entries."""


class PackEntry(NamedTuple):
    """One object as a pack holds it: type and size encoded, and a zlib stream.

    ``base`` is the object it is a delta against, None for a whole object.
    """

    oid: ObjectId
    base: ObjectId | None
    header: bytes
    packed: bytes


class PackBuilder:
    """A pack in the making: entries in the order in which they were added."""

    def __init__(self) -> None:
        self.entries: list[PackEntry] = []
        self._wire: list[bytes] = []
        self._offsets: dict[ObjectId, int] = {}
        self._end = _HEADER_BYTES

    def __len__(self) -> int:
        return len(self.entries)

    def __contains__(self, oid: ObjectId) -> bool:
        return oid in self._offsets

    def add(self, oid: ObjectId, kind: ObjectKind, data: bytes) -> None:
        """Add an object uncompressed: making it small can wait until the whole log is packed again."""
        header, packed, end = _entry_header(_TYPE_CODES[kind], len(data)), store(data), self._end
        wire = header + packed
        self._offsets[oid] = end
        self._end = end + len(wire)
        self._wire.append(wire)
        self.entries.append(_new_entry(PackEntry, (oid, None, header, packed)))

    def append(self, entry: PackEntry) -> None:
        """Add an entry; its base, if it has one, must be here already."""
        oid, base, header, packed = entry
        end = self._end
        # A distance is the only part of an entry that depends on its pack, so ``PackEntry`` leaves it out.
        wire = header + packed if base is None else header + _encode_distance(end - self._offsets[base]) + packed
        self._offsets[oid] = end
        self._end = end + len(wire)
        self._wire.append(wire)
        self.entries.append(entry)

    def bytes_since(self, count: int) -> bytes:
        """Return the bytes of all entries but the first ``count``, as the pack will hold them."""
        return b"".join(self._wire[count:])

    def build(self) -> tuple[str, bytes, bytes]:
        """Return the name (forty hexadecimal digits), the pack and its index."""
        if self._end > _OFFSET_MAX:
            raise StoreError(f"a pack of {self._end} bytes is too large: more than two gigabytes")
        body = b"".join((struct.pack(">4sLL", b"PACK", 2, len(self._wire)), *self._wire))
        checksum = hashlib.sha1(body).digest()
        return checksum.hex(), body + checksum, self._index(checksum)

    def _index(self, pack_checksum: bytes) -> bytes:
        # Git finds an id by binary search.
        offsets = self._offsets
        oids = sorted(offsets)
        names = bytes.fromhex("".join(oids))
        fanout = [0] * 256
        for first in names[::20]:
            fanout[first] += 1
        table = b"".join(
            [offsets[oid].to_bytes(4, "big") + names[20 * at : 20 * at + 20] for at, oid in enumerate(oids)]
        )
        index = _FANOUT.pack(*accumulate(fanout)) + table + pack_checksum
        return index + hashlib.sha1(index).digest()


def fold(packs: Iterable[Iterable[PackEntry]]) -> PackBuilder:
    """Return one pack that holds every object of ``packs`` once, in their order, entries copied as they are."""
    out = PackBuilder()
    for pack in packs:
        for entry in pack:
            if entry.oid not in out:
                out.append(entry)
    return out


def whole_entry(oid: ObjectId, kind: ObjectKind, size: int, packed: bytes) -> PackEntry:
    """Return the entry of a whole object of ``size`` bytes."""
    return _new_entry(PackEntry, (oid, None, _entry_header(_TYPE_CODES[kind], size), packed))


def delta_entry(oid: ObjectId, base: ObjectId, size: int, packed: bytes) -> PackEntry:
    """Return the entry of an object made by a delta of ``size`` bytes from ``base``."""
    return _new_entry(PackEntry, (oid, base, _entry_header(_OFS_DELTA, size), packed))


def unpack(packs: Iterable[Iterable[PackEntry]]) -> dict[ObjectId, tuple[ObjectKind, bytes]]:
    """Return every object of ``packs`` once, in their order."""
    objects: dict[ObjectId, tuple[ObjectKind, bytes]] = {}
    for pack in packs:
        for oid, base, header, packed in pack:
            if oid not in objects:
                data = inflate(packed)
                if base is None:
                    objects[oid] = KINDS_BY_CODE[header[0] >> 4 & 7], data
                else:
                    kind, old = objects[base]
                    objects[oid] = kind, apply_delta(old, data)
    return objects


def parse_pack(pack: bytes, index: bytes) -> list[PackEntry]:
    """Return the entries of a finished pack in their order.

    ObjectDamaged if a checksum of pack or index does not hold.
    """
    if hashlib.sha1(index[:-20]).digest() != index[-20:]:
        raise ObjectDamaged("the index of a pack does not match its checksum")
    # The index ends with the checksum of its pack, then its own.
    if hashlib.sha1(pack[:-20]).digest() != pack[-20:] or index[-40:-20] != pack[-20:]:
        raise ObjectDamaged("a pack does not match its checksum")
    if len(pack) > _OFFSET_MAX:
        raise ObjectDamaged("a pack is larger than two gigabytes")
    oids = _parse_index(index)
    # Neither format lists the length of an entry: it ends where the next one begins.
    starts = sorted(oids)
    entries = []
    for start, stop in zip(starts, [*starts[1:], len(pack) - _TRAILER_BYTES], strict=True):
        code, _, at = _decode_entry_header(pack, start)
        header = pack[start:at]
        base = None
        if code == _OFS_DELTA:
            distance, at = _decode_distance(pack, at)
            base = oids[start - distance]
        elif code == _REF_DELTA:
            raise ObjectDamaged("a pack holds a delta whose base is named by its id")
        entries.append(PackEntry(oids[start], base, header, pack[at:stop]))
    return entries


def listed_objects(index: bytes) -> set[ObjectId]:
    """Return what an index says that a pack holds, whether or not that is there; ObjectDamaged if it cannot be read."""
    if len(index) < _TRAILER_BYTES or hashlib.sha1(index[:-20]).digest() != index[-20:]:
        raise ObjectDamaged("the index of a pack does not match its checksum")
    return set(_parse_index(index).values())


def _parse_index(index: bytes) -> dict[int, ObjectId]:
    """Return the object at every offset, from an index of version 1 or 2."""
    if index.startswith(_INDEX_MAGIC):
        # Magic and version take 8 bytes, the last of 256 counts is the number of objects.
        count = int.from_bytes(index[8 + 1020 : 8 + 1024], "big")
        names = index[1032 : 1032 + 20 * count].hex()
        # Past the ids (20 bytes each) and the entries' checksums (4 each).
        offsets = struct.unpack_from(f">{count}L", index, 1032 + 24 * count)
        return {offset: ObjectId(names[40 * at : 40 * at + 40]) for at, offset in enumerate(offsets)}
    count = int.from_bytes(index[1020:1024], "big")
    return {offset: ObjectId(oid.hex()) for offset, oid in _INDEX_ROW.iter_unpack(index[1024 : 1024 + 24 * count])}


def restore(batches: Iterable[tuple[bytes, int]], builder: PackBuilder) -> dict[ObjectId, tuple[ObjectKind, bytes]]:
    """Add to an empty ``builder`` what :meth:`PackBuilder.bytes_since` once returned, batch by batch in that order.

    A batch is the bytes and the number of its entries. Returns kind and bytes of the objects. ObjectDamaged if an entry
    cannot be read or has no base among those before it.
    """
    objects: dict[ObjectId, tuple[ObjectKind, bytes]] = {}
    by_offset: dict[int | ObjectId | None, ObjectId] = {}
    begin = 0
    for wire, count in batches:
        end = 0
        for start, code, place, data, at, end in wire_entries(wire, 0, count):
            # Offsets in a record count from the first record of its publication, as the published pack has them.
            base = by_offset.get(begin + place) if isinstance(place, int) else None
            header = _entry_header(code, len(data))
            if base is not None:
                kind, old = objects[base]
                data = apply_delta(old, data)
            elif code in KINDS_BY_CODE:
                kind = KINDS_BY_CODE[code]
            else:
                raise ObjectDamaged(f"an entry of type {code} with its base at {place} has no base in the journal")
            oid = object_id(kind, data)
            by_offset[begin + start] = oid
            # Entries that are there already keep their place in the map, since a later delta may be based on them.
            if oid not in objects:
                builder.append(PackEntry(oid, base, header, wire[at:end]))
                objects[oid] = kind, data
        if end != len(wire):
            raise ObjectDamaged("a record of the journal holds more than its entries")
        begin += len(wire)
    return objects


class WireEntry(NamedTuple):
    """An entry that no index describes."""

    start: int
    code: int
    base: int | ObjectId | None
    """Where the base begins, or its id; None for a whole object."""
    data: bytes
    """What the zlib stream holds: an object, or a delta."""
    stream: int
    """Where the zlib stream begins."""
    end: int


def wire_entries(wire: bytes, at: int, count: int, most_bytes: int = sys.maxsize) -> Iterator[WireEntry]:
    """Iterate over the ``count`` entries that follow one another from ``at``.

    ObjectDamaged if one cannot be read, ObjectTooLarge if one announces more than ``most_bytes``: of none is more
    inflated than it announces.
    """
    try:
        for _ in range(count):
            start = at
            base: int | ObjectId | None = None
            code, size, at = _decode_entry_header(wire, at)
            if size > most_bytes:
                raise ObjectTooLarge(f"an object has {size} bytes, expected at most {most_bytes}")
            if code == _OFS_DELTA:
                distance, at = _decode_distance(wire, at)
                base = start - distance
            elif code == _REF_DELTA:
                base, at = ObjectId(wire[at : at + 20].hex()), at + 20
            stream = zlib.decompressobj()
            # Deflate grows data that cannot be compressed by little: the rest of a large pack need not be copied.
            window = wire[at : at + size + (size >> 9) + _ZLIB_OVERHEAD]
            # One byte more than announced is enough to see that there is more; a bomb is never inflated.
            data = stream.decompress(window, size + 1)
            if len(data) != size or not stream.eof:
                raise ObjectDamaged("an entry does not have the size that its header announces")
            end = at + len(window) - len(stream.unused_data)
            yield WireEntry(start, code, base, data, at, end)
            at = end
    except (IndexError, zlib.error) as error:
        raise ObjectDamaged(f"an entry cannot be read: {error}") from None


@lru_cache(maxsize=8192)
def _entry_header(code: int, size: int) -> bytes:
    out = [code << 4 | size & 0x0F]
    size >>= 4
    while size:
        out[-1] |= 0x80
        out.append(size & 0x7F)
        size >>= 7
    return bytes(out)


def _decode_entry_header(pack: bytes, at: int) -> tuple[int, int, int]:
    byte = pack[at]
    at += 1
    code = byte >> 4 & 7
    size = byte & 0x0F
    shift = 4
    while byte & 0x80:
        if shift > _MAX_SHIFT:
            raise ObjectDamaged("the size in an entry's header does not end")
        byte = pack[at]
        at += 1
        size |= (byte & 0x7F) << shift
        shift += 7
    return code, size, at


@lru_cache(maxsize=8192)
def _encode_distance(distance: int) -> bytes:
    out = [distance & 0x7F]
    distance >>= 7
    while distance:
        # Git's offsets subtract one in each longer form, so that no number has two encodings.
        distance -= 1
        out.append(distance & 0x7F | 0x80)
        distance >>= 7
    out.reverse()
    return bytes(out)


def _decode_distance(pack: bytes, at: int) -> tuple[int, int]:
    byte = pack[at]
    at += 1
    distance = byte & 0x7F
    while byte & 0x80:
        # A base before the pack can only be damage; without this the number could grow for ever.
        if distance > len(pack):
            raise ObjectDamaged("the base of a delta is before the beginning of the pack")
        byte = pack[at]
        at += 1
        distance = (distance + 1) << 7 | byte & 0x7F
    return distance, at


def store(data: bytes) -> bytes:
    """Return ``data`` as a zlib stream without compression."""
    size = len(data)
    if size > _STORED_MAX:
        return deflate(data)
    start = _SHORT[size] if size < _SHORT_END else _STORED + _LENGTH.pack(size, size ^ _STORED_MAX)
    return start + data + zlib.adler32(data).to_bytes(4, "big")


def inflate(packed: bytes) -> bytes:
    """Return what a zlib stream holds."""
    # What ``store`` made needs no zlib. Its checksum is not looked at: packs have their own, and objects their ids.
    if packed.startswith(_STORED) and int.from_bytes(packed[3:5], "little") == len(packed) - _STORED_EXTRA:
        return packed[7:-4]
    return zlib.decompress(packed)


def deflate(data: bytes, strategy: int = zlib.Z_DEFAULT_STRATEGY) -> bytes:
    """Return ``data`` as a zlib stream, as small as zlib makes it with little memory to set up.

    With ``Z_FILTERED`` it looks for no short repetitions: among the digits of ids, they come by chance and cost bytes.
    Proofs about hidden cards are long: with less memory they would be cut into blocks that each describe a code.
    """
    # A window of 4 KiB, for the same reason: zlib clears its window and tables for every object.
    compressor = zlib.compressobj(9, zlib.DEFLATED, 12, 4 if len(data) < _ONE_BLOCK else 7, strategy)
    return compressor.compress(data) + compressor.flush()


def deflate_ids(data: bytes) -> bytes:
    """Return bytes that are mostly ids as a zlib stream: in the fixed code, or stored if that is shorter."""
    compressor = zlib.compressobj(9, zlib.DEFLATED, 12, 4, zlib.Z_FIXED)
    packed = compressor.compress(data) + compressor.flush()
    return packed if len(packed) <= len(data) + _STORED_EXTRA else store(data)
