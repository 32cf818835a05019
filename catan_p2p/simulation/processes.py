"""Runs tasks on several processes. Only a few are submitted ahead, so memory does not grow with their number."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

from catan_p2p.log.storage.objects import StoreError

if TYPE_CHECKING:
    from concurrent.futures import Future

_LOOK_EVERY_S = 0.2
_AHEAD = 2
"""How many tasks are submitted for each process: the one that it does, and the next one."""

R = TypeVar("R")


class ProcessKilled(StoreError):
    """A worker process was killed from outside."""


def each_on_processes(
    function: Callable[..., R],
    work: Iterable[tuple[Any, ...]],
    jobs: int,
    *,
    look: Callable[[], None] | None = None,
    begin: Callable[..., None] | None = None,
    begin_with: tuple[Any, ...] = (),
) -> Iterator[R]:
    """Call ``function`` with each tuple of arguments in ``work``, on ``jobs`` processes; results in order of ending.

    Each process first calls ``begin`` with ``begin_with``, and ends with this one, even if this one is killed.
    ``look`` is called several times a second. Raises what ``function`` raises, and ``ProcessKilled``.
    """
    # Imported here: a simulation in this process needs none of it.
    from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import get_context

    with ProcessPoolExecutor(jobs, get_context("spawn"), initializer=_begin, initargs=(begin, begin_with)) as pool:
        left = iter(work)
        waiting: set[Future[R]] = set()
        try:
            while True:
                for arguments in islice(left, _AHEAD * jobs - len(waiting)):
                    waiting.add(pool.submit(function, *arguments))
                if not waiting:
                    return
                ended, waiting = wait(waiting, _LOOK_EVERY_S if look else None, FIRST_COMPLETED)
                if look is not None:
                    look()
                for future in ended:
                    yield future.result()
        except BrokenProcessPool:
            raise ProcessKilled("a process that played games was killed") from None
        except BaseException:
            # Without cancelling, the end of ``with`` would wait for what is submitted.
            pool.shutdown(wait=True, cancel_futures=True)
            raise


def _begin(begin: Callable[..., None] | None, begin_with: tuple[Any, ...]) -> None:
    """The first call in each process."""
    from threading import Thread

    Thread(target=_end_with_parent, name="end with parent", daemon=True).start()
    if begin is not None:
        begin(*begin_with)


def _end_with_parent() -> None:
    """End this process once the one that started it is gone; otherwise it would wait for work for ever."""
    from multiprocessing import parent_process

    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)  # sys.exit would only end this thread
