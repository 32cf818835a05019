"""What the host of ``lmu serve`` can do: let in by a password, put out, begin by hand; and who has a lost seat back."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from catan_p2p.lmu.hosting import ServerSettings
from catan_p2p.lmu.seats import TableSettings
from catan_p2p.lmu.server import LmuServer
from catan_p2p.lmu.table import IDLE, KICKED
from catan_p2p.log.storage.objects import StoreLocked
from tests.lmu.scenes import GENEROUS, RawClient, only, server_of, statuses

FREE = {"patience_s": 1e6, "map": "default"}


async def here(port: int, name: str, colour: str, *, is_ready: bool = True, source: str = "127.0.0.1") -> RawClient:
    client = await RawClient.at(port, tcp=True, source=source)
    await client.greet(name, colour)
    if is_ready:
        await client.fine("Spiel starten")
    return client


async def greeted(port: int, source: str = "127.0.0.1") -> tuple[RawClient, Any]:
    """A client that has said Hallo and nothing else, and what it heard then."""
    client = await RawClient.at(port, tcp=True, source=source)
    assert "Hallo" in await client.next()
    await client.send({"Hallo": {"Version": "Test"}})
    return client, await client.next()


async def until(client: RawClient, kind: str) -> Any:
    """The next message of a kind."""
    while kind not in (message := await client.next()):
        pass
    return message[kind]


@asynccontextmanager
async def at_server(settings: ServerSettings = GENEROUS, **table: Any) -> AsyncIterator[tuple[LmuServer, int]]:
    """A server with games in memory, and its port."""
    async with server_of(settings, **{**FREE, **table}) as (server, _, tcp, _games):
        yield server, tcp


async def lost(server: LmuServer, client: RawClient) -> None:
    """Have a client's connection end, and the server notice."""
    await client.close()
    [hosted] = server._hosted
    while all(member.is_there for member in hosted.table.members):
        await asyncio.sleep(0.01)


# A name and a password


async def test_a_server_says_what_it_is_called() -> None:
    async with at_server(ServerSettings(name="Freitag")) as (_, port):
        client = await RawClient.at(port, tcp=True)
        assert (await client.next())["Hallo"]["Version"].endswith(" (Freitag)")


async def test_only_who_says_the_password_gets_a_seat_and_nobody_else_hears_it() -> None:
    async with at_server(players=3, password="geheim") as (server, port):
        strangers = [(await greeted(port))[0] for _ in range(3)]
        for stranger, name in zip(strangers, ("Eve", "Eve:", "Eve:geheim2"), strict=True):
            *_, answer = await stranger.ask("Spieler", {"Name": name, "Farbe": "Rot"})
            assert "Kennwort" in answer["Serverantwort"]
        assert not server._hosted
        first = await here(port, "Ann:geheim", "Rot")
        second = await here(port, "Ben: geheim", "Blau", is_ready=False)
        await second.fine("Spieler", {"Name": "Bea:geheim", "Farbe": "Blau"})
        third, welcome = await greeted(port)
        told = [welcome, *await third.fine("Spieler", {"Name": "Cid:geheim", "Farbe": "Weiß"})]
        heard = await first.heard()
        assert "geheim" not in json.dumps([heard, told])
        names = [one["Spieler"].get("Name") for one in only(heard, "Statusupdate")]
        assert {"Ben", "Bea", "Cid"} <= {*names}
        assert len({one.id for one in server._hosted[0].table.members}) == 3


# Commands


async def test_who_is_kicked_out_of_the_lobby_gets_no_seat_until_admitted() -> None:
    async with at_server(players=3) as (server, port):
        ann, eve = await here(port, "Ann", "Rot"), await here(port, "Eve", "Blau")
        await server.obey("kick Eve")
        assert (await until(eve, "Fehler"))["Meldung"] == KICKED
        assert "Verbindung verloren" in statuses(await ann.heard()).values()
        again, _ = await greeted(port)
        *_, answer = await again.ask("Spieler", {"Name": " eve", "Farbe": "Blau"})
        assert answer == {"Serverantwort": KICKED}
        notes: list[str] = []
        server._note = notes.append
        for command in ("list", "admit Eve", "admit Eve"):
            await server.obey(command)
        assert notes[1:] == ["put out: Eve", "Eve: may come again", "Eve: was not put out"]
        await again.fine("Spieler", {"Name": "Eve", "Farbe": "Blau"})


async def test_who_is_kicked_under_a_name_with_a_number_comes_back_under_none_that_gives_it_again() -> None:
    async with at_server(players=3) as (server, port):
        _, _ = await here(port, "Eve", "Rot"), await here(port, "Eve", "Blau")
        await server.obey("kick Eve 2")
        again, _ = await greeted(port)
        *_, answer = await again.ask("Spieler", {"Name": "Eve", "Farbe": "Blau"})
        assert answer == {"Serverantwort": KICKED}
        await again.fine("Spieler", {"Name": "Eva", "Farbe": "Blau"})


async def test_who_is_kicked_out_of_a_game_is_played_for_until_admitted() -> None:
    async with at_server(players=3) as (server, port):
        clients = [await here(port, name, colour) for name, colour in (("A", "Rot"), ("B", "Blau"), ("C", "Weiß"))]
        [token] = [member.token for member in server._hosted[0].table.members if member.name == "B"]
        await server.obey("kick B")
        assert (await until(clients[1], "Fehler"))["Meldung"] == KICKED
        [member] = [one for one in server._hosted[0].table.members if one.name == "B"]
        while not member.is_computer and server._hosted[0].table.play.status(member.player) != "Warten":  # type: ignore[union-attr]
            await asyncio.sleep(0.01)
        _, heard = await greeted(port)
        assert "läuft bereits" in heard["Fehler"]["Meldung"]
        for is_admitted in (False, True):
            if is_admitted:
                await server.obey("admit B")
            back = await RawClient.at(port, tcp=True)
            await back.next()
            await back.send({"Hallo": {"Version": "Test", "Name": "B", "Token": token}})
            assert ("Willkommen" if is_admitted else "Fehler") in await back.next()


async def test_the_host_begins_with_those_who_are_ready_if_they_are_enough() -> None:
    async with at_server(players=4) as (server, port):
        notes: list[str] = []
        server._note = notes.append
        clients = [await here(port, "A", "Rot"), await here(port, "B", "Blau")]
        await server.obey("begin 0")
        while not any("cannot begin: 2 ready, 3 needed" in note for note in notes):
            await asyncio.sleep(0.01)
        late = await here(port, "D", "Orange", is_ready=False)
        clients.append(await here(port, "C", "Weiß"))
        await server.obey("list")
        assert notes[-1] == "table 0: has not begun: Red (A), Blue (B), Orange (D) (not ready), White (C)"
        await server.obey("begin 0")
        assert (await until(late, "Fehler"))["Meldung"] == IDLE
        for client in clients:
            await until(client, "Spiel gestartet")
        await server.obey("begin 0")
        await server.obey("begin 7")
        await server.obey("begin")
        await server.obey("kick Nobody")
        assert notes[-4:-2] == ["control: begin: game 0 has begun", "control: begin: nobody is at table 7"]
        assert "expected list" in notes[-2]
        assert notes[-1] == "Nobody: is not there"


async def test_a_pause_holds_up_messages_until_the_host_goes_on() -> None:
    async with at_server(players=3) as (server, port):
        client = await here(port, "A", "Rot")
        await server.obey("pause")
        now = server._now()
        await client.send({"Chatnachricht senden": {"Nachricht": "?"}})
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(client.next(), 0.2)
        assert server._now() == now, "clocks stop, too"
        await server.obey("resume")
        await client.answer()


async def test_one_server_at_a_time_hosts_games_in_a_folder(tmp_path: Path) -> None:
    first, second = (LmuServer(ServerSettings(), TableSettings(out=tmp_path)) for _ in range(2))
    await first.begin()
    with pytest.raises(StoreLocked, match="already hosting games in this folder"):
        await second.begin()
    await first.close()
    await second.begin()
    await second.close()


# Back by name: the protocol has a status for a lost connection and no token; clients say Hallo and Spieler again


async def test_who_comes_again_from_the_same_address_has_a_lost_seat_back_by_name() -> None:
    async with at_server(players=3) as (server, port):
        clients = [await here(port, name, colour) for name, colour in (("A", "Rot"), ("B", "Blau"), ("C", "Weiß"))]
        _, heard = await greeted(port)
        assert "Fehler" in heard, "everybody is there"
        [member] = [one for one in server._hosted[0].table.members if one.name == "B"]
        token = member.token
        await lost(server, clients[1])
        _, heard = await greeted(port, "127.0.0.2")
        assert "Fehler" in heard, "another address"
        stranger, heard = await greeted(port)
        assert heard["Willkommen"]["id"] not in [one.id for one in clients]
        heard = await stranger.ask("Spieler", {"Name": "A", "Farbe": "Rot"})
        assert "Fehler" in heard[-1], "A is there"
        again, heard = await greeted(port)
        was = heard["Willkommen"]["id"]
        heard = await again.fine("Spieler", {"Name": "B", "Farbe": "Rot"})
        assert only(heard, "Willkommen") == [{"id": clients[1].id}], "the token stays with who has it"
        assert only(heard, "Spiel gestartet")
        told = statuses(heard)
        assert told.pop(was) == "Verbindung verloren"
        assert "Verbindung verloren" not in told.values()
        assert member.is_there
        owner = await RawClient.at(port, tcp=True)
        await owner.next()
        await owner.send({"Hallo": {"Version": "Test", "Name": "B", "Token": token}})
        assert (await owner.next())["Willkommen"] == {"id": clients[1].id, "Token": token}
        with pytest.raises(EOFError):
            while True:
                await again.next()
