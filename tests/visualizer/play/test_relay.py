"""Two windows, two programs, one relay: from the invitation to the end.

Red ---> relay <--- Blue
"""

import getpass
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from catan_p2p.log.audit import audit
from catan_p2p.tables.chat_writing import read_chat
from tests.replication.git_servers import SshServer, lacking_for_ssh, ssh_gets_in, ssh_server
from tests.replication.relays import bare

pytestmark = [pytest.mark.first, pytest.mark.long, pytest.mark.sampled(3, together=True)]

QUICK = "brief; PointsToWin = 3"
needs_ssh = pytest.mark.skipif(lacking_for_ssh() is not None, reason=lacking_for_ssh() or "")


def sit_down(folder: Path, hands: str, words: str, *args: str, **more: str) -> subprocess.Popen[str]:
    """Start somebody's program; what it tells is in ``WORDS.txt``."""
    environment = {**os.environ, "CATAN_P2P_HOME": str(folder / f"{words} home"), **more}
    command = [sys.executable, "-m", "tests.visualizer.play.guest", hands, words, "--", *args]
    with (folder / f"{words}.txt").open("w") as told:
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=told, text=True, env=environment)


Disturbance = Callable[[Path, list[subprocess.Popen[str]]], None]
"""What happens while host and guest play, whose programs may be others then."""


def play_at(folder: Path, relay: str, rules: str, disturb: Disturbance | None = None, **more: str) -> None:
    """Host and join over a relay, both with windows, and audit what each has in the end."""
    red, blue = folder / "red", folder / "blue"
    host = sit_down(folder, "mouse", "hello", "host", "--relay", relay, "--players", "2", "--rules", rules,
                    "--start", "play", str(red), **more)  # fmt: skip
    assert host.stdout is not None
    invitation = host.stdout.readline().strip()
    guest = sit_down(folder, "keys", "good luck", "join", invitation, str(blue), "--as", "Blue",
                     "--start", "play", **more)  # fmt: skip
    seated = [host, guest]
    try:
        if disturb is not None:
            disturb(folder, seated)
        codes = host.wait(), seated[1].wait()
    finally:
        for one in seated:
            one.kill()
            one.wait()
            assert one.stdout is not None
            one.stdout.close()
    assert codes == (0, 0), [(folder / f"{words}.txt").read_text() for words in ("hello", "good luck")]
    heads = set()
    for path in (red, blue):
        verdict = audit(path)
        assert verdict.is_fine, verdict
        assert verdict.history is not None
        assert verdict.history.last.is_over
        heads.add(verdict.history.last)
        assert {(message.colour, message.text) for message in read_chat(path)} == {
            ("Red", "hello"),
            ("Blue", "good luck"),
        }
    assert len(heads) == 1


def test_two_windows_play_over_one_relay_to_the_end(tmp_path: Path) -> None:
    play_at(tmp_path, str(tmp_path / "table.git"), QUICK)


def test_a_killed_window_and_a_lost_relay_come_back_where_they_were(tmp_path: Path) -> None:
    def disturb(folder: Path, seated: list[subprocess.Popen[str]]) -> None:
        while len(actions(folder / "red")) < 9:
            assert [one.poll() for one in seated] == [None, None]
            time.sleep(0.05)
        seated[1].kill()
        seated[1].communicate()
        before = actions(folder / "blue")
        # Without its HEAD it is no repository; if the folder were moved, a push under way could leave a lock in it.
        head = folder / "table.git" / "HEAD"
        head.rename(head.with_name("HEAD.away"))
        seated[1] = sit_down(folder, "keys", "good luck", "play", str(folder / "blue"))
        time.sleep(1.0)
        assert [one.poll() for one in seated] == [None, None], (folder / "hello.txt").read_text()
        assert actions(folder / "blue")[: len(before)] == before
        head.with_name("HEAD.away").rename(head)

    play_at(tmp_path, str(tmp_path / "table.git"), QUICK, disturb)


def actions(path: Path) -> list[str]:
    """What a player's log holds, the oldest first."""
    branch = f"{path.name.capitalize()}_0"
    done = subprocess.run(["git", "-C", str(path), "rev-list", "--reverse", branch], capture_output=True, text=True)
    return done.stdout.split()


@pytest.mark.soak
def test_two_windows_play_a_whole_game_over_one_relay(tmp_path: Path) -> None:
    play_at(tmp_path, str(tmp_path / "table.git"), "brief")


@needs_ssh
@pytest.mark.soak
@pytest.mark.parametrize(("rules", "keeps"), [("brief", True), (QUICK, False)])
def test_two_windows_play_a_game_over_ssh(tmp_path: Path, rules: str, keeps: bool) -> None:
    with ssh_server(tmp_path / "server") as server:
        if why := ssh_gets_in(server):
            pytest.skip(f"the OpenSSH server that was started lets nobody in: {why}")
        bare(tmp_path / "table.git")
        with one_connection(server) if keeps else nullcontext(server.command) as command:
            play_at(tmp_path, server.url(tmp_path / "table.git"), rules, GIT_SSH_COMMAND=command)


@contextmanager
def one_connection(server: SshServer) -> Iterator[str]:
    """The command with which Git uses a connection that is kept open, as ``ControlMaster`` does for people."""
    with TemporaryDirectory() as folder:  # a socket's path must be short
        control = Path(folder) / "c"
        common = [*server.command.split(), "-S", str(control)]
        user = f"{getpass.getuser()}@127.0.0.1"
        with subprocess.Popen([*common, "-M", "-N", "-p", str(server.port), user]) as master:
            try:
                while not control.exists():
                    assert master.poll() is None
                    time.sleep(0.05)
                yield " ".join(common)
            finally:
                master.terminate()
