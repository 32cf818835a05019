"""Which cases of the longest tests CI runs: some each time, and all of them in the end."""

from datetime import UTC, datetime

import pytest

from tests.conftest import day, is_left_out


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
