"""Git's delta: a new version of an object as copies from an older one and inserted bytes.

The deltas made here suit a game log, where a new version of a tree, of a commit or of a file of lines differs in a
few places from the one before: after the common end is cut off, the two are laid side by side from the start.
Format: gitformat-pack, "Deltified representation".
"""

from __future__ import annotations

import sys
from typing import Literal

from catan_p2p.log.storage.alike import MIN_COPY, encode_copy, encode_size, insert
from catan_p2p.log.storage.objects import ObjectDamaged, ObjectTooLarge

"""Returns a delta that makes the second out of the first; linear in their lengths."""


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
        elif stop - start < MIN_COPY:
            # A copy instruction takes up to seven bytes, so short equal parts are cheaper inserted.
            inserted += base[start:stop]
        else:
            if copied[1] > copied[0]:
                parts.append(encode_copy(*copied))
            insert(parts, inserted)
            copied, inserted = (start, stop), b""
        inserted += data
    if copied[1] > copied[0]:
        parts.append(encode_copy(*copied))
    insert(parts, inserted)
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


def _decode_size(delta: bytes, at: int) -> tuple[int, int]:
    size = shift = 0
    while True:
        byte = delta[at]
        at += 1
        size |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return size, at
