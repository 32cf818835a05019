"""A server that is overrun goes on serving: who says nothing gives way, and no error of the system ends it."""

import errno
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest

from catan_p2p.limits import MAX_UNSERVED_CONNECTIONS
from catan_p2p.log.storage.objects import StoreError
from catan_p2p.log.transport import serve
from catan_p2p.log.transport.git_protocol import GitProtocolRemote
from catan_p2p.log.transport.serve import Address, RepositoryServer, is_same_address, leads_to
from catan_p2p.log.transport.served_connection import start_on
from catan_p2p.log.transport.waiting_visitors import WaitingVisitor, WaitingVisitors, network_of
from tests.attacks.crowd import ASKS, Crowd, is_served, times_served
from tests.for_each import for_each
from tests.replication.tables import git, make_seats

on_linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has all of 127.0.0.0/8")


@pytest.fixture
def seat(tmp_path: Path) -> Path:
    return make_seats(tmp_path)[0]


@on_linux
@pytest.mark.parametrize("addresses", [1, 8, 40])
def test_idle_visitors_who_come_again_keep_nobody_out(seat: Path, addresses: int) -> None:
    assert times_served(seat, addresses, MAX_UNSERVED_CONNECTIONS + 40, b"") >= 10


@pytest.mark.sampled(2)
@pytest.mark.long
@on_linux
@pytest.mark.parametrize("addresses", [8, 100])
def test_visitors_who_ask_and_then_say_nothing_keep_nobody_out(seat: Path, addresses: int) -> None:
    assert times_served(seat, addresses, 300, ASKS) >= 10


def test_refs_that_move_after_they_were_told_are_fetched_as_they_were(seat: Path) -> None:
    with RepositoryServer(seat, "127.0.0.1", 0) as server:
        remote = GitProtocolRemote(server.url)
        heads = remote.heads(["refs/heads/Red_0"])
        old = heads["refs/heads/Red_0"]
        git(seat, "update-ref", "refs/heads/Red_0", git(seat, "commit-tree", f"{old}^{{tree}}", "-p", old, "-m", "new"))
        remote.bring(heads)
        assert remote.read(old)[0] == "commit"
        remote.close()
        again = GitProtocolRemote(server.url)
        assert again.heads(["refs/heads/Red_0"]) != heads
        again.close()


def test_more_refs_than_a_connection_takes_at_once_are_told_as_they_are_read(seat: Path) -> None:
    head = git(seat, "rev-parse", "refs/heads/Red_0")
    many = "".join(f"create refs/heads/kept/{number:0200} {head}\n" for number in range(4000))
    git(seat, "update-ref", "--stdin", data=many.encode())
    git(seat, "pack-refs", "--all")
    with RepositoryServer(seat, "127.0.0.1", 0) as server, socket.socket() as slow:
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        slow.connect(("127.0.0.1", server.port))
        slow.sendall(b"001dgit-upload-pack /\0host=x\0")
        assert is_served(server), "nobody waits for who reads slowly"
        told = b""
        while not told.endswith(b"\n0000"):
            told += slow.recv(1 << 16)
        assert told.count(b"refs/heads/kept/") == 4000


@pytest.mark.parametrize("number", [errno.EMFILE, errno.ENFILE, errno.ECONNABORTED, errno.ENOBUFS, errno.ENOMEM])
def test_no_error_of_accept_ends_the_server(seat: Path, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    told: list[str] = []
    with RepositoryServer(seat, "127.0.0.1", 0, tell=told.append) as server:
        accept, failures = server._socket.accept, iter([True, True, True])

        class Failing:
            def __getattr__(self, name: str) -> object:
                return getattr(listening, name)

            def accept(self) -> object:
                if next(failures, False):
                    raise OSError(number, os.strerror(number))
                return accept()

        listening = server._socket
        monkeypatch.setattr(server, "_socket", Failing())
        assert any(is_served(server) for _ in range(5))
        assert server._thread.is_alive()
    if number == errno.ECONNABORTED:
        assert told == [], "a visitor who has left is no news"
    else:
        assert len(told) == 1 and os.strerror(number) in told[0]


@on_linux
def test_it_runs_out_of_descriptors_and_goes_on(seat: Path) -> None:
    run_out_of_descriptors(seat)


def run_out_of_descriptors(seat: Path) -> None:
    """Let visitors come to a server until the system opens no more for it; somebody honest is served after that."""
    import resource

    told: list[str] = []
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    with RepositoryServer(seat, "127.0.0.1", 0, tell=told.append) as server, Crowd(server, 1, 0) as crowd:
        assert is_served(server)
        free = os.dup(0)
        os.close(free)
        resource.setrlimit(resource.RLIMIT_NOFILE, (free + 20, limits[1]))
        try:
            with suppress(OSError):
                crowd.add(40)
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, limits)
        crowd.leave()
        assert any(is_served(server) for _ in range(5))
        assert server._thread.is_alive()


def test_a_thread_that_cannot_be_started_ends_nothing(seat: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with RepositoryServer(seat, "127.0.0.1", 0) as server:

        def refuse(**_: object) -> None:
            raise RuntimeError("can't start new thread")

        with monkeypatch.context() as patch:
            patch.setattr(serve.threading, "Thread", refuse)
            assert not is_served(server)
        assert is_served(server)


# Who gives way


@pytest.fixture
def line() -> Iterator[WaitingVisitors]:
    unserved = WaitingVisitors(most=6)
    yield unserved
    unserved.close()


def come(line: WaitingVisitors, *addresses: str) -> list[WaitingVisitor | None]:
    """Let visitors come; who gave way each time."""
    gone = [line.admit(WaitingVisitor(socket.socket(), address, 1.0)) for address in addresses]
    for visitor in gone:
        if visitor is not None:
            visitor.connection.close()
    return gone


def test_the_most_crowded_address_gives_way(line: WaitingVisitors) -> None:
    assert come(line, "10.0.0.1", "10.0.0.2", "10.0.0.2", "10.0.0.2", "192.0.2.7", "192.0.2.7") == [None] * 6
    (gone,) = come(line, "203.0.113.9")
    assert gone is not None and gone.address == "10.0.0.2"
    assert len(line) == 6


def test_the_most_crowded_network_gives_way(line: WaitingVisitors) -> None:
    come(line, *(f"2001:db8::{number:x}" for number in range(4)), "192.0.2.7", "192.0.2.7")
    (gone,) = come(line, "203.0.113.9")
    assert gone is not None and gone.network == "2001:db8::"


def test_networks_are_24_and_64_bits() -> None:
    assert network_of("192.0.2.77") == network_of("192.0.2.1") != network_of("192.0.3.77")
    assert network_of("2001:db8::1") == network_of("2001:db8::ffff") != network_of("2001:db8:0:1::1")
    assert network_of("::ffff:192.0.2.77") == network_of("192.0.2.1")
    assert network_of("fe80::1%eth0") == network_of("fe80::2")
    assert network_of("no address") == "no address"


def test_who_gives_way_is_drawn(line: WaitingVisitors) -> None:
    gone = come(line, *["10.0.0.1"] * 60)[6:]
    first = [visitor for visitor in gone if visitor is not None]
    assert len(first) == 54
    assert len({id(visitor) for visitor in first}) == 54


def test_a_request_is_read_however_it_is_cut() -> None:
    request = b"0014git-upload-pack "
    for cut in range(len(request)):
        ours, theirs = socket.socketpair()
        with ours, theirs:
            ours.setblocking(False)
            visitor = WaitingVisitor(ours, "192.0.2.1", 1.0)
            theirs.sendall(request[:cut])
            assert visitor.read() is None
            theirs.sendall(request[cut:] + b"more")
            assert visitor.read() == b"git-upload-pack "
            assert ours.recv(9) == b"more", "what follows is Git's"


@for_each("said", [b"0000", b"ffff", b"GET ", b"0004"])
def test_what_is_no_request_is_read_as_none(said: bytes) -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.setblocking(False)
        theirs.sendall(said)
        assert WaitingVisitor(ours, "192.0.2.1", 1.0).read() == b""


def test_who_leaves_is_noticed() -> None:
    ours, theirs = socket.socketpair()
    with ours:
        ours.setblocking(False)
        theirs.sendall(b"00")
        theirs.close()
        with pytest.raises(ConnectionResetError):
            WaitingVisitor(ours, "192.0.2.1", 1.0).read()


@pytest.mark.parametrize(
    "one, other, is_same",
    [
        ("127.0.0.1", "127.1", True),
        ("127.0.0.1", "0x7f.0.0.1", True),
        ("127.0.0.1", "2130706433", True),
        ("127.0.0.1", "::ffff:127.0.0.1", True),
        ("::1", "0:0:0:0:0:0:0:1", True),
        ("Host.example", "host.example.", True),
        ("127.0.0.1", "127.0.0.2", False),
        ("::1", "127.0.0.1", False),
        ("host.example", "other.example", False),
    ],
)
def test_an_address_is_one_however_it_is_spelt(one: str, other: str, is_same: bool) -> None:
    assert is_same_address((one, 9418), (other, 9418)) == is_same
    assert not is_same_address((one, 9418), (other, 9419))


@pytest.mark.parametrize(
    "address, listening, leads",
    [
        (("127.0.0.1", 7), ("0.0.0.0", 7), True),
        (("0.0.0.0", 7), ("127.0.0.1", 7), True),
        (("localhost", 7), ("127.0.0.1", 7), True),
        (("127.0.0.1", 8), ("0.0.0.0", 7), False),
        (("192.0.2.1", 7), ("0.0.0.0", 7), False),
        (("127.0.0.2", 7), ("127.0.0.1", 7), False),
    ],
)
def test_what_leads_to_where_somebody_listens(address: Address, listening: Address, leads: bool) -> None:
    assert leads_to(address, listening) == leads


def test_it_closes_while_visitors_wait(seat: Path) -> None:
    with RepositoryServer(seat, "127.0.0.1", 0) as server, socket.create_connection(("127.0.0.1", server.port)) as idle:
        server.close()
        idle.settimeout(30)
        with suppress(ConnectionResetError):
            assert idle.recv(1) == b""
        with pytest.raises(StoreError):
            GitProtocolRemote(server.url).heads(["refs/heads/Red_0"])


def test_git_is_served_through_pipes_where_a_socket_is_no_standard_input(
    seat: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serve, "start_on", partial(start_on, piped=True))
    with RepositoryServer(seat, "127.0.0.1", 0) as server:
        url = f"git://127.0.0.1:{server.port}/"
        subprocess.run(["git", "clone", "--quiet", "--bare", url, tmp_path / "clone"], check=True)
        listed = subprocess.run(["git", "ls-remote", url], check=True, capture_output=True, text=True).stdout
    there = subprocess.run(["git", "-C", tmp_path / "clone", "show-ref"], check=True, capture_output=True, text=True)
    assert there.stdout.splitlines()
    assert {line.split()[0] for line in there.stdout.splitlines()} <= {line.split()[0] for line in listed.splitlines()}
