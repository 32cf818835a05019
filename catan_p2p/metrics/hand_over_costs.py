"""Measures hand-overs between two repositories: a recorded game is published step by step and followed elsewhere."""

import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Self

from catan_p2p.game.randomness import SeededRandomness, logical_clock
from catan_p2p.log.history import GameHistory, LoggedAction
from catan_p2p.log.refs import HEADS, REMOTES, local_ref
from catan_p2p.log.storage import disk
from catan_p2p.log.storage.objects import ObjectId, StoreError
from catan_p2p.log.storage.repository import GitCommandError, create_repository, git, open_repository
from catan_p2p.log.transport.their_files import git_folder
from catan_p2p.metrics.link import DelayingProxy
from catan_p2p.players.policies import make_policy
from catan_p2p.replication.replica import Replica
from catan_p2p.simulation.game import SimulationSettings
from catan_p2p.tables.joining import join_game
from catan_p2p.tables.opening import opened_seat
from catan_p2p.tables.seat import SeatSettings

_TIMEOUT_S = 10.0
_FOLLOWER = 2
"""The seat of the peer that follows the game, from 1."""


@dataclass(slots=True)
class FetchCosts:
    """The seconds of each hand-over and of each poll without news, and the received bytes if a proxy counts them."""

    with_news_s: list[float] = field(default_factory=list)
    without_news_s: list[float] = field(default_factory=list)
    received_bytes: list[int] = field(default_factory=list)

    def add(self, fetch: Callable[[], object], publish: Callable[[], None], proxy: DelayingProxy | None) -> None:
        """Time a fetch that finds nothing new, publish, and time one that brings it."""
        self.without_news_s.append(_timed(fetch))
        publish()
        before = proxy.received_bytes if proxy else 0
        self.with_news_s.append(_timed(fetch))
        if proxy:
            self.received_bytes.append(proxy.received_bytes - before)


def _timed(work: Callable[[], object]) -> float:
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


class GamePublisher:
    """A repository that shows a recorded game up to any of its hand-overs, as a folder and through Git's own daemon.

    All objects of the game are there from the beginning. Only branches move: each player's to the player's commits.
    """

    def __init__(self, game: Path, history: GameHistory, groups: Sequence[Sequence[LoggedAction]]) -> None:
        self.history = history
        self.groups = groups
        self._temporary = tempfile.TemporaryDirectory(prefix="catan-p2p-apart-")
        self.folder = Path(self._temporary.name)
        self.path = self.folder / "published.git"
        try:
            create_repository(self.path, work_tree=False, branch="published")
            self._repo = open_repository(self.path)
            with disk.explained("copy", game):
                shutil.copytree(git_folder(game) / "objects", self.path / "objects", dirs_exist_ok=True)
        except StoreError:
            self._temporary.cleanup()
            raise
        try:
            self.port, self._daemon = _serve(self.folder)
        except BaseException:
            self._repo.close()
            self._temporary.cleanup()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._daemon.terminate()
        self._daemon.wait()
        self._repo.close()
        self._temporary.cleanup()

    def show(self, count: int) -> None:
        """Show the first ``count`` hand-overs and nothing else."""
        game = self.history.game
        refs = {local_ref(game.branch(player)): self.history.root for player in game.constants.players}
        for group in self.groups[:count]:
            refs |= self._moved(group)
        shown = self._repo.git.for_each_ref("--format=%(refname)", HEADS).splitlines()
        lines = [f"update {ref} {head}" for ref, head in refs.items()]
        self._update([*lines, *(f"delete {ref}" for ref in shown if ref not in refs)])

    def show_next(self, count: int) -> None:
        """Show one more hand-over, so that ``count`` are shown."""
        self._update(f"update {ref} {head}" for ref, head in self._moved(self.groups[count - 1]).items())

    def _moved(self, group: Sequence[LoggedAction]) -> dict[str, ObjectId]:
        game, last = self.history.game, group[-1]
        return {local_ref(game.branch_for(last.parents[0], last.action)): last.commit}

    def _update(self, lines: Iterable[str]) -> None:
        with tempfile.TemporaryFile() as asked:
            asked.writelines(f"{line}\n".encode() for line in lines)
            asked.seek(0)
            self._repo.git.update_ref("--stdin", istream=asked)


def _serve(folder: Path) -> tuple[int, subprocess.Popen[bytes]]:
    """Start Git's own daemon, serving a folder on a free port of this machine; returns once it listens."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
    command = ["daemon", "--export-all", "--reuseaddr", "--listen=127.0.0.1", f"--port={port}", f"--base-path={folder}"]
    process = subprocess.Popen(
        [git.Git.GIT_PYTHON_GIT_EXECUTABLE or "git", *command, str(folder)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    deadline = time.monotonic() + _TIMEOUT_S
    while True:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return port, process
        except OSError:
            if process.poll() is not None or time.monotonic() > deadline:
                process.kill()
                process.wait()
                raise StoreError(f"git daemon does not listen on port {port} of this machine") from None
            time.sleep(0.01)


def time_git_fetches(
    publisher: GamePublisher,
    url: str,
    settings: SimulationSettings,
    first: int,
    count: int,
    proxy: DelayingProxy | None,
) -> FetchCosts:
    """Time ``git fetch`` for ``count`` hand-overs from number ``first`` on, and without news.

    Takes the same arguments as ``time_synchronizations``, and does not need ``settings``.
    """
    fetched = FetchCosts()
    with (
        tempfile.TemporaryDirectory(dir=publisher.folder) as into,
        open_repository(create_repository(Path(into), work_tree=False, branch="none").folder) as repo,
    ):
        command = ("--quiet", "--no-tags", "--no-write-fetch-head", url, f"+{HEADS}*:{REMOTES}published/*")

        def fetch() -> None:
            try:
                repo.git.fetch(*command, env={"GIT_ALLOW_PROTOCOL": "file:git"})
            except GitCommandError as error:
                raise StoreError(f"{url}: git fetch failed: {str(error.stderr or error).strip()}") from error

        publisher.show(first)
        fetch()
        for shown in range(first + 1, min(first + count, len(publisher.groups)) + 1):
            fetched.add(fetch, partial(publisher.show_next, shown), proxy)
    return fetched


def time_synchronizations(
    publisher: GamePublisher,
    url: str,
    settings: SimulationSettings,
    first: int,
    count: int,
    proxy: DelayingProxy | None,
) -> FetchCosts:
    """Time a peer's synchronization for ``count`` hand-overs from number ``first`` on, and without news.

    As in a game, the peer polls only the players for whom the game waits. It plays the second seat with the game's
    own seed, so it makes the same moves as in the recording.
    """
    fetched = FetchCosts()
    colours = [seat.colour for seat in publisher.history.game.seats]
    seat = SeatSettings(colours[_FOLLOWER - 1], settings.seed, "logical", settings.policy_of(_FOLLOWER), durable=False)
    publisher.show(first)
    with tempfile.TemporaryDirectory(dir=publisher.folder) as into:
        join_game(url, Path(into) / "seat", seat)
        seat.remotes = {colour: url for colour in colours if colour != seat.colour}
        policy = make_policy(settings.policy_of(_FOLLOWER))
        with opened_seat(Path(into) / "seat", seat, policy, SeededRandomness, logical_clock) as replica:
            replica.synchronize()
            for shown in range(first + 1, len(publisher.groups) + 1):
                if len(fetched.with_news_s) == count:
                    break
                group = publisher.groups[shown - 1]
                if group[0].action.player == _FOLLOWER:
                    # It must make its own moves, as recorded: it never fetches them.
                    _act(replica, group[-1].commit)
                    publisher.show_next(shown)
                    continue
                fetched.add(partial(replica.synchronize, everybody=False), partial(publisher.show_next, shown), proxy)
                _expect(replica, group[-1].commit)
    return fetched


def _act(replica: Replica, expected: ObjectId) -> None:
    while replica.is_awaited and expected not in replica.graph:
        replica.act()
    _expect(replica, expected)


def _expect(replica: Replica, commit: ObjectId) -> None:
    if commit not in replica.graph:
        trouble = [neighbour.trouble for neighbour in replica.neighbours if neighbour.trouble]
        rejected = [str(bad) for neighbour in replica.neighbours for bad in neighbour.rejected.values()]
        why = "; ".join(trouble + rejected) or "it never came"
        raise StoreError(f"the peer that follows the game does not have {commit[:10]}: {why}")
