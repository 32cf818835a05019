"""What hidden hands cost: whole games with them beside games with joint chance and open hands.

    python -m benchmarks.hidden

The same players with the same seeds play both in turns, as ``benchmarks.chance`` does. They do not play the same game,
as they know less of each other where hands are hidden: what a turn costs is compared.
"""

from __future__ import annotations

import sys
from typing import Literal, TypeAlias

from benchmarks.chance import QUICK, TABLES, Cost, play_once
from benchmarks.rows import Row, print_rows
from catan_p2p.simulation.game import Settings

Way: TypeAlias = Literal["hidden", "open"]


def rows(*, quick: bool = False) -> list[Row]:
    """Milliseconds, bytes and commits a turn, for two to six players."""
    seeds, repeats = (1, 1) if quick else (3, 3)
    return [row for rules, players in (QUICK if quick else TABLES) for row in _rows(rules, players, seeds, repeats)]


def _rows(rules: str, players: int, seeds: int, repeats: int) -> list[Row]:
    hidden, joint = (_cost(rules, players, hands, seeds, repeats) for hands in ("hidden", "open"))
    title = f"a turn with hidden hands, {rules}, {players} players"
    spent, size, commits = (
        [getattr(cost, field) / cost.turns for cost in (hidden, joint)]
        for field in ("spent_s", "size_bytes", "commits")
    )
    beside, note = "joint chance, open hands", f"{hidden.turns} and {joint.turns} turns"
    return [
        Row(f"{title}: processor", 1e3 * spent[0], "ms", beside, 1e3 * spent[1], "<= 1.5", note),
        Row(f"{title}: .git", size[0], "B", beside, size[1], "<= 1.5"),
        Row(f"{title}: commits", commits[0], "", beside, commits[1]),
    ]


def _cost(rules: str, players: int, hands: Way, seeds: int, repeats: int) -> Cost:
    """What so many games cost in all, each the least of its times."""
    sum = Cost()
    for seed in range(1, seeds + 1):
        settings = Settings(players, 1, seed, ("builder",), rules, chance="joint", hands=hands)
        sum = sum.plus(min((play_once(settings) for _ in range(repeats)), key=lambda one: one.spent_s))
    return sum


if __name__ == "__main__":
    sys.exit(print_rows(rows))
