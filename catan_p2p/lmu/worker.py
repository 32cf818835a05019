"""A worker process of a server: plays games whose players' connections the server has handed to it.

All games are played in one thread, but for what takes long: making a game, leaving one in order, computer players.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import socket
import time
from collections.abc import Callable
from typing import Any, TypeVar

from catan_p2p.lmu.channel import Channel
from catan_p2p.lmu.game import GitGame
from catan_p2p.lmu.hand_over import Begin, BringBack, Cleared, Close, Ended, GoOn, Noted
from catan_p2p.lmu.hosting import Hosted, Hosting, ServerSettings
from catan_p2p.lmu.seats import Member, TableSettings
from catan_p2p.lmu.served import Handed, Outgoing, taken_over
from catan_p2p.lmu.table import Table
from catan_p2p.log.refs import HEADS
from catan_p2p.log.storage.objects import StoreError
from catan_p2p.log.storage.store import Store

T = TypeVar("T")


def run_worker(connection: socket.socket, settings: ServerSettings, table_settings: TableSettings) -> None:
    """Play games until the server says that it closes, or has ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server gets it as well, and says what is to be done
    asyncio.run(_work(connection, settings, table_settings))


async def _work(connection: socket.socket, settings: ServerSettings, table_settings: TableSettings) -> None:
    playing = Playing(connection, settings, table_settings)
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, playing.ended.set)
    await playing.ended.wait()
    await playing.close()


class Playing(Hosting):
    """The games of one worker."""

    def __init__(self, connection: socket.socket, settings: ServerSettings, table_settings: TableSettings) -> None:
        super().__init__(settings, table_settings, lambda text: self._tell(Noted(text, is_trouble=False)))
        self.ended = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self._opened: dict[int, asyncio.Future[Hosted]] = {}
        self._channel = Channel(connection, self._take, self.ended.set)

    def _run_meanwhile(self, coroutine: Any) -> None:
        task = asyncio.ensure_future(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _tell(self, message: Noted | Ended | Cleared) -> None:
        self._run_meanwhile(self._channel.send(message))

    async def close(self) -> None:
        """Leave all games in order; what there is to tell is told."""
        await super().close()
        await asyncio.gather(*self._tasks)

    def _take(self, message: Begin | GoOn | BringBack | Close, files: list[int]) -> None:
        if isinstance(message, Close):
            self.ended.set()
            return
        if not isinstance(message, BringBack):
            self._opened[message.number] = asyncio.get_running_loop().create_future()
        if isinstance(message, Begin):
            self._run_meanwhile(self._begin(message, files))
        elif isinstance(message, GoOn):
            self._run_meanwhile(self._go_on(message))
        else:
            self._run_meanwhile(self._bring_back(message, files[0]))

    # Games

    def _table(self, number: int, members: list[Member]) -> Hosted:
        table = Table(number, self._table_settings)
        table.members = members
        return Hosted(table)

    async def _begin(self, message: Begin, files: list[int]) -> None:
        hosted = self._table(message.number, message.members)
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
        """Go on with a game; one that was killed before it was whole begins anew."""
        hosted = self._table(message.number, message.members)
        with self._trouble_of(hosted):
            await self._work(lambda: self._resume(hosted.table))
        self._deliver(hosted)
        self._play(hosted)

    def _resume(self, table: Table) -> None:
        path = self._table_settings.out / f"Catan_{table.number}"
        if not _has_begun(path):
            shutil.rmtree(path, ignore_errors=True)
            table.start()
            for member in table.members:
                table.leave(member)
            return
        table.go_on(GitGame.resumed(path, table.number, self._table_settings.seed, lambda height: int(time.time())))

    def _play(self, hosted: Hosted) -> None:
        self._hosted.append(hosted)
        hosted.task = asyncio.ensure_future(self._run(hosted))
        self._opened[hosted.table.number].set_result(hosted)

    def _ended(self, hosted: Hosted) -> None:
        self._tell(Ended(hosted.table.number))

    def _cleared(self, hosted: Hosted) -> None:
        del self._opened[hosted.table.number]
        self._tell(Cleared(hosted.table.number))

    def _trouble(self, text: str) -> None:
        self._tell(Noted(text, is_trouble=True))

    async def _act(self, hosted: Hosted, call: Callable[[], T]) -> T:
        """What people do is quick, and handing it to another thread costs as much."""
        if any(member.is_computer for member in hosted.table.members):
            return await self._work(call)
        return call()

    # Clients

    async def _connect(self, hosted: Hosted, member: Member, file: int, handed: Handed) -> None:
        outgoing = Outgoing(await taken_over(file, handed), self.settings.max_backlog_bytes)
        before = hosted.clients.get(member)
        if before is not None:
            before.abort()
        hosted.clients[member] = outgoing
        self._run_meanwhile(self._converse(hosted, member, outgoing))

    async def _converse(self, hosted: Hosted, member: Member, outgoing: Outgoing) -> None:
        try:
            await self._listen(hosted, member, outgoing)
        finally:
            await outgoing.close()

    async def _bring_back(self, message: BringBack, file: int) -> None:
        opened = self._opened.get(message.number)
        if opened is None:
            os.close(file)
            return
        hosted = await opened
        member = next(member for member in hosted.table.members if member.id == message.member)
        async with hosted.lock:
            if not hosted.table.come_back(member):
                os.close(file)
                return
            await self._connect(hosted, member, file, message.connection)
            self._deliver(hosted)
        hosted.wake.set()


def _has_begun(path: Any) -> bool:
    """Whether a game is at a path, and not what a killed process has made of one."""
    try:
        with Store.open(path, writer=None) as store:
            return bool(store.list_refs(HEADS, broken=[]))
    except StoreError:
        return False
