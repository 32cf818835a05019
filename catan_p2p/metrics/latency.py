"""The three latencies of the thesis: one server, peers in one repository, peers with a repository each."""

from __future__ import annotations

import contextlib
import json
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from statistics import fmean, median, stdev
from typing import Any

import git
from git.exc import GitCommandError

from catan_p2p.log.history import LoggedAction, load_history
from catan_p2p.log.objects import ObjectId, StoreError
from catan_p2p.log.refs import HEADS, REMOTES
from catan_p2p.metrics.central import play_central
from catan_p2p.metrics.deltas import group_hand_overs
from catan_p2p.metrics.link import DelayingProxy
from catan_p2p.metrics.timings import read_timings, timings_file
from catan_p2p.simulation.run import resume_run

DELAYS_S = (0.0, 0.01, 0.05)
"""Delays of the link, one way, that are measured by default."""

_PATIENCE_S = 10.0


@dataclass(frozen=True, slots=True)
class Latency:
    """How long something took, ``count`` times, in seconds.

    ``setting`` is ``central``, ``shared`` or ``separate``, ``what`` says what was timed; ``transport`` and ``delay_s``
    (one way) are those of the link between two repositories. ``received_bytes`` is the mean of what came over it.
    """

    players: int
    setting: str
    what: str
    transport: str
    delay_s: float
    count: int
    mean_s: float
    deviation_s: float
    median_s: float
    received_bytes: float | None = None


def _latency(
    players: int,
    setting: str,
    what: str,
    values: Sequence[float],
    transport: str = "",
    delay_s: float = 0.0,
    received_bytes: float | None = None,
) -> Latency:
    deviation = stdev(values) if len(values) > 1 else 0.0
    return Latency(
        players,
        setting,
        what,
        transport,
        delay_s,
        len(values),
        fmean(values),
        deviation,
        median(values),
        received_bytes,
    )


def measure_latencies(
    game: Path, *, delays_s: Sequence[float] = DELAYS_S, hand_overs: int = 20, repeats: int = 5
) -> list[Latency]:
    """All latencies of one game of a simulation; ``StoreError`` if there is none at ``game``.

    The central one is measured by playing the same game again, those of the shared repository are what the simulation
    recorded, those between repositories are fetches of the game's own hand-overs.
    """
    history = load_history(game)
    players = history.game.constants.player_count
    settings = resume_run(game.parent).settings
    played = [play_central(history.game.number, settings) for _ in range(repeats)]
    found = [_latency(players, "central", "action", [one.elapsed_s / len(one.actions) for one in played])]
    timings = read_timings(timings_file(game))
    acting = [timing.apply_s + timing.check_s + timing.choose_s + timing.write_s for timing in timings.actions.values()]
    for what, values in (
        ("action", acting),
        ("synchronization with news", [sync.sync_s for sync in timings.with_news]),
        ("synchronization without news", [sync.sync_s for sync in timings.without_news]),
    ):
        if values:
            found.append(_latency(players, "shared", what, values))
    groups = group_hand_overs(history.actions)
    first = max(0, len(groups) // 2 - hand_overs // 2)
    return found + measure_fetches(game, players, groups[first : first + hand_overs + 1], delays_s)


def measure_fetches(
    game: Path, players: int, groups: Sequence[Sequence[LoggedAction]], delays_s: Sequence[float]
) -> list[Latency]:
    """What ``git fetch`` takes between two repositories for each group of commits after the first, and for nothing new.

    Over the path of the other repository, and over git:// on this machine with each of the delays.
    """
    found = []
    with tempfile.TemporaryDirectory(prefix="catan-p2p-fetch-") as temporary:
        folder = Path(temporary)
        publisher = folder / "publisher.git"
        try:
            git.Repo.clone_from(str(game), publisher, multi_options=["--bare", "--quiet"]).close()
        except GitCommandError as error:
            raise StoreError(f"{game}: cannot clone: {str(error.stderr or error).strip()}") from error
        found += _fetches(players, publisher, folder / "path.git", str(publisher), groups, "path", 0.0, None)
        with _daemon(folder) as port:
            for delay_s in delays_s:
                with DelayingProxy(port, delay_s) as proxy:
                    url = f"git://127.0.0.1:{proxy.port}/publisher.git"
                    into = folder / f"git_{round(delay_s * 1e6)}.git"
                    found += _fetches(players, publisher, into, url, groups, "git", delay_s, proxy)
    return found


def _fetches(
    players: int,
    publisher: Path,
    into: Path,
    url: str,
    groups: Sequence[Sequence[LoggedAction]],
    transport: str,
    delay_s: float,
    proxy: DelayingProxy | None,
) -> list[Latency]:
    news: list[float] = []
    nothing: list[float] = []
    sizes: list[int] = []
    with git.Repo.init(into, bare=True) as repo, git.Repo(publisher) as source:
        with repo.config_writer() as config:
            config.set_value("gc", "auto", "0")
            config.set_value("maintenance", "auto", "false")
        fetch = _fetcher(repo, url)
        _show_only(source, groups[0][-1].commit)
        fetch()
        for group in groups[1:]:
            _show_only(source, group[-1].commit)
            before = proxy.received_bytes if proxy else 0
            news.append(_timed(fetch))
            if proxy:
                sizes.append(proxy.received_bytes - before)
            nothing.append(_timed(fetch))
    received = fmean(sizes) if sizes else None
    return [
        _latency(players, "separate", "git fetch with news", news, transport, delay_s, received),
        _latency(players, "separate", "git fetch without news", nothing, transport, delay_s),
    ]


def _fetcher(repo: git.Repo, url: str) -> Callable[[], None]:
    def fetch() -> None:
        try:
            repo.git.fetch("--quiet", "--no-tags", "--no-write-fetch-head", url, f"+{HEADS}*:{REMOTES}publisher/*")
        except GitCommandError as error:
            raise StoreError(f"{url}: git fetch failed: {str(error.stderr or error).strip()}") from error

    return fetch


def _show_only(source: git.Repo, head: ObjectId) -> None:
    """Let the repository have one branch, at a commit of the game."""
    for ref in source.git.for_each_ref("--format=%(refname)", HEADS).splitlines():
        if ref != f"{HEADS}log":
            source.git.update_ref("-d", ref)
    source.git.update_ref(f"{HEADS}log", head)


def _timed(work: Callable[[], None]) -> float:
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


@contextlib.contextmanager
def _daemon(folder: Path) -> Iterator[int]:
    """Git's own daemon serving a folder on a free port of this machine."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
    command = ["daemon", "--export-all", "--reuseaddr", "--listen=127.0.0.1", f"--port={port}", f"--base-path={folder}"]
    process = subprocess.Popen(
        [git.Git.GIT_PYTHON_GIT_EXECUTABLE or "git", *command, str(folder)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        deadline = time.monotonic() + _PATIENCE_S
        while True:
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except OSError:
                if process.poll() is not None or time.monotonic() > deadline:
                    raise StoreError(f"git daemon does not listen on port {port} of this machine") from None
                time.sleep(0.01)
        yield port
    finally:
        process.terminate()
        process.wait()


def write_latencies(path: Path, latencies: Sequence[Latency], machine: dict[str, object]) -> None:
    """Keep latencies as JSON, with the machine that they were measured on."""
    text = json.dumps({"machine": machine, "latencies": [asdict(one) for one in latencies]}, indent=2)
    try:
        path.write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise StoreError(f"{path}: cannot write: {error.strerror or error}") from error


def read_latencies(path: Path) -> list[Latency]:
    """The latencies kept in a file, none if there is no such file; ``StoreError`` if it is another file."""
    try:
        kept: Any = json.loads(path.read_text(encoding="utf-8"))
        names = [name.name for name in fields(Latency)]
        return [Latency(**{name: one[name] for name in names}) for one in kept["latencies"]]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise StoreError(f"{path}: cannot read: {error.strerror or error}") from error
    except (ValueError, TypeError, KeyError) as error:
        raise StoreError(f"{path}: not latencies: {error}") from None
