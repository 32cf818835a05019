"""Streams made here are zlib's, and shorter than zlib's where they are meant to be."""

import random
import zlib
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catan_p2p.log.storage.deflate import deflate, deflate_digits, deflate_ids, inflate, store
from catan_p2p.log.storage.delta import make_delta

WAYS = pytest.mark.parametrize("way", [store, deflate, deflate_ids, deflate_digits])
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


def test_the_delta_between_two_commits_is_shorter_than_zlib_makes_it() -> None:
    draw = random.Random(1)

    def commit(time_s: int) -> bytes:
        tree, parent = draw.randbytes(20).hex(), draw.randbytes(20).hex()
        who = f"Red_0 <Red_0@catan-p2p.invalid> {time_s} +0000"
        return f"tree {tree}\nparent {parent}\nauthor {who}\ncommitter {who}\n\nroll_dice player_1 8\n".encode()

    for time_s in range(1_735_689_600, 1_735_690_600, 10):
        delta = make_delta(commit(time_s), commit(time_s + 37))
        plain = min(len(zlib.compress(delta, level)) for level in range(10))
        assert len(deflate_digits(delta)) <= plain - 5
