"""A plugin of pytest: temporary files are in memory where there is room, since peers sync what they write to the disk.

They are removed after a run without failures. TMPDIR says another place, as CI does on Sundays: a disk gives the
numbers of files anew, and is slow to sync.
"""

import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

import pytest

PLACE, NEEDED, KEPT = Path("/dev/shm"), 4 << 30, 2
NAME = "catan-p2p-tests-"


def has_room(place: Path) -> bool:
    """Whether there is room in memory for all files of a run, and programs among them may be started."""
    if not os.path.ismount(place) or not os.access(place, os.W_OK):
        return False
    return not os.statvfs(place).f_flag & os.ST_NOEXEC and shutil.disk_usage(place).free > NEEDED


def pytest_configure() -> None:
    """Settle the place, for the processes of pytest-xdist too, which begin after this; keep the last ones of others."""
    if "TMPDIR" in os.environ or not has_room(PLACE):
        return
    with suppress(FileNotFoundError):  # another run removes them at the same time
        for path in sorted(PLACE.glob(f"{NAME}*"), key=lambda one: one.stat().st_mtime)[:-KEPT]:
            if not Path("/proc", path.name.removeprefix(NAME)).exists():
                shutil.rmtree(path, ignore_errors=True)
    tempfile.tempdir = os.environ["TMPDIR"] = str(PLACE / f"{NAME}{os.getpid()}")
    Path(tempfile.tempdir).mkdir()


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(exitstatus: int) -> None:
    """Give the memory back."""
    if exitstatus == 0 and os.environ.get("TMPDIR") == str(own := PLACE / f"{NAME}{os.getpid()}"):
        shutil.rmtree(own, ignore_errors=True)
