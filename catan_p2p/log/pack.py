"""Pack files: built in memory for one publication, read back for folding and after a crash.

A pack is a header, the objects' entries one after the other, and a checksum; its index lists id, checksum
and offset of every entry. An entry is either a whole object, deflated, or a delta against an earlier entry
of the same pack. Format: gitformat-pack, packs of version 2 and indexes of version 2.
"""

from __future__ import annotations

import hashlib
import struct
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from catan_p2p.log.delta import apply_delta, make_delta
from catan_p2p.log.objects import KINDS, Damaged, ObjectId, ObjectKind, object_id

MAX_DEPTH = 24
"""The longest chain of deltas: to read an object, at most so many others are read."""

_HEADER_BYTES = 12
_TRAILER_BYTES = 20
_OFS_DELTA = 6
_REF_DELTA = 7
_TYPE_CODES: dict[ObjectKind, int] = {kind: code for code, kind in enumerate(KINDS, start=1)}
_KINDS_BY_CODE: dict[int, ObjectKind] = {code: kind for kind, code in _TYPE_CODES.items()}
_INDEX_MAGIC = b"\xfftOc\0\0\0\x02"
_FANOUT = struct.Struct(">256L")
_SMALL_OFFSET_MAX = 0x7FFFFFFF


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a pack: ``base`` is the id of the object it is a delta against, None for a whole object.

    ``size`` is the length of ``packed`` once inflated.
    """

    oid: ObjectId
    code: int
    size: int
    base: ObjectId | None
    packed: bytes


class PackBuilder:
    """Entries of a pack to be, in the order in which they were added."""

    def __init__(self) -> None:
        self._entries: list[bytes] = []
        self._offsets: dict[ObjectId, int] = {}
        self._depths: dict[ObjectId, int] = {}
        self._end = _HEADER_BYTES

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, oid: ObjectId) -> bool:
        return oid in self._offsets

    def may_be_base(self, oid: ObjectId | None) -> bool:
        """Whether an entry added now may be a delta against ``oid``."""
        return oid in self._offsets and self._depths.get(oid, 0) < MAX_DEPTH

    def add(
        self, oid: ObjectId, kind: ObjectKind, data: bytes, base: ObjectId | None = None, old: bytes = b""
    ) -> bool:
        """Add an object, as a delta against ``base``, whose bytes are ``old``, if that is shorter and
        allowed.

        Returns whether it became a delta.
        """
        if base is not None and self.may_be_base(base):
            delta = make_delta(old, data)
            if len(delta) + 4 < len(data):
                self._append_delta(oid, base, len(delta), deflate(delta, ids=kind == "tree"))
                return True
        self._append(oid, _entry_header(_TYPE_CODES[kind], len(data)) + deflate(data))
        return False

    def add_entry(self, entry: Entry) -> None:
        """Add a copy of an entry of another pack; its base, if it has one, must pass :meth:`may_be_base`."""
        if entry.base is None:
            self._append(entry.oid, _entry_header(entry.code, entry.size) + entry.packed)
        else:
            self._append_delta(entry.oid, entry.base, entry.size, entry.packed)

    def entries_since(self, count: int) -> bytes:
        """Return the bytes of all entries but the first ``count``."""
        return b"".join(self._entries[count:])

    def build(self) -> tuple[str, bytes, bytes]:
        """Return the name (forty hexadecimal digits), the pack and its index."""
        body = b"".join((struct.pack(">4sLL", b"PACK", 2, len(self._entries)), *self._entries))
        checksum = hashlib.sha1(body).digest()
        return checksum.hex(), body + checksum, self._index(checksum)

    def _append_delta(self, oid: ObjectId, base: ObjectId, size: int, packed: bytes) -> None:
        distance = self._end - self._offsets[base]
        self._depths[oid] = self._depths.get(base, 0) + 1
        self._append(oid, _entry_header(_OFS_DELTA, size) + _encode_distance(distance) + packed)

    def _append(self, oid: ObjectId, entry: bytes) -> None:
        self._offsets[oid] = self._end
        self._entries.append(entry)
        self._end += len(entry)

    def _index(self, pack_checksum: bytes) -> bytes:
        crcs = dict(zip(self._offsets, map(zlib.crc32, self._entries), strict=True))
        oids = sorted(self._offsets)
        names = bytes.fromhex("".join(oids))
        fanout = [0] * 256
        for first in names[::20]:
            fanout[first] += 1
        total = 0
        for first, count in enumerate(fanout):
            total += count
            fanout[first] = total
        offsets = [self._offsets[oid] for oid in oids]
        large: list[int] = []
        if self._end > _SMALL_OFFSET_MAX:
            large = [offset for offset in offsets if offset > _SMALL_OFFSET_MAX]
            rank = {offset: 0x80000000 | at for at, offset in enumerate(large)}
            offsets = [rank.get(offset, offset) for offset in offsets]
        index = b"".join(
            (
                _INDEX_MAGIC,
                _FANOUT.pack(*fanout),
                names,
                struct.pack(f">{len(oids)}L", *(crcs[oid] for oid in oids)),
                struct.pack(f">{len(oids)}L", *offsets),
                struct.pack(f">{len(large)}Q", *large),
                pack_checksum,
            )
        )
        return index + hashlib.sha1(index).digest()


class PackReader:
    """The entries of a finished pack; Damaged if a checksum of the pack or of its index does not hold."""

    def __init__(self, pack: bytes, index: bytes) -> None:
        if index[:8] != _INDEX_MAGIC or hashlib.sha1(index[:-20]).digest() != index[-20:]:
            raise Damaged("the index of a pack does not match its checksum")
        if hashlib.sha1(pack[:-20]).digest() != pack[-20:] or index[-40:-20] != pack[-20:]:
            raise Damaged("a pack does not match its checksum")
        self._pack = pack
        count = int.from_bytes(index[8 + 1020 : 8 + 1024], "big")
        names = index[1032 : 1032 + 20 * count].hex()
        offsets = struct.unpack_from(f">{count}L", index, 1032 + 24 * count)
        if offsets and max(offsets) > _SMALL_OFFSET_MAX:
            raise Damaged("a pack is larger than two gigabytes")
        self._oids = {offset: ObjectId(names[40 * at : 40 * at + 40]) for at, offset in enumerate(offsets)}
        self._starts = sorted(offsets)
        self._starts.append(len(pack) - _TRAILER_BYTES)
        self._position = {self._oids[start]: at for at, start in enumerate(self._starts[:-1])}

    def __iter__(self) -> Iterator[Entry]:
        """Iterate over the entries in the order of the pack."""
        return map(self._entry, range(len(self._starts) - 1))

    def __contains__(self, oid: ObjectId) -> bool:
        return oid in self._position

    def oids(self) -> Iterable[ObjectId]:
        """Return the ids of all objects, in the order of the pack."""
        return self._position

    def read(self, oid: ObjectId) -> tuple[ObjectKind, bytes]:
        """Return kind and bytes of an object of this pack."""
        deltas = []
        entry = self._entry(self._position[oid])
        while entry.base is not None:
            deltas.append(inflate(entry.packed, entry.size))
            entry = self._entry(self._position[entry.base])
        data = inflate(entry.packed, entry.size)
        for delta in reversed(deltas):
            data = apply_delta(data, delta)
        return _KINDS_BY_CODE[entry.code], data

    def _entry(self, position: int) -> Entry:
        start = self._starts[position]
        code, size, at = _decode_entry_header(self._pack, start)
        base = None
        if code == _OFS_DELTA:
            distance, at = _decode_distance(self._pack, at)
            base = self._oids[start - distance]
        elif code == _REF_DELTA:
            base = ObjectId(self._pack[at : at + 20].hex())
            at += 20
        return Entry(self._oids[start], code, size, base, self._pack[at : self._starts[position + 1]])


def fold_packs(packs: Sequence[PackReader], hints: Mapping[ObjectId, ObjectId]) -> PackBuilder:
    """Return one pack that holds every object of ``packs`` once, in their order, entries copied as they are.

    ``hints`` names the older version of objects that are stored whole; such an object becomes a delta where
    that is shorter. Chains stay within MAX_DEPTH: a delta that would make one too long is stored whole
    instead.
    """
    out = PackBuilder()
    home = {oid: pack for pack in packs for oid in pack.oids()}
    for pack in packs:
        for entry in pack:
            oid = entry.oid
            if oid in out:
                continue
            hint = hints.get(oid)
            better = hint if hint is not None and out.may_be_base(hint) else None
            if out.may_be_base(entry.base) or (entry.base is None and better is None):
                out.add_entry(entry)
            else:
                kind, data = pack.read(oid)
                out.add(oid, kind, data, better, home[better].read(better)[1] if better else b"")
    return out


def restore_entries(
    batches: Iterable[tuple[bytes, int]], builder: PackBuilder
) -> dict[ObjectId, tuple[ObjectKind, bytes]]:
    """Add to an empty ``builder`` what :meth:`PackBuilder.entries_since` once returned, batch by batch in
    that order.

    A batch is the bytes and the number of its entries. Returns kind and bytes of the objects. Damaged if an
    entry cannot be read or has no base among those before it.
    """
    objects: dict[ObjectId, tuple[ObjectKind, bytes]] = {}
    by_offset: dict[int, ObjectId] = {}
    begin = 0
    for entries, count in batches:
        for start, code, distance, data, packed in _parse_entries(entries, count):
            base = by_offset.get(begin + start - distance) if distance else None
            size = len(data)
            if base is not None:
                kind, old = objects[base]
                data = apply_delta(old, data)
            elif code in _KINDS_BY_CODE:
                kind = _KINDS_BY_CODE[code]
            else:
                raise Damaged(f"an entry of type {code} at distance {distance} has no base in the journal")
            oid = object_id(kind, data)
            by_offset[begin + start] = oid
            if oid not in objects:
                builder.add_entry(Entry(oid, code, size, base, packed))
                objects[oid] = kind, data
        begin += len(entries)
    return objects


def _parse_entries(entries: bytes, count: int) -> Iterator[tuple[int, int, int, bytes, bytes]]:
    """Iterate over entries that no index describes: offset, type code, distance to the base (0: whole
    object), what the zlib stream holds, and the stream itself. Damaged if there are fewer or more than
    ``count``.
    """
    at = 0
    try:
        for _ in range(count):
            start = at
            code, size, at = _decode_entry_header(entries, at)
            distance = 0
            if code == _OFS_DELTA:
                distance, at = _decode_distance(entries, at)
            stream = zlib.decompressobj()
            data = stream.decompress(entries[at:])
            end = len(entries) - len(stream.unused_data)
            if len(data) != size or not stream.eof:
                raise Damaged("an entry of the journal does not hold what it announces")
            yield start, code, distance, data, entries[at:end]
            at = end
    except (IndexError, zlib.error) as error:
        raise Damaged(f"an entry of the journal cannot be read: {error}") from None
    if at != len(entries):
        raise Damaged("a record of the journal holds more than its entries")


def deflate(data: bytes, *, ids: bool = False) -> bytes:
    """Return ``data`` as a zlib stream; ``ids`` says that it is object ids mostly, which no compressor can
    shorten.

    A small window and a small hash table: setting up the default ones costs ten times as much as
    compressing what a game's objects hold.
    """
    if ids and len(data) < 0xFFFF:
        size = len(data)
        stored = struct.pack("<HH", size, size ^ 0xFFFF)
        return b"\x78\x01\x01" + stored + data + zlib.adler32(data).to_bytes(4, "big")
    compressor = zlib.compressobj(1, zlib.DEFLATED, 12, 4)
    return compressor.compress(data) + compressor.flush()


def inflate(packed: bytes, size: int) -> bytes:
    """Return the ``size`` bytes that a zlib stream holds; Damaged if it holds anything else."""
    try:
        data = zlib.decompress(packed)
    except zlib.error as error:
        raise Damaged(f"an entry of a pack cannot be inflated: {error}") from None
    if len(data) != size:
        raise Damaged(f"an entry of a pack holds {len(data)} bytes instead of {size}")
    return data


def _entry_header(code: int, size: int) -> bytes:
    first = code << 4 | size & 0x0F
    size >>= 4
    if not size:
        return bytes((first,))
    if size < 0x80:
        return bytes((first | 0x80, size))
    out = [first | 0x80]
    while size > 0x7F:
        out.append(size & 0x7F | 0x80)
        size >>= 7
    out.append(size)
    return bytes(out)


def _decode_entry_header(pack: bytes, at: int) -> tuple[int, int, int]:
    byte = pack[at]
    at += 1
    code = byte >> 4 & 7
    size = byte & 0x0F
    shift = 4
    while byte & 0x80:
        byte = pack[at]
        at += 1
        size |= (byte & 0x7F) << shift
        shift += 7
    return code, size, at


def _encode_distance(distance: int) -> bytes:
    if distance < 0x80:
        return bytes((distance,))
    out = [distance & 0x7F]
    distance >>= 7
    while distance:
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
        byte = pack[at]
        at += 1
        distance = (distance + 1) << 7 | byte & 0x7F
    return distance, at
