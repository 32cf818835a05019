"""A tournament's server in this process, and clients that come for game after game."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from catan_p2p.lmu import messages as m
from catan_p2p.lmu.client import CannotConnect, ClientGame, ClientSettings, play
from catan_p2p.lmu.connection import StreamWire
from catan_p2p.lmu.framing import JsonSplitter
from catan_p2p.lmu.hosting import ServerSettings
from catan_p2p.lmu.seats import TableSettings
from catan_p2p.lmu.tournament.entrants import read_entrants
from catan_p2p.lmu.tournament.server import TournamentServer
from catan_p2p.lmu.tournament.standing import LmuTournament

CLIENTS = "Ann:a1\nBen\nCid:c3\nDan\n"


@dataclass
class Hosted:
    """A running server, its TCP port, and what it noted."""

    server: TournamentServer
    tcp: int
    notes: list[str]
    talks: list[Talk] = field(default_factory=list)

    async def talk(self, name: str, colour: str = "Red") -> Talk:
        """A client by hand, which has introduced itself."""
        self.talks.append(talk := Talk(StreamWire(*await asyncio.open_connection("127.0.0.1", self.tcp))))
        await talk.say(m.ClientHello("by hand"))
        await talk.say(m.ChooseName(name, colour))
        return talk

    @property
    def url(self) -> str:
        return f"tcp://127.0.0.1:{self.tcp}"

    async def noted(self, what: str) -> None:
        """Wait until the server's log has a text."""
        while not any(what in note for note in self.notes):
            await asyncio.sleep(0.01)


def server_of(
    out: Path,
    clients: str,
    note: Callable[[str], None],
    *,
    computers: int = 0,
    rounds: int = 1,
    tables: int = 10,
    delay_s: float = 0.0,
    workers: int = 0,
    **table: Any,
) -> TournamentServer:
    """The server of a tournament."""
    settings = TableSettings(
        **{"fill": "builder", "fill_after_s": 600.0, "patience_s": 600.0, "seed": 7, "points": 4, "out": out, **table}
    )
    entrants = read_entrants(clients, computers, None)
    tournament = LmuTournament.opened(out, entrants, settings.players, rounds)
    limits = ServerSettings(tables, linger_s=0.0, workers=workers)
    return TournamentServer(tournament, limits, settings, note, delay_s)


@asynccontextmanager
async def hosting(out: Path, clients: str = CLIENTS, **settings: Any) -> AsyncIterator[Hosted]:
    """Host a tournament; at the end nothing may have gone wrong in the server."""
    notes: list[str] = []
    server = server_of(out, clients, notes.append, **settings)
    await server.begin()
    hosted = Hosted(server, await server.listen_tcp("127.0.0.1", 0), notes)
    try:
        yield hosted
    finally:
        for talk in hosted.talks:
            talk.wire.abort()
        await server.close()
    assert server.troubles == [], notes


async def plays(url: str, name: str, colour: str = "Red", games: int = 1000) -> list[ClientGame]:
    """Come for so many games, or until there is nothing left to play."""
    found: list[ClientGame] = []
    while len(found) < games:
        settings = ClientSettings(url, name, colour, seed=len(found), connect_s=60.0)
        try:
            played = await play(settings)
        except CannotConnect:
            break
        if played.winner is not None:
            found.append(played)
        elif "zu Ende" in (played.client_player.failure or ""):
            break
        else:
            await asyncio.sleep(0.1)
    return found


@asynccontextmanager
async def playing(url: str, names: Sequence[str]) -> AsyncIterator[list[asyncio.Task[list[ClientGame]]]]:
    """Clients of these names, which all want the same colour."""
    tasks = [asyncio.ensure_future(plays(url, name)) for name in names]
    try:
        yield tasks
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


class Talk:
    """A client by hand."""

    def __init__(self, wire: StreamWire) -> None:
        self.wire = wire
        self.heard: list[Any] = []
        self._objects = wire.objects(JsonSplitter(m.MESSAGES["server"].keys(), 1 << 20))

    async def say(self, message: Any) -> None:
        await self.wire.write([m.write_message(message)])

    async def hear(self, kind: type[Any]) -> Any:
        """The next message of a kind; None if the connection ends before."""
        async for one in self._objects:
            message = m.read_message(one, "server")
            self.heard.append(message)
            if isinstance(message, kind):
                return message
        return None

    async def hear_all(self) -> list[Any]:
        """Everything until the connection ends."""
        await self.hear(type(None))
        return self.heard
