"""Games on an existing Dask cluster: each is played in a temporary folder of a worker and sent back whole.

Workers need the same version of this program, and no shared folder. The seed decides everything, so a game has the
same object ids wherever it is played.
"""

from __future__ import annotations

import logging
import queue
import tempfile
import time
from asyncio import CancelledError
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
"""How many games are submitted for each thread of a worker: the one that it plays, and the next one."""

T = TypeVar("T")
Tell = Callable[[str], None]
"""Called with a line that says what the program waits for."""


class DaskExecutor:
    """Plays the games of a run on the cluster of the scheduler at ``url``, such as ``tcp://host:8786``.

    ``ClusterError`` if there is no scheduler, if it has no worker, or if its workers have another version of this
    program; while games are played, also if a worker fails or the scheduler goes away. ``tell`` is called when no
    worker is left, and when there is one again.
    """

    def __init__(self, url: str, tell: Tell | None = None) -> None:
        self._url = url
        self._tell = tell
        self._client = connect(url)

    def close(self) -> None:
        """Disconnect from the cluster; it cancels the games that it still plays."""
        self._client.close()

    def __call__(
        self, run: SimulationRun, numbers: list[int], after: After | None = None
    ) -> Iterator[tuple[int, Played]]:
        """Play games and yield each with its outcome, in the order in which they end.

        A game whose repository was begun on this machine is continued here: a worker does not have it.
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
        """Call ``function`` on the cluster with each tuple of arguments; yields results in the order of ending."""
        given: set[Future] = set()

        def submitted(arguments: tuple[Any, ...]) -> Future:
            # pure=False: otherwise Dask could answer with the result of an earlier call with equal arguments.
            future = self._client.submit(function, *arguments, pure=False)
            given.add(future)
            return future

        try:
            for future in as_they_end(self._client, self._url, map(submitted, work), self._tell):
                result = self._result(future)
                given.discard(future)
                future.release()  # the scheduler keeps a result for as long as somebody holds its future
                yield result
        finally:
            if self._client.status == "running":  # else there is no scheduler that could cancel them
                self._client.cancel(list(given))

    def _result(self, future: Any) -> Any:
        try:
            return future.result()
        except StoreError as error:
            raise StoreError(f"a worker of {self._url}: {error}") from error
        except Exception as error:  # of any kind: Dask raises again what the worker raised
            raise ClusterError(f"{self._url}: a worker failed: {type(error).__name__}: {error}") from error


def connect(url: str) -> Client:
    """A client of the cluster whose scheduler is at ``url``; ``ClusterError`` if it cannot be used."""
    try:
        from distributed import Client
    except ImportError:
        raise ClusterError("playing on a cluster needs Dask: pip install 'catan-p2p[cluster]'") from None
    logging.getLogger("distributed.client").setLevel(logging.CRITICAL + 1)  # ``ClusterError`` says it in one line
    # A client that cannot connect must be closed, so its name must exist before ``__init__`` raises. Left to the
    # garbage collector while another client starts, it waits in the same thread for a lock that this one holds.
    client: Client = Client.__new__(Client)
    try:
        # Results come straight from the workers: a whole game need not pass through the scheduler.
        client.__init__(url, timeout=_CONNECT_S, name="catan-p2p", direct_to_workers=True)
    except (OSError, ValueError) as error:
        client.close()
        words = f"{url}: no Dask scheduler answers: {error}; the command dask scheduler starts one"
        raise ClusterError(words) from error
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
    """The futures that ``work`` submits to the scheduler at ``url``, in the order in which they end.

    Each step of ``work`` submits one more; enough are submitted to keep all workers busy. Waits as long as there is a
    scheduler, even while it has no workers. ``ClusterError`` once it is gone, or has not answered for a minute.
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
            # Nothing has ended for a while: ask whether scheduler and workers are still there.
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
    """How many games the workers play at once; 1 if there is no worker or no answer, so that a game is waiting."""
    try:
        threads: dict[str, int] = client.nthreads()
        return max(1, sum(threads.values()))
    except (OSError, AttributeError, RuntimeError):
        return 1


def _workers(client: Client) -> int | None:
    """How many workers the scheduler has; None if it does not answer in time."""
    try:
        identity = client.sync(client.scheduler.identity, n_workers=-1, callback_timeout=_CONNECT_S)
    except (OSError, AttributeError, RuntimeError, CancelledError):
        return None  # no answer in time, or the client is losing its scheduler just now
    return len(identity["workers"])


def _version() -> str:
    return __version__


def _play_away(number: int, settings: SimulationSettings, after: After | None) -> tuple[int, Played, bytes]:
    """Play a game in a temporary folder; returns its number, its outcome, and the folder's contents as tar."""
    with tempfile.TemporaryDirectory(prefix="catan-p2p-") as temporary:
        out = Path(temporary)
        played = play_one(out, number, settings, after=after)
        return number, played, pack_games(out) if game_folder(out, number).exists() else b""
