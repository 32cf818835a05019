"""The cost of clients at a relay: processor time of ``git daemon`` and its children, by kind of request.

    python -m benchmarks.relay [--quick]

A bare repository holds a recorded game, with other tables' refs beside its own, loose as pushes leave them. Polls and
fetches are those of the program's own client, pushes those of ``git push``. Processor time is that of the daemon and of
the processes it has waited for, so that other programs matter little. The coefficients in
``catan_p2p/simulation/laboratory/daemon.py`` are from such a run. Linux.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import NamedTuple

from benchmarks.rows import Row, print_rows
from catan_p2p.log.refs import HEADS
from catan_p2p.log.storage.objects import ObjectId, parse_object_id
from catan_p2p.log.transport.git_protocol import GitProtocolRemote
from catan_p2p.log.transport.ref_listing import packet
from catan_p2p.simulation.game import SimulationSettings, game_folder, play_game

RED = "refs/heads/Red_0"
_TICK_US = 1_000_000 // os.sysconf("SC_CLK_TCK")
_START_S = 10.0


class Relay(NamedTuple):
    """A running daemon: its process, and the URL of the one repository that it serves."""

    process: subprocess.Popen[bytes]
    url: str

    def spent_us(self) -> int:
        """The processor time of the daemon and of all processes that it has waited for, in microseconds."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return sum(map(int, fields[11:15])) * _TICK_US

    def each_us(self, do: Callable[[], object], times: int) -> float:
        """The processor time of one request, as the mean of ``times``."""
        before = self._settled_us()
        for _ in range(times):
            do()
        return (self._settled_us() - before) / times

    def _settled_us(self) -> int:
        """``spent_us`` once it has stopped growing: a process counts only when the daemon has waited for it."""
        seen = -1
        while seen != (seen := self.spent_us()):
            # The daemon waits for its children when a client connects, or a child has ended.
            time.sleep(0.1)
        return seen


@contextmanager
def stock_relay(folder: Path) -> Iterator[Relay]:
    """Git's own daemon, which serves the bare repository ``relay.git`` of a folder for fetches and pushes."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
    # Not "git daemon", a parent of the daemon: the daemon's time would count only at its end.
    daemon = Path(_git(folder, "--exec-path").strip()) / "git-daemon"
    options = ["--export-all", "--enable=receive-pack", "--reuseaddr", "--listen=127.0.0.1", f"--port={port}"]
    command = [str(daemon), *options, f"--base-path={folder}", str(folder)]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + _START_S
        while True:
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except OSError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.05)
        yield Relay(process, f"git://127.0.0.1:{port}/relay.git")
    finally:
        process.terminate()
        process.wait()


def _git(folder: Path, *arguments: str, told: str | None = None) -> str:
    done = subprocess.run(
        ["git", "-C", str(folder), *arguments], input=told, capture_output=True, text=True, check=True
    )
    return done.stdout


MANY = 16
VISITS = (
    "a look",
    "a fetch of 1 commit",
    f"a fetch of {MANY} commits",
    "the beginning of a push",
    "a push of 1 commit",
    f"a push of {MANY} commits",
)
BEGUN = 100
"""The number of the game's commits at the relay before the first request."""


def recorded_line(folder: Path) -> tuple[Path, list[ObjectId]]:
    """A signed game of four with joint draws, and the line of its commits from the root on."""
    settings = SimulationSettings(
        players=4, games=1, seed=1, policies=("builder",), rules="thesis", chance="joint", signed=True
    )
    play_game(folder, 0, settings)
    game = game_folder(folder, 0)
    return game, [*map(parse_object_id, _git(game, "rev-list", "--first-parent", "--reverse", RED).split())]


def measure(folder: Path, game: Path, line: list[ObjectId], refs: int, times: int) -> list[float]:
    """Microseconds for each of ``VISITS`` at a repository with this many refs, all but one of other tables' logs."""
    relay = folder / "relay.git"
    _git(folder, "init", "-q", "--bare", str(relay))
    with stock_relay(folder) as served:
        _git(game, "push", "-q", served.url, f"{line[BEGUN]}:{RED}")
        others = (f"create refs/heads/Red_{number} {line[number % BEGUN]}\n" for number in range(1, refs))
        _git(relay, "update-ref", "--stdin", told="".join(others))
        at = BEGUN

        def push(commits: int) -> None:
            nonlocal at
            at += commits
            _git(game, "push", "-q", served.url, f"{line[at]}:{RED}")

        port = int(served.url.split(":")[2].split("/")[0])
        client = GitProtocolRemote(served.url)

        def look() -> None:
            client.heads((RED,), HEADS)
            client.rest()

        def fetch(commits: int) -> None:
            client.bring({RED: line[at]}, [line[at - commits]])
            client.rest()

        pushes = [served.each_us(partial(push, commits), times // (10 if commits > 1 else 2)) for commits in (1, MANY)]
        begun = served.each_us(partial(_begin_a_push, port), times)
        looks = served.each_us(look, times)
        fetches = [served.each_us(partial(fetch, commits), times) for commits in (1, MANY)]
    return [looks, *fetches, begun, *pushes]


def _begin_a_push(port: int) -> None:
    """Read the listing of refs, as ``git push`` does first, and stop there."""
    with socket.create_connection(("127.0.0.1", port)) as connection, connection.makefile("rwb") as stream:
        stream.write(packet("git-receive-pack /relay.git\0host=127.0.0.1\0"))
        stream.flush()
        while (size := int(stream.read(4), 16)) > 0:
            stream.read(size - 4)
        stream.write(b"0000")


def rows(*, quick: bool = False) -> list[Row]:
    """Milliseconds of the relay's processor for each kind of request, with the refs of one table and of many."""
    found = []
    with tempfile.TemporaryDirectory(prefix="catan-p2p-bench-") as temporary:
        game, line = recorded_line(Path(temporary) / "game")
        for refs in (4, 400) if quick else (4, 400, 4000):
            folder = Path(temporary) / f"{refs}"
            folder.mkdir()
            costs = measure(folder, game, line, refs, 20 if quick else 100)
            for visit, us in zip(VISITS, costs, strict=True):
                found.append(Row(f"the relay's processor, {visit}, {refs:,} refs", us / 1000, "ms"))
    return found


if __name__ == "__main__":
    sys.exit(print_rows(rows))
