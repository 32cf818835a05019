"""Folders of other players, read in this process instead of one for each: where that process is not what is tested.

Everything else is as it is: requests and answers in frames, the checks of what comes, the files of the repositories.
What is read over a network keeps its process, and so does one test of ``WITH_PROCESSES``, another one on the next day.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from io import BytesIO
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest

from catan_p2p.frames import MessageFrame, read_frame, write_frame
from catan_p2p.log.transport import worker_remote
from catan_p2p.log.transport.quarantine import Quarantine, remove_whole
from catan_p2p.log.transport.remote import local_path
from catan_p2p.log.transport.worker import RemoteReader

WITH_PROCESSES = 8


class ReaderHere:
    """Stands for the process that reads a folder."""

    def __init__(self, url: str, own: Path, incoming: Path, news: threading.Condition, most_bytes: int) -> None:
        self._incoming = incoming / Quarantine.new_name()
        self.is_telling = self.has_news = False
        self._reader = RemoteReader(url, own, self._incoming, most_bytes)
        self._news = news
        self._frame: MessageFrame | None = None

    def send(self, head: dict[str, Any]) -> bool:
        asked, answers = BytesIO(), BytesIO()
        write_frame(asked, MessageFrame(head))
        asked.seek(0)
        request = read_frame(asked)
        assert request is not None
        self._reader.answer_to(request.head, answers)
        answers.seek(0)
        with self._news:
            self._frame = read_frame(answers)
            self._news.notify_all()
        return True

    def is_ready(self) -> bool:
        return self._frame is not None

    def take(self) -> MessageFrame | None:
        frame, self._frame = self._frame, None
        return frame

    def end(self) -> None:
        self._reader.close()
        remove_whole(self._incoming)


@contextmanager
def reading_here() -> Iterator[None]:
    """Read folders in this process; whatever a test has left open is closed in the end, as ended processes are."""
    begun: list[ReaderHere] = []

    def begin(
        url: str, own: Path, incoming: Path, news: threading.Condition, most_bytes: int
    ) -> ReaderHere | worker_remote._WorkerProcess:
        if local_path(url) is None:
            return process(url, own, incoming, news, most_bytes)
        begun.append(ReaderHere(url, own, incoming, news, most_bytes))
        return begun[-1]

    process = worker_remote._WorkerProcess
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(worker_remote, "_WorkerProcess", begin)
        try:
            yield
        finally:
            for one in begun:
                one.end()


@pytest.fixture(autouse=True)
def reads_here(request: pytest.FixtureRequest) -> Iterator[None]:
    """For all tests of a folder whose conftest.py takes this in, but those that are marked ``processes``."""
    number = crc32(request.node.nodeid.encode()) + int(os.environ["CATAN_P2P_CASES"])
    has_processes = number % WITH_PROCESSES == 0 or request.node.get_closest_marker("processes") is not None
    with nullcontext() if has_processes else reading_here():
        yield
