"""Packs a whole log as small as possible: every object is a delta from the best base there is.

Compaction needs only the objects, not how they were written, so it does not matter which process wrote them, or in how
many packs. It orders objects by families: objects that are made from one another stand together.
"""

from __future__ import annotations

import gc
import re
import struct
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from catan_p2p.log.storage.alike import ID_BYTES, Row, TreeDeltas, make_delta
from catan_p2p.log.storage.delta import make_delta_of_lines
from catan_p2p.log.storage.families import LONG, MAX_DEPTH, FamilyVersion, LongFamily, VersionFamily, new_version
from catan_p2p.log.storage.objects import ObjectId, ObjectKind
from catan_p2p.log.storage.pack import (
    PackBuilder,
    PackEntry,
    deflate,
    deflate_ids,
    delta_entry,
    store,
    unpack,
    whole_entry,
)

_TREE_ENTRY = re.compile(rb"([0-7]+ [^\0]+\0)(.{20})", re.DOTALL)
_TWO_IDS_BYTES = 48
"""A delta between trees with two or more new ids has this size at least: random bytes, which no code shortens."""
_DIGITS = b"0123456789"
_LIKE_BYTES = 10
_SMALL = 100
_USUAL_DELTA_BYTES = 120


def compact(packs: Iterable[Iterable[PackEntry]]) -> PackBuilder:
    """Return one pack that holds every object of ``packs`` once."""
    with _no_collections():
        return _compact(packs)


@contextmanager
def _no_collections() -> Iterator[None]:
    """No garbage collections meanwhile: of the tuples made, none is in a cycle, and it took a sixth of the time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _compact(packs: Iterable[Iterable[PackEntry]]) -> PackBuilder:
    by_kind: dict[ObjectKind, list[tuple[ObjectId, bytes]]] = {"commit": [], "tree": [], "blob": []}
    for oid, (kind, data) in unpack(packs).items():
        by_kind.setdefault(kind, []).append((oid, data))
    out = PackBuilder()
    for kind, objects in by_kind.items():  # one kind after the other, since families take memory
        families = _FAMILIES.get(kind, _WholeObjects)()
        for oid, data in objects:
            families.take(oid, data)
        objects.clear()
        for entries in families.entries():
            for entry in entries:
                out.append(entry)
    return out


class _TreeShape:
    """Trees with the same names, so that only ids differ."""

    def __init__(self, names: tuple[bytes, ...]) -> None:
        self.names = names
        self.layout = struct.Struct("".join(f"{len(name)}s{ID_BYTES}s" for name in names))
        self.family = VersionFamily() if len(names) < LONG else LongFamily()
        self.entries: list[PackEntry] = []
        self._deltas = TreeDeltas([len(name) for name in names])

    def take(self, oid: ObjectId, data: bytes, row: Row) -> None:
        base = self.family.closest(row)
        if base is None:
            self.entries.append(whole_entry(oid, "tree", len(data), deflate(data)))
            self.family.add(new_version(FamilyVersion, (oid, data, row, 0)))
        else:
            delta = self._deltas.make(base.row, row)
            # One new id leaves some instructions that the fixed code shortens; with two the random bytes prevail.
            packed = deflate_ids(delta) if len(delta) < _TWO_IDS_BYTES else store(delta)
            self.entries.append(delta_entry(oid, base.oid, len(delta), packed))
            self.family.add(new_version(FamilyVersion, (oid, data, row, base.depth + 1)))


class _TreeFamilies:
    """Trees by their names."""

    def __init__(self) -> None:
        self._by_size: dict[int, list[_TreeShape]] = {}

    def take(self, oid: ObjectId, data: bytes) -> None:
        shapes = self._by_size.setdefault(len(data), [])
        for shape in shapes:
            # Two shapes can have the same size, so the names are compared, too.
            fields = shape.layout.unpack(data)
            if fields[::2] == shape.names:
                shape.take(oid, data, fields[1::2])
                return
        rows = _TREE_ENTRY.findall(data)
        shape = _TreeShape(tuple(name for name, _ in rows))
        shapes.append(shape)
        shape.take(oid, data, tuple(part for _, part in rows))

    def entries(self) -> Iterable[list[PackEntry]]:
        return (shape.entries for shapes in self._by_size.values() for shape in shapes)


class _BlobFamilies:
    """Files by how they begin, but for digits; a version is its lines."""

    def __init__(self) -> None:
        self._families: dict[bytes, tuple[VersionFamily, list[PackEntry]]] = {}

    def take(self, oid: ObjectId, data: bytes) -> None:
        # Digits are left out, since versions of one file differ in their numbers first of all.
        likeness = data[:200].translate(None, _DIGITS)[:_LIKE_BYTES]
        family, entries = self._families.get(likeness) or self._families.setdefault(likeness, (VersionFamily(), []))
        row = tuple(data[:4000].split(b"\n"))
        base = family.closest(row)
        delta = data if base is None else make_delta(base.data, data)
        # A delta that is not half as long saves little, and makes the chain deeper.
        if base is not None and 2 * len(delta) < len(data):
            entries.append(delta_entry(oid, base.oid, len(delta), _deflate_text(delta)))
            family.add(new_version(FamilyVersion, (oid, data, row, base.depth + 1)))
        else:
            entries.append(whole_entry(oid, "blob", len(data), _deflate_text(data)))
            family.add(new_version(FamilyVersion, (oid, data, row, 0)))

    def entries(self) -> Iterable[list[PackEntry]]:
        return (entries for _, entries in self._families.values())


class _CommitFamilies:
    """Commits by their subject; a version is the lines of its message."""

    def __init__(self) -> None:
        self._families: dict[bytes, tuple[VersionFamily, list[PackEntry]]] = {}
        self._last: dict[bytes, FamilyVersion] = {}

    def take(self, oid: ObjectId, data: bytes) -> None:
        head, _, message = data.partition(b"\n\n")
        row = tuple(message.split(b"\n"))
        family, entries = self._families.get(row[0]) or self._families.setdefault(row[0], (VersionFamily(), []))
        author = head.partition(b"\nauthor ")[2].partition(b">")[0]
        action = author + row[0].partition(b" ")[0]
        # No version with these lines: try the last commit of this author and action, of this author, or of anybody.
        base = family.closest(row) or self._last.get(action) or self._last.get(author) or self._last.get(b"")
        depth = 0
        if base is None or base.depth >= MAX_DEPTH:
            entries.append(whole_entry(oid, "commit", len(data), deflate(data)))
        else:
            delta = make_delta(base.data, data)
            if len(delta) > _USUAL_DELTA_BYTES and len(data) != len(base.data):  # as long: nothing came, went or moved
                delta = min(delta, make_delta_of_lines(base.data, data), key=len)
            entries.append(delta_entry(oid, base.oid, len(delta), deflate(delta, zlib.Z_FILTERED)))
            depth = base.depth + 1
        version = new_version(FamilyVersion, (oid, data, row, depth))
        family.add(version)
        self._last[action] = self._last[author] = self._last[b""] = version

    def entries(self) -> Iterable[list[PackEntry]]:
        return (entries for _, entries in self._families.values())


class _WholeObjects:
    """Objects of another kind, such as tags, which no log has."""

    def __init__(self) -> None:
        self._entries: list[PackEntry] = []

    def take(self, oid: ObjectId, data: bytes) -> None:
        self._entries.append(whole_entry(oid, "tag", len(data), deflate(data)))

    def entries(self) -> Iterable[list[PackEntry]]:
        return (self._entries,)


_FAMILIES: dict[ObjectKind, type[_CommitFamilies | _TreeFamilies | _BlobFamilies]] = {
    "commit": _CommitFamilies,
    "tree": _TreeFamilies,
    "blob": _BlobFamilies,
}


def _deflate_text(data: bytes) -> bytes:
    return deflate_ids(data) if len(data) < _SMALL else deflate(data)
