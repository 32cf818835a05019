"""What the columns of games over simulated links must be, from the recorded times of each action and each link."""

import csv
import json
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from tests.metrics.recompute.repository import Game

COUNTS = ("looks", "wasted_looks", "fetches", "fetched_bytes", "pushes", "told", "told_bytes")
SPENT = ("computing_s", "waiting_s", "down_s", "looking_s", "transfer_s", "virtual_s")
"""Virtual times that only the simulation knows."""


def link_columns(game: Game) -> dict[str, Any]:
    """The columns of ``network.csv``, for a game without spectators."""
    figures = json.loads((game.run / f"network_{game.number}.json").read_text())
    links = _read(game, ".links.csv")
    words = game.settings["network"].split("; ")
    chosen = dict(word.split(" = ") for word in words if " = " in word)
    found: dict[str, Any] = {
        "game": game.number,
        "players": len(game.seats),
        "network": game.settings["network"],
        "profile": words[0] if " = " not in words[0] else "lan",
        "overlay": chosen.get("overlay", "all"),
        "looks_by": chosen.get("looks", "follow"),
        "transport": chosen.get("transport", "git"),
        "spectators": 0,
        "faults": len(figures["faults"]),
        "actions": len(game.actions),
        "all_bytes": sum(int(link["bytes"]) for link in links),
        "all_fetches": sum(int(link["fetches"]) for link in links),
        **{name: sum(int(link[name]) for link in links) for name in COUNTS},
        **{name: float(figures[name]) for name in SPENT},
    }
    for what, times_us in _times(game).items():
        found |= _quantiles(what, times_us)
    return found | dict.fromkeys(f"staleness_{name}" for name in ("count", "p50_s", "p95_s", "p99_s"))


def _read(game: Game, ending: str) -> list[dict[str, str]]:
    with (game.run / f"network_{game.number}{ending}").open(newline="") as file:
        return list(csv.DictReader(file))


def _times(game: Game) -> dict[str, list[int]]:
    """The microseconds that hand-overs, turns and spreading took, from the table of who knew what when."""
    rows = _read(game, ".csv")
    shown = [_us(row["shown_s"]) for row in rows]
    knew = [{seat: _us(row[f"{seat}_knew_s"]) for seat in game.seats} for row in rows]
    # A relay can pass an action on before its author's own repository shows it.
    hand_overs = [
        max(0, known[after["player"]] - at)
        for (before, after), at, known in zip(pairwise(rows), shown, knew, strict=False)
        if before["player"] != after["player"] and at >= 0 and known[after["player"]] >= 0
    ]
    spreading = [max(0, max(known.values()) - at) for at, known in zip(shown, knew, strict=True) if at >= 0]
    roller, ends = "", []
    for row, at in zip(rows, shown, strict=True):
        if row["action"] == "RollDice":
            roller = row["player"]
        # Between two turns, special builders stop building, too.
        elif row["action"] == "EmptyBuild" and row["player"] == roller and at >= 0:
            ends.append(at)
    turns = [after - before for before, after in pairwise(ends) if after >= before]
    return {"hand_over": hand_overs, "turn": turns, "everybody_knows": spreading}


def _us(cell: str) -> int:
    """Microseconds of a time in seconds; -1 of an empty cell."""
    return round(float(cell) * 1e6) if cell else -1


def _quantiles(what: str, times_us: Sequence[int]) -> dict[str, Any]:
    ordered = sorted(times_us)
    at = {share: ordered[min(len(ordered) - 1, len(ordered) * share // 100)] / 1e6 for share in (50, 95, 99)}
    return {f"{what}_count": len(ordered), **{f"{what}_p{share}_s": value for share, value in at.items()}}
