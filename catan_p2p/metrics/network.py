"""The recorded figures of games over simulated links, collected from the files beside the games into one table."""

import json
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path
from typing import IO, Any

from catan_p2p.log.storage import disk
from catan_p2p.log.storage.objects import StoreError
from catan_p2p.metrics.recorded import read_json, run_folder
from catan_p2p.metrics.tables import open_csv
from catan_p2p.simulation.laboratory.files import figures_file
from catan_p2p.simulation.laboratory.spec import BadNetwork, Network, parse_network

JSON_FILE = "network.json"
CSV_FILE = "network.csv"
TIMES = ("hand_over", "turn", "everybody_knows", "staleness")
"""The times of which the distribution is recorded; ``staleness`` is that of spectators."""
_SUMS = ("computing_s", "transfer_s", "looking_s", "waiting_s", "down_s")
_COUNTS = ("looks", "wasted_looks", "fetches", "fetched_bytes", "pushes", "told", "told_bytes")
_LATER = ("told", "told_bytes")
"""The counts that older recordings lack; then nothing was announced, so they are 0."""
_QUANTILES = ("p50_s", "p95_s", "p99_s")


@dataclass(frozen=True, slots=True)
class NetworkGame:
    """One game over simulated links: ``network`` in words, and its ``figures`` as the simulation wrote them."""

    run: str
    game: int
    players: int
    network: str
    figures: Mapping[str, Any]

    @property
    def spec(self) -> Network:
        """The parsed network."""
        return parse_network(self.network)

    @property
    def spectators(self) -> int:
        """The number of spectators."""
        found = self.figures.get("spectators")
        return int(found["count"]) if found else 0

    def times(self, what: str) -> Mapping[str, Any]:
        """One of ``TIMES``: ``count``, quantiles and ``counts``; empty if it was not recorded."""
        found = self.figures.get("spectators", {}) if what == "staleness" else self.figures
        return found.get(what, {})  # type: ignore[no-any-return]

    @property
    def bytes(self) -> int:
        """The bytes sent over all links, including those to spectators."""
        return sum(way["bytes"] for way in self.figures["links"])

    @property
    def fetches(self) -> int:
        """The number of fetches over all links, including those by spectators."""
        return sum(way["fetches"] for way in self.figures["links"])


def recorded_network(
    path: Path, number: int, commits: Container[str], run: str, players: int, network: str
) -> NetworkGame | None:
    """The recorded figures of the game in the repository at ``path``; None if there are none of this very game.

    The figures belong to this game if their last commit is one of ``commits``, those of the game; openings of hidden
    cards can follow it. Raises ``StoreError`` if the file is not the simulation's.
    """
    file = figures_file(run_folder(path), number)
    if not file.exists():
        return None
    told = read_json(file)
    found = _game({"run": run, "game": number, "players": players, "network": network, "figures": told}, file)
    return found if told["head"] in commits else None


@contextmanager
def open_networks(folder: Path) -> Iterator[Callable[[NetworkGame], None]]:
    """Open the JSON file and the table for the figures of games; yields a function that writes one game.

    The files appear when all games are written; without games, old files are removed. ``StoreError`` if they cannot be
    written.
    """
    with ExitStack() as files:
        told: list[tuple[IO[str], Callable[[Iterable[object]], None]]] = []

        def write(one: NetworkGame) -> None:
            if told:
                told[0][0].write(",\n")
            else:
                beside = files.enter_context(disk.written_whole(folder / JSON_FILE))
                file: IO[str] = files.enter_context(beside.open("w", encoding="utf-8"))
                told.append((file, files.enter_context(open_csv(folder / CSV_FILE, tuple(_COLUMNS)))))
                # A JSON list, written by hand: json.dump would need all games in memory.
                file.write("[\n")
            into, write_row = told[0]
            place = {"run": one.run, "game": one.game, "players": one.players, "network": one.network}
            into.write(json.dumps(place | {"figures": dict(one.figures)}))
            write_row(value(one) for value in _COLUMNS.values())

        yield write
        if told:
            told[0][0].write("\n]\n")
            return
    for name in (JSON_FILE, CSV_FILE):
        (folder / name).unlink(missing_ok=True)


def read_networks(folder: Path) -> list[NetworkGame]:
    """The games over simulated links in a folder of metrics; ``StoreError`` if the file holds something else."""
    file = folder / JSON_FILE
    if not file.exists():
        return []
    told = read_json(file)
    if not isinstance(told, list):
        raise StoreError(f"{file}: not a list of games")
    return [_game(one, file) for one in told]


def _time(what: str, name: str) -> Callable[[NetworkGame], Any]:
    def value(one: NetworkGame) -> Any:
        times = one.times(what)
        # If nothing was timed, the recorded quantiles are 0, which would look like measurements.
        return times[name] if times and (times["count"] or name == "count") else None

    return value


def _figure(name: str) -> Callable[[NetworkGame], Any]:
    return lambda one: one.figures[name]


FIGURES: dict[str, Callable[[NetworkGame], Any]] = {
    "faults": lambda one: len(one.figures["faults"]),
    **{name: _figure(name) for name in ("actions", "virtual_s")},
    **{f"{what}_{name}": _time(what, name) for what in TIMES for name in ("count", *_QUANTILES)},
    **{name: _figure(name) for name in (*_SUMS, *_COUNTS)},
    "all_fetches": lambda one: one.fetches,
    "all_bytes": lambda one: one.bytes,
}
"""The figures of a game by name; None if it has none."""
_COLUMNS: dict[str, Callable[[NetworkGame], Any]] = {
    **{name: attrgetter(name) for name in ("run", "game", "players", "network")},
    **{name: attrgetter(f"spec.{name}") for name in ("profile", "overlay")},
    "looks_by": attrgetter("spec.looks"),
    "transport": attrgetter("spec.transport"),
    "spectators": attrgetter("spectators"),
    **FIGURES,
}
"""The columns of the table: the game, its network, and its figures."""


def _game(raw: Any, file: Path) -> NetworkGame:
    """A game from the contents of a file."""
    try:
        figures = dict.fromkeys(_LATER, 0) | raw["figures"]
        found = NetworkGame(str(raw["run"]), int(raw["game"]), int(raw["players"]), str(raw["network"]), figures)
        _check(found)
    except (KeyError, TypeError, ValueError, AttributeError, BadNetwork) as error:
        raise StoreError(f"{file}: not the figures of a game: {type(error).__name__}: {error}") from None
    return found


def _check(one: NetworkGame) -> None:
    """Raise ``KeyError``, ``TypeError`` or ``ValueError`` unless every figure that is used exists and is a number."""
    figures = one.figures
    _ = one.spec, one.spectators, str(figures["head"]), len(figures["faults"])
    numbers = [figures[name] for name in ("actions", "virtual_s", *_SUMS, *_COUNTS)]
    for way in figures["links"]:
        numbers += [way["bytes"], way["fetches"]]
    for what in TIMES:
        times = one.times(what)
        if times or what != "staleness":
            numbers += [times["count"], *(times[name] for name in _QUANTILES)]
            for value, count in times["counts"]:
                numbers += [value, count]
    for number in numbers:
        if type(number) not in (int, float) or not 0 <= number < float("inf"):
            raise ValueError(f"{number!r} is no figure")
    if not figures["actions"]:
        raise ValueError("a game without an action")
