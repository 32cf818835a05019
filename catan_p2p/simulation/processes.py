"""Runs tasks on several processes. Only a few are submitted ahead, so memory does not grow with their number."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from threading import Thread
from typing import TYPE_CHECKING, Any, TypeVar

from catan_p2p import interrupts
from catan_p2p.log.storage.objects import StoreError

if TYPE_CHECKING:
    from concurrent.futures import Future
    from multiprocessing.synchronize import Event

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
    in_order: bool = False,
    look: Callable[[], None] | None = None,
    begin: Callable[..., None] | None = None,
    begin_with: tuple[Any, ...] = (),
) -> Iterator[R]:
    """Call ``function`` with each tuple of arguments in ``work``, on ``jobs`` processes.

    The results come in the order of ending, or ``in_order`` in that of ``work``. Each process first calls ``begin``
    with ``begin_with``, and ends with this one, even if this one is killed. Ctrl-C, which reaches all processes of a
    terminal, ends what they do, and they print nothing. ``look`` is called several times a second. Raises what
    ``function`` raises, and ``ProcessKilled``.
    """
    # Imported here: a simulation in this process needs none of it.
    from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import get_context

    context = get_context("spawn")
    stop = context.Event()
    with ProcessPoolExecutor(jobs, context, initializer=_begin, initargs=(stop, begin, begin_with)) as pool:
        left = iter(work)
        waiting: list[Future[R]] = []
        try:
            while True:
                for arguments in islice(left, _AHEAD * jobs - len(waiting)):
                    with _no_interrupts():  # it may start a process
                        waiting.append(pool.submit(_interruptible, function, arguments))
                if not waiting:
                    return
                ended, _ = wait(waiting[:1] if in_order else waiting, _LOOK_EVERY_S if look else None, FIRST_COMPLETED)
                if look is not None:
                    look()
                for future in ended:
                    waiting.remove(future)
                    yield future.result()
        except BrokenProcessPool:
            raise ProcessKilled("a process that played games was killed") from None
        except BaseException:
            stop.set()
            # Without cancelling, the end of ``with`` would wait for what is submitted.
            pool.shutdown(wait=True, cancel_futures=True)
            raise


@contextmanager
def _no_interrupts() -> Iterator[None]:
    """Hold Ctrl-C back meanwhile, here and in processes that are started, as long as these do not ask for it."""
    if sys.platform == "win32":  # which has no such masks
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _Worker:
    """What a worker process knows."""

    stop: Event
    """Set once no further task is wanted, not even one that already waits in this process."""
    on_interrupt: Any = None
    """What Ctrl-C does to a task: where the verb ignores it, as in the background of a script, tasks do, too."""


def _interruptible(function: Callable[..., R], arguments: tuple[Any, ...]) -> R:
    """Call a function that Ctrl-C ends. A process that does nothing else would only print where it was."""
    before = signal.signal(signal.SIGINT, _Worker.on_interrupt)
    try:
        if _Worker.stop.is_set():
            raise KeyboardInterrupt
        return function(*arguments)
    finally:
        signal.signal(signal.SIGINT, before)


def _begin(stop: Event, begin: Callable[..., None] | None, begin_with: tuple[Any, ...]) -> None:
    """The first call in each process."""
    interrupts.repeat_lost()
    _Worker.stop, _Worker.on_interrupt = stop, signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})

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
