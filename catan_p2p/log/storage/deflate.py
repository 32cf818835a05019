"""Zlib streams for the few dozen bytes that most objects of a log come down to.

zlib is made for text. A delta is something else: a few instructions, and ids, which are random. As bytes, in trees, the
fixed code suits them best. As hexadecimal digits, in commits, they need a code of their own, and there zlib spends
a quarter of its bytes on describing one that serves the instructions too; here these are in the fixed code.
Format: RFC 1950, RFC 1951.
"""

from __future__ import annotations

import heapq
import re
import zlib
from collections import Counter
from functools import lru_cache
from itertools import groupby

_STORED = b"\x78\x01\x01"
_STORED_MAX = 0xFFFF
_STORED_EXTRA = 11
_DIGITS = b"0123456789abcdef"
_IDS = re.compile(rb"[0-9a-f]{32,}(?:.{1,12}[0-9a-f]{32,})*", re.DOTALL)
_TWICE = re.compile(r"([\x02-\x08][0-9]+\x91)..\1", re.DOTALL)
"""An insertion that comes again after a copy of three bytes, as the date of a commit does."""
_TAIL_MAX = 60
_FIXED_MAX = 90
"""Beyond, the words of nine bits cost more than the five bytes that storing costs."""
_ONE_BLOCK = 1 << 10
"""So many bytes are in one block at least."""
_END = 256
_LENGTHS_ORDER = (16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15)


def store(data: bytes) -> bytes:
    """Return ``data`` as a zlib stream without compression."""
    size = len(data)
    if size > _STORED_MAX:
        return deflate(data)
    return b"%b%b%b%b" % (
        _STORED,
        (size | (size ^ 0xFFFF) << 16).to_bytes(4, "little"),
        data,
        zlib.adler32(data).to_bytes(4, "big"),
    )


def inflate(packed: bytes) -> bytes:
    """Return what a zlib stream holds."""
    if packed.startswith(_STORED) and int.from_bytes(packed[3:5], "little") == len(packed) - _STORED_EXTRA:
        return packed[7:-4]
    return zlib.decompress(packed)


def deflate(data: bytes) -> bytes:
    """Return ``data`` as a zlib stream, as small as zlib makes it with little memory to set up.

    Proofs about hidden cards are long: with less memory they would be cut into blocks that each describe a code.
    """
    compressor = zlib.compressobj(9, zlib.DEFLATED, 12, 4 if len(data) < _ONE_BLOCK else 7)
    return compressor.compress(data) + compressor.flush()


def deflate_ids(data: bytes) -> bytes:
    """Return bytes that are mostly ids as a zlib stream: in the fixed code, or stored if that is shorter."""
    if len(data) > _FIXED_MAX:
        return store(data)
    packed = _stream(f"110{data.decode('latin-1').translate(_FIXED)}{_FIXED[_END]}", data)
    return packed if len(packed) <= len(data) + _STORED_EXTRA else store(data)


def deflate_digits(data: bytes) -> bytes:
    """Return bytes that are mostly ids in hexadecimal as a zlib stream: a code for the digits, the fixed one around."""
    found = _IDS.search(data)
    if found is None or len(data) - found.end() > _TAIL_MAX:
        return deflate(data)
    start, stop = found.span()
    text = data.decode("latin-1")
    head, code = _digits_code(frozenset(data[start:stop].translate(None, _DIGITS)))
    bits = f"{_first(text[:start])}{head}{text[start:stop].translate(code)}{code[_END]}{_last(text[stop:])}"
    return _stream(bits, data)


def _stream(bits: str, data: bytes) -> bytes:
    """Return the zlib stream of ``data`` whose blocks are these bits: the first is the lowest of the first byte."""
    blocks = int(bits[::-1], 2).to_bytes((len(bits) + 7) // 8, "little")
    return b"\x78\xda%b%b" % (blocks, zlib.adler32(data).to_bytes(4, "big"))


@lru_cache(maxsize=1 << 10)
def _first(text: str) -> str:
    """Return a block that is not the last one, in the fixed code."""
    return f"010{text.translate(_FIXED)}{_FIXED[_END]}" if text else ""


def _last(text: str) -> str:
    """Return the last block, in the fixed code."""
    twice = _TWICE.search(text)
    if twice is None:
        return f"110{text.translate(_FIXED)}{_FIXED[_END]}"
    size = twice.end(1) - twice.start(1)
    again = twice.end() - size
    copied = f"{_FIXED[_END - 2 + size]}{_distance(again - twice.start())}"
    rest = text[again + size :].translate(_FIXED)
    return f"110{text[:again].translate(_FIXED)}{copied}{rest}{_FIXED[_END]}"


@lru_cache(maxsize=64)
def _distance(distance: int) -> str:
    """Return the word, in the fixed code, for a distance of at least five bytes."""
    extra_count = (distance - 1).bit_length() - 2
    first, extra = divmod(distance - 1, 1 << extra_count)
    return f"{2 * extra_count + first:05b}" + _backwards(extra, extra_count)


def _backwards(number: int, count: int) -> str:
    return f"{number:0{count}b}"[::-1]


def _words(lengths: dict[int, int]) -> dict[int, str]:
    """Return the code in which every symbol has a word of a length (RFC 1951, 3.2.2)."""
    word, before, words = 0, 0, {}
    for length, symbol in sorted((length, symbol) for symbol, length in lengths.items()):
        word <<= length - before
        before = length
        words[symbol] = f"{word:0{length}b}"
        word += 1
    return words


_FIXED = _words(
    {symbol: 8 if symbol < 144 else 9 if symbol < 256 else 7 if symbol < 280 else 8 for symbol in range(288)}
)


@lru_cache(maxsize=256)
def _digits_code(others: frozenset[int]) -> tuple[str, dict[int, str]]:
    """Return the head of a block that describes a code with short words for digits, and that code."""
    lengths = _word_lengths({**dict.fromkeys(_DIGITS, 3), **dict.fromkeys(sorted(others), 1), _END: 1})
    return f"001{_description(lengths)}", _words(lengths)


def _description(lengths: dict[int, int]) -> str:
    """Return how a block describes a code for bytes and the end, without words for copies (RFC 1951, 3.2.7)."""
    tokens: list[tuple[int, str]] = []
    for length, run in groupby(lengths.get(symbol, 0) for symbol in range(_END + 1)):
        tokens += _run(length, len(list(run)))
    tokens.append((0, ""))  # the only distance there is has no word
    words_lengths = _word_lengths(Counter(symbol for symbol, _ in tokens))
    words = _words(words_lengths)
    count = 1 + max(map(_LENGTHS_ORDER.index, words_lengths))
    parts = ["0000000000", _backwards(count - 4, 4)]
    parts += [_backwards(words_lengths.get(symbol, 0), 3) for symbol in _LENGTHS_ORDER[:count]]
    parts += [words[symbol] + extra for symbol, extra in tokens]
    return "".join(parts)


def _run(length: int, count: int) -> list[tuple[int, str]]:
    """Return the tokens, each with its extra bits, for a word length that comes ``count`` times."""
    if count < 3 or (length and count < 4):
        return [(length, "")] * count
    if length:
        repeated = min(count - 1, 6)
        tokens = [(length, ""), (16, _backwards(repeated - 3, 2))]
        left = count - 1 - repeated
        while left >= 3:
            repeated = min(left, 6)
            tokens.append((16, _backwards(repeated - 3, 2)))
            left -= repeated
        return tokens + [(length, "")] * left
    repeated = min(count, 138)
    token = (18, _backwards(repeated - 11, 7)) if repeated > 10 else (17, _backwards(repeated - 3, 3))
    return [token, *_run(0, count - repeated)]


def _word_lengths(weights: dict[int, int]) -> dict[int, int]:
    """Return the word lengths of the shortest code for symbols of these weights (Huffman)."""
    heap = [(weight, at, [symbol]) for at, (symbol, weight) in enumerate(weights.items())]
    heapq.heapify(heap)
    lengths = dict.fromkeys(weights, 0)
    while len(heap) > 1:
        weight, at, symbols = heapq.heappop(heap)
        other_weight, _, others = heapq.heappop(heap)
        for symbol in symbols + others:
            lengths[symbol] += 1
        heapq.heappush(heap, (weight + other_weight, at + len(weights), symbols + others))
    return lengths
