"""A person's seat at a server, for a window: orders go in, news and steps come out; a thread runs the connection."""

import asyncio
import contextlib
import threading
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import NamedTuple, TypeVar

from catan_p2p.lmu import messages as m
from catan_p2p.lmu.client import CannotConnect, ClientGame, ClientSettings, play
from catan_p2p.lmu.connection import ClientWire
from catan_p2p.lmu.kept_seats import KeptSeat, KeptSeats
from catan_p2p.lmu.person import PersonPlayer
from catan_p2p.lmu.seat_record import RecordChange
from catan_p2p.sessions.messages import (
    CarryOut,
    ConnectionTrouble,
    GameMoved,
    HandSeat,
    LeaveTable,
    News,
    Order,
    PeersSeated,
    SayToAll,
    TableFailed,
)

T = TypeVar("T")

_END_S = 5.0
VERSION_OF_A_PERSON = "catan_p2p"
"""The version in Hallo, without ``(KI)``, which marks programs."""
LOST = "the connection is lost and is being tried again"


class SeatNews(NamedTuple):
    """News of the game; before it begins, a sentence about what it waits for."""

    players: tuple[tuple[str, str], ...]
    """Colour and name by seat."""
    change: RecordChange | None
    waiting: str


class SeatLink:
    """A seat, which connects as soon as it is made. Only ``close`` blocks; the ``take`` methods return news."""

    def __init__(
        self,
        settings: ClientSettings,
        woken: Callable[[], None] = lambda: None,
        connected: Callable[[str], Awaitable[ClientWire]] | None = None,
        kept: KeptSeats | None = None,
    ) -> None:
        self.settings = settings
        self._kept = kept
        self._woken, self._connected = woken, connected
        self._news: SimpleQueue[News] = SimpleQueue()
        self._told: SimpleQueue[SeatNews] = SimpleQueue()
        self._waiting = ""
        self._players: tuple[tuple[str, str], ...] = ()
        self._person = PersonPlayer(
            VERSION_OF_A_PERSON, settings.name, settings.colour, settings.policy, settings.seed, self._tell
        )
        self._seat = None if kept is None else kept.seat(settings.url, settings.name)
        if self._seat is not None:
            self._person.come_back_with(self._seat)
        self._played = ClientGame(self._person, observer=self)
        # Made here and not in the thread, since the window may give orders before the thread runs.
        self._loop = asyncio.new_event_loop()
        self.orders: asyncio.Queue[Callable[[], list[m.ClientMessage]]] = asyncio.Queue()
        self._heard_when_lost: int | None = None
        self._trouble = ""
        self._task: asyncio.Task[ClientGame] | None = None
        self._is_leaving = False
        self._thread = threading.Thread(target=self._run, name="the server", daemon=True)
        self._thread.start()

    @property
    def played(self) -> ClientGame:
        """The record of the game; complete once the link is closed."""
        return self._played

    @property
    def colour(self) -> str:
        """The colour of the seat, which may differ from the one asked for."""
        return self._person.colour

    # From the window

    def give(self, order: Order) -> None:
        """Carry out an order of the window on the connection's thread."""
        call: Callable[[], list[m.ClientMessage]]
        match order:
            case CarryOut(_, action, deal):
                call = lambda: self._person.decide(action, deal)  # noqa: E731
            case HandSeat(_, policy):
                call = lambda: self._person.hand_to(policy)  # noqa: E731
            case SayToAll(_, text):
                call = lambda: self._person.say(text)  # noqa: E731
            case _:
                return
        with contextlib.suppress(RuntimeError):  # the game is over, and the loop closed
            self._loop.call_soon_threadsafe(self.orders.put_nowait, call)

    def take(self) -> list[News]:
        """All news since the last call."""
        return _drained(self._news)

    def take_told(self) -> list[SeatNews]:
        """All changes of the game since the last call."""
        return _drained(self._told)

    def close(self) -> None:
        """Leave the server, and wait up to ``_END_S`` for the connection to close."""
        self._is_leaving = True
        self.give(LeaveTable())
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._leave)
        self._thread.join(_END_S)

    def _leave(self) -> None:
        if self._task is not None:
            self._task.cancel()

    # In the thread

    def _run(self) -> None:
        try:
            with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
                runner.run(self._play())
        except Exception as error:  # the window would wait for this thread for ever
            self._tell(TableFailed(f"the program has failed: {error!r}"))
            raise

    async def _play(self) -> None:
        self._task = asyncio.ensure_future(play(self.settings, self._played, self._connected))
        # ``close`` may have run before there was a task to cancel.
        if self._is_leaving:
            self._task.cancel()
        words = ""
        try:
            await self._task
        except CannotConnect as error:
            words = str(error)
        except asyncio.CancelledError:
            return
        self.settled()
        if self._person.is_over:
            self._keep(None)
        if self._person.model.winner is None:
            self._tell(TableFailed(words or self._person.failure or self._why_over()))

    def _why_over(self) -> str:
        if self._person.token is None:
            return "the connection to the server is lost, and this server lets nobody come back"
        return "the connection to the server is lost"

    def _tell(self, news: News) -> None:
        self._news.put(news)
        self._woken()

    def settled(self) -> None:
        """Show what the server has sent so far: it has paused."""
        person, record = self._person, self._person.record
        record.settle()
        if self._heard_when_lost is not None and len(self._played.heard) > self._heard_when_lost:
            self._heard_when_lost = None
            self._tell(ConnectionTrouble(()))
        trouble = person.trouble if person.waits == "again" else ""
        if trouble != self._trouble:
            self._trouble = trouble
            self._tell(ConnectionTrouble((trouble,) if trouble else ()))
        if record.has_begun and person.token is not None:
            self._keep(None if person.is_over else KeptSeat(person.token, record.order))
        change = record.change()
        waiting = "" if record.has_begun else self._who_has_come()
        if change is None and waiting == self._waiting:
            return
        if change is not None and not self._players:
            self._players = record.participants
            person.seat_colour = self._players[record.seat - 1][0]
            self._tell(PeersSeated(((person.seat_colour, Path(), None),)))
        self._waiting = waiting
        self._tell(GameMoved(person.colour, "", int(time.time())))
        self._told.put(SeatNews(self._players, change, waiting))
        self._woken()

    def _keep(self, seat: KeptSeat | None) -> None:
        """Keep the seat in case this program ends; None forgets it."""
        if self._kept is not None and seat != self._seat:
            self._kept.keep(self.settings.url, self.settings.name, seat)
            self._seat = seat

    def lost(self) -> None:
        """Tell the window that the connection is lost, and that the client tries to restore it."""
        self._heard_when_lost = len(self._played.heard)
        self._tell(ConnectionTrouble((LOST,)))

    def _who_has_come(self) -> str:
        """A sentence about who is at the table before the game begins."""
        there = []
        for id, known in sorted(self._person.model.players.items()):
            name = "you" if id == self._person.model.me else known.name or "somebody"
            is_ready = known.status != "Spiel starten"
            there.append(f"{name} ({known.colour or 'no colour'}{', ready' if is_ready else ''})")
        return f"At the table: {', '.join(there)}" if there else "The server has not answered yet"


def _drained(queue: SimpleQueue[T]) -> list[T]:
    found = []
    with contextlib.suppress(Empty):
        while True:
            found.append(queue.get_nowait())
    return found
