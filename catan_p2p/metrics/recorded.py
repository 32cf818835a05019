"""Reads what a simulation recorded beside its games: the settings of the run, and how each game ended."""

import json
import math
from collections.abc import Callable, Container
from functools import lru_cache
from pathlib import Path
from typing import Any

from catan_p2p.log.folders import RESULTS_FILE
from catan_p2p.log.storage.objects import StoreError
from catan_p2p.simulation.game import SimulationSettings
from catan_p2p.simulation.run import RUN_FILE, check_settings, parse_record


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
    try:
        settings = parse_record(SimulationSettings, raw)
        check_settings(settings)
    except ValueError:
        return None
    return settings


def _is_count(value: object) -> bool:
    return type(value) is int and value >= 0


def _is_duration(value: object) -> bool:
    return type(value) in (int, float) and math.isfinite(value) and value >= 0  # type: ignore[arg-type, operator]


_FIELDS: dict[str, Callable[[object], bool]] = {
    "game": _is_count,
    "seed": lambda value: type(value) is int,
    "policies": lambda value: isinstance(value, list) and all(isinstance(name, str) for name in value),
    "head": lambda value: isinstance(value, str),
    "resumed": lambda value: isinstance(value, bool),
    **dict.fromkeys(("tries", "findings", "fetches", "bytes_received"), _is_count),
    **dict.fromkeys(("elapsed_s", "computing_s", "synchronizing_s", "waiting_s"), _is_duration),
}
"""Checks of those fields of a result that are read."""


def recorded_result(path: Path, number: int, commits: Container[str]) -> dict[str, Any]:
    """The simulation's result of the game at ``path``: the one whose last commit is in ``commits``.

    Empty if there is none. An unfinished last line is ignored. ``StoreError`` names file and line of anything that is
    not a result.
    """
    results = run_folder(path) / RESULTS_FILE
    try:
        seen = results.stat()
        places = _places_of(results, seen.st_size, seen.st_mtime_ns).get(number, ())
        with results.open("rb") as file:
            for place, start in places:
                file.seek(start)
                result = _result(file.readline()[:-1], results, place)
                if result.get("head") in commits:
                    return result
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise StoreError(f"{results}: cannot read: {error.strerror or error}") from error
    return {}


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
                found.setdefault(_result(line[:-1], results, place).get("game", -1), []).append((place, start))
            start += len(line)
    return found


def _result(line: bytes, results: Path, place: int) -> dict[str, Any]:
    try:
        result = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise StoreError(f"{results}, line {place}: not a game's result: {error}") from None
    if not isinstance(result, dict):
        raise StoreError(f"{results}, line {place}: not a game's result: {line[:40]!r}")
    for name, fits in _FIELDS.items():
        if name in result and not fits(result[name]):
            raise StoreError(f"{results}, line {place}: not a game's result: {name} is {result[name]!r}")
    return result
