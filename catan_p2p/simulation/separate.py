"""A simulated game in which each player is a process with a repository of its own; only Git connects them.

The processes are those of ``catan-p2p peer``, on this machine. They draw from the same seed and date their commits
with the same logical clock as peers of a shared repository, so the game has the same object ids.
"""

from __future__ import annotations

import hashlib
import json
import math
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from threading import Thread
from time import monotonic, perf_counter, sleep
from typing import TYPE_CHECKING, Any

from catan_p2p.game.randomness import logical_clock
from catan_p2p.game.scoring import player_points
from catan_p2p.log.game import GameDefinition, new_game
from catan_p2p.log.history import GameHistory, load_history
from catan_p2p.log.keys import new_private_key, spell_public_key
from catan_p2p.log.refs import COLOURS
from catan_p2p.log.storage import disk
from catan_p2p.log.storage.objects import StoreError
from catan_p2p.replication.core.commit_author import GaveUp
from catan_p2p.simulation.findings import FINDINGS_FILE, FoundLine, read_findings
from catan_p2p.simulation.game import (
    GameResult,
    PlayedGame,
    Progress,
    RunawayGame,
    SimulationSettings,
    folder_bytes,
    game_constants,
    game_folder,
)
from catan_p2p.simulation.timings import GameTimings, read_timings, timings_file
from catan_p2p.tables.joining import create_seat, join_game
from catan_p2p.tables.seat import SeatSettings

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

_LINGER_S = 30.0
"""How long a peer stays after the end of the game for the others to see it."""
_CAPPED_S = 5.0
"""How long the others may take to reach the cap on actions once one peer has."""
_END_S = 20.0
"""How long a process may take to end when it is told to."""
_LOOK_EVERY_S = 0.02
"""How often the processes are polled."""


def seated_game(
    number: int, settings: SimulationSettings, *, is_signed: bool = False
) -> tuple[GameDefinition, dict[str, Ed25519PrivateKey]]:
    """A game of a simulation whose players have repositories of their own, and their private keys by colour.

    There are keys if the settings, the rules or ``is_signed`` ask for them.
    """
    colours = COLOURS[: settings.players]
    constants = game_constants(number, settings)
    # Derived from the seed: signatures are a part of commits, and object ids must be the same each time.
    keys = {
        colour: new_private_key(hashlib.sha256(f"catan-p2p key {settings.seed}/{number}/{colour}".encode()).digest())
        for colour in colours
        if is_signed or settings.signed or constants.rules.leaving
    }
    return new_game(number, constants, colours, {who: spell_public_key(key) for who, key in keys.items()}), keys


def create_seats(folder: Path, number: int, settings: SimulationSettings) -> GameDefinition:
    """Make the repositories ``folder/<Colour>`` of a new game; those that exist are left as they are."""
    colours = COLOURS[: settings.players]
    game, keys = seated_game(number, settings)
    for player, colour in enumerate(colours, 1):
        path = folder / colour
        if path.exists():
            continue
        # Not durable: a game that can be played again need not wait for the disk.
        seat = SeatSettings(colour, settings.seed, "logical", settings.policy_of(player), durable=False)
        if player == 1:
            create_seat(path, game, seat, keys.get(colour), nonce=f"seed {settings.seed}", time_s=logical_clock(0))
        else:
            join_game(str(folder / colours[0]), path, seat, keys.get(colour))
    return game


def play_separate_game(
    out: Path, number: int, settings: SimulationSettings, progress: Progress | None = None
) -> PlayedGame:
    """Play a game to its end, or go on with one that was interrupted, with a process for each player.

    The peers write findings to ``out`` at once. Raises ``StoreError`` if a repository cannot be made or a peer ends
    with an error, ``RunawayGame`` at the cap on actions, ``GaveUp`` if a peer raises it. No peer outlives the call.
    """
    begin = perf_counter()
    folder = game_folder(out, number)
    resumed = folder.exists()
    with disk.explained("make the folder", folder):
        folder.mkdir(parents=True, exist_ok=True)
    create_seats(folder, number, settings)
    reports = _run_peers(out, number, settings, progress)
    heads = {colour: report["head"] for colour, report in reports.items()}
    if len(set(heads.values())) != 1:
        raise StoreError(f"{folder}: the peers ended on different commits: {heads}")
    found = read_findings(out / FINDINGS_FILE, number)
    return _sum_up(folder, number, settings, reports, found, resumed=resumed, elapsed_s=perf_counter() - begin)


def _run_peers(
    out: Path, number: int, settings: SimulationSettings, progress: Progress | None
) -> dict[str, dict[str, Any]]:
    """Start every player's process and wait for all of them; returns their reports by colour."""
    folder = game_folder(out, number)
    colours = COLOURS[: settings.players]
    urls = {colour: str(folder / colour) for colour in colours}
    ports: dict[str, int] = {}
    if settings.transport == "git":
        ports = dict(zip(colours, free_ports(len(colours)), strict=True))
        urls = {colour: f"git://127.0.0.1:{port}/" for colour, port in ports.items()}
    with ExitStack() as running:
        peers = {}
        for colour in colours:
            command = [sys.executable, "-m", "catan_p2p.cli.main", "peer", str(folder / colour), "--json"]
            command += ["--stay", f"{_LINGER_S:g}", "--max-actions", str(settings.max_actions)]
            command += ["--timings", str(timings_file(folder / colour)), "--findings", str(out / FINDINGS_FILE)]
            if progress is not None and colour == colours[0]:
                command.append("--tell-progress")
            for other in colours:
                if other != colour:
                    command += ["--remote", f"{other}={urls[other]}"]
            if ports:
                command += ["--listen", f"127.0.0.1:{ports[colour]}"]
            peers[colour] = running.enter_context(PeerProcess(colour, command))
        reports = _wait_for(peers, (lambda *told: None) if progress is None else partial(progress, number))
    for colour, report in reports.items():
        if "gave_up" in report:
            raise GaveUp(f"{colour}: {report['gave_up']}")
    capped = [colour for colour in colours if not reports.get(colour, {"is_over": False})["is_over"]]
    if capped:
        raise RunawayGame(
            f"game {number}, seed {settings.seed}: no winner, {', '.join(capped)} stopped at the cap of "
            f"{settings.max_actions} actions"
        )
    return reports


def _wait_for(peers: dict[str, PeerProcess], tell: Callable[[int, tuple[int, ...]], None]) -> dict[str, dict[str, Any]]:
    """The reports of the peers, by colour; ``StoreError`` as soon as one ends with an error.

    Once a peer has ended without a winner, the others cannot go on for long; those that do not end soon are left out.
    """
    reports: dict[str, dict[str, Any]] = {}
    last: tuple[int, tuple[int, ...]] | None = None
    deadline = math.inf
    while len(reports) < len(peers):
        for colour, peer in peers.items():
            if colour not in reports and peer.has_ended:
                reports[colour] = report = peer.report()
                if "gave_up" in report:
                    return reports
                # A peer that has seen the end stays for ``_LINGER_S`` itself, so the others get twice that.
                linger_s = 2 * _LINGER_S if report["is_over"] else _CAPPED_S
                deadline = min(deadline, monotonic() + linger_s)
            if peer.progress is not None and peer.progress != last:
                last = peer.progress
                tell(*last)
        if monotonic() > deadline:
            if all(report["is_over"] for report in reports.values()):
                late = ", ".join(colour for colour in peers if colour not in reports)
                raise StoreError(f"{late}: did not see the end of the game, though the other peers did")
            return reports
        sleep(_LOOK_EVERY_S)
    return reports


class PeerProcess:
    """A peer's process. Leaving its context ends it: by SIGTERM, which works as Ctrl-C does, then by force."""

    def __init__(self, colour: str, command: list[str]) -> None:
        self.progress: tuple[int, tuple[int, ...]] | None = None
        """The last reported progress: actions, and points by seat."""
        self._colour = colour
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self._out: list[str] = []
        self._complaints: list[str] = []
        # One thread for each pipe: a process whose pipe is full would stop.
        self._readers = [Thread(target=self._read_out, daemon=True), Thread(target=self._read_complaints, daemon=True)]
        for reader in self._readers:
            reader.start()

    def __enter__(self) -> PeerProcess:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(_END_S)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        for reader, pipe in zip(self._readers, (self._process.stdout, self._process.stderr), strict=True):
            reader.join(_END_S)
            if pipe is not None and not reader.is_alive():
                pipe.close()

    @property
    def has_ended(self) -> bool:
        """Whether the process has ended."""
        return self._process.poll() is not None

    def report(self) -> dict[str, Any]:
        """The report of a peer that has ended; ``StoreError`` if it ended with an error."""
        for reader in self._readers:
            reader.join(_END_S)
        code = self._process.returncode
        try:
            report: dict[str, Any] = json.loads("".join(self._out))
        except ValueError:
            report = {}
        if code in (0, 1) and report:
            return report
        how = f"killed by {_signal_name(-code)}" if code < 0 else f"ended with exit code {code}"
        told = "".join(self._complaints).strip().splitlines()
        raise StoreError(f"{self._colour}: {how}" + (f": {told[-1]}" if told else ""))

    def _read_out(self) -> None:
        """Progress comes as one JSON list a line, before the report."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if line.startswith("["):
                actions, points = json.loads(line)
                self.progress = actions, tuple(points)
            else:
                self._out.append(line)

    def _read_complaints(self) -> None:
        assert self._process.stderr is not None
        self._complaints.extend(self._process.stderr)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def free_ports(count: int) -> list[int]:
    """Ports of the loopback interface that no program listens on now."""
    with ExitStack() as opened:  # all are open at the same time, so no port comes twice
        sockets = [opened.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]


def _sum_up(
    folder: Path,
    number: int,
    settings: SimulationSettings,
    reports: dict[str, dict[str, Any]],
    found: list[FoundLine],
    *,
    resumed: bool,
    elapsed_s: float,
) -> PlayedGame:
    history: GameHistory = load_history(folder / COLOURS[0], may_be_hidden=True)
    state, game = history.last, history.game

    def total(name: str) -> float:
        return sum(float(report[name]) for report in reports.values())

    result = GameResult(
        game=number,
        seed=settings.seed,
        players=settings.players,
        policies=tuple(settings.policy_of(player) for player in game.constants.players),
        winner=game.seats[state.ap - 1].colour,
        points=tuple(player_points(state, player) for player in game.constants.players),
        actions=len(history.actions),
        rounds=-(-history.turns // settings.players),
        commits=len(history.actions) + 1,
        # The mean, since every player has the whole game.
        repository_bytes=sum(folder_bytes(folder / colour / ".git") for colour in reports) // len(reports),
        computing_s=total("computing_s"),
        synchronizing_s=total("synchronizing_s"),
        elapsed_s=elapsed_s,
        tries=0,
        findings=len(found),
        resumed=resumed,
        head=reports[COLOURS[0]]["head"],
        waiting_s=total("waiting_s"),
        fetches=int(total("fetches")),
        bytes_received=int(total("bytes_received")),
        mistakes=int(total("mistakes")),
    )
    timings = [_taken(folder / colour) for colour in reports]
    return PlayedGame(
        result,
        tuple(found),
        tuple(timing for one in timings for timing in one.actions.values()),
        tuple(sync for one in timings for sync in one.syncs),
    )


def _taken(seat: Path) -> GameTimings:
    """The timings that a peer has recorded in this run. Its file is removed: the run writes one for the whole game."""
    file = timings_file(seat)
    timings = read_timings(file)
    file.unlink(missing_ok=True)
    return timings
