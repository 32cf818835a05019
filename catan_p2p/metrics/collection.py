"""All games below a folder, measured and kept as ``games.csv``, ``actions.csv`` and ``summary.json``.

Games over simulated links also have ``network.csv`` and ``network.json``.
"""

from __future__ import annotations

import contextlib
import json
import statistics
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import asdict, dataclass
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from catan_p2p.log.folders import GamePath
from catan_p2p.log.storage.objects import StoreError
from catan_p2p.metrics.games import MeasuredGame, measure_game
from catan_p2p.metrics.machine import describe_machine
from catan_p2p.metrics.network import NetworkGame, write_networks
from catan_p2p.metrics.recorded import read_json
from catan_p2p.metrics.rows import ActionRow, GameRow, read_rows, write_rows
from catan_p2p.simulation.game import Settings

FOLDER = "metrics"
GAMES_FILE = "games.csv"
ACTIONS_FILE = "actions.csv"
SUMMARY_FILE = "summary.json"
LATENCY_FILE = "latency.json"


@dataclass(frozen=True, slots=True)
class Spread:
    """Mean and standard deviation (of the sample; 0 for a single value) of ``count`` values."""

    count: int
    mean: float
    deviation: float


def spread(values: Sequence[float]) -> Spread:
    """Mean and standard deviation of some values, at least one."""
    return Spread(len(values), statistics.fmean(values), statistics.stdev(values) if len(values) > 1 else 0.0)


Measured = Callable[[int, int, GameRow], None]
"""Called after each game with how many have been measured, how many there are, and its row."""


def measure_games(
    games: Sequence[GamePath], *, thorough: bool = True, jobs: int = 1, measured: Measured | None = None
) -> Iterator[MeasuredGame]:
    """Measure games in their order, on ``jobs`` processes; ``StoreError`` names one that cannot be measured."""
    for count, game in enumerate(_measure_all(games, thorough, jobs), 1):
        if measured is not None:
            measured(count, len(games), game.game)
        yield game


def _measure_all(games: Sequence[GamePath], thorough: bool, jobs: int) -> Iterator[MeasuredGame]:
    if jobs == 1:
        for game in games:
            yield measure_game(game.path, game.run, thorough=thorough)
        return
    with ProcessPoolExecutor(min(jobs, len(games)), mp_context=get_context("spawn")) as pool:
        left = iter(games)
        ahead: deque[Future[MeasuredGame]] = deque()
        try:
            # What is measured is let go of once it is taken, and only a few games are measured ahead of that.
            while True:
                for game in islice(left, 2 * jobs - len(ahead)):
                    ahead.append(pool.submit(measure_game, game.path, game.run, thorough=thorough))
                if not ahead:
                    return
                yield ahead.popleft().result()
        except BaseException:
            pool.shutdown(wait=True, cancel_futures=True)
            raise


def write_metrics(folder: Path, games: Iterator[MeasuredGame]) -> list[GameRow]:
    """Measure games and write the tidy files into ``folder``; returns the games' rows."""
    rows: list[GameRow] = []
    settings: dict[str, Settings | None] = {}
    networks: list[NetworkGame] = []

    def actions() -> Iterator[ActionRow]:
        for game in games:
            rows.append(game.game)
            settings[game.game.run] = game.settings
            if game.network is not None:
                networks.append(game.network)
            yield from game.actions

    was_there = folder.exists()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_rows(folder / ACTIONS_FILE, ActionRow, actions())
        write_rows(folder / GAMES_FILE, GameRow, rows)
        write_networks(folder, networks)
        text = json.dumps(summarize(rows, settings), indent=2) + "\n"
        (folder / SUMMARY_FILE).write_text(text, encoding="utf-8")
    except BaseException as error:
        if not was_there:
            with contextlib.suppress(OSError):
                folder.rmdir()
        if not isinstance(error, OSError):
            raise
        raise StoreError(f"{folder}: cannot write: {error.strerror or error}") from error
    return rows


def read_games(folder: Path) -> list[GameRow]:
    """The rows of ``games.csv`` in a folder of metrics."""
    return list(read_rows(folder / GAMES_FILE, GameRow))


def read_actions(folder: Path) -> Iterator[ActionRow]:
    """The rows of ``actions.csv`` in a folder of metrics, one after the other."""
    return read_rows(folder / ACTIONS_FILE, ActionRow)


def read_summary(folder: Path) -> dict[str, Any]:
    """What ``summary.json`` in a folder of metrics says; ``StoreError`` if it cannot be read."""
    path = folder / SUMMARY_FILE
    summary = read_json(path)
    if not (
        isinstance(summary, dict)
        and isinstance(summary.get("machine", {}), dict)
        and isinstance(runs := summary.get("runs", {}), dict)
        and all(isinstance(run, dict) for run in runs.values())
    ):
        raise StoreError(f"{path}: not a summary of metrics")
    return summary


def summarize(rows: Sequence[GameRow], settings: Mapping[str, Settings | None]) -> dict[str, Any]:
    """Versions, machine, and for each run its settings and the mean and deviation of the thesis's figures.

    ``settings`` are those of the runs, None where they were not recorded.
    """
    runs: dict[str, list[GameRow]] = {}
    for row in rows:
        runs.setdefault(row.run, []).append(row)
    return {
        "machine": describe_machine(),
        "runs": {run: _summarize_run(games, settings[run]) for run, games in runs.items()},
    }


FIGURES: dict[str, Callable[[GameRow], float | None]] = {
    "actions": lambda row: row.actions,
    "commits": lambda row: row.commits,
    "turns": lambda row: row.turns,
    "disk_bytes": lambda row: row.disk_bytes,
    "file_bytes": lambda row: row.file_bytes,
    "gc_disk_bytes": lambda row: row.gc_disk_bytes,
    "gc_file_bytes": lambda row: row.gc_file_bytes,
    "disk_bytes_per_commit": lambda row: row.disk_bytes / row.commits,
    "file_bytes_per_commit": lambda row: row.file_bytes / row.commits,
    "pack_bytes_per_commit": lambda row: row.pack_bytes / row.commits,
    "gc_file_bytes_per_commit": lambda row: _per(row.gc_file_bytes, row.commits),
    "gc_pack_bytes_per_commit": lambda row: _per(row.gc_pack_bytes, row.commits),
    "diff_bytes_per_action": lambda row: row.diff_bytes / row.actions,
    "empty_diff_share": lambda row: row.empty_diffs / row.actions,
    "changed_objects_per_action": lambda row: row.changed_object_count / row.actions,
    "pack_bytes_alone_per_action": lambda row: row.pack_bytes_alone / row.actions,
    "sent_bytes_per_action": lambda row: _per(row.sent_bytes, row.actions),
    "sent_bytes_per_hand_over": lambda row: _per(row.sent_bytes, row.hand_overs),
    "elapsed_s": lambda row: row.elapsed_s,
    "computing_s_per_action": lambda row: _per(row.computing_s, row.actions),
    "synchronizing_s_per_action": lambda row: _per(row.synchronizing_s, row.actions),
    "waiting_s_per_action": lambda row: _per(row.waiting_s, row.actions),
    "fetches": lambda row: row.fetches,
    "bytes_received": lambda row: row.bytes_received,
    "choose_s_per_action": lambda row: _per(row.choose_s, row.actions),
    "apply_s_per_action": lambda row: _per(row.apply_s, row.actions),
    "check_s_per_action": lambda row: _per(row.check_s, row.actions),
    "write_s_per_action": lambda row: _per(row.write_s, row.actions),
}
"""The figures that are summed up for every run, by their names in ``summary.json``."""


def _per(value: float | None, count: int | None) -> float | None:
    return value / count if value is not None and count else None


def _summarize_run(games: Sequence[GameRow], settings: Settings | None) -> dict[str, Any]:
    figures = {}
    for name, figure in FIGURES.items():
        values = [value for row in games if (value := figure(row)) is not None]
        if values:
            found = spread(values)
            figures[name] = {"mean": found.mean, "deviation": found.deviation, "count": found.count}
    return {
        "settings": settings and asdict(settings),
        "games": len(games),
        "players": sorted({row.players for row in games}),
        "policies": sorted({row.policies for row in games}),
        "rules": sorted({row.rules for row in games}),
        "topology": sorted({row.topology for row in games}),
        "seeds": sorted({row.seed for row in games if row.seed is not None}),
        "without_winner": sum(not row.winner for row in games),
        "rejected": sum(row.rejected for row in games),
        "resumed": sum(bool(row.resumed) for row in games),
        "actions": sum(row.actions for row in games),
        "figures": figures,
        "counts": {name: sum(row.counts[name] for row in games) for name in games[0].counts},
    }
