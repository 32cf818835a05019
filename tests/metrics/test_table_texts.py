"""The texts of a report's tables, against an oracle that reads ``games.csv`` and shares no code with the program."""

import csv
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from statistics import fmean, median, stdev

import pytest

from catan_p2p.metrics.groups import load_report_data
from catan_p2p.metrics.page import ReportTable
from catan_p2p.metrics.rows import COUNTS
from catan_p2p.metrics.sections.report import sections
from tests.metrics.by_hand import GAME, write_metrics_by_hand

pytestmark = pytest.mark.needs("report")

pytest.importorskip("scipy", reason="needs the extra report")
pytest.importorskip("matplotlib", reason="needs the extra report")

STUDENT = (12.7062047362, 4.3026527297, 3.1824463053, 2.7764451052, 2.5705818356, 2.4469118511)
"""The 0.975 quantile of Student's t for 1, 2, ... degrees of freedom, to ten decimals: few make another last digit."""
Cells = dict[str, float]
UNITS: dict[str, tuple[str, float]] = {"": (",.0f", 1), "points": (".1f", 1), "B": (",.0f", 1), "MB": (".2f", 1e6)}
COMPARED: dict[str, tuple[Callable[[Cells], float], str, dict[int, float]]] = {
    "commits of a game": (lambda row: row["commits"], "", {}),
    "`.git` as the game ends (`du`)": (lambda row: row["disk_bytes"], "MB", {}),
    "the same per commit": (lambda row: row["disk_bytes"] / row["commits"], "B", {2: 2770, 4: 2180}),
    "elapsed time of a game": (lambda row: row["elapsed_s"], "s", {}),
    "elapsed time, per commit": (lambda row: row["elapsed_s"] / row["commits"], "s", {2: 113 / 880, 4: 406 / 1168}),
    "computing, per commit": (lambda row: row["computing_s"] / row["commits"], "s", {2: 0.0641, 4: 0.0997}),
    "synchronizing, per commit": (lambda row: row["synchronizing_s"] / row["commits"], "s", {2: 0.0644, 4: 0.2494}),
    "turns": (lambda row: row["turns"], "", {}),
    "winner's points": (lambda row: row["points"], "points", {}),
}
"""Lines with intervals: the value of a game, its unit, and the thesis's mean where the line has a ratio."""
PLAIN: dict[str, Callable[[Cells], float]] = {
    "on disk, `du`": lambda row: row["disk_bytes"] / row["commits"],
    "all files": lambda row: row["file_bytes"] / row["commits"],
    "packs alone": lambda row: row["pack_bytes"] / row["commits"],
    "after gc: all files": lambda row: row["gc_file_bytes"] / row["commits"],
    "pack of one commit": lambda row: row["pack_bytes_alone"] / row["actions"],
    "sent per commit": lambda row: row["sent_bytes"] / row["actions"],
    "sent per hand-over": lambda row: row["sent_bytes"] / row["hand_overs"],
}
"""Lines in bytes without intervals."""


def three_digits(value: float) -> str:
    return f"{value:,.0f}" if value >= 999.5 else f"{value:.3g}"


def told(values: list[float], unit: str, *, interval: bool) -> str:
    """``508 ± 62 B (502; 497–521)``."""
    mean, deviation = fmean(values), stdev(values) if len(values) > 1 else 0.0
    if unit == "s":
        unit, size = next(one for one in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)) if mean >= one[1])
        form = f".{2 - len(str(int(mean / size))) + 1}f"
        short = three_digits
    else:
        form, size = UNITS[unit]
        unit, short = unit.replace("points", ""), lambda value: format(value, form)
    spread = f"{mean / size:{form}} ± {deviation / size:{form}}" if len(values) > 1 else short(mean / size)
    inside = [short(median(values) / size)]
    if interval and len(values) > 1:
        half = STUDENT[len(values) - 2] * deviation / len(values) ** 0.5
        inside.append(f"{short(max(0.0, mean - half) / size)}–{short((mean + half) / size)}")
    return f"{f'{spread} {unit}'.rstrip()} ({'; '.join(inside)})"


@pytest.mark.parametrize("seed", range(4))
def test_the_tables_of_a_report_say_what_the_rows_of_the_games_come_to(seed: int, tmp_path: Path) -> None:
    rng, games = Random(seed), []
    sizes = ("disk_bytes", "file_bytes", "pack_bytes", "gc_file_bytes", "pack_bytes_alone", "sent_bytes")
    for players, count in ((2, rng.randint(2, 7)), (4, rng.randint(1, 7))):
        for number in range(count):
            actions, won = 4 * rng.randint(20, 60), rng.randint(10, 12)
            computing_s, synchronizing_s = rng.uniform(0.02, 4), rng.uniform(0.001, 1)
            one = replace(
                GAME, run=f"of {players}", game=number, players=players, actions=actions, commits=actions + 1,
                policies=" ".join(["random"] * players), points=" ".join([str(won), *["3"] * (players - 1)]),
                computing_s=computing_s, synchronizing_s=synchronizing_s, elapsed_s=computing_s + synchronizing_s,
                turns=rng.randint(10, 400), hand_overs=rng.randint(10, 50),
                counts={name: rng.randint(1, 90) for name in COUNTS},
                **{name: rng.randint(20_000, 900_000) for name in sizes},  # type: ignore[arg-type]
            )  # fmt: skip
            games.append(one)
    folder = write_metrics_by_hand(tmp_path, games)
    groups: dict[int, list[Cells]] = {2: [], 4: []}
    with (folder / "games.csv").open(newline="") as file:
        for row in csv.DictReader(file):
            number = {name: float(cell) for name, cell in row.items() if cell.replace(".", "").isdigit()}
            groups[int(row["players"])].append(number | {"points": float(row["points"].split()[0])})
    found = sections(load_report_data(folder))
    blocks = [block for section in found for block in section.blocks if isinstance(block, ReportTable)]
    lines = {row[0]: row[1:] for table in blocks for row in table.rows}
    for name, (value, unit, published) in COMPARED.items():
        cells = lines[name][::3] if len(lines[name]) > 2 else lines[name]
        assert cells == tuple(told([*map(value, rows)], unit, interval=True) for rows in groups.values()), name
        if len(lines[name]) > 2:
            means = ((players, fmean(map(value, rows))) for players, rows in groups.items())
            ratios = [three_digits(published[players] / mean) if published else "-" for players, mean in means]
            assert [*lines[name][2::3]] == ratios, name
    for name, value in PLAIN.items():
        expected = tuple(told([*map(value, rows)], "B", interval=False) for rows in groups.values())
        assert lines[name] == expected, name
    diffs = lines["`git diff` of a commit, unless it is empty"][::3]
    for cell, rows in zip(diffs, groups.values(), strict=True):
        every = [size for row in rows for size in (400, 500, 600, 2500) * (int(row["actions"]) // 4)]
        assert cell == f"1,000 ± {stdev(every):,.0f} B (550; n = {len(every):,})"
    for name in ("gained_Ore", "bought_Knight", "gained_Wool", "bought_Monopoly"):
        kind, what = name.split("_")
        assert lines[f"{what} {kind}"] == tuple(
            f"{fmean(row[name] for row in rows):,.1f}" for rows in groups.values()
        ), name
