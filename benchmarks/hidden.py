"""The cost of hidden hands: whole games with them, beside games with joint draws and open hands.

    python -m benchmarks.hidden

The same players with the same seeds play both alternately, as in ``benchmarks.chance``. The games differ, since players
know less with hidden hands, so the cost of a turn is compared. It varies by a fifth from game to game, with the length
and the thefts. Therefore many games are played, and the rows show the range of single ones.

All players of a game share one process, which does not check its own proofs. For some games, the cost of separate
processes, which check the proofs of all others, is measured too.
"""

from __future__ import annotations

import os
import sys
import tempfile
from functools import reduce
from pathlib import Path
from typing import Literal, TypeAlias

from benchmarks.chance import QUICK, TABLES, Cost, play_once
from benchmarks.rows import Row, print_rows
from benchmarks.sealing import counted_calls
from catan_p2p.log.history import load_history
from catan_p2p.sealing import checked
from catan_p2p.simulation.game import SimulationSettings, game_folder
from catan_p2p.simulation.separate import play_separate_game

Way: TypeAlias = Literal["hidden", "open"]
WAYS: tuple[Way, ...] = ("hidden", "open")
SEPARATE = (("thesis", 2), ("thesis", 4))
"""Rules and players of the games with one process per peer."""
_GOAL = "<= 1.8"


def rows(*, quick: bool = False) -> list[Row]:
    """Milliseconds, bytes, commits and multiplications per turn, for two to six players."""
    tables, repeats = (QUICK, 1) if quick else (TABLES, 2)
    play_once(_settings("thesis", 2, 1, "hidden"))  # a warm-up, which does not count
    found = []
    for rules, players in tables:
        found += _rows(rules, players, max(3, 16 // players) if quick else 10, repeats)  # few players, short games
    return found if quick else found + [_separate_row(rules, players) for rules, players in SEPARATE]


def _settings(rules: str, players: int, seed: int, hands: Way) -> SimulationSettings:
    # At real tables every peer judges each commit.
    return SimulationSettings(players, 1, seed, ("builder",), rules, chance="joint", hands=hands, judging="each")


def _rows(rules: str, players: int, seeds: int, repeats: int) -> list[Row]:
    costs: dict[Way, list[Cost]] = {hands: [] for hands in WAYS}
    for seed in range(1, seeds + 1):
        tried = [{hands: _play(_settings(rules, players, seed, hands)) for hands in WAYS} for _ in range(repeats)]
        for hands in WAYS:
            costs[hands].append(min((one[hands] for one in tried), key=lambda cost: cost.spent_s))
    hidden, joint = (reduce(Cost.plus, costs[hands]) for hands in WAYS)
    title = f"a turn with hidden hands, {rules}, {players} players"
    spent, size, commits = (
        [getattr(cost, field) / cost.turns for cost in (hidden, joint)]
        for field in ("spent_s", "size_bytes", "commits")
    )
    by_game = [one.spent_s / one.turns / (two.spent_s / two.turns) for one, two in zip(*costs.values(), strict=True)]
    beside = "joint chance, open hands"
    note = f"{hidden.turns} and {joint.turns} turns; {min(by_game):.2f} to {max(by_game):.2f} times by game"
    return [
        Row(f"{title}: processor", 1e3 * spent[0], "ms", beside, 1e3 * spent[1], _GOAL, note),
        Row(f"{title}: .git", size[0], "B", beside, size[1], "<= 1.5"),
        Row(f"{title}: commits", commits[0], "", beside, commits[1]),
        Row(f"{title}: multiplications of points", _multiplications(rules, players), ""),
    ]


def _play(settings: SimulationSettings) -> Cost:
    """The cost of a game in a process that has not checked any proof yet."""
    checked.forget()
    return play_once(settings)


def _multiplications(rules: str, players: int) -> float:
    """The point multiplications of all players per turn."""
    turns = 0

    def play() -> None:
        nonlocal turns
        turns = _play(_settings(rules, players, 1, "hidden")).turns

    calls = counted_calls(play)
    return sum(number for name, number in calls.items() if "scalarmult" in name) / turns


def _separate_row(rules: str, players: int) -> Row:
    spent = {hands: _separate_s(_settings(rules, players, 1, hands)) for hands in WAYS}
    title = f"a turn with hidden hands, {rules}, {players} peers in processes of their own: processor"
    return Row(title, 1e3 * spent["hidden"], "ms", "joint chance, open hands", 1e3 * spent["open"], _GOAL)


def _separate_s(settings: SimulationSettings) -> float:
    """The processor time of a turn, summed over all processes."""
    with tempfile.TemporaryDirectory(prefix="catan-p2p-bench-") as temporary:
        before = _of_children_s()
        play_separate_game(Path(temporary), 0, settings)
        spent_s = _of_children_s() - before
        first = sorted(path for path in game_folder(Path(temporary), 0).iterdir() if path.is_dir())[0]
        return spent_s / load_history(first, may_be_hidden=True).turns


def _of_children_s() -> float:
    times = os.times()
    return times.children_user + times.children_system


if __name__ == "__main__":
    sys.exit(print_rows(rows))
