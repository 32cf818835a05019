"""Who plays whom, and on which seat: everybody plays equally often, and a local search balances the rest.

In every round everybody plays once, at tables of the size asked for and as few as possible of the other one that the
island takes: 3 and 4, or 5 and 6. Where entrants cannot be divided so, as five, there are more rounds and some sit out;
in the end everybody has played the same number of games. Meetings, seats and the rarer tables are about equally often
everybody's: exact designs exist for few numbers, and the search comes close for all. The same numbers give the same
schedule.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, count, permutations
from random import Random
from typing import Any

from catan_p2p.game.new_game import LARGE_FROM_PLAYERS

Round = list[tuple[int, ...]]
"""The tables of a round: entrants from 0 by seat."""

WAITING, PLAYING, OVER, VOID = "waiting", "playing", "over", "void"
"""The states of a game: not begun, under way, over, and skipped or broken off."""
STATES = WAITING, PLAYING, OVER, VOID
OPEN = WAITING, PLAYING

_TRIES = 12
_SWEEPS = 40
_RARE_COSTS = 2
"""To be at a table of the other size once more counts as much as so many repeated meetings."""


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

    @property
    def is_open(self) -> bool:
        """Whether the game is still to be played, or to be played on."""
        return self.state in OPEN


class NoSchedule(ValueError):
    """So many entrants cannot all play so often; the message says so, and what would do."""


def table_sizes(seats: int) -> tuple[int, int]:
    """How many may play at a table where ``seats`` were asked for: that, and the other number of the same island."""
    small, large = (3, 4) if seats < LARGE_FROM_PLAYERS else (5, 6)
    return (seats, large) if seats == small else (seats, small)


def schedule(entrants: int, seats: int, games: int) -> list[Round]:
    """Rounds in which everybody plays ``games`` times, at tables of ``table_sizes(seats)``; ``NoSchedule`` if there are
    none."""
    rng = Random(f"schedule {entrants}/{seats}")
    record = _PlayedRecord(entrants, seats)
    found = []
    for sizes in round_sizes(entrants, seats, games):
        tables = _next_round(sizes, record, rng)
        for table in tables:
            record.add(table)
        found.append([_on_seats(table, record.taken) for table in tables])
    _level_seats(found, record.taken)
    return found


def round_sizes(entrants: int, seats: int, games: int) -> list[list[int]]:
    """How many play at each table of each round; ``NoSchedule`` if ``entrants`` cannot play ``games`` times each."""
    usual, other = table_sizes(seats)
    once = _divided(entrants, usual, other)
    if once is not None:
        return [[usual] * once[0] + [other] * once[1]] * games
    left = _divided(entrants * games, usual, other) if entrants >= min(usual, other) else None
    if left is None:
        raise NoSchedule(_why_not(entrants, usual, other, games))
    found = []
    while any(left):
        most = max(
            ((i, j) for i in range(left[0] + 1) for j in range(left[1] + 1) if i * usual + j * other <= entrants),
            key=lambda some: (some[0] * usual + some[1] * other, some[0]),
        )
        found.append([usual] * most[0] + [other] * most[1])
        left = left[0] - most[0], left[1] - most[1]
    return found


def _divided(players: int, usual: int, other: int) -> tuple[int, int] | None:
    """How many tables of each size seat exactly so many, most of them of the usual one; None if none do."""
    for others in range(usual):
        if (players - others * other) % usual == 0 and players >= others * other:
            return (players - others * other) // usual, others
    return None


def _why_not(entrants: int, usual: int, other: int, games: int) -> str:
    sizes = f"{min(usual, other)} or {max(usual, other)}"
    if entrants < min(usual, other):
        return f"{entrants} entrants cannot play at tables of {sizes}: expected at least {min(usual, other)}"
    times = "once" if games == 1 else f"{games} times"
    more = next(number for number in count(games + 1) if _divided(entrants * number, usual, other))
    missing = next(number for number in count(1) if _divided((entrants + number) * games, usual, other))
    hint = f"{more} rounds would do, or {entrants + missing} entrants"
    return f"{entrants} entrants cannot play {times} each at tables of {sizes}: {hint}"


class _PlayedRecord:
    """What was played so far, by entrant."""

    def __init__(self, entrants: int, seats: int) -> None:
        self.seats = seats
        self.games = [0] * entrants
        self.met = [[0] * entrants for _ in range(entrants)]
        self.rare = [0] * entrants
        """How many games were at tables of the other size."""
        self.taken = [[0] * max(table_sizes(seats)) for _ in range(entrants)]

    def add(self, table: Sequence[int]) -> None:
        """A game was played."""
        for one, other in combinations(table, 2):
            self.met[one][other] += 1
            self.met[other][one] += 1
        for one in table:
            self.games[one] += 1
            self.rare[one] += len(table) != self.seats

    def cost(self, table: Sequence[int]) -> int:
        """How much more uneven a table makes meetings and sizes: squares grow by twice the count so far, and one."""
        rare = 0 if len(table) == self.seats else sum(2 * self.rare[one] + 1 for one in table)
        return _RARE_COSTS * rare + sum(2 * self.met[one][other] + 1 for one, other in combinations(table, 2))


def _next_round(sizes: Sequence[int], record: _PlayedRecord, rng: Random) -> list[list[int]]:
    """Tables for those who have played least, so that as few as possible meet again who have met often."""
    games = record.games
    order = sorted(range(len(games)), key=lambda one: (games[one], rng.random()))
    playing = order[: sum(sizes)]
    last = games[playing[-1]]
    free = [one for one in range(len(games)) if one not in playing and games[one] == last]
    best: tuple[int, list[list[int]]] | None = None
    for _ in range(_TRIES):
        rng.shuffle(playing)
        seating = iter(playing)
        tables = [[next(seating) for _ in range(size)] for size in sizes]
        waiting = free.copy()
        _improve(tables, waiting, record, [one for one in playing if games[one] == last])
        cost = sum(map(record.cost, tables))
        if best is None or cost < best[0]:
            best = cost, tables
    assert best is not None
    return best[1]


def _improve(tables: list[list[int]], waiting: list[int], record: _PlayedRecord, exchangeable: Sequence[int]) -> None:
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
                    before = record.cost(one) + (0 if other is waiting else record.cost(other))
                    one[i], other[j] = other[j], one[i]
                    after = record.cost(one) + (0 if other is waiting else record.cost(other))
                    if after < before:
                        has_moved = True
                    else:
                        one[i], other[j] = other[j], one[i]
        if not has_moved:
            return


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


def balance(rounds: Sequence[Round], entrants: int) -> dict[str, tuple[int, int]]:
    """The least and the most of what is to be even: ``games`` of an entrant, ``meetings`` of a pair, ``seats``: by how
    much somebody has had one less often than another."""

    def ends(counts: Iterator[int]) -> tuple[int, int]:
        found = [*counts]
        return min(found), max(found)

    tables = [table for tables in rounds for table in tables]
    seats = [
        ends(sum(table[seat : seat + 1] == (one,) for table in tables) for one in range(entrants))
        for seat in range(max(map(len, tables)))
    ]
    return {
        "games": ends(sum(one in table for table in tables) for one in range(entrants)),
        "meetings": ends(
            sum(one in table and other in table for table in tables) for one, other in combinations(range(entrants), 2)
        ),
        "seats": ends(most - least for least, most in seats),
    }
