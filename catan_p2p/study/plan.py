"""The plan of a study, read from its file: factors with their levels, games, measures, a baseline, and figures."""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from itertools import product
from pathlib import Path
from typing import Any

from catan_p2p.game.constants import UnsupportedRules
from catan_p2p.metrics.cells import CellComparison, ComparedCell, FigurePlan, Level, spell_level
from catan_p2p.metrics.columns import COLUMNS, GROUPS, USUAL, StudyColumn, columns_named
from catan_p2p.simulation.command import simulate_command
from catan_p2p.simulation.game import SimulationSettings
from catan_p2p.simulation.laboratory.spec import BadNetwork, Network, read_network, spell_network
from catan_p2p.simulation.run import OPTIONS, SettingsError, check_settings, settings_of
from catan_p2p.text_files import BadTextFile, read_text

KEPT = ("none", "failures", "all")
"""Which games a study can keep."""
MOST_CELLS = 10_000
MOST_GAMES = 1_000_000
"""The most games of a cell."""
MOST_FACTORS_SHOWN = 3
_MOST_NUMBER = (1 << 63) - 1
"""The largest number that the column of a Parquet file can hold."""
_MOST_BYTES = 1 << 18
_NETWORK = "network."
_FACTORS: dict[str, type] = {
    **{name: str for name in OPTIONS if name not in ("games", "seed")},
    "players": int,
    "max_actions": int,
    "sign": bool,
    **{_NETWORK + one.name: type(getattr(Network(), one.name)) for one in fields(Network)},
}
"""The settings that can be fixed or varied, each with the type of its levels."""
_KEYS: dict[str, type] = {
    "title": str,
    "about": str,
    "conclusions": str,
    "limits": str,
    "games": int,
    "seed": int,
    "keep": str,
    "actions": bool,
    "measures": list,
    "settings": dict,
    "factors": dict,
    "without": list,
    "baseline": dict,
    "figures": list,
}
_TYPES = {str: "text", int: "a whole number", bool: "true or false", list: "a list", dict: "a table"}


class PlanError(ValueError):
    """A mistake in the file of a study. The message names the file and the key, and says what was expected."""


@dataclass(frozen=True, slots=True)
class StudyCell(ComparedCell):
    """A combination of levels; ``settings`` are those of a run of all its games.

    ``map_file`` is the file of its map, empty for a map with a name.
    """

    settings: SimulationSettings
    map_file: str = ""

    def command(self, game: int) -> str:
        """The command that plays one of its games."""
        return simulate_command(self.settings, game=game, map_file=self.map_file)

    @property
    def name(self) -> str:
        """The name of its folder: its number, so that it is unique, and its levels, so that people recognize it."""
        told = "_".join(f"{name.removeprefix(_NETWORK)}={spell_level(level)}" for name, level in self.levels.items())
        return f"{self.number:03}_{re.sub(r'[^A-Za-z0-9.=_-]+', '-', told)[:60].rstrip('.-')}".rstrip("_")


@dataclass(frozen=True, slots=True)
class StudyPlan(CellComparison):
    """The plan of a study: its cells, and what is measured, kept and shown."""

    title: str
    about: str
    conclusions: str
    limits: str
    seed: int
    keep: str
    actions: bool
    cells: tuple[StudyCell, ...]
    columns: tuple[str, ...]
    """The columns of the table of games."""
    shown: tuple[str, ...]
    """The measures that the file names one by one and that are numbers; all numbers if it names none."""
    figures: tuple[FigurePlan, ...]

    @property
    def digest(self) -> str:
        """The SHA-256 of everything that decides the rows; a study can be continued only with the same digest."""
        cells = [[cell.number, cell.levels, asdict(cell.settings)] for cell in self.cells]
        told = [self.games, self.seed, self.keep, self.actions, self.columns, cells]
        return hashlib.sha256(json.dumps(told).encode()).hexdigest()


def has_numbers(factor: str) -> bool:
    """Whether the levels of a factor are whole numbers."""
    return _FACTORS.get(factor) is int


def read_plan(path: Path) -> StudyPlan:
    """The plan of the study in a file; ``PlanError`` if the file has mistakes."""
    try:
        raw = tomllib.loads(read_text(str(path), _MOST_BYTES, "no such file"))
    except BadTextFile as error:
        raise PlanError(str(error)) from None
    except (ValueError, RecursionError) as error:  # also for numbers of thousands of digits, and for deep nesting
        raise PlanError(f"{path}: not TOML: {error}") from None
    try:
        return _PlanReader(raw, path.parent).plan(path.stem)
    except PlanError as error:
        raise PlanError(f"{path}: {error}") from None


class _PlanReader:
    """Turns the contents of a file into a plan; its errors name the key, not the file."""

    def __init__(self, raw: Mapping[str, Any], folder: Path) -> None:
        self._raw = raw
        self._folder = folder
        for key, value in raw.items():
            if key not in _KEYS:
                raise PlanError(f"{key}: expected one of {', '.join(_KEYS)}")
            _check_type(key, value, _KEYS[key])

    def plan(self, name: str) -> StudyPlan:
        raw = self._raw
        games, seed, keep = raw.get("games", 1), raw.get("seed", 1), raw.get("keep", "none")
        if not 1 <= games <= MOST_GAMES:
            raise PlanError(f"games: {games}, expected 1 to {MOST_GAMES}")
        if keep not in KEPT:
            raise PlanError(f"keep: {keep!r}, expected one of {', '.join(KEPT)}")
        factors = self._factors()
        cells = self._cells(factors, games, seed)
        has_network = any(cell.settings.topology == "network" for cell in cells)
        columns, shown = self._measures(has_network=has_network)
        return StudyPlan(
            title=raw.get("title", "").strip() or name,
            about=raw.get("about", "").strip(),
            conclusions=raw.get("conclusions", "").strip(),
            limits=raw.get("limits", "").strip(),
            games=games,
            seed=seed,
            keep=keep,
            actions=raw.get("actions", False),
            factors=factors,
            cells=cells,
            columns=columns,
            shown=shown,
            baseline=self._one_each("baseline", raw.get("baseline", {}), factors),
            figures=self._figures(factors, columns, shown),
        )

    def _factors(self) -> dict[str, tuple[Level, ...]]:
        found: dict[str, tuple[Level, ...]] = {}
        for key, levels in _flat(self._raw.get("factors", {}), "factors"):
            name = _factor_name(key, "factors")
            _check_type(key, levels, list)
            if not levels:
                raise PlanError(f"{key}: no level, expected at least one")
            for level in levels:
                _check_type(key, level, _FACTORS[name])
            if len({spell_level(level) for level in levels}) != len(levels):
                raise PlanError(f"{key}: the same level twice")
            found[name] = tuple(levels)
        return found

    def _settings(self, factors: Mapping[str, object]) -> dict[str, Level]:
        found: dict[str, Level] = {}
        for key, value in _flat(self._raw.get("settings", {}), "settings"):
            name = _factor_name(key, "settings")
            _check_type(key, value, _FACTORS[name])
            if name in factors:
                raise PlanError(f"{key}: also a factor; expected it in settings or in factors, not in both")
            found[name] = value
        return found

    def _cells(self, factors: Mapping[str, tuple[Level, ...]], games: int, seed: int) -> tuple[StudyCell, ...]:
        count = 1
        for of_one in factors.values():
            count *= len(of_one)
        if count > MOST_CELLS:
            raise PlanError(f"factors: {count} cells, expected at most {MOST_CELLS}")
        fixed = self._settings(factors)
        without = [self._levels(f"without[{n}]", one, factors) for n, one in enumerate(self._raw.get("without", ()))]
        cells: list[StudyCell] = []
        seen: dict[SimulationSettings, str] = {}
        for combination in product(*factors.values()):
            levels = dict(zip(factors, combination, strict=True))
            if any(all(levels[name] in left_out for name, left_out in one.items()) for one in without):
                continue
            settings = self._settings_of(fixed, levels, games, seed)
            told = _spell(levels)
            # Equal games would be played twice and compared with themselves.
            if settings in seen:
                raise PlanError(f"factors: {told} is the same game as {seen[settings]}; leave one out by [[without]]")
            seen[settings] = told
            named = str({**fixed, **levels}.get("map", ""))
            map_file = "" if settings.map == named else self._beside(named)
            cells.append(StudyCell(len(cells) + 1, levels, settings, map_file))
        if not cells:
            raise PlanError("without: every combination is left out")
        return tuple(cells)

    def _settings_of(
        self, fixed: Mapping[str, Level], levels: Mapping[str, Level], games: int, seed: int
    ) -> SimulationSettings:
        chosen: dict[str, Any] = {**fixed, **levels}
        # In a study that compares topologies, settings of the network apply only to the games that have one.
        if "topology" in levels and "network" in self._raw["factors"]["topology"] and levels["topology"] != "network":
            chosen = {name: value for name, value in chosen.items() if not f"{name}.".startswith(_NETWORK)}
        try:
            options = {name: value for name, value in chosen.items() if not name.startswith(_NETWORK)}
            for name in ("rules", "map", "network"):
                if name in options:
                    options[name] = self._beside(options[name])
            changes = {name.removeprefix(_NETWORK): chosen[name] for name in chosen if name.startswith(_NETWORK)}
            if changes:
                options["network"] = _changed(options.get("network", "lan"), changes)
            settings = settings_of({**options, "games": games, "seed": seed})
            check_settings(settings)
        except SettingsError as error:
            option = str(error).removeprefix("--").split(" ", 1)[0].rstrip(":").replace("-", "_")
            raise PlanError(f"{_where(option, fixed, levels)}: {_plain(error)}") from None
        except (UnsupportedRules, BadNetwork) as error:
            option = "rules" if isinstance(error, UnsupportedRules) else "network"
            raise PlanError(f"{_where(option, fixed, levels)}: {error}") from None
        return settings

    def _beside(self, word: str) -> str:
        """The path of a file beside the study's file if it exists, else the word itself."""
        beside = self._folder / word
        try:
            return str(beside) if ";" not in word and beside.is_file() else word
        except OSError:  # too long for the name of a file
            return word

    def _levels(
        self, key: str, table: object, factors: Mapping[str, tuple[Level, ...]]
    ) -> dict[str, tuple[Level, ...]]:
        """The levels that a table of the file names for some factors; ``PlanError`` if there are no such levels."""
        _check_type(key, table, dict)
        assert isinstance(table, dict)
        found: dict[str, tuple[Level, ...]] = {}
        for where, value in _flat(table, key):
            name = where.removeprefix(f"{key}.")
            if name not in factors:
                raise PlanError(f"{where}: no factor, expected one of {', '.join(factors) or 'none, without factors'}")
            found[name] = tuple(value) if isinstance(value, list) else (value,)
            for level in found[name]:
                if repr(level) not in map(repr, factors[name]):  # by repr, since True == 1
                    told = ", ".join(map(spell_level, factors[name]))
                    raise PlanError(f"{where}: {level!r} is no level of it, expected one of {told}")
        return found

    def _one_each(self, key: str, table: object, factors: Mapping[str, tuple[Level, ...]]) -> dict[str, Level]:
        """The same for a table with one level for each factor."""
        found = {}
        for name, levels in self._levels(key, table, factors).items():
            if len(levels) != 1:
                raise PlanError(f"{key}.{name}: {len(levels)} levels, expected one")
            found[name] = levels[0]
        return found

    def _measures(self, *, has_network: bool) -> tuple[tuple[str, ...], tuple[str, ...]]:
        named = self._raw.get("measures", [*USUAL, *["network"] * has_network])
        found: dict[str, StudyColumn] = {}
        for name in named:
            _check_type("measures", name, str)
            if name not in GROUPS and name not in COLUMNS:
                raise PlanError(f"measures: {name!r}, expected a group ({', '.join(GROUPS)}) or a column of {_PAGE}")
            for column in columns_named(name):
                if column.group == "network" and not has_network:
                    raise PlanError(f"measures: {name!r} needs games with topology = network")
                found[column.name] = column
        singly = [name for name in named if name in COLUMNS] or list(found)
        return tuple(found), tuple(name for name in singly if COLUMNS[name].is_number)

    def _figures(
        self, factors: Mapping[str, tuple[Level, ...]], columns: Sequence[str], shown: Sequence[str]
    ) -> tuple[FigurePlan, ...]:
        several = [name for name, levels in factors.items() if len(levels) > 1]
        if "figures" not in self._raw:
            if not several or "measures" not in self._raw:
                return ()
            return tuple(FigurePlan(name, tuple(several[:MOST_FACTORS_SHOWN])) for name in shown)
        found = []
        for number, raw in enumerate(self._raw["figures"]):
            key = f"figures[{number}]"
            _check_type(key, raw, dict)
            if unknown := raw.keys() - {"measure", "by", "at"}:
                raise PlanError(f"{key}.{min(unknown)}: expected measure, by or at")
            measure, by = raw.get("measure"), raw.get("by", several[:MOST_FACTORS_SHOWN])
            if measure not in columns or not COLUMNS[measure].is_number:
                raise PlanError(f"{key}.measure: {measure!r}, expected one of the measures that is a number")
            _check_type(f"{key}.by", by, list)
            for name in by:
                if name not in list(factors):
                    raise PlanError(f"{key}.by: {name!r} is no factor, expected some of {', '.join(factors)}")
            if not 1 <= len(by) <= MOST_FACTORS_SHOWN or len(set(by)) != len(by):
                raise PlanError(f"{key}.by: expected one to three different factors")
            at = self._one_each(f"{key}.at", raw.get("at", {}), factors)
            if both := at.keys() & set(by):
                raise PlanError(f"{key}.at.{min(both)}: this factor is in by")
            found.append(FigurePlan(measure, tuple(by), at))
        return tuple(found)


_PAGE = "the columns that catan-p2p study --columns prints"


def _check_type(key: str, value: object, expected: type) -> None:
    if type(value) is not expected:  # not isinstance: true is no number
        raise PlanError(f"{key}: {value!r}, expected {_TYPES[expected]}")
    if isinstance(value, int) and not -_MOST_NUMBER <= value <= _MOST_NUMBER:
        raise PlanError(f"{key}: {value}, expected at most {_MOST_NUMBER}")


def _flat(table: Mapping[str, Any], key: str) -> Iterator[tuple[str, Any]]:
    """The values of a table and of its inner tables, each with its dotted key.

    ``PlanError`` for a key that comes twice: TOML allows ``"network.loss"`` beside a table ``network``.
    """
    found: set[str] = set()
    for name, value in table.items():
        inner = _flat(value, f"{key}.{name}") if isinstance(value, dict) else [(f"{key}.{name}", value)]
        for where, one in inner:
            if where in found:
                raise PlanError(f"{where}: twice, expected it once")
            found.add(where)
            yield where, one


def _factor_name(key: str, table: str) -> str:
    name = key.removeprefix(f"{table}.")
    if name not in _FACTORS:
        raise PlanError(f"{key}: expected one of {', '.join(_FACTORS)}")
    return name


def _changed(network: str, changes: Mapping[str, Level]) -> str:
    """The words of a network with these changes."""
    found = read_network(network)
    if "profile" in changes:
        found = replace(found, profile=str(changes["profile"]))
    for name, value in changes.items():
        if ";" in str(value):
            raise BadNetwork(f"{name} = {value}: expected a single change, without ;")
    told = (f"{name} = {value}" for name, value in changes.items() if name != "profile")
    return "; ".join([spell_network(found), *told])


def _where(option: str, fixed: Mapping[str, Level], levels: Mapping[str, Level]) -> str:
    """The key of the option that an error is about, as far as it can be told, and the cell."""
    cell = f", in the cell {_spell(levels)}" if levels else ""
    for table, found in (("factors", levels), ("settings", fixed)):
        for key in found:
            if key == option or (option == "network" and key.startswith(_NETWORK)):
                return f"{table}.{option}{'' if levels.keys() == {key} else cell}"
    return f"settings{f'.{option}' if option in _FACTORS else ''}{cell}"


def _plain(error: Exception) -> str:
    """The message of an error without the leading option of the command line."""
    return re.sub(r"^--[a-z-]+:? ", "", str(error))


def _spell(levels: Mapping[str, Level]) -> str:
    return ", ".join(f"{name} = {spell_level(level)}" for name, level in levels.items())
