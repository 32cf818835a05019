"""A study over simulated links: topologies, kinds of networks and numbers of players; a table and a picture.

    python -m benchmarks.network_study [--games N] [--players 2,4] [--out FOLDER]

A cell is the mean over N games of their median hand-overs, with its 95 % by bootstrap; all cells have the same seeds.
"""

from __future__ import annotations

import argparse
import csv
import sys
from pathlib import Path
from statistics import mean
from typing import Any

from catan_p2p.metrics.intervals import bootstrap_mean
from catan_p2p.report.style import COLOURS, log_seconds, render
from catan_p2p.simulation.game import Settings
from catan_p2p.simulation.network.figures import summary
from catan_p2p.simulation.network.presets import PRESETS
from catan_p2p.simulation.network.spec import parse_network
from catan_p2p.simulation.network.world import World

OVERLAYS = ("all", "star", "ring")
RULES = "thesis; PointsToWin = 4"
FIELDS = (
    "network",
    "overlay",
    "players",
    "games",
    "hand_over_s",
    "low_s",
    "high_s",
    "fetches",
    "bytes",
    "wasted_share",
)


def study(games: int, players: tuple[int, ...]) -> list[dict[str, Any]]:
    """A row for each network, overlay and number of players."""
    rows = []
    for profile in PRESETS:
        for overlay in OVERLAYS:
            for count in players:
                told = []
                for seed in range(1, games + 1):
                    settings = Settings(count, 1, seed, ("builder",), RULES, topology="network", signed=True)
                    world = World(0, settings, parse_network(f"{profile}; overlay = {overlay}"))
                    world.run()
                    told.append(summary(world))
                times = [one["hand_over"]["p50_s"] for one in told]
                interval = bootstrap_mean(times) or (mean(times), mean(times))
                looks = sum(one["looks"] for one in told)
                rows.append(
                    {
                        "network": profile,
                        "overlay": overlay,
                        "players": count,
                        "games": games,
                        "hand_over_s": round(mean(times), 4),
                        "low_s": round(interval[0], 4),
                        "high_s": round(interval[1], 4),
                        "fetches": round(sum(one["fetches"] for one in told) / games, 1),
                        "bytes": round(sum(way["bytes"] for one in told for way in one["links"]) / games),
                        "wasted_share": round(sum(one["wasted_looks"] for one in told) / max(1, looks), 3),
                    }
                )
                print(rows[-1], file=sys.stderr, flush=True)
    return rows


def draw(figure: Any, rows: list[dict[str, Any]]) -> None:
    """Hand-overs by network, a colour an overlay, a panel a number of players."""
    counts = sorted({row["players"] for row in rows})
    panels = figure.subplots(len(counts), 1, squeeze=False, sharex=True)[:, 0]
    for ax, count in zip(panels, counts, strict=True):
        for i, overlay in enumerate(OVERLAYS):
            own = [row for row in rows if row["overlay"] == overlay and row["players"] == count]
            at = [list(PRESETS).index(row["network"]) + (i - 1) * 0.18 for row in own]
            middle = [row["hand_over_s"] for row in own]
            spread = [
                [max(0.0, row["hand_over_s"] - row["low_s"]) for row in own],
                [max(0.0, row["high_s"] - row["hand_over_s"]) for row in own],
            ]
            ax.errorbar(at, middle, yerr=spread, fmt="o", ms=4, capsize=3, color=COLOURS[i], label=overlay)
        ax.set_yscale("log")
        log_seconds(ax.yaxis)
        ax.set_title(f"{count} players")
        ax.set_ylabel("median hand-over")
        ax.set_xticks(range(len(PRESETS)), list(PRESETS), fontsize=8)
    panels[0].legend()


def main() -> int:
    parser = argparse.ArgumentParser(description="Study hand-overs over simulated links.")
    parser.add_argument("--games", type=int, default=30, help="in each cell (default: 30)")
    parser.add_argument("--players", default="2,4", help="numbers of players, with commas between (default: 2,4)")
    parser.add_argument("--out", type=Path, default=Path("docs/figures"), help="(default: docs/figures)")
    args = parser.parse_args()
    rows = study(args.games, tuple(map(int, args.players.split(","))))
    with (args.out / "network-study.csv").open("w", encoding="utf-8", newline="") as file:
        write = csv.DictWriter(file, FIELDS, lineterminator="\n")
        write.writeheader()
        write.writerows(rows)
    counts = len({row["players"] for row in rows})
    picture = render(lambda figure: draw(figure, rows), 0.6 + 2.4 * counts)
    (args.out / "network-study.png").write_bytes(picture.png)
    return 0


if __name__ == "__main__":
    sys.exit(main())
