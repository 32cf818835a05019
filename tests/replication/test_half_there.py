"""What one player meets while a sync service has copied only a part of a folder.

A/relay --- only some files so far ---> B/relay
"""

import shutil
from contextlib import suppress
from pathlib import Path
from queue import Queue
from threading import Thread

import pytest

from catan_p2p.cli.main import main
from catan_p2p.log.storage import disk
from catan_p2p.log.storage.objects import ObjectDamaged, ObjectId, ObjectMissing
from catan_p2p.log.storage.pack_reader import PackReader
from catan_p2p.log.storage.store import GitStore
from catan_p2p.log.transport.remote import NotThereYet, RemoteUnreachable
from catan_p2p.log.transport.their_files import git_folder
from catan_p2p.tables.taking_seat import look_at_table
from catan_p2p.tables.waiting_room import waiting_room
from tests.replication.meeting import STUCK_S, WaitingHost, join
from tests.replication.relays import bare, seats_at
from tests.replication.tables import git, open_replica
from tests.typed import Typed

CLAIM = "refs/tables/0/Blue"


class HalfCopiedHost(WaitingHost):
    """A host who waits at ``A/relay``, and what is said on both sides."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.relay, self.copy = folder, folder / "A/relay", folder / "B/relay"
        self.host_says, self.guest_says = Queue[str](), Queue[str]()
        self.relay.parent.mkdir()
        super().__init__(folder / "Red", str(self.relay), self.host_says.put)
        self.invitation = self.invitation._replace(url=str(self.copy))

    def join(self) -> Thread:
        """A guest at the copy."""
        args = (self.folder / "Blue", self.invitation, "Blue", self.guest_says.put)
        guest = Thread(target=join, args=args, daemon=True)
        guest.start()
        return guest

    def carry(self, source: Path, target: Path) -> None:
        """Copy everything that is new, objects first."""
        for part in ("objects", "refs"):
            copied(source / part, target / part)

    def meet(self, guest: Thread) -> None:
        """Carry all that is new to both sides until the game has begun for both."""
        while guest.is_alive() or self.is_waiting:
            self.carry(self.relay, self.copy)
            self.carry(self.copy, self.relay)
            guest.join(0.05)


def said(lines: "Queue[str]", words: str) -> str:
    """The next line with these words."""
    while words not in (line := lines.get(timeout=STUCK_S)):
        pass
    return line


@pytest.fixture
def table(tmp_path: Path) -> HalfCopiedHost:
    return HalfCopiedHost(tmp_path)


def copied(source: Path, target: Path, skip: str = "*.lock") -> None:
    """Copy what is new in a folder in which others write: what has gone before it is copied is left out."""

    def copy_if_there(one: str, other: str) -> None:
        with suppress(FileNotFoundError):
            shutil.copy2(one, other)

    left_out = shutil.ignore_patterns("*.lock", skip)
    shutil.copytree(source, target, dirs_exist_ok=True, ignore=left_out, copy_function=copy_if_there)


def packs_at(folder: Path) -> set[Path]:
    """The packs of a repository and their indexes, without those that are still being written."""
    return {*(folder / "objects/pack").glob("*.pack"), *(folder / "objects/pack").glob("*.idx")}


@pytest.mark.long
def test_a_guest_waits_for_terms_of_which_only_the_ref_is_there(table: HalfCopiedHost) -> None:
    copied(table.relay, table.copy, skip="pack-*")
    with pytest.raises(NotThereYet, match="the folder is still being copied here: what refs/tables/0/terms leads to"):
        look_at_table(table.invitation)
    guest = table.join()
    line = said(table.guest_says, "still being copied")
    assert "no object" not in line
    table.carry(table.relay, table.copy)
    said(table.guest_says, "it has arrived")
    said(table.guest_says, "Blue has a seat")
    table.meet(guest)


@pytest.mark.long
@pytest.mark.parametrize("part", [0.0, 0.5], ids=["nothing", "half"])
def test_a_host_waits_for_a_claim_whose_ref_came_first(table: HalfCopiedHost, part: float) -> None:
    copied(table.relay, table.copy)
    before = packs_at(table.copy)
    guest = table.join()
    said(table.guest_says, "Blue has a seat")
    for file in packs_at(table.copy) - before:
        content = file.read_bytes()
        if part:
            (table.relay / "objects/pack" / file.name).write_bytes(content[: int(len(content) * part)])
    copied(table.copy / "refs", table.relay / "refs")
    said(table.host_says, "a claim of this seat is on its way")
    assert (table.relay / CLAIM).exists()
    for file in packs_at(table.copy) - before:
        (table.relay / "objects/pack" / file.name).write_bytes(file.read_bytes())
    said(table.host_says, "Blue has come")
    table.meet(guest)


@pytest.mark.long
def test_a_guest_whose_claim_has_gone_makes_it_again(table: HalfCopiedHost) -> None:
    copied(table.relay, table.copy)
    guest = table.join()
    said(table.guest_says, "Blue has a seat")
    (table.copy / CLAIM).unlink()
    said(table.guest_says, "the claim of the seat has gone; it is made again")
    table.meet(guest)


def test_a_record_that_never_comes_is_asked_for_less_and_less_often(tmp_path: Path) -> None:
    relay = bare(tmp_path / "relay")
    (relay / "refs/tables/0").mkdir(parents=True)
    (relay / CLAIM).write_text("1" * 40 + "\n")
    with waiting_room(tmp_path / "seat", str(relay), {}) as room:
        for _ in range(50):
            assert room.records(room.heads(CLAIM), lambda data: data) == {}
        assert room.remote.fetches < 10
        assert (relay / CLAIM).exists()


@pytest.mark.parametrize("missing", ["HEAD", "objects"])
def test_a_part_of_a_repository_is_one_that_is_still_copied(tmp_path: Path, missing: str) -> None:
    relay = bare(tmp_path / "relay")
    shutil.rmtree(relay / missing) if missing == "objects" else (relay / missing).unlink()
    with pytest.raises(NotThereYet, match="is it still being copied"):
        git_folder(relay)
    (tmp_path / "empty").mkdir()
    with pytest.raises(RemoteUnreachable, match="not a Git repository"):
        git_folder(tmp_path / "empty")


@pytest.mark.long
def test_who_joins_by_url_is_told_that_the_folder_is_still_copied(tmp_path: Path, typed: Typed) -> None:
    relay = bare(tmp_path / "relay")
    with open_replica(seats_at(tmp_path, str(relay))[0]) as red:
        red.synchronize()
        red.store.publish()
        assert red.relay is not None
        assert red.relay.flush(red.store, red.graph)
    copied(relay, tmp_path / "copy", skip="pack-*")
    told = typed(2, "join", "--relay", tmp_path / "copy", "--as", "Blue", tmp_path / "new").err
    assert "if a sync service is still copying the folder, try again when it is done" in told
    assert not (tmp_path / "new").exists()


def test_a_reader_reads_the_whole_of_a_pack_that_it_saw_half_of(tmp_path: Path) -> None:
    seats_at(tmp_path, str(tmp_path / "none"))
    red, copy = tmp_path / "Red", tmp_path / "copy"
    shutil.copytree(red, copy)
    shutil.rmtree(copy / ".git/catan-p2p")  # a relay has no journal
    head = ObjectId(git(red, "rev-parse", "Red_0"))
    packs = [*(red / ".git/objects/pack").iterdir()]
    for file in packs:
        (half := copy / ".git/objects/pack" / file.name).unlink()
        half.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    with GitStore.open(copy, writer=None) as store:
        reader = PackReader(copy / ".git", disk)
        for read in (store.read, reader.read):
            with pytest.raises((ObjectMissing, ObjectDamaged)):
                read(head)
        for file in packs:
            (copy / ".git/objects/pack" / file.name).write_bytes(file.read_bytes())
        assert store.read(head) == reader.read(head)


@pytest.mark.long
def test_turn_waits_for_what_has_not_arrived(tmp_path: Path, capsys: pytest.CaptureFixture[str], typed: Typed) -> None:
    relay = bare(tmp_path / "relay")
    red, blue = seats_at(tmp_path, str(relay))
    assert main(["turn", str(blue)]) in (0, 3)
    before = {*(packs := relay / "objects/pack").iterdir()}
    with open_replica(red) as replica:
        replica.synchronize()
        replica.act()
        replica.store.publish()
        assert replica.relay is not None
        assert replica.relay.flush(replica.store, replica.graph)
    new = {*packs.iterdir()} - before
    kept = {file: file.read_bytes() for file in new}
    for file in new:
        file.unlink()
    capsys.readouterr()
    assert "is missing there so far; waiting for it" in typed(3, "turn", blue).err
    assert main(["status", str(blue)]) == 0
    for file, content in kept.items():
        file.write_bytes(content)
    assert main(["turn", str(blue)]) in (0, 3)
    assert git(blue, "rev-parse", "refs/remotes/Red/Red_0") == (relay / "refs/heads/Red_0").read_text().strip()
