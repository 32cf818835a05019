"""One row of the matrix, played by real processes: ``catan-p2p peer``, ``turn``, or the process behind a window."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from contextlib import ExitStack
from io import BytesIO
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Condition
from typing import NamedTuple

from catan_p2p.cli.turn import AWAITED, NOT_AWAITED, OVER
from catan_p2p.game.new_game import new_constants
from catan_p2p.log.game import new_game
from catan_p2p.log.history import load_history
from catan_p2p.log.keys import spell_public_key
from catan_p2p.log.refs import COLOURS
from catan_p2p.sessions.messages import LeadPeers, LeaveTable, Order
from catan_p2p.sessions.new_table import NewTable
from catan_p2p.sessions.saved_games import is_over
from catan_p2p.sessions.worker import lead
from tests.matrix.factors import Row, map_of, rule_text
from tests.matrix.laboratory import POLICIES, Played, seed_of
from tests.replication.git_servers import Conduct, http_backend, http_server
from tests.replication.processes import PROGRAM, STILL_S, PeerProcess, ProcessTable, wait_until
from tests.replication.relays import bare
from tests.replication.tables import KEYS

PATIENCE_S = 8.0
QUIET_S = 25.0
"""The same where docs/how-it-works/replication.md says that play may stand still: longer than a pause between looks."""
MOMENT_S = 2.0
"""So long a seat is played that is looked after by ``turn``."""
ACTIONS = {"opening": 1, "set-up": 3, "early": 15, "middle": 40}
"""After so many acknowledged actions it happens."""
ROOT = Path(__file__).parents[2]


def play_real(row: Row, folder: Path) -> Played:
    """Play the game of a row; every player's repository is left in ``folder``."""
    return _play_at_a_window(row, folder) if row.place == "window" else RealGame(row, folder).play()


class RealGame:
    """The game of a row, and what happens in it."""

    def __init__(self, row: Row, folder: Path) -> None:
        self.row = row
        self.folder = folder
        self.colours = COLOURS[: row.players]
        self.chosen = self.colours[0 if row.who == "first" else -1]
        self.relay: Path | None = None
        self.findings: list[str] = []
        self.has_happened = False

    def _laid(self, stack: ExitStack) -> ProcessTable:
        """The seats, each of which knows where the others are."""
        row, seed = self.row, seed_of(self.row)
        keys = {colour: spell_public_key(KEYS[colour]) for colour in self.colours if row.keys == "yes"}
        constants = new_constants(rule_text(row), self.colours, map_of(row.map), seed, 0, row.chance, row.hands)
        url = None
        if row.transport in ("relay", "http"):
            self.relay = bare(self.folder / "relay")
            url = str(self.relay)
            if row.transport == "http":
                url = f"{stack.enter_context(http_server(self.folder, Conduct()))}/relay"
        return ProcessTable(
            self.folder,
            new_game(0, constants, self.colours, keys),
            [seed] * row.players,
            policies=POLICIES.get(row.policy, (row.policy,)),
            is_served=row.transport in ("git", "ring"),
            is_ring=row.transport == "ring",
            relay=url,
            options=("--patience", f"{PATIENCE_S}s") if row.leaving == "yes" else (),
            program=self._program,
        )

    def play(self) -> Played:
        """Play, let happen what the row says, and end all processes."""
        if self.row.transport == "http" and http_backend() is None:
            return Played("skipped: no git-http-backend", (), (), frozenset(), False, 0)
        with ExitStack() as stack:
            table = self._laid(stack)
            visited = table.peers.pop(self.chosen) if self.row.place == "turn" else None
            with table.running():
                visits = None if visited is None else Visits(visited.path, table.ports.get(self.chosen))
                ending = self._follow(table, visits)
        peers = table.peers
        gone = {self.chosen} if self.has_happened and self.row.event in ("leaves", "withholds") else set()
        for peer in peers.values():
            if ending == "over" and peer.colour not in gone and peer.code not in (0, 1):
                self.findings.append(f"{peer.colour} ended with code {peer.code}: {peer.complaints[-3:]}")
        seats = tuple(self.folder / colour for colour in self.colours)
        actions = max(len(load_history(seat, may_be_hidden=True).actions) for seat in seats)
        honest = frozenset({*self.colours} - gone)
        return Played(ending, tuple(self.findings), seats, honest, self.has_happened, actions, self.relay)

    def _program(self, colour: str) -> tuple[str, ...]:
        if self.row.event != "withholds" or colour != self.chosen:
            return PROGRAM
        self.has_happened = True
        kind = "chance" if self.row.chance == "joint" else "loss" if "thesis" in rule_text(self.row) else "answer"
        return ("tests.replication.withholding", kind, str(ACTIONS[self.row.when]))

    def _follow(self, table: ProcessTable, visits: Visits | None) -> str:
        def acknowledged() -> int:
            return table.acknowledged + (0 if visits is None else visits.count)

        peers = table.peers
        others = [peer for peer in peers.values() if peer.colour != self.chosen or self.row.event != "withholds"]
        if visits is not None:
            visits.start()
        if self.row.event in ("leaves", "crashes", "stands still"):
            chosen = peers[self.chosen]
            wait_until(lambda: acknowledged() >= ACTIONS[self.row.when] or not chosen.is_running, STILL_S, acknowledged)
            self.has_happened = chosen.is_running
            self._disturb(chosen, [peer for peer in others if peer is not chosen])
            if self.row.event == "leaves":
                others.remove(chosen)
        may_stand = self.row.may_stand_still and self.row.event in ("leaves", "withholds")
        ended = wait_until(
            lambda: not any(peer.is_running for peer in others) and (visits is None or visits.is_done),
            QUIET_S if may_stand else STILL_S,
            acknowledged,
        )
        if visits is not None:
            self.findings += visits.stop()
        if not ended and not may_stand:
            self.findings.append(f"stands still: { {peer.colour: peer.complaints[-2:] for peer in others} }")
        return "over" if ended else "stands still"

    def _disturb(self, chosen: PeerProcess, others: list[PeerProcess]) -> None:
        if not self.has_happened:
            return
        if self.row.event in ("leaves", "crashes"):
            chosen.kill()
            if self.row.event == "crashes":
                chosen.start()
        else:
            chosen.signal(signal.SIGSTOP)
            wait_until(lambda: not any(peer.is_running for peer in others), 3 * PATIENCE_S)
            chosen.signal(signal.SIGCONT)


class Visits(threading.Thread):
    """Somebody who looks after a seat now and then, by ``turn``, and plays for a moment whenever they are awaited."""

    def __init__(self, path: Path, port: int | None) -> None:
        super().__init__(daemon=True)
        self._path = path
        self._serving = [] if port is None else ["--listen", f"127.0.0.1:{port}"]
        self._is_stopped = False
        self._findings: list[str] = []
        self.count = 0
        self.is_done = False

    def run(self) -> None:
        while not self._is_stopped:
            code = self._run("turn", str(self._path), "--within", "5")
            self.count += 1
            if code == OVER:
                break
            if code not in (AWAITED, NOT_AWAITED, 1):
                self._findings.append(f"turn ended with code {code}")
                break
            # Over git:// the others can read this seat only while it is played.
            if code == AWAITED or self._serving:
                self._run("peer", str(self._path), "--stop-after", str(MOMENT_S), "--quiet", *self._serving)
        self._run("peer", str(self._path), "--stop-after", "20", "--quiet", *self._serving)
        self.is_done = True

    def _run(self, *words: str) -> int:
        command = [sys.executable, "-m", "catan_p2p.cli.main", *words]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        if "Traceback" in done.stderr:
            self._findings.append(f"{words[0]}: {done.stderr.strip().splitlines()[-1]}")
        return done.returncode

    def stop(self) -> list[str]:
        """End it; what was found."""
        self._is_stopped = True
        self.join()
        return self._findings


class _LeavesOnceAllKnow(SimpleQueue[Order]):
    """The orders of a window that is closed once every seat knows the end, or nothing has come for too long."""

    def __init__(self, seats: tuple[Path, ...]) -> None:
        super().__init__()
        self._seats = seats
        self._until = time.monotonic() + STILL_S

    def get_nowait(self) -> Order:
        if not all(map(is_over, self._seats)) and time.monotonic() < self._until:
            raise Empty
        return LeaveTable()

    def get(self, block: bool = True, timeout: float | None = None) -> Order:
        return self.get_nowait()


class _At(NamedTuple):
    """A table's folder and its seats."""

    path: Path
    seats: tuple[Path, ...]


def _play_at_a_window(row: Row, folder: Path) -> Played:
    colours = COLOURS[: row.players]
    at = _At(folder / "table", tuple(folder / "table" / colour for colour in colours))
    policy = POLICIES.get(row.policy, (row.policy,))[0]
    new = NewTable(colours, frozenset(), rule_text(row), map_of(row.map), policy, seed_of(row), row.chance)
    lead(LeadPeers(at.path, new), _LeavesOnceAllKnow(at.seats), BytesIO(), Condition())
    ending = "over" if all(map(is_over, at.seats)) else "stands still"
    findings = () if ending == "over" else ("the game at the window stands still",)
    actions = max(len(load_history(seat).actions) for seat in at.seats)
    return Played(ending, findings, at.seats, frozenset(colours), False, actions)
