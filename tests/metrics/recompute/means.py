"""Compares the tables of means with the games' rows, from which they come."""

import json
import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean, median, stdev
from typing import Any

from tests.metrics.recompute.columns import COUNTED, Near
from tests.metrics.recompute.comparing import ROUNDED, Cells, Comparison, read


def compare_summary(found: Comparison, path: Path, games: Sequence[Cells]) -> None:
    """Compare ``summary.json`` with the rows of ``games.csv``, which are right by now."""
    [told] = json.loads(path.read_text())["runs"].values()
    numbers = {name: [float(row[name]) for row in games if is_number(row[name])] for name in games[0]}
    expected = {
        "games": len(games),
        "players": sorted({int(row["players"]) for row in games}),
        **{name: sorted({row[name] for row in games}) for name in ("policies", "rules", "topology")},
        "seeds": sorted({int(row["seed"]) for row in games}),
        "without_winner": sum(row["winner"] == "" for row in games),
        "rejected": sum(int(row["rejected"]) for row in games),
        "resumed": sum(row["resumed"] == "True" for row in games),
        "actions": sum(int(row["actions"]) for row in games),
        "counts": {name: sum(map(int, numbers[name])) for name in COUNTED},
    }
    for name, value in told.items():
        if name not in (*expected, "settings", "figures"):
            found.wrong.append(f"{path}: {name} is not known to this script")
        elif name in expected and value != expected[name]:
            found.wrong.append(f"{path}, {name}: {value}, recomputed {expected[name]}")
    for name, spread in told["figures"].items():
        values = numbers.get(name) or divided(name, games)
        for what, value in (
            ("mean", fmean(values)),
            ("deviation", stdev(values) if len(values) > 1 else 0.0),
            ("count", len(values)),
        ):
            if not math.isclose(spread[what], value, rel_tol=1e-4, abs_tol=1e-6):
                found.wrong.append(f"{path}, {name}: {what} {spread[what]}, recomputed {value}")


def divided(name: str, games: Sequence[Cells]) -> list[float]:
    """The values of a figure such as ``diff_bytes_per_action`` or ``empty_diff_share``."""
    what, _, by = name.partition("_per_")
    if name == "empty_diff_share":
        what, by = "empty_diffs", "action"
    what = {"changed_objects": "changed_object_count"}.get(what, what)
    return [float(row[what]) / int(row[f"{by}s"]) for row in games if row[what] != ""]


def is_number(cell: str) -> bool:
    return bool(re.fullmatch(r"-?\d+(\.\d+)?", cell))


def compare_means(found: Comparison, folder: Path, games: Sequence[Cells], factors: Sequence[str]) -> None:
    """Compare ``summary.csv`` of a study, except for its intervals, which need a library; see ``test_intervals``."""
    by_cell: dict[str, list[Cells]] = {}
    for row in games:
        by_cell.setdefault(row["cell"], []).append(row)
    for cells in read(folder / "summary.csv"):
        measure, own = cells["measure"], by_cell[cells["cell"]]
        values = {row["game"]: float(row[measure]) for row in own if is_number(row[measure])}
        expected: dict[str, Any] = {name: own[0][name] for name in factors}
        expected |= {"cell": cells["cell"], "measure": measure, "unit": unit_of(measure), "games": len(values)}
        expected |= {"mean": fmean(values.values()), "median": median(values.values())}
        expected |= {"deviation": stdev(values.values()) if len(values) > 1 else None}
        expected |= dict.fromkeys(("low", "high", "difference_low", "difference_high"), None)
        expected |= difference(values, {row["game"]: row[measure] for row in by_cell.get(cells["baseline"], [])}, cells)
        intervals = {name: value for name, value in cells.items() if name.endswith(("low", "high"))}
        found.row(f"{folder / 'summary.csv'} {measure}", {**cells, **dict.fromkeys(intervals, "")}, expected)
        for low, mean, high in (("low", "mean", "high"), ("difference_low", "difference", "difference_high")):
            if cells[low] != "" and not float(cells[low]) - 1e-6 <= float(cells[mean]) <= float(cells[high]) + 1e-6:
                found.wrong.append(f"{folder / 'summary.csv'} {measure}: {mean} is not in its interval")


def difference(own: Mapping[str, float], others: Cells, cells: Cells) -> dict[str, Any]:
    pairs = [(value, float(others[game])) for game, value in own.items() if is_number(others.get(game, ""))]
    if not pairs:
        return dict.fromkeys(("baseline", "pairs", "difference", "difference_share"))
    mean, baseline = fmean(a - b for a, b in pairs), fmean(b for _, b in pairs)
    told = {"baseline": cells["baseline"], "pairs": len(pairs), "difference": mean}
    if not baseline:
        return told | {"difference_share": None}
    return told | {
        "difference_share": Near(mean / baseline, ROUNDED * (2 + abs(mean / baseline)) / abs(baseline) + ROUNDED)
    }


def unit_of(measure: str) -> str:
    what = measure.partition("_per_")[0]
    if "bytes" in what:
        return "B"
    return "s" if what.endswith("_s") else ""
