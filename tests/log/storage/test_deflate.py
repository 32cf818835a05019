"""Streams made here are zlib's, and never longer than stored ones where they are meant to be short."""

import random
import zlib
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catan_p2p.log.storage.pack import deflate, deflate_ids, inflate, store

WAYS = pytest.mark.parametrize("way", [store, deflate, deflate_ids])
HEX = st.text("0123456789abcdef", min_size=30, max_size=45).map(str.encode)
DELTAS = st.lists(
    HEX | st.binary(max_size=20) | st.sampled_from([b"\x0212\x91", b"\x0212\x91\xce<", b"5" * 70]), max_size=8
)


@WAYS
@given(st.binary(max_size=300) | DELTAS.map(b"".join))
@settings(max_examples=300, deadline=None)
def test_zlib_reads_what_was_deflated(way: Callable[[bytes], bytes], data: bytes) -> None:
    stream = zlib.decompressobj()
    assert stream.decompress(way(data)) == data
    assert stream.eof
    assert not stream.unused_data
    assert inflate(way(data)) == data


@WAYS
def test_large_objects_are_deflated_as_well(way: Callable[[bytes], bytes]) -> None:
    for data in (bytes(70_000), random.Random(1).randbytes(70_000)):
        assert zlib.decompress(way(data)) == data


def test_random_bytes_cost_no_more_than_storing_them() -> None:
    draw = random.Random(1)
    for size in range(200):
        data = draw.randbytes(size)
        assert len(deflate_ids(data)) <= len(store(data)) == size + 11
