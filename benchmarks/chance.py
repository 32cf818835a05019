"""The cost of joint draws: whole games in which all players draw together, beside games in which the actor draws.

For up to four players also with shares of rolls revealed ahead (``ChanceAhead``), beside both.

    python -m benchmarks.chance

The same players with the same seeds play both alternately, each game several times. Times are processor times, and the
shortest of a game's times counts, since other programs can only lengthen it.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Mapping
from functools import reduce
from pathlib import Path
from typing import NamedTuple

from benchmarks.rows import Row, print_rows
from catan_p2p.game.playable import FEW_PLAYERS
from catan_p2p.log.history import load_history
from catan_p2p.simulation.game import SimulationSettings, game_folder, play_game

TABLES = (("thesis", 2), ("thesis", 3), ("thesis", 4), ("brief", 4), ("brief", 5), ("brief", 6))
"""Rules and players."""
QUICK = (("thesis", 2), ("thesis", 4), ("brief", 4), ("brief", 6))
"""The same for a quick run."""
_GOAL_PLAYERS = 4
WAYS = {"actor": ("actor", ""), "joint": ("joint", ""), "ahead": ("joint", "; ChanceAhead = yes")}
"""The ways to draw: ``Chance``, and further rules."""


class Cost(NamedTuple):
    """The total cost of games."""

    turns: int = 0
    commits: int = 0
    size_bytes: int = 0
    spent_s: float = 0.0

    def plus(self, other: Cost) -> Cost:
        """The sum of both."""
        return Cost(*(one + two for one, two in zip(self, other, strict=True)))


def rows(*, quick: bool = False) -> list[Row]:
    """Milliseconds, bytes and commits a turn, for two to six players."""
    seeds, repeats = (1, 2) if quick else (3, 4)
    costs = {(rules, players): play(rules, players, seeds, repeats) for rules, players in (QUICK if quick else TABLES)}
    found = []
    for (rules, players), sums in costs.items():
        found += _rows(f"{rules}, {players} players", sums)
    of_four = [sums for (_, players), sums in costs.items() if players == _GOAL_PLAYERS]
    together = {way: reduce(Cost.plus, (sums[way] for sums in of_four)) for way in WAYS}
    return found + _rows(f"both rules, {_GOAL_PLAYERS} players", together, ("<= 1.6", "<= 2", "<= 6"))


def play(rules: str, players: int, seeds: int, repeats: int) -> dict[str, Cost]:
    """The total cost of games with each way to draw; each game has the shortest of its times."""
    ways = [way for way in WAYS if way != "ahead" or players <= FEW_PLAYERS]
    sums = {way: Cost() for way in ways}
    for seed in range(1, seeds + 1):
        least: dict[str, Cost] = {}
        for _ in range(repeats):
            for way in ways:
                chance, besides = WAYS[way]
                chosen = SimulationSettings(
                    players, 1, seed, ("builder",), rules + besides, chance=chance, judging="each"
                )
                cost = play_once(chosen)
                least[way] = min(least.get(way, cost), cost, key=lambda one: one.spent_s)
        for way, cost in least.items():
            sums[way] = sums[way].plus(cost)
    return sums


def _rows(games: str, sums: Mapping[str, Cost], goals: tuple[str, str, str] = ("", "", "")) -> list[Row]:
    rows = _beside(f"joint chance, {games}", sums["joint"], sums["actor"], "the actor's chance", goals[:2])
    if "ahead" in sums:
        title, ahead = f"shares ahead, {games}", sums["ahead"]
        rows += _beside(title, ahead, sums["joint"], "joint chance")
        if goals[2]:
            rows.append(Row(f"a turn with {title}: commits", ahead.commits / ahead.turns, "", target=goals[2]))
    return rows


def _beside(title: str, one: Cost, other: Cost, beside: str, goals: tuple[str, ...] = ("", "")) -> list[Row]:
    title, note = f"a turn with {title}", f"{one.turns} and {other.turns} turns"
    spent, size, commits = (
        [getattr(cost, field) / cost.turns for cost in (one, other)] for field in ("spent_s", "size_bytes", "commits")
    )
    return [
        Row(f"{title}: processor", 1e3 * spent[0], "ms", beside, 1e3 * spent[1], goals[0], note),
        Row(f"{title}: .git", size[0], "B", beside, size[1], goals[1]),
        Row(f"{title}: commits", commits[0], "", beside, commits[1]),
    ]


def play_once(settings: SimulationSettings) -> Cost:
    """The cost of one game."""
    with tempfile.TemporaryDirectory(prefix="catan-p2p-bench-") as temporary:
        begin = time.process_time()
        result = play_game(Path(temporary), 0, settings).result
        spent_s = time.process_time() - begin
        turns = load_history(game_folder(Path(temporary), 0), may_be_hidden=True).turns
        return Cost(turns, result.commits, result.repository_bytes, spent_s)


if __name__ == "__main__":
    sys.exit(print_rows(rows))
