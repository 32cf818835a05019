"""Pack files: built in memory for one publication, folded into larger ones, read back after a crash.

A pack is a header, the objects' entries one after the other, and a checksum; its index lists id, checksum and offset of
every entry. An entry is either a whole object, deflated, or a delta against an earlier entry of the same pack.
Format: gitformat-pack, packs of version 2 and indexes of version 2.
"""

from __future__ import annotations

import hashlib
import struct
import zlib
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from catan_p2p.log.storage.delta import apply_delta, make_delta
from catan_p2p.log.storage.objects import KINDS, Damaged, ObjectId, ObjectKind, object_id

MAX_DEPTH = 16
"""The longest chain of deltas within one publication."""
MAX_FOLDED_DEPTH = 48
"""The longest chain of deltas after folding; Git's own packs go to 50."""

_HEADER_BYTES = 12
_TRAILER_BYTES = 20
_OFS_DELTA = 6
_REF_DELTA = 7
_TYPE_CODES: dict[ObjectKind, int] = {kind: code for code, kind in enumerate(KINDS, start=1)}
_KINDS_BY_CODE: dict[int, ObjectKind] = {code: kind for kind, code in _TYPE_CODES.items()}
_INDEX_MAGIC = b"\xfftOc\0\0\0\x02"
_FANOUT = struct.Struct(">256L")
_SMALL_OFFSET_MAX = 0x7FFFFFFF
_STORED = b"\x78\x01\x01"
_STORED_MAX = 0xFFFF
_WORTH_A_DELTA = 16
_WORTH_DEFLATING = 32


class Entry(NamedTuple):
    """One object as a pack holds it: type and size encoded, and a zlib stream.

    ``base`` is the object it is a delta against, None for a whole object.
    """

    oid: ObjectId
    base: ObjectId | None
    header: bytes
    packed: bytes


class PackBuilder:
    """A pack to be: entries in the order in which they were added.

    ``hints`` are deltas against objects that are not in this pack, so that folding can put them in the place of the
    whole objects.
    """

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.hints: dict[ObjectId, Entry] = {}
        self._wire: list[bytes] = []
        self._offsets: dict[ObjectId, int] = {}
        self._depths: dict[ObjectId, int] = {}
        self._end = _HEADER_BYTES

    def __len__(self) -> int:
        return len(self.entries)

    def __contains__(self, oid: ObjectId) -> bool:
        return oid in self._offsets

    def depth(self, oid: ObjectId) -> int:
        """Return how many deltas must be applied to read an object of this pack."""
        return self._depths.get(oid, 0)

    def add(
        self, oid: ObjectId, kind: ObjectKind, data: bytes, base: ObjectId | None = None, old: bytes | None = None
    ) -> None:
        """Add an object; ``old``, the bytes of its older version ``base``, may make it a delta or give it a hint."""
        pack_whole = _deflate
        if base is not None and old is not None and len(data) > _WORTH_A_DELTA:
            delta = make_delta(old, data)
            size = len(delta)
            if size + 4 < len(data) if kind == "tree" else 4 * size < 3 * len(data):
                packed = _store(delta) if size < _WORTH_DEFLATING or kind == "tree" else _deflate(delta)
                entry = Entry(oid, base, _entry_header(_OFS_DELTA, size), packed)
                if base in self._offsets and self._depths.get(base, 0) < MAX_DEPTH:
                    self.append(entry)
                    return
                self.hints[oid] = entry
                pack_whole = _store  # until folding puts the delta in its place
        self.append(Entry(oid, None, _entry_header(_TYPE_CODES[kind], len(data)), pack_whole(data)))

    def append(self, entry: Entry) -> None:
        """Add an entry as it is; its base, if it has one, must be here already."""
        oid, base, header, packed = entry
        end = self._end
        if base is None:
            wire = header + packed
        else:
            wire = header + _encode_distance(end - self._offsets[base]) + packed
            self._depths[oid] = self._depths.get(base, 0) + 1
        self._offsets[oid] = end
        self._end = end + len(wire)
        self._wire.append(wire)
        self.entries.append(entry)

    def bytes_since(self, count: int) -> bytes:
        """Return the bytes of all entries but the first ``count``, as the pack will hold them."""
        return b"".join(self._wire[count:])

    def build(self) -> tuple[str, bytes, bytes]:
        """Return the name (forty hexadecimal digits), the pack and its index."""
        body = b"".join((struct.pack(">4sLL", b"PACK", 2, len(self._wire)), *self._wire))
        checksum = hashlib.sha1(body).digest()
        return checksum.hex(), body + checksum, self._index(checksum)

    def _index(self, pack_checksum: bytes) -> bytes:
        rows = sorted(zip(self._offsets, map(zlib.crc32, self._wire), self._offsets.values(), strict=True))
        names = bytes.fromhex("".join([row[0] for row in rows]))
        fanout = [0] * 256
        for first in names[::20]:
            fanout[first] += 1
        total = len(rows)
        offsets = [row[2] for row in rows]
        large: list[int] = []
        if self._end > _SMALL_OFFSET_MAX:
            large = [offset for offset in offsets if offset > _SMALL_OFFSET_MAX]
            place = {offset: 0x80000000 | at for at, offset in enumerate(large)}
            offsets = [place.get(offset, offset) for offset in offsets]
        index = b"".join(
            (
                _INDEX_MAGIC,
                _FANOUT.pack(*accumulate(fanout)),
                names,
                struct.pack(f">{total}L", *[row[1] for row in rows]),
                struct.pack(f">{total}L", *offsets),
                struct.pack(f">{len(large)}Q", *large),
                pack_checksum,
            )
        )
        return index + hashlib.sha1(index).digest()


def fold(packs: Iterable[Iterable[Entry]], hints: Mapping[ObjectId, Entry] | None) -> PackBuilder:
    """Return one pack that holds every object of ``packs`` once, in their order.

    Without ``hints`` all entries are copied as they are. With them the pack becomes as small as it can: a whole object
    that has a hint becomes that delta, if its base is here already and the chain does not get too long, and what
    was stored without compression is deflated.
    """
    out = PackBuilder()
    for pack in packs:
        for entry in pack:
            if entry.oid not in out:
                out.append(entry if hints is None or entry.base is not None else _smaller(entry, hints, out))
    return out


def _smaller(whole: Entry, hints: Mapping[ObjectId, Entry], out: PackBuilder) -> Entry:
    hint = hints.get(whole.oid)
    if hint is not None and hint.base is not None and hint.base in out:
        if out.depth(hint.base) < MAX_FOLDED_DEPTH - MAX_DEPTH:
            return hint
    if whole.packed.startswith(_STORED):
        return whole._replace(packed=_deflate(zlib.decompress(whole.packed)))
    return whole


def parse_pack(pack: bytes, index: bytes) -> list[Entry]:
    """Return the entries of a finished pack in their order; Damaged if a checksum of pack or index does not hold."""
    if index[:8] != _INDEX_MAGIC or hashlib.sha1(index[:-20]).digest() != index[-20:]:
        raise Damaged("the index of a pack does not match its checksum")
    if hashlib.sha1(pack[:-20]).digest() != pack[-20:] or index[-40:-20] != pack[-20:]:
        raise Damaged("a pack does not match its checksum")
    count = int.from_bytes(index[8 + 1020 : 8 + 1024], "big")
    names = index[1032 : 1032 + 20 * count].hex()
    offsets = struct.unpack_from(f">{count}L", index, 1032 + 24 * count)
    if len(pack) > _SMALL_OFFSET_MAX:
        raise Damaged("a pack is larger than two gigabytes")
    oids = {offset: ObjectId(names[40 * at : 40 * at + 40]) for at, offset in enumerate(offsets)}
    starts = sorted(offsets)
    entries = []
    for start, stop in zip(starts, [*starts[1:], len(pack) - _TRAILER_BYTES], strict=True):
        code, _, at = _decode_entry_header(pack, start)
        header = pack[start:at]
        base = None
        if code == _OFS_DELTA:
            distance, at = _decode_distance(pack, at)
            base = oids[start - distance]
        elif code == _REF_DELTA:
            raise Damaged("a pack holds a delta whose base is named by its id")
        entries.append(Entry(oids[start], base, header, pack[at:stop]))
    return entries


def restore(batches: Iterable[tuple[bytes, int]], builder: PackBuilder) -> dict[ObjectId, tuple[ObjectKind, bytes]]:
    """Add to an empty ``builder`` what :meth:`PackBuilder.bytes_since` once returned, batch by batch in that order.

    A batch is the bytes and the number of its entries. Returns kind and bytes of the objects. Damaged if an entry
    cannot be read or has no base among those before it.
    """
    objects: dict[ObjectId, tuple[ObjectKind, bytes]] = {}
    by_offset: dict[int, ObjectId] = {}
    begin = 0
    for wire, count in batches:
        for start, code, distance, data, packed in _parse_wire(wire, count):
            base = by_offset.get(begin + start - distance) if distance else None
            header = _entry_header(code, len(data))
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
                builder.append(Entry(oid, base, header, packed))
                objects[oid] = kind, data
        begin += len(wire)
    return objects


def _parse_wire(wire: bytes, count: int) -> Iterator[tuple[int, int, int, bytes, bytes]]:
    """Iterate over entries that no index describes: offset, type, distance to the base (0: whole object), what the zlib
    stream holds, and the stream itself. Damaged if there are fewer or more than ``count``.
    """
    at = 0
    try:
        for _ in range(count):
            start = at
            code, size, at = _decode_entry_header(wire, at)
            distance = 0
            if code == _OFS_DELTA:
                distance, at = _decode_distance(wire, at)
            stream = zlib.decompressobj()
            data = stream.decompress(wire[at:])
            end = len(wire) - len(stream.unused_data)
            if len(data) != size or not stream.eof:
                raise Damaged("an entry of the journal does not hold what it announces")
            yield start, code, distance, data, wire[at:end]
            at = end
    except (IndexError, zlib.error) as error:
        raise Damaged(f"an entry of the journal cannot be read: {error}") from None
    if at != len(wire):
        raise Damaged("a record of the journal holds more than its entries")


def _deflate(data: bytes) -> bytes:
    """Return ``data`` as a zlib stream.

    A small window and a small hash table: setting up the default ones may cost ten times as much as compressing what
    a game's objects hold.
    """
    compressor = zlib.compressobj(1, zlib.DEFLATED, 12, 4)
    return compressor.compress(data) + compressor.flush()


def _store(data: bytes) -> bytes:
    """Return ``data`` as a zlib stream without compression, for object ids, which nothing can shorten."""
    size = len(data)
    if size > _STORED_MAX:
        return _deflate(data)
    return b"%b%b%b%b" % (
        _STORED,
        (size | (size ^ 0xFFFF) << 16).to_bytes(4, "little"),
        data,
        zlib.adler32(data).to_bytes(4, "big"),
    )


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
