"""A table of four with hidden hands is opened, joined and played from windows alone, until all cards are opened.

Blue closes the window and comes back; Orange is killed in the middle, and the others go on without.

Red, Blue, Green, Orange ---> relay; over ssh, Green's link is slow
"""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from catan_p2p.log.audit import audit
from catan_p2p.log.opened_hands import openings
from catan_p2p.metrics.link import DelayingProxy
from tests.replication.git_servers import SshServer, lacking_for_ssh, ssh_gets_in, ssh_server
from tests.replication.relays import bare
from tests.visualizer.play.x_display import lacking, virtual_display

COLOURS = ("Red", "Blue", "Green", "Orange")
ONE_WAY_S = 0.15
_ENDS = {"Orange": -signal.SIGKILL}
"""How programs end that do not end well."""
SILENCE_S = "8"
"""Who is silent for so long may be voted on; friends vote on nobody but who has said good-bye."""
needs_display = pytest.mark.skipif(lacking() is not None, reason=lacking() or "")
needs_ssh = pytest.mark.skipif(lacking_for_ssh() is not None, reason=lacking_for_ssh() or "")

_PIPE = """\
import os, socket, sys, threading
there = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
def send():
    while data := os.read(0, 1 << 16):
        there.sendall(data)
    there.shutdown(socket.SHUT_WR)
threading.Thread(target=send, daemon=True).start()
while data := there.recv(1 << 16):
    os.write(1, data)
"""


def play(folder: Path, relay: str, ssh: Mapping[str, str], rounds: int) -> None:
    """Let four programs meet at a relay, and audit what those who stayed have in the end.

    ``ssh`` is by colour the command that the program finds as ``ssh``: it opens one connection, and keeps it.
    """
    with ExitStack() as opened:
        friends = {}
        for colour in COLOURS:
            errors = opened.enter_context((folder / f"{colour}.txt").open("w+"))
            display = opened.enter_context(virtual_display(1100, 720))
            more = {"XDG_RUNTIME_DIR": opened.enter_context(TemporaryDirectory())}  # short enough for sockets
            if colour in ssh:
                more["PATH"] = f"{program(folder / f'{colour}-bin', ssh[colour])}{os.pathsep}{os.environ['PATH']}"
            friends[colour] = opened.enter_context(
                subprocess.Popen(
                    [
                        sys.executable,
                        "-m",
                        "tests.visualizer.play.friend",
                        colour,
                        relay,
                        folder,
                        SILENCE_S,
                        str(rounds),
                    ],
                    env={**os.environ, **display, **more, "CATAN_P2P_HOME": str(folder / colour)},
                    stdout=subprocess.PIPE,
                    stderr=errors,
                    text=True,
                )
            )
        try:
            while any(friend.poll() is None for friend in friends.values()):
                if any(friend.returncode not in (None, 0, _ENDS.get(colour)) for colour, friend in friends.items()):
                    break  # the others would wait for somebody who never comes
                time.sleep(0.1)
        finally:
            for friend in friends.values():
                friend.kill()
        said = {colour: friend.communicate()[0] for colour, friend in friends.items()}
    codes = {colour: friend.returncode for colour, friend in friends.items()}
    assert codes == dict.fromkeys(COLOURS, 0) | _ENDS, [
        (folder / f"{colour}.txt").read_text()[-2000:] for colour in COLOURS
    ]
    heads, opened = set(), set[str]()
    for colour in COLOURS[:3]:
        verdict = audit(Path(said[colour].strip().removeprefix(f"{colour} ")))
        assert verdict.is_fine, verdict
        assert verdict.history is not None
        last = verdict.history.last
        assert last.is_over
        assert last.away == (False, False, False, True)
        heads.add(last)
        found = openings(verdict.history)
        assert (found.gone, found.false) == (("Orange",), ())
        opened |= {*found.opened}
    assert len(heads) == 1
    assert opened == {*COLOURS[:3]}


@needs_display
@pytest.mark.soak
def test_four_windows_play_over_a_folder(tmp_path: Path) -> None:
    play(tmp_path, str(tmp_path / "friends.git"), {}, rounds=4)


@needs_display
@needs_ssh
@pytest.mark.soak
def test_four_windows_play_over_ssh_one_of_them_on_a_slow_link(tmp_path: Path) -> None:
    with ssh_server(tmp_path / "server") as server:
        if why := ssh_gets_in(server):
            pytest.skip(f"the OpenSSH server that was started lets nobody in: {why}")
        bare(tmp_path / "friends.git")
        with DelayingProxy(server.port, ONE_WAY_S) as proxy:
            commands = dict.fromkeys(COLOURS, server.command) | {"Green": slow(server, proxy, tmp_path)}
            play(tmp_path, server.url(tmp_path / "friends.git"), commands, rounds=25)


def slow(server: SshServer, proxy: DelayingProxy, folder: Path) -> str:
    """An ssh whose every piece of data comes late."""
    (folder / "pipe.py").write_text(_PIPE)
    return f"{server.command} -o ProxyCommand='{sys.executable} {folder / 'pipe.py'} {proxy.port}'"


def program(folder: Path, command: str) -> Path:
    """A folder with a program ``ssh`` that is called like this."""
    real = shutil.which("ssh")
    assert real is not None
    folder.mkdir()
    (folder / "ssh").write_text(f'#!/bin/sh\nexec {real} {command.removeprefix("ssh ")} "$@"\n')
    (folder / "ssh").chmod(0o700)
    return folder
