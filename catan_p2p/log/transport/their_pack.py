"""Reading a pack that a daemon sends: all objects of it, each bounded, before anything is believed of them.

Format: gitformat-pack.
"""

from __future__ import annotations

from catan_p2p.limits import MAX_INFLATED_BYTES, MAX_OBJECT_BYTES, MAX_PACK_OBJECTS
from catan_p2p.log.storage.delta import apply_delta
from catan_p2p.log.storage.objects import ObjectDamaged, ObjectId, ObjectKind, ObjectTooLarge, object_id
from catan_p2p.log.storage.pack import KINDS_BY_CODE, wire_entries


class TooMuch(Exception):
    """A pack that holds more than any game."""


def unpack(pack: bytes) -> dict[ObjectId, tuple[ObjectKind, bytes]]:
    """All objects of a pack that needs no others, by id; ``ObjectDamaged`` or ``TooMuch``."""
    if pack[:8] != b"PACK\0\0\0\2":
        raise ObjectDamaged("it is not a pack of version 2")
    found: dict[ObjectId, tuple[ObjectKind, bytes]] = {}
    at_place: dict[int | ObjectId, tuple[ObjectKind, bytes]] = {}
    size = 0
    count = int.from_bytes(pack[8:12], "big")
    if count > MAX_PACK_OBJECTS:
        raise TooMuch(f"sends {count} objects, at most {MAX_PACK_OBJECTS} are read")
    try:
        for start, code, place, data, _, _ in wire_entries(pack, 12, count, MAX_OBJECT_BYTES):
            if place is not None:
                base = at_place.get(place)
                if base is None:
                    raise ObjectDamaged("a delta comes before what it is based on")
                entry = base[0], apply_delta(base[1], data, MAX_OBJECT_BYTES)
            elif code in KINDS_BY_CODE:
                entry = KINDS_BY_CODE[code], data
            else:
                raise ObjectDamaged(f"an entry of kind {code}")
            size += len(entry[1])
            if size > MAX_INFLATED_BYTES:
                raise TooMuch(f"sends objects of more than {MAX_INFLATED_BYTES} bytes")
            oid = object_id(*entry)
            found[oid] = at_place[start] = at_place[oid] = entry
    except ObjectTooLarge:
        raise TooMuch(f"sends an object of more than {MAX_OBJECT_BYTES} bytes") from None
    return found
