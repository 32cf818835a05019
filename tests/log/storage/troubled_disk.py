"""A disk in memory on which trouble comes at a chosen change, and that others can look at before each change."""

import errno
import os
import subprocess
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Literal, Self

from catan_p2p.log.storage.medium import AnyPath
from catan_p2p.log.storage.memory import MemoryDisk, ShortWrite
from catan_p2p.log.storage.objects import ObjectDamaged, ObjectId, StoreError, object_id
from catan_p2p.log.storage.pack import parse_pack, unpack

FOLDER = Path("/game")
CONFIG = b"[core]\n\trepositoryformatversion = 0\n\tbare = true\n[gc]\n\twriteCommitGraph = false\n"
"""No commit graph, as in all repositories that this program makes: one that ``gc`` has written may name commits that a
repack has dropped since, of which ``git fsck`` complains."""


@dataclass
class Trouble:
    """What happens at the change ``at``, counted from 1; of a write, ``share`` quarters are done before."""

    kind: Literal["killed", "full", "full from then on", "a sync fails"]
    at: int
    share: int = 0

    @property
    def words(self) -> str:
        """What a message says of it."""
        return os.strerror(errno.EIO) if self.kind == "a sync fails" else "the disk is full"


class TroubledDisk(MemoryDisk):
    """A bare repository on a disk; ``moment`` is called before each change."""

    def __init__(self, moment: Callable[[], None]) -> None:
        super().__init__()
        self.trouble: Trouble | None = None
        self.moment = moment
        self.is_sound = True
        """Whether no power was lost since a writer has opened it."""
        self.failed_syncs = 0
        self._known: dict[tuple[int, int, int, int], frozenset[ObjectId]] = {}
        self.put(FOLDER / "HEAD", b"ref: refs/heads/main\n")
        self.put(FOLDER / "config", CONFIG)
        for folder in ("objects/pack", "refs/heads"):
            self.make_folder(FOLDER / folder)
        self.sync_all()
        self.fail = self._decide

    def _decide(self, size: int) -> int | None:
        self.moment()
        trouble = self.trouble
        if trouble is None or trouble.kind == "a sync fails":
            return None
        trouble.at -= 1
        if trouble.at > 0:
            return None
        if trouble.kind == "killed":  # and what would clean up does not do so any more
            return size * trouble.share // 4 if trouble.at == 0 else 0
        if trouble.at < 0 and trouble.kind == "full":
            return None
        raise ShortWrite(errno.ENOSPC, size * min(trouble.share, 3) // 4)

    def _syncs(self) -> bool:
        if self.trouble is not None and self.trouble.kind == "a sync fails":
            self.trouble.at -= 1
            if self.trouble.at == 0:
                self.failed_syncs += 1
                raise OSError(errno.EIO, os.strerror(errno.EIO))
        return True

    def rewrite(self, path: AnyPath, data: bytes) -> bool:
        """Rewrite a file: never one that is a ref, which others may have open."""
        before = {ref: self.status(FOLDER / ref) for ref in self.loose_refs()}
        done = super().rewrite(path, data)
        assert {ref: self.status(FOLDER / ref) for ref in before} == before, f"a ref was changed in place by {path}"
        return done

    def link(self, source: AnyPath, target: AnyPath) -> None:
        """Link: a repack removes what it has listed unmarked, and leaves out of its new pack what it finds marked."""
        if str(target).endswith(".keep") and self.is_sound:
            assert not self.exists(str(target).removesuffix(".keep") + ".idx"), f"{target}: marked too late"
        super().link(source, target)

    def lose_power(self, rng: Random | None) -> None:
        """Lose the power; an empty lock goes, too: Git may just have made it, and the message says to remove it."""
        super().lose_power(rng)
        self.is_sound = False
        for name in [name for name, data in self.files(FOLDER).items() if name.endswith(".lock") and not data]:
            self.set_file(name, None)

    def without_power(self, rng: Random | None, comes: AnyPath | None = None) -> Self:
        """A copy that has lost its power now, after what still can of ``comes`` has come to the medium."""
        other = type(self)(lambda: None)
        other._root, other._next = deepcopy(self._root), self._next
        if comes is not None:
            other.sync_file(comes)
        other.lose_power(rng)
        return other

    # What others see

    def loose_refs(self) -> dict[str, str]:
        """What the files of refs hold."""
        found = {f"refs/{name}": data.decode().strip() for name, data in self.files(FOLDER / "refs").items()}
        return {name: text for name, text in found.items() if not name.endswith(".lock")}

    def objects(self) -> set[ObjectId]:
        """The objects of all packs that Git would read; AssertionError if it would complain of one."""
        found: set[ObjectId] = set()
        packs = f"{FOLDER}/objects/pack"
        for name, _ in self.list_folder(packs):
            if name.endswith(".idx"):
                index, pack = f"{packs}/{name}", f"{packs}/{name[:-4]}.pack"
                stamps = self.status(index), self.status(pack)
                assert stamps[1] is not None, f"{name}: an index without its pack"
                assert stamps[0] is not None
                key = (*stamps[0].identity, stamps[0].stamp[0], stamps[1].identity[1] << 20 | stamps[1].stamp[0])
                if key not in self._known:
                    self._known[key] = _whole_objects(self.read(pack) or b"", self.read(index) or b"")
                found |= self._known[key]
        return found

    # Git beside it

    def run_git(self, folder: Path, doing: str, *arguments: str) -> None:
        """Run Git on a copy in ``folder``, and take over what it changes; ``StoreError`` with its words if it fails."""
        before = self.files(FOLDER)
        for name in ("refs/heads", "objects/pack"):
            (folder / name).mkdir(parents=True)
        for name, data in before.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(data)
        done = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, text=True)
        said = done.stdout + "".join(line for line in done.stderr.splitlines() if not line.startswith("notice:"))
        if done.returncode or (said and arguments[0] == "fsck"):
            raise StoreError(f"{doing}: {said}")
        after = {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        moment, self.moment = self.moment, lambda: None
        trouble, self.trouble = self.trouble, None
        for name in before.keys() | after.keys():
            if before.get(name) != after.get(name):
                self.set_file(name, after.get(name))
        self.moment, self.trouble = moment, trouble

    def set_file(self, name: str, data: bytes | None) -> None:
        """Put a new file in the place of one of the repository, or none, as another program does."""
        trouble, self.trouble = self.trouble, None
        self.remove(FOLDER / name)
        if data is not None:
            self.put(FOLDER / name, data)
        elif self.exists((FOLDER / name).parent):
            folder, short = self._place(FOLDER / name)
            folder.synced.pop(short, None)
        self.trouble = trouble


def _whole_objects(pack: bytes, index: bytes) -> frozenset[ObjectId]:
    try:
        objects = unpack([parse_pack(pack, index)])
    except ObjectDamaged as error:
        raise AssertionError(f"a pack that Git cannot read: {error}") from None
    assert all(object_id(kind, data) == oid for oid, (kind, data) in objects.items())
    return frozenset(objects)
