"""A study over simulated links: topologies, kinds of networks, players, spectators; a page with its pictures.

    python -m benchmarks.network_study [--games N] [--players 2,4] [--spectators 0,100] [--jobs J] [--out FOLDER]

All cells have the same seeds; intervals are 95 % by bootstrap over games. Only the tables of the page are written, its
text is not.
"""

import argparse
import csv
import io
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from typing import NamedTuple

from catan_p2p.metrics.network import NetworkGame, network_csv
from catan_p2p.plot_style import render
from catan_p2p.report.blocks import FigureBlock
from catan_p2p.report.network import network_section
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
SHOWN = ("network-overlays", "network-costs")
"""The pictures that the page shows."""
WORDS = {"all": "direct", "star": "a relay", "ring": "ring"}
"""What the page calls the topologies."""


class Task(NamedTuple):
    """A game to be played."""

    network: str
    players: int
    seed: int


def tasks(games: int, players: Sequence[int], spectators: Sequence[int]) -> list[Task]:
    """Every kind of network with every topology and number of players; and one of them with spectators.

    A ring of two is the same as everybody with everybody.
    """
    seeds = range(1, games + 1)
    grid = [
        Task(f"{profile}; overlay = {overlay}" if overlay != "all" else profile, count, seed)
        for profile in PRESETS
        for overlay in OVERLAYS
        for count in players
        if overlay != "ring" or count > 2
        for seed in seeds
    ]
    followed = [
        Task(f"continent; overlay = {overlay}; spectators = {count}" if overlay != "all" else
             f"continent; spectators = {count}", min(players), seed)
        for overlay in OVERLAYS
        for count in spectators
        if count and (overlay != "ring" or min(players) > 2)
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


def write_study(games: Sequence[NetworkGame], out: Path) -> None:
    """The table of all games and its pictures; the page's tables follow from it."""
    pictures = out / PICTURES
    pictures.mkdir(parents=True, exist_ok=True)
    for block in network_section(games).blocks:
        if isinstance(block, FigureBlock) and block.name in SHOWN:
            (pictures / f"{block.name}.png").write_bytes(render(block.draw, block.height_in).png)
    (pictures / TABLE).write_text(network_csv(games), encoding="utf-8")
    text = (Path("docs/research") / PAGE).read_text("utf-8")
    (out / PAGE).write_text(with_tables(text, (pictures / TABLE).read_text("utf-8")), encoding="utf-8")


def with_tables(page: str, games: str) -> str:
    """The page with the tables that follow from ``games``, a line of comma-separated values for each game."""
    cells: dict[tuple[str, str, str], list[dict[str, str]]] = {}
    for row in csv.DictReader(io.StringIO(games)):
        cells.setdefault((row["profile"], row["players"], f"{row['overlay']} {row['spectators']}"), []).append(row)
    columns = [key for profile, *key in cells if profile == "lan"]
    names = [f"{players} players, {WORDS[kind.split()[0]]}" for players, kind in columns]
    profiles = list(dict.fromkeys(profile for profile, *_ in cells))
    hand_overs = [["", *names]] + [
        [profile, *(_times(cells[profile, *column], "hand_over") for column in columns)] for profile in profiles
    ]
    weights = [["", *names]] + [
        [profile, *(f"{_an_action(cells[profile, *column], 'all_bytes') / 1000:.1f}" for column in columns)]
        for profile in profiles
    ]
    watched = [key for key in cells if not key[2].endswith(" 0")]
    spectators = [["spectators", "look at", "age of what they see", "hand-over of the players", "kB an action"]] + [
        [kind.split()[1], WORDS[kind.split()[0]], _times(cells[profile, players, kind], "staleness"),
         _times(cells[profile, players, kind], "hand_over"),
         f"{_an_action(cells[profile, players, kind], 'all_bytes') / 1000:,.0f}"]
        for profile, players, kind in watched
    ]  # fmt: skip
    for name, table in (("hand-overs", hand_overs), ("weights", weights), ("spectators", spectators)):
        head, *rows = (f"| {' | '.join(row)} |" for row in table)
        text = "\n".join([head, "|" + " --- |" * len(table[0]), *rows])
        begin, end = f"<!-- {name} -->\n", "<!-- end -->"
        before, _, rest = page.partition(begin)
        page = f"{before}{begin}\n{text}\n\n{end}{rest.partition(end)[2]}"
    return page


def _times(games: Sequence[dict[str, str]], what: str) -> str:
    """The middle of the games' medians, and of their 95th percentiles."""
    return " / ".join(
        _time(median(float(game[f"{what}_{quantile}_s"]) for game in games)) for quantile in ("p50", "p95")
    )


def _time(seconds: float) -> str:
    return f"{seconds * 1000:.0f} ms" if seconds < 0.9995 else f"{seconds:.1f} s"


def _an_action(games: Sequence[dict[str, str]], what: str) -> float:
    return sum(float(game[what]) for game in games) / sum(float(game["actions"]) for game in games)


def main() -> int:
    parser = argparse.ArgumentParser(description="Study games over simulated links.")
    parser.add_argument("--games", type=int, default=10, help="in each cell (default: 10)")
    parser.add_argument("--players", type=_numbers, default=(2, 4), help="with commas between (default: 2,4)")
    parser.add_argument("--spectators", type=_numbers, default=(10, 100, 1000), help="(default: 10,100,1000)")
    parser.add_argument("--jobs", type=int, default=1, help="processes (default: 1)")
    parser.add_argument("--out", type=Path, default=Path("docs/research"), help="(default: docs/research)")
    args = parser.parse_args()
    games = play_all(tasks(args.games, args.players, args.spectators), args.jobs)
    write_study(games, args.out)
    return 0


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split(",")))


if __name__ == "__main__":
    sys.exit(main())
