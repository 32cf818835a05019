"""Measures games when they end, in the process that has played them; the tables are those of the verb ``metrics``.

The rows of a game are in ``DIR/metrics/measured`` until the run is over, so an interrupted run loses nothing.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from catan_p2p.log.folders import GamePath, find_games
from catan_p2p.metrics.collection import FOLDER, write_metrics
from catan_p2p.metrics.games import MeasuredGame, digest_branches, measure_game
from catan_p2p.metrics.network import recorded_network
from catan_p2p.metrics.recorded import recorded_settings
from catan_p2p.metrics.rows import ActionRow, GameRow, read_rows, write_rows
from catan_p2p.metrics.totals import RunTotals
from catan_p2p.simulation.game import SimulationSettings, game_folder
from catan_p2p.simulation.play import GameWithoutWinner, Played
from catan_p2p.simulation.timings import timings_file, write_timings

_MEASURED = "measured"


def measure_played(
    out: Path, number: int, settings: SimulationSettings, played: Played, run: str, *, thorough: bool
) -> MeasuredGame:
    """Measure game ``number`` in the folder ``out``, which has just ended, before its result is recorded."""
    folder = game_folder(out, number)
    result = None
    if not isinstance(played, GameWithoutWinner):
        write_timings(timings_file(folder), played.timings, played.syncs)
        result = played.result
    [game] = find_games(folder).games
    return measure_game(game.path, run, thorough=thorough, recorded=(result, settings))


@dataclass(frozen=True, slots=True)
class RunMeasurement:
    """Measures each game of the run called ``run`` once it has ended; ``thorough`` as ``measure_game`` takes it."""

    run: str
    thorough: bool = True

    def __call__(self, out: Path, number: int, settings: SimulationSettings, played: Played) -> None:
        """Measure game ``number`` in the folder ``out``, before the run records its result."""
        measured = measure_played(out, number, settings, played, self.run, thorough=self.thorough)
        actions, row = _files(out, number)
        actions.parent.mkdir(parents=True, exist_ok=True)
        write_rows(actions, ActionRow, measured.actions)
        write_rows(row, GameRow, [measured.game])

    def collect(self, out: Path) -> dict[str, RunTotals]:
        """Write the tables of the run in the folder ``out``; games without measurements are measured now."""
        found = find_games(out)
        totals = write_metrics(out / FOLDER, (self._measured(out, game) for game in found.games))
        shutil.rmtree(out / FOLDER / _MEASURED, ignore_errors=True)
        return totals

    def _measured(self, out: Path, game: GamePath) -> MeasuredGame:
        number = int(game.name.rpartition("_")[2])
        return self._kept(out, number, game) or measure_game(game.path, self.run, thorough=self.thorough)

    def _kept(self, out: Path, number: int, game: GamePath) -> MeasuredGame | None:
        """The measurements of a game from when it ended; None if there are none, or if it has changed since."""
        actions, row = _files(out, number)
        if not row.exists():
            return None
        [measured] = read_rows(row, GameRow)
        if measured.run != self.run or (self.thorough and measured.gc_file_bytes is None):
            return None
        if measured.branches != digest_branches(game.path):  # a game without a winner that was continued
            return None
        settings, network = recorded_settings(game.path), None
        rows = tuple(read_rows(actions, ActionRow))
        if settings is not None and settings.topology == "network":
            given = (self.run, measured.players, settings.network)
            network = recorded_network(game.path, number, {row.commit for row in rows}, *given)
        return MeasuredGame(measured, rows, settings, network)


def _files(out: Path, number: int) -> tuple[Path, Path]:
    """The files of a game's rows until the run is over: of its actions, and of the game."""
    folder = out / FOLDER / _MEASURED
    return folder / f"{number}.actions.csv", folder / f"{number}.game.csv"
