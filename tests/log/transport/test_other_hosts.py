"""A relay leads nobody elsewhere: no redirect, no pack of another host, and no protocol but the documented ones.

Red --- fetch, push ---> relay - - "ask there" - - > a host that only Red can reach
"""

import hashlib
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from catan_p2p.log.storage.objects import ObjectId, StoreError
from catan_p2p.log.transport.git_push import push_with_git
from catan_p2p.log.transport.git_remote import GitRemote
from catan_p2p.log.transport.mirror import BranchMirror
from catan_p2p.log.transport.queries import PushMove
from catan_p2p.log.transport.remote import RemoteUnreachable, checked_url
from catan_p2p.log.transport.session_remote import SessionRemote
from tests.replication.git_servers import Conduct, http_backend, http_server
from tests.replication.relays import bare
from tests.replication.tables import git

RED = "refs/heads/Red_0"
pytestmark = [
    pytest.mark.usefixtures("gitconfig"),
    pytest.mark.skipif(http_backend() is None, reason="needs git-http-backend"),
]


def with_a_commit(path: Path) -> ObjectId:
    """A new repository with a commit of Red's."""
    return commit_into(bare(path))


def commit_into(path: Path) -> ObjectId:
    commit = git(path, "commit-tree", git(path, "mktree"), "-m", "first")
    git(path, "update-ref", RED, commit)
    return ObjectId(commit)


@contextmanager
def serving(handler: type[BaseHTTPRequestHandler]) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = Thread(target=server.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()


class Quiet(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args: object) -> None:
        """Nobody reads it."""

    def answer(self, code: int, body: bytes = b"", **fields: str) -> None:
        self.send_response(code)
        for name, value in fields.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def look(url: str, own: Path, head: ObjectId) -> None:
    with closing(SessionRemote(url, own, own.parent / "incoming")) as remote:
        remote.heads([RED])


def fetch(url: str, own: Path, head: ObjectId) -> None:
    with closing(SessionRemote(url, own, own.parent / "incoming")) as remote:
        remote.bring({RED: head})


def look_by_git(url: str, own: Path, head: ObjectId) -> None:
    with closing(GitRemote(url, own, own.parent / "incoming")) as remote:
        remote.heads([RED])


def fetch_by_git(url: str, own: Path, head: ObjectId) -> None:
    with closing(GitRemote(url, own, own.parent / "incoming")) as remote:
        remote.bring({RED: head})


def push(url: str, own: Path, head: ObjectId) -> None:
    push_with_git(url, own, [PushMove(RED, None, commit_into(own))])


def watch(url: str, own: Path, head: ObjectId) -> None:
    with closing(BranchMirror(url, own.parent / "mirror")) as mirror:
        mirror.fetch()


WAYS = (look, fetch, look_by_git, fetch_by_git, push, watch)
Way = Callable[[str, Path, ObjectId], None]


@pytest.mark.parametrize("code", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("way", WAYS)
def test_a_redirect_to_another_host_is_not_followed(tmp_path: Path, way: Way, code: int) -> None:
    head = with_a_commit(tmp_path / "theirs")
    conduct = Conduct()
    with http_server(tmp_path, conduct) as other:

        class Redirecting(Quiet):
            def do_GET(self) -> None:
                self.answer(code, Location=f"{other}/theirs{self.path.removeprefix('/relay')}")

            do_POST = do_GET

        with serving(Redirecting) as url, pytest.raises(RemoteUnreachable) as error:
            way(f"{url}/relay", bare(tmp_path / "own"), head)
    assert conduct.requests == []
    assert str(error.value).endswith(f"error: {code}: it redirects to another URL; use that one")


def line(data: bytes) -> bytes:
    return b"%04x" % (len(data) + 4) + data


EMPTY_PACK = b"PACK\0\0\0\2\0\0\0\0" + hashlib.sha1(b"PACK\0\0\0\2\0\0\0\0").digest()


def test_a_pack_of_another_host_is_not_fetched(tmp_path: Path) -> None:
    """Git fetches what a server names by URL (packfile-uris), even if it has not asked for that."""
    asked = []

    class Other(Quiet):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.answer(404)

    with serving(Other) as other:

        class Naming(Quiet):
            def do_GET(self) -> None:
                features = (b"version 2\n", b"ls-refs\n", b"fetch=packfile-uris\n", b"object-format=sha1\n")
                body = line(b"# service=git-upload-pack\n") + b"0000" + b"".join(map(line, features)) + b"0000"
                self.answer(200, body, Content_Type="application/x-git-upload-pack-advertisement")

            def do_POST(self) -> None:
                if b"command=ls-refs" in self.rfile.read(int(self.headers["Content-Length"])):
                    body = line(b"a" * 40 + b" " + RED.encode() + b"\n") + b"0000"
                else:
                    named = line(b"packfile-uris\n") + line(b"b" * 40 + b" " + other.encode() + b"/inside\n")
                    body = named + b"0001" + line(b"packfile\n") + line(b"\1" + EMPTY_PACK) + b"0000"
                self.answer(200, body, Content_Type="application/x-git-upload-pack-result")

        with serving(Naming) as url:
            for way in (fetch, fetch_by_git, watch):
                with pytest.raises(StoreError, match="names another URL, which is not fetched"):
                    way(f"{url}/relay", tmp_path / "own" if way is watch else bare(tmp_path / way.__name__), "a" * 40)
    assert asked == []


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    "allowed", ["", '[protocol]\n allow = always\n[protocol "spy"]\n allow = always\n'], ids=["", "allowed"]
)
@pytest.mark.parametrize("is_rewritten", [False, True], ids=["given", "by url.insteadOf"])
def test_a_protocol_that_is_not_documented_runs_no_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, gitconfig: Path, way: Way, allowed: str, is_rewritten: bool
) -> None:
    (tmp_path / "programs").mkdir()
    helper = tmp_path / "programs" / "git-remote-spy"
    helper.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    helper.chmod(0o755)
    monkeypatch.setenv("PATH", f"{helper.parent}:/usr/local/bin:/usr/bin:/bin")
    rewritten = '[url "spy::there"]\n insteadOf = https://relay.invalid/\n' if is_rewritten else ""
    gitconfig.write_text(allowed + rewritten)
    with pytest.raises(RemoteUnreachable, match="transport 'spy' not allowed"):
        way("https://relay.invalid/" if is_rewritten else "spy::there", bare(tmp_path / "own"), ObjectId("a" * 40))
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("config", "variable"),
    [
        ("[protocol]\n allow = never\n", None),
        ('[protocol "http"]\n allow = never\n', None),
        ("", "https:ssh"),
        ("", ""),
    ],
    ids=["general", "of the protocol", "by a variable", "all"],
)
def test_a_protocol_that_the_user_has_forbidden_stays_so_and_one_line_says_where(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, gitconfig: Path, way: Way, config: str, variable: str | None
) -> None:
    head = with_a_commit(tmp_path / "theirs")
    gitconfig.write_text(config)
    if variable is not None:
        monkeypatch.setenv("GIT_ALLOW_PROTOCOL", variable)
    conduct = Conduct()
    with http_server(tmp_path, conduct) as url, pytest.raises(RemoteUnreachable) as error:
        way(f"{url}/theirs", bare(tmp_path / "own"), head)
    assert conduct.requests == []
    assert str(error.value) == (
        f"{url}/theirs: transport 'http' not allowed; see protocol.allow in Git's configuration and GIT_ALLOW_PROTOCOL"
    )


def test_a_protocol_that_the_user_allows_among_forbidden_ones_is_used(tmp_path: Path, gitconfig: Path) -> None:
    head = with_a_commit(tmp_path / "theirs")
    gitconfig.write_text('[protocol]\n allow = never\n[protocol "http"]\n allow = always\n')
    with http_server(tmp_path, Conduct()) as url:
        fetch(f"{url}/theirs", bare(tmp_path / "own"), head)
        watch(f"{url}/theirs", tmp_path / "own", head)


@pytest.mark.parametrize(
    "url", ["ext::sh -c date", "spy::there", "ftp://host/x", "rsync://host/x", "git+ssh://host/x", "https:://x"]
)
def test_a_url_of_another_protocol_is_refused_before_git_sees_it(url: str) -> None:
    with pytest.raises(StoreError, match=r"expected a folder, git://, ssh://, https://, http:// or HOST:PATH"):
        checked_url(url)


@pytest.mark.parametrize(
    "url", ["host:game", "ann@host:a/b.git", "[::1]:game", "ann@[::1]:game", "ssh://ann@host/x", "http://host/x"]
)
def test_a_url_of_a_documented_protocol_is_taken(url: str) -> None:
    assert checked_url(url) == url


def test_the_program_that_stands_before_gits_own_can_be_run() -> None:
    import catan_p2p.log.transport.git_command as module

    program = module._DENIED / "git-http-fetch"
    done = subprocess.run([str(program)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "fatal: the server names another URL, which is not fetched\n")
