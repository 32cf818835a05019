"""A look asks for the refs that are wanted and for no others, of servers that know how, and of old ones for all."""

import shutil
import socket
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.transport import conversation
from catan_p2p.log.transport.git_protocol import GitProtocolRemote
from catan_p2p.log.transport.ref_listing import prefixes
from catan_p2p.log.transport.remote import Remote, RemoteUnreachable
from catan_p2p.log.transport.serve import RepositoryServer
from catan_p2p.log.transport.session_remote import SessionRemote
from tests.replication.git_servers import Conduct, http_backend, http_server
from tests.replication.tables import git

MANY = 30_000
RED = "refs/heads/Red_0"
CHAT = "refs/chat/Red"
SMALL_BYTES = 4096


@pytest.fixture(scope="module")
def crowded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, ObjectId]:
    """A repository with two commits of Red's, and with 30,000 other refs."""
    path = tmp_path_factory.mktemp("crowded") / "relay"
    git(path.parent, "init", "-q", "--bare", str(path))
    tree = git(path, "mktree")
    first = git(path, "commit-tree", tree, "-m", "first")
    head = git(path, "commit-tree", tree, "-p", first, "-m", "second")
    refs = {RED: head, CHAT: first} | {f"refs/pull/{number}/head": first for number in range(MANY)}
    lines = "".join(f"{oid} {ref}\n" for ref, oid in sorted(refs.items()))
    (path / "packed-refs").write_text(f"# pack-refs with: peeled fully-peeled sorted \n{lines}")
    return path, ObjectId(head)


@contextmanager
def daemon(path: Path) -> Iterator[str]:
    """Git's own daemon, a process for each connection; the URL."""
    listener = socket.create_server(("127.0.0.1", 0))
    processes = []

    def serve() -> None:
        with suppress(OSError):
            while True:
                visitor, _ = listener.accept()
                command = ["git", "daemon", "--inetd", "--export-all", f"--base-path={path.parent}"]
                with visitor:
                    processes.append(
                        subprocess.Popen(command, stdin=visitor, stdout=visitor, stderr=subprocess.DEVNULL)
                    )

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield f"git://127.0.0.1:{listener.getsockname()[1]}/{path.name}"
    finally:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        thread.join()
        for process in processes:
            process.kill()
            process.wait()


@contextmanager
def old_daemon(path: Path) -> Iterator[str]:
    """A server that knows version 0 only."""
    with RepositoryServer(path, "127.0.0.1", 0) as server:
        yield server.url


@pytest.fixture
def received(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How much has come over ``git://``, piece by piece."""
    sizes: list[int] = []
    receive = conversation.GitConversation._receive

    def counted(connection: Any) -> bool:
        before = len(connection._buffer)
        has_more = receive(connection)
        sizes.append(len(connection._buffer) - before)
        return has_more

    monkeypatch.setattr(conversation.GitConversation, "_receive", counted)
    return sizes


def look(remote: Remote, head: ObjectId) -> None:
    """All that a look may ask."""
    first = remote.heads([CHAT])[CHAT]
    assert remote.heads([RED, "refs/heads/Blue_0"]) == {RED: head}
    assert remote.heads([CHAT], "refs/heads/*_0") == {RED: head, CHAT: first}
    assert remote.heads((), "refs/heads/") == {RED: head}
    remote.bring({RED: head}, [first])
    assert remote.read(head)[0] == "commit"
    remote.rest()
    assert remote.heads((), "refs/heads/") == {RED: head}


@pytest.mark.parametrize(("serving", "is_old"), [(daemon, False), (old_daemon, True)], ids=["git daemon", "version 0"])
def test_over_git(
    crowded: tuple[Path, ObjectId], received: list[int], serving: Callable[[Path], Any], is_old: bool
) -> None:
    path, head = crowded
    with serving(path) as url, closing(GitProtocolRemote(url)) as remote:
        look(remote, head)
        remote.rest()
        received.clear()
        assert remote.heads([RED]) == {RED: head}
    assert (sum(received) > 10 * MANY) == is_old
    assert (sum(received) < SMALL_BYTES) != is_old


@pytest.mark.long
@pytest.mark.skipif(http_backend() is None, reason="needs git-http-backend")
@pytest.mark.parametrize("is_old", [False, True], ids=["version 2", "version 0"])
def test_over_http(crowded: tuple[Path, ObjectId], tmp_path: Path, is_old: bool) -> None:
    path, head = crowded
    git(tmp_path, "init", "-q", "--bare", "own")
    conduct = Conduct(speaks_2=not is_old)
    with (
        http_server(path.parent, conduct) as url,
        closing(SessionRemote(f"{url}/{path.name}", tmp_path / "own", tmp_path / "incoming")) as remote,
    ):
        look(remote, head)
        conduct.sent_bytes = 0
        conduct.requests.clear()
        assert remote.heads([RED]) == {RED: head}
        assert (conduct.sent_bytes > 10 * MANY) == is_old
        assert (conduct.sent_bytes < SMALL_BYTES) != is_old
        assert len(conduct.requests) == 1
        conduct.sent_bytes = 0
        remote.bring({RED: head})
        assert (conduct.sent_bytes > 10 * MANY) == is_old


def test_a_daemon_that_has_become_old_is_understood(crowded: tuple[Path, ObjectId]) -> None:
    path, head = crowded
    with daemon(path) as url, old_daemon(path) as old, closing(GitProtocolRemote(url)) as remote:
        assert remote.heads([RED]) == {RED: head}
        remote.rest()
        remote._port = int(old.rstrip("/").rpartition(":")[2])
        remote._path = "/"
        assert remote.heads([RED]) == {RED: head}
        assert remote._version == 0


def test_a_daemon_that_has_hung_up_is_asked_again(crowded: tuple[Path, ObjectId]) -> None:
    path, head = crowded
    with daemon(path) as url, closing(GitProtocolRemote(url)) as remote:
        assert remote.heads([RED]) == {RED: head}
        assert remote._conversation is not None
        remote._conversation._stream._socket.shutdown(socket.SHUT_RDWR)
        assert remote.heads((), "refs/heads/") == {RED: head}


def test_what_is_not_there_is_told(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "--bare", "relay")
    with daemon(tmp_path / "relay") as url:
        with closing(GitProtocolRemote(url)) as remote:
            assert remote.heads([RED]) == {}
        shutil.rmtree(tmp_path / "relay")
        with closing(GitProtocolRemote(url)) as remote, pytest.raises(RemoteUnreachable, match="access denied"):
            remote.heads([RED])


def test_prefixes_name_nothing_twice() -> None:
    assert prefixes([RED, CHAT, RED], "refs/heads/*_0") == ["refs/heads/", CHAT]
    assert prefixes([RED, RED], None) == [RED]
    assert prefixes((), "refs/remotes/") == ["refs/remotes/"]
