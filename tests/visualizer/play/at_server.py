"""A window at an LMU server, and the servers for it: one that is real, and one that says what a test wants."""

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from catan_p2p.lmu.client import ClientSettings
from catan_p2p.lmu.framing import JsonSplitter
from catan_p2p.lmu.kept_seats import KeptSeats
from catan_p2p.lmu.seat_link import SeatLink
from catan_p2p.lmu.server import LmuServer
from tests.lmu.memory_game import MemoryGame
from tests.lmu.scenes import GENEROUS, server_of
from tests.lmu.server_habits import ForeignWire
from tests.lmu.test_server_habits import REACH
from tests.visualizer.play.person import Session, settings
from visualizer.play.at_server import ServerSeats, ServerTable
from visualizer.play.window import PlayWindow
from visualizer.window.screen import open_screen


@dataclass
class Running:
    """A server in a thread of its own."""

    url: str = ""
    games: list[MemoryGame] = field(default_factory=list)
    server: LmuServer | None = None
    loop: asyncio.AbstractEventLoop | None = None

    def cut(self) -> None:
        """Cut every connection, as a network does."""
        assert self.server is not None and self.loop is not None
        server = self.server

        def abort() -> None:
            for hosted in server._hosted:
                for outgoing in [*hosted.clients.values()]:
                    outgoing.abort()

        self.loop.call_soon_threadsafe(abort)


@contextmanager
def running(**table: Any) -> Iterator[Running]:
    """A server whose games are in memory; computer players take the seats that are left."""
    found, begun, stop = Running(), threading.Event(), threading.Event()

    def serve() -> None:
        async def body() -> None:
            chosen = {"fill": "builder", "fill_after_s": 0.0, **table}
            async with server_of(GENEROUS, **chosen) as (server, port, _, games):
                found.url, found.games, found.server = f"ws://127.0.0.1:{port}/catan", games, server
                found.loop = asyncio.get_running_loop()
                begun.set()
                while not stop.is_set():
                    await asyncio.sleep(0.01)

        asyncio.run(body())

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    assert begun.wait(60)
    try:
        yield found
    finally:
        stop.set()
        thread.join(60)


class Scripted:
    """A connection on which a server says these values, and then ends it or stays silent."""

    group = ""

    def __init__(self, values: list[Any], *, stays: bool = False) -> None:
        self._values, self._stays = values, stays
        self.sent: list[str] = []

    async def objects(self, splitter: JsonSplitter) -> AsyncIterator[Any]:
        for value in self._values:
            yield value
        if self._stays:
            await asyncio.Event().wait()

    async def write(self, texts: list[str]) -> None:
        self.sent += texts

    async def close(self) -> None:
        pass

    def abort(self) -> None:
        pass


def seat_window(
    path: Path,
    chosen: ClientSettings,
    values: list[Any] | None = None,
    *,
    stays: bool = False,
    habits: frozenset[str] = frozenset(),
) -> tuple[PlayWindow, list[Scripted]]:
    """A window at the server of the settings, which may have habits, or at one that says these values."""
    wires: list[Scripted] = []

    async def connected(url: str) -> Any:
        if values is None:
            return ForeignWire(await REACH(url), habits)
        wires.append(Scripted(values, stays=stays))
        return wires[-1]

    def connect(given: ClientSettings, woken: Any) -> SeatLink:
        return SeatLink(
            given, woken, connected if habits or values is not None else None, KeptSeats(path / "seats.json")
        )

    seats = ServerSeats(connect)
    table = ServerTable(chosen)
    window = PlayWindow(
        table, open_screen((1000, 700)), settings(), path / "settings.json", link=seats.link, feed=seats.feed
    )
    return window, wires


def client(url: str, **more: Any) -> ClientSettings:
    """How the person plays: they come back at once."""
    return ClientSettings(url, "Eve", "Blue", **{"return_s": 0.01, "returns": 100, **more})


def ended(session: Session) -> None:
    """Frames until the server's thread has ended, and everything is shown."""
    link: Any = session.window.session.worker.link
    while link._thread.is_alive():
        session.frame()
    session.frame()
    session.frame()
