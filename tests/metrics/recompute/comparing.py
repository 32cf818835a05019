"""Compares the cells of tables with what they must be."""

import csv
import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.metrics.recompute.columns import (
    COUNTED,
    DEV_CARDS,
    Near,
    action_columns,
    counts,
    game_columns,
    study_columns,
)
from tests.metrics.recompute.links import link_columns
from tests.metrics.recompute.repository import Game

Cells = Mapping[str, str]
TIMES = re.compile(
    r"(elapsed|computing|synchronizing|waiting|sync(_with(out)?_news)?|choose|apply|check|write|processor)_s(_per_\w+)?"
)
"""The measured times, which nothing can give again."""
ROUNDED = 1.5e-7
"""Cells have seven decimals, and means are recomputed from cells."""


class Comparison:
    """Compares cells with what they must be, and keeps what differs."""

    def __init__(self) -> None:
        self.wrong: list[str] = []
        self.cells = 0

    def row(self, where: str, cells: Cells, expected: Mapping[str, Any]) -> None:
        for name, cell in cells.items():
            if TIMES.fullmatch(name):
                continue
            self.cells += 1
            if name not in expected:
                self.wrong.append(f"{where}: column {name} is not known to this script")
            elif not agrees(cell, expected[name]):
                self.wrong.append(f"{where}, {name}: {cell!r}, recomputed {expected[name]!r}")


def agrees(cell: str, value: Any) -> bool:
    if value is None:
        return cell == ""
    if isinstance(value, Near):
        return cell != "" and abs(float(cell) - value.value) <= value.off
    if isinstance(value, float):
        return cell != "" and math.isclose(float(cell), value, rel_tol=1e-6, abs_tol=ROUNDED)
    return cell == str(value)


def read(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def compare_games(found: Comparison, name: str, game: Game, cells: Cells, place: Cells) -> None:
    """Compare one row of ``games.csv``."""
    thorough = cells.get("gc_file_bytes", "") != ""
    expected = {**game_columns(game, thorough=thorough), **place}
    kinds = counts(game)
    expected |= {kind: kinds[kind] for kind in COUNTED}
    if game.is_hidden:
        expected |= bought_hidden(found, name, cells, kinds)
    # Nobody orders the cards that are opened at the end, so any of these commits may be the last one.
    ends = {one.id for one in game.actions} - {parent for one in game.actions for parent in one.parents}
    expected["head"] = cells["head"] if cells["head"] in ends else " or ".join(ends)
    links = {}
    if game.settings["topology"] == "network":
        links = link_columns(game)
        expected["all_bytes"] = links["all_bytes"]
    found.row(f"{name} {game.number}", cells, {**links, **study_columns(game, expected), **expected})


def bought_hidden(found: Comparison, name: str, cells: Cells, kinds: Mapping[str, int]) -> dict[str, str]:
    """Only their holders knew the cards: together they are all that were bought, and of each at least those played."""
    bought = {f"bought_{card}": cells[f"bought_{card}"] for card in (*DEV_CARDS, "sealed")}
    if sum(map(int, bought.values())) != kinds["BuyDevCard"]:
        found.wrong.append(f"{name}: {bought}, but {kinds['BuyDevCard']} were bought")
    for card, played in (*((card, f"Play{card}") for card in DEV_CARDS), ("VictoryPoint", "ShowPoint")):
        if int(bought[f"bought_{card}"]) < kinds[played]:
            found.wrong.append(f"{name}: {bought}, but {kinds[played]} times {played}")
    return bought


def compare_actions(found: Comparison, name: str, game: Game, rows: Sequence[Cells], place: Cells) -> None:
    """Compare the rows of one game in ``actions.csv``: one for each commit, parents first."""
    expected = {one.id: action_columns(game, one) for one in game.actions}
    if sorted(row["commit"] for row in rows) != sorted(expected):
        found.wrong.append(f"{name} {game.number}: the commits are others than in Git")
        return
    seen = {game.root}
    parents = {one.id: one.parents for one in game.actions}
    for step, row in enumerate(rows, 1):
        if not seen.issuperset(parents[row["commit"]]):
            found.wrong.append(f"{name} {game.number}, step {step}: a parent comes later")
        seen.add(row["commit"])
        found.row(f"{name} {game.number}, step {step}", row, {**expected[row["commit"]], **place, "step": step})
