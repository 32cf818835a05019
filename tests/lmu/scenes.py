"""A server on a socket, a game that a test can put into any position, and clients that speak plain JSON."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import json
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from websockets.asyncio.client import connect

from catan_p2p.game.constants import Constants
from catan_p2p.lmu.codec import PLACE
from catan_p2p.lmu.hosting import ServerSettings
from catan_p2p.lmu.seats import TableSettings
from catan_p2p.lmu.server import LmuServer
from catan_p2p.lmu.words import COLOUR_WORDS
from tests.lmu.memory_game import MemoryGame

GENEROUS = ServerSettings(
    chats_per_s=1e6, chats_at_once=1e6, messages_per_s=1e6, messages_at_once=1e6, linger_s=0.0, max_connections=1000
)
WITHIN_S = 240.0


class RawClient:
    """A client that knows JSON, and nothing of our classes: over WebSocket, or lines of TCP."""

    open: ClassVar[list[RawClient]] = []

    def __init__(self) -> None:
        self.id = 0
        self.socket: Any = None
        self.reader: asyncio.StreamReader | None = None
        self.writer: asyncio.StreamWriter | None = None

    @classmethod
    async def at(cls, port: int, *, tcp: bool = False, source: str = "127.0.0.1") -> RawClient:
        """At a port of this machine; over TCP, from any address of it."""
        client = cls()
        cls.open.append(client)
        if tcp:
            connection = socket.socket()
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16 << 10)
            connection.bind((source, 0))
            connection.connect(("127.0.0.1", port))
            client.reader, client.writer = await asyncio.open_connection(sock=connection)
        else:
            client.socket = await connect(
                f"ws://127.0.0.1:{port}/catan", proxy=None, max_size=None, max_queue=None, compression=None
            )
        return client

    async def send_text(self, text: str) -> None:
        if self.socket is not None:
            await self.socket.send(text)
        elif self.writer is not None:
            self.writer.write(text.encode("utf-8", "surrogatepass") + b"\n")
            await self.writer.drain()

    async def send(self, message: Any) -> None:
        await self.send_text(json.dumps(message))

    async def next(self) -> Any:
        """The next message; EOFError if the server has ended the connection."""
        async with asyncio.timeout(WITHIN_S):
            if self.socket is not None:
                try:
                    return json.loads(await self.socket.recv())
                except Exception as error:
                    raise EOFError from error
            assert self.reader is not None
            line = await self.reader.readline()
            if not line:
                raise EOFError
            return json.loads(line)

    async def answer(self) -> list[Any]:
        """Everything up to the next Serverantwort or Fehler, chat left out."""
        heard = []
        while True:
            message = await self.next()
            if "Chatnachricht" not in message:
                heard.append(message)
            if "Serverantwort" in message or "Fehler" in message:
                return heard

    async def ask(self, kind: str, body: Any = None) -> list[Any]:
        """Send a message: everything that it leads to, the answer last."""
        await self.send({kind: {} if body is None else body})
        return await self.answer()

    async def fine(self, kind: str, body: Any = None) -> list[Any]:
        """The same for a message that is allowed: everything but the OK."""
        *heard, answer = await self.ask(kind, body)
        assert answer == {"Serverantwort": "OK"}, (kind, body, answer)
        return heard

    async def refused(self, kind: str, body: Any = None) -> str:
        """The text of the refusal of a message that leads to nothing else."""
        await self.heard()
        [answer] = await self.ask(kind, body)
        assert answer.keys() == {"Serverantwort"}
        assert answer["Serverantwort"] not in ("", "OK")
        return str(answer["Serverantwort"])

    async def heard(self) -> list[Any]:
        """Everything that came since the last question, by way of a chat message."""
        return (await self.ask("Chatnachricht senden", {"Nachricht": "?"}))[:-1]

    async def greet(self, name: str, colour: str) -> None:
        """Say Hallo, and choose name and colour."""
        assert (await self.next())["Hallo"]["Protokoll"] == "1.0"
        await self.send({"Hallo": {"Version": "Test 1.0 (sepgroup01)"}})
        self.id = (await self.next())["Willkommen"]["id"]
        await self.fine("Spieler", {"Name": name, "Farbe": colour})

    async def close(self) -> None:
        if self.socket is not None:
            await self.socket.close()
        elif self.writer is not None:
            self.writer.close()
            with contextlib.suppress(OSError):
                await self.writer.wait_closed()


@dataclass
class Scene:
    """A running game: its server, its clients by seat, and the game itself."""

    server: LmuServer
    port: int
    tcp: int
    seats: list[RawClient]
    game: MemoryGame
    started: list[Any]
    """What the first client heard when the game began."""

    async def put(self, state: Any) -> None:
        """Put the game into a position; nobody is told."""
        self.game.state = state
        play = self.table.play
        play.village, play.special, play.offers, play.offers_made = 0, [], {}, 0
        for member in self.table.members:
            member.status = play.status(member.player)
        for client in self.seats:
            await client.heard()

    @property
    def ids(self) -> list[int]:
        return [client.id for client in self.seats]

    @property
    def table(self) -> Any:
        return self.server._hosted[0].table

    def place(self, tile: int) -> dict[str, int]:
        return PLACE.write(self.table.play.names.places.tiles[tile])  # type: ignore[no-any-return]

    def road(self, at: int) -> list[dict[str, int]]:
        return [PLACE.write(one) for one in self.table.play.names.places.roads[at]]

    def spot(self, at: int) -> list[dict[str, int]]:
        return [PLACE.write(one) for one in self.table.play.names.places.settlements[at]]


@asynccontextmanager
async def server_of(
    settings: ServerSettings = GENEROUS, **table: Any
) -> AsyncIterator[tuple[LmuServer, int, int, list[MemoryGame]]]:
    """A server whose games are in memory, with its two ports and the games as they begin."""
    games: list[MemoryGame] = []

    def new_game(number: int, constants: Constants, colours: tuple[str, ...]) -> MemoryGame:
        games.append(MemoryGame(constants, table.get("seed", 0) + number))
        return games[-1]

    server = LmuServer(settings, TableSettings(**{"out": Path("nowhere"), **table}), print, new_game)
    port, tcp = await server.listen("127.0.0.1", 0), await server.listen_tcp("127.0.0.1", 0)
    try:
        yield server, port, tcp, games
    finally:
        while RawClient.open:
            await RawClient.open.pop().close()
        await server.close()
    assert server.troubles == []


@asynccontextmanager
async def scene(players: int = 3, settings: ServerSettings = GENEROUS, **table: Any) -> AsyncIterator[Scene]:
    """A game that has just begun; every second client speaks TCP."""
    table = {"map": "default", **table}
    async with server_of(settings, players=players, **table) as (server, port, tcp, games):
        clients = []
        for i, colour in enumerate([*COLOUR_WORDS.values()][:players]):
            client = await RawClient.at((port, tcp)[i % 2], tcp=i % 2 == 1)
            await client.greet(f"Player {i}", colour)
            clients.append(client)
        for client in clients:
            await client.fine("Spiel starten")
        started = await clients[0].heard()
        for client in clients[1:]:
            await client.heard()
        by_id = {client.id: client for client in clients}
        order = [by_id[member.id] for member in server._hosted[0].table.members]
        yield Scene(server, port, tcp, order, games[0], started)


def over_a_socket(
    players: int = 3, **table: Any
) -> Callable[[Callable[[Scene], Awaitable[None]]], Callable[[], Awaitable[None]]]:
    """Makes a test of a coroutine function that is given a scene."""

    def decorate(test: Callable[[Scene], Awaitable[None]]) -> Callable[[], Awaitable[None]]:
        @functools.wraps(test)
        async def wrapped() -> None:
            async with scene(players, **table) as there:
                await test(there)

        del wrapped.__wrapped__  # type: ignore[attr-defined]
        return wrapped

    return decorate


def kinds(messages: list[Any]) -> list[str]:
    """The names of messages."""
    return [next(iter(message)) for message in messages]


def statuses(messages: list[Any]) -> dict[int, str]:
    """The last status of every player that is told of."""
    told = [message["Statusupdate"]["Spieler"] for message in messages if "Statusupdate" in message]
    return {player["id"]: player["Status"] for player in told}


def only(messages: list[Any], kind: str) -> list[Any]:
    """The bodies of all messages of a kind."""
    return [message[kind] for message in messages if kind in message]
