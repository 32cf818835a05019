"""Which cases of the longest tests CI runs: some each time, and all of them in the end."""

from datetime import UTC, datetime

import pytest

from tests.conftest import day, is_left_out, pytest_collection_modifyitems


@pytest.mark.parametrize("every", [2, 3, 6])
@pytest.mark.parametrize("many", [1, 2, 3, 7, 40])
def test_some_cases_are_run_each_day_and_all_in_a_row_of_days(many: int, every: int) -> None:
    runs = [
        {place for place in range(many) if not is_left_out(place, many, every, first)}
        for first in range(90, 90 + every)
    ]
    assert all(many // every <= len(run) <= many // every + 1 for run in runs)
    assert all(runs)
    assert set().union(*runs) == set(range(many))


def test_the_cases_turn_by_date() -> None:
    """Not by commits: a shallow clone always has as many of them."""
    today = datetime.now(UTC).date().toordinal()
    assert day() in (today, today + 1)


class Test:
    """As much of a test as is asked for when cases are chosen."""

    __test__ = False

    def __init__(self, nodeid: str, mark: pytest.MarkDecorator) -> None:
        self.nodeid = nodeid
        self.marks = [mark.mark]

    def get_closest_marker(self, name: str) -> pytest.Mark | None:
        return next((mark for mark in self.marks if mark.name == name), None)

    def add_marker(self, mark: pytest.MarkDecorator) -> None:
        self.marks.append(mark.mark)


@pytest.mark.parametrize(("together", "runs"), [(False, 6), (True, 2)])
def test_the_tests_of_a_module_are_cases_of_one_where_it_says_so(together: bool, runs: int) -> None:
    tests = [Test(f"test_a.py::test_{number}", pytest.mark.sampled(3, together=together)) for number in range(6)]
    pytest_collection_modifyitems(tests)  # type: ignore[arg-type]
    assert sum(test.get_closest_marker("soak") is None for test in tests) == runs


def test_what_waits_longest_is_begun_first() -> None:
    tests = [Test("a", pytest.mark.long), Test("b", pytest.mark.first), Test("c", pytest.mark.long)]
    pytest_collection_modifyitems(tests)  # type: ignore[arg-type]
    assert [test.nodeid for test in tests] == ["b", "a", "c"]
