"""The worker processes of a server, from the server's side: their games, and what happens when one ends.

A worker that ends is started again and resumes its games. Their players come back with their tokens. No answered action
is lost, since the operating system has each one before it is answered; only a power cut can lose the last ``LAG_S``.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import socket
import time
from typing import Any, Protocol

from catan_p2p.lmu.channel import ProcessChannel
from catan_p2p.lmu.hand_over import (
    BeginGame,
    BreakOff,
    BringBack,
    CloseGames,
    GameEnded,
    GoOn,
    LogNote,
    Order,
    RemoveClient,
    Report,
    SeatNow,
    StandStill,
    TableSeats,
    WorkerAlive,
)
from catan_p2p.lmu.hosting import HANGS_S, HostedTable, ServerSettings
from catan_p2p.lmu.seats import TableMember, TableSettings
from catan_p2p.lmu.server_connection import HandedConnection
from catan_p2p.lmu.worker import run_worker

MAX_RESTARTS = 3
"""How often the worker of a game may end before the game is given up."""
END_S = 30.0
"""How long a worker may take to close its games in order."""


class WorkerOwner(Protocol):
    """The part of the server that its workers call."""

    def noted_elsewhere(self, text: str, *, is_trouble: bool) -> None:
        """Log a line of a worker; ``is_trouble`` marks a failure that should not happen."""

    @property
    def stands_still(self) -> bool:
        """Whether all games are paused."""

    def seats_elsewhere(self, hosted: HostedTable, seats: list[SeatNow]) -> None:
        """Take the state of the seats at a worker's table."""

    def ended_elsewhere(self, hosted: HostedTable) -> None:
        """A worker's game is over and is being closed."""

    def cleared_elsewhere(self, hosted: HostedTable) -> None:
        """A worker has cleared a table."""

    def give_up(self, hosted: HostedTable) -> None:
        """Give up a game whose worker processes keep ending."""


class ServerWorker:
    """One worker process and its games."""

    def __init__(self, workers: ServerWorkers) -> None:
        self.tables: dict[int, HostedTable] = {}
        self._workers = workers
        self.hangs_since: float | None = None
        """When the process was last heard, once the host was told that it hangs; else None."""
        self._start()

    def _start(self) -> None:
        ours, theirs = socket.socketpair()
        # Not fork: this process has threads and a running event loop.
        self.process = multiprocessing.get_context("spawn").Process(
            target=run_worker,
            args=(theirs, self._workers.settings, self._workers.table_settings),
            daemon=True,
        )
        self.process.start()
        theirs.close()
        self.heard_at: float | None = None
        self.channel = ProcessChannel(ours, self._take, self._end)

    def _take(self, message: Report, files: list[int]) -> None:
        server = self._workers.server
        self.heard_at = time.monotonic()
        if isinstance(message, WorkerAlive):
            self.look_whether_it_hangs(self.heard_at)
        elif isinstance(message, LogNote):
            server.noted_elsewhere(message.text, is_trouble=message.is_trouble)
        elif isinstance(message, TableSeats):
            if message.number in self.tables:
                server.seats_elsewhere(self.tables[message.number], message.seats)
        elif isinstance(message, GameEnded):
            server.ended_elsewhere(self.tables[message.number])
        else:
            server.cleared_elsewhere(self.tables.pop(message.number))

    def look_whether_it_hangs(self, now: float) -> None:
        """Tell the host if the process is silent for ``HANGS_S``, and again once it responds; its games wait."""
        # A process that is still starting has not been heard, and may take longer than HANGS_S.
        if self.heard_at is None or not self.tables:
            return
        games = ", ".join(str(number) for number in sorted(self.tables))
        note = self._workers.server.noted_elsewhere
        if self.hangs_since is not None and self.heard_at > self.hangs_since:
            note(f"the worker of games {games} goes on after {now - self.hangs_since:.0f} s", is_trouble=False)
            self.hangs_since = None
        elif self.hangs_since is None and now > self.heard_at + HANGS_S:
            self.hangs_since = self.heard_at
            note(f"the worker of games {games} hangs: is the disk or the machine busy?", is_trouble=False)

    def _end(self) -> None:
        """The process has ended: start another one, which resumes its games."""
        if self._workers.is_closing:
            return
        what = f"a worker has ended; another one goes on with {len(self.tables)} of its games"
        self._workers.server.noted_elsewhere(what, is_trouble=False)
        self._workers.run(self._go_on())

    async def _go_on(self) -> None:
        await asyncio.to_thread(self.process.join)
        self._start()
        if self._workers.server.stands_still:
            await self.channel.send(StandStill())
        for number, hosted in [*self.tables.items()]:
            hosted.restarts += 1
            if hosted.restarts > MAX_RESTARTS:
                del self.tables[number]
                self._workers.server.give_up(hosted)
                continue
            for member in hosted.table.members:
                member.is_there = False
            await self.channel.send(GoOn(number, hosted.table.members))


class ServerWorkers:
    """All workers of a server, started as games need them."""

    def __init__(self, settings: ServerSettings, table_settings: TableSettings, server: WorkerOwner) -> None:
        self.settings = settings
        self.table_settings = table_settings
        self.server = server
        self.is_closing = False
        self._workers: list[ServerWorker] = []
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def processes(self) -> list[Any]:
        """The processes of all workers."""
        return [worker.process for worker in self._workers]

    def run(self, coroutine: Any) -> None:
        """Run a coroutine in the background until ``close``."""
        task = asyncio.ensure_future(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def look_whether_any_hangs(self) -> None:
        """Report workers that hang to the host."""
        for worker in self._workers:
            worker.look_whether_it_hangs(time.monotonic())

    async def tell_all(self, message: Order) -> None:
        """Send a message to every worker."""
        for worker in self._workers:
            await worker.channel.send(message)

    async def _least_busy(self, hosted: HostedTable) -> ServerWorker:
        """The worker with the fewest games, which is given this one; a new one while there are fewer than allowed."""
        worker = next((worker for worker in self._workers if not worker.tables), None)
        is_new = worker is None and len(self._workers) < self.settings.workers
        if is_new:
            self._workers.append(worker := ServerWorker(self))
        worker = worker or min(self._workers, key=lambda worker: len(worker.tables))
        hosted.worker, worker.tables[hosted.table.number] = worker, hosted
        if is_new and self.server.stands_still:
            await worker.channel.send(StandStill())
        return worker

    async def begin(self, hosted: HostedTable, connections: list[tuple[int, int, HandedConnection]]) -> None:
        """Have a worker play a game; ``connections`` are members' numbers, file descriptors and connections' states."""
        worker = await self._least_busy(hosted)
        handed = [(id, handed) for id, _, handed in connections]
        message = BeginGame(hosted.table.number, hosted.table.members, handed)
        await worker.channel.send(message, [file for _, file, _ in connections])

    async def bring_back(
        self,
        hosted: HostedTable,
        member: TableMember,
        connection: tuple[int, HandedConnection],
        was: int | None = None,
    ) -> None:
        """Hand a returning player's connection to the worker of the game: see ``BringBack``."""
        file, handed = connection
        await hosted.worker.channel.send(BringBack(hosted.table.number, member.id, handed, was), [file])

    async def tell(self, hosted: HostedTable, message: RemoveClient | BreakOff) -> None:
        """Send a message to the worker of a game."""
        await hosted.worker.channel.send(message)

    async def close(self) -> None:
        """Have all workers close their games and exit; kill one that takes longer than ``END_S``."""
        self.is_closing = True
        await asyncio.gather(*self._tasks)
        for worker in self._workers:
            await worker.channel.send(CloseGames())
        for worker in self._workers:
            await asyncio.to_thread(worker.process.join, END_S)
            if worker.process.exitcode is None:
                worker.process.kill()
                self.server.noted_elsewhere("a worker has not left its games in order", is_trouble=True)
            worker.channel.close()
