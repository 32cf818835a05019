"""Dates that others wrote are shown, whatever they are; a game made of a file has only dates that commits can have."""

from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catan_p2p.game.constants import Constants
from catan_p2p.game.rules import apply, decisions
from catan_p2p.game.state import initial_state
from catan_p2p.notation import GameStarted, Participant, TimedAction
from catan_p2p.notation.repository.game import write_game
from catan_p2p.safe_text import shown_date
from tests.typed import Typed


@given(st.integers(-(2**70), 2**70))
def test_every_number_of_seconds_is_a_date_of_the_calendar(time_s: int) -> None:
    assert 1 <= shown_date(time_s).year <= 9999


def test_dates_of_the_calendar_are_shown_as_they_are() -> None:
    assert f"{shown_date(1735689600):%Y-%m-%d %H:%M:%S}" == "2025-01-01 00:00:00"
    assert shown_date(-1).year == 1969


@pytest.mark.parametrize("dates", [(datetime(1960, 1, 1), -5), (datetime(9999, 12, 31), 10**13)])
def test_a_game_of_a_file_has_dates_that_commits_can_have(
    dates: tuple[datetime, int], tmp_path: Path, typed: Typed
) -> None:
    constants = Constants()
    started, time_s = dates
    start = GameStarted((Participant(1, "a", "red"), Participant(2, "b", "blue")), constants.board.map, started)
    before = initial_state(constants)
    action = decisions(before, 1)[0]
    write_game(tmp_path / "game", start, constants, [TimedAction(action, apply(before, action), time_s)], "test")
    assert "2 commits in order" in typed(0, "verify", tmp_path / "game").out
