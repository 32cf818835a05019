"""Visitors of a peer that serves its repository with ``--listen``.

They come from another address of this machine than the honest visitor, where the system has one.
"""

import asyncio
import io
import socket
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, redirect_stdout, suppress
from pathlib import Path

from catan_p2p.limits import MAX_CONNECTIONS_OF_ADDRESS, MAX_SERVING_PROCESSES, MAX_UNSERVED_CONNECTIONS
from catan_p2p.lmu.server import ServerSettings
from catan_p2p.log.transport.git_protocol import GitProtocolRemote
from catan_p2p.log.transport.remote import RemoteUnreachable
from catan_p2p.log.transport.serve import RepositoryServer
from tests.attacks.crowd import ASKS, RED, Crowd, is_served, times_served
from tests.attacks.registry import attack
from tests.attacks.table import deal
from tests.lmu.scenes import RawClient, server_of
from tests.log.transport.test_serve import run_out_of_descriptors

SERVED = "served"
ELSEWHERE = "127.0.0.2"
HELLO = b'{"Hallo":{"Version":"Test"}}\n'


def visits(server: RepositoryServer, count: int, says: bytes) -> AbstractContextManager[list[socket.socket]]:
    """So many connections to a server that say something and then neither read nor write."""
    return visits_at(server.port, count, says, server.host)


@contextmanager
def visits_at(port: int, count: int, says: bytes, host: str = "127.0.0.1") -> Iterator[list[socket.socket]]:
    """The same to whoever listens there."""
    with ExitStack() as stack:
        found = []
        for _ in range(count):
            visitor = stack.enter_context(socket.socket())
            visitor.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            visitor.bind((ELSEWHERE, 0))
            visitor.connect((host, port))
            with suppress(OSError):  # it may have been shown the door
                visitor.sendall(says)
            found.append(visitor)
        yield found


# Where they counted as served, 16 of 36 honest looks were.
@attack("300 connections from 100 addresses that ask and then say nothing, again and again", SERVED, tries=36)
def asking_and_silent(folder: Path) -> None:
    served = times_served(deal(folder) / "Red", 100, 300, ASKS, looks=36)
    assert served >= 18, f"{served} of 36"


# If nobody gave way, the door would be shut for everybody.
@attack("136 silent connections at a time", SERVED, tries=136)
def idle_connections(folder: Path) -> None:
    with (
        RepositoryServer(deal(folder) / "Red", "127.0.0.1", 0) as server,
        visits(server, MAX_UNSERVED_CONNECTIONS + 8, b""),
    ):
        assert is_served(server)


# With 128 places for all and 32 for each address, 0 of 57 honest looks were served.
@attack("168 silent connections from 8 addresses, again and again", SERVED, tries=20)
def idle_and_back(folder: Path) -> None:
    served = times_served(deal(folder) / "Red", 8, MAX_UNSERVED_CONNECTIONS + 40, b"")
    assert served >= 10, f"{served} of 20"


@attack("10,000 silent connections from 100 addresses, again and again", SERVED, tries=20, is_long=True)
def idle_thousands(folder: Path) -> None:
    import resource

    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (limits[1], limits[1]))
    count = min(10_000, limits[1] - 1000)
    over = threading.Event()
    try:
        with RepositoryServer(deal(folder) / "Red", "127.0.0.1", 0) as server, Crowd(server, 100, count) as visitors:

            def come_again() -> None:
                while not over.is_set():
                    visitors.refill()

            others = threading.Thread(target=come_again)
            others.start()
            served = sum(is_served(server) for _ in range(20))
            over.set()
            others.join()
        assert served >= 10, f"{served} of 20"
    finally:
        over.set()
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)


# Without _PAUSE_S and the errors that accept survives, the thread that accepts is gone, and nobody is told.
@attack("connections until no file descriptor is left", "reported; served afterwards")
def out_of_descriptors(folder: Path) -> None:
    run_out_of_descriptors(deal(folder) / "Red")


@attack("connections that send half a request or less", SERVED, tries=40)
def half_requests(folder: Path) -> None:
    with (
        RepositoryServer(deal(folder) / "Red", "127.0.0.1", 0) as server,
        visits(server, MAX_CONNECTIONS_OF_ADDRESS + 8, b"00"),
    ):
        assert is_served(server)


@attack(
    "readers that do not read the answer, fewer than there are places",
    SERVED,
    tries=MAX_SERVING_PROCESSES - 1,
)
def slow_readers(folder: Path) -> None:
    with RepositoryServer(deal(folder) / "Red", "127.0.0.1", 0) as server:
        remote = GitProtocolRemote(server.url)
        head = remote.heads([RED])[RED]
        remote.close()
        want = f"want {head}\n".encode()
        asks = ASKS + b"%04x" % (len(want) + 4) + want + b"0000" + b"0009done\n"
        with visits(server, MAX_SERVING_PROCESSES - 1, asks):
            assert is_served(server)


@attack("requests for paths below `.git/`, or elsewhere", "no such repository")
def paths_below(folder: Path) -> None:
    red = deal(folder) / "Red"
    hidden = red / ".git" / "catan-p2p" / "incoming"
    hidden.mkdir(parents=True, exist_ok=True)
    for name in ("HEAD", "objects", "refs"):
        source = red / ".git" / name
        (hidden / name).symlink_to(source)
    with RepositoryServer(red, "127.0.0.1", 0) as server:
        for path in ("/catan-p2p/incoming", "/.git", "/../Red", "//", "/./", str(folder / "Blue")):
            remote = GitProtocolRemote(server.url + path.lstrip("/") if path != "//" else server.url + "/")
            try:
                remote.heads([RED])
                raise AssertionError(f"{path} is served")
            except RemoteUnreachable as error:
                assert "no such repository" in str(error), error
        assert is_served(server)


@attack("other services, no length, 64 KiB", "no such repository, or disconnected")
def garbage_requests(folder: Path) -> None:
    with RepositoryServer(deal(folder) / "Red", "127.0.0.1", 0) as server:
        for says in (
            b"0032git-receive-pack /\0host=a\0",
            b"GET / HTTP/1.1\r\n\r\n",
            b"ffff" + bytes(65531),
            b"0000",
            b"\xff" * 99,
        ):
            with visits(server, 1, says) as (visitor,):
                visitor.settimeout(240)
                with suppress(ConnectionResetError):
                    assert visitor.recv(4096) in (b"", b"001aERR no such repository"), says
        assert is_served(server)


# With Strangers that let nobody go, or a token compared as text, these come through.
@attack(
    "`lmu serve`: 200 silent connections and 20 that take every seat, from one address",
    "a player from elsewhere gets a seat; a lost player gets the old one back",
    tries=220,
)
def lmu_full_from_one_address(folder: Path) -> None:
    async def full() -> None:
        settings = ServerSettings(tables=2, linger_s=0.0, max_connections=64)
        async with server_of(settings, players=3) as (server, port, tcp, games):
            seats = []
            for number, colour in enumerate(("Rot", "Blau", "Weiß")):
                seats.append(await RawClient.at(tcp, tcp=True))
                await seats[-1].next()
                await seats[-1].send({"Hallo": {"Version": "Test"}})
                welcome = (await seats[-1].next())["Willkommen"]
                await seats[-1].fine("Spieler", {"Name": f"Player {number}", "Farbe": colour})
            for client in seats:
                await client.fine("Spiel starten")
            await seats[2].close()
            with ExitStack() as crowd:
                for place, count, says in ((port, 100, b""), (tcp, 100, b""), (tcp, 20, HELLO)):
                    await asyncio.to_thread(crowd.enter_context, visits_at(place, count, says))
                while len(server._hosted) < 2 or server._hosted[1].table.is_open:
                    await asyncio.sleep(0.01)
                guest, back = await RawClient.at(port), await RawClient.at(tcp, tcp=True)
                for client, token in ((guest, "Zürich"), (back, welcome["Token"])):
                    assert "Hallo" in await client.next()
                    await client.send({"Hallo": {"Version": "Test", "Name": "Player 2", "Token": token}})
                assert (await back.next())["Willkommen"] == welcome
                assert (await guest.next())["Willkommen"]["id"] != welcome["id"]
                assert len(server._hosted[1].table.members) == 3
            assert len(games) == 1

    with redirect_stdout(io.StringIO()):
        asyncio.run(full())
