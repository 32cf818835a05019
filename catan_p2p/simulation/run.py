"""A run of many games: played in one process or on several, recorded as they end, continued after an interruption."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import MISSING, asdict, dataclass, field, fields, is_dataclass, replace
from pathlib import Path
from types import UnionType
from typing import Any, TypeVar, cast, get_args, get_origin, get_type_hints

from catan_p2p.game.board import DEFAULT_MAP_NAME, MapError, read_map
from catan_p2p.game.constants import CHANCES, HANDS, PROFILES
from catan_p2p.game.rule_names import changes_in, read_rules
from catan_p2p.log.folders import RESULTS_FILE
from catan_p2p.log.storage import disk
from catan_p2p.log.storage.objects import StoreError
from catan_p2p.players.policies import UnknownPolicy, check_policy
from catan_p2p.simulation.findings import (
    FINDINGS_FILE,
    FoundLine,
    append_line,
    describe_no_winner,
    read_findings,
    whole_lines,
    write_findings,
)
from catan_p2p.simulation.game import (
    SCHEDULES,
    TRANSPORTS,
    GameResult,
    Progress,
    SimulationSettings,
    game_constants,
    game_folder,
)
from catan_p2p.simulation.play import After, GameWithoutWinner, Played, play_on_processes, play_one
from catan_p2p.simulation.timings import timings_file, write_timings

RUN_FILE = "run.json"
TOPOLOGIES = ("shared", "separate", "network")
JUDGINGS = ("once", "each")
MOST_PLAYERS = {"thesis": 4, "brief": 6, "standard": 6}
"""The largest number of players, by the name of the rules."""
OPTIONS = (
    *("players", "games", "seed", "policy", "rules", "map", "chance", "hands", "schedule", "max_actions"),
    *("topology", "judging", "transport", "network", "sign"),
)
"""The options that choose settings; on the command line, ``_`` is a hyphen."""
_USUAL = SimulationSettings()


class SettingsError(ValueError):
    """Impossible settings; the message names the option that is wrong."""


def settings_of(options: Mapping[str, Any]) -> SimulationSettings:
    """The settings that these ``OPTIONS`` choose; an option that is missing or None has its default.

    ``players``, ``games``, ``seed`` and ``max_actions`` are numbers, ``sign`` is a truth value, the others are texts as
    users type them; rules, map and network may be files. ``SettingsError`` names an option with an impossible value,
    ``UnsupportedRules`` says what is wrong with the rules. ``check_settings`` finds all other mistakes.
    """
    given = {name: value for name, value in options.items() if value is not None}
    try:
        chosen_map = read_map(given.get("map", DEFAULT_MAP_NAME))
    except MapError as error:
        raise SettingsError(f"--map {error}") from None
    rules, hands = read_rules(given.get("rules", _USUAL.rules)), given.get("hands")
    said = changes_in(rules).get("Hands")  # rules can also be "standard; Hands = hidden"
    if None not in (hands, said) and hands != said:
        raise SettingsError(f"--hands {hands}: the rules say Hands = {said}")
    hands = hands or said or _USUAL.hands
    plain = ("players", "games", "seed", "schedule", "max_actions", "topology", "transport", "judging")
    return SimulationSettings(
        **{name: given[name] for name in plain if name in given},
        policies=tuple(given.get("policy", "random").split(",")),
        rules=rules,
        network=_network(given),
        signed=given.get("sign", False),
        map=chosen_map,
        chance=given.get("chance", "joint" if hands == "hidden" else "actor"),  # sealed cards must be drawn together
        hands=hands,
    )


def _network(given: Mapping[str, Any]) -> str:
    """The network in words, with all defaults left out."""
    if given.get("topology") != "network":
        if "network" in given:
            raise SettingsError("--network needs --topology network")
        return _USUAL.network
    from catan_p2p.simulation.laboratory.spec import BadNetwork, read_network, spell_network

    try:
        return spell_network(read_network(given.get("network", _USUAL.network)))
    except BadNetwork as error:
        raise SettingsError(f"--network {error}") from None


@dataclass(slots=True)
class SimulationRun:
    """A simulation in its folder: settings, results by the number of the game, and findings."""

    out: Path
    settings: SimulationSettings
    results: dict[int, GameResult] = field(default_factory=dict)
    findings: list[FoundLine] = field(default_factory=list)

    @property
    def is_complete(self) -> bool:
        """Whether every game has ended with a winner."""
        return len(self.results) == self.settings.games

    @property
    def _findings_file(self) -> Path:
        return self.out / FINDINGS_FILE

    def begin_games(self, numbers: Sequence[int]) -> None:
        """Forget that these games had no winner: they are about to be continued."""
        kept = [line for line in self.findings if line["kind"] != "no_winner" or line["game"] not in numbers]
        if kept != self.findings:
            write_findings(self._findings_file, kept)
            self.findings = kept

    def end_game(self, number: int, played: Played) -> None:
        """Record how a game ended; its findings are in the file already."""
        self.findings = [line for line in self.findings if line["game"] != number] + list(played.findings)
        if isinstance(played, GameWithoutWinner):
            line = describe_no_winner(number, played.why)
            append_line(self._findings_file, line)
            self.findings.append(line)
            return
        # The result comes last: a game with a result is not played again.
        write_timings(timings_file(game_folder(self.out, number)), played.timings, played.syncs)
        append_line(self.out / RESULTS_FILE, played.result.as_json())
        self.results[number] = played.result


def check_settings(settings: SimulationSettings) -> None:
    """Raise ``SettingsError`` for impossible settings, ``UnsupportedRules`` for rules that contradict one another."""
    name = settings.rules.partition("; ")[0]  # the profile, without changes
    if name not in PROFILES:
        raise SettingsError(f"--rules {name}: expected one of {', '.join(PROFILES)}, or a file of rules")
    most = MOST_PLAYERS[name]
    if not 2 <= settings.players <= most:
        raise SettingsError(f"--players {settings.players}: expected 2 to {most} under the {settings.rules} rules")
    if settings.games < 1:
        raise SettingsError(f"--games {settings.games}: expected at least 1")
    if settings.max_actions < 1:
        raise SettingsError(f"--max-actions {settings.max_actions}: expected at least 1")
    if settings.chance not in CHANCES:
        raise SettingsError(f"--chance {settings.chance}: expected one of {', '.join(CHANCES)}")
    if settings.hands not in HANDS:
        raise SettingsError(f"--hands {settings.hands}: expected one of {', '.join(HANDS)}")
    for policy in settings.policies:
        try:
            check_policy(policy)
        except UnknownPolicy as error:
            raise SettingsError(f"--policy: {error}") from None
    if len(settings.policies) not in (1, settings.players):
        raise SettingsError(f"--policy: {len(settings.policies)} policies for {settings.players} players")
    if settings.schedule not in SCHEDULES:
        raise SettingsError(f"--schedule {settings.schedule}: expected one of {', '.join(SCHEDULES)}")
    if settings.topology not in TOPOLOGIES:
        raise SettingsError(f"--topology {settings.topology}: expected one of {', '.join(TOPOLOGIES)}")
    if settings.transport not in TRANSPORTS:
        raise SettingsError(f"--transport {settings.transport}: expected one of {', '.join(TRANSPORTS)}")
    if settings.topology == "shared" and settings.transport != "path":
        raise SettingsError(f"--transport {settings.transport}: needs --topology separate")
    if settings.topology == "shared" and settings.signed:
        raise SettingsError("--sign: needs --topology separate or network")
    if settings.judging not in JUDGINGS:
        raise SettingsError(f"--judging {settings.judging}: expected one of {', '.join(JUDGINGS)}")
    if settings.topology != "shared" and settings.judging != "once":
        raise SettingsError(
            f"--judging {settings.judging}: needs --topology shared; peers with their own repositories always judge "
            "each for itself"
        )
    if settings.topology == "network":
        _check_network(settings)
    if settings.topology != "shared" and settings.schedule != "round-robin":
        raise SettingsError(f"--schedule {settings.schedule}: needs --topology shared; other peers are not scheduled")
    try:
        constants = game_constants(0, settings)
    except MapError as error:
        raise SettingsError(f"--map {error}") from None
    if constants.rules.leaving and settings.topology == "shared":
        raise SettingsError("Leaving = yes: needs --topology separate or network, where logs are signed")


def _check_network(settings: SimulationSettings) -> None:
    try:
        from catan_p2p.simulation.laboratory.spec import BadNetwork, parse_network
        from catan_p2p.simulation.laboratory.world import SimulatedWorld  # noqa: F401
    except ImportError:
        raise SettingsError("--topology network needs simpy: pip install 'catan-p2p[network]'") from None
    if settings.transport != "path":
        raise SettingsError("--transport: set that of a network in --network, such as 'lan; transport = path'")
    try:
        parse_network(settings.network)
    except BadNetwork as error:
        raise SettingsError(f"--network {error}") from None


def begin_run(out: Path, settings: SimulationSettings) -> SimulationRun:
    """Begin a simulation in a folder that has none yet; ``StoreError`` if it has one, or cannot be written."""
    check_settings(settings)
    with disk.explained("write", out):
        out.mkdir(parents=True, exist_ok=True)
        if (out / RUN_FILE).exists():
            raise StoreError(
                f"{out}: holds a simulation already; continue it with --resume {out}, or choose another folder"
            )
    _write_settings(out, settings)
    return SimulationRun(out, settings)


def resume_run(out: Path, max_actions: int | None = None) -> SimulationRun:
    """Open the simulation that was begun in a folder; ``max_actions`` replaces its cap for good.

    ``StoreError`` if there is none, or if its files are not those of a simulation.
    """
    settings = _read_settings(out)
    if max_actions is not None and max_actions != settings.max_actions:
        settings = replace(settings, max_actions=max_actions)
        check_settings(settings)
        _write_settings(out, settings)
    run = SimulationRun(out, settings)
    for name in (RESULTS_FILE, FINDINGS_FILE):
        _cut_unfinished_line(out / name)
    for line in whole_lines(out / RESULTS_FILE):
        result = parse_result(line, str(out / RESULTS_FILE))
        if result.game >= settings.games:
            raise StoreError(f"{out / RESULTS_FILE}: game {result.game}, expected 0 to {settings.games - 1}")
        run.results[result.game] = result
    run.findings = read_findings(out / FINDINGS_FILE)
    return run


def _read_settings(out: Path) -> SimulationSettings:
    path = out / RUN_FILE
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
        settings = parse_record(SimulationSettings, raw)
        if "seed" not in raw:  # the class has a default, but a run without its seed cannot be repeated
            raise ValueError("'seed' is missing")
        check_settings(settings)
    except FileNotFoundError:
        raise StoreError(f"{out}: holds no simulation: there is no {RUN_FILE}") from None
    except OSError as error:
        raise StoreError(f"{path}: cannot read: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise StoreError(f"{path}: not the settings of a simulation: {error}") from None
    return settings


def _write_settings(out: Path, settings: SimulationSettings) -> None:
    with disk.written_whole(out / RUN_FILE) as beside:
        beside.write_text(json.dumps(asdict(settings), indent=2) + "\n", encoding="utf-8")


def _cut_unfinished_line(path: Path) -> None:
    """Cut off a last line that a killed process left unfinished; the next line would be appended to it."""
    try:
        data = path.read_bytes()
        whole = data[: data.rfind(b"\n") + 1]
        if whole != data:
            path.write_bytes(whole)
    except FileNotFoundError:
        pass
    except OSError as error:
        raise StoreError(f"{path}: cannot mend: {error.strerror or error}") from error


_LEAST = {"actions": 1, "commits": 1} | dict.fromkeys(
    ("game", "tries", "findings", "fetches", "bytes_received")
    + ("elapsed_s", "computing_s", "synchronizing_s", "waiting_s"),
    0,
)
"""The least value of some numbers of a result."""


def parse_result(line: bytes | str, where: str) -> GameResult:
    """The result of a game from its line; ``StoreError`` names ``where`` it is from and what is wrong."""
    try:
        result = parse_record(GameResult, json.loads(line))
        for name, least in _LEAST.items():
            if not least <= getattr(result, name) < math.inf:
                raise ValueError(f"{name!r} is {getattr(result, name)}, expected at least {least}")
    except (ValueError, RecursionError) as error:
        raise StoreError(f"{where}: not a game's result: {line[:80]!r}: {error}") from None
    return result


Ended = Callable[[SimulationRun, GameResult | None, str], None]
"""Called when a game has ended, with its result, or with None and the reason."""


class ClusterError(Exception):
    """A cluster that cannot be used; the message says which and why."""


Executor = Callable[[SimulationRun, list[int], After | None], Iterator[tuple[int, Played]]]
"""Plays the games of a run with these numbers elsewhere; yields each with its outcome, its findings written already."""


def play_run(
    run: SimulationRun,
    jobs: int = 1,
    progress: Progress | None = None,
    ended: Ended | None = None,
    executor: Executor | None = None,
    after: After | None = None,
    only: int | None = None,
) -> None:
    """Play the games of a run that have not ended yet, on ``jobs`` processes or by an ``executor``.

    With ``only``, play only the game with this number. ``after`` is called when a game has ended, by the process that
    has played it and before the run records the result. A game without a winner is a finding and does not stop the
    others. An ``executor`` reports no progress. Raises ``StoreError`` if a repository or the run's own files cannot be
    written, or a process is killed.
    """
    numbers = range(run.settings.games) if only is None else (only,)
    waiting = [number for number in numbers if number not in run.results]
    run.begin_games(waiting)
    if executor is not None:
        played = executor(run, waiting, after)
    elif jobs == 1:
        played = ((number, play_one(run.out, number, run.settings, progress, after)) for number in waiting)
    else:
        played = play_on_processes(run.out, waiting, run.settings, jobs, progress, after)
    for number, game in played:
        run.end_game(number, game)
        if ended is None:
            continue
        if isinstance(game, GameWithoutWinner):
            ended(run, None, game.why)
        else:
            ended(run, game.result, "")


T = TypeVar("T")


def parse_record(record: Callable[..., T], raw: object) -> T:
    """The dataclass ``record`` from a parsed JSON object; ``ValueError`` names the field that is wrong.

    Fields with a default may be missing. Fields can be numbers, texts, truth values, None, records,
    and tuples and mappings of these.
    """
    if not isinstance(raw, dict):
        raise ValueError("expected a JSON object")
    known = {one.name: one for one in fields(record)}  # type: ignore[arg-type]
    for name in raw:
        if name not in known:
            raise ValueError(f"{name!r} is no field")
    hints = get_type_hints(record)
    values = {}
    for name, one in known.items():
        if name in raw:
            values[name] = _field_of(name, hints[name], raw[name])
        elif one.default is MISSING:
            raise ValueError(f"{name!r} is missing")
    return record(**values)


def _field_of(name: str, expected: Any, value: object) -> object:
    if get_origin(expected) is tuple and isinstance(value, list):
        member = get_args(expected)[0]
        return tuple(_field_of(name, member, one) for one in value)
    if get_origin(expected) is Mapping and isinstance(value, dict):
        member = get_args(expected)[1]
        return {key: _field_of(f"{name}.{key}", member, one) for key, one in value.items()}
    if is_dataclass(expected):
        return parse_record(cast("Callable[..., object]", expected), value)
    plain = getattr(expected, "__supertype__", expected)  # of a NewType such as ObjectId
    kinds = get_args(plain) if isinstance(plain, UnionType) else (plain,)
    # Not isinstance: true is no number.
    if type(value) not in kinds and not (type(value) is int and float in kinds):
        told = {tuple: "a list", Mapping: "a JSON object"}.get(get_origin(plain), getattr(plain, "__name__", plain))
        raise ValueError(f"{name!r} is {value!r}, expected {told}")
    return value
