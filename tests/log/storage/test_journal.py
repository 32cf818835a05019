"""The journal: every acknowledged record is there when it is opened again, whatever happened to its end."""

import errno
import os
from pathlib import Path

import pytest

from catan_p2p.log.storage import disk
from catan_p2p.log.storage.journal import HEADING, Journal, JournalContents, JournalRecord, RefMove
from catan_p2p.log.storage.objects import ObjectDamaged, ObjectId, StoreError

FIRST, SECOND = ObjectId("1" * 40), ObjectId("2" * 40)
RECORDS = (
    JournalRecord(RefMove("refs/heads/Red_0", None, FIRST), 2, b"entries"),
    JournalRecord(RefMove("refs/heads/Größe", FIRST, SECOND), 0, b""),
    JournalRecord(RefMove("refs/heads/Red_0", FIRST, None), 1, bytes(range(256))),
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "writer.journal"


def write(path: Path) -> list[int]:
    """Write RECORDS; return where each of them ends."""
    journal = Journal(path)
    ends = []
    for record in RECORDS:
        journal.append(record)
        ends.append(path.stat().st_size)
    journal.close()
    return ends


def opened(path: Path) -> Journal:
    journal = Journal(path)
    journal.close()
    return journal


@pytest.mark.parametrize("durable", [False, True])
def test_records_come_back_as_they_were_written(path: Path, durable: bool) -> None:
    journal = Journal(path, durable=durable)
    assert journal.found.records == ()
    for record in RECORDS:
        journal.append(record)
    journal.close()
    found = opened(path).found
    assert found.records == RECORDS
    assert (found.cut_bytes, found.set_aside) == (0, None)


def test_nothing_is_left_after_a_reset_and_writing_goes_on(path: Path) -> None:
    write(path)
    journal = Journal(path)
    journal.reset()
    assert path.read_bytes() == HEADING
    journal.append(RECORDS[2])
    journal.close()
    assert opened(path).found.records == (RECORDS[2],)


def test_cut_at_any_byte_it_keeps_every_whole_record_and_can_be_written_on(path: Path) -> None:
    ends = write(path)
    content = path.read_bytes()
    for cut in range(len(content)):
        path.write_bytes(content[:cut])
        journal = Journal(path)
        whole = tuple(record for record, end in zip(RECORDS, ends, strict=True) if end <= cut)
        assert journal.found.records == whole, cut
        assert journal.found.set_aside is None
        journal.append(RECORDS[1])
        journal.close()
        assert opened(path).found.records == (*whole, RECORDS[1]), cut


@pytest.mark.long
def test_a_changed_byte_is_never_taken_for_a_record(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    ends = write(path)
    content = path.read_bytes()
    for at in range(len(HEADING), len(content)):
        damaged = bytearray(content)
        damaged[at] ^= 0x40
        path.write_bytes(damaged)
        caplog.clear()
        found = opened(path).found
        good = tuple(record for record, end in zip(RECORDS, ends, strict=True) if end <= at)
        assert found.records == good, at
        if found.set_aside is not None:
            assert found.set_aside.read_bytes() == damaged[[len(HEADING), *ends][len(good)] :]
            assert str(found.set_aside) in caplog.text
        else:
            assert found.cut_bytes  # the length was changed, to one beyond the end
        assert opened(path).found.records == good


def test_another_file_is_not_taken_for_a_journal(path: Path) -> None:
    path.write_bytes(b"catan-p2p journal 2\n")
    with pytest.raises(ObjectDamaged, match=r"writer.journal: not a journal of format 1"):
        Journal(path)
    assert path.read_bytes() == b"catan-p2p journal 2\n"


def test_a_record_that_the_disk_refuses_is_not_there(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(path)
    before = path.read_bytes()
    journal = Journal(path)
    real = os.write
    room = 20

    def full(descriptor: int, data: bytes) -> int:
        nonlocal room
        if room == 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        written = real(descriptor, data[:room])
        room -= written
        return written

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full)
        with pytest.raises(StoreError, match=r"writer.journal: cannot write the action: the disk is full"):
            journal.append(RECORDS[0])
    assert path.read_bytes() == before
    journal.append(RECORDS[1])
    journal.close()
    assert opened(path).found.records == (*RECORDS, RECORDS[1])


def test_nothing_is_written_behind_a_torn_record(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    journal = Journal(path)
    journal.append(RECORDS[0])

    def refuse(*_: object) -> None:
        raise OSError(errno.EIO, "broken")

    def half(descriptor: int, data: bytes) -> None:
        os.write(descriptor, data[: len(data) // 2])
        refuse()

    with monkeypatch.context() as patch:
        patch.setattr(disk, "append", half)
        patch.setattr(disk, "truncate", refuse)
        for _ in range(2):
            with pytest.raises(StoreError, match=r"writer.journal: cannot write the action: broken"):
                journal.append(RECORDS[1])
    torn = path.with_name("torn")
    torn.write_bytes(path.read_bytes())
    found = opened(torn).found
    assert found.records == RECORDS[:1]
    assert found.cut_bytes
    journal.append(RECORDS[1])
    journal.close()
    assert opened(path).found == JournalContents(RECORDS[:2], 0, None), "the torn record was cut off before"


def test_records_are_synced_together_and_only_if_they_are_to_survive_a_loss_of_power(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[int] = []
    monkeypatch.setattr(disk, "sync", synced.append)
    for durable in (False, True):
        journal = Journal(path, durable=durable)
        synced.clear()
        for record in RECORDS:
            journal.append(record)
        assert synced == []
        journal.sync()
        journal.sync()
        journal.close()
        assert len(synced) == durable


def test_what_could_not_be_synced_is_written_anew(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a failure the system may have thrown away what it could not write, and says so only once."""
    journal = Journal(path, durable=True)
    journal.append(RECORDS[0])
    journal.sync()
    synced = path.stat().st_size
    journal.append(RECORDS[1])

    def lose(descriptor: int) -> None:
        with path.open("r+b") as file:
            file.seek(synced)
            file.write(bytes(path.stat().st_size - synced))
        raise OSError(errno.EIO, "broken")

    with monkeypatch.context() as patch:
        patch.setattr(disk, "sync", lose)
        with pytest.raises(StoreError, match="cannot make the actions durable: broken"):
            journal.sync()
    journal.sync()
    journal.close()
    assert opened(path).found.records == RECORDS[:2]


@pytest.mark.parametrize("zeros", [1, 7, 8, 9, 512, 4096])
def test_zeros_at_the_end_are_cut_off(path: Path, zeros: int) -> None:
    """A loss of power leaves them where a file was lengthened and not written; their checksum is that of nothing."""
    write(path)
    whole = path.read_bytes()
    path.write_bytes(whole + bytes(zeros))
    found = opened(path).found
    assert found.records == RECORDS
    assert found.set_aside is None
    assert path.read_bytes() == whole


def test_a_journal_of_zeros_begins_anew(path: Path) -> None:
    path.write_bytes(bytes(4096))
    assert opened(path).found.records == ()
    assert path.read_bytes() == HEADING


def test_publications_are_told_apart(path: Path) -> None:
    journal = Journal(path, durable=True)
    journal.append(RECORDS[0])
    journal.append(RECORDS[1])
    journal.mark()
    journal.append(RECORDS[2])
    journal.close()
    assert opened(path).found.publications == [list(RECORDS[:2]), [RECORDS[2]]]
