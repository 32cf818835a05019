"""Runs tables: passes on what clients send, delivers the tables' messages, and calls ``step`` when a time is over.

Sockets are handled by asyncio in one thread. The work of a table, Git included, runs on a thread pool, one call at a
time for each table, so that a busy or broken table does not hold up the others.
"""

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

from catan_p2p.lmu import messages as m
from catan_p2p.lmu.codec import UnreadableJson
from catan_p2p.lmu.framing import InvalidText, LineTooLong
from catan_p2p.lmu.seats import TableMember, TableSettings
from catan_p2p.lmu.server_connection import MAX_BACKLOG_BYTES, OutgoingMessages, TokenBucket
from catan_p2p.lmu.table import LmuTable

T = TypeVar("T")

HANGS_S = 10.0
"""After this long without a sign of a table, the host is told that it hangs."""
HANGS = "Der Server wartet auf seine Festplatte. Bis dahin läuft keine Uhr."
IDLED = 1024
"""How many addresses a table remembers whose clients left the lobby without becoming ready."""


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """What a server offers, and its limits."""

    tables: int = 1
    games: int | None = None
    """The server stops after this many games; None for never."""
    max_connections: int = 1024
    """How many connections may have no seat; one address may have half as many."""
    messages_per_s: float = 200.0
    messages_at_once: float = 400.0
    chats_per_s: float = 2.0
    chats_at_once: float = 20.0
    hello_s: float = 10.0
    """How long a client may take to say Hallo."""
    linger_s: float = 3.0
    """How long connections stay after a game."""
    threads: int = 4
    max_backlog_bytes: int = MAX_BACKLOG_BYTES
    name: str = ""
    """The server's name, which clients see behind its version."""


class HostedTable:
    """A table with its clients. Hold ``lock`` while calling the table."""

    def __init__(self, table: LmuTable) -> None:
        self.table = table
        self.clients: dict[TableMember, OutgoingMessages] = {}
        self.groups: dict[TableMember, str] = {}
        """The clients' addresses, as ``address_group`` gives them."""
        self.idled: deque[str] = deque(maxlen=IDLED)
        """The addresses of those who left the lobby without becoming ready."""
        self.lock = asyncio.Lock()
        self.wake = asyncio.Event()
        self.task: asyncio.Task[None] | None = None


class TableHosting:
    """Tables whose games are played in this process."""

    def __init__(
        self, settings: ServerSettings, table_settings: TableSettings, note: Callable[[str], None] = lambda text: None
    ) -> None:
        self.settings = settings
        self.troubles: list[str] = []
        """Failures of tables that should not happen."""
        self._table_settings = table_settings
        self._note = note
        self._hosted: list[HostedTable] = []
        self._ending: list[HostedTable] = []
        self._pool = ThreadPoolExecutor(settings.threads, "table")
        self._closing: set[asyncio.Task[None]] = set()
        self._running = asyncio.Event()
        """Cleared while all tables are paused."""
        self._running.set()
        self._stood_since: float | None = None
        self._stood_s = 0.0
        """How long the tables have been paused in all: their clock is behind by this much."""

    # The clock

    def _now(self) -> float:
        """The tables' clock, which stops during a pause."""
        now = time.monotonic() if self._stood_since is None else self._stood_since
        return now - self._stood_s

    def _stand_still(self) -> None:
        """Pause all tables and clocks; messages of clients wait."""
        if self._stood_since is None:
            self._stood_since = time.monotonic()
            self._running.clear()

    def _move_again(self) -> None:
        """Resume after a pause."""
        if self._stood_since is not None:
            self._stood_s += time.monotonic() - self._stood_since
            self._stood_since = None
            self._running.set()
            for hosted in self._hosted:
                hosted.wake.set()

    async def close(self) -> None:
        """Close all games in order, and disconnect all clients."""
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
        self._pool.shutdown(wait=True)

    def _host(self, table: LmuTable) -> HostedTable:
        hosted = HostedTable(table)
        self._hosted.append(hosted)
        hosted.task = asyncio.ensure_future(self._run(hosted))
        return hosted

    # One client

    def _end(self, outgoing: OutgoingMessages) -> None:
        """Close a client's connection once its messages are sent; at once if many are being closed already."""
        if len(self._closing) >= self.settings.max_connections:
            outgoing.abort()
            return
        closing = asyncio.ensure_future(outgoing.close())
        self._closing.add(closing)
        closing.add_done_callback(self._closing.discard)

    async def _listen(self, hosted: HostedTable, member: TableMember, outgoing: OutgoingMessages) -> None:
        """Take a member's messages until it leaves or is put out."""
        settings = self.settings
        bucket = TokenBucket(settings.messages_per_s, settings.messages_at_once)
        chats = TokenBucket(settings.chats_per_s, settings.chats_at_once)
        try:
            async for one in outgoing.wire:
                # Not reading makes TCP slow the client down; nothing is dropped.
                if (wait_s := bucket.wait_s()) > 0:
                    await asyncio.sleep(wait_s)
                await self._receive(hosted, member, outgoing, one, chats)
                # The member may have come back on another connection, which then has a listener of its own.
                if member.must_go or hosted.clients.get(member) is not outgoing:
                    return
        except LineTooLong as error:
            outgoing.send(m.write_message(m.ServerFailure(str(error))))
        finally:
            await self._leave(hosted, member, outgoing)

    async def _receive(
        self, hosted: HostedTable, member: TableMember, outgoing: OutgoingMessages, one: Any, chats: TokenBucket
    ) -> None:
        message = understood(one)
        await self._running.wait()
        async with hosted.lock:
            if member not in hosted.clients:
                return
            with self._trouble_of(hosted):
                if isinstance(message, str):
                    hosted.table.refuse(member, message)
                elif isinstance(message, m.SendChat) and not chats.take():
                    hosted.table.refuse(member, "Zu viele Chatnachrichten")
                else:
                    await self._act(hosted, lambda: hosted.table.receive(member, message))
            self._deliver(hosted)
        hosted.wake.set()

    async def _leave(self, hosted: HostedTable, member: TableMember, outgoing: OutgoingMessages) -> None:
        async with hosted.lock:
            if hosted.clients.get(member) is outgoing:
                del hosted.clients[member]
                if hosted.table.play is None:
                    self._forget(hosted, member)
                with self._trouble_of(hosted):
                    hosted.table.leave(member)
                self._deliver(hosted)
        hosted.wake.set()

    def _forget(self, hosted: HostedTable, member: TableMember) -> None:
        """Forget a member who has left the lobby, but remember the address if the member was not ready."""
        group = hosted.groups.pop(member, None)  # _make_room has deleted it: that member was not given its full time
        if group is not None and not member.is_ready and group not in hosted.idled:
            hosted.idled.append(group)

    async def _kick(self, hosted: HostedTable, name: str) -> bool:
        """Disconnect the player of that name at a table; False if nobody has it."""
        async with hosted.lock:
            member = hosted.table.kick(name)
            if member is None:
                return False
            self._deliver(hosted)
            if member in hosted.clients:
                self._end(hosted.clients.pop(member))
                hosted.table.leave(member)
                self._deliver(hosted)
        hosted.wake.set()
        return True

    # One table

    async def _run(self, hosted: HostedTable) -> None:
        """Call ``step`` whenever a table's time is over, until the game is over; then clear the table."""
        table = hosted.table
        loop = asyncio.get_running_loop()
        is_over = False
        while not is_over:
            await self._running.wait()
            # Before the table is looked at: a message that comes from here on sets it again.
            hosted.wake.clear()
            async with hosted.lock:
                is_busy = False
                with self._trouble_of(hosted):
                    is_busy = await self._act(hosted, table.step)
                self._deliver(hosted)
                when, is_over = table.wakes_at(), table.is_over
            if not is_busy and not is_over:
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout_at(None if when is None else max(when + self._stood_s, loop.time())):
                        await hosted.wake.wait()
        self._hosted.remove(hosted)
        self._ending.append(hosted)
        async with hosted.lock:
            with self._trouble_of(hosted):
                await self._work(table.close)
        await asyncio.sleep(self.settings.linger_s)
        self._ending.remove(hosted)
        await self._dismiss(hosted)
        self._cleared(hosted)

    async def _dismiss(self, hosted: HostedTable) -> None:
        clients = [*hosted.clients.values()]
        hosted.clients.clear()
        await asyncio.gather(*(outgoing.close() for outgoing in clients))

    async def _act(self, hosted: HostedTable, call: Callable[[], T]) -> T:
        """Call a method of a table on a thread, since it may wait for the disk.

        If it waits long, the host and the players are told, and the wait does not count on the table's clock.
        """
        loop = asyncio.get_running_loop()
        began, late = loop.time(), loop.call_later(HANGS_S, self._hangs, hosted)
        try:
            return await self._work(call)
        finally:
            late.cancel()
            if loop.time() >= late.when():
                hosted.table.stand(loop.time() - began)
                self._note(f"table {hosted.table.number}: goes on after {loop.time() - began:.0f} s")

    def _hangs(self, hosted: HostedTable) -> None:
        self._note(f"table {hosted.table.number}: stands still: is the disk or the machine busy?")
        for outgoing in hosted.clients.values():
            outgoing.send(m.write_message(m.ChatReceived(HANGS, None)))

    async def _work(self, call: Callable[[], T]) -> T:
        """Call on a thread. A cancelled caller still waits for the call, and so holds the table's lock until then."""
        working = asyncio.get_running_loop().run_in_executor(self._pool, call)
        try:
            return await asyncio.shield(working)
        except asyncio.CancelledError:
            await asyncio.wait([working])
            raise

    def _deliver(self, hosted: HostedTable) -> None:
        texts: dict[int, str] = {}
        outbox = hosted.table.take_outbox()
        for member, message in outbox:
            outgoing = hosted.clients.get(member)
            if outgoing is not None:
                # A message to several members is encoded once. The outbox keeps all messages alive, so ids are unique.
                text = texts.get(id(message))
                if text is None:
                    text = texts[id(message)] = m.write_message(message)
                outgoing.send(text)
        for member in [one for one in hosted.clients if one not in hosted.table.members]:  # put out by the table
            self._forget(hosted, member)
            self._end(hosted.clients.pop(member))
        for note in hosted.table.take_notes():
            self._note(f"table {hosted.table.number}: {note}")

    # Hooks for servers

    def _cleared(self, hosted: HostedTable) -> None:
        """Called when a table is cleared."""

    def _trouble(self, text: str) -> None:
        """Note a failure that should not happen."""
        self.troubles.append(text)
        self._note(text)

    @contextlib.contextmanager
    def _trouble_of(self, hosted: HostedTable) -> Any:
        """Turn an exception into the end of this table's game, so that no other game suffers."""
        try:
            yield
        except Exception as error:  # noqa: BLE001  a fault in one table must not end the others
            self._trouble(f"table {hosted.table.number}: {type(error).__name__}: {error}")
            hosted.table.is_over = True
            for outgoing in hosted.clients.values():
                outgoing.send(m.write_message(m.ServerFailure("Der Tisch ist geschlossen, im Server ist ein Fehler")))


def understood(one: Any) -> m.ClientMessage | str:
    """The client's message, or a sentence in German about what is wrong with it."""
    if isinstance(one, InvalidText):
        return one.why
    try:
        message: Any = m.read_message(one, "client")
    except UnreadableJson as error:
        return str(error)
    return message  # type: ignore[no-any-return]
