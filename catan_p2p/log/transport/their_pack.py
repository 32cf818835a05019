"""Reading a pack that a daemon sends: all objects of it, each bounded, before anything is believed of them.

Format: gitformat-pack.
"""

from __future__ import annotations

import zlib
from typing import NamedTuple, cast

from catan_p2p.limits import MAX_INFLATED_BYTES, MAX_OBJECT_BYTES, MAX_PACK_OBJECTS
from catan_p2p.log.storage.delta import apply_delta
from catan_p2p.log.storage.objects import KINDS, Damaged, ObjectId, ObjectKind, object_id

_OFS_DELTA = 6
_REF_DELTA = 7
_ZLIB_OVERHEAD = 1024
_MAX_SHIFT = 60


class TooMuch(Exception):
    """A pack that holds more than any game."""


class _Part(NamedTuple):
    """An entry of a pack: an object, or a delta with the place or the id of what it is based on."""

    kind: ObjectKind | None
    base: int | ObjectId
    data: bytes


def unpack(pack: bytes) -> dict[ObjectId, tuple[ObjectKind, bytes]]:
    """All objects of a pack that needs no others, by id; ``Damaged`` or ``TooMuch``."""
    if pack[:8] != b"PACK\0\0\0\2":
        raise Damaged("it is not a pack of version 2")
    found: dict[ObjectId, tuple[ObjectKind, bytes]] = {}
    at_place: dict[int | ObjectId, tuple[ObjectKind, bytes]] = {}
    at, size = 12, 0
    count = int.from_bytes(pack[8:12], "big")
    if count > MAX_PACK_OBJECTS:
        raise TooMuch(f"sends {count} objects, at most {MAX_PACK_OBJECTS} are read")
    for _ in range(count):
        part, end = _read_part(pack, at)
        if part.kind is not None:
            entry = part.kind, part.data
        else:
            base = at_place.get(part.base)
            if base is None:
                raise Damaged("a delta comes before what it is based on")
            if _delta_result_bytes(part.data) > MAX_OBJECT_BYTES:
                raise TooMuch(f"sends an object of more than {MAX_OBJECT_BYTES} bytes")
            entry = base[0], apply_delta(base[1], part.data)
        size += len(entry[1])
        if size > MAX_INFLATED_BYTES:
            raise TooMuch(f"sends objects of more than {MAX_INFLATED_BYTES} bytes")
        oid = object_id(*entry)
        found[oid] = at_place[at] = at_place[oid] = entry
        at = end
    return found


def _read_part(pack: bytes, start: int) -> tuple[_Part, int]:
    """The entry that begins at ``start``, and where the next begins."""
    at = start + 1
    byte = pack[start]
    code, size, shift = byte >> 4 & 7, byte & 15, 4
    while byte & 0x80:
        if shift > _MAX_SHIFT:
            raise Damaged("a size without end")
        byte = pack[at]
        size |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
    if size > MAX_OBJECT_BYTES:
        raise TooMuch(f"sends an object of {size} bytes, at most {MAX_OBJECT_BYTES} are read")
    kind, base = None, cast("int | ObjectId", 0)
    if code == _OFS_DELTA:
        distance, at = _read_distance(pack, at)
        base = start - distance
    elif code == _REF_DELTA:
        base, at = ObjectId(pack[at : at + 20].hex()), at + 20
    elif 1 <= code <= len(KINDS):
        kind = KINDS[code - 1]
    else:
        raise Damaged(f"an entry of kind {code}")
    stream = zlib.decompressobj()
    window = pack[at : at + size + (size >> 9) + _ZLIB_OVERHEAD]
    data = stream.decompress(window, size + 1)
    if len(data) != size or not stream.eof:
        raise Damaged("an entry is not as long as it says")
    return _Part(kind, base, data), at + len(window) - len(stream.unused_data)


def _read_distance(pack: bytes, at: int) -> tuple[int, int]:
    byte = pack[at]
    distance = byte & 0x7F
    while byte & 0x80:
        if distance > len(pack):
            raise Damaged("a distance beyond the beginning")
        at += 1
        byte = pack[at]
        distance = (distance + 1) << 7 | byte & 0x7F
    return distance, at + 1


def _delta_result_bytes(delta: bytes) -> int:
    """How many bytes the instructions of a delta make, whatever its heading promises."""
    at = 0
    for _ in range(2):
        while delta[at] & 0x80:
            at += 1
        at += 1
    total = 0
    while at < len(delta):
        op = delta[at]
        at += 1
        if not op & 0x80:
            total += op
            at += op
            continue
        at += (op & 0x0F).bit_count()
        size = 0
        for bit in range(3):
            if op & 0x10 << bit:
                size |= delta[at] << 8 * bit
                at += 1
        total += size or 0x10000
    return total
