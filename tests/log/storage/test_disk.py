"""The disk of this machine, in whose place the state machine has one in memory: a write that comes to an end early."""

import errno
import os
from pathlib import Path

import pytest

from catan_p2p.log.storage import disk


@pytest.mark.parametrize("room", [0, 3, 7, 100])
def test_a_short_write_goes_on_and_a_file_is_whole_or_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, room: int
) -> None:
    data, real, left = b"0123456789", os.write, room

    def write(descriptor: int, part: bytes) -> int:
        nonlocal left
        if not left:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        written = real(descriptor, part[: min(left, 4)])
        left -= written
        return written

    opened = disk.open_append(tmp_path / "appended")
    monkeypatch.setattr(os, "write", write)
    for path, attempt in (
        (tmp_path / "made", lambda: disk.create(tmp_path / "made", data)),
        (tmp_path / "appended", lambda: disk.append(opened, data)),
    ):
        left = room
        if room < len(data):
            with pytest.raises(OSError, match="No space left"):
                attempt()
        else:
            attempt()
        expected = data[:room] if path.name == "appended" else data if room == 100 else None
        assert disk.read(path) == expected
    disk.close(opened)
