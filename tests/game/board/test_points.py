"""Sets of points as integers."""

from hypothesis import given
from hypothesis import strategies as st

from catan_p2p.game.board import as_points, numbers

SETS = st.frozensets(st.integers(1, 150))


@given(SETS)
def test_numbers_of_a_set_are_its_members_ascending(members: frozenset[int]) -> None:
    assert numbers(as_points(members)) == tuple(sorted(members))


@given(SETS, SETS)
def test_union_intersection_and_difference_are_those_of_integers(one: frozenset[int], other: frozenset[int]) -> None:
    assert as_points(one) | as_points(other) == as_points(one | other)
    assert as_points(one) & as_points(other) == as_points(one & other)
    assert as_points(one) & ~as_points(other) == as_points(one - other)


def test_no_points() -> None:
    assert numbers(0) == ()
    assert as_points(()) == 0
