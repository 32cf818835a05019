"""The worker processes of a server, as the server sees them: which games they play, and what becomes of one that ends.

A worker that ends is started again and goes on with its games. Their players come back with their tokens; nothing that
they were told is lost, since every action is on disk before it is answered.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import socket
from typing import Any, Protocol

from catan_p2p.lmu import messages as m
from catan_p2p.lmu.channel import Channel
from catan_p2p.lmu.hand_over import Begin, BringBack, Cleared, Close, Ended, GoOn, Noted
from catan_p2p.lmu.hosting import Hosted, ServerSettings
from catan_p2p.lmu.seats import Member, TableSettings
from catan_p2p.lmu.served import Handed
from catan_p2p.lmu.worker import run_worker

MAX_RESTARTS = 3
"""So often the worker of a game may end before the game is given up."""
END_S = 30.0
"""How long a worker may take to leave its games in order."""


class Owner(Protocol):
    """The server, as its workers know it."""

    def noted_elsewhere(self, text: str, *, is_trouble: bool) -> None:
        """A worker has something for the server's own log; trouble must not happen."""

    def ended_elsewhere(self, hosted: Hosted) -> None:
        """A worker's game is over, and is being left in order."""

    def cleared_elsewhere(self, hosted: Hosted) -> None:
        """A worker's table is cleared."""

    def give_up(self, hosted: Hosted) -> None:
        """A game cannot go on: its worker ends each time."""


class Worker:
    """One worker process and its games."""

    def __init__(self, workers: Workers) -> None:
        self.tables: dict[int, Hosted] = {}
        self._workers = workers
        self._start()

    def _start(self) -> None:
        ours, theirs = socket.socketpair()
        self.process = multiprocessing.get_context("spawn").Process(
            target=run_worker, args=(theirs, self._workers.settings, self._workers.table_settings), daemon=True
        )
        self.process.start()
        theirs.close()
        self.channel = Channel(ours, self._take, self._end)

    def _take(self, message: Noted | Ended | Cleared, files: list[int]) -> None:
        server = self._workers.server
        if isinstance(message, Noted):
            server.noted_elsewhere(message.text, is_trouble=message.is_trouble)
        elif isinstance(message, Ended):
            server.ended_elsewhere(self.tables[message.number])
        else:
            server.cleared_elsewhere(self.tables.pop(message.number))

    def _end(self) -> None:
        """The process has ended: start it again, and have it go on."""
        if self._workers.is_closing:
            return
        what = f"a worker has ended; another one goes on with {len(self.tables)} of its games"
        self._workers.server.noted_elsewhere(what, is_trouble=False)
        self._workers.run(self._go_on())

    async def _go_on(self) -> None:
        await asyncio.to_thread(self.process.join)
        self._start()
        for number, hosted in [*self.tables.items()]:
            hosted.restarts += 1
            if hosted.restarts > MAX_RESTARTS:
                del self.tables[number]
                self._workers.server.give_up(hosted)
                continue
            for member in hosted.table.members:
                member.is_there = False
            await self.channel.send(GoOn(number, hosted.table.members))


class Workers:
    """All workers of a server."""

    def __init__(self, settings: ServerSettings, table_settings: TableSettings, server: Owner) -> None:
        self.settings = settings
        self.table_settings = table_settings
        self.server = server
        self.is_closing = False
        self._workers: list[Worker] = []
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def processes(self) -> list[Any]:
        """The processes."""
        return [worker.process for worker in self._workers]

    def run(self, coroutine: Any) -> None:
        """Do something meanwhile."""
        task = asyncio.ensure_future(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _least_busy(self) -> Worker:
        idle = next((worker for worker in self._workers if not worker.tables), None)
        if idle is None and len(self._workers) < self.settings.workers:
            self._workers.append(idle := Worker(self))
        return idle or min(self._workers, key=lambda worker: len(worker.tables))

    async def begin(self, hosted: Hosted, connections: list[tuple[int, int, Handed]]) -> None:
        """Have a game played; connections are the numbers of members, their files and what goes with them."""
        worker = self._least_busy()
        number = hosted.table.number
        hosted.worker, worker.tables[number] = worker, hosted
        message = Begin(number, hosted.table.members, [(id, handed) for id, _, handed in connections])
        await worker.channel.send(message, [file for _, file, _ in connections])

    async def bring_back(
        self, hosted: Hosted, member: Member, hello: m.ClientHello, connection: tuple[int, Handed]
    ) -> None:
        """Have somebody come back to their game."""
        file, handed = connection
        message = BringBack(hosted.table.number, member.id, hello, handed)
        await hosted.worker.channel.send(message, [file])

    async def close(self) -> None:
        """Have all workers leave their games in order, and end."""
        self.is_closing = True
        await asyncio.gather(*self._tasks)
        for worker in self._workers:
            await worker.channel.send(Close())
        for worker in self._workers:
            await asyncio.to_thread(worker.process.join, END_S)
            if worker.process.exitcode is None:
                worker.process.kill()
                self.server.noted_elsewhere("a worker has not left its games in order", is_trouble=True)
            worker.channel.close()
