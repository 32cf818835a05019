"""Neighbours behind a URL who send without end, or nothing at all.

The peer speaks the protocol itself; ``http://`` and ``ssh://`` to servers of old share the code that runs Git.
"""

import socket
import threading
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from hashlib import sha1
from pathlib import Path

from catan_p2p.game.rules import awaited
from catan_p2p.log.transport.worker_remote import WorkerRemote
from tests.attacks.registry import attack, put
from tests.attacks.table import BOUND_S, SLOW, deal, play_goes_on
from tests.log.transport.hostile_daemon import HEAD, line
from tests.log.transport.packs import SCHEMES, on_disk, served, with_a_large_pack
from tests.replication.tables import git, neighbour, open_replica, use_remote
from tests.replication.test_junk_chains import grow

REASONS = ("format", "game", "author", "tree")
AVOIDED = "avoided"
NOTHING_STAYS = "nothing stays on disk, avoided"
ENDLESS = 1 << 40
GREEN = line(f"{HEAD} refs/heads/Green_0\0ofs-delta\n") + b"0000"
Say = Callable[[socket.socket], None]
HTTP = b"HTTP/1.1 200 OK\r\nContent-Type: application/x-git-upload-pack-advertisement\r\n\r\n"


def _say(connection: socket.socket, data: bytes, times: int = ENDLESS) -> None:
    block = data * max(1, (1 << 16) // len(data)) if times == ENDLESS else data
    for _ in range(times):
        connection.sendall(block)


@contextmanager
def talking(talk: Say, kept: list[socket.socket], scheme: str = "git") -> Iterator[str]:
    """The URL of a server that talks with each visitor in a thread; in the end all ``kept`` sockets are shut."""
    listening = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        while True:
            try:
                connection, _ = listening.accept()
            except OSError:
                return
            kept.append(connection)
            threading.Thread(target=leave_after, args=(connection,), daemon=True).start()

    def leave_after(connection: socket.socket) -> None:
        with connection, suppress(OSError):
            talk(connection)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield f"{scheme}://127.0.0.1:{listening.getsockname()[1]}/"
    finally:
        with suppress(OSError):
            listening.shutdown(socket.SHUT_RDWR)
        listening.close()
        thread.join()
        for connection in kept:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)


@contextmanager
def daemon(*says: Say, scheme: str = "git") -> Iterator[str]:
    """The URL of a server that hears something before each thing that it says."""

    def talk(connection: socket.socket) -> None:
        for say in says:
            connection.recv(1 << 16)
            say(connection)

    with talking(talk, [], scheme) as url:
        yield url


def _listing(connection: socket.socket) -> None:
    connection.sendall(GREEN)


def _pack(count: int, data: bytes, times: int = 1) -> Say:
    def say(connection: socket.socket) -> None:
        connection.sendall(line("NAK\n") + b"PACK" + (2).to_bytes(4, "big") + count.to_bytes(4, "big"))
        _say(connection, data, times)

    return say


def _hear(folder: Path, says: Sequence[Say], hears: str, scheme: str) -> None:
    with daemon(*says, scheme=scheme) as url:
        play_goes_on(deal(folder), url, hears=hears)


def sent(name: str, what: str, expected: str, hears: str, *says: Say, scheme: str = "git") -> None:
    put(name, f"`{scheme}://`: {what}", expected, partial(_hear, says=says, hears=hears, scheme=scheme))


def _again(data: bytes) -> Say:
    return lambda connection: _say(connection, data)


def _drip(connection: socket.socket) -> None:
    while not threading.Event().wait(0.2):
        connection.sendall(b"f")


def _four_million(connection: socket.socket) -> None:
    entry = b"\x34" + zlib.compress(b"four")
    pack = (b"PACK" + (2).to_bytes(4, "big") + (4_000_000).to_bytes(4, "big") + entry * 4_000_000)[: 60 << 20]
    connection.sendall(line("NAK\n") + pack + sha1(pack).digest())


def _refs_over_http(connection: socket.socket) -> None:
    connection.sendall(HTTP + line("# service=git-upload-pack\n") + b"0000")
    _say(connection, line(f"{HEAD} refs/heads/x\n"))


def _silence(connection: socket.socket) -> None:
    threading.Event().wait(BOUND_S * 20)


# Without the lengths of lines in the size of the listing it goes on for ever.
sent("endless_empty_lines", "endless empty lines (`0004`) for refs", AVOIDED, "lists more than", _again(b"0004"))
_refs = _again(line(f"{HEAD} refs/heads/x\n"))
sent("endless_refs", "endless refs", AVOIDED, "lists more than", _refs)
for _word, _said in (("NAK", line("NAK\n")), ("ACK", line(f"ACK {HEAD}\n"))):
    _hears = "sends acknowledgements without end"
    sent(f"endless_{_word.lower()}", f"endless `{_word}`", AVOIDED, _hears, _listing, _again(_said))
sent("many_objects", "4 million objects of four bytes", "refused as too large", "too much", _listing, _four_million)
sent("endless_pack", "an endless pack", "refused as too large", "too much", _listing, _pack(1, bytes(1 << 16), ENDLESS))
sent("silent_daemon", "a silent connection", AVOIDED, SLOW, _silence)
sent("slow_daemon", "a byte now and then", AVOIDED, SLOW, _drip)
# Without RLIMIT_AS Git takes 6 GB in 14 seconds.
sent("endless_http", "endless refs", AVOIDED, "", _refs_over_http, scheme="http")
sent("silent_http", "a silent connection", AVOIDED, SLOW, _silence, scheme="http")


# Without _MAX_SHIFT the number grows and grows.
@attack("`git://`: an object size of a megabyte of 0xff", "refused as malformed, avoided")
def endless_size(folder: Path) -> None:
    pack = b"PACK" + (2).to_bytes(4, "big") + (1).to_bytes(4, "big") + b"\xff" * (1 << 20)
    pack += sha1(pack).digest()
    with daemon(_listing, lambda connection: connection.sendall(line("NAK\n") + pack)) as url:
        green = play_goes_on(deal(folder), url, hears="none of which belong to the game")
    assert {bad.reason for bad in green.rejected.values()} == {"format"}


JUNK_COMMITS = 6000


def junk_chain(repository: Path, ref: str, count: int, word: str) -> None:
    """Let a ref lead to a chain of commits that are none of a game."""
    lines = []
    for number in range(1, count + 1):
        lines += [f"commit {ref}", f"committer A <a@b> {number} +0000", f"data {len(word) + 200}", word + "x" * 200]
        if number == 1:
            lines.append("deleteall")
    git(repository, "fast-import", "--quiet", "--force", data="\n".join(lines).encode() + b"\n")


# Without Costly each look reads them all, ten times a second, and refuses them.
@attack("chains of 6,000 unrelated commits, new ones each time", "refused, looked for ever more rarely")
def junk_chains(folder: Path) -> None:
    table = deal(folder)
    green = table / "Green"
    junk_chain(green, "refs/heads/Green_0", JUNK_COMMITS, "first")
    neighbour = play_goes_on(table, str(green), hears="none of which belong to the game")
    assert neighbour.backoff.wait_s >= 1.0
    with open_replica(table / "Blue") as blue:
        again = next(one for one in blue.neighbours if one.colour == "Green")
        waits = []
        for number in range(3):
            junk_chain(green, "refs/heads/Green_0", JUNK_COMMITS, f"number {number}")
            again.backoff._next = 0.0
            while again.look is not None or again.is_due:
                blue.synchronize(answer_s=0.05)
            waits.append(again.backoff.wait_s)
        assert waits == [1.0, 2.0, 4.0]


# Without Intake.refused_for_good each look judges the first commit again, and reads all of the chain.
@attack(
    "a refused chain that grows by one commit a look: 8 looks, 4 reasons, 3 transports",
    "one commit judged in all, one read a look",
    times=1,
    tries=12,
)
def junk_that_grows(folder: Path) -> None:
    for reason in REASONS:
        for transport in ("path", "git", "fetch"):
            grow(deal(folder / f"{reason}-{transport}"), reason, transport)


def _large(folder: Path, hears: str, *, size: int = 1 << 20, stalls: bool = False, cuts: bool = True) -> None:
    """Let Green show a large pack, and cut it or say nothing more: nothing of it stays with Blue."""
    for scheme in SCHEMES:
        theirs, _ = with_a_large_pack(folder / f"{scheme}-server" / "theirs", size, "refs/heads/Green_0")
        for speaks_2 in (True, False):  # by the peer's own client, and by Git
            table = deal(folder / f"{scheme}-{speaks_2}")
            cuts_after = size // 2 if cuts else None
            with served(scheme, theirs, speaks_2=speaks_2, cuts_after=cuts_after, stalls=stalls) as url:
                play_goes_on(table, url, hears=hears)
            assert on_disk(table / "Blue" / ".git" / "catan-p2p" / "incoming") == 0


# Without Quarantine.clear 1.5 GB stay in two minutes: Git removes no pack that it has not finished.
@attack("`http://`, `ssh://`: a pack cut in the middle", NOTHING_STAYS, tries=4)
def cut_packs(folder: Path) -> None:
    _large(folder, "")


@attack("`http://`, `ssh://`: a pack that stalls", NOTHING_STAYS, tries=4)
def stalled_packs(folder: Path) -> None:
    _large(folder, SLOW, stalls=True)


@attack("`http://`, `ssh://`: a pack of 80 MB", NOTHING_STAYS, tries=4, is_long=True)
def large_packs(folder: Path) -> None:
    _large(folder, "too much", size=80 << 20, cuts=False)


# With looks one after the other, as it was, the first look at Green stops all others: 3 actions in 150 seconds.
@attack("a silent URL while the others play", "the others' actions arrive at once")
def silence_slows_nobody(folder: Path) -> None:
    deal(folder)
    with daemon(lambda connection: threading.Event().wait(300) and None) as url:
        for colour in ("Red", "Blue"):
            use_remote(folder / colour, "Green", url)
        with open_replica(folder / "Blue", alone=True) as blue, open_replica(folder / "Red", alone=True) as red:
            taken = 0
            for _ in range(1000):
                for replica in (red, blue):
                    taken += replica.synchronize(answer_s=0.05)
                    replica.act()
                    replica.store.publish()
                    replica.wait(0.02)
                if all(3 in awaited(replica.graph.state) for replica in (red, blue)):
                    break
            assert red.graph.head == blue.graph.head
            assert 3 in awaited(red.graph.state), "the others have not played until it is Green's move"
            assert taken > 0
            for replica in (red, blue):
                replica.wait(0.05)
                green = neighbour(replica, "Green")
                assert isinstance(green.remote, WorkerRemote)
                assert green.looks == 1, "Green is asked once, and not waited for"
                assert neighbour(replica, "Red" if replica is blue else "Blue").looks > 1
