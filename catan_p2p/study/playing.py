"""Plays one game of a study, measures it, and keeps it or not; on any process or machine."""

from __future__ import annotations

import json
import os
import tempfile
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from catan_p2p.log.folders import RESULTS_FILE
from catan_p2p.log.storage import disk
from catan_p2p.log.storage.objects import StoreError
from catan_p2p.metrics.columns import COLUMNS, COSTLY, PlayedOnce, Value
from catan_p2p.metrics.rows import COSTS, ActionRow, write_rows
from catan_p2p.metrics.while_playing import measure_played
from catan_p2p.simulation.archive import move_game, pack_games
from catan_p2p.simulation.findings import FINDINGS_FILE, FoundLine, append_line, describe_no_winner, read_findings
from catan_p2p.simulation.game import SimulationSettings
from catan_p2p.simulation.play import GameWithoutWinner, play_one
from catan_p2p.simulation.run import RUN_FILE
from catan_p2p.time_source import SteppingTime

GAMES = "games"
"""In a study's folder: the games that are kept, a run for each cell."""
PLAYING = "playing"
"""In a study's folder: the games that are being played, each in a folder of its own."""
MARK_FILE = "study.json"
"""In a study's folder: the plan. By it a worker sees whether its machine has the same folder."""


_LOOK_S = 0.0002
"""The step of a game's clock, which advances when its store reads it: about the real time in a game of random players.

Real time would decide when the store publishes, and so the size of the repository.
"""


@dataclass(frozen=True, slots=True)
class GameRequest:
    """What a study needs of each game, wherever it is played; ``folder`` and ``digest`` are those of the study."""

    folder: Path
    digest: str
    columns: tuple[str, ...]
    keep: str
    actions: bool

    @property
    def timed(self) -> bool:
        """Whether a column depends on the machine and the day; only then do the rows of actions have times."""
        return any(COLUMNS[name].group == "time" for name in self.columns)

    @property
    def thorough(self) -> bool:
        """Whether a column takes a second or more of each game."""
        return any(COLUMNS[name].group in COSTLY for name in self.columns)


@dataclass(frozen=True, slots=True)
class GameOutcome:
    """The outcome of game ``game`` of the cell with number ``cell``: its row, or why there is none.

    ``values`` are those of the requested columns. ``result`` and ``findings`` are what a run records of a game. If the
    machine that played does not have the folder of the study, ``kept`` is the game as a tar archive, and ``actions``
    has the rows of its actions as CSV.
    """

    cell: int
    game: int
    values: tuple[Value, ...] = ()
    why: str = ""
    result: Mapping[str, object] | None = None
    findings: tuple[FoundLine, ...] = ()
    kept: bytes = b""
    actions: bytes = b""

    @property
    def failed(self) -> bool:
        """Whether the game has no row."""
        return bool(self.why)


def play_study_game(cell: int, name: str, number: int, settings: SimulationSettings, asked: GameRequest) -> GameOutcome:
    """Play game ``number`` of the cell with this number and folder name, from its beginning, and measure it.

    A game that fails, for any reason, is an outcome, too; ``StoreError`` only if something cannot be written.
    """
    here = _is_here(asked)
    with disk.explained("write", asked.folder if here else tempfile.gettempdir()):
        if here:
            (asked.folder / PLAYING).mkdir(exist_ok=True)
        # A new folder each time: a worker that has lost its scheduler may still be playing the same game.
        own = tempfile.TemporaryDirectory(
            prefix="catan-p2p-", dir=asked.folder / PLAYING if here else None, ignore_cleanup_errors=True
        )
    with own as place:
        out = Path(place)
        outcome = _play(cell, number, settings, asked, out)
        if asked.keep == "all" or (asked.keep == "failures" and outcome.failed):
            if here:
                move_game(out, asked.folder / GAMES / name, number)
            else:
                outcome = replace(outcome, kept=pack_games(out))
        if here and outcome.actions:
            write_actions(asked.folder, cell, number, outcome.actions)
            outcome = replace(outcome, actions=b"")
    return outcome


def _is_here(asked: GameRequest) -> bool:
    """Whether this machine has the study's folder: the mark is there, and it is of this study."""
    try:
        told = json.loads((asked.folder / MARK_FILE).read_text("utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(told, dict) and told.get("digest") == asked.digest


def _play(cell: int, number: int, settings: SimulationSettings, asked: GameRequest, out: Path) -> GameOutcome:
    try:
        begun = _processor_s()
        played = play_one(out, number, settings, time=SteppingTime(_LOOK_S))
        processor_s = _processor_s() - begun
        if isinstance(played, GameWithoutWinner):
            findings = (*played.findings, describe_no_winner(number, played.why))
            return GameOutcome(cell, number, why=_why(played.why), findings=findings)
        measured = measure_played(out, number, settings, played, asked.folder.name, thorough=asked.thorough)
    except StoreError:
        raise
    except Exception as error:  # noqa: BLE001 - no failure of one game may end the others
        return GameOutcome(cell, number, why=f"{type(error).__name__}: {error}")
    whole = PlayedOnce(measured.game, measured.network, processor_s)
    values = tuple(COLUMNS[name].value(whole) for name in asked.columns)
    actions = b""
    if asked.actions:
        rows = out / "actions.csv"
        write_rows(rows, ActionRow, measured.actions if asked.timed else map(_untimed, measured.actions))
        actions = rows.read_bytes()
        rows.unlink()
    findings = tuple(read_findings(out / FINDINGS_FILE, number))
    return GameOutcome(cell, number, values, "", played.result.as_json(), findings, actions=actions)


def _untimed(row: ActionRow) -> ActionRow:
    times: dict[str, Any] = dict.fromkeys((*COSTS, "sync_s"))
    return replace(row, **times)


def _processor_s() -> float:
    """Processor time of this process and of the ended processes that it has waited for, in seconds."""
    told = os.times()  # children's times in hundredths of a second; on Windows always 0
    return time.process_time() + told.children_user + told.children_system


def _why(told: str) -> str:
    """Why a game has no winner, without the command, which has a column of its own."""
    return told.partition("; again with: ")[0]


def record_game(run: Path, settings: SimulationSettings, outcome: GameOutcome) -> None:
    """Write beside a kept game what a run records of it. If a game has several lines, the last one counts."""
    with disk.explained("write", run):
        if not (run / RUN_FILE).exists():
            with disk.written_whole(run / RUN_FILE) as beside:
                beside.write_text(json.dumps(asdict(settings), indent=2) + "\n", encoding="utf-8")
    if outcome.result is not None:
        append_line(run / RESULTS_FILE, dict(outcome.result))
    for line in outcome.findings:
        append_line(run / FINDINGS_FILE, line)


ACTIONS = "actions"
"""In a study's folder, until the study is over: the rows of each game's actions."""


def actions_file(folder: Path, cell: int, number: int) -> Path:
    """The file of the rows of a game's actions, until the study is over."""
    return folder / ACTIONS / f"{cell}_{number}.csv"


def write_actions(folder: Path, cell: int, number: int, rows: bytes) -> None:
    """Keep the rows of a game's actions; they appear whole or not at all."""
    path = actions_file(folder, cell, number)
    with disk.explained("write", path):
        path.parent.mkdir(parents=True, exist_ok=True)
        with disk.written_whole(path) as beside:
            beside.write_bytes(rows)
