"""What compares the versions of objects of a log, and makes deltas between them."""

from hypothesis import given, settings
from hypothesis import strategies as st

from catan_p2p.log.storage.alike import ID_BYTES, Row, TreeDeltas, but_one, make_delta, unlike
from catan_p2p.log.storage.delta import apply_delta

PIECES = st.sampled_from(
    [b"a", b"bc", b"defg", b"hijklmn", b"\0" * 9, b"o" * 130, b"0123456789abcdefghij", b"p" * 70_000]
)
TEXTS = st.lists(PIECES, max_size=8).map(b"".join)


@st.composite
def versions(draw: st.DrawFn) -> tuple[bytes, bytes]:
    """Two texts with a few differences at all distances from one another, and from the end if one is longer."""
    base = draw(st.binary(min_size=1, max_size=40))
    target = bytearray(base)
    for at in draw(st.lists(st.integers(0, len(base) - 1), max_size=6)):
        target[at] ^= 1
    at = draw(st.integers(0, len(base)))
    target[at:at] = b"x" * draw(st.integers(0, 3))
    return base, bytes(target)


PARTS = st.sampled_from([b"", b"a", b"b", b"a\0", b"0" * 20, b"1" * 20, b"2" * 20])
ALIKE_ROWS = st.integers(1, 9).flatmap(lambda size: st.lists(st.lists(PARTS, min_size=size, max_size=size).map(tuple)))


@given(st.tuples(TEXTS, TEXTS) | versions())
@settings(max_examples=500)
def test_a_delta_makes_the_target_of_the_base(texts: tuple[bytes, bytes]) -> None:
    base, target = texts
    assert apply_delta(base, make_delta(base, target)) == target


@given(ALIKE_ROWS)
def test_rows_that_differ_in_one_part_are_found(rows: list[Row]) -> None:
    """A hash of one row is among those of another if and only if they differ in that place at most."""
    for row in rows:
        for other in rows:
            found = {at for at, mark in enumerate(but_one(row)) if mark in but_one(other)}
            different = {at for at, (one, its) in enumerate(zip(row, other, strict=True)) if one != its}
            assert unlike(row, other) == len(different)
            assert found == {at for at in range(len(row)) if different <= {at}}


@given(st.lists(st.integers(8, 200), min_size=1, max_size=14), st.data())
def test_a_delta_between_trees_makes_the_target(name_sizes: list[int], data: st.DataObject) -> None:
    ids = st.sampled_from([bytes((number,)) * ID_BYTES for number in b"%012"])
    rows = st.lists(ids, min_size=len(name_sizes), max_size=len(name_sizes)).map(tuple)
    base, row = data.draw(rows), data.draw(rows)
    texts = [b"".join(b"n" * size + part for size, part in zip(name_sizes, its, strict=True)) for its in (base, row)]
    assert apply_delta(texts[0], TreeDeltas(name_sizes).make(base, row)) == texts[1]
