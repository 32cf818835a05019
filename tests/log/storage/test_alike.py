"""The compiled form of what compares objects of a log gives the results of the one in Python."""

from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catan_p2p.compiled import compiled, why_not_compiled
from catan_p2p.log.storage import alike
from catan_p2p.log.storage.alike import FASTEST, RecentRows, Row
from catan_p2p.log.storage.delta import apply_delta

needs_it = pytest.mark.skipif(why_not_compiled() is not None, reason=f"not compiled: {why_not_compiled()}")

PIECES = st.sampled_from(
    [b"a", b"bc", b"defg", b"hijklmn", b"\0" * 9, b"o" * 130, b"0123456789abcdefghij", b"p" * 70_000]
)
TEXTS = st.lists(PIECES, max_size=8).map(b"".join)
PARTS = st.sampled_from([b"", b"a", b"b", b"ab", b"0" * 20, b"1" * 20, b"2" * 20])
ROWS = st.lists(PARTS, max_size=9).map(tuple)
ALIKE_ROWS = st.integers(1, 9).flatmap(lambda size: st.lists(st.lists(PARTS, min_size=size, max_size=size).map(tuple)))


def built() -> ModuleType:
    made = compiled("alike")
    assert made is FASTEST is not None
    return made


@needs_it
@given(TEXTS, TEXTS)
def test_deltas_are_the_same(base: bytes, target: bytes) -> None:
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
