"""Who plays whom, and on which seat: a balanced design, found by local search.

Every round seats as many entrants as fit on whole tables; the others sit out. Over the rounds everybody plays about
equally often, meets every other entrant about equally often, and has each seat about equally often. Exact designs exist
for few numbers of entrants, tables and rounds; the search comes close for all. The same numbers give the same schedule.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, permutations
from random import Random
from typing import Any

Round = list[tuple[int, ...]]
"""The tables of a round: entrants from 0 by seat."""

WAITING, OVER, VOID = "waiting", "over", "void"
"""The states of a game: to be played or under way, over, and skipped or broken off."""

_TRIES = 12
_SWEEPS = 40


@dataclass(slots=True)
class ScheduledGame:
    """A game: who sits where, and how it ended."""

    game: int
    round: int
    seats: list[str]
    state: str = WAITING
    winner: str | None = None
    points: list[int] = field(default_factory=list)
    actions: int = 0
    turns: int = 0
    details: dict[str, Any] = field(default_factory=dict)
    """By seat's name: versions, colours, and the time for decisions that was used."""


def schedule(entrants: int, seats: int, rounds: int) -> list[Round]:
    """The rounds; ``ValueError`` if there are fewer entrants than seats."""
    if entrants < seats:
        raise ValueError(f"{entrants} entrants, expected at least {seats}, one for each seat of a table")
    rng = Random(f"schedule {entrants}/{seats}")
    met = [[0] * entrants for _ in range(entrants)]
    games = [0] * entrants
    taken = [[0] * seats for _ in range(entrants)]
    found = []
    for _ in range(rounds):
        tables = _next_round(seats, met, games, rng)
        for table in tables:
            for one, other in combinations(table, 2):
                met[one][other] += 1
                met[other][one] += 1
            for one in table:
                games[one] += 1
        found.append([_on_seats(table, taken) for table in tables])
    _level_seats(found, taken)
    return found


def _next_round(seats: int, met: Sequence[Sequence[int]], games: Sequence[int], rng: Random) -> list[list[int]]:
    """Tables for those who have played least, so that as few as possible meet again who have met often."""
    entrants = len(games)
    order = sorted(range(entrants), key=lambda one: (games[one], rng.random()))
    playing = order[: entrants // seats * seats]
    last = games[playing[-1]]
    free = [one for one in range(entrants) if one not in playing and games[one] == last]
    best: tuple[int, list[list[int]]] | None = None
    for _ in range(_TRIES):
        rng.shuffle(playing)
        tables = [playing[at : at + seats] for at in range(0, len(playing), seats)]
        waiting = free.copy()
        _improve(tables, waiting, met, [one for one in playing if games[one] == last])
        cost = sum(_cost(table, met) for table in tables)
        if best is None or cost < best[0]:
            best = cost, tables
    assert best is not None
    return best[1]


def _improve(
    tables: list[list[int]], waiting: list[int], met: Sequence[Sequence[int]], exchangeable: Sequence[int]
) -> None:
    """Exchange two entrants for as long as that helps: of two tables, or one at a table and one who sits out."""
    movable = {*exchangeable, *waiting}
    groups = [*tables, waiting]
    for _ in range(_SWEEPS):
        has_moved = False
        for one, other in combinations(groups, 2):
            for i in range(len(one)):
                for j in range(len(other)):
                    if other is waiting and one[i] not in movable:
                        continue
                    before = _cost(one, met) + (0 if other is waiting else _cost(other, met))
                    one[i], other[j] = other[j], one[i]
                    after = _cost(one, met) + (0 if other is waiting else _cost(other, met))
                    if after < before:
                        has_moved = True
                    else:
                        one[i], other[j] = other[j], one[i]
        if not has_moved:
            return


def _cost(table: Sequence[int], met: Sequence[Sequence[int]]) -> int:
    """How much more uneven a table makes the meetings: squares grow by twice the meetings so far, and one."""
    return sum(2 * met[one][other] + 1 for one, other in combinations(table, 2))


def _on_seats(table: Sequence[int], taken: list[list[int]]) -> tuple[int, ...]:
    """The order in which each has had its seat least often; it is counted then."""
    best = min(permutations(sorted(table)), key=lambda order: sum(2 * taken[one][at] for at, one in enumerate(order)))
    for at, one in enumerate(best):
        taken[one][at] += 1
    return best


def _level_seats(rounds: list[Round], taken: list[list[int]]) -> None:
    """Seat games anew, knowing all others, for as long as that makes seats more even."""
    for _ in range(_SWEEPS):
        has_moved = False
        for tables in rounds:
            for at, table in enumerate(tables):
                before = _unevenness(table, taken)
                for seat, one in enumerate(table):
                    taken[one][seat] -= 1
                tables[at] = _on_seats(table, taken)
                has_moved |= _unevenness(tables[at], taken) < before
        if not has_moved:
            return


def _unevenness(table: Sequence[int], taken: Sequence[Sequence[int]]) -> int:
    return sum(count * count for one in table for count in taken[one])


def balance(rounds: Sequence[Round], entrants: int, seats: int) -> dict[str, tuple[int, int]]:
    """The least and the most of what is to be even: ``games`` of an entrant, ``meetings`` of a pair, ``seats``."""

    def ends(counts: Iterator[int]) -> tuple[int, int]:
        found = [*counts]
        return min(found), max(found)

    tables = [table for tables in rounds for table in tables]
    return {
        "games": ends(sum(one in table for table in tables) for one in range(entrants)),
        "meetings": ends(
            sum(one in table and other in table for table in tables) for one, other in combinations(range(entrants), 2)
        ),
        "seats": ends(sum(table[seat] == one for table in tables) for one in range(entrants) for seat in range(seats)),
    }
