"""A spectator at a tournament's server: writes what it receives as a public view, which ``watch`` follows."""

import asyncio
import contextlib
import threading
import time
from pathlib import Path

from catan_p2p.lmu import messages as m
from catan_p2p.lmu.client import MAX_HEARD, CannotConnect, watch
from catan_p2p.lmu.public_record import NothingRecorded, replace_seen
from catan_p2p.lmu.seats import SPECTATOR
from catan_p2p.log.storage.objects import StoreError
from catan_p2p.notation.errors import NotationError

VIEW_S = 2.0
"""The shortest interval between two writes of the view."""
VIEW_SHARE = 20
"""Writing takes at most one part in this many of the time."""


class LmuSpectator:
    """Watches a game at the server at ``url``, in a thread, and keeps its public view at ``path``.

    The URL may end in ``#3`` for game 3; otherwise it watches the first running game.
    """

    def __init__(self, url: str, path: Path) -> None:
        self._url, _, number = url.partition("#")
        self._name = f"{SPECTATOR} {number}".strip()
        self._path = path
        self._heard: list[m.ServerMessage] = []
        self._kept = 0
        self._changed = threading.Event()
        self._failure = ""
        self._loop = asyncio.new_event_loop()
        self._watching: asyncio.Task[None] | None = None
        self._thread = threading.Thread(target=self._run, name="spectator", daemon=True)
        self._thread.start()

    def wait(self) -> None:
        """Wait until there is a view; ``CannotConnect`` if the connection has ended before that."""
        while not self._changed.wait(0.2):
            pass
        if not self._path.exists():
            raise CannotConnect(self._failure or f"{self._url}: the connection has ended before a game began")

    def close(self) -> None:
        """Stop watching, and wait for the thread."""
        with contextlib.suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(lambda: self._watching and self._watching.cancel())
        self._thread.join()

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner, contextlib.suppress(asyncio.CancelledError):
            # Made before the loop runs, so that an immediate ``close`` has a task to cancel.
            self._watching = runner.get_loop().create_task(self._watch())
            self._loop.run_until_complete(self._watching)
        self._changed.set()

    async def _watch(self) -> None:
        watching = asyncio.ensure_future(watch(self._url, self._name, self._hear))
        try:
            while not watching.done():
                began = time.monotonic()
                await asyncio.to_thread(self._keep)
                await asyncio.wait([watching], timeout=max(VIEW_S, VIEW_SHARE * (time.monotonic() - began)))
            await watching
        except CannotConnect as error:
            self._failure = str(error)
        finally:
            watching.cancel()
        self._keep()

    def _hear(self, message: m.ServerMessage) -> None:
        if len(self._heard) < MAX_HEARD:
            self._heard.append(message)

    def _keep(self) -> None:
        """Write the view if the game has begun and there is more than the last time."""
        heard = [*self._heard]
        if len(heard) == self._kept or not any(isinstance(message, m.GameStartedMessage) for message in heard):
            return
        self._kept = len(heard)
        try:
            replace_seen(self._path, heard, f"watched at {self._url}")
        except (NothingRecorded, NotationError, StoreError, OSError) as error:  # a server may contradict the rules
            self._failure = f"{self._url}: {error}"
        self._changed.set()
