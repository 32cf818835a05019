"""A study over simulated links: topologies, kinds of networks, players, spectators; a page with its pictures.

    python -m benchmarks.network_study [--games N] [--players 2,4] [--spectators 0,100] [--jobs J] [--out FOLDER]

All cells have the same seeds; intervals are 95 % by bootstrap over games.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

from catan_p2p.metrics.network import NetworkGame, network_csv
from catan_p2p.report.blocks import FigureBlock, Section
from catan_p2p.report.markdown import markdown_page
from catan_p2p.report.network import network_section
from catan_p2p.report.style import render
from catan_p2p.simulation.game import Settings
from catan_p2p.simulation.laboratory.figures import summary
from catan_p2p.simulation.laboratory.presets import PRESETS
from catan_p2p.simulation.laboratory.spec import parse_network
from catan_p2p.simulation.laboratory.world import World

OVERLAYS = ("all", "star", "ring")
RULES = "thesis; PointsToWin = 3"
PAGE = "network-study.md"
PICTURES = "figures"
TABLE = "network-study.csv"


class Task(NamedTuple):
    """A game to be played."""

    network: str
    players: int
    seed: int


def tasks(games: int, players: Sequence[int], spectators: Sequence[int]) -> list[Task]:
    """Every kind of network with every topology and number of players; and one of them with spectators."""
    seeds = range(1, games + 1)
    grid = [
        Task(f"{profile}; overlay = {overlay}" if overlay != "all" else profile, count, seed)
        for profile in PRESETS
        for overlay in OVERLAYS
        for count in players
        for seed in seeds
    ]
    followed = [
        Task(f"continent; overlay = {overlay}; spectators = {count}" if overlay != "all" else
             f"continent; spectators = {count}", min(players), seed)
        for overlay in OVERLAYS
        for count in spectators
        if count
        for seed in seeds
    ]  # fmt: skip
    return grid + followed


def play(task: Task) -> NetworkGame:
    """Play a game, with signatures, which stars and rings need."""
    settings = Settings(task.players, 1, task.seed, ("builder",), RULES, topology="network", signed=True)
    world = World(0, settings, parse_network(task.network))
    world.run()
    return NetworkGame("study", task.seed, task.players, task.network, summary(world))


def play_all(what: Sequence[Task], jobs: int) -> list[NetworkGame]:
    """Play games on so many processes; tells how far it is."""
    found = []
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        for game in pool.map(play, what):
            found.append(game)
            print(f"\r{len(found)} of {len(what)} games", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return found


def write_study(games: Sequence[NetworkGame], out: Path, command: str) -> None:
    """The page, its pictures and its table."""
    pictures = out / PICTURES
    pictures.mkdir(parents=True, exist_ok=True)
    section = network_section(games)
    for block in section.blocks:
        if isinstance(block, FigureBlock):
            (pictures / f"{block.name}.png").write_bytes(render(block.draw, block.height_in).png)
    (pictures / TABLE).write_text(network_csv(games), encoding="utf-8")
    text = markdown_page("A study over simulated links", [Section("Figures", section.blocks)])
    shown = re.sub(r"\]\(([\w-]+\.png)\)", rf"]({PICTURES}/\1)", text)
    title, _, rest = shown.partition("\n")
    cells = len({(game.network, game.players) for game in games})
    note = (
        f"Written by `{command}`: {len(games)} games of {cells} kinds, signed, with the rules {RULES!r}, of seeds "
        f"that all kinds have in common. What the networks are is in [network.md](network.md), a line a game in "
        f"[{TABLE}]({PICTURES}/{TABLE})."
    )
    (out / PAGE).write_text(f"{title}\n\n{note}\n{rest}", encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description="Study games over simulated links.")
    parser.add_argument("--games", type=int, default=10, help="in each cell (default: 10)")
    parser.add_argument("--players", type=_numbers, default=(2, 4), help="with commas between (default: 2,4)")
    parser.add_argument("--spectators", type=_numbers, default=(10, 100, 1000), help="(default: 10,100,1000)")
    parser.add_argument("--jobs", type=int, default=1, help="processes (default: 1)")
    parser.add_argument("--out", type=Path, default=Path("docs"), help="(default: docs)")
    args = parser.parse_args()
    games = play_all(tasks(args.games, args.players, args.spectators), args.jobs)
    write_study(games, args.out, " ".join(["python -m benchmarks.network_study", *sys.argv[1:]]))
    return 0


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split(",")))


if __name__ == "__main__":
    sys.exit(main())
