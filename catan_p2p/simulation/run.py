"""Many games: one after the other or on several processes, recorded as they end, continued after an interruption."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass, field, fields
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from catan_p2p.board import MapError
from catan_p2p.constants import PROFILES
from catan_p2p.log.storage.objects import StoreError
from catan_p2p.peer import GaveUp
from catan_p2p.simulation.game import (
    GameResult,
    PlayedGame,
    Progress,
    RunawayGame,
    Settings,
    describe_finding,
    game_constants,
    game_folder,
    play_game,
)
from catan_p2p.simulation.policies import POLICIES
from catan_p2p.simulation.scheduler import SCHEDULES
from catan_p2p.simulation.separate import TRANSPORTS, play_separate_game
from catan_p2p.simulation.timings import timings_file, write_timings

RUN_FILE = "run.json"
RESULTS_FILE = "games.jsonl"
FINDINGS_FILE = "findings.jsonl"
TOPOLOGIES = ("shared", "separate")
MOST_PLAYERS = {"thesis": 4, "standard": 6}
"""How many can play, by the name of the rules."""


class SettingsError(ValueError):
    """Settings that no simulation can have; the message names the one that is wrong."""


@dataclass(slots=True)
class Run:
    """A simulation in its folder: settings, the games that have ended, and the findings."""

    out: Path
    settings: Settings
    results: dict[int, GameResult] = field(default_factory=dict)
    findings: list[dict[str, Any]] = field(default_factory=list)

    @property
    def is_complete(self) -> bool:
        """Whether every game has ended with a winner."""
        return len(self.results) == self.settings.games


def check_settings(settings: Settings) -> None:
    """Raise ``SettingsError``, or ``UnsupportedRules`` for rule constants that contradict one another."""
    if settings.rules not in PROFILES:
        raise SettingsError(f"--rules {settings.rules}: expected one of {', '.join(PROFILES)}")
    most = MOST_PLAYERS[settings.rules]
    if not 2 <= settings.players <= most:
        raise SettingsError(f"--players {settings.players}: expected 2 to {most} under the {settings.rules} rules")
    if settings.games < 1:
        raise SettingsError(f"--games {settings.games}: expected at least 1")
    if settings.max_actions < 1:
        raise SettingsError(f"--max-actions {settings.max_actions}: expected at least 1")
    for policy in settings.policies:
        if policy not in POLICIES:
            raise SettingsError(f"--policy {policy}: expected one of {', '.join(POLICIES)}")
    if len(settings.policies) not in (1, settings.players):
        raise SettingsError(f"--policy: {len(settings.policies)} policies for {settings.players} players")
    if settings.schedule not in SCHEDULES:
        raise SettingsError(f"--schedule {settings.schedule}: expected one of {', '.join(SCHEDULES)}")
    if settings.topology not in TOPOLOGIES:
        raise SettingsError(f"--topology {settings.topology}: expected one of {', '.join(TOPOLOGIES)}")
    if settings.transport not in TRANSPORTS:
        raise SettingsError(f"--transport {settings.transport}: expected one of {', '.join(TRANSPORTS)}")
    if settings.topology == "shared" and (settings.signed or settings.transport != "path"):
        raise SettingsError("--transport and --sign need --topology separate")
    if settings.topology == "separate" and settings.schedule != "round-robin":
        raise SettingsError(f"--schedule {settings.schedule}: separate peers run whenever the system lets them")
    try:
        game_constants(0, settings)
    except MapError as error:
        raise SettingsError(f"--map {error}") from None


def begin_run(out: Path, settings: Settings) -> Run:
    """Begin a simulation in a folder that has none yet; ``StoreError`` if it has, or cannot be written."""
    check_settings(settings)
    try:
        out.mkdir(parents=True, exist_ok=True)
        if (out / RUN_FILE).exists():
            raise StoreError(f"{out}: holds a simulation already; continue it with --resume {out}, or choose another")
        _write_whole(out / RUN_FILE, json.dumps(asdict(settings), indent=2) + "\n")
    except OSError as error:
        raise StoreError(f"{out}: cannot write: {error.strerror or error}") from error
    return Run(out, settings)


def resume_run(out: Path) -> Run:
    """Open a simulation that was begun in a folder; ``StoreError`` if there is none, or its files are not ours."""
    path = out / RUN_FILE
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
        raw["policies"] = tuple(raw["policies"])
        settings = Settings(**raw)
    except FileNotFoundError:
        raise StoreError(f"{out}: holds no simulation: there is no {RUN_FILE}") from None
    except OSError as error:
        raise StoreError(f"{path}: cannot read: {error.strerror or error}") from error
    except (ValueError, TypeError, KeyError) as error:
        raise StoreError(f"{path}: not the settings of a simulation: {error}") from None
    check_settings(settings)
    run = Run(out, settings)
    for line in _whole_lines(out / RESULTS_FILE):
        result = _parse_result(line, out / RESULTS_FILE)
        run.results[result.game] = result
    run.findings += [json.loads(line) for line in _whole_lines(out / FINDINGS_FILE)]
    return run


def _write_whole(path: Path, text: str) -> None:
    beside = path.with_suffix(".new")
    beside.write_text(text, encoding="utf-8")
    beside.replace(path)


def _whole_lines(path: Path) -> list[str]:
    """The complete lines of a file; a line that a killed process left unfinished is cut off."""
    try:
        data = path.read_bytes()
        whole = data[: data.rfind(b"\n") + 1]
        if whole != data:
            path.write_bytes(whole)
    except FileNotFoundError:
        return []
    except OSError as error:
        raise StoreError(f"{path}: cannot read: {error.strerror or error}") from error
    return whole.decode("utf-8", "replace").splitlines()


def _parse_result(line: str, path: Path) -> GameResult:
    try:
        raw = json.loads(line)
        values = {name.name: raw[name.name] for name in fields(GameResult)}
    except (ValueError, KeyError, TypeError):
        raise StoreError(f"{path}: not a game's result: {line[:80]!r}") from None
    values["policies"], values["points"] = tuple(values["policies"]), tuple(values["points"])
    return GameResult(**values)


Ended = Callable[[Run, GameResult | None, str], None]
"""Told when a game has ended: its result, or None and why there is none."""


Executor = Callable[[Run, list[int]], Iterator[tuple[int, PlayedGame | str]]]
"""Plays the games of a run with these numbers, elsewhere: each with what came of it, or why it has no winner."""


def play_run(
    run: Run,
    jobs: int = 1,
    progress: Progress | None = None,
    ended: Ended | None = None,
    executor: Executor | None = None,
) -> None:
    """Play the games of a run that have not ended yet, on ``jobs`` processes or by an ``executor``.

    A game without a winner is a finding and does not stop the others. Raises ``StoreError`` if a repository or the
    run's own files cannot be written.
    """
    waiting = [number for number in range(run.settings.games) if number not in run.results]
    if executor is not None:
        played = executor(run, waiting)
    elif jobs == 1:
        played = _one_by_one(run, waiting, progress)
    else:
        played = _on_processes(run, waiting, jobs, progress)
    for number, game in played:
        if isinstance(game, str):
            _append(run.out / FINDINGS_FILE, {"kind": "no_winner", "game": number, "detail": game})
            run.findings.append({"kind": "no_winner", "game": number, "detail": game})
            if ended is not None:
                ended(run, None, game)
            continue
        for finding, in_game in game.findings:
            line = describe_finding(finding, in_game, run.settings)
            _append(run.out / FINDINGS_FILE, line)
            run.findings.append(line)
        write_timings(timings_file(game_folder(run.out, number)), game.timings, game.syncs)
        _append(run.out / RESULTS_FILE, game.result.as_json())
        run.results[number] = game.result
        if ended is not None:
            ended(run, game.result, "")


def play_one(out: Path, number: int, settings: Settings, progress: Progress | None = None) -> PlayedGame | str:
    """Play one game of a run into its folder; why it has no winner, if it has none."""
    try:
        play = play_separate_game if settings.topology == "separate" else play_game
        return play(out, number, settings, progress)
    except (RunawayGame, GaveUp) as error:
        return str(error)


def _one_by_one(run: Run, numbers: list[int], progress: Progress | None) -> Iterator[tuple[int, PlayedGame | str]]:
    for number in numbers:
        yield number, play_one(run.out, number, run.settings, progress)


def _play_in_worker(out: Path, number: int, settings: Settings) -> tuple[int, PlayedGame | str]:
    return number, play_one(out, number, settings)


def _on_processes(
    run: Run, numbers: list[int], jobs: int, progress: Progress | None
) -> Iterator[tuple[int, PlayedGame | str]]:
    with ProcessPoolExecutor(min(jobs, max(1, len(numbers))), mp_context=get_context("spawn")) as pool:
        futures = [pool.submit(_play_in_worker, run.out, number, run.settings) for number in numbers]
        try:
            for future in as_completed(futures):
                yield future.result()
        except BaseException:
            pool.shutdown(wait=True, cancel_futures=True)
            raise


def _append(path: Path, line: dict[str, Any]) -> None:
    try:
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
    except OSError as error:
        raise StoreError(f"{path}: cannot write: {error.strerror or error}") from error
