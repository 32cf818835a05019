"""A repository that cannot be checked is neither sound nor damaged: nothing is mended, and the reason is told."""

import contextlib
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from catan_p2p.cli.main import main
from catan_p2p.log.storage.objects import ObjectDamaged, StoreError
from catan_p2p.log.storage.store import GitStore
from catan_p2p.tables.completeness import check_objects
from tests.replication.tables import finish, make_seats, open_replica, opened, play_rounds
from tests.replication.test_foreign_commits import after

NOBODY = 65534
is_root = pytest.mark.skipif(sys.platform == "win32" or os.geteuid() != 0, reason="only root can be somebody else")


@pytest.fixture
def seats(tmp_path: Path) -> list[Path]:
    made = make_seats(tmp_path)
    with opened(made) as replicas:
        play_rounds(replicas, after(20))
    return made


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that every user may enter."""
    folder = Path(tempfile.mkdtemp(dir="/tmp"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


def give_away(path: Path) -> None:
    for one in (path, *path.rglob("*")):
        os.chown(one, NOBODY, NOBODY, follow_symlinks=False)


@contextlib.contextmanager
def being_nobody() -> Iterator[None]:
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.mark.long
@is_root
def test_a_game_in_a_folder_of_another_user_is_sound(
    seats: list[Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    for seat in seats:
        give_away(seat)
    assert main(["verify", str(seats[1])]) == 0
    assert main(["peer", str(seats[1]), "--stop-after", "0.5"]) == 0
    assert "mended" not in capsys.readouterr().err
    with opened(seats) as replicas:
        assert replicas[0].dirt is None
        finish(replicas)
    assert sorted(seats[0].parent.iterdir()) == sorted(seats)


@is_root
def test_a_repository_that_may_not_be_written_is_not_mended_and_its_owner_is_named(
    open_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    red, _ = make_seats(open_folder)
    settings = red / ".git" / "catan-p2p" / "seat.json"
    os.chown(settings, NOBODY, NOBODY)
    with being_nobody():
        assert main(["peer", str(red), "--stop-after", "0.5"]) == 2
    said = capsys.readouterr().err
    assert "Permission denied (root owns" in said and "copy the whole folder" in said
    assert not list(open_folder.glob("*.damaged-*"))


@is_root
def test_a_repository_that_may_not_be_read_is_not_called_damaged(open_folder: Path) -> None:
    red, _ = make_seats(open_folder)
    for one in (red, *red.rglob("*")):
        os.chown(one, NOBODY, NOBODY, follow_symlinks=False)
    pack = next(red.rglob("*.pack"))
    os.chown(pack, 0, 0)
    pack.chmod(0o600)
    refusal = pytest.raises(StoreError, match=rf"{pack.name}: cannot be checked: Permission denied \(root owns")
    with being_nobody(), GitStore.open(red, writer=None) as store, refusal as told:
        check_objects(store)
    assert not isinstance(told.value, ObjectDamaged)


@pytest.mark.skipif(sys.platform == "win32", reason="the stand-in for Git is a shell script")
def test_a_git_that_is_killed_is_no_damage(seats: list[Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    git = shutil.which("git")
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "git"
    program.write_text(
        f'#!/bin/sh\nfor word; do case $word in fsck|cat-file) kill -9 $$;; esac; done\nexec {git} "$@"\n'
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    with pytest.raises(StoreError, match="Git was ended by signal 9") as told, open_replica(seats[0]):
        pass
    assert not isinstance(told.value, ObjectDamaged)
    monkeypatch.undo()
    with opened(seats) as replicas:
        finish(replicas)


def test_a_missing_object_is_still_damage(seats: list[Path]) -> None:
    for pack in seats[0].rglob("*.pack"):
        pack.unlink()
    with pytest.raises(ObjectDamaged), open_replica(seats[0]):
        pass
