"""The tables that benchmarks/leaving.py compares can be played."""

import pytest

from benchmarks import leaving


@pytest.mark.long
@pytest.mark.parametrize("may_leave", ["yes", "no"])
def test_a_table_is_played_and_what_it_costs_is_known(may_leave: str) -> None:
    cost = leaving._play(leaving._settings("open", 3, 1, may_leave))
    assert cost.turns > 10 and cost.commits > cost.turns and cost.size_bytes > 0 < cost.spent_s
