"""A server on free ports of this machine, and our clients at it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from catan_p2p.lmu.client import ClientGame, ClientSettings, play
from catan_p2p.lmu.hosting import ServerSettings
from catan_p2p.lmu.seats import TableSettings
from catan_p2p.lmu.server import LmuServer


@dataclass
class Hosted:
    """A running server, where it is, and what it noted."""

    server: LmuServer
    port: int
    tcp: int
    notes: list[str]

    @property
    def urls(self) -> tuple[str, str]:
        return f"ws://127.0.0.1:{self.port}/catan", f"tcp://127.0.0.1:{self.tcp}"


@asynccontextmanager
async def hosting(settings: ServerSettings, table: TableSettings) -> AsyncIterator[Hosted]:
    """Host tables; at the end nothing may have gone wrong in the server."""
    notes: list[str] = []
    server = LmuServer(settings, table, notes.append)
    hosted = Hosted(server, await server.listen("127.0.0.1", 0), await server.listen_tcp("127.0.0.1", 0), notes)
    try:
        yield hosted
    finally:
        await server.close()
    assert server.troubles == [], notes


async def played_by_us(hosted: Hosted, players: int, seed: int, policy: str = "builder") -> list[ClientGame]:
    """One game of our clients, every second one over TCP."""
    settings = (
        ClientSettings(hosted.urls[i % 2], f"Player {i}", policy=policy, seed=100 * seed + i) for i in range(players)
    )
    return await asyncio.gather(*(play(one) for one in settings))


async def games_by_us(players: int, games: int, out: Path, seed: int) -> list[list[ClientGame]]:
    """So many games one after the other."""
    table = TableSettings(players, out=out, seed=seed)
    async with hosting(ServerSettings(games=games, linger_s=0.0), table) as hosted:
        played = [await played_by_us(hosted, players, seed + i) for i in range(games)]
        try:
            await asyncio.wait_for(hosted.server.done.wait(), 300)
        except TimeoutError:
            over = [len({one.winner for one in game}) == 1 and game[0].winner is not None for game in played]
            told = f"{hosted.server.games_over} of {games} games are over, clients saw a winner of {sum(over)}"
            raise AssertionError(f"{told}; {hosted.notes}") from None
    return played
