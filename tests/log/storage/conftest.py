"""Refs in a repository, for the tests of their files."""

import os
import shutil
from pathlib import Path

import pytest

from catan_p2p.log.storage.journal import RefMove
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.storage.ref_files import RefFiles
from catan_p2p.log.storage.ref_locks import RefLocks
from catan_p2p.log.storage.writer_folder import WriterFolder
from tests.log.storage.chains import git


class Refs:
    """The refs of the bare repository at ``path``, which has the commits ``ids``; and Git beside them."""

    def __init__(self, path: Path, ids: list[ObjectId], lock_wait_s: float = 5.0) -> None:
        self.path = path
        self.ids = ids
        self.home = WriterFolder(path, "writer")
        self.home.make_marker()
        self.files = RefFiles(path, lock_wait_s=lock_wait_s)
        self.locks = RefLocks(self.home)
        self.left_to_git: list[tuple[str, ObjectId]] = []

    def move(self, *moves: tuple[str, ObjectId | None, ObjectId | None]) -> None:
        self.files.move([RefMove(*move) for move in moves], self.locks, self.delete_packed)

    def delete_packed(self, ref: str, old: ObjectId) -> None:
        self.left_to_git.append((ref, old))
        git(self.path, "update-ref", "-d", ref, old)

    def assert_no_locks(self) -> None:
        assert not list(self.path.rglob("*.lock"))


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[ObjectId]]:
    path = tmp_path_factory.mktemp("template")
    git(path, "init", "--quiet", "--bare", "--initial-branch=main")
    tree = git(path, "hash-object", "-t", "tree", "-w", os.devnull).strip()
    who = ("-c", "user.name=A", "-c", "user.email=a@b")
    return path, [ObjectId(git(path, *who, "commit-tree", tree, "-m", str(at)).strip()) for at in range(10)]


@pytest.fixture
def refs(tmp_path: Path, template: tuple[Path, list[ObjectId]]) -> Refs:
    shutil.copytree(template[0], tmp_path, dirs_exist_ok=True)
    return Refs(tmp_path, template[1])
