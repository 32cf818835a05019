"""The server: clients over WebSocket and plain TCP, the lobbies of many tables, and who sits where.

A game is played in this process, or handed with the connections of its players to one of several worker processes.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Callable
from typing import Any

import catan_p2p
from catan_p2p.lmu import messages as m
from catan_p2p.lmu.admission import Stranger, Strangers, is_own_machine
from catan_p2p.lmu.framing import TooLong
from catan_p2p.lmu.hosting import Hosted, Hosting, ServerSettings, understood
from catan_p2p.lmu.seats import Member, TableSettings
from catan_p2p.lmu.served import CLOSE_S, Outgoing, ServedStream, group_of, shake_hands
from catan_p2p.lmu.table import NewGame, NoSeat, Table
from catan_p2p.lmu.words import PROTOCOL
from catan_p2p.lmu.workers import Workers

ENDPOINT = "/catan"
VERSION = f"catan_p2p {catan_p2p.__version__}"


class Server(Hosting):
    """Hosts tables until it is closed, or until so many games are over."""

    def __init__(
        self,
        settings: ServerSettings,
        table_settings: TableSettings,
        note: Callable[[str], None] = lambda text: None,
        new_game: NewGame | None = None,
    ) -> None:
        super().__init__(settings, table_settings, note)
        self.strangers = Strangers(settings.max_connections)
        self.games_over = 0
        self.done = asyncio.Event()
        """Set once as many games are over as were asked for."""
        self._new_game = new_game
        self._arriving = Strangers(settings.max_connections)
        self._seating = asyncio.Lock()
        self._next_number = _first_free(table_settings)
        self._listeners: list[Any] = []
        self._connections: dict[asyncio.Task[Any], asyncio.StreamWriter] = {}
        self._workers = Workers(settings, table_settings, self) if settings.workers else None

    # Listening

    linger_s = 0.0
    """How long a server that is done still listens."""

    async def listen(self, host: str, port: int) -> int:
        """Accept WebSocket connections at /catan; returns the port."""
        return await self._listen_with(self._welcome_web_socket, host, port)

    async def listen_tcp(self, host: str, port: int) -> int:
        """Accept plain connections, one object a line; returns the port."""
        return await self._listen_with(self._welcome_stream, host, port)

    async def _listen_with(self, welcome: Any, host: str, port: int) -> int:
        listener = await asyncio.start_server(welcome, host, port)
        self._listeners.append(listener)
        return int(listener.sockets[0].getsockname()[1])

    async def close(self) -> None:
        """Stop listening, leave all games in order, and let everybody go."""
        for listener in self._listeners:
            listener.close()
        if self._workers is not None:
            await self._workers.close()
        await super().close()
        for writer in self._connections.values():
            writer.transport.abort()
        if self._connections:
            await asyncio.wait([*self._connections], timeout=CLOSE_S)
        for listener in self._listeners:
            await listener.wait_closed()

    async def _welcome_web_socket(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Shake hands with a client; until that is over it counts as arriving."""
        self._remember(writer)
        stranger = self._arriving.admit(group_of(writer.transport), writer.transport.abort)
        wire = None
        try:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self.settings.hello_s):
                    wire = await shake_hands(reader, writer, ENDPOINT, VERSION)
        finally:
            self._arriving.forget(stranger)
            if wire is None:
                writer.close()
        if wire is not None:
            await self._converse(wire)

    async def _welcome_stream(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._remember(writer)
        await self._converse(ServedStream(reader, writer))

    def _remember(self, writer: asyncio.StreamWriter) -> None:
        """Have the connection of the task under way ended when the server is closed."""
        task = asyncio.current_task()
        assert task is not None
        self._connections[task] = writer
        task.add_done_callback(self._connections.pop)

    # One client

    async def _converse(self, wire: ServedStream) -> None:
        outgoing = Outgoing(wire, self.settings.max_backlog_bytes)
        stranger = self.strangers.admit(wire.group, lambda: self._let_go(outgoing, "Zu viele Verbindungen"))
        try:
            outgoing.send(m.write_message(m.ServerHello(VERSION, PROTOCOL)))
            await self._serve(wire, outgoing, stranger)
        finally:
            self.strangers.forget(stranger)
            if not outgoing.is_handed:
                await outgoing.close()

    def _let_go(self, outgoing: Outgoing, why: str) -> None:
        """Tell a client why it must go, and end its connection."""
        outgoing.send(m.write_message(m.Failure(why)))
        self._end(outgoing)

    async def _serve(self, wire: ServedStream, outgoing: Outgoing, stranger: Stranger) -> None:
        """Answer a client until it goes, or is let go."""
        try:
            hello = await self._hello(wire, outgoing)
            if hello is None:
                return
            seat = await self._seat(hello, wire, outgoing, wire.group)
        except TooLong as error:
            outgoing.send(m.write_message(m.Failure(str(error))))
            return
        if seat is not None:
            self.strangers.forget(stranger)
            await self._listen(*seat, outgoing)
            if outgoing.wire.is_stopped:
                await outgoing.moved.wait()

    async def _hello(self, objects: Any, outgoing: Outgoing) -> m.ClientHello | None:
        """What the client says first; everything else is refused until it has."""
        with contextlib.suppress(TimeoutError, StopAsyncIteration):
            async with asyncio.timeout(self.settings.hello_s):
                for _ in range(10):
                    message = understood(await anext(objects))
                    if isinstance(message, m.ClientHello):
                        return message
                    outgoing.send(m.write_message(m.Reply("Erst Hallo sagen")))
        return None

    async def _seat(
        self, hello: m.ClientHello, objects: Any, outgoing: Outgoing, group: str
    ) -> tuple[Hosted, Member] | None:
        """A seat for a client: the one it had, or one at an open table; None, and it is told, if there is none."""
        async with self._seating:
            seat = await self._had_seat(hello, outgoing)
            if seat is not None or outgoing.is_handed:
                return seat
            try:
                hosted = self._open_table(group)
                async with hosted.lock:
                    self._make_room(hosted, group)
                    member = hosted.table.join(hello.version)
                    hosted.clients[member], hosted.groups[member] = outgoing, group
                    self._deliver(hosted)
            except NoSeat as error:
                outgoing.send(m.write_message(m.Failure(str(error))))
                return None
            return hosted, member

    async def _had_seat(self, hello: m.ClientHello, outgoing: Outgoing) -> tuple[Hosted, Member] | None:
        """The seat that a client lost, if name and token are those of one."""
        if hello.name is None or hello.token is None or self._table_settings.strict:
            return None
        for hosted in self._hosted:
            async with hosted.lock:
                member = hosted.table.seat_of(hello.name, hello.token)
                if member is not None and hosted.table.is_handed:
                    await self._send_back(hosted, member, hello, outgoing)
                    return None
                if member is not None and hosted.table.come_back(member):
                    self._connect(hosted, member, outgoing)
                    return hosted, member
        return None

    def _connect(self, hosted: Hosted, member: Member, outgoing: Outgoing) -> None:
        """From now on somebody is at this connection, and no longer at the one before."""
        if member in hosted.clients:
            hosted.clients[member].abort()
        hosted.clients[member] = outgoing
        self._deliver(hosted)
        hosted.wake.set()

    def _open_table(self, group: str) -> Hosted:
        for hosted in self._hosted:
            if hosted.table.is_open or self._in_the_way(hosted, group) is not None:
                return hosted
        started = self.games_over + len(self._hosted) + len(self._ending)
        if started >= (self.settings.games or started + 1) or len(self._hosted) >= self.settings.tables:
            is_playing = any(hosted.table.has_begun for hosted in [*self._hosted, *self._ending])
            raise NoSeat("Das Spiel läuft bereits" if is_playing else "Alle Plätze sind besetzt")
        own = sum({*hosted.groups.values()} == {group} for hosted in self._hosted)
        if own and own >= self.settings.tables - 1 and not is_own_machine(group):
            raise NoSeat("Der letzte freie Tisch ist für andere")
        table = Table(self._next_number, self._table_settings, self._new_game)
        table.is_played_elsewhere = self._workers is not None
        hosted = self._host(table)
        self._next_number += 1
        return hosted

    def _in_the_way(self, hosted: Hosted, group: str) -> Member | None:
        """Whose seat at a full table that has not begun somebody from an address without a seat may have.

        That is whoever came last, and is not ready, from the address with the most seats, if it has more than one; or
        whoever came first of those, not ready, from whose addresses somebody was here before who was not ready either.
        """
        table, groups = hosted.table, hosted.groups
        if table.is_open or table.has_begun or table.is_over or group in groups.values():
            return None
        busiest, seats = Counter(groups.values()).most_common(1)[0]
        idle = [member for member in table.members if not member.is_ready]
        crowd = [member for member in idle if seats > 1 and groups.get(member) == busiest]
        again = [member for member in idle if groups.get(member) in hosted.idled]
        return crowd[-1] if crowd else again[0] if again else None

    def _make_room(self, hosted: Hosted, group: str) -> None:
        """Free a seat for somebody from another address, if the table is full."""
        member = self._in_the_way(hosted, group)
        if member is not None:
            del hosted.groups[member]
            hosted.table.put_out(member, "Der Platz wird für andere gebraucht")
            self._deliver(hosted)

    # Games in other processes

    async def _hand_over(self, hosted: Hosted) -> None:
        """Hand a game that is to begin, and its players' connections, to the worker with the fewest games."""
        assert self._workers is not None
        clients = [*hosted.clients.items()]
        for _, outgoing in clients:
            outgoing.wire.stop()
        for _, outgoing in clients:
            await outgoing.idle.wait()
        connections = []
        for member, outgoing in clients:
            try:
                connections.append((member.id, *await outgoing.hand_over()))
            except (OSError, TimeoutError):
                member.is_there = False
            outgoing.moved.set()
        hosted.clients.clear()
        await self._workers.begin(hosted, connections)

    async def _send_back(self, hosted: Hosted, member: Member, hello: m.ClientHello, outgoing: Outgoing) -> None:
        """Hand the connection of somebody who comes back to the worker that plays their game."""
        assert self._workers is not None
        with contextlib.suppress(OSError, TimeoutError):
            await self._workers.bring_back(hosted, member, hello, await outgoing.hand_over())

    def noted_elsewhere(self, text: str, *, is_trouble: bool) -> None:
        """A worker has something for the server's own log."""
        if is_trouble:
            self._trouble(text)
        else:
            self._note(text)

    def ended_elsewhere(self, hosted: Hosted) -> None:
        """A worker's game is over: it is being left in order."""
        if hosted in self._hosted:  # and not said before, by a worker that ended then
            self._hosted.remove(hosted)
            self._ending.append(hosted)

    def cleared_elsewhere(self, hosted: Hosted) -> None:
        """A worker's table is cleared."""
        self._ending.remove(hosted)
        self._cleared(hosted)

    def give_up(self, hosted: Hosted) -> None:
        """A game cannot go on: its worker ends each time."""
        self._trouble(f"table {hosted.table.number}: given up, its worker has ended {hosted.restarts} times")
        (self._hosted if hosted in self._hosted else self._ending).remove(hosted)
        self._cleared(hosted)

    def _cleared(self, hosted: Hosted) -> None:
        self.games_over += 1
        if self.games_over == self.settings.games:
            self.done.set()


def _first_free(settings: TableSettings) -> int:
    """The number of the first game that is not in the folder yet."""
    number = 0
    while (settings.out / f"Catan_{number}").exists():
        number += 1
    return number
