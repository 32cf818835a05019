"""One conversation with a server takes any number of looks; where there can be none, Git is asked as ever."""

import os
import shlex
import signal
import stat
import subprocess
import sys
from contextlib import closing
from io import BytesIO
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

import pytest

from catan_p2p.frames import MessageFrame
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.transport import git_protocol, streams, worker
from catan_p2p.log.transport.remote import BadFetch, CostlyRemote, RemoteUnreachable
from catan_p2p.log.transport.session_remote import SessionRemote
from catan_p2p.log.transport.ssh import serving_command, ssh_place, ssh_program
from catan_p2p.log.transport.worker_remote import WorkerRemote
from tests.log.transport.packs import REF, SCHEMES, on_disk, served, with_a_large_pack
from tests.replication.git_servers import Conduct, http_backend, http_server
from tests.replication.relays import bare
from tests.replication.tables import git

pytestmark = [
    pytest.mark.usefixtures("gitconfig"),
    pytest.mark.skipif(sys.platform == "win32", reason="a shell script stands in for ssh"),
    pytest.mark.skipif(http_backend() is None, reason="needs git-http-backend"),
]
OTHER = "refs/heads/Blue_0"


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The programs that conversations were begun with."""
    found = []
    start = streams.start

    def counted(*args: Any, **named: Any) -> Any:
        found.append(start(*args, **named))
        return found[-1]

    monkeypatch.setattr(streams, "start", counted)
    return found


def commit(path: Path, word: str) -> ObjectId:
    return ObjectId(git(path, "commit-tree", git(path, "mktree"), "-m", word))


@pytest.fixture
def relay(tmp_path: Path) -> tuple[Path, ObjectId]:
    path = bare(tmp_path / "server" / "relay")
    head = commit(path, "first")
    git(path, "update-ref", REF, head)
    return path, head


def reader(tmp_path: Path, url: str) -> SessionRemote:
    own = tmp_path / "own"
    return SessionRemote(url, own if own.exists() else bare(own), tmp_path / "incoming")


@pytest.mark.parametrize("scheme", SCHEMES)
def test_many_looks_and_fetches_take_one_program_and_see_what_is_new(
    tmp_path: Path, relay: tuple[Path, ObjectId], begun: list[Any], scheme: str
) -> None:
    path, head = relay
    with served(scheme, path) as url, closing(reader(tmp_path, url)) as remote:
        assert not remote.is_kept
        assert remote.heads([REF]) == {REF: head}
        remote.bring({REF: head})
        assert remote.read(head)[0] == "commit"
        remote.rest()
        for number in range(3):
            new = commit(path, f"number {number}")
            git(path, "update-ref", OTHER, new)
            assert remote.heads([REF], "refs/heads/B*") == {REF: head, OTHER: new}
            remote.bring({OTHER: new}, [head])
            assert remote.read(new)[0] == "commit"
            remote.rest()
            assert remote.is_kept
        git(path, "update-ref", "-d", OTHER)
        assert remote.heads([REF, OTHER]) == {REF: head}
        assert (remote.fetches, remote.bytes_received > 0) == (4, True)
        assert len(begun) == 1
    assert begun[0].poll() is not None, "nothing is left of it"
    assert not remote.is_kept


def test_over_http_one_connection_asks_once_where_the_server_is(tmp_path: Path, relay: tuple[Path, ObjectId]) -> None:
    conduct = Conduct()
    with http_server(relay[0].parent, conduct) as url, closing(reader(tmp_path, f"{url}/relay")) as remote:
        for _ in range(4):
            remote.heads([REF])
    assert [name.rpartition("/")[2][:9] for name in conduct.requests] == ["refs?serv", *["git-uploa"] * 4]


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("before", ["look", "fetch"])
def test_a_conversation_that_has_ended_is_begun_anew(
    tmp_path: Path, relay: tuple[Path, ObjectId], begun: list[Any], scheme: str, before: str
) -> None:
    path, head = relay
    with served(scheme, path) as url, closing(reader(tmp_path, url)) as remote:
        assert remote.heads([REF]) == {REF: head}
        os.killpg(begun[0].pid, signal.SIGKILL)
        begun[0].wait()
        if before == "look":
            assert remote.heads([REF]) == {REF: head}
        else:
            remote.bring({REF: head})
            assert remote.read(head)[0] == "commit"
        assert len(begun) == 2


def test_a_conversation_in_which_nothing_comes_is_begun_anew(
    tmp_path: Path, relay: tuple[Path, ObjectId], begun: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(git_protocol, "KEPT_LOOK_S", 0.2)
    with served("ssh", relay[0]) as url, closing(reader(tmp_path, url)) as remote:
        remote.heads([REF])
        os.killpg(begun[0].pid, signal.SIGSTOP)
        assert remote.heads([REF]) == {REF: relay[1]}
        assert len(begun) == 2
    assert [one.poll() is not None for one in begun] == [True, True]


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_server_of_old_is_left_to_git_for_good(
    tmp_path: Path, relay: tuple[Path, ObjectId], begun: list[Any], scheme: str
) -> None:
    path, head = relay
    with served(scheme, path, speaks_2=False) as url, closing(reader(tmp_path, url)) as remote:
        for _ in range(3):
            assert remote.heads([REF]) == {REF: head}
        remote.bring({REF: head})
        assert remote.read(head)[0] == "commit"
        assert len(begun) == 1
        assert not remote.is_kept
        assert remote.fetches == 1


def test_a_server_of_which_git_learns_nothing_either_is_tried_again(
    tmp_path: Path, relay: tuple[Path, ObjectId], begun: list[Any]
) -> None:
    path, head = relay
    away = path.rename(path.with_name("away"))
    with served("ssh", path) as url, closing(reader(tmp_path, url)) as remote:
        with pytest.raises(RemoteUnreachable, match="does not appear to be a git repository"):
            remote.heads([REF])
        away.rename(path)
        assert remote.heads([REF]) == {REF: head}
        assert remote.is_kept
        assert len(begun) == 2


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_pack_that_is_cut_leaves_nothing(tmp_path: Path, scheme: str) -> None:
    theirs, head = with_a_large_pack(tmp_path / "theirs", 4 << 20)
    for cuts_after, kind in ((3 << 20, CostlyRemote), (1 << 19, RemoteUnreachable)):
        with served(scheme, theirs, cuts_after=cuts_after) as url, closing(reader(tmp_path, url)) as remote:
            with pytest.raises(kind):
                remote.bring({REF: head})
            assert not remote.is_kept
        assert on_disk(tmp_path / "incoming") == 0


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_pack_that_is_too_large_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scheme: str) -> None:
    from catan_p2p.log.transport import conversation

    monkeypatch.setattr(conversation, "MAX_FETCHED_PACK_BYTES", 1 << 19)
    theirs, head = with_a_large_pack(tmp_path / "theirs", 1 << 20)
    with served(scheme, theirs) as url, closing(reader(tmp_path, url)) as remote:
        with pytest.raises(BadFetch, match="sends more than") as caught:
            remote.bring({REF: head})
        assert caught.value.reason == "size"
        assert not remote.is_kept


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_process_that_is_asked_nothing_ends_the_conversation(
    tmp_path: Path, relay: tuple[Path, ObjectId], begun: list[Any], scheme: str
) -> None:
    asked: list[float | None] = []

    class Requests(SimpleQueue[MessageFrame]):
        def get(self, block: bool = True, timeout: float | None = None) -> MessageFrame:
            asked.append(timeout)
            assert len(asked) <= 3
            if len(asked) == 2:
                raise Empty
            return MessageFrame({"ask": "heads", "refs": [REF], "folder": None, "answer": True})

    class Reader(worker.RemoteReader):
        def answer_to(self, request: dict[str, Any], answers: Any) -> bool:
            return super().answer_to(request, BytesIO()) and len(begun) < 2

    with served(scheme, relay[0]) as url, pytest.MonkeyPatch.context() as patch:
        for name, stub in (("SimpleQueue", Requests), ("RemoteReader", Reader)):
            patch.setattr(worker, name, stub)
        for name in ("bound", "end_all", "_listen", "_set_alarm"):
            patch.setattr(worker, name, lambda *args: None)
        patch.setattr(sys, "stdout", sys.stdout)
        before = signal.getsignal(signal.SIGALRM)
        try:
            worker.main([url, str(bare(tmp_path / "own")), str(tmp_path / "incoming"), "1000"])
        finally:
            signal.signal(signal.SIGALRM, before)
        assert asked == [worker.IDLE_S] * 3
        assert len(begun) == 2, "the first had been ended"
        assert begun[0].poll() is not None
        begun[1].kill()
        begun[1].wait()


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_peer_is_told_that_a_conversation_is_kept(
    tmp_path: Path, relay: tuple[Path, ObjectId], scheme: str
) -> None:
    for speaks_2 in (True, False):
        with served(scheme, relay[0], speaks_2=speaks_2) as url:
            remote = WorkerRemote(url, bare(tmp_path / f"own-{speaks_2}"), tmp_path / "incoming")
            try:
                assert not remote.is_kept
                remote.heads([REF])
                assert remote.is_kept == speaks_2
            finally:
                remote.close()
            assert not remote.is_kept


def test_a_url_is_rewritten_as_git_does_it(tmp_path: Path, relay: tuple[Path, ObjectId], gitconfig: Path) -> None:
    with http_server(relay[0].parent, Conduct()) as url:
        gitconfig.write_text(f'[url "{url}/"]\n insteadOf = ssh://nowhere.invalid/\n')
        with closing(reader(tmp_path, "ssh://nowhere.invalid/relay")) as remote:
            assert remote.heads([REF]) == {REF: relay[1]}
            assert remote.is_kept


URLS = [
    "ssh://host/game",
    "ssh://ann@host:2222/game",
    "ssh://host:/game",
    "ssh://host/~ann/game.git",
    "ssh://ann@[::1]:22/game",
    "ssh://[::1]/game",
    "ssh://host/with%20blank/it's!",
    "ssh://a%6En@host/game",
    "host:game",
    "host:/abs/game",
    "host:~/game",
    "ann@host:a/b.git",
    "[::1]:game",
    "ann@[::1]:a b",
]
LEFT_TO_GIT = [
    "ssh://-oProxyCommand=x/game",
    "ssh://-x@host/game",
    "-x@host:game",
    "host:-game",
    "ssh://host",
    "[host:22]:game",
    "ann@:game",
    "spy::there",
    "https://host/game",
    "/folder",
    "ext::sh -c date",
]


@pytest.mark.parametrize("url", URLS)
def test_ssh_is_given_the_host_and_the_path_that_git_gives_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    program, told = tmp_path / "ssh", tmp_path / "told"
    program.write_text(f'#!/bin/sh\nprintf "%s\\0" "$@" > {told}\nexit 255\n')
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("GIT_SSH", str(program))
    subprocess.run(["git", "ls-remote", "--", url], capture_output=True, check=False)
    *options, host, command = told.read_text().split("\0")[:-1]
    place = ssh_place(url)
    assert place is not None
    ours = serving_command([str(program)], place)
    assert ours[-2] == host
    assert shlex.split(ours[-1])[-1] == shlex.split(command)[-1] == place.path
    port = options[options.index("-p") + 1] if "-p" in options else None
    assert place.port == (None if port is None else int(port))
    assert ours[1:-2] == ([] if port is None else ["-p", port])


@pytest.mark.parametrize("url", LEFT_TO_GIT)
def test_what_is_strange_is_left_to_git(url: str) -> None:
    assert ssh_place(url) is None


@pytest.mark.parametrize(
    ("environment", "config", "expected"),
    [
        ({}, "", ["ssh"]),
        ({"GIT_SSH": "/usr/bin/ssh"}, "", ["/usr/bin/ssh"]),
        ({"GIT_SSH": "/opt/plink"}, "", None),
        ({"GIT_SSH": "/opt/mine"}, "", None),
        ({"GIT_SSH": "/opt/mine", "GIT_SSH_VARIANT": "ssh"}, "", ["/opt/mine"]),
        ({"GIT_SSH": "/opt/mine"}, "[ssh]\n variant = ssh\n", ["/opt/mine"]),
        ({"GIT_SSH": "ssh", "GIT_SSH_VARIANT": "simple"}, "", None),
        ({"GIT_SSH_COMMAND": "ssh -i 'a key'"}, "", ["sh", "-c", "ssh -i 'a key' \"$@\"", "ssh -i 'a key'"]),
        ({"GIT_SSH_COMMAND": "plink -batch"}, "", None),
        ({"GIT_SSH_COMMAND": "ssh 'never ends"}, "", None),
        ({}, "[core]\n sshCommand = ssh -v\n", ["sh", "-c", 'ssh -v "$@"', "ssh -v"]),
        ({"GIT_SSH": "/opt/plink"}, "[core]\n sshCommand = ssh -v\n", ["sh", "-c", 'ssh -v "$@"', "ssh -v"]),
    ],
)
def test_the_program_is_the_one_that_git_would_begin(
    tmp_path: Path, gitconfig: Path, environment: dict[str, str], config: str, expected: list[str] | None
) -> None:
    gitconfig.write_text(config)
    assert ssh_program(bare(tmp_path / "own"), environment) == expected


def test_a_path_is_no_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, relay: tuple[Path, ObjectId]) -> None:
    """Whatever a path holds, a shell at the server sees one word."""
    odd = relay[0].rename(relay[0].with_name("it's $(touch ran) `touch ran`; !x"))
    monkeypatch.chdir(tmp_path)
    with served("ssh", odd) as url, closing(reader(tmp_path, url)) as remote:
        assert remote.heads([REF]) == {REF: relay[1]}
        assert remote.is_kept
    assert not (tmp_path / "ran").exists()
