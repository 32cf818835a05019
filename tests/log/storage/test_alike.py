"""The compiled form of what compares objects of a log gives the results of the one in Python."""

from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catan_p2p.compiled import compiled, why_not_compiled
from catan_p2p.log.storage import alike
from catan_p2p.log.storage.alike import FASTEST, ID_BYTES, RecentRows, Row, TreeDeltas
from catan_p2p.log.storage.delta import apply_delta

needs_it = pytest.mark.skipif(why_not_compiled() is not None, reason=f"not compiled: {why_not_compiled()}")

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
ROWS = st.lists(PARTS, max_size=9).map(tuple)
ALIKE_ROWS = st.integers(1, 9).flatmap(lambda size: st.lists(st.lists(PARTS, min_size=size, max_size=size).map(tuple)))


def built() -> ModuleType:
    made = compiled("alike")
    assert made is FASTEST is not None
    return made


@needs_it
@given(st.tuples(TEXTS, TEXTS) | versions())
@settings(max_examples=500)
def test_deltas_are_the_same(texts: tuple[bytes, bytes]) -> None:
    base, target = texts
    delta = built().make_delta(base, target)
    assert delta == alike.make_delta(base, target)
    assert apply_delta(base, delta) == target


@needs_it
@given(ROWS, ROWS)
def test_rows_differ_in_as_many_places(row: Row, other: Row) -> None:
    assert built().unlike(row, other) == alike.unlike(row, other)


@needs_it
@given(ALIKE_ROWS)
def test_rows_that_differ_in_one_part_are_found(rows: list[Row]) -> None:
    """A hash of one row is among those of another if and only if they differ in that place at most."""
    forms = [[form.but_one(row) for row in rows] for form in (alike, built())]
    one, other = ([[mark in theirs for mark in own] for own in form for theirs in form] for form in forms)
    assert one == other


@needs_it
@given(ALIKE_ROWS, st.integers(1, 4), st.data())
def test_the_same_recent_row_is_the_most_alike(rows: list[Row], most: int, data: st.DataObject) -> None:
    one: RecentRows = RecentRows(most)
    other: RecentRows = built().RecentRows(most)
    for number, row in enumerate(rows):
        if number and data.draw(st.integers(0, 9)) > 0:
            assert one.most_alike(row) == other.most_alike(row)
        elif number:
            one.clear()
            other.clear()
        cost = data.draw(st.sampled_from([0.0, 0.25, 0.25, 1.5]))
        one.add(row, cost)
        other.add(row, cost)


@needs_it
@given(st.lists(st.integers(8, 200), min_size=1, max_size=14), st.data())
def test_deltas_between_trees_are_the_same(name_sizes: list[int], data: st.DataObject) -> None:
    ids = st.sampled_from([bytes((number,)) * ID_BYTES for number in b"%012"])
    rows = st.lists(ids, min_size=len(name_sizes), max_size=len(name_sizes)).map(tuple)
    base, row = data.draw(rows), data.draw(rows)
    one, other = TreeDeltas(name_sizes), built().TreeDeltas(name_sizes)
    delta = one.make(base, row)
    assert delta == other.make(base, row)
    texts = [b"".join(b"n" * size + part for size, part in zip(name_sizes, its, strict=True)) for its in (base, row)]
    assert apply_delta(texts[0], delta) == texts[1]
