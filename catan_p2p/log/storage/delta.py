"""Git's delta: a new version of an object as copies from an older one and inserted bytes.

The deltas made here suit a game log, where a new version of a tree, of a commit or of a file of lines differs in a
few places from the one before: after the common end is cut off, the two are laid side by side from the start.
Format: gitformat-pack, "Deltified representation".
"""

from __future__ import annotations

import re
import sys
from functools import lru_cache
from typing import Literal

from catan_p2p.log.storage.objects import ObjectDamaged, ObjectTooLarge

_MIN_COPY = 4
_MAX_INSERT = 127
# Git reads sizes of up to 24 bits, but writes copies of at most 64 KiB.
_MAX_COPY = 0xFFFF
_BYTES = [bytes((value,)) for value in range(256)]
_DIFFERENCES = re.compile(rb"[^\0]+(?:\0{1,6}[^\0]+)*")
"""Runs of differing bytes; up to six equal bytes in between are not worth a copy of their own."""


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
            if end < _MIN_COPY:
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
        _insert(parts, target[start:stop])
        done = stop
    else:
        if done < aligned:
            parts.append(encode_copy(done, aligned))
        done = aligned
    if done < target_size - end:
        _insert(parts, target[done : target_size - end])
    if end:
        parts.append(encode_copy(base_size - end, base_size))
    return b"".join(parts)


def make_delta_of_lines(base: bytes, target: bytes) -> bytes:
    """Return a delta that makes ``target`` out of ``base``, both of lines that may have come, gone or moved.

    Each line is laid beside the same one, else beside one that begins with the same word.
    """
    lines: dict[bytes, int] = {}
    alike: dict[bytes, tuple[int, bytes]] = {}
    at = 0
    for line in base.splitlines(keepends=True):
        # Of equal lines the first is as good as any: a copy costs the same from anywhere.
        lines.setdefault(line, at)
        alike.setdefault(line.partition(b" ")[0], (at, line))
        at += len(line)
    spans: list[tuple[int, int, bytes]] = []  # what is copied, and what is inserted after it
    for line in target.splitlines(keepends=True):
        start, old = lines.get(line, 0), line
        if line not in lines:
            start, old = alike.get(line.partition(b" ")[0], (0, b""))
        front = _common(old, line, "big")
        back = _common(old[front:], line[front:], "little")
        spans.append((start, start + front, line[front : len(line) - back]))
        if back:
            spans.append((start + len(old) - back, start + len(old), b""))
    return _encode(base, target, spans)


def _common(one: bytes, other: bytes, order: Literal["big", "little"]) -> int:
    """Return how many bytes are the same at the beginning of both, or at the end if ``order`` is little."""
    size = min(len(one), len(other))
    if order == "big":
        one, other = one[:size], other[:size]
    else:
        one, other = one[len(one) - size :], other[len(other) - size :]
    unlike = int.from_bytes(one, order) ^ int.from_bytes(other, order)
    return size - (unlike.bit_length() + 7) // 8


def _encode(base: bytes, target: bytes, spans: list[tuple[int, int, bytes]]) -> bytes:
    """Return the delta of copies and insertions; copies that are not worth it are inserted."""
    parts = [encode_size(len(base)), encode_size(len(target))]
    copied, inserted = (0, 0), b""
    for start, stop, data in [*spans, (len(base), len(base), b"")]:
        if not inserted and start == copied[1]:
            copied = copied[0], stop
        elif stop - start < _MIN_COPY:
            # A copy instruction takes up to seven bytes, so short equal parts are cheaper inserted.
            inserted += base[start:stop]
        else:
            if copied[1] > copied[0]:
                parts.append(encode_copy(*copied))
            _insert(parts, inserted)
            copied, inserted = (start, stop), b""
        inserted += data
    if copied[1] > copied[0]:
        parts.append(encode_copy(*copied))
    _insert(parts, inserted)
    return b"".join(parts)


def apply_delta(base: bytes, delta: bytes, most_bytes: int = sys.maxsize) -> bytes:
    """Return what ``delta`` makes out of ``base``; ObjectDamaged if it does not fit.

    ObjectTooLarge as soon as it makes more than ``most_bytes``, whatever its heading promises.
    """
    try:
        base_size, at = _decode_size(delta, 0)
        target_size, at = _decode_size(delta, at)
        parts = []
        left = most_bytes
        while at < len(delta):
            op = delta[at]
            at += 1
            if op & 0x80:
                offset = size = 0
                for bit in range(4):
                    if op & 1 << bit:
                        offset |= delta[at] << 8 * bit
                        at += 1
                for bit in range(3):
                    if op & 0x10 << bit:
                        size |= delta[at] << 8 * bit
                        at += 1
                # A size of zero stands for 64 KiB (gitformat-pack).
                size = size or 0x10000
                parts.append(base[offset : offset + size])
            elif op:
                size = op
                parts.append(delta[at : at + op])
                at += op
            else:
                raise ObjectDamaged("a delta has the reserved instruction 0")
            # Checked as it grows, so that a small delta cannot fill the memory.
            left -= size
            if left < 0:
                raise ObjectTooLarge(f"a delta makes more than {most_bytes} bytes")
    except IndexError:
        raise ObjectDamaged("a delta ends in the middle of an instruction") from None
    target = b"".join(parts)
    if len(base) != base_size or len(target) != target_size:
        raise ObjectDamaged(f"a delta from {base_size} to {target_size} bytes makes {len(target)} of {len(base)} bytes")
    return target


@lru_cache(maxsize=4096)
def encode_size(size: int) -> bytes:
    """Return a length in the encoding of the two sizes at the beginning of a delta."""
    out = bytearray()
    while size > 0x7F:
        out.append(size & 0x7F | 0x80)
        size >>= 7
    out.append(size)
    return bytes(out)


def _decode_size(delta: bytes, at: int) -> tuple[int, int]:
    size = shift = 0
    while True:
        byte = delta[at]
        at += 1
        size |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return size, at


def _insert(parts: list[bytes], data: bytes) -> None:
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
        op = 0x80
        operands = bytearray()
        for bit in range(4):
            byte = start >> 8 * bit & 0xFF
            if byte:
                op |= 1 << bit
                operands.append(byte)
        # Sizes have at most two bytes here, because of _MAX_COPY.
        for bit in range(2):
            byte = size >> 8 * bit & 0xFF
            if byte:
                op |= 0x10 << bit
                operands.append(byte)
        out.append(op)
        out += operands
        start += size
    return bytes(out)
