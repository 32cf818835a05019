"""The writing side of a store: objects are added, moves of refs recorded in a journal, and both published together."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TypeAlias

from catan_p2p.log.storage import disk
from catan_p2p.log.storage.journal import Journal, JournalRecord, RefMove
from catan_p2p.log.storage.lock import ProcessLock
from catan_p2p.log.storage.medium import FileMedium
from catan_p2p.log.storage.objects import (
    NULL_ID,
    DisplacedRef,
    ObjectCache,
    ObjectId,
    ObjectKind,
    RefMoved,
    StoreError,
    object_id,
    small_object_id,
)
from catan_p2p.log.storage.pack import PackBuilder, restore
from catan_p2p.log.storage.pack_store import PackStore
from catan_p2p.log.storage.ref_files import RefFiles, check_ref_name
from catan_p2p.log.storage.ref_locks import RefLocks
from catan_p2p.log.storage.writer_folder import WriterFolder
from catan_p2p.time_source import SYSTEM_TIME, TimeSource

PlaceFor: TypeAlias = Callable[[str, ObjectId], str | None]
"""Names the ref that keeps a foreign value found at a ref of this writer; None if others may move that ref."""

_KNOWN_MAX = 100_000
CHECKPOINT_BYTES = 256 << 10
"""At this journal size a durable store makes a checkpoint: small enough to open fast, and rare enough to be cheap."""


def _nobody() -> None:
    """Do nothing: nobody waits for publications."""


class StoreWriter:
    """One writer of the repository in ``git_folder``; StoreLocked if another process is already this writer.

    Its constructor finishes what a killed process had acknowledged: ``replayed`` counts the records, ``set_aside`` is
    the file with damaged ones, None if there were none. ``delete_packed(ref, old)`` deletes a ref that has a line in
    packed-refs. Where ``place_for`` names a ref, it keeps values that others have put at a ref of this writer.
    Publications that may wait are made at most once in ``lag_s`` seconds. The methods are those of the store, which
    documents them.
    """

    def __init__(
        self,
        git_folder: Path,
        name: str,
        refs: RefFiles,
        cache: ObjectCache,
        delete_packed: Callable[[str, ObjectId], None],
        *,
        durable: bool,
        lag_s: float = 0.0,
        time: TimeSource = SYSTEM_TIME,
        medium: FileMedium = disk,
        place_for: PlaceFor | None = None,
    ) -> None:
        self.replayed = 0
        self.displaced: list[DisplacedRef] = []
        """What was set aside since this writer began."""
        self._place_for = place_for
        self._time = time
        self._lag_s = lag_s
        self._published_at = -math.inf
        self.published: Callable[[], None] = _nobody
        """Called when refs have moved for everybody to see."""
        self._refs = refs
        self._cache = cache
        self._delete_packed = delete_packed
        self._builder = PackBuilder()
        self._recorded_count = 0
        self._objects: dict[ObjectId, tuple[ObjectKind, bytes]] = {}
        self._known: set[ObjectId] = set()
        self._may_be_unreachable = False
        """Whether some of the objects since the last publication may be such that no ref leads to them."""
        self._moves: dict[str, RefMove] = {}
        self._made: set[str] = set()
        """The moved refs that did not exist before."""
        self._tried: set[tuple[str, ObjectId | None]] = set()
        """Where a publication that failed was to move refs: it may have moved some."""
        self._heads: dict[str, ObjectId | None] = {}
        self.shown: dict[str, ObjectId | None] = {}
        """Where refs will be after the next publication, as far as it was asked for."""
        self._unshown: dict[str, ObjectId | None] = {}
        """Where refs were moved since a publication was last asked for."""
        self._seen: dict[str, ObjectId | None] = {}
        """Where refs were when all of them were last read, and where they were moved since; only with a lag."""
        self._unreadable: list[str] = []
        self._moves_shown = 0
        self._looked_at = -math.inf
        self._home = WriterFolder(git_folder, name, medium)
        self._locks = RefLocks(self._home)
        self._durable = durable
        self._moved: set[str] = set()
        """The refs that were moved since the journal began anew."""
        self._failed_at = 0
        """The size of the journal in bytes when a checkpoint last failed; 0 if none has since it began anew."""
        with ExitStack() as opened:
            # First, so that no two writers open one journal.
            if medium.KEEPS_OUT:
                opened.callback(ProcessLock(self._home.file("lock"), f"writing as {name} here", time).release)
            self._home.make_marker()
            self._journal = Journal(self._home.file("journal"), durable=durable, medium=medium)
            opened.callback(self._journal.close)
            self._pack_store = PackStore(git_folder / "objects" / "pack", self._home, durable=durable, time=time)
            opened.callback(self._pack_store.close)
            self.set_aside = self._journal.found.set_aside
            self._replay(self._journal.found.publications)
            # After the replay, which still needs what a killed process left.
            self._pack_store.clean()
            self._opened = opened.pop_all()

    def add(self, kind: ObjectKind, data: bytes) -> ObjectId:
        """Take an object to be written with the next record."""
        # Files of a state are hashed again and again; commits would only push them out of that cache.
        oid = object_id(kind, data) if kind == "commit" else small_object_id(kind, data)
        if oid not in self._known:
            self._builder.add(oid, kind, data)
            self._objects[oid] = kind, data
            self._known.add(oid)
        return oid

    def find(self, oid: ObjectId) -> tuple[ObjectKind, bytes] | None:
        """Return an unpublished object, None if there is no such object."""
        return self._objects.get(oid)

    def head(self, ref: str) -> ObjectId | None:
        """Return where this writer last moved ``ref``; of refs it did not move, where everybody sees them."""
        return self._heads[ref] if ref in self._heads else self.seen(ref)

    def seen(self, ref: str) -> ObjectId | None:
        """Return where everybody sees a ref; with a lag, as of at most ``lag_s`` seconds ago."""
        if not self._lag_s:
            return self._refs.read(ref)
        self._look_around()
        # A damaged ref raises its error when it is read, not when all are listed.
        return self._refs.read(ref) if ref in self._unreadable else self._seen.get(ref)

    @property
    def moves_shown(self) -> int | None:
        """A number that changes once a ref is seen elsewhere; None if only reading each ref would tell."""
        if not self._lag_s:
            return None
        self._look_around()
        return None if self._unreadable else self._moves_shown

    def _look_around(self) -> None:
        """With a lag, read all refs again if they were last read that long ago: others may have moved them."""
        now = self._time.monotonic()
        if now < self._looked_at + self._lag_s:
            return
        before, self._unreadable = self._seen, []
        self._seen = {**self._refs.list("refs/", self._unreadable)}
        self._looked_at = now
        self._moves_shown += self._seen != before

    def record(self, ref: str, new: ObjectId | None, old: ObjectId | None) -> None:
        """Acknowledge a move of ``ref`` and the objects added since the last record."""
        current = self.head(check_ref_name(ref))
        if current != old:
            # Refs already moved here are compared again when they are published.
            if ref in self._heads or not self._set_aside(ref, current):
                self._may_be_unreachable = True
                raise RefMoved(ref, old, current)
            old = current
        count = len(self._builder) - self._recorded_count
        move = RefMove(ref, old, new)
        # Of a record that is refused the objects come with the next one, whose ref may not lead to them.
        was, self._may_be_unreachable = self._may_be_unreachable, True
        self._journal.append(JournalRecord(move, count, self._builder.bytes_since(self._recorded_count)))
        self._may_be_unreachable = was or new is None
        self._recorded_count += count
        self._heads[ref] = new
        # Moves of one ref are published as one, from where everybody sees it now.
        earlier = self._moves.get(ref)
        self._moves[ref] = RefMove(ref, earlier.old, new) if earlier else move
        self._unshown[ref] = new
        if old is None or new is None:
            self._note_made(ref)

    def _note_made(self, ref: str) -> None:
        _, old, new = self._moves[ref]
        if old is None and new is not None:
            self._made.add(ref)
        else:
            self._made.discard(ref)

    def publish_soon(self) -> None:
        """Publish, unless that was done less than ``lag_s`` ago: then only users of this writer see it as yet.

        New refs wait twice as long: most of those of a game are soon deleted, and then never have to be made.
        """
        if self._lag_s:
            waited_s = self._time.monotonic() - self._published_at
            if waited_s < self._lag_s or (waited_s < 2 * self._lag_s and self._made):
                self.shown |= self._unshown
                self._unshown.clear()
                self._moves_shown += 1
                return
        self.publish()

    def publish(self, *, afresh: bool = False) -> None:
        """Write what was recorded as one pack and move the refs; in a durable store, once the journal is on the medium.

        ``afresh`` also writes what exists already: an earlier wait for it may have failed.
        """
        if not self._moves:
            return
        # Nothing may be shown that a loss of power could still take back.
        self._journal.sync()
        # The pack before the refs: a ref must never lead to a missing object.
        if self._recorded_count:
            self._pack_store.put(self._builder, afresh=afresh)
        moves = self._move_refs(afresh=afresh)
        # Before the housekeeping below, so that others fetch at once.
        self.published()
        self._seen.update((move.ref, move.new) for move in moves)
        self._moves_shown += 1
        self.shown.clear()
        self._unshown.clear()
        self._moved.update(self._moves)
        self._begin_anew()
        # A durable journal keeps its records until a checkpoint: packs and refs are not on the medium yet.
        if self._durable:
            self._journal.mark()
        else:
            self._journal.reset()
        # After the refs have moved, which protect the objects from a repack now.
        self._pack_store.release()
        if self._journal.size > CHECKPOINT_BYTES:
            self.checkpoint()
        self._pack_store.fold_due()
        self._published_at = self._time.monotonic()

    def _move_refs(self, *, afresh: bool) -> list[RefMove]:
        # Each foreign move that can be set aside gives the move another old value; then all are tried again.
        while True:
            moves = [move for move in self._moves.values() if move.old != move.new or (afresh and move.new is not None)]
            try:
                self._refs.move(moves, self._locks, self._delete_packed)
                self._tried.clear()
                return moves
            except RefMoved as error:
                if (error.ref, error.found) not in self._tried and not self._set_aside(error.ref, error.found):
                    raise
                self._moves[error.ref] = self._moves[error.ref]._replace(old=error.found)
                self._note_made(error.ref)
            except StoreError:
                self._tried |= {(move.ref, move.new) for move in moves}
                raise

    def put_back(self, ref: str, found: ObjectId, to: ObjectId | None) -> None:
        """Record that ``ref``, where somebody else has put ``found``, is at ``to`` again; ``found`` is set aside."""
        if not self._set_aside(ref, found):
            raise RefMoved(ref, to, found)
        self.record(ref, to, found)

    def _set_aside(self, ref: str, found: ObjectId | None) -> bool:
        """Keep a foreign value of a ref at another ref; False if others may move this ref."""
        if self._place_for is None or (place := self._place_for(ref, found or ObjectId(NULL_ID))) is None:
            return False
        # Recorded before the ref moves on, so that a crash in between loses no foreign commit.
        if found is not None and self.head(place) != found:
            move = RefMove(place, self.head(place), found)
            self._journal.append(JournalRecord(move, 0, b""))
            self._heads[place] = found
            self._moves[place] = move
            self._unshown[place] = found
            self._note_made(place)
        self.displaced.append(DisplacedRef(ref, found, None if found is None else place))
        return True

    def checkpoint(self) -> None:
        """In a durable store, have packs and refs on the medium themselves, so that the journal can begin anew.

        If that fails the journal is kept. The system may report as written, the next time, what it could not write. So
        everything in the journal is written again before the next attempt: by the next opening, or here once the
        journal has twice the size. That keeps it small without trying a broken disk with every publication.
        """
        size = self._journal.size
        if not self._durable or self._moves or not size or size < 2 * self._failed_at:
            return
        has_failed, self._failed_at = self._failed_at > 0, size
        if has_failed:
            self._write_again()
        # Packs before refs, and both before the journal forgets them.
        self._pack_store.sync()
        self._refs.sync(self._moved)
        self._failed_at = 0
        # A loss of power can then bring back no value of a ref that is older than this.
        self._locks.clear()
        self._moved.clear()
        self._journal.reset()

    def sync(self) -> None:
        """In a durable store, wait until everything that was recorded is on the medium, published or not."""
        self._journal.sync()

    def fold(self) -> None:
        """Publish, then fold all packs of this writer into one."""
        self.publish()
        self._pack_store.fold_all()
        self.checkpoint()

    def close(self) -> None:
        """Publish, remove what folding has replaced, and let the next writer in."""
        try:
            self.publish()
            self.checkpoint()
            self._pack_store.sweep()
            self._locks.clear()
        finally:
            self.release()

    def release(self) -> None:
        """Let the next writer in, leaving the journal to it."""
        self._opened.close()

    def _begin_anew(self) -> None:
        """Forget what is published now; objects that were added but not yet recorded are added again."""
        unrecorded = [entry.oid for entry in self._builder.entries[self._recorded_count :]]
        objects, moves = self._objects, self._moves
        self._builder, self._recorded_count, self._objects, self._moves = PackBuilder(), 0, {}, {}
        self._made.clear()
        # Readers often ask for what was just published, so the cache saves them a trip to Git.
        self._cache.put(objects)
        for oid in unrecorded:
            kind, data = objects[oid]
            self._builder.add(oid, kind, data)
            self._objects[oid] = kind, data
        # A deleted ref is read from the disk again, since somebody else may make it.
        gone = [move.ref for move in moves.values() if move.new is None]
        for ref in gone:
            del self._heads[ref]
        if self._may_be_unreachable or len(self._known) > _KNOWN_MAX:
            # What only a deleted ref led to, also one that was made again at once, Git may collect at any time.
            self._may_be_unreachable = False
            self._known = set(self._objects)

    def _write_again(self) -> None:
        """Write the packs and refs of all publications in the journal, whether or not they are there."""
        self._put(self._journal.read().publications, afresh=True)
        heads = ((ref, self._refs.read(ref)) for ref in self._moved)
        # Moves from an id to itself: they write the file of the ref anew.
        self._refs.move([RefMove(ref, oid, oid) for ref, oid in heads if oid], self._locks, self._delete_packed)
        self._pack_store.release()

    def _put(self, publications: Iterable[Sequence[JournalRecord]], *, afresh: bool) -> None:
        for published in publications:
            builder = PackBuilder()
            restore(((record.entries, record.entry_count) for record in published), builder)
            if len(builder):
                self._pack_store.put(builder, afresh=afresh)

    def _replay(self, publications: Sequence[Sequence[JournalRecord]]) -> None:
        *earlier, last = publications
        # A mark ends each earlier publication, and each must become the same pack as it was then.
        self._put(earlier, afresh=self._durable)
        self._objects = restore(((record.entries, record.entry_count) for record in last), self._builder)
        self._recorded_count = len(self._builder)
        records = [record for published in publications for record in published]
        trails: dict[str, list[ObjectId | None]] = {}
        for move in (record.move for record in records):
            trails.setdefault(move.ref, [move.old]).append(move.new)
        # The killed process may have been moving refs, and its locks would stop this one.
        self._refs.remove_stale_locks(trails, self._locks)
        for ref, trail in trails.items():
            # A ref without an id has no value to compare; the journal knows where it was going.
            was_torn = self._refs.remove_unreadable(ref)
            current = self._refs.read(ref)
            if was_torn:
                # What is left is a line in packed-refs, which may be older than the journal.
                trail.insert(0, current)
            if self.set_aside is not None and current is not None and current not in trail:
                continue  # moved by what is lost of the journal
            if current is not None and current not in trail:
                if not self._set_aside(ref, current):
                    told = f"the journal moves it to {trail[-1]}, but another program moved it to {current}"
                    raise RefMoved(ref, trail[-1], current, told)
            self._moves[ref] = RefMove(ref, current, trail[-1])
            self._heads[ref] = trail[-1]
        self.replayed = len(records)
        self._locks.clear()
        self.publish(afresh=self._durable)
        self._pack_store.release()
        self.checkpoint()
