"""Games on an existing Dask cluster: each is played in a worker's own folder and comes back whole.

Workers need this program of the same version, and no folder in common with anybody. The seed decides everything, so a
game has the same object ids wherever it is played.
"""

from __future__ import annotations

import logging
import queue
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from catan_p2p import __version__
from catan_p2p.log.storage.objects import StoreError
from catan_p2p.simulation.archive import pack_games, unpack_game
from catan_p2p.simulation.findings import FINDINGS_FILE, append_line
from catan_p2p.simulation.game import SimulationSettings, game_folder
from catan_p2p.simulation.play import After, Played, play_one
from catan_p2p.simulation.run import ClusterError, SimulationRun

if TYPE_CHECKING:
    from distributed import Client, Future

_CONNECT_S = 10
_LOOK_S = 2
_SILENT_S = 60
_AHEAD = 2
"""How many games are under way for each thread of a worker: one that is played, and one that is next."""

T = TypeVar("T")
Tell = Callable[[str], None]
"""Is told in a line what is waited for."""


class DaskExecutor:
    """Plays the games of a run on the cluster of the scheduler at ``url``, such as ``tcp://host:8786``.

    ``ClusterError`` if there is none, if it has no worker, or if its workers have another version of this program;
    while games are played, if a worker fails or the scheduler goes away. ``tell`` hears when no worker is
    left, and when there is one again.
    """

    def __init__(self, url: str, tell: Tell | None = None) -> None:
        self._url = url
        self._tell = tell
        self._client = connect(url)

    def close(self) -> None:
        """Leave the cluster; games that it still plays are given up."""
        self._client.close()

    def __call__(
        self, run: SimulationRun, numbers: list[int], after: After | None = None
    ) -> Iterator[tuple[int, Played]]:
        """Play games, in the order in which they end.

        One whose repository was begun here is continued here.
        """
        begun = [number for number in numbers if game_folder(run.out, number).exists()]
        for number in begun:
            yield number, play_one(run.out, number, run.settings, after=after)
        work = ((number, run.settings, after) for number in numbers if number not in begun)
        for number, played, packed in self.each(_play_away, work):
            if packed:
                unpack_game(packed, run.out, number)
            for line in played.findings:
                append_line(run.out / FINDINGS_FILE, line)
            yield number, played

    def each(self, function: Callable[..., T], work: Iterable[tuple[Any, ...]]) -> Iterator[T]:
        """What ``function`` returns for each piece of work, its arguments, in the order in which they end."""
        given: set[Future] = set()

        def submitted(arguments: tuple[Any, ...]) -> Future:
            future = self._client.submit(function, *arguments, pure=False)
            given.add(future)
            return future

        try:
            for future in as_they_end(self._client, self._url, map(submitted, work), self._tell):
                result = self._result(future)
                given.discard(future)
                future.release()
                yield result
        finally:
            if self._client.status == "running":  # else nobody is left who could give them up
                self._client.cancel(list(given))

    def _result(self, future: Any) -> Any:
        try:
            return future.result()
        except StoreError as error:
            raise StoreError(f"a worker of {self._url}: {error}") from error
        except Exception as error:  # whatever went wrong with a worker, the user gets one line
            raise ClusterError(f"{self._url}: a worker failed: {type(error).__name__}: {error}") from error


def connect(url: str) -> Client:
    """A client of the cluster whose scheduler is at ``url``; ``ClusterError`` if it cannot be used."""
    try:
        from distributed import Client
    except ImportError:
        raise ClusterError("--executor dask needs Dask: pip install 'catan-p2p[cluster]'") from None
    logging.getLogger("distributed.client").setLevel(logging.CRITICAL + 1)  # what the user must know we say, in a line
    # One that cannot connect has to be closed: if it is left to the collector of garbage while another one starts, both
    # want the same lock, in the same thread, and wait for ever.
    client: Client = Client.__new__(Client)
    try:
        # What a worker has made comes from that worker: a game is not passed on by the scheduler.
        client.__init__(url, timeout=_CONNECT_S, name="catan-p2p", direct_to_workers=True)
    except (OSError, ValueError) as error:
        client.close()
        raise ClusterError(f"{url}: no Dask scheduler answers: {error}") from error
    try:
        versions = client.run(_version)
    except Exception as error:
        client.close()
        raise ClusterError(f"{url}: a worker cannot run this program: {type(error).__name__}: {error}") from error
    wrong = {worker: version for worker, version in versions.items() if version != __version__}
    if wrong or not versions:
        client.close()
        worker, version = next(iter(wrong.items()), (None, None))
        what = f"the worker {worker} has version {version}, expected {__version__}" if wrong else "it has no worker"
        raise ClusterError(f"{url}: {what}")
    return client


def as_they_end(client: Client, url: str, work: Iterator[Future], tell: Tell | None = None) -> Iterator[Future]:
    """What is submitted to the scheduler at ``url``, in the order in which it ends.

    ``work`` submits the next each time: as much is under way as keeps all workers busy. Waits as long as there is a
    scheduler, also for workers to come back. ``ClusterError`` once it is gone, or has said nothing for a minute.
    """
    ended: queue.Queue[Future] = queue.Queue()
    left, alone, answered, threads = 0, False, time.monotonic(), _threads(client)
    while True:
        for future in islice(work, max(0, _AHEAD * threads - left)):
            left += 1
            future.add_done_callback(ended.put)
        if not left:
            return
        try:
            future = ended.get(timeout=_LOOK_S)
        except queue.Empty:
            workers = _workers(client)
            if workers is not None:
                answered, threads = time.monotonic(), _threads(client)
            if client.status in ("closing", "closed") or time.monotonic() - answered > _SILENT_S:
                raise ClusterError(f"{url}: the scheduler went away") from None
            if tell is not None and workers is not None and alone != (not workers):
                tell(f"{url}: " + (f"{workers} worker(s) again" if workers else "no worker is left; waiting for one"))
                alone = not workers
            continue
        if future.cancelled():
            raise ClusterError(f"{url}: the scheduler went away")
        left -= 1
        yield future
        answered = time.monotonic()


def _threads(client: Client) -> int:
    """How many games the workers play at once; 1 while there is no worker, or nobody answers: one waits for it."""
    try:
        threads: dict[str, int] = client.nthreads()
        return max(1, sum(threads.values()))
    except (OSError, AttributeError, RuntimeError):
        return 1


def _workers(client: Client) -> int | None:
    """How many workers the scheduler has; ``None`` if it does not say so soon."""
    from asyncio import CancelledError  # loaded with Dask, and by no simulation without it

    try:
        identity = client.sync(client.scheduler.identity, n_workers=-1, callback_timeout=_CONNECT_S)
    except (OSError, AttributeError, RuntimeError, CancelledError):
        return None  # nobody answers, or in time; or the client has just lost its scheduler, or gives up
    return len(identity["workers"])


def _version() -> str:
    return __version__


def _play_away(number: int, settings: SimulationSettings, after: After | None) -> tuple[int, Played, bytes]:
    """Play a game in a folder that is gone afterwards: its number, what came of it, and what it left as tar."""
    with tempfile.TemporaryDirectory(prefix="catan-p2p-") as temporary:
        out = Path(temporary)
        played = play_one(out, number, settings, after=after)
        return number, played, pack_games(out) if game_folder(out, number).exists() else b""
