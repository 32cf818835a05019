"""Measures all games below a folder and writes ``games.csv``, ``actions.csv`` and ``summary.json``.

Games over simulated links also have ``network.csv`` and ``network.json``.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import starmap
from pathlib import Path
from typing import Any

from catan_p2p.log.folders import GamePath
from catan_p2p.log.storage.objects import StoreError
from catan_p2p.metrics.games import MeasuredGame, measure_game
from catan_p2p.metrics.machine import describe_machine
from catan_p2p.metrics.network import open_networks
from catan_p2p.metrics.recorded import read_json
from catan_p2p.metrics.rows import ActionRow, GameRow, cells_of, kinds_of, open_table, read_rows
from catan_p2p.metrics.tables import write_parquet
from catan_p2p.metrics.totals import RunTotals
from catan_p2p.simulation.processes import each_on_processes

FOLDER = "metrics"
GAMES_FILE = "games.csv"
ACTIONS_FILE = "actions.csv"
SUMMARY_FILE = "summary.json"
LATENCY_FILE = "latency.json"


Measured = Callable[[int, int, GameRow], None]
"""Called after each game with how many have been measured, how many there are, and its row."""


def measure_games(
    games: Sequence[GamePath], *, thorough: bool = True, jobs: int = 1, measured: Measured | None = None
) -> Iterator[MeasuredGame]:
    """Measure games on ``jobs`` processes and yield them in order; ``StoreError`` names one that cannot be measured."""
    for count, game in enumerate(_measure_all(games, thorough, jobs), 1):
        if measured is not None:
            measured(count, len(games), game.game)
        yield game


def _measure_all(games: Sequence[GamePath], thorough: bool, jobs: int) -> Iterator[MeasuredGame]:
    measure, work = partial(measure_game, thorough=thorough), ((game.path, game.run) for game in games)
    if jobs == 1:
        return starmap(measure, work)
    return each_on_processes(measure, work, min(jobs, max(1, len(games))), in_order=True)


def write_metrics(folder: Path, games: Iterable[MeasuredGame]) -> dict[str, RunTotals]:
    """Write the tables of games into ``folder``; returns the totals of each run.

    Each game is written before the next one is measured, so only one is in memory.
    """
    runs: dict[str, RunTotals] = {}
    was_there = folder.exists()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with (
            open_table(folder / ACTIONS_FILE, ActionRow) as write_action,
            open_table(folder / GAMES_FILE, GameRow) as write_game,
            open_networks(folder) as write_network,
        ):
            for game in games:
                for action in game.actions:
                    write_action(action)
                write_game(game.game)
                if game.network is not None:
                    write_network(game.network)
                if game.game.run not in runs:
                    runs[game.game.run] = RunTotals(game.settings)
                runs[game.game.run].add(game.game)
        text = json.dumps(summarize(runs), indent=2) + "\n"
        (folder / SUMMARY_FILE).write_text(text, encoding="utf-8")
    except BaseException as error:
        if not was_there:
            with contextlib.suppress(OSError):  # not empty: it stays
                folder.rmdir()
        if not isinstance(error, OSError):
            raise
        raise StoreError(f"{folder}: cannot write: {error.strerror or error}") from error
    return runs


def write_parquet_tables(folder: Path) -> Iterator[Path]:
    """Write the tables of ``folder`` as Parquet beside them, one after the other; yields the files.

    ``StoreError`` if something cannot be read or written.
    """
    for name, row_type in ((GAMES_FILE, GameRow), (ACTIONS_FILE, ActionRow)):
        path = (folder / name).with_suffix(".parquet")
        write_parquet(path, kinds_of(row_type), map(cells_of, read_rows(folder / name, row_type)))
        yield path


def read_games(folder: Path) -> list[GameRow]:
    """The rows of ``games.csv`` in a folder of metrics."""
    return list(read_rows(folder / GAMES_FILE, GameRow))


def read_actions(folder: Path) -> Iterator[ActionRow]:
    """The rows of ``actions.csv`` in a folder of metrics, read one at a time."""
    return read_rows(folder / ACTIONS_FILE, ActionRow)


def read_summary(folder: Path) -> dict[str, Any]:
    """The contents of ``summary.json`` in a folder of metrics; ``StoreError`` if it cannot be read."""
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


def summarize(runs: Mapping[str, RunTotals]) -> dict[str, Any]:
    """The contents of ``summary.json``: versions, machine, and for each run its settings and the spread of figures."""
    return {"machine": describe_machine(), "runs": {run: totals.as_json() for run, totals in runs.items()}}
