"""What several tests need and what takes long to make: made once for a run of the tests, whichever worker is first."""

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

_POLL_S = 0.05


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], None]) -> Path:
    """The folder ``name``, filled by ``make`` unless another worker of pytest-xdist has done so; nobody changes it."""
    base = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        base = base.parent
    folder, lock, done = (base / f"{name}{ending}" for ending in ("", ".lock", ".done"))
    while not done.exists():
        try:
            lock.mkdir()
        except FileExistsError:
            time.sleep(_POLL_S)
            continue
        try:
            if not done.exists():
                folder.mkdir(exist_ok=True)
                make(folder)
                done.touch()
        finally:
            lock.rmdir()
    return folder
