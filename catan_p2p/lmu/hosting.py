"""Tables at work: what their clients send is taken, what they say is delivered, what is due is done.

Everything about sockets is asyncio in one thread; what a table does, Git included, is done on a pool of threads, one
call at a time for each table. So a table that is busy or broken holds up no other.
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
from catan_p2p.lmu.tournament.record import PUBLIC, GameRecords

T = TypeVar("T")

HANGS_S = 10.0
"""After so long without a word of a table, or of a worker, the host is told that it hangs."""
HANGS = "Der Server wartet auf seine Festplatte. Bis dahin läuft keine Uhr."
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
    max_backlog_bytes: int = MAX_BACKLOG_BYTES
    workers: int = 0
    """So many processes play the games that have begun; 0 for this one."""
    name: str = ""
    """What the server is called: clients are told it behind its version."""


class HostedTable:
    """A table with its clients; its lock is held by whoever has it do something."""

    def __init__(self, table: LmuTable) -> None:
        self.table = table
        self.clients: dict[TableMember, OutgoingMessages] = {}
        self.groups: dict[TableMember, str] = {}
        """Where the clients come from, as ``admission`` counts them."""
        self.idled: deque[str] = deque(maxlen=IDLED)
        """Where those came from who left the lobby without having been ready."""
        self.lock = asyncio.Lock()
        self.wake = asyncio.Event()
        self.task: asyncio.Task[None] | None = None
        self.worker: Any = None
        """The process that plays the game, if it is another one."""
        self.restarts = 0
        """How often that process has ended."""


class TableHosting:
    """Tables whose games are played in this process."""

    def __init__(
        self, settings: ServerSettings, table_settings: TableSettings, note: Callable[[str], None] = lambda text: None
    ) -> None:
        self.settings = settings
        self.troubles: list[str] = []
        """What went wrong in tables, which must not happen."""
        self._table_settings = table_settings
        self._note = note
        self._records: GameRecords | None = None
        """Where every message is kept."""
        self._hosted: list[HostedTable] = []
        self._ending: list[HostedTable] = []
        self._pool = ThreadPoolExecutor(settings.threads, "table")
        self._closing: set[asyncio.Task[None]] = set()
        self._running = asyncio.Event()
        """Not set while all tables stand still."""
        self._running.set()
        self._stood_since: float | None = None
        self._stood_s = 0.0
        """How long they have stood still: so much the clock of tables is behind."""

    # The clock

    def _now(self) -> float:
        """The clock of tables, which stands still while they do."""
        now = time.monotonic() if self._stood_since is None else self._stood_since
        return now - self._stood_s

    def _stand_still(self) -> None:
        """Let every table and every clock stand still; what clients send waits."""
        if self._stood_since is None:
            self._stood_since = time.monotonic()
            self._running.clear()

    def _move_again(self) -> None:
        """Go on after a pause."""
        if self._stood_since is not None:
            self._stood_s += time.monotonic() - self._stood_since
            self._stood_since = None
            self._running.set()
            for hosted in self._hosted:
                hosted.wake.set()

    async def close(self) -> None:
        """Leave all games in order, and let everybody go."""
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
        if self._records is not None:
            self._records.close_all()

    def _host(self, table: LmuTable) -> HostedTable:
        hosted = HostedTable(table)
        self._hosted.append(hosted)
        hosted.task = asyncio.ensure_future(self._run(hosted))
        return hosted

    # One client

    def _end(self, outgoing: OutgoingMessages) -> None:
        """End a client's connection as soon as it has heard what it was told; at once where many are being ended."""
        if len(self._closing) >= self.settings.max_connections:
            outgoing.abort()
            return
        closing = asyncio.ensure_future(outgoing.close())
        self._closing.add(closing)
        closing.add_done_callback(self._closing.discard)

    async def _listen(self, hosted: HostedTable, member: TableMember, outgoing: OutgoingMessages) -> None:
        """Take what somebody at a table sends, until they go, must go, or another process goes on with them."""
        settings = self.settings
        bucket = TokenBucket(settings.messages_per_s, settings.messages_at_once)
        chats = TokenBucket(settings.chats_per_s, settings.chats_at_once)
        try:
            async for one in outgoing.wire:
                if (wait_s := bucket.wait_s()) > 0:
                    await asyncio.sleep(wait_s)
                await self._receive(hosted, member, outgoing, one, chats)
                if member.must_go or hosted.clients.get(member) is not outgoing:
                    return
        except LineTooLong as error:
            outgoing.send(m.write_message(m.ServerFailure(str(error))))
        finally:
            if not outgoing.wire.is_stopped:
                await self._leave(hosted, member, outgoing)
            outgoing.idle.set()

    async def _receive(
        self, hosted: HostedTable, member: TableMember, outgoing: OutgoingMessages, one: Any, chats: TokenBucket
    ) -> None:
        message = understood(one)
        await self._running.wait()
        async with hosted.lock:
            if hosted.table.is_handed:
                outgoing.wire.put_back(one)
                return
            if member not in hosted.clients:
                return
            self._heard(hosted, member, one)
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
        """Somebody has left the lobby: what is kept is where they came from, if they were not ready in their time."""
        group = hosted.groups.pop(member, None)  # who gave way to another has none, and had no time
        if group is not None and not member.is_ready and group not in hosted.idled:
            hosted.idled.append(group)

    async def _kick(self, hosted: HostedTable, name: str) -> bool:
        """Put out who is connected at a table under a name; False if nobody is."""
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
        """Have a table do what is due without a message, until its game is over; then clear it."""
        table = hosted.table
        loop = asyncio.get_running_loop()
        is_over = False
        while not is_over:
            if table.is_handed:
                with self._trouble_of(hosted):
                    await self._hand_over(hosted)
                    return
                break
            await self._running.wait()
            hosted.wake.clear()
            async with hosted.lock:
                is_busy = False
                with self._trouble_of(hosted):
                    is_busy = await self._act(hosted, table.step)
                self._deliver(hosted)
                when, is_over = table.wakes_at(), table.is_over
            if not is_busy and not is_over and not table.is_handed:
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
        await self._dismiss(hosted)
        self._cleared(hosted)

    async def _dismiss(self, hosted: HostedTable) -> None:
        clients = [*hosted.clients.values()]
        hosted.clients.clear()
        await asyncio.gather(*(outgoing.close() for outgoing in clients))

    async def _act(self, hosted: HostedTable, call: Callable[[], T]) -> T:
        """Have a table take a message, or do what is due: on a thread, for that may wait for the disk.

        If it waits long, the host and the players are told, and no clock of the table runs meanwhile.
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
        """Call on a thread; whoever is cancelled waits for it too, so that nobody else does something at the table."""
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
        if self._records is not None:
            self._records.of(hosted.table.number).flush()

    # What servers do besides

    async def _hand_over(self, hosted: HostedTable) -> None:
        """Have another process play the game of a table that would begin now."""
        raise NotImplementedError

    def _cleared(self, hosted: HostedTable) -> None:
        """Take note that a table is cleared."""

    def _heard(self, hosted: HostedTable, member: TableMember, one: Any) -> None:
        """Keep what a client sends, where messages are kept."""
        if self._records is not None:
            self._records.of(hosted.table.number).heard(member.name or "", one)

    def _told(self, hosted: HostedTable, member: TableMember, text: str) -> None:
        """Keep what somebody is sent."""
        if self._records is not None:
            name = PUBLIC if member is hosted.table.audience else member.name or ""
            self._records.of(hosted.table.number).told([name], text)

    def _noted(self, hosted: HostedTable, note: str) -> None:
        """Write something to the server's own log."""
        self._note(f"table {hosted.table.number}: {note}")
        if self._records is not None:
            self._records.of(hosted.table.number).noted(note)

    def _ended(self, hosted: HostedTable) -> None:
        """Take note of how a game has ended."""

    async def _over(self, hosted: HostedTable) -> None:
        """Keep a game that has ended, and is left in order."""

    def _trouble(self, text: str) -> None:
        """Take note of what must not happen."""
        self.troubles.append(text)
        self._note(text)

    @contextlib.contextmanager
    def _trouble_of(self, hosted: HostedTable) -> Any:
        """Whatever goes wrong at a table ends its game, and nobody else's."""
        try:
            yield
        except Exception as error:  # noqa: BLE001  one table's trouble is not another's
            self._trouble(f"table {hosted.table.number}: {type(error).__name__}: {error}")
            hosted.table.is_over = True
            for outgoing in hosted.clients.values():
                outgoing.send(m.write_message(m.ServerFailure("Der Tisch ist geschlossen, im Server ist ein Fehler")))


def understood(one: Any) -> m.ClientMessage | str:
    """The message, or what is wrong with it."""
    if isinstance(one, InvalidText):
        return one.why
    try:
        message: Any = m.read_message(one, "client")
    except UnreadableJson as error:
        return str(error)
    return message  # type: ignore[no-any-return]
