"""Who withholds shares of rolls chooses two rolls of a game at most, the second at the price of the seat."""

import pytest

from tests.simulation.laboratory.withholding import MOST, play_one

TWICE = {"open, returns": 0, "hidden, returns": 6}
"""A game by hands in which the player withholds as often as possible."""


@pytest.mark.long
@pytest.mark.parametrize("hands", TWICE)
def test_who_withholds_comes_back_once(hands: str) -> None:
    found = play_one(TWICE[hands], hands=hands, players=3)
    assert (found.failures, found.returned, found.excused) == ([], 1, 1)
    assert found.choices["withheld"] == MOST
    assert found.choices["sevens"] == found.choices["fair"] + MOST


@pytest.mark.long
def test_who_comes_back_however_often_they_withhold_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("catan_p2p.game.actions.excuse.returns_limited", lambda state, absent: state)
    failures = play_one(0, hands="open, returns", players=3).failures
    assert len(failures) == 1 and "has withheld more often than 2 times" in failures[0]
