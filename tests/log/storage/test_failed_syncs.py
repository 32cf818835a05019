"""A wait for the medium fails once: as on Linux, what was not on it stays off it however often it is waited for again.

Then the power is lost. What was shown is there afterwards.
"""

import errno
import os
from copy import deepcopy
from pathlib import Path

import pytest

from catan_p2p.log.storage import pack_store, writer
from catan_p2p.log.storage.memory import MemoryDisk
from catan_p2p.log.storage.objects import ObjectId, StoreError
from catan_p2p.log.storage.store import GitStore
from tests.log.storage.chains import act
from tests.log.storage.test_store_crash import assert_reached

FOLDER = Path("/game")
JOURNAL = FOLDER / "catan-p2p" / "writer.journal"
REFS = {"red": "refs/heads/Red_0", "blue": "refs/remotes/Blue/Blue_0", "green": "refs/remotes/Green/Green_0"}


class FailsOnce(MemoryDisk):
    """A disk on which one wait fails."""

    def __init__(self, at: int) -> None:
        super().__init__()
        self.at = at
        self.put(FOLDER / "HEAD", b"ref: refs/heads/main\n")
        for folder in ("objects/pack", "refs/heads"):
            self.make_folder(FOLDER / folder)
        self.sync_all()

    def _syncs(self) -> bool:
        if self.syncs == self.at:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return True


class Scenario:
    """Some turns on a disk; the writer tries again when a wait fails, or begins anew."""

    def __init__(self, at: int, *, begins_anew: bool) -> None:
        self.disk = FailsOnce(at)
        self._begins_anew = begins_anew
        self.shown: dict[str, tuple[int, ObjectId]] = {}
        self._size = self._largest = 0
        self.store = self._open()

    def _open(self) -> GitStore:
        try:
            return GitStore.within(self.disk, FOLDER, durability="power")
        except StoreError:  # this one has failed
            return GitStore.within(self.disk, FOLDER, durability="power")

    def _surely(self, method: str, **heads: tuple[int, ObjectId]) -> None:
        """Call a method of the store, once more if it fails; once it has failed, the power is lost after everything."""
        try:
            getattr(self.store, method)()
        except StoreError as error:
            assert "Input/output error" in str(error)
            if self._begins_anew:
                self.disk.let_go()
                self.store = self._open()
            elif method != "close":
                getattr(self.store, method)()
        self.shown |= heads
        self._check_journal()
        if 0 < self.disk.at <= self.disk.syncs:
            self._check()

    def _check_journal(self) -> None:
        """It begins anew at the latest with the publication at which it has twice the size of when a wait failed."""
        size = len(self.disk.read(JOURNAL) or b"")
        self._largest = max(self._largest, size - self._size)
        self._size = size
        assert size < 2 * writer.CHECKPOINT_BYTES + 3 * self._largest

    def play(self) -> None:
        """Green acts once a round: what was not written of that, no later action writes."""
        for rounds in (5, 2):
            for number in range(rounds):
                acting = ("red", "blue") if number else ("red", "blue", "green")
                self._surely("publish", **{name: act(self.store, REFS[name]) for name in acting})
            self._surely("fold")
        self._surely("close")
        self.store = self._open()
        self._surely("publish")

    def _check(self) -> None:
        """What was shown outlives a loss of power, whether or not the end of the journal came to the medium by itself.

        Of all else that was not waited for nothing did.
        """
        for comes in (False, True):
            disk = deepcopy(self.disk)
            disk.at = 0
            if comes:
                disk.sync_file(JOURNAL)
            disk.lose_power(None)
            with GitStore.within(disk, FOLDER, durability="power") as store:
                for name, at in self.shown.items():
                    head = store.read_ref(REFS[name])
                    assert head is not None, f"{name} is gone"
                    assert_reached(store, head, at)


@pytest.mark.long
@pytest.mark.sampled(2)
@pytest.mark.parametrize("begins_anew", [False, True], ids=["tries again", "begins anew"])
def test_what_was_shown_outlives_a_failed_sync_and_a_cut(begins_anew: bool) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pack_store, "FOLD_AT", 3)
        patch.setattr(pack_store, "GRACE_S", 0.0)
        for checkpoint_bytes in (300, 2500):
            patch.setattr(writer, "CHECKPOINT_BYTES", checkpoint_bytes)
            assert_all_is_kept(begins_anew)


def assert_all_is_kept(begins_anew: bool) -> None:
    whole = Scenario(0, begins_anew=begins_anew)
    whole.play()
    assert whole.disk.syncs > 30
    for at in range(1, whole.disk.syncs + 1):
        Scenario(at, begins_anew=begins_anew).play()
