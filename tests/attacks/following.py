"""Those who follow a server that tells what moves, and servers that tell what they like."""

import os
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import partial
from itertools import count, cycle
from pathlib import Path
from queue import Empty, SimpleQueue
from time import monotonic

from catan_p2p.game.actions import RollDice
from catan_p2p.game.rules import apply
from catan_p2p.limits import (
    MAX_FOLLOWED_FOLDERS,
    MAX_FOLLOWERS,
    MAX_FOLLOWERS_OF_ADDRESS,
    MAX_UNTOLD_BYTES,
    MAX_WORKER_MEMORY_BYTES,
)
from catan_p2p.log.refs import HEADS
from catan_p2p.log.storage.objects import ObjectId, object_id
from catan_p2p.log.transport.follower import FollowedRemote
from catan_p2p.log.transport.following import FOLLOW, SIGN_OF_LIFE_S, SILENT_S, RefMoves, follow_request
from catan_p2p.log.transport.queries import AsyncRemote
from catan_p2p.log.transport.ref_listing import FLUSH
from catan_p2p.log.transport.serve import RepositoryServer
from tests.attacks import crowd
from tests.attacks.crowd import Crowd
from tests.attacks.listening import visits
from tests.attacks.registry import attack, put
from tests.attacks.streams import Say, talking
from tests.attacks.table import ENOUGH_S, deal
from tests.log.transport.hostile_daemon import HEAD
from tests.replication.tables import git, neighbour, open_replica, refused, use_remote, write_object
from tests.virtual_time import VirtualTime

RED, NEWS = "refs/heads/Red_0", "refs/heads/news"
GREEN = "refs/heads/Green_0"
TOLD = "looks are answered, and honest followers told"
AS_BEFORE = "it is looked at as before; the peer plays on with the others"
FOLLOWS = follow_request((HEADS,))
TOLD_S = 10.0
"""So long an honest follower waits to be told, on however busy a machine."""
WATCHED_S = 3.0
"""So long a peer is watched while it is told much."""


# Those who follow

_NUMBERS = count()


def _publish(server: RepositoryServer, red: Path) -> ObjectId:
    """Let something move in a repository, and say so."""
    head = git(red, "commit-tree", f"{RED}^{{tree}}", "-p", RED, "-m", f"news {next(_NUMBERS)}")
    git(red, "update-ref", NEWS, head)
    server.published()
    return ObjectId(head)


def is_told(server: RepositoryServer, red: Path) -> bool:
    """Whether an honest follower is let in, and told at once what moves."""
    said: SimpleQueue[bool] = SimpleQueue()
    remote = FollowedRemote(server.url, said.put)
    with closing(remote), suppress(Empty):
        remote.follow((HEADS,))
        if said.get(timeout=TOLD_S):
            remote.heads((NEWS,))
            head = _publish(server, red)
            return said.get(timeout=TOLD_S) and remote.heads((NEWS,)) == {NEWS: head}
    return False


def _all_are_served(folder: Path, addresses: int, many: int, says: bytes, times: int) -> None:
    """So many visitors who say something, and come again when they are shown the door; others get on meanwhile."""
    red = deal(folder) / "Red"
    with RepositoryServer(red, "127.0.0.1", 0) as server, Crowd(server, addresses, many, says) as visitors:
        looked = told = 0
        for _ in range(times):
            visitors.refill()
            looked += crowd.is_served(server)
            told += is_told(server, red)
            assert len(server._followers) <= MAX_FOLLOWERS
        assert min(looked, told) >= times / 2, f"{looked} looks and {told} follows of {times}"


_QUIET = "that follow and then say nothing, again and again"
for _name, _what, _addresses, _many, _says in (
    # Without MAX_FOLLOWERS_OF_ADDRESS, one address takes all places.
    ("followers_from_one_address", f"from one address {_QUIET}", 1, 300, b""),
    # With a door that is shut when all places are taken, nobody honest is told.
    (
        "followers_from_many_addresses",
        "from 100 addresses that follow and then say nothing, again and again",
        100,
        400,
        b"",
    ),
    ("followers_that_talk", "that follow and then send what nobody has asked for", 8, 200, FLUSH * 200),
    ("half_requests_to_follow", "with half a request to follow", 8, 200, None),
):
    _said = FOLLOWS[:-3] if _says is None else FOLLOWS + _says
    _run = partial(_all_are_served, addresses=_addresses, many=_many, says=_said, times=20)
    put(_name, f"{_many} connections {_what}", TOLD, _run, tries=20)


# Without the bound it is told once for each folder where everything is.
@attack("requests to follow more folders or games than one may, or what is no folder", "no such repository", tries=4)
def too_many_folders(folder: Path) -> None:
    red = deal(folder) / "Red"
    with RepositoryServer(red, "127.0.0.1", 0) as server:
        for folders in (
            [HEADS] * (MAX_FOLLOWED_FOLDERS + 1),
            [f"refs/heads/*_{number}" for number in range(200)],
            ["/etc/", HEADS],
            ["../refs/heads/"],
        ):
            with visits(server, 1, follow_request(folders)) as (visitor,):
                visitor.settimeout(TOLD_S)
                assert visitor.recv(4096) in (b"", b"001aERR no such repository"), folders
        assert len(server._followers) == 0
        assert crowd.is_served(server) and is_told(server, red)


# Without SILENT_S they stay for ever: a connection whose other end is gone says nothing.
@attack(
    "half-open connections that follow", "let go after 12 s without a sign of life", tries=2 * MAX_FOLLOWERS_OF_ADDRESS
)
def half_open_followers(folder: Path) -> None:
    red, time = deal(folder) / "Red", VirtualTime()
    with (
        RepositoryServer(red, "127.0.0.1", 0, time=time) as server,
        Crowd(server, 2, 2 * MAX_FOLLOWERS_OF_ADDRESS, FOLLOWS),
    ):
        _wait(lambda: len(server._followers) == 2 * MAX_FOLLOWERS_OF_ADDRESS)
        for _ in range(int(SILENT_S / SIGN_OF_LIFE_S) + 1):
            time.now += SIGN_OF_LIFE_S
            assert is_told(server, red)
        _wait(lambda: len(server._followers) == 0)


def _wait(until: Callable[[], bool]) -> None:
    begin = monotonic()
    while not until():
        assert monotonic() < begin + TOLD_S
        threading.Event().wait(0.01)


# Without MAX_UNTOLD_BYTES all that was not read is kept for each of them.
@attack(
    "followers that do not read while 700 KB move again and again",
    "cut off once 512 KiB wait; others are told",
    tries=16,
)
def slow_followers(folder: Path) -> None:
    red = deal(folder) / "Red"
    head, other = git(red, "rev-parse", RED, f"{RED}^").split()
    names = [f"refs/heads/kept/{number:0200}" for number in range(2500)]
    with RepositoryServer(red, "127.0.0.1", 0) as server, visits(server, 16, FOLLOWS):
        _wait(lambda: len(server._followers) == 16)
        for _ in range(30):
            git(red, "update-ref", "--stdin", data="".join(f"update {name} {head}\n" for name in names).encode())
            git(red, "pack-refs", "--all")
            head, other = other, head
            assert is_told(server, red) and crowd.is_served(server)
            assert sum(len(one._waiting) for one in server._followers) <= 17 * MAX_UNTOLD_BYTES
            if len(server._followers) <= 1:
                break
        assert len(server._followers) <= 1


# Servers that tell what they like


@contextmanager
def telling(seat: Path, say: Say) -> Iterator[str]:
    """The URL of a server that serves a repository to those who look, and says something to those who follow."""
    kept: list[socket.socket] = []
    with RepositoryServer(seat, "127.0.0.1", 0) as server:

        def talk(visitor: socket.socket) -> None:
            said = visitor.recv(1 << 16)
            if FOLLOW in said:
                say(visitor)
                visitor.recv(1)
                return
            with socket.create_connection((server.host, server.port)) as honest:
                kept.append(honest)
                honest.sendall(said)
                threading.Thread(target=_pass_on, args=(visitor, honest), daemon=True).start()
                _pass_on(honest, visitor)

        with talking(talk, kept) as url:
            yield url


def _pass_on(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(1 << 16):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)


def _plays_on(folder: Path, say: Say) -> int:
    """Let Green's server say something to Blue, who follows it, while Red acts; how often Blue looks at Green then.

    Blue hears Red, has no trouble with Green's repository, and neither it nor its worker grows.
    """
    deal(folder)
    with telling(folder / "Green", say) as url:
        use_remote(folder / "Blue", "Green", url)
        with open_replica(folder / "Blue") as blue, open_replica(folder / "Red", alone=True) as red:
            green = neighbour(blue, "Green")
            begin = monotonic()
            while green.looks < 3 or monotonic() < begin + 0.5:
                blue.synchronize(answer_s=0.05)
                blue.wait(0.02)
                assert monotonic() < begin + ENOUGH_S, green.trouble
            size, before, begin = _own_bytes(), green.looks, monotonic()
            red.act()
            red.store.publish()
            while blue.graph.head != red.graph.head or monotonic() < begin + WATCHED_S:
                blue.synchronize(answer_s=0.05)
                blue.wait(0.2)
                assert monotonic() < begin + ENOUGH_S, "Red is not heard"
            assert _own_bytes() - size < 64 << 20
            looks = green.looks - before
            _check_worker(green.remote)
    return looks


def _own_bytes() -> int:
    """What this process has taken at most."""
    if os.name != "posix":
        return 0
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _check_worker(remote: AsyncRemote) -> None:
    """Check that the process that reads a remote has not taken much; where the system tells that of a process."""
    process = remote._process  # type: ignore[attr-defined]
    status = Path(f"/proc/{process._process.pid}/status" if process is not None else "/proc/none")
    if status.exists():
        peak = int(status.read_text().partition("VmHWM:")[2].split()[0]) << 10
        assert peak < MAX_WORKER_MEMORY_BYTES // 2, f"{peak >> 20} MiB"


def _packet(data: bytes) -> bytes:
    return b"%04x" % (len(data) + 4) + data


@attack("a server that answers followers with garbage", AS_BEFORE, tries=4)
def garbage_told(folder: Path) -> None:
    says = cycle([b"GET / HTTP/1.1\r\n\r\n", b"ffff" + bytes(65531), b"\xff" * 99, _packet(b"ref nothing")])
    _plays_on(folder, lambda connection: connection.sendall(next(says)))


@attack("a server that lets followers in and says nothing", AS_BEFORE)
def nothing_told(folder: Path) -> None:
    _plays_on(folder, lambda connection: threading.Event().wait(ENOUGH_S) and None)


@attack("a server that says half a message", AS_BEFORE)
def half_told(folder: Path) -> None:
    _plays_on(folder, lambda connection: connection.sendall(FLUSH + _packet(f"ref {HEAD} {GREEN}".encode())[:-9]))


def _endless(*blocks: Callable[[int], bytes]) -> Say:
    """Says the first block once, then the others in turns, as fast as they are heard."""
    first, *others = blocks

    def say(connection: socket.socket) -> None:
        connection.sendall(first(0))
        for number in count():
            connection.sendall(b"".join(block(number) for block in others))

    return say


def _start(_: int) -> bytes:
    return FLUSH


@attack("a server that tells endless signs of life, refs or commits", "heard slowly; " + AS_BEFORE, tries=4)
def endless_tellings(folder: Path) -> None:
    sign = FLUSH * (1 << 12)
    ref = _packet(f"ref {HEAD} {GREEN}".encode()) * (1 << 8)
    for number, say in enumerate(
        (
            _endless(_start, lambda _: sign),
            _endless(_start, lambda _: ref),
            _endless(_start, lambda n: _packet(b"commit %d" % n) * 9),
            _endless(_start, lambda n: _packet(b"commit " + b"%060000d" % n)),
        )
    ):
        _plays_on(folder / str(number), say)


def _junk(number: int) -> bytes:
    data = b"tree %040x\n\nnumber %d" % (number, number)
    return RefMoves({GREEN: object_id("commit", data)}, [data]).encode()


@attack("a server that moves its log to new junk as fast as it is heard", "looked at ever more rarely")
def flood_of_news(folder: Path) -> None:
    looks = _plays_on(folder, _endless(_start, _junk))
    assert looks < 40, f"{looks} looks"


# If every message counted as news, each would be a look.
@attack("a server that tells the same old moves again and again", "no news")
def old_messages(folder: Path) -> None:
    old = deal(folder / "game") / "Green"
    head = ObjectId(git(old, "rev-parse", GREEN))
    said = RefMoves({GREEN: head}, [git_commit(old, head)]).encode()
    looks = _plays_on(folder / "table", _endless(lambda _: said, lambda _: said * 99))
    assert looks < 8, f"{looks} looks"


def git_commit(repository: Path, head: ObjectId) -> bytes:
    """The bytes of a commit."""
    import subprocess

    return subprocess.run(
        ["git", "-C", str(repository), "cat-file", "commit", head], capture_output=True, check=True
    ).stdout


@attack(
    "a server that tells a fork of its log, this side and that in turns", "found out; nobody honest is charged", tries=3
)
def forks_told(folder: Path) -> None:
    deal(folder)
    with open_replica(folder / "Red", alone=True) as red:
        sides = []
        for dice in (5, 9, 10):
            action = RollDice(1, dice)
            step = red.graph.write(
                action,
                apply(red.graph.state, action),
                1735690000,
                lambda kind, data: write_object(folder / "Red", kind, data),
            )
            sides.append(RefMoves({RED: step.commit}, [git_commit(folder / "Red", step.commit)]).encode())
    with telling(folder / "Red", _endless(_start, lambda n: sides[n % len(sides)])) as url:
        for colour in ("Blue", "Green"):
            use_remote(folder / colour, "Red", url)
        with ExitStack() as stack:
            others = [stack.enter_context(open_replica(folder / colour)) for colour in ("Blue", "Green")]
            begin = monotonic()
            while not all("fork" in refused(other, "Red") for other in others) or monotonic() < begin + WATCHED_S:
                for other in others:
                    other.synchronize(answer_s=0.05)
                    other.store.publish()
                    other.wait(0.02)
                assert monotonic() < begin + ENOUGH_S, "nobody sees the fork"
            assert neighbour(others[0], "Red").looks < 60
            _check_worker(neighbour(others[0], "Red").remote)
