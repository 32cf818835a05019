"""Makes zlib streams for the few dozen bytes that most objects of a log consist of.

zlib is made for text. The delta between two trees is something else: a few instructions, and ids, which are random. The
fixed Huffman code suits them best, because it needs no description. Format: RFC 1950, RFC 1951.
"""

from __future__ import annotations

import struct
import zlib

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
