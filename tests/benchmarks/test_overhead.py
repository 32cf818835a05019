"""What peers cost in function calls, which no clock and no other program changes."""

import pytest

from benchmarks.overhead import count_row


@pytest.mark.parametrize("players", [2, 4])
def test_a_game_on_git_takes_no_more_calls_than_its_target(players: int) -> None:
    row = count_row(players)
    assert row.is_met, row
