"""What was fetched and not validated is bounded while it comes, and gone whatever ends it."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from time import monotonic, sleep

import pytest

from catan_p2p.log.transport.git_remote import GitRemote
from catan_p2p.log.transport.quarantine import Quarantine, sweep
from catan_p2p.log.transport.queries import AskCommits
from catan_p2p.log.transport.remote import BadFetch, CostlyRemote, RemoteUnreachable
from catan_p2p.log.transport.worker_remote import WorkerRemote
from tests.log.transport.packs import REF, SCHEMES, on_disk, served, with_a_large_pack
from tests.replication.git_servers import http_backend
from tests.replication.relays import bare

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="a shell script stands in for ssh"),
    pytest.mark.skipif(http_backend() is None, reason="needs git-http-backend"),
]
LARGE = 1 << 20
by_git = partial(served, speaks_2=False)
"""A server of which Git itself fetches."""
ENOUGH_S = 120.0


@contextmanager
def reader(tmp_path: Path, url: str) -> Iterator[WorkerRemote]:
    remote = WorkerRemote(url, bare(tmp_path / "own"), tmp_path / "incoming")
    try:
        yield remote
    finally:
        remote.close()


def wait_until(is_so: Callable[[], bool]) -> None:
    until = monotonic() + ENOUGH_S
    while not is_so():
        assert monotonic() < until
        sleep(0.02)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_nothing_is_left_of_a_pack_that_is_cut(tmp_path: Path, scheme: str) -> None:
    theirs, head = with_a_large_pack(tmp_path / "theirs", LARGE)
    with by_git(scheme, theirs, cuts_after=LARGE // 2) as url, reader(tmp_path, url) as remote:
        for _ in range(2):
            with pytest.raises(RemoteUnreachable):
                remote.bring({REF: head})
            assert on_disk(tmp_path / "incoming") == 0


def test_git_itself_leaves_what_is_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the clearing, half a megabyte stays for each fetch: so the tests beside this one bite."""
    monkeypatch.setattr(Quarantine, "clear", lambda self: None)
    theirs, head = with_a_large_pack(tmp_path / "theirs", LARGE)
    with by_git("http", theirs, cuts_after=LARGE // 2) as url:
        remote = GitRemote(url, bare(tmp_path / "own"), tmp_path / "incoming")
        for times in (1, 2):
            with pytest.raises(RemoteUnreachable):
                remote.bring({REF: head})
            assert on_disk(tmp_path / "incoming") > times * LARGE // 4


@pytest.mark.parametrize("scheme", SCHEMES)
def test_nothing_is_left_of_a_pack_that_stalls(tmp_path: Path, scheme: str) -> None:
    theirs, head = with_a_large_pack(tmp_path / "theirs", LARGE)
    with by_git(scheme, theirs, cuts_after=LARGE // 2, stalls=True) as url, reader(tmp_path, url) as remote:
        remote.ask(AskCommits({REF: head}, ()))
        wait_until(lambda: on_disk(tmp_path / "incoming") > LARGE // 4)
        remote._deadline = 0.0
        with pytest.raises(RemoteUnreachable, match="takes too long"):
            remote.answer()
        assert on_disk(tmp_path / "incoming") == 0


@pytest.mark.long
@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_pack_that_is_larger_than_the_limit_is_ended_at_it(tmp_path: Path, scheme: str) -> None:
    theirs, head = with_a_large_pack(tmp_path / "theirs", 4 * LARGE)
    with by_git(scheme, theirs) as url, reader(tmp_path, url) as remote:
        remote.quarantine_bytes = LARGE
        most, over = [0], threading.Event()

        def look() -> None:
            while not over.wait(0.002):
                most[0] = max(most[0], on_disk(tmp_path / "incoming"))

        watcher = threading.Thread(target=look)
        watcher.start()
        try:
            with pytest.raises(BadFetch, match="sends more than") as caught:
                remote.bring({REF: head})
        finally:
            over.set()
            watcher.join()
        assert caught.value.reason == "size"
        assert most[0] <= LARGE + (64 << 10)
        assert on_disk(tmp_path / "incoming") == 0


def test_the_limit_holds_for_what_several_fetches_bring(tmp_path: Path) -> None:
    theirs, head = with_a_large_pack(tmp_path / "theirs", LARGE)
    with by_git("http", theirs) as url, reader(tmp_path, url) as remote:
        remote.quarantine_bytes = LARGE * 3 // 2
        for _ in range(4):
            remote.bring({REF: head})
            assert remote.read(head)[0] == "commit"
            assert on_disk(tmp_path / "incoming") <= remote.quarantine_bytes


def test_a_fetch_that_was_dear_and_in_vain_is_told_apart(tmp_path: Path) -> None:
    theirs, head = with_a_large_pack(tmp_path / "theirs", 4 * LARGE)
    with (
        by_git("http", theirs, cuts_after=3 * LARGE) as url,
        reader(tmp_path, url) as remote,
        pytest.raises(CostlyRemote),
    ):
        remote.bring({REF: head})


def test_the_folder_goes_with_the_peer_that_was_killed(tmp_path: Path) -> None:
    """The process that reads a neighbour ends with the peer, and takes along what it has fetched."""
    theirs, head = with_a_large_pack(tmp_path / "theirs", LARGE)
    own, incoming = bare(tmp_path / "own"), tmp_path / "incoming"
    program = (
        "import sys; from pathlib import Path; from time import sleep\n"
        "from catan_p2p.log.transport.queries import AskCommits\n"
        "from catan_p2p.log.transport.worker_remote import WorkerRemote\n"
        "remote = WorkerRemote(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))\n"
        f"remote.ask(AskCommits({{{REF!r}: {head!r}}}, ()))\n"
        "sleep(600)\n"
    )
    with by_git("http", theirs, cuts_after=LARGE // 2, stalls=True) as url:
        peer = subprocess.Popen([sys.executable, "-c", program, url, str(own), str(incoming)])
        try:
            wait_until(lambda: on_disk(incoming) > LARGE // 4)
        finally:
            peer.kill()
            peer.wait()
        wait_until(lambda: on_disk(incoming) == 0)


def test_what_a_kill_of_all_has_left_is_swept_and_what_is_in_use_is_not(tmp_path: Path) -> None:
    incoming = tmp_path / "incoming"
    program = (
        "import sys; from pathlib import Path; from time import sleep\n"
        "from catan_p2p.log.transport.quarantine import Quarantine\n"
        "one = Quarantine(Path(sys.argv[1])); one.begin()\n"
        "(one.objects / 'pack' / 'tmp_pack_x').write_bytes(bytes(100)); print(flush=True); sleep(600)\n"
    )
    folders = [incoming / "Blue" / Quarantine.new_name() for _ in range(2)]
    holders = [
        subprocess.Popen([sys.executable, "-c", program, str(folder)], stdout=subprocess.PIPE) for folder in folders
    ]
    try:
        for holder in holders:
            assert holder.stdout is not None
            holder.stdout.readline()
        old = incoming / "Green" / "objects" / "pack"  # as they were laid out before
        old.mkdir(parents=True)
        (old / "tmp_pack_y").write_bytes(bytes(100))
        (tmp_path / "elsewhere").mkdir()
        (tmp_path / "elsewhere" / "kept").write_bytes(b"kept")
        (incoming / "Red").symlink_to(tmp_path / "elsewhere")
        os.kill(holders[0].pid, signal.SIGKILL)
        holders[0].wait()
        assert (folders[0] / "objects" / "pack" / "tmp_pack_x").exists()
        sweep(incoming)
        assert not folders[0].exists()
        assert (folders[1] / "objects" / "pack" / "tmp_pack_x").exists()
        assert not old.exists()
        assert (tmp_path / "elsewhere" / "kept").exists()
    finally:
        for holder in holders:
            holder.kill()
            holder.communicate()
    sweep(incoming)
    assert [entry.name for entry in incoming.iterdir()] == ["Red"], "a link is nobody's quarantine"
