"""A worker process of a server: plays games whose players' connections the server has handed over.

All games share one thread; only making and closing a game, publishing it, and computer players run on others.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import time
from collections.abc import Callable
from typing import Any, TypeVar

from catan_p2p.lmu.channel import ProcessChannel
from catan_p2p.lmu.game import GitGame
from catan_p2p.lmu.hand_over import (
    BeginGame,
    BreakOff,
    BringBack,
    CloseGames,
    GameEnded,
    GoOn,
    LogNote,
    MoveAgain,
    Order,
    RemoveClient,
    Report,
    SeatNow,
    StandStill,
    TableCleared,
    TableSeats,
    WorkerAlive,
)
from catan_p2p.lmu.hosting import HostedTable, ServerSettings, TableHosting
from catan_p2p.lmu.seats import TableMember, TableSettings, folded
from catan_p2p.lmu.server_connection import HandedConnection, OutgoingMessages, taken_over
from catan_p2p.lmu.table import LmuTable

T = TypeVar("T")

ALIVE_S = 1.0
"""The interval of a worker's heartbeat."""


def run_worker(connection: socket.socket, settings: ServerSettings, table_settings: TableSettings) -> None:
    """Play games until the server sends ``CloseGames`` or ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the server will send CloseGames
    asyncio.run(_work(WorkerGames, connection, settings, table_settings))


async def _work(kind: type[WorkerGames], connection: socket.socket, *what: Any) -> None:
    playing = kind(connection, *what)
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, playing.ended.set)
    await playing.ended.wait()
    await playing.close()


class WorkerGames(TableHosting):
    """The games of one worker."""

    def __init__(self, connection: socket.socket, settings: ServerSettings, table_settings: TableSettings) -> None:
        super().__init__(settings, table_settings, lambda text: self._tell(LogNote(text, is_trouble=False)))
        self.ended = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self._beginning: set[asyncio.Task[None]] = set()
        self._opened: dict[int, asyncio.Future[HostedTable]] = {}
        self._seats_told: dict[int, list[SeatNow]] = {}
        self._channel = ProcessChannel(connection, self._take, self.ended.set)
        self._saying = asyncio.ensure_future(self._say_alive())

    def _run_meanwhile(self, coroutine: Any) -> asyncio.Task[None]:
        task: asyncio.Task[None] = asyncio.ensure_future(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def _tell(self, message: Report) -> None:
        self._run_meanwhile(self._channel.send(message))

    async def _say_alive(self) -> None:
        while True:
            self._tell(WorkerAlive())
            await asyncio.sleep(ALIVE_S)

    async def close(self) -> None:
        """Close all games in order, and send the remaining reports."""
        self._saying.cancel()
        self._move_again()
        await asyncio.gather(*self._beginning)
        await super().close()
        await asyncio.gather(*self._tasks)

    def _take(self, message: Order, files: list[int]) -> None:
        # Orders after the last one are dropped, but their files must be closed.
        if isinstance(message, CloseGames) or self.ended.is_set():
            self.ended.set()
            for file in files:
                os.close(file)
        elif isinstance(message, StandStill):
            self._stand_still()
        elif isinstance(message, MoveAgain):
            self._move_again()
        elif isinstance(message, BeginGame | GoOn):
            self._opened[message.number] = asyncio.get_running_loop().create_future()
            task = self._begin(message, files) if isinstance(message, BeginGame) else self._go_on(message)
            self._beginning.add(beginning := self._run_meanwhile(task))
            beginning.add_done_callback(self._beginning.discard)
        else:
            self._run_meanwhile(self._do_at_table(message, files))

    # Games

    def _table(self, message: BeginGame | GoOn) -> HostedTable:
        table = LmuTable(message.number, self._table_settings, clock=self._now)
        table.members = message.members
        return HostedTable(table)

    async def _begin(self, message: BeginGame, files: list[int]) -> None:
        hosted = self._table(message)
        there = {id: (file, handed) for (id, handed), file in zip(message.connections, files, strict=True)}
        async with hosted.lock:
            for member in hosted.table.members:
                if member.id in there:
                    await self._connect(hosted, member, *there[member.id])
            with self._trouble_of(hosted):
                await self._work(hosted.table.start)
                for member in hosted.table.members:
                    if not member.is_computer and member not in hosted.clients:
                        hosted.table.leave(member)
            self._deliver(hosted)
        self._play(hosted)

    async def _go_on(self, message: GoOn) -> None:
        """Resume a game. One that is not on disk yet begins anew."""
        hosted = self._table(message)
        with self._trouble_of(hosted):
            await self._work(lambda: self._resume(hosted.table))
        self._deliver(hosted)
        self._play(hosted)

    def _resume(self, table: LmuTable) -> None:
        path, seed = self._table_settings.out / f"Catan_{table.number}", self._table_settings.seed
        if path.exists():
            table.go_on(GitGame.resumed(path, table.number, seed, lambda height: int(time.time())))
            return
        table.start()
        for member in table.members:
            table.leave(member)

    def _play(self, hosted: HostedTable) -> None:
        self._hosted.append(hosted)
        hosted.task = asyncio.ensure_future(self._run(hosted))
        # Orders about this game have waited for it: see ``_do_at_table``.
        self._opened[hosted.table.number].set_result(hosted)

    def _ended(self, hosted: HostedTable) -> None:
        self._tell(GameEnded(hosted.table.number))

    def _cleared(self, hosted: HostedTable) -> None:
        del self._opened[hosted.table.number]
        self._seats_told.pop(hosted.table.number, None)
        self._tell(TableCleared(hosted.table.number))

    def _trouble(self, text: str) -> None:
        self._tell(LogNote(text, is_trouble=True))

    async def _act(self, hosted: HostedTable, call: Callable[[], T]) -> T:
        """Call directly where that is fast: a person's action takes no longer than a switch of threads."""
        if hosted.table.is_to_publish or any(member.is_computer for member in hosted.table.members):
            return await super()._act(hosted, call)
        return call()

    def _deliver(self, hosted: HostedTable) -> None:
        super()._deliver(hosted)
        self._tell_seats(hosted)

    def _tell_seats(self, hosted: HostedTable) -> None:
        """Report the seats if they have changed."""
        now = [SeatNow(member.id, member.is_there, member.is_computer) for member in hosted.table.members]
        if now != self._seats_told.get(hosted.table.number, []):
            self._seats_told[hosted.table.number] = now
            self._tell(TableSeats(hosted.table.number, now))

    # Clients

    async def _connect(self, hosted: HostedTable, member: TableMember, file: int, handed: HandedConnection) -> None:
        outgoing = OutgoingMessages(await taken_over(file, handed), self.settings.max_backlog_bytes)
        before = hosted.clients.get(member)
        if before is not None:
            before.abort()
        hosted.clients[member] = outgoing
        self._run_meanwhile(self._converse(hosted, member, outgoing))

    async def _converse(self, hosted: HostedTable, member: TableMember, outgoing: OutgoingMessages) -> None:
        try:
            await self._listen(hosted, member, outgoing)
        finally:
            await outgoing.close()

    async def _do_at_table(self, message: BringBack | RemoveClient | BreakOff, files: list[int]) -> None:
        opened = self._opened.get(message.number)
        hosted = None
        with contextlib.suppress(asyncio.CancelledError):
            hosted = None if opened is None else await opened
        if hosted is None:
            for file in files:
                os.close(file)
        elif isinstance(message, BringBack):
            await self._bring_back(hosted, message, files[0])
        elif isinstance(message, RemoveClient):
            await self._kick(hosted, message.name)
        else:
            hosted.table.is_over = True
        if hosted is not None:
            hosted.wake.set()

    async def _bring_back(self, hosted: HostedTable, message: BringBack, file: int) -> None:
        table = hosted.table
        member = next(member for member in table.members if member.id == message.member)
        async with hosted.lock:
            if not self._takes_seat(table, member, message):
                os.close(file)
                self._seats_told.pop(message.number, None)
                self._tell_seats(hosted)
                return
            if message.was is not None:
                table.answer(member)
            await self._connect(hosted, member, file, message.connection)
            self._deliver(hosted)

    def _takes_seat(self, table: LmuTable, member: TableMember, message: BringBack) -> bool:
        """Seat a player who comes back and whom the server admits.

        False if the game has ended, or the seat is taken by a client with the first claim.
        """
        # The server has checked that already, and the host may have admitted the player since.
        table.barred.pop(folded(member.name or ""), None)
        if message.was is not None and not member.is_free:
            return False
        return table.come_back(member, message.was)
