"""The schedule of a tournament: all entrants play equally often, and a local search balances opponents and seats.

In each round every entrant plays once, at tables of the requested size and as few as possible of the island's other
size: 3 and 4, or 5 and 6. If the entrants cannot be divided so, as with five, there are more rounds and some entrants
sit out; in the end all have played the same number of games. Pairs of opponents, seats and games at the other size are
spread almost evenly: exact designs exist only for few numbers, and the search comes close for all. It is deterministic.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, count, permutations
from random import Random
from typing import Any

from catan_p2p.game.new_game import LARGE_FROM_PLAYERS

Round = list[tuple[int, ...]]
"""The tables of a round: for each, the entrants by seat, numbered from 0."""

WAITING, PLAYING, OVER, VOID = "waiting", "playing", "over", "void"
"""The states of a game: not begun, running, over, and skipped or broken off."""
STATES = WAITING, PLAYING, OVER, VOID
OPEN = WAITING, PLAYING

_TRIES = 12
_SWEEPS = 40
_RARE_COSTS = 2
"""One more game at a table of the other size costs as much as this many repeated pairings."""


@dataclass(slots=True)
class ScheduledGame:
    """A game of the schedule: its seats, its state and its result."""

    game: int
    round: int
    seats: list[str]
    state: str = WAITING
    winner: str | None = None
    points: list[int] = field(default_factory=list)
    actions: int = 0
    turns: int = 0
    details: dict[str, Any] = field(default_factory=dict)
    """``versions``, ``colours`` and ``clock_s``, the time used for decisions, each by entrant."""

    @property
    def is_open(self) -> bool:
        """Whether the game has not begun or is running."""
        return self.state in OPEN


class NoSchedule(ValueError):
    """There is no schedule for these numbers; the message says which numbers of rounds or entrants would do."""


def table_sizes(seats: int) -> tuple[int, int]:
    """The requested table size, and the other size of the same island."""
    small, large = (3, 4) if seats < LARGE_FROM_PLAYERS else (5, 6)
    return (seats, large) if seats == small else (seats, small)


def schedule(entrants: int, seats: int, games: int) -> list[Round]:
    """Rounds in which each entrant plays ``games`` times at tables of ``table_sizes(seats)``, or ``NoSchedule``."""
    rng = Random(f"schedule {entrants}/{seats}")
    record = _PlayedRecord(entrants, seats)
    found = []
    for sizes in round_sizes(entrants, seats, games):
        tables = _next_round(sizes, record, rng)
        for table in tables:
            record.add(table)
        found.append([_on_seats(table, record.taken) for table in tables])
    # The first games were seated without knowing the later ones.
    _level_seats(found, record.taken)
    return found


def round_sizes(entrants: int, seats: int, games: int) -> list[list[int]]:
    """The table sizes of each round; ``NoSchedule`` if ``entrants`` cannot play ``games`` times each."""
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
    """How many tables of each size seat exactly ``players``, with the fewest of the other size; None if impossible."""
    # ``usual`` tables of the other size seat as many as ``other`` usual ones, so more need not be tried.
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
    """Counts of the games so far, by entrant."""

    def __init__(self, entrants: int, seats: int) -> None:
        self.seats = seats
        self.games = [0] * entrants
        self.met = [[0] * entrants for _ in range(entrants)]
        self.rare = [0] * entrants
        """The number of games at tables of the other size."""
        self.taken = [[0] * max(table_sizes(seats)) for _ in range(entrants)]

    def add(self, table: Sequence[int]) -> None:
        """Count a game."""
        for one, other in combinations(table, 2):
            self.met[one][other] += 1
            self.met[other][one] += 1
        for one in table:
            self.games[one] += 1
            self.rare[one] += len(table) != self.seats

    def cost(self, table: Sequence[int]) -> int:
        """How much a table adds to the sum of squared counts: one more than n adds 2 n + 1."""
        rare = 0 if len(table) == self.seats else sum(2 * self.rare[one] + 1 for one in table)
        return _RARE_COSTS * rare + sum(2 * self.met[one][other] + 1 for one, other in combinations(table, 2))


def _next_round(sizes: Sequence[int], record: _PlayedRecord, rng: Random) -> list[list[int]]:
    """Tables for those who have played least, with as few repeated pairings as the search finds."""
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
    """Swap two entrants while that lowers the cost: of two tables, or one at a table and one who sits out."""
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
    """Order the entrants so that each gets a seat that it has had least often, and count the seats."""
    best = min(permutations(sorted(table)), key=lambda order: sum(2 * taken[one][at] for at, one in enumerate(order)))
    for at, one in enumerate(best):
        taken[one][at] += 1
    return best


def _level_seats(rounds: list[Round], taken: list[list[int]]) -> None:
    """Reseat each game, given all others, while that makes seats more even."""
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
    """The least and the most of three counts: ``games`` of an entrant, ``meetings`` of a pair, and ``seats``, for each
    seat the difference between the entrants who had it most and least often."""

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
