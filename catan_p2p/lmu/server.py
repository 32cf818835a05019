"""The server: accepts clients over WebSocket and plain TCP, and assigns them to tables.

Lobbies and games are in this process.
"""

import asyncio
import contextlib
import secrets
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from itertools import count
from typing import Any

import catan_p2p
from catan_p2p.lmu import messages as m
from catan_p2p.lmu.admission import SeatlessClient, SeatlessClients, is_own_machine
from catan_p2p.lmu.control import SERVER_COMMANDS
from catan_p2p.lmu.framing import LineTooLong
from catan_p2p.lmu.hosting import HostedTable, ServerSettings, TableHosting, understood
from catan_p2p.lmu.requests import RequestRefused
from catan_p2p.lmu.seats import TableMember, TableSettings, folded, without_secret
from catan_p2p.lmu.server_connection import CLOSE_S, OutgoingMessages, ServedStream, group_of, shake_hands
from catan_p2p.lmu.table import KICKED, LmuTable, NewGame, NoSeatFree
from catan_p2p.lmu.words import PROTOCOL
from catan_p2p.log.storage.lock import ProcessLock

ENDPOINT = "/catan"
VERSION = f"catan_p2p {catan_p2p.__version__}"
LOCK_FILE = "serving"
"""The file in the folder of games that one server at a time locks."""
MAX_INTRODUCTIONS = 20
"""How many introductions a client may try before it is disconnected."""
WRONG_S = 0.25
"""The delay of the answer to a refused introduction, which slows down guessing of passwords."""
FIRST_NUMBER = 1000
"""The first provisional number, for clients who must introduce themselves before they get a seat; above all seats'."""
MAX_DIGITS = 6

Seat = tuple[HostedTable, TableMember]


class LmuServer(TableHosting):
    """Hosts tables until it is closed, or until ``settings.games`` games are over."""

    def __init__(
        self,
        settings: ServerSettings,
        table_settings: TableSettings,
        note: Callable[[str], None] = lambda text: None,
        new_game: NewGame | None = None,
    ) -> None:
        super().__init__(settings, table_settings, note)
        self.strangers = SeatlessClients(settings.max_connections)
        self.games_over = 0
        self.done = asyncio.Event()
        """Set once ``settings.games`` games are over."""
        self._new_game = new_game
        self._arriving = SeatlessClients(settings.max_connections)
        self._seating = asyncio.Lock()
        self._next_number = _first_free(table_settings)
        self._listeners: list[Any] = []
        self._connections: dict[asyncio.Task[Any], asyncio.StreamWriter] = {}
        self._version = f"{VERSION} ({settings.name})" if settings.name else VERSION
        self._ids = count(FIRST_NUMBER if table_settings.password is None else 1)
        self._lock: ProcessLock | None = None
        self.barred: dict[str, str] = {}
        """The players whom the host has put out and not admitted again; all tables share this."""

    async def begin(self) -> None:
        """Lock the folder of games; ``StoreError`` if another server uses it."""
        self._lock = self._lock or ProcessLock(self._table_settings.out / LOCK_FILE, "hosting games in this folder")

    # Listening

    async def listen(self, host: str, port: int) -> int:
        """Accept WebSocket connections at ``ENDPOINT``; returns the port."""
        return await self._listen_with(self._welcome_web_socket, host, port)

    async def listen_tcp(self, host: str, port: int) -> int:
        """Accept plain connections, one object a line; returns the port."""
        return await self._listen_with(self._welcome_stream, host, port)

    async def _listen_with(self, welcome: Any, host: str, port: int) -> int:
        listener = await asyncio.start_server(welcome, host, port)
        self._listeners.append(listener)
        return int(listener.sockets[0].getsockname()[1])

    async def close(self) -> None:
        """Stop listening, close all games in order, and disconnect all clients."""
        for listener in self._listeners:
            listener.close()
        if self._lock is not None:
            self._lock.release()
        # Ends a pause: tables that wait for its end could not be closed.
        self._running.set()
        await super().close()
        for writer in self._connections.values():
            writer.transport.abort()
        if self._connections:
            await asyncio.wait([*self._connections], timeout=CLOSE_S)
        for listener in self._listeners:
            await listener.wait_closed()

    async def _welcome_web_socket(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Do the WebSocket handshake with a client, within ``hello_s``; until then it counts as arriving."""
        self._remember(writer)
        seatless = self._arriving.admit(group_of(writer.transport), writer.transport.abort)
        wire = None
        try:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self.settings.hello_s):
                    wire = await shake_hands(reader, writer, ENDPOINT, VERSION)
        finally:
            self._arriving.forget(seatless)
            if wire is None:
                writer.close()
        if wire is not None:
            await self._converse(wire)

    async def _welcome_stream(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._remember(writer)
        await self._converse(ServedStream(reader, writer))

    def _remember(self, writer: asyncio.StreamWriter) -> None:
        """Have ``close`` abort the connection that the running task serves."""
        task = asyncio.current_task()
        assert task is not None
        self._connections[task] = writer
        task.add_done_callback(self._connections.pop)

    # One client

    async def _converse(self, wire: ServedStream) -> None:
        outgoing = OutgoingMessages(wire, self.settings.max_backlog_bytes)
        seatless = self.strangers.admit(wire.group, lambda: self._let_go(outgoing, "Zu viele Verbindungen"))
        try:
            outgoing.send(m.write_message(m.ServerHello(self._version, PROTOCOL)))
            await self._serve(wire, outgoing, seatless)
        finally:
            self.strangers.forget(seatless)
            await outgoing.close()

    def _let_go(self, outgoing: OutgoingMessages, why: str) -> None:
        """Send a client the reason, and close its connection."""
        outgoing.send(m.write_message(m.ServerFailure(why)))
        self._end(outgoing)

    async def _serve(self, wire: ServedStream, outgoing: OutgoingMessages, seatless: SeatlessClient) -> None:
        """Serve a client until it leaves or is disconnected."""
        try:
            hello = await self._hello(wire, outgoing)
            if hello is None:
                return
            seat = await self._seat(hello, wire, outgoing, wire.group)
        except LineTooLong as error:
            outgoing.send(m.write_message(m.ServerFailure(str(error))))
            return
        if seat is not None:
            self.strangers.forget(seatless)
            await self._listen(*seat, outgoing)

    async def _hello(self, objects: Any, outgoing: OutgoingMessages) -> m.ClientHello | None:
        """Wait for the client's Hallo and refuse anything else; None if it does not come in time."""
        with contextlib.suppress(TimeoutError, StopAsyncIteration):
            async with asyncio.timeout(self.settings.hello_s):
                for _ in range(10):
                    message = understood(await anext(objects))
                    if isinstance(message, m.ClientHello):
                        return message
                    outgoing.send(m.write_message(m.RequestReply("Erst Hallo sagen")))
        return None

    async def _seat(self, hello: m.ClientHello, objects: Any, outgoing: OutgoingMessages, group: str) -> Seat | None:
        """The seat that a client had, or one at an open table; if there is none, None, and the client gets why."""
        async with self._seating:
            seat = await self._had_seat(hello, outgoing)
            if seat is not None:
                return seat
            if self._table_settings.password is None:
                try:
                    hosted = self._open_table(group)
                    async with hosted.lock:
                        self._make_room(hosted, group)
                        member = hosted.table.join(hello.version)
                        hosted.clients[member], hosted.groups[member] = outgoing, group
                        self._deliver(hosted)
                    return hosted, member
                except NoSeatFree as error:
                    if hello.token is not None or not any(self._free_seats(group)):
                        outgoing.send(m.write_message(m.ServerFailure(str(error))))
                        return None
        return await self._introduced(
            hello, objects, outgoing, lambda member, message: self._arrive(member, message, outgoing, group)
        )

    async def _introduced(
        self,
        hello: m.ClientHello,
        objects: Any,
        outgoing: OutgoingMessages,
        arrive: Callable[[TableMember, m.ChooseName], Awaitable[Seat | None]],
    ) -> Seat | None:
        """Have a client introduce itself with name and colour, and seat it by ``arrive``.

        None if it gets no seat, and is to be disconnected.
        """
        token = "" if self._table_settings.strict else secrets.token_urlsafe(12)
        member = TableMember(next(self._ids), hello.version, token)
        alone = m.PlayerState(member.id, "Spiel starten", None, None, 0, 0, 0, 0, False, False)
        outgoing.send(m.write_message(m.PlayerWelcome(member.id, token or None)))
        outgoing.send(m.write_message(m.StatusUpdate(alone)))
        until = asyncio.get_running_loop().time() + self._table_settings.patience_s
        with contextlib.suppress(TimeoutError, StopAsyncIteration):
            for _ in range(MAX_INTRODUCTIONS):
                async with asyncio.timeout_at(until):
                    message = understood(await anext(objects))
                if not isinstance(message, m.ChooseName):
                    why = message if isinstance(message, str) else "Erst Name und Farbe"
                    outgoing.send(m.write_message(m.RequestReply(why)))
                    continue
                try:
                    return await arrive(member, message)
                except RequestRefused as error:
                    await asyncio.sleep(WRONG_S)
                    outgoing.send(m.write_message(m.RequestReply(str(error))))
                except NoSeatFree as error:
                    outgoing.send(m.write_message(m.ServerFailure(str(error))))
                    break
        return None

    async def _arrive(
        self, member: TableMember, message: m.ChooseName, outgoing: OutgoingMessages, group: str
    ) -> Seat | None:
        """The free seat that a client of this name had, or one at an open table; checks the password."""
        password, name = self._table_settings.password, message.name
        if password is not None:
            name = without_secret(message.name)
            said = message.name.partition(":")[2].strip()
            if not secrets.compare_digest(said.encode(), password.encode()):
                raise RequestRefused("Das Kennwort fehlt oder ist falsch (Name:Kennwort)")
        if folded(name) in self.barred:
            raise RequestRefused(KICKED)
        async with self._seating:
            lost = [seat for seat in self._free_seats(group) if name in (seat[1].name, seat[1].asked_name)]
            for hosted, seat in sorted(lost, key=lambda seat: seat[1].name != name):
                if await self._come_back_by_name(hosted, seat, member, outgoing):
                    return hosted, seat
            hosted = self._open_table(group)
            async with hosted.lock:
                self._make_room(hosted, group)
                hosted.table.seat(member)
                hosted.clients[member], hosted.groups[member] = outgoing, group
                hosted.table.receive(member, message)
                self._deliver(hosted)
        hosted.wake.set()
        return hosted, member

    def _free_seats(self, group: str) -> Iterator[Seat]:
        """Seats in games that a client of this address has lost, or where the computer took over for it."""
        for hosted in self._hosted:
            if hosted.table.has_begun and not hosted.table.is_over:
                for member in hosted.table.members:
                    is_theirs = member.is_free and hosted.groups.get(member) == group
                    if is_theirs and not hosted.table.is_barred(member.name):
                        yield hosted, member

    async def _come_back_by_name(
        self, hosted: HostedTable, seat: TableMember, member: TableMember, outgoing: OutgoingMessages
    ) -> bool:
        """Give ``seat`` back to the client that was ``member`` until now; False if the game has ended."""
        async with hosted.lock:
            if not hosted.table.come_back(seat, member.id):
                return False
            hosted.table.answer(seat)
            self._connect(hosted, seat, outgoing)
        return True

    async def _had_seat(self, hello: m.ClientHello, outgoing: OutgoingMessages) -> Seat | None:
        """The seat that belongs to the name and token of Hallo, if there is one."""
        if hello.name is None or hello.token is None or self._table_settings.strict:
            return None
        for hosted in self._hosted:
            async with hosted.lock:
                member = hosted.table.seat_of(hello.name, hello.token)
                if member is not None and hosted.table.come_back(member):
                    hosted.groups[member] = outgoing.wire.group
                    self._connect(hosted, member, outgoing)
                    return hosted, member
        return None

    def _connect(self, hosted: HostedTable, member: TableMember, outgoing: OutgoingMessages) -> None:
        """Make ``outgoing`` the member's connection, and abort the one before."""
        if member in hosted.clients:
            hosted.clients[member].abort()
        hosted.clients[member] = outgoing
        self._deliver(hosted)
        hosted.wake.set()

    def _open_table(self, group: str) -> HostedTable:
        for hosted in self._hosted:
            if hosted.table.is_open or self._in_the_way(hosted, group) is not None:
                return hosted
        started = self.games_over + len(self._hosted) + len(self._ending)
        if started >= (self.settings.games or started + 1) or len(self._hosted) >= self.settings.tables:
            is_playing = any(hosted.table.has_begun for hosted in [*self._hosted, *self._ending])
            raise NoSeatFree("Das Spiel läuft bereits" if is_playing else "Alle Plätze sind besetzt")
        # One address must not fill every table, so the last free one is kept for others.
        own = sum({*hosted.groups.values()} == {group} for hosted in self._hosted)
        if own and own >= self.settings.tables - 1 and not is_own_machine(group):
            raise NoSeatFree("Der letzte freie Tisch ist für andere")
        table = LmuTable(self._next_number, self._table_settings, self._new_game, self._now)
        table.barred = self.barred
        hosted = self._host(table)
        self._next_number += 1
        return hosted

    def _in_the_way(self, hosted: HostedTable, group: str) -> TableMember | None:
        """The member of a full lobby who must give way to a client from an address that has no seat there, if any.

        That is the newest member who is not ready, of the address with the most seats if it has several; otherwise
        the oldest member who is not ready, of an address whose clients left this lobby before without becoming ready.
        """
        table, groups = hosted.table, hosted.groups
        if table.is_open or table.has_begun or table.is_over or group in groups.values():
            return None
        busiest, seats = Counter(groups.values()).most_common(1)[0]
        idle = [member for member in table.members if not member.is_ready]
        crowd = [member for member in idle if seats > 1 and groups.get(member) == busiest]
        again = [member for member in idle if groups.get(member) in hosted.idled]
        return crowd[-1] if crowd else again[0] if again else None

    def _make_room(self, hosted: HostedTable, group: str) -> None:
        """Free a seat of a full table for a client of this address, if a member must give way."""
        member = self._in_the_way(hosted, group)
        if member is not None:
            del hosted.groups[member]
            hosted.table.put_out(member, "Der Platz wird für andere gebraucht")
            self._deliver(hosted)

    @property
    def stands_still(self) -> bool:
        """Whether the host has paused all games."""
        return self._stood_since is not None

    # The host

    async def obey(self, command: str) -> None:
        """Carry out a command of the host (see ``SERVER_COMMANDS``) and log the result."""
        verb, _, what = command.partition(" ")
        if not any(one.split()[0] == verb and (" " in one) == bool(what) for one in SERVER_COMMANDS):
            self._note(f"control: {command!r}: expected {', '.join(SERVER_COMMANDS)}")
        elif " GAME" not in next(one for one in SERVER_COMMANDS if one.split()[0] == verb):
            deeds: dict[str, Callable[[str], Awaitable[None]]]
            deeds = {
                "list": self._list,
                "pause": self.pause,
                "resume": self.go_on,
                "kick": self._put_out,
                "admit": self._admit,
            }
            await deeds[verb](what)
        elif not what.isdecimal() or len(what) > MAX_DIGITS:
            self._note(f"control: {verb}: {what}: expected the number of a game")
        else:
            await self._obey_about(verb, int(what))

    async def _list(self, what: str = "") -> None:
        for hosted in self._hosted:
            self._note(f"table {hosted.table.number}: {hosted.table.told()}")
        if not self._hosted:
            self._note("nobody is here")
        if self.barred:
            self._note(f"put out: {', '.join(self.barred.values())}")

    async def pause(self, what: str = "") -> None:
        """Pause all tables and clocks; messages of clients wait."""
        if not self.stands_still:
            self._stand_still()
            self._note("all games are paused")

    async def go_on(self, what: str = "") -> None:
        """Resume after a pause."""
        if self.stands_still:
            self._move_again()
            self._note("all games resume")

    async def _put_out(self, name: str) -> None:
        """Disconnect the player of a name and keep them out."""
        is_there = False
        for hosted in [*self._hosted]:
            member = hosted.table.member_of(name)
            if member is None or not member.is_there:
                continue
            is_there = await self._kick(hosted, name) or is_there
        self._note(f"{name}: {'disconnected' if is_there else 'is not there'}")

    async def _admit(self, name: str) -> None:
        """Admit a player again whom the host has put out."""
        was_out = self.barred.pop(folded(name), None) is not None
        self._note(f"{name}: {'may come again' if was_out else 'was not put out'}")

    async def _obey_about(self, verb: str, number: int) -> None:
        """Carry out a command about a game: begin it with those who are ready."""
        hosted = next((hosted for hosted in self._hosted if hosted.table.number == number), None)
        if hosted is None:
            self._note(f"control: {verb}: nobody is at table {number}")
        elif hosted.table.has_begun:
            self._note(f"control: {verb}: game {number} has begun")
        else:
            async with hosted.lock:
                hosted.table.is_called = True
            hosted.wake.set()

    def _cleared(self, hosted: HostedTable) -> None:
        self.games_over += 1
        if self.games_over == self.settings.games:
            self.done.set()


def _first_free(settings: TableSettings) -> int:
    """The lowest game number that the folder does not have yet."""
    number = 0
    while (settings.out / f"Catan_{number}").exists():
        number += 1
    return number
