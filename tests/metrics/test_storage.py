"""Storage is what du counts, and measuring it leaves the repository alone."""

import os
import subprocess
from pathlib import Path

import pytest

from catan_p2p.log.storage.objects import StoreError
from catan_p2p.metrics.storage import measure_after_gc, measure_storage


def snapshot(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_hard_links_count_once(tmp_path: Path) -> None:
    (tmp_path / "one").write_bytes(b"x" * 10_000)
    alone = measure_storage(tmp_path)
    os.link(tmp_path / "one", tmp_path / "two")
    assert measure_storage(tmp_path) == alone


def test_gc_leaves_one_pack_in_the_copy_and_the_original_untouched(own_runs: Path) -> None:
    folder = own_runs / "two" / "Catan_0" / ".git"
    loose = subprocess.run(
        ["git", "-C", str(folder.parent), "hash-object", "-w", "--stdin"], input=b"x" * 5000, check=True,
        capture_output=True,
    ).stdout.strip()  # fmt: skip
    before = snapshot(folder)
    after = measure_after_gc(folder)
    assert snapshot(folder) == before
    assert (folder / "objects" / loose[:2].decode()).exists()
    assert 0 < after.pack_bytes < after.file_bytes
    assert abs(after.file_bytes - measure_storage(folder).file_bytes) < 2000, "a game's end leaves gc little to do"


def test_a_bare_repository_can_be_measured(runs: Path, tmp_path: Path) -> None:
    bare = tmp_path / "bare.git"
    subprocess.run(["git", "clone", "-q", "--bare", str(runs / "two" / "Catan_0"), str(bare)], check=True)
    assert measure_after_gc(bare).pack_bytes > 0


def test_a_folder_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="nowhere"):
        measure_storage(tmp_path / "nowhere")
