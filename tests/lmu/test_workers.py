"""Games in worker processes: connections are handed over whole, and a killed worker loses nothing that was told."""

import asyncio
import json
import os
import signal
import socket
import sys
from pathlib import Path
from typing import Any

import pytest

from catan_p2p.game.state import roads_taken
from catan_p2p.lmu import messages as m
from catan_p2p.lmu.client import ClientGame, ClientSettings, play
from catan_p2p.lmu.coordinates import places_of
from catan_p2p.lmu.hosting import ServerSettings
from catan_p2p.lmu.seats import TableSettings
from catan_p2p.lmu.server_connection import OutgoingMessages, ServedStream, ServedWebSocket, shake_hands, taken_over
from catan_p2p.log.audit import audit
from tests.lmu.hosting import Hosted, hosting

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows cannot hand connections over")

TEXTS = [json.dumps({"Chatnachricht senden": {"Nachricht": f"{i} ä\u2028"}}, ensure_ascii=False) for i in range(5)]


def framed(text: str) -> bytes:
    """A masked text frame, as the protocol's RFC draws it."""
    data = text.encode()
    mask = b"\x01\x02\x03\x04"
    head = bytes([0x81, 0x80 | len(data)]) if len(data) < 126 else b"\x81\xfe" + len(data).to_bytes(2, "big")
    return head + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(data))


async def handed_over_at(cut: int, *, is_web_socket: bool) -> tuple[list[Any], bytes]:
    """What is read of five messages, ``cut`` bytes of them before a hand-over, the rest later; and what was sent."""
    ours, theirs = socket.socketpair()
    reader, writer = await asyncio.open_connection(sock=theirs)
    wire = ServedWebSocket(reader, writer) if is_web_socket else ServedStream(reader, writer)
    outgoing = OutgoingMessages(wire)
    data = b"".join(framed(text) if is_web_socket else f"{text}\n".encode() for text in TEXTS)
    ours.sendall(data[:cut])
    seen: list[Any] = []

    async def read() -> None:
        async for one in wire:
            seen.append(one)

    reading = asyncio.ensure_future(read())
    await asyncio.sleep(0)
    outgoing.send('{"Serverantwort":"eins"}')
    wire.stop()
    await reading
    if seen:
        wire.put_back(seen.pop())
    file, handed = await outgoing.hand_over()
    again = await taken_over(file, handed)
    ours.sendall(data[cut:])
    ours.shutdown(socket.SHUT_WR)
    second = OutgoingMessages(again)
    second.send('{"Serverantwort":"zwei"}')
    await asyncio.sleep(0)
    async for one in again:
        seen.append(one)
    ours.setblocking(False)
    sent = ours.recv(1 << 16)
    ours.close()
    await second.close()
    return seen, sent


@pytest.mark.parametrize("is_web_socket", [False, True])
def test_a_connection_is_handed_over_at_every_byte(is_web_socket: bool) -> None:
    length = sum(len(framed(text)) if is_web_socket else len(f"{text}\n".encode()) for text in TEXTS)
    for cut in range(0, length + 1, 3):
        seen, sent = asyncio.run(handed_over_at(cut, is_web_socket=is_web_socket))
        assert [json.dumps(one, ensure_ascii=False) for one in seen] == TEXTS
        assert sent.find(b"eins") < sent.find(b"zwei")


def test_what_is_no_handshake_is_refused() -> None:
    async def asked(request: bytes) -> bytes:
        ours, theirs = socket.socketpair()
        reader, writer = await asyncio.open_connection(sock=theirs)
        ours.sendall(request)
        ours.shutdown(socket.SHUT_WR)
        assert await shake_hands(reader, writer, "/catan", "test") is None
        await writer.drain()
        writer.close()
        await writer.wait_closed()
        answer = ours.recv(1 << 16)
        ours.close()
        return answer

    key = b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
    upgrade = b"Host: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" + key + b"\r\n"
    assert asyncio.run(asked(b"GET /other HTTP/1.1\r\n" + upgrade)).startswith(b"HTTP/1.1 404")
    assert asyncio.run(asked(b"GET /catan HTTP/1.1\r\nHost: x\r\n\r\n")).startswith(b"HTTP/1.1 426")
    assert asyncio.run(asked(b"\x16\x03\x01 no HTTP at all\r\n\r\n")) == b""
    assert asyncio.run(asked(b"GET /catan HTTP/1.1\r\n")) == b""


async def at_tables(hosted: Hosted, tables: int) -> list[asyncio.Task[ClientGame]]:
    """Three of our clients at each of so many tables."""
    playing = []
    for i in range(3 * tables):
        settings = ClientSettings(hosted.urls[i % 2], f"Player {i}", seed=i, returns=60, return_s=0.2)
        playing.append(asyncio.ensure_future(play(settings)))
    for table in range(tables):
        await noted(hosted, f"table {table}: begins")
    return playing


async def noted(hosted: Hosted, what: str) -> None:
    while not any(what in note for note in hosted.notes):
        await asyncio.sleep(0.01)


def worker_of(hosted: Hosted, number: int) -> Any:
    return next(one.worker for one in hosted.server._hosted if one.table.number == number)


def roads_told(played: ClientGame) -> set[int]:
    board = played.client_player.model.board
    assert board is not None
    built = (one.building for one in played.heard if isinstance(one, m.BuildingPlaced))
    return {places_of(board).road(one.at) or 0 for one in built if one.kind == "Straße"}


@pytest.mark.sampled(3, together=True)
@pytest.mark.long
async def test_a_killed_worker_goes_on_and_other_tables_do_not_notice(tmp_path: Path) -> None:
    table = TableSettings(3, out=tmp_path, seed=3, patience_s=600.0, points=8)
    async with hosting(ServerSettings(2, 2, linger_s=0.0, workers=2), table) as hosted:
        playing = await at_tables(hosted, 2)
        first, second = worker_of(hosted, 0), worker_of(hosted, 1)
        assert first is not second
        while len(list((tmp_path / "Catan_0" / ".git" / "refs" / "heads").glob("*"))) < 3:
            await asyncio.sleep(0.01)
        os.kill(first.process.pid, signal.SIGKILL)
        await noted(hosted, "goes on after a restart")
        await hosted.server.done.wait()
        played, notes = await asyncio.gather(*playing), hosted.notes
    assert not any("table 1" in note and "lost" in note for note in notes)
    for number in range(2):
        report = audit(tmp_path / f"Catan_{number}")
        assert report.is_fine
        assert report.history is not None
        last = report.history.actions[-1].state
        assert last.is_over
        clients = [one for one in played if one.client_player.name in report.history.game.names]
        assert len(clients) == 3
        for one in clients:
            assert one.winner is not None, "who was there when the worker was killed has come back"
            told = roads_told(one)
            assert all(roads_taken(last.r) >> point & 1 for point in told), "what was told is logged"


@pytest.mark.sampled(3, together=True)
@pytest.mark.long
async def test_a_game_whose_worker_ends_each_time_is_given_up(tmp_path: Path) -> None:
    table = TableSettings(3, out=tmp_path, seed=3, patience_s=600.0)
    async with hosting(ServerSettings(2, linger_s=0.0, workers=1), table) as hosted:
        silent = [asyncio.ensure_future(play(ClientSettings(hosted.urls[1], f"P{i}", returns=0))) for i in range(3)]
        await noted(hosted, "begins")
        worker = worker_of(hosted, 0)
        for restart in range(4):
            before = worker.process.pid
            os.kill(before, signal.SIGKILL)
            while worker.tables and worker.process.pid == before:
                await asyncio.sleep(0.01)
            while sum("goes on after" in note for note in hosted.notes) <= restart and worker.tables:
                await asyncio.sleep(0.01)
        await asyncio.gather(*silent)
        assert hosted.server.games_over == 1
        troubles, hosted.server.troubles = hosted.server.troubles, []
    assert troubles == ["table 0: given up, its worker has ended 4 times"]


@pytest.mark.sampled(3, together=True)
@pytest.mark.long
async def test_workers_end_with_a_server_that_is_killed(tmp_path: Path) -> None:
    command = ["lmu", "serve", "--listen", "127.0.0.1:0", "--tcp", "127.0.0.1:0", "--tables", "2", "--players", "3"]
    server = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "catan_p2p.cli.main",
        *command,
        "--workers",
        "1",
        "--out",
        str(tmp_path),
        stderr=asyncio.subprocess.PIPE,
    )
    assert server.stderr is not None
    while "tcp://" not in (line := (await server.stderr.readline()).decode()):
        assert line
    url = f"tcp://127.0.0.1:{line.rpartition(':')[2].strip()}"
    clients = [asyncio.ensure_future(play(ClientSettings(url, f"P{i}", returns=0))) for i in range(3)]
    while "begins" not in (await server.stderr.readline()).decode():
        pass
    server.kill()
    await asyncio.gather(*clients)  # their connections end, since their worker does
    await server.communicate()  # so does what it says
    report = audit(tmp_path / "Catan_0")
    assert report.is_fine
