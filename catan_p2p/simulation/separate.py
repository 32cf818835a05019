"""A simulated game whose players are processes with a repository each; only Git passes between them.

The peers are those of ``catan-p2p peer``, started on this machine. They draw from the same seed and date their commits
with the same logical clock as peers over a shared repository, so the game comes out the same, object id for object id.
"""

from __future__ import annotations

import hashlib
import json
import signal
import socket
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from time import perf_counter
from typing import Any

from catan_p2p.log.game import Game, new_game
from catan_p2p.log.history import History, load_history
from catan_p2p.log.keys import new_private_key, spell_public_key
from catan_p2p.log.refs import COLOURS
from catan_p2p.log.storage.objects import StoreError
from catan_p2p.peer import GaveUp
from catan_p2p.replication.seat import SeatSettings, create_seat, join_game
from catan_p2p.scoring import player_points
from catan_p2p.simulation.game import (
    GameResult,
    PlayedGame,
    Progress,
    RunawayGame,
    Settings,
    folder_bytes,
    game_constants,
    game_folder,
)
from catan_p2p.simulation.randomness import logical_clock
from catan_p2p.simulation.timings import Timings, read_timings, timings_file

TRANSPORTS = ("path", "git")
_LINGER_S = 30.0


def create_seats(folder: Path, number: int, settings: Settings) -> Game:
    """Make the repositories ``folder/<Colour>`` of a game that is to begin; those that exist are left as they are."""
    colours = COLOURS[: settings.players]
    keys = {
        colour: new_private_key(hashlib.sha256(f"catan-p2p key {settings.seed}/{number}/{colour}".encode()).digest())
        for colour in colours
        if settings.signed
    }
    public_keys = {colour: spell_public_key(key) for colour, key in keys.items()}
    game = new_game(number, game_constants(number, settings), colours, public_keys)
    for player, colour in enumerate(colours, 1):
        path = folder / colour
        if path.exists():
            continue
        seat = SeatSettings(colour, settings.seed, "logical", settings.policy_of(player))
        if player == 1:
            create_seat(path, game, seat, keys.get(colour), nonce=f"seed {settings.seed}", time_s=logical_clock(0))
        else:
            join_game(str(folder / colours[0]), path, seat, keys.get(colour))
    return game


def play_separate_game(out: Path, number: int, settings: Settings, progress: Progress | None = None) -> PlayedGame:
    """Play a game to its end, or go on with one that was interrupted, with a process for each player.

    Raises ``StoreError`` if a repository cannot be made or a peer fails, ``RunawayGame`` beyond the cap on actions,
    ``GaveUp`` if a peer does.
    """
    begin = perf_counter()
    folder = game_folder(out, number)
    resumed = folder.exists()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(f"{folder}: cannot make the folder: {error.strerror or error}") from error
    game = create_seats(folder, number, settings)
    colours = [seat.colour for seat in game.seats]
    reports = _run_peers(folder, colours, settings)
    heads = {colour: report["head"] for colour, report in reports.items()}
    unfinished = [colour for colour, report in reports.items() if not report["is_over"]]
    if unfinished:
        raise RunawayGame(f"game {number}, seed {settings.seed}: {', '.join(unfinished)} did not see the end")
    if len(set(heads.values())) != 1:
        raise StoreError(f"{folder}: the peers ended on different commits: {heads}")
    return _sum_up(folder, number, settings, reports, resumed=resumed, elapsed_s=perf_counter() - begin)


def _run_peers(folder: Path, colours: list[str], settings: Settings) -> dict[str, dict[str, Any]]:
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
            command += ["--timings", str(timings_file(folder / colour))]
            for other in colours:
                if other != colour:
                    command += ["--remote", f"{other}={urls[other]}"]
            if ports:
                command += ["--listen", f"127.0.0.1:{ports[colour]}"]
            peers[colour] = running.enter_context(_Process(command))
        return {colour: peer.report(colour) for colour, peer in peers.items()}


class _Process:
    """A peer's process; leaving its context interrupts it, as Ctrl-C would."""

    def __init__(self, command: list[str]) -> None:
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def __enter__(self) -> _Process:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
            try:
                self._process.communicate(timeout=20)
            except subprocess.TimeoutExpired:
                self._process.kill()
        self._process.communicate()

    def report(self, colour: str) -> dict[str, Any]:
        """What the peer did, once it has ended."""
        out, complaints = self._process.communicate()
        told = complaints.strip().splitlines() or [f"ended with code {self._process.returncode}"]
        if self._process.returncode not in (0, 1):
            raise StoreError(f"{colour}: {told[-1]}")
        if not out:
            raise GaveUp(f"{colour}: {told[-1]}")
        report: dict[str, Any] = json.loads(out)
        return report


def free_ports(count: int) -> list[int]:
    """Ports of the loopback interface that nobody listens on now."""
    with ExitStack() as opened:
        sockets = [opened.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]


def _sum_up(
    folder: Path,
    number: int,
    settings: Settings,
    reports: dict[str, dict[str, Any]],
    *,
    resumed: bool,
    elapsed_s: float,
) -> PlayedGame:
    history: History = load_history(folder / COLOURS[0])
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
        repository_bytes=sum(folder_bytes(folder / colour / ".git") for colour in reports) // len(reports),
        computing_s=total("computing_s"),
        synchronizing_s=total("synchronizing_s"),
        elapsed_s=elapsed_s,
        tries=0,
        findings=int(total("findings")),
        resumed=resumed,
        head=reports[COLOURS[0]]["head"],
        waiting_s=total("waiting_s"),
        fetches=int(total("fetches")),
        bytes_received=int(total("bytes_received")),
    )
    timings = [_taken(folder / colour) for colour in reports]
    return PlayedGame(
        result,
        (),
        tuple(timing for one in timings for timing in one.actions.values()),
        tuple(sync for one in timings for sync in one.syncs),
    )


def _taken(seat: Path) -> Timings:
    """What a peer has recorded of this run; the file goes, the game's own takes its place."""
    file = timings_file(seat)
    timings = read_timings(file)
    file.unlink(missing_ok=True)
    return timings
