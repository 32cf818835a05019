"""Compares versions of an object and makes deltas between them: what packing a log does most often."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Sequence
from functools import lru_cache
from itertools import compress, count
from operator import ne, sub
from typing import TypeAlias

Row: TypeAlias = tuple[bytes, ...]
"""The parts of a version: the ids in a tree, the lines of a file or of a message."""

ID_BYTES = 20
MIN_COPY = 4
_MAX_INSERT = 127
# Git reads sizes of up to 24 bits, but writes copies of at most 64 KiB.
_MAX_COPY = 0xFFFF
_BYTES = [bytes((value,)) for value in range(256)]
_DIFFERENCES = re.compile(rb"[^\0]+(?:\0{1,6}[^\0]+)*")
"""Runs of differing bytes; up to six equal bytes in between are not worth a copy of their own."""


def unlike(row: Row, other: Row) -> int:
    """Return in how many places two rows differ."""
    return sum(map(ne, row, other))


def but_one(row: Row) -> list[int]:
    """Return a hash of the row without each of its parts."""
    # The place is hashed, too: without it, rows that lack different parts could look alike.
    return [hash((at, row[:at], row[at + 1 :])) for at in range(len(row))]


class RecentRows:
    """The last ``most`` rows, each with a cost."""

    def __init__(self, most: int) -> None:
        self._parts = deque[frozenset[bytes]](maxlen=most)
        self._costs = deque[float](maxlen=most)

    def clear(self) -> None:
        """Forget all rows."""
        self._parts.clear()
        self._costs.clear()

    def add(self, row: Row, cost: float) -> None:
        """Take in the next row."""
        self._parts.appendleft(frozenset(row))
        self._costs.appendleft(cost)

    def most_alike(self, row: Row) -> int:
        """Return how many rows ago the one came that shares most parts with ``row``, less its cost; 0 is the last."""
        shared = map(len, map(frozenset(row).intersection, self._parts))
        scores = list(map(sub, shared, self._costs))
        return scores.index(max(scores))


class TreeDeltas:
    """Makes deltas between trees with the same names, so that only ids differ; rows are ids of twenty bytes.

    ``name_sizes`` are the bytes before each id.
    """

    def __init__(self, name_sizes: Sequence[int]) -> None:
        self._starts = [sum(name_sizes[: at + 1]) + ID_BYTES * at for at in range(len(name_sizes))]
        self._size = sum(name_sizes) + ID_BYTES * len(name_sizes)
        self._templates: dict[tuple[tuple[int, int], ...], bytes] = {}

    def make(self, base: Row, row: Row) -> bytes:
        """Return the delta from one tree to another; an id is copied if the older one has it anywhere."""
        changes, new = [], []
        for at in compress(count(), map(ne, base, row)):
            new_id = row[at]
            if new_id in base:
                changes.append((at, base.index(new_id)))
            else:
                changes.append((at, -1))
                new.append(new_id)
        # Few patterns of changes recur all game long, so each is encoded once and only the ids are filled in.
        key = tuple(changes)
        template = self._templates.get(key)
        if template is None:
            template = self._templates[key] = self._make_template(key)
        return template % tuple(new)

    def _make_template(self, changes: tuple[tuple[int, int], ...]) -> bytes:
        """Return the delta with a ``%b`` in the place of each inserted id."""
        size = encode_size(self._size)
        constants = [size + size]
        done = 0
        for at, source in changes:
            start = self._starts[at]
            if start > done:
                constants[-1] += encode_copy(done, start)
            if source < 0:
                constants[-1] += bytes((ID_BYTES,))
                constants.append(b"")
            else:
                constants[-1] += encode_copy(self._starts[source], self._starts[source] + ID_BYTES)
            done = start + ID_BYTES
        if done < self._size:
            constants[-1] += encode_copy(done, self._size)
        # A % in the instructions themselves would be taken for a place of an id.
        return b"%b".join([constant.replace(b"%", b"%%") for constant in constants])


def make_delta(base: bytes, target: bytes) -> bytes:
    """Return a delta that makes ``target`` out of ``base``; linear in their lengths."""
    base_size, target_size = len(base), len(target)
    aligned, end = base_size, 0
    if base_size != target_size:
        aligned = min(base_size, target_size)
        # As integers, the whole strings are compared at once in C; bytes that are alike become zeros.
        if aligned:
            unlike = int.from_bytes(base[-aligned:], "little") ^ int.from_bytes(target[-aligned:], "little")
            # In little-endian order the highest set bit belongs to the last byte that differs.
            end = aligned - (unlike.bit_length() + 7) // 8
            if end < MIN_COPY:
                end = 0
            aligned -= end
    unlike = int.from_bytes(base[:aligned], "big") ^ int.from_bytes(target[:aligned], "big")
    parts = [encode_size(base_size), encode_size(target_size)]
    done = 0
    for run in _DIFFERENCES.finditer(unlike.to_bytes(aligned, "big")):
        start, stop = run.span()
        if start > done:
            parts.append(encode_copy(done, start))
        # What differs up to the end of the aligned part goes into the last insertion, together with the longer tail.
        if stop == aligned:
            done = start
            break
        insert(parts, target[start:stop])
        done = stop
    else:
        if done < aligned:
            parts.append(encode_copy(done, aligned))
        done = aligned
    if done < target_size - end:
        insert(parts, target[done : target_size - end])
    if end:
        parts.append(encode_copy(base_size - end, base_size))
    return b"".join(parts)


@lru_cache(maxsize=4096)
def encode_size(size: int) -> bytes:
    """Return a length in the encoding of the two sizes at the beginning of a delta."""
    out = bytearray()
    while size > 0x7F:
        out.append(size & 0x7F | 0x80)
        size >>= 7
    out.append(size)
    return bytes(out)


def insert(parts: list[bytes], data: bytes) -> None:
    """Append the instructions that insert ``data``."""
    while len(data) > _MAX_INSERT:
        parts += (_BYTES[_MAX_INSERT], data[:_MAX_INSERT])
        data = data[_MAX_INSERT:]
    if data:
        parts += (_BYTES[len(data)], data)


@lru_cache(maxsize=4096)
def encode_copy(start: int, stop: int) -> bytes:
    """Return the instructions that copy a part of the base."""
    out = bytearray()
    while start < stop:
        size = min(stop - start, _MAX_COPY)
        op, code = 0x80, bytearray()
        # Four bytes of the offset, then two of the size; those that are zero are left out.
        operands = start & 0xFFFFFFFF | size << 32
        for bit in range(6):
            byte = operands >> 8 * bit & 0xFF
            if byte:
                op |= 1 << bit
                code.append(byte)
        out.append(op)
        out += code
        start += size
    return bytes(out)
