"""A lock belongs to one process at a time, and to nobody else once it was let go."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from catan_p2p.log.storage.lock import ProcessLock
from catan_p2p.log.storage.objects import StoreLocked


def test_who_holds_a_lock_cannot_take_it_again(tmp_path: Path) -> None:
    lock = ProcessLock(tmp_path / "lock", "writing")
    with pytest.raises(StoreLocked, match="is already writing"):
        ProcessLock(tmp_path / "lock", "writing")
    lock.release()
    ProcessLock(tmp_path / "lock", "writing").release()


@pytest.mark.skipif(sys.platform == "win32", reason="nothing is inherited there")
def test_a_child_that_still_has_a_lock_open_is_waited_for(tmp_path: Path) -> None:
    """As one has that another thread started, until it is the program that it is to become."""
    lock = ProcessLock(tmp_path / "lock", "writing")
    command = [sys.executable, "-c", "import sys; sys.stdin.read(1)"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, pass_fds=(lock._file,)) as child:
        lock.release()
        assert child.stdin is not None
        waits: list[float] = []

        class Time:
            def monotonic(self) -> float:
                return 0.01 * len(waits)

            def sleep(self, seconds: float) -> None:
                waits.append(seconds)
                if len(waits) == 3:
                    assert child.stdin is not None
                    child.stdin.close()
                    child.wait()

        again = ProcessLock(tmp_path / "lock", "writing", Time())  # type: ignore[arg-type]
    assert len(waits) == 3
    again.release()


def test_a_lock_takes_as_many_bytes_whoever_holds_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = set()
    for process in (7, 4_194_304):
        monkeypatch.setattr(os, "getpid", lambda process=process: process)
        ProcessLock(tmp_path / "lock", "writing").release()
        sizes.add((tmp_path / "lock").stat().st_size)
    assert len(sizes) == 1
