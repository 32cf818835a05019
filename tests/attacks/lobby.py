"""Clients of ``lmu serve`` who take seats and do nothing with them."""

import asyncio
from pathlib import Path

import pytest

from catan_p2p.lmu.table import IDLE
from tests.attacks.registry import attack
from tests.lmu.scenes import RawClient, server_of

COLOURS = ("Rot", "Blau", "Weiß")
PLACES = ("192.0.2.{}", "198.51.100.{}")


@attack(
    "`lmu serve`: clients that idle in the lobby and return",
    "put out after the table's patience; then they give way and a game begins",
    times=3,
)
def idle_in_the_lobby(folder: Path) -> None:
    async def body(patch: pytest.MonkeyPatch) -> None:
        async with server_of(players=3, patience_s=3.0) as (server, port, tcp, games):

            async def come(places: str, i: int, name: str) -> RawClient:
                patch.setattr("catan_p2p.lmu.server_connection.group_of", lambda _: places.format(i))
                client = await RawClient.at((port, tcp)[i % 2], tcp=i % 2 == 1)
                await client.greet(f"{name} {i}", COLOURS[i])
                return client

            idle = [await come(PLACES[0], i, "Idle") for i in range(3)]
            for client in idle:
                assert await farewell(client) == IDLE
            again = [await come(PLACES[0], i, "Again") for i in range(3)]
            for i in range(3):
                guest = await come(PLACES[1], i, "Guest")
                await guest.fine("Spiel starten")
            assert len(games) == 1
            for client in again:
                assert await farewell(client) in (IDLE, "Der Platz wird für andere gebraucht")
            assert {member.name for member in server._hosted[0].table.members} == {f"Guest {i}" for i in range(3)}

    with pytest.MonkeyPatch.context() as patch:
        asyncio.run(body(patch))


async def farewell(client: RawClient) -> str:
    """Why a client was let go, once its connection has ended."""
    why = ""
    with pytest.raises(EOFError):
        while True:
            heard = await client.next()
            why = heard["Fehler"]["Meldung"] if "Fehler" in heard else why
    return why
