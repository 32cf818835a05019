"""A repository as its next writer will find it, for readers: nothing in it is changed.

The journal holds what a killed process has acknowledged and what a loss of power has torn, until a writer opens the
repository again. Until then a snapshot stands in for the repository: a bare one in a temporary folder. Its packs are
links to the whole ones and one more made from the journals, and its refs are where the journals lead. So readers have
one repository, even for commands that Git itself runs.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from catan_p2p.log.storage import disk, repository
from catan_p2p.log.storage.journal import JournalRecord, read_journal
from catan_p2p.log.storage.lock import is_locked
from catan_p2p.log.storage.objects import ObjectDamaged, ObjectId
from catan_p2p.log.storage.pack import PackBuilder, listed_objects, restore
from catan_p2p.log.storage.ref_files import RefFiles
from catan_p2p.log.storage.writer_folder import FOLDER

_CONFIG = "[core]\n\trepositoryformatversion = 0\n\tbare = true\n"


class ReadableRepository:
    """The repository at a path, opened for reading; ``StoreError`` if there is none.

    ``folder`` is its Git folder, ``place`` what Git reads: that repository, or a snapshot.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._snapshot: TemporaryDirectory[str] | None = None
        # A loss of power may have emptied HEAD and config, and then Git finds no repository here.
        emptied = next((one for one in (path / ".git", path) if (one / FOLDER).is_dir()), None)
        place: repository.RepositoryPlace | None = None
        if emptied is not None and (emptied / "objects").is_dir() and not repository.is_whole(emptied):
            self.folder = emptied
        else:
            place = repository.find_repository(path)
            self.folder = place.folder
        # Taken before reading, so that a writer that opens it meanwhile makes the snapshot outdated.
        self._stamps = _stamps(self.folder)
        try:
            if place is not None and not _needs_a_writer(self.folder):
                self.place = place
                return
            self._snapshot = TemporaryDirectory(prefix="catan-p2p-snapshot-", ignore_cleanup_errors=True)
            with disk.explained("make a snapshot", self.folder):
                _write_snapshot(Path(self._snapshot.name), self.folder, [*_left_publications(self.folder)])
            self.place = repository.find_repository(Path(self._snapshot.name))
        except BaseException:
            self.close()
            raise

    @property
    def is_outdated(self) -> bool:
        """Whether a writer has opened the repository since a snapshot of it was made."""
        return self._snapshot is not None and _stamps(self.folder) != self._stamps

    def close(self) -> None:
        """Remove the snapshot, if there is one."""
        if self._snapshot is not None:
            self._snapshot.cleanup()


def _journals(folder: Path) -> list[Path]:
    return sorted((folder / FOLDER).glob("*.journal"))


def _stamps(folder: Path) -> list[object]:
    return [(journal, disk.status(journal)) for journal in _journals(folder)]


def _needs_a_writer(folder: Path) -> bool:
    """Whether the next writer would have something to repair or publish."""
    if any(_left_publications(folder)):
        return True
    journals = _journals(folder)
    # A live writer has checked the packs already when it opened the repository.
    if not journals or any(is_locked(journal.with_suffix(".lock")) for journal in journals):
        return False
    known, damaged = _look_at_packs(folder / "objects" / "pack", set())
    # A torn pack is left out only if everything in it is known from elsewhere.
    return any(listed <= known for _, listed in damaged)


def _left_publications(folder: Path) -> Iterator[Sequence[JournalRecord]]:
    """The publications in the journals of writers that have ended: the next opening writes each of them again.

    A live writer's packs and refs are up to date for others, and its journal holds only what it has not shown yet.
    """
    for journal in _journals(folder):
        if not is_locked(journal.with_suffix(".lock")):
            with suppress(OSError, ObjectDamaged):
                yield from (records for records in read_journal(journal).publications if records)


def _write_snapshot(to: Path, folder: Path, publications: Sequence[Sequence[JournalRecord]]) -> None:
    builder = PackBuilder()
    for records in publications:
        # A publication that cannot be read may still be in a pack.
        with suppress(ObjectDamaged):
            objects = restore(((record.entries, record.entry_count) for record in records), PackBuilder())
            for oid, (kind, data) in objects.items():
                if oid not in builder:
                    builder.add(oid, kind, data)
    packs = to / "objects" / "pack"
    packs.mkdir(parents=True)
    if len(builder):
        name, pack, index = builder.build()
        disk.create(packs / f"pack-{name}.pack", pack)
        disk.create(packs / f"pack-{name}.idx", index)
    _link_packs(packs, folder / "objects" / "pack", {entry.oid for entry in builder.entries})
    for entry in (folder / "objects").iterdir():
        # Git keeps loose objects in folders that are named by the first two digits of their ids.
        if len(entry.name) == 2 and entry.is_dir():
            _link(entry, packs.parent / entry.name)
    _write_refs(to, folder, [record for records in publications for record in records])
    disk.create(to / "config", _CONFIG.encode())
    disk.create(to / "HEAD", b"ref: refs/heads/main\n")


def _link_packs(packs: Path, theirs: Path, made: set[ObjectId]) -> None:
    """Link packs that are whole, and torn ones if something in them is nowhere else."""
    known, torn = _look_at_packs(theirs, made)
    left_out = {index.stem for index, listed in torn if listed <= known}
    for file in theirs.iterdir() if theirs.is_dir() else ():
        if file.stem not in left_out and not (packs / file.name).exists():
            _link(file, packs / file.name)


def _look_at_packs(packs: Path, known: set[ObjectId]) -> tuple[set[ObjectId], list[tuple[Path, set[ObjectId]]]]:
    """What is known or in a pack that is whole, and the indexes of torn packs, with what they list.

    An index that is torn itself lists nothing, and Git reads nothing of its pack.
    """
    torn = []
    for index in sorted(packs.glob("*.idx")) if packs.is_dir() else ():
        listed: set[ObjectId] = set()
        try:
            listed = listed_objects(content := disk.read(index) or b"")
            # Hashing every pack would take long; what a loss of power tears ends with other bytes.
            if not _ends_with(index.with_suffix(".pack"), content[-40:-20]):
                raise ObjectDamaged("torn")
            known = known | listed
        except ObjectDamaged:
            torn.append((index, listed))
    return known, torn


def _ends_with(file: Path, end: bytes) -> bool:
    """Whether a pack ends with the checksum that its index names; a torn one does not."""
    with suppress(OSError), file.open("rb") as opened:
        opened.seek(-len(end), os.SEEK_END)
        return opened.read() == end
    return False


def _link(source: Path, target: Path) -> None:
    try:
        target.symlink_to(source.absolute(), target_is_directory=source.is_dir())
    except OSError:  # Windows allows few to make links
        if source.is_dir():
            shutil.copytree(source, target)
        else:
            shutil.copyfile(source, target)


def _write_refs(to: Path, folder: Path, records: Sequence[JournalRecord]) -> None:
    """Write the refs where an opening moves them; those that cannot be read and are in no journal stay as they are."""
    files, broken = RefFiles(folder, lock_wait_s=0.0), list[str]()
    refs: dict[str, ObjectId] = files.list("refs/", broken) if (folder / "refs").is_dir() else {}
    trails: dict[str, list[ObjectId | None]] = {}
    for move in (record.move for record in records):
        trails.setdefault(move.ref, [move.old]).append(move.new)
    for ref, trail in trails.items():
        # The same decision as in ``StoreWriter._replay``.
        if ref in refs and refs[ref] not in trail and ref not in broken:
            continue  # moved by somebody else since
        if (new := trail[-1]) is not None:
            refs[ref] = new
        else:
            refs.pop(ref, None)
    (to / "refs" / "heads").mkdir(parents=True)
    disk.create(to / "packed-refs", "".join(f"{oid} {ref}\n" for ref, oid in sorted(refs.items())).encode())
    # Copied as they are, so that reading them fails as it does in the repository itself.
    for ref in broken:
        if ref not in trails:
            (to / ref).parent.mkdir(parents=True, exist_ok=True)
            disk.create(to / ref, disk.read(folder / ref) or b"")
