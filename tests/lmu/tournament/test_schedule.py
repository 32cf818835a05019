"""Schedules: what has to be even is even, up to what whole numbers allow."""

import pytest

from catan_p2p.lmu.tournament.schedule import Round, balance, schedule

SIZES = [
    (entrants, seats, rounds)
    for entrants in range(3, 17)
    for seats in (3, 4, 5, 6)
    for rounds in (1, 2, entrants, 2 * entrants)
    if entrants >= seats
]


@pytest.mark.parametrize(("entrants", "seats", "rounds"), SIZES)
def test_everybody_plays_and_sits_about_equally_often(entrants: int, seats: int, rounds: int) -> None:
    found = schedule(entrants, seats, rounds)
    assert [len(tables) for tables in found] == [entrants // seats] * rounds
    for tables in found:
        seated = [one for table in tables for one in table]
        assert len(seated) == len({*seated}) == entrants // seats * seats
    even = balance(found, entrants, seats)
    assert even["games"][1] - even["games"][0] <= 1
    assert even["seats"][1] - even["seats"][0] <= 2


@pytest.mark.parametrize(("entrants", "seats"), [(4, 4), (5, 4), (7, 4), (8, 4), (12, 4), (6, 3), (7, 3), (9, 3)])
def test_everybody_meets_everybody_about_equally_often(entrants: int, seats: int) -> None:
    least, most = balance(schedule(entrants, seats, 2 * entrants), entrants, seats)["meetings"]
    assert most - least <= 2
    assert least > 0


def test_four_entrants_have_each_seat_once_in_four_rounds() -> None:
    assert balance(schedule(4, 4, 4), 4, 4) == {"games": (4, 4), "meetings": (4, 4), "seats": (1, 1)}


def test_a_lopsided_schedule_is_seen() -> None:
    rounds: list[Round] = [[(0, 1, 2)], [(0, 1, 2)], [(0, 1, 3)]]
    assert balance(rounds, 4, 3) == {"games": (1, 3), "meetings": (0, 3), "seats": (0, 3)}


def test_the_same_numbers_give_the_same_schedule() -> None:
    assert schedule(9, 4, 6) == schedule(9, 4, 6)


def test_fewer_entrants_than_seats() -> None:
    with pytest.raises(ValueError, match="3 entrants, expected at least 4"):
        schedule(3, 4, 1)
