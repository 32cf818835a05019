"""Reads what a simulation recorded beside its games: the settings of the run, and how each game ended."""

import json
from collections.abc import Container
from functools import lru_cache
from pathlib import Path
from typing import Any

from catan_p2p.log.folders import RESULTS_FILE
from catan_p2p.log.storage.objects import StoreError
from catan_p2p.simulation.game import GameResult, SimulationSettings
from catan_p2p.simulation.run import RUN_FILE, check_settings, parse_record, parse_result


def game_folder_of(path: Path) -> Path:
    """The folder of a game; ``path`` is its shared repository, or the repository of a player."""
    whole = path.resolve()
    return whole.parent if whole.parent.name.startswith("Catan_") else path


def run_folder(path: Path) -> Path:
    """The folder of the run that the game with the repository at ``path`` belongs to."""
    return game_folder_of(path).resolve().parent


def read_json(path: Path) -> Any:
    """The contents of a JSON file; ``StoreError`` if it cannot be read or is not JSON."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise StoreError(f"{path}: cannot read: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise StoreError(f"{path}: not JSON: {error}") from None


def recorded_settings(path: Path) -> SimulationSettings | None:
    """The settings with which the game at ``path`` was played; None if there are none that can be read."""
    try:
        return parse_settings(json.loads((run_folder(path) / RUN_FILE).read_text(encoding="utf-8")))
    except (OSError, ValueError, RecursionError):
        return None


def parse_settings(raw: object) -> SimulationSettings | None:
    """A simulation's settings from JSON; None if it is something else, or if the settings are impossible."""
    if not isinstance(raw, dict) or "policies" not in raw:  # all fields have defaults, which nobody recorded here
        return None
    try:
        settings = parse_record(SimulationSettings, raw)
        check_settings(settings)
    except ValueError:
        return None
    return settings


def recorded_result(path: Path, number: int, commits: Container[str]) -> GameResult | None:
    """The simulation's result of the game at ``path``: the one whose last commit is in ``commits``.

    None if there is none. An unfinished last line is ignored. ``StoreError`` names file and line of anything that is
    not a result.
    """
    results = run_folder(path) / RESULTS_FILE
    try:
        seen = results.stat()
        places = _places_of(results, seen.st_size, seen.st_mtime_ns).get(number, ())
        with results.open("rb") as file:
            for place, start in places:
                file.seek(start)
                result = parse_result(file.readline(), f"{results}, line {place}")
                if result.head in commits:
                    return result
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StoreError(f"{results}: cannot read: {error.strerror or error}") from error
    return None


@lru_cache(maxsize=1)
def _places_of(results: Path, size: int, changed_ns: int) -> dict[int, list[tuple[int, int]]]:
    """For each game, its lines in a file of results: their numbers, from 1, and where they begin.

    Size and time of the last change are arguments so that an unchanged file is read only once for all its games.
    """
    found: dict[int, list[tuple[int, int]]] = {}
    start = 0
    with results.open("rb") as file:
        for place, line in enumerate(file, 1):
            if line.endswith(b"\n"):
                found.setdefault(parse_result(line, f"{results}, line {place}").game, []).append((place, start))
            start += len(line)
    return found
