"""The server: many tables in one process, clients over WebSocket and plain TCP.

Everything about sockets is asyncio in one thread; what a table does, Git included, is done on a pool of threads, one
call at a time for each table. So a table that is busy or broken holds up no other.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, TypeVar

import catan_p2p
from catan_p2p.lmu import messages as m
from catan_p2p.lmu.admission import Stranger, Strangers, is_own_machine
from catan_p2p.lmu.codec import Unreadable
from catan_p2p.lmu.connection import MAX_BACKLOG_CHARS, Bucket, Outgoing, StreamWire, WebSocketWire, Wire, group_of
from catan_p2p.lmu.framing import MAX_OBJECT_CHARS, Rubbish, Splitter, TooLong
from catan_p2p.lmu.seats import Member, TableSettings
from catan_p2p.lmu.table import NewGame, NoSeat, Table
from catan_p2p.lmu.words import PROTOCOL

if TYPE_CHECKING:  # the package can be looked at without the library
    from websockets.asyncio.server import ServerConnection
    from websockets.http11 import Request, Response

T = TypeVar("T")

ENDPOINT = "/catan"
VERSION = f"catan_p2p {catan_p2p.__version__}"
IDLED = 1024
"""Of so many addresses a table remembers that somebody from there was not ready."""


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """What a server offers, and its limits."""

    tables: int = 1
    games: int | None = None
    """After so many games are over the server stops."""
    max_connections: int = 1024
    """So many connections may have no seat, half as many from one address."""
    messages_per_s: float = 200.0
    messages_at_once: float = 400.0
    chats_per_s: float = 2.0
    chats_at_once: float = 20.0
    hello_s: float = 10.0
    """How long a client may take to say Hallo."""
    linger_s: float = 3.0
    """How long connections stay after a game."""
    threads: int = 4
    max_backlog_chars: int = MAX_BACKLOG_CHARS


class Hosted:
    """A table with its clients; its lock is held by whoever has it do something."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.clients: dict[Member, Outgoing] = {}
        self.groups: dict[Member, str] = {}
        """Where the clients come from, as ``admission`` counts them."""
        self.idled: deque[str] = deque(maxlen=IDLED)
        """Where those came from who left the lobby without having been ready."""
        self.lock = asyncio.Lock()
        self.wake = asyncio.Event()
        self.task: asyncio.Task[None] | None = None


class Server:
    """Hosts tables until it is closed, or until so many games are over."""

    def __init__(
        self,
        settings: ServerSettings,
        table_settings: TableSettings,
        note: Callable[[str], None] = lambda text: None,
        new_game: NewGame | None = None,
    ) -> None:
        self.settings = settings
        self.troubles: list[str] = []
        """What went wrong in tables, which must not happen."""
        self.strangers = Strangers(settings.max_connections)
        self.games_over = 0
        self.done = asyncio.Event()
        """Set once as many games are over as were asked for."""
        self._table_settings = table_settings
        self._note = note
        self._new_game = new_game
        self._hosted: list[Hosted] = []
        self._ending: list[Hosted] = []
        self._seating = asyncio.Lock()
        self._next_number = _first_free(table_settings)
        self._pool = ThreadPoolExecutor(settings.threads, "table")
        self._listeners: list[Any] = []
        self._closing: set[asyncio.Task[None]] = set()
        self._running = asyncio.Event()
        """Not set while all tables stand still."""
        self._running.set()
        self._stood_s = 0.0
        """How long they have stood still: so much the clock of tables is behind."""

    # Listening

    async def listen(self, host: str, port: int) -> int:
        """Accept WebSocket connections at /catan; returns the port."""
        from websockets.asyncio.server import ServerConnection, serve

        arriving = Strangers(self.settings.max_connections)

        class Arriving(ServerConnection):
            """A connection that counts until its handshake is over, too."""

            def connection_made(self, transport: asyncio.BaseTransport) -> None:
                super().connection_made(transport)
                self.stranger = arriving.admit(group_of(transport), self.transport.abort)

            def connection_lost(self, exc: Exception | None) -> None:
                arriving.forget(self.stranger)
                super().connection_lost(exc)

        async def welcome(socket: Any) -> None:
            arriving.forget(socket.stranger)
            await self._converse(WebSocketWire(socket))

        listener = await serve(
            welcome,
            host,
            port,
            process_request=_only_endpoint,
            max_size=4 * MAX_OBJECT_CHARS,
            max_queue=8,
            compression=None,
            server_header=VERSION,
            create_connection=Arriving,
        )
        self._listeners.append(listener)
        return int(next(iter(listener.sockets)).getsockname()[1])

    async def listen_tcp(self, host: str, port: int) -> int:
        """Accept plain connections, one object a line; returns the port."""
        listener = await asyncio.start_server(self._welcome_stream, host, port)
        self._listeners.append(listener)
        return int(listener.sockets[0].getsockname()[1])

    async def close(self) -> None:
        """Stop listening, leave all games in order, and let everybody go."""
        for listener in self._listeners:
            listener.close()
        for hosted in [*self._hosted, *self._ending]:
            if hosted.task is not None:
                hosted.task.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await hosted.task
            async with hosted.lock:
                with self._trouble_of(hosted):
                    await self._work(hosted.table.close)
            await self._dismiss(hosted)
        await asyncio.gather(*self._closing)
        for listener in self._listeners:
            await listener.wait_closed()
        self._pool.shutdown(wait=True)

    async def _welcome_stream(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await self._converse(StreamWire(reader, writer))

    # One client

    async def _converse(self, wire: Wire) -> None:
        outgoing = Outgoing(wire, self.settings.max_backlog_chars)
        stranger = self.strangers.admit(wire.group, lambda: self._let_go(outgoing, "Zu viele Verbindungen"))
        try:
            outgoing.send(m.write_message(m.ServerHello(VERSION, PROTOCOL)))
            await self._serve(wire, outgoing, stranger)
        finally:
            self.strangers.forget(stranger)
            await outgoing.close()

    def _let_go(self, outgoing: Outgoing, why: str) -> None:
        """Tell a client why it must go, and end its connection."""
        outgoing.send(m.write_message(m.Failure(why)))
        self._end(outgoing)

    def _end(self, outgoing: Outgoing) -> None:
        """End a client's connection as soon as it has heard what it was told; at once where many are being ended."""
        if len(self._closing) >= self.settings.max_connections:
            outgoing.abort()
            return
        closing = asyncio.ensure_future(outgoing.close())
        self._closing.add(closing)
        closing.add_done_callback(self._closing.discard)

    async def _serve(self, wire: Wire, outgoing: Outgoing, stranger: Stranger) -> None:
        """Answer a client until it goes, or is let go."""
        splitter = Splitter(m.MESSAGES["client"].keys())
        objects = wire.objects(splitter)
        bucket = Bucket(self.settings.messages_per_s, self.settings.messages_at_once)
        chats = Bucket(self.settings.chats_per_s, self.settings.chats_at_once)
        seat: tuple[Hosted, Member] | None = None
        try:
            hello = await self._hello(objects, outgoing)
            if hello is None:
                return
            seat = await self._seat(hello, objects, outgoing, wire.group)
            if seat is None:
                return
            self.strangers.forget(stranger)
            hosted, member = seat
            async for one in objects:
                await asyncio.sleep(bucket.wait_s())
                await self._receive(hosted, member, one, chats)
                if member.must_go or hosted.clients.get(member) is not outgoing:
                    return
        except TooLong as error:
            outgoing.send(m.write_message(m.Failure(str(error))))
        finally:
            if seat is not None:
                await self._leave(*seat, outgoing)

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
            if seat is not None:
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
                member = hosted.table.come_back(hello.name, hello.token)
                if member is not None:
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
            is_playing = any(hosted.table.play is not None for hosted in [*self._hosted, *self._ending])
            raise NoSeat("Das Spiel läuft bereits" if is_playing else "Alle Plätze sind besetzt")
        own = sum({*hosted.groups.values()} == {group} for hosted in self._hosted)
        if own and own >= self.settings.tables - 1 and not is_own_machine(group):
            raise NoSeat("Der letzte freie Tisch ist für andere")
        hosted = self._host(Table(self._next_number, self._table_settings, self._new_game))
        self._next_number += 1
        return hosted

    def _host(self, table: Table) -> Hosted:
        hosted = Hosted(table)
        self._hosted.append(hosted)
        hosted.task = asyncio.ensure_future(self._run(hosted))
        return hosted

    def _in_the_way(self, hosted: Hosted, group: str) -> Member | None:
        """Whose seat at a full table that has not begun somebody from an address without a seat may have.

        That is whoever came last, and is not ready, from the address with the most seats, if it has more than one; or
        whoever came first of those, not ready, from whose addresses somebody was here before who was not ready either.
        """
        table, groups = hosted.table, hosted.groups
        if table.is_open or table.play is not None or table.is_over or group in groups.values():
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

    async def _receive(self, hosted: Hosted, member: Member, one: Any, chats: Bucket) -> None:
        message = understood(one)
        await self._running.wait()
        self._heard(hosted, member, one)
        async with hosted.lock:
            if member not in hosted.clients:
                return
            with self._trouble_of(hosted):
                if isinstance(message, str):
                    hosted.table.refuse(member, message)
                elif isinstance(message, m.SendChat) and not chats.take():
                    hosted.table.refuse(member, "Zu viele Chatnachrichten")
                else:
                    await self._work(lambda: hosted.table.receive(member, message))
            self._deliver(hosted)
        hosted.wake.set()

    async def _leave(self, hosted: Hosted, member: Member, outgoing: Outgoing) -> None:
        async with hosted.lock:
            if hosted.clients.get(member) is outgoing:
                del hosted.clients[member]
                if hosted.table.play is None:
                    self._forget(hosted, member)
                with self._trouble_of(hosted):
                    hosted.table.leave(member)
                self._deliver(hosted)
        hosted.wake.set()

    def _forget(self, hosted: Hosted, member: Member) -> None:
        """Somebody has left the lobby: what is kept is where they came from, if they were not ready in their time."""
        group = hosted.groups.pop(member, None)  # who gave way to another has none, and had no time
        if group is not None and not member.is_ready and group not in hosted.idled:
            hosted.idled.append(group)

    # One table

    async def _run(self, hosted: Hosted) -> None:
        """Have a table do what is due without a message, until its game is over; then clear it."""
        table = hosted.table
        loop = asyncio.get_running_loop()
        is_over = False
        while not is_over:
            await self._running.wait()
            hosted.wake.clear()
            async with hosted.lock:
                is_busy = False
                with self._trouble_of(hosted):
                    is_busy = await self._work(table.step)
                self._deliver(hosted)
                when, is_over = table.wakes_at(), table.is_over
            if not is_busy and not is_over:
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout_at(None if when is None else max(when + self._stood_s, loop.time())):
                        await hosted.wake.wait()
        self._hosted.remove(hosted)
        self._ending.append(hosted)
        self._ended(hosted)
        async with hosted.lock:
            with self._trouble_of(hosted):
                await self._work(table.close)
            await self._over(hosted)
        await asyncio.sleep(self.settings.linger_s)
        self._ending.remove(hosted)
        self.games_over += 1
        await self._dismiss(hosted)
        if self.games_over == self.settings.games:
            self.done.set()

    async def _dismiss(self, hosted: Hosted) -> None:
        clients = [*hosted.clients.values()]
        hosted.clients.clear()
        await asyncio.gather(*(outgoing.close() for outgoing in clients))

    async def _work(self, call: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._pool, call)

    def _deliver(self, hosted: Hosted) -> None:
        texts: dict[int, str] = {}
        outbox = hosted.table.take_outbox()
        for member, message in outbox:
            outgoing = hosted.clients.get(member)
            if outgoing is not None or member is hosted.table.audience:
                text = texts.get(id(message))
                if text is None:
                    text = texts[id(message)] = m.write_message(message)
                if outgoing is not None:
                    outgoing.send(text)
                self._told(hosted, member, text)
        for member in [one for one in hosted.clients if one not in hosted.table.members]:  # put out of the lobby
            self._forget(hosted, member)
            self._end(hosted.clients.pop(member))
        for note in hosted.table.take_notes():
            self._noted(hosted, note)

    # What a tournament does besides

    def _heard(self, hosted: Hosted, member: Member, one: Any) -> None:
        """Take note of what a client sends."""

    def _told(self, hosted: Hosted, member: Member, text: str) -> None:
        """Take note of what somebody is sent."""

    def _noted(self, hosted: Hosted, note: str) -> None:
        """Write something to the server's own log."""
        self._note(f"table {hosted.table.number}: {note}")

    def _ended(self, hosted: Hosted) -> None:
        """Take note of how a game has ended."""

    async def _over(self, hosted: Hosted) -> None:
        """Keep a game that has ended, and is left in order."""

    @contextlib.contextmanager
    def _trouble_of(self, hosted: Hosted) -> Any:
        """Whatever goes wrong at a table ends its game, and nobody else's."""
        try:
            yield
        except Exception as error:  # noqa: BLE001  one table's trouble is not another's
            self.troubles.append(f"table {hosted.table.number}: {type(error).__name__}: {error}")
            self._note(self.troubles[-1])
            hosted.table.is_over = True
            for outgoing in hosted.clients.values():
                outgoing.send(m.write_message(m.Failure("Der Tisch ist geschlossen, im Server ist ein Fehler")))


def understood(one: Any) -> m.ClientMessage | str:
    """The message, or what is wrong with it."""
    if isinstance(one, Rubbish):
        return one.why
    try:
        message: Any = m.read_message(one, "client")
    except Unreadable as error:
        return str(error)
    return message  # type: ignore[no-any-return]


def _only_endpoint(connection: ServerConnection, request: Request) -> Response | None:
    if request.path.partition("?")[0] != ENDPOINT:
        return connection.respond(HTTPStatus.NOT_FOUND, f"the game is at {ENDPOINT}\n")
    return None


def _first_free(settings: TableSettings) -> int:
    """The number of the first game that is not in the folder yet."""
    number = 0
    while (settings.out / f"Catan_{number}").exists():
        number += 1
    return number
