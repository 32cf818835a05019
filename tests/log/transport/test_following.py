"""What a server tells its followers, what they make of it, and what comes of anything else that is said to either."""

import socket
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from queue import SimpleQueue
from time import monotonic
from typing import NamedTuple

import pytest

from catan_p2p.limits import (
    MAX_FOLLOWED_FOLDERS,
    MAX_FOLLOWERS_OF_ADDRESS,
    MAX_KEPT_TOLD_BYTES,
    MAX_REFS_IN_FOLDER,
    MAX_REQUEST_BYTES,
    MAX_TOLD_A_SECOND_BYTES,
    MAX_TOLD_AT_ONCE_BYTES,
    MAX_TOLD_BYTES,
    MAX_TOLD_COMMITS,
    TOLD_COMMIT_BYTES,
)
from catan_p2p.log.storage.objects import ObjectId, ObjectKind, ObjectMissing, StoreError, object_id
from catan_p2p.log.transport import follower, followers
from catan_p2p.log.transport.follower import FollowedRemote
from catan_p2p.log.transport.following import (
    SIGN_OF_LIFE_S,
    SILENT_S,
    FollowedRefs,
    ListeningPace,
    RefAnnouncer,
    follow_request,
    parse_follow,
)
from catan_p2p.log.transport.remote import RemoteUnreachable
from catan_p2p.log.transport.serve import RepositoryServer
from tests.attacks.crowd import is_served
from tests.for_each import for_each
from tests.log.transport.test_listing import daemon
from tests.replication.tables import git, make_seats
from tests.virtual_time import VirtualTime

HEADS = "refs/heads/"
RED, BLUE, AWAY = "refs/heads/Red_0", "refs/heads/Blue_0", "refs/other/Red_0"
WAIT_S = 60.0
"""So long a test waits for what comes at once, on however busy a machine."""


def commit(*parents: ObjectId, text: str = "") -> tuple[ObjectId, bytes]:
    """A commit that looks like one to whoever looks for parents."""
    lines = ["tree " + "0" * 40, *(f"parent {parent}" for parent in parents), "", text]
    data = "\n".join(lines).encode()
    return object_id("commit", data), data


class Repo:
    """Refs and objects, and what a server tells of them to one follower."""

    def __init__(self, *folders: str) -> None:
        self.refs: dict[str, ObjectId] = {}
        self.objects: dict[ObjectId, bytes] = {}
        self.reads = 0
        self.teller = RefAnnouncer(lambda: dict(self.refs), self._read)
        self.teller.look()
        self.folders = folders or (HEADS,)
        self.told = FollowedRefs("git://there/", self.folders)
        self.told.take(self.teller.refs_in(self.folders))

    def _read(self, oid: ObjectId) -> tuple[ObjectKind, bytes]:
        self.reads += 1
        if oid not in self.objects:
            raise ObjectMissing(f"no object {oid}")
        return "commit", self.objects[oid]

    def add(self, ref: str, count: int = 1, text: str = "", *, parents: tuple[ObjectId, ...] | None = None) -> ObjectId:
        """Let a ref go on by so many commits."""
        for number in range(count):
            before = parents if parents is not None else ((self.refs[ref],) if ref in self.refs else ())
            oid, data = commit(*before, text=f"{ref} {number} {len(self.objects)} {text}")
            self.objects[oid] = data
            self.refs[ref] = oid
        return self.refs[ref]

    def publish(self) -> bytes:
        """Tell what has moved; what was said."""
        said = self.teller.moved_in(self.folders) if self.teller.look() else b""
        self.told.take(said)
        return said

    def leads(self, *refs: str, held: tuple[ObjectId, ...] = ()) -> bool:
        """Whether the follower was told all that leads to these refs."""
        return self.told.leads([self.refs[ref] for ref in refs], held) is not None


# What is told


def test_the_first_message_tells_where_everything_is_and_no_commits() -> None:
    repo = Repo()
    assert repo.told.refs == {}, "an empty folder is told, too"
    head = repo.add(RED)
    repo.add(AWAY)
    repo.teller.look()
    told = FollowedRefs("git://there/", repo.folders)
    assert told.refs is None and not told.covers([RED], None)
    assert told.take(repo.teller.refs_in(repo.folders)) == 1
    assert told.refs == {RED: head}
    assert told.leads([head], ()) is None


def test_moves_come_with_the_commits_that_are_new() -> None:
    repo = Repo()
    first = repo.add(RED, 2)
    repo.publish()
    second = repo.add(RED, 3)
    assert repo.publish().count(b"commit tree") == 3
    assert repo.told.refs == {RED: second}
    assert repo.leads(RED, held=(first,)) and repo.leads(RED)
    assert repo.told.read(second) == ("commit", repo.objects[second])


def test_new_refs_and_those_that_are_gone_are_told() -> None:
    repo = Repo()
    old = repo.add(RED)
    repo.publish()
    new = repo.add(BLUE, parents=(old,))
    del repo.refs[RED]
    said = repo.publish()
    assert b"gone refs/heads/Red_0" in said and said.count(b"commit tree") == 1
    assert repo.told.refs == {BLUE: new}
    assert repo.told.heads([RED, BLUE], None) == {BLUE: new}


def test_what_was_told_with_the_last_publication_is_not_told_again() -> None:
    repo = Repo()
    middle = repo.add(RED, 2)
    repo.add(RED)
    repo.publish()
    repo.refs[BLUE] = middle
    assert repo.publish().count(b"commit tree") == 0
    repo.refs["refs/heads/White_0"] = repo.add(BLUE)
    assert repo.publish().count(b"commit tree") == 1, "two refs on one commit"


def test_a_ref_that_goes_back_is_told_as_it_is() -> None:
    repo = Repo()
    first = repo.add(RED)
    repo.publish()
    repo.add(RED)
    repo.publish()
    repo.refs[RED] = first
    repo.publish()
    assert repo.told.refs == {RED: first}


def test_nothing_moved_says_nothing() -> None:
    repo = Repo()
    repo.add(RED)
    repo.publish()
    assert repo.publish() == b""
    repo.add(AWAY)
    assert repo.publish() == b"", "nobody is told of other folders"


@for_each(
    "count, text, is_told", [(MAX_TOLD_COMMITS, "", True), (MAX_TOLD_COMMITS + 1, "", False), (20, "x" * 14_000, False)]
)
def test_what_is_much_is_fetched(count: int, text: str, is_told: bool) -> None:
    repo = Repo()
    repo.add(RED, count, text)
    said = repo.publish()
    assert repo.told.refs == repo.refs, "where it is is told in any case"
    assert repo.leads(RED) == is_told
    assert len(said) < MAX_TOLD_BYTES + (1 << 14)


def test_a_commit_larger_than_a_packet_is_fetched() -> None:
    repo = Repo()
    repo.add(RED, 1, "x" * (1 << 16))
    repo.publish()
    assert repo.told.refs == repo.refs and not repo.leads(RED)


def test_commits_that_cannot_be_read_are_left_to_those_who_fetch() -> None:
    repo = Repo()
    head = repo.add(RED, 2)
    del repo.objects[head]
    repo.publish()
    assert repo.told.refs == {RED: head} and not repo.leads(RED)


def test_several_followers_are_told_from_one_reading() -> None:
    repo = Repo()
    repo.add(RED, 5)
    repo.teller.look()
    assert repo.teller.moved_in((HEADS,)) == repo.teller.moved_in((HEADS,))
    assert repo.reads == 5
    assert repo.teller.moved_in(("refs/other/",)) == b""


def test_names_that_a_look_does_not_find_are_not_told() -> None:
    repo = Repo()
    repo.add("refs/heads/größe")
    repo.add(RED)
    repo.publish()
    assert [*(repo.told.refs or ())] == [RED]


def test_games_are_followed_by_their_number() -> None:
    repo = Repo("refs/heads/*_1")
    repo.add(RED)
    head = repo.add("refs/heads/Red_1")
    repo.publish()
    assert repo.told.refs == {"refs/heads/Red_1": head}
    assert repo.told.covers(["refs/heads/Red_1"], "refs/heads/*_1")
    assert not repo.told.covers([RED], None) and not repo.told.covers([], HEADS)


# What a follower makes of what it hears


def test_it_does_not_matter_how_what_is_said_is_cut() -> None:
    repo = Repo()
    repo.add(RED, 2)
    repo.teller.look()
    said = repo.teller.moved_in(repo.folders)
    for cut in range(len(said)):
        told = FollowedRefs("git://there/", repo.folders)
        assert told.take(said[:cut]) == 0 and told.refs is None
        assert told.take(said[cut:]) == 1 and told.refs == repo.refs


def packet(data: bytes) -> bytes:
    return b"%04x" % (len(data) + 4) + data


OID = b"1" * 40


@for_each(
    "said",
    [
        b"GET / HTTP/1.1",
        b"0003",
        b"0004",
        b"fff1" + bytes(9),
        b"-001",
        packet(b"ERR no such repository"),
        packet(b"ref"),
        packet(b"ref " + OID),
        packet(b"ref zzz refs/heads/Red_0"),
        packet(b"ref " + OID[1:] + b" refs/heads/Red_0"),
        packet(b"ref " + OID + b" refs/other/Red_0"),
        packet(b"ref " + OID + b" refs/heads/../Red_0"),
        packet(b"ref " + OID + b" refs/heads/Red_0\n"),
        packet(b"ref " + OID + b" refs/heads/" + b"x" * 300),
        packet(b"gone refs/other/Red_0"),
        packet(b"gone refs/heads/\xff"),
        packet(b"hear me"),
    ],
)
def test_what_is_not_said_in_this_way_ends_the_connection(said: bytes) -> None:
    with pytest.raises(RemoteUnreachable, match="git://there/: "):
        FollowedRefs("git://there/", (HEADS,)).take(said)


def test_too_many_refs_end_the_connection() -> None:
    def refs(start: int, count: int) -> bytes:
        names = (b"refs/heads/%d" % number for number in range(start, start + count))
        return b"".join(packet(b"ref " + OID + b" " + name) for name in names)

    told = FollowedRefs("git://there/", (HEADS,))
    told.take(refs(0, MAX_REFS_IN_FOLDER) + b"0000")
    with pytest.raises(RemoteUnreachable, match="more than"):
        told.take(refs(MAX_REFS_IN_FOLDER, 1) + b"0000")
    with pytest.raises(RemoteUnreachable, match="at once"):
        FollowedRefs("git://there/", (HEADS,)).take(refs(0, MAX_REFS_IN_FOLDER + 1))


@for_each("size", [3, 600, 60_000])
def test_commits_that_nobody_asks_for_are_forgotten(size: int) -> None:
    told = FollowedRefs("git://there/", (HEADS,))
    told.take(b"0000")
    for number in range(2 * MAX_KEPT_TOLD_BYTES // (size + TOLD_COMMIT_BYTES) - 9):
        told.take(packet(b"commit " + b"%0*x" % (size, number)))
        assert told._bytes <= MAX_KEPT_TOLD_BYTES
    assert told._bytes == sum(len(data) + TOLD_COMMIT_BYTES for data in told._objects.values()) > 0


def test_what_was_read_can_be_read_again_until_there_is_no_room() -> None:
    """A reader may refuse commits until it has those of another player; it does not fetch them once more."""
    repo = Repo()
    head = repo.add(RED, text="x" * 60_000)
    repo.publish()
    repo.told.read(head)
    assert repo.told.leads([head], []) is not None
    told, number = repo.told, 0
    while head in told._objects:
        told.take(packet(b"commit " + b"%059000d" % number))
        number += 1
    assert number > 2 and len(told._objects) == number, "only what was read has gone"
    with pytest.raises(ObjectMissing):
        told.read(head)
    assert told.refs == {RED: head} and told._bytes <= MAX_KEPT_TOLD_BYTES


def test_the_same_message_again_is_no_news() -> None:
    repo = Repo()
    repo.add(RED, 2)
    said = repo.publish()
    assert repo.told.take(said * 5) == 0
    old = repo.refs[RED]
    repo.add(RED)
    repo.publish()
    assert repo.told.take(said) == 1, "a ref that has gone back is"
    assert repo.told.refs == {RED: old}


def test_a_commit_is_known_by_its_bytes_whatever_they_are() -> None:
    told = FollowedRefs("git://there/", (HEADS,))
    junk = b"parent " + OID + b"\nno commit at all"
    oid = object_id("commit", junk)
    told.take(packet(b"ref " + oid.encode() + b" " + RED.encode()) + packet(b"commit " + junk) + b"0000")
    assert told.read(oid) == ("commit", junk)
    assert told.leads([oid], ()) is None, "its parent was not told"
    with pytest.raises(ObjectMissing):
        told.read(ObjectId("1" * 40))


def test_signs_of_life_are_counted_and_tell_nothing() -> None:
    told = FollowedRefs("git://there/", (HEADS,))
    assert told.take(b"0000") == 1 and told.take_signs() == 0
    assert told.take(b"00000000") == 0 and told.take_signs() == 2 and told.take_signs() == 0


def test_who_says_much_is_heard_slowly() -> None:
    listening = ListeningPace(0.0)
    assert listening.pause_s(MAX_TOLD_AT_ONCE_BYTES, 0.0) == 0.0
    assert listening.pause_s(MAX_TOLD_A_SECOND_BYTES, 0.0) == 1.0
    assert listening.pause_s(MAX_TOLD_A_SECOND_BYTES, 2.0) == 0.0
    assert listening.pause_s(MAX_TOLD_AT_ONCE_BYTES, 1e6) == 0.0, "not more than at once, however long it was quiet"
    assert listening.pause_s(MAX_TOLD_A_SECOND_BYTES, 1e6) == 1.0


# What a server makes of a request


def test_a_request_says_which_folders() -> None:
    said = follow_request([HEADS, "refs/heads/*_0"])
    assert parse_follow(said[4:]) == (HEADS, "refs/heads/*_0") and int(said[:4], 16) == len(said)


@for_each(
    "said",
    [
        b"git-upload-pack /\0host=there\0",
        b"catan-p2p-follow 1\n",
        b"catan-p2p-follow 2\nrefs/heads/\n",
        b"catan-p2p-follow 1\nheads/\n",
        b"catan-p2p-follow 1\n" + b"refs/heads/\n" * (MAX_FOLLOWED_FOLDERS + 1),
        b"catan-p2p-follow 1\nrefs/" + b"x" * MAX_REQUEST_BYTES,
    ],
)
def test_other_requests_follow_nothing(said: bytes) -> None:
    assert parse_follow(said) is None


# Over real sockets


class News(NamedTuple):
    remote: FollowedRemote
    said: "SimpleQueue[bool]"

    def wait(self, *, is_telling: bool = True) -> None:
        """Wait until something is new."""
        assert self.said.get(timeout=WAIT_S) == is_telling

    def heads(self) -> dict[str, ObjectId]:
        return dict(self.remote.heads([], HEADS))


@pytest.fixture
def seat(tmp_path: Path) -> Path:
    return make_seats(tmp_path)[0]


@contextmanager
def following(url: str, time: VirtualTime | None = None) -> Iterator[News]:
    """A remote that follows all heads there, and what it says."""
    said: SimpleQueue[bool] = SimpleQueue()
    remote = FollowedRemote(url, said.put, *(() if time is None else (time,)))
    remote.follow([HEADS])
    try:
        yield News(remote, said)
    finally:
        remote.close()


def go_on(seat: Path, ref: str = RED, text: str = "new") -> ObjectId:
    """Let a ref of a repository go on by a commit."""
    old = git(seat, "rev-parse", ref)
    head = git(seat, "commit-tree", f"{old}^{{tree}}", "-p", old, "-m", text)
    git(seat, "update-ref", ref, head)
    return ObjectId(head)


def no_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nobody look at a server any more."""

    def refuse(*_: object) -> None:
        raise AssertionError("looked at the server")

    monkeypatch.setattr("catan_p2p.log.transport.git_protocol.GitProtocolRemote.heads", refuse)
    monkeypatch.setattr("catan_p2p.log.transport.git_protocol.GitProtocolRemote.bring", refuse)


def test_what_is_published_comes_without_a_look(seat: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(followers, "LOOK_S", 3600.0)
    with RepositoryServer(seat, "127.0.0.1", 0) as server, following(server.url) as one, following(server.url) as other:
        for news in (one, other):
            news.wait()
        no_looks(monkeypatch)
        old = one.heads()[RED]
        assert other.heads()[RED] == old
        head = go_on(seat)
        server.published()
        for news in (one, other):
            news.wait()
            assert news.heads()[RED] == head
            news.remote.bring({RED: head}, [old])
            assert news.remote.read(head)[0] == "commit"
            news.remote.rest()
            assert (news.remote.fetches, news.remote.bytes_received > 100) == (1, True)
            # Once more at the next look, if commits of other players were lacking.
            news.remote.bring({RED: head}, [old])


def test_what_another_program_writes_is_told_soon(seat: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(followers, "LOOK_S", 0.05)
    with RepositoryServer(seat, "127.0.0.1", 0) as server, following(server.url) as news:
        news.wait()
        news.heads()
        head = go_on(seat)
        news.wait()
        assert news.heads()[RED] == head


def test_a_clone_beside_followers_is_served(seat: Path, tmp_path: Path) -> None:
    with RepositoryServer(seat, "127.0.0.1", 0) as server, following(server.url) as news:
        news.wait()
        subprocess.run(["git", "clone", "-q", "--bare", server.url, str(tmp_path / "clone")], check=True)
        assert git(tmp_path / "clone", "rev-parse", RED) == news.heads()[RED]
        assert is_served(server)


def test_what_nobody_may_see_is_not_told(seat: Path) -> None:
    git(seat, "update-ref", "refs/evidence/Red_0", git(seat, "rev-parse", RED))
    with RepositoryServer(seat, "127.0.0.1", 0) as server:
        remote = FollowedRemote(server.url, (said := SimpleQueue[bool]()).put)
        remote.follow(["refs/"])
        assert said.get(timeout=WAIT_S)
        assert RED in (told := remote.heads([], "refs/")) and not any("evidence" in ref for ref in told)
        remote.close()


def test_a_server_that_goes_is_looked_at_and_followed_again(seat: Path) -> None:
    time = VirtualTime(100.0)
    with RepositoryServer(seat, "127.0.0.1", 0) as server, following(server.url, time) as news:
        port = server.port
        news.wait()
        news.heads()
        server.close()
        news.wait(is_telling=False)
        with pytest.raises(StoreError):
            news.heads()
        news.remote.follow([HEADS])
        assert news.remote._following is not None and news.remote._following.is_over, "not at once"
        with RepositoryServer(seat, "127.0.0.1", port) as again:
            head = go_on(seat)
            assert news.heads()[RED] == head, "looked at"
            time.now += 1.5
            news.remote.follow([HEADS])
            news.wait()
            head = go_on(seat)
            again.published()
            news.heads()
            news.wait()
            assert news.heads()[RED] == head


def test_more_folders_are_followed_by_another_connection(seat: Path) -> None:
    with RepositoryServer(seat, "127.0.0.1", 0) as server, following(server.url) as news:
        news.wait()
        first = news.remote._following
        news.remote.follow([HEADS])
        assert news.remote._following is first
        news.remote.follow(["refs/remotes/"])
        news.wait()
        assert news.remote._following is not first and first is not None and first.is_over
        assert RED in news.heads() and isinstance(news.remote.heads([], "refs/remotes/"), dict)


@contextmanager
def old_server(seat: Path) -> Iterator[str]:
    """A server that knows nothing of followers, as those before they were told."""
    with pytest.MonkeyPatch.context() as patch, RepositoryServer(seat, "127.0.0.1", 0) as server:
        patch.setattr("catan_p2p.log.transport.serve.parse_follow", lambda said: None)
        yield server.url


@pytest.mark.parametrize("serving", [daemon, old_server])
def test_servers_that_do_not_tell_are_looked_at_and_asked_ever_more_rarely(seat: Path, serving) -> None:  # type: ignore[no-untyped-def]
    time = VirtualTime(100.0)
    with serving(seat) as url, following(url, time) as news:
        waits = []
        for _ in range(8):
            news.wait(is_telling=False)
            assert RED in news.heads()
            begin = time.now
            while news.said.empty() and time.now < begin + 100.0:
                before = news.remote._following
                news.remote.follow([HEADS])
                if news.remote._following is not before:
                    break
                time.now += 1.0
            waits.append(time.now - begin)
        assert waits == [2.0, 4.0, 8.0, 16.0, 32.0, 60.0, 60.0, 60.0]


def raw(server: RepositoryServer, *, source: str = "127.0.0.1", says: bytes | None = None) -> socket.socket:
    """A connection that follows without listening."""
    connection = socket.socket()
    connection.bind((source, 0))
    connection.settimeout(WAIT_S)
    connection.connect((server.host, server.port))
    connection.sendall(follow_request([HEADS]) if says is None else says)
    return connection


def until(connection: socket.socket, end: bytes) -> bytes:
    said = b""
    while not said.endswith(end) and (more := connection.recv(1 << 16)):
        said += more
    return said


def test_signs_of_life_are_shown_and_have_to_be_answered(seat: Path) -> None:
    time = VirtualTime()
    with RepositoryServer(seat, "127.0.0.1", 0, time=time) as server, raw(server) as quiet, raw(server) as lively:
        for one in (quiet, lively):
            assert until(one, b"0000").startswith(b"0")
        for _ in range(round(SILENT_S / SIGN_OF_LIFE_S)):
            time.now += SIGN_OF_LIFE_S
            server.published()
            assert lively.recv(99) == b"0000"
            lively.sendall(b"0000")
            begin = monotonic()
            while max(one.until for one in server._followers) < time.now + SILENT_S:
                assert monotonic() < begin + WAIT_S, "the answer is not heard"
        assert until(quiet, b"never") == b"00000000", "who says nothing is gone"
        assert len(server._followers) == 1


@for_each("says", [b"0000", b"hear me", b"0004", b"x"])
def test_who_says_what_was_not_asked_is_let_go(says: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    with (
        RepositoryServer(make_seats(tmp_path_factory.mktemp("said"))[0], "127.0.0.1", 0) as server,
        raw(server) as visitor,
    ):
        until(visitor, b"0000")
        visitor.sendall(says)
        assert visitor.recv(99) == b""


def test_a_silent_server_is_looked_at(seat: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(follower, "SILENT_S", 0.05)
    with RepositoryServer(seat, "127.0.0.1", 0) as server, following(server.url) as news:
        news.wait()
        news.heads()
        news.wait(is_telling=False)
        assert RED in news.heads()


def test_so_many_follow_from_one_address(seat: Path) -> None:
    with RepositoryServer(seat, "127.0.0.1", 0) as server, ExitStack() as stack:
        for _ in range(MAX_FOLLOWERS_OF_ADDRESS):
            assert until(stack.enter_context(raw(server)), b"0000")
        assert stack.enter_context(raw(server)).recv(99) == b"", "one more is not told"
        assert is_served(server), "but looks"


def test_who_asks_for_too_much_is_told_that_there_is_nothing(seat: Path) -> None:
    line = b"catan-p2p-follow 1\n" + b"refs/heads/\n" * (MAX_FOLLOWED_FOLDERS + 1)
    with RepositoryServer(seat, "127.0.0.1", 0) as server, raw(server, says=packet(line)) as visitor:
        assert until(visitor, b"repository") == packet(b"ERR no such repository")
