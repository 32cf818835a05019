"""Schedules: everybody plays equally often; what else has to be even is even, up to what whole numbers allow."""

from functools import cache

import pytest

from catan_p2p.lmu.tournament.schedule import NoSchedule, Round, balance, round_sizes, schedule, table_sizes

scheduled = cache(schedule)

COUNTS = range(3, 21)
GAMES = (1, 2, 3, 4, 7)
SEATS = (3, 4, 5, 6)


def sums(sizes: tuple[int, int], at_most: int) -> set[int]:
    """How many can sit at tables of two sizes, found by putting up one table after the other."""
    found, new = {0}, {0}
    while new:
        new = {total + size for total in new for size in sizes if total + size <= at_most} - found
        found |= new
    return found


SUMS = {sizes: sums(sizes, 20 * 7) for sizes in ((3, 4), (5, 6))}


def can_play(entrants: int, seats: int, games: int) -> bool:
    small, large = sorted(table_sizes(seats))
    return entrants >= small and entrants * games in SUMS[small, large]


SIZES = [(entrants, seats, games) for entrants in COUNTS for seats in SEATS for games in GAMES]
PLAYABLE = [one for one in SIZES if can_play(*one)]


@pytest.mark.long
@pytest.mark.sampled(14)
@pytest.mark.parametrize(("seats", "games"), [(seats, games) for seats in SEATS for games in GAMES])
def test_everybody_plays_exactly_as_many_games_as_asked_for(seats: int, games: int) -> None:
    for entrants in COUNTS:
        if not can_play(entrants, seats, games):
            with pytest.raises(NoSchedule, match=f"^{entrants} entrants cannot play "):
                schedule(entrants, seats, games)
            continue
        rounds = scheduled(entrants, seats, games)
        assert balance(rounds, entrants)["games"] == (games, games), entrants
        for tables in rounds:
            seated = [one for table in tables for one in table]
            assert len(seated) == len({*seated}), "nobody is at two tables of a round"
            assert {len(table) for table in tables} <= {*table_sizes(seats)}


@pytest.mark.parametrize("seats", SEATS)
def test_a_round_seats_everybody_wherever_tables_allow_it(seats: int) -> None:
    small, large = sorted(table_sizes(seats))
    for entrants in COUNTS:
        if entrants in SUMS[small, large]:
            assert [sum(sizes) for sizes in round_sizes(entrants, seats, 3)] == [entrants] * 3


@pytest.mark.parametrize("seats", SEATS)
def test_as_few_tables_as_possible_are_of_the_other_size(seats: int) -> None:
    usual, other = table_sizes(seats)
    for entrants in COUNTS:
        for sizes in round_sizes(entrants, seats, 1) if can_play(entrants, seats, 1) else ():
            fewest = next(i for i in range(usual) if entrants >= i * other and (entrants - i * other) % usual == 0)
            assert sizes.count(other) == fewest


def test_seven_at_tables_of_four_play_twice_in_two_rounds() -> None:
    assert round_sizes(7, 4, 2) == [[4, 3], [4, 3]]


@pytest.mark.parametrize(
    ("entrants", "seats", "games", "told"),
    [
        (2, 4, 3, "2 entrants cannot play at tables of 3 or 4: expected at least 3"),
        (5, 4, 1, "5 entrants cannot play once each at tables of 3 or 4: 2 rounds would do, or 6 entrants"),
        (7, 6, 2, "7 entrants cannot play 2 times each at tables of 5 or 6: 3 rounds would do, or 8 entrants"),
    ],
)
def test_what_helps_is_said_and_helps(entrants: int, seats: int, games: int, told: str) -> None:
    with pytest.raises(NoSchedule) as raised:
        schedule(entrants, seats, games)
    assert str(raised.value) == told


@pytest.mark.sampled(6)
@pytest.mark.parametrize("seats", SEATS)
def test_everybody_has_every_seat_about_equally_often(seats: int) -> None:
    for entrants, _, games in [one for one in PLAYABLE if one[1] == seats]:
        assert balance(scheduled(entrants, seats, games), entrants)["seats"][1] <= 2


@pytest.mark.parametrize("seats", SEATS)
def test_everybody_is_about_equally_often_at_a_table_of_the_other_size(seats: int) -> None:
    for entrants, _, games in [one for one in PLAYABLE if one[1] == seats]:
        tables = [table for tables in scheduled(entrants, seats, games) for table in tables if len(table) != seats]
        rare = [sum(one in table for table in tables) for one in range(entrants)]
        assert max(rare) - min(rare) <= 3


@pytest.mark.parametrize(("entrants", "seats"), [(4, 4), (5, 4), (7, 4), (8, 4), (12, 4), (6, 3), (7, 3), (9, 3)])
def test_everybody_meets_everybody_about_equally_often(entrants: int, seats: int) -> None:
    least, most = balance(schedule(entrants, seats, 2 * entrants), entrants)["meetings"]
    assert most - least <= 2
    assert least > 0


def test_four_entrants_have_each_seat_once_in_four_rounds() -> None:
    assert balance(schedule(4, 4, 4), 4) == {"games": (4, 4), "meetings": (4, 4), "seats": (0, 0)}


def test_a_lopsided_schedule_is_seen() -> None:
    rounds: list[Round] = [[(0, 1, 2)], [(0, 1, 2)], [(0, 1, 3)]]
    assert balance(rounds, 4) == {"games": (1, 3), "meetings": (0, 3), "seats": (2, 3)}


def test_the_same_numbers_give_the_same_schedule() -> None:
    assert schedule(9, 4, 6) == schedule(9, 4, 6)
