"""A store on a disk in memory: whatever is done, and whatever happens meanwhile, nothing is lost and nothing is torn.

Any change of the disk may be the last one of a killed process, or be refused since the disk is full; a wait for the
medium may fail; and the power may be lost, after which a durable store has what others had seen. Before every change
the others find a repository that Git calls sound. Git itself checks, packs and collects the repository in between.
"""

import shutil
import tempfile
from collections.abc import Callable
from contextlib import contextmanager
from hashlib import sha1
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from catan_p2p.log.storage import pack_store, repository, writer
from catan_p2p.log.storage.memory import PowerCut
from catan_p2p.log.storage.objects import ObjectId, ObjectKind, ObjectMissing, RefMoved, StoreError, StoreLocked
from catan_p2p.log.storage.store import GitStore
from tests.log.storage.chains import add_commit
from tests.log.storage.troubled_disk import FOLDER, Trouble, TroubledDisk
from tests.virtual_time import VirtualTime

REFS = ("refs/heads/Red_0", "refs/remotes/Blue/Blue_0", "refs/heads/passing")
OTHER = "refs/heads/Other_0"
LAG_S = 100.0
KINDS = st.sampled_from(["killed", "killed", "full", "full from then on"])


def trouble(latest: int) -> st.SearchStrategy[Trouble | None]:
    """None, or some at one of the first changes, or at one of the few waits for the medium."""
    fails = st.builds(Trouble, st.just("a sync fails"), st.integers(1, max(1, latest // 5)))
    return st.none() | st.builds(Trouble, KINDS, st.integers(1, latest), st.integers(0, 4)) | fails


Refs = dict[str, ObjectId]
Record = tuple[str, ObjectId | None]


class FastTime(VirtualTime):
    """A clock by which a second passes in every wait."""

    passes: Callable[[float], object] = staticmethod(lambda now: None)
    """Called with the time after each wait."""

    def sleep(self, seconds: float) -> None:
        self.now += 1.0
        self.passes(self.now)


class GitOnMemory(GitStore):
    """A store on a disk in memory, for which Git runs on a copy."""

    run_git: Callable[..., None]

    @property
    def _where_git_runs(self) -> repository.RepositoryPlace:
        return self  # type: ignore[return-value]

    def run(self, doing: str, *arguments: str) -> None:
        self.run_git(self.medium, doing, *arguments)


class StoreMachine(RuleBasedStateMachine):
    """What was recorded, one after the other, and how much of it others see, and a loss of power leaves."""

    store: GitOnMemory | None = None

    @initialize(
        durable=st.booleans(),
        lag_s=st.sampled_from([0.0, 0.0, LAG_S]),
        fold_at=st.sampled_from([2, 3, 64]),
        grace_s=st.sampled_from([0.0, 50.0]),
        checkpoint_bytes=st.sampled_from([300, 2500, 256 << 10]),
    )
    def begin(self, durable: bool, lag_s: float, fold_at: int, grace_s: float, checkpoint_bytes: int) -> None:
        self.folder = Path(tempfile.mkdtemp(dir="/dev/shm" if Path("/dev/shm").is_dir() else None))
        self.patch = pytest.MonkeyPatch()
        self.patch.setattr(pack_store, "FOLD_AT", fold_at)
        self.patch.setattr(pack_store, "GRACE_S", grace_s)
        self.patch.setattr(writer, "CHECKPOINT_BYTES", checkpoint_bytes)
        self.patch.setattr(GitOnMemory, "run_git", self.run_git, raising=False)
        self.durable, self.lag_s = durable, lag_s
        self.is_lazy = fold_at > 3 and checkpoint_bytes > 2500
        """Whether publications neither fold nor make checkpoints."""
        self.runs = self.git_after = 0
        self.time = FastTime(1000.0)
        self.records: list[Record] = []
        self.in_flight: list[Record] = []
        """A move that was being recorded by a process that was killed."""
        self.seen = self.asked = self.floor = 0
        """How many records others see, this store shows, and a loss of power leaves at least."""
        self.is_settled = True
        """Whether no publication has failed."""
        self.tried: list[Refs] = []
        """Where refs were to be after those that have failed since."""
        self.found: Refs = {}
        """Where refs were after the last publication, whether or not it failed."""
        self.has_lost_power = self.is_dark = self.was_refused = self.was_full = False
        self.published_at: float | None = None
        self.added_for: str | None = None
        """The ref that the next record moves, since objects were added for it."""
        self.others: list[Record] = []
        self.others_at: list[float] = []
        """When another writer made each of its commits."""
        self.content: dict[ObjectId, tuple[ObjectKind, bytes]] = {}
        self.closure: dict[ObjectId | None, frozenset[ObjectId]] = {None: frozenset()}
        self.numbers: dict[ObjectId | None, int] = {None: 0}
        self.checked: object = None
        self.disk = TroubledDisk(self.others_find_a_sound_repository)
        self.open(None)

    def teardown(self) -> None:
        if hasattr(self, "patch"):
            try:
                if self.disk.is_sound and not self.in_flight:
                    self.git("fsck", "--strict", "--full", "--no-dangling", "--no-progress")
            finally:
                self.patch.undo()
                shutil.rmtree(self.folder)

    # The model

    def refs(self, count: int, more: list[Record] | None = None) -> Refs:
        """Where the refs are after so many records."""
        return _refs_after([*self.records[:count], *(more or [])])

    @property
    def own(self) -> Refs:
        """Where the refs are for this writer."""
        return self.refs(len(self.records))

    def on_disk(self, where: TroubledDisk | None = None) -> Refs:
        """Where anybody finds the refs of this writer."""
        with GitOnMemory.within(where or self.disk, FOLDER, writer=None) as reader:
            return {ref: oid for ref, oid in reader.list_refs().items() if ref != OTHER}

    @property
    def is_up(self) -> bool:
        return self.store is not None

    @property
    def writing(self) -> GitOnMemory:
        assert self.store is not None
        return self.store

    def commit(self, store: GitStore, ref: str, parent: ObjectId | None) -> ObjectId:
        """Add the next commit of a ref: ids are Git's."""
        ids = set()

        class Adding:
            def add(_, kind: ObjectKind, data: bytes) -> ObjectId:
                oid = store.add(kind, data)
                assert oid == sha1(b"%b %d\0%b" % (kind.encode(), len(data), data)).hexdigest()
                self.content[oid] = kind, data
                ids.add(oid)
                return oid

        number = self.numbers[parent] + 1
        oid = add_commit(Adding(), number, parent, author=ref.rpartition("/")[2])  # type: ignore[arg-type]
        self.closure[oid], self.numbers[oid] = self.closure[parent] | ids, number
        return oid

    # What happens

    def attempt(self, do: Callable[[], object], trouble: Trouble | None) -> bool:
        """Do it, in trouble or not; whether it was done. What is refused says so in one line and names the file."""
        self.disk.trouble = trouble
        try:
            do()
        except StoreError as error:
            assert trouble is not None and trouble.kind != "killed", error
            assert "\n" not in str(error) and str(FOLDER) in str(error) and trouble.words in str(error), error
            return False
        except PowerCut:
            self.is_killed()
            return False
        finally:
            self.disk.trouble = None
            self.was_refused |= trouble is not None and trouble.at <= 0
            self.was_full |= trouble is not None and trouble.kind == "full from then on" and trouble.at <= 0
        return True

    def is_killed(self) -> None:
        """The process is gone."""
        self.disk.let_go()
        self.store = self.added_for = None

    def open(self, trouble: Trouble | None) -> None:
        """Open the store: all that was recorded is there, or after a loss of power all that others had seen."""
        self.store, self.is_dark, self.was_refused = None, False, False
        if not self.attempt(self.open_or_fail, trouble):
            self.disk.let_go()
            self.has_failed()
            return
        self.records = self.left(self.on_disk(), len(self.records) if self.disk.is_sound else self.floor)
        self.in_flight, self.tried, self.found = [], [], self.own
        self.seen = self.asked = self.floor = len(self.records)
        self.is_settled = self.disk.is_sound = True
        self.published_at = None
        self.checked = None
        assert self.writing.set_aside is None or self.durable
        self.nothing_is_left_over()

    def left(self, found: Refs, least: int) -> list[Record]:
        """The records that lead to these refs, ``least`` or more, the record in flight maybe included."""
        candidates = [(self.records + self.in_flight)[:n] for n in range(len(self.records) + 2) if n >= least]
        # What is the same need not be told apart.
        fitting = [records for records in candidates[::-1] if found == _refs_after(records)]
        assert fitting, f"{found} is not what is left of {self.records} and {self.in_flight} from {least} on"
        return fitting[0]

    def open_or_fail(self) -> None:
        how = "power" if self.durable else "process"
        self.store = GitOnMemory(FOLDER, "writer", how, self.lag_s, self.time, self.disk)

    @precondition(lambda self: not self.is_up)
    @rule(trouble=st.none() | trouble(30))
    def start(self, trouble: Trouble | None) -> None:
        self.open(trouble)

    @precondition(lambda self: self.durable and not self.is_dark)
    @rule(seed=st.none() | st.integers(0, 2**32))
    def lose_power(self, seed: int | None) -> None:
        """Of what was not waited for, each part is there or not."""
        self.is_killed()
        self.has_lost_power = self.is_dark = True
        self.disk.lose_power(None if seed is None else Random(seed))

    def has_failed(self) -> None:
        """A publication that failed or was killed may have shown all of it, or some."""
        self.is_settled = False
        self.tried.append(self.own)
        if self.disk.is_sound and (found := self.on_disk()) != self.found:
            self.floor, self.found = len(self.records), found

    @precondition(lambda self: self.is_up and self.pending())
    @rule()
    def kill(self) -> None:
        self.is_killed()

    @precondition(lambda self: self.is_up)
    @rule(ref=st.sampled_from(REFS), trouble=trouble(2), is_deleted=st.booleans(), is_wrong=st.booleans())
    def record(self, ref: str, trouble: Trouble | None, is_deleted: bool, is_wrong: bool = False) -> None:
        """A move of a ref is recorded with its objects, or refused and not there."""
        ref, self.added_for = self.added_for or ref, None
        old = self.own.get(ref)
        new = None if is_deleted and ref == REFS[2] and old else self.commit(self.writing, ref, old)
        if is_wrong:
            with pytest.raises(RefMoved, match=f"{ref}: expected .*, found {old or 'none'}"):
                self.writing.record(ref, new, ObjectId("1" * 40))
        if self.attempt(lambda: self.writing.record(ref, new, old), trouble):
            self.records.append((ref, new))
        elif not self.is_up:
            self.in_flight = [(ref, new)]

    @precondition(lambda self: self.is_up)
    @rule(
        refs=st.lists(st.sampled_from(REFS), min_size=1, max_size=4),
        rounds=st.integers(1, 4),
        every=st.integers(1, 3),
        trouble=trouble(60),
    )
    def act(self, refs: list[str], rounds: int, every: int, trouble: Trouble | None) -> None:
        """Many moves, published now and then, or at last; after trouble it goes on."""
        for number, ref in enumerate(refs * rounds, 1):
            self.record(ref, None, is_deleted=number % 3 == 0)
            if number % every == 0:
                self.publish("publish", trouble if trouble and trouble.at > 0 else None)
                self.a_loss_of_power_leaves_what_others_had_seen()
            if not self.is_up:
                return

    @precondition(lambda self: self.is_up)
    @rule(ref=st.sampled_from(REFS))
    def add_what_is_not_recorded(self, ref: str) -> None:
        """It need not be there before it is recorded, as the next thing, and then it must."""
        ref = self.added_for = self.added_for or ref
        self.commit(self.writing, ref, self.own.get(ref))

    @precondition(lambda self: self.is_up)
    @rule(how=st.sampled_from(["publish", "now", "fold", "close"]), trouble=trouble(25))
    def publish(self, how: str, trouble: Trouble | None) -> None:
        """Others see all of it, or some of the refs at their new places if that fails."""
        store = self.writing
        do = {
            "publish": store.publish,
            "now": lambda: store.publish(now=True),
            "fold": store.fold,
            "close": store.close,
        }[how]
        waits = self.may_wait() if how == "publish" and self.lag_s else False
        before = self.disk.syncs
        if not self.attempt(do, trouble):
            self.has_failed()
            if how == "close":
                self.is_killed()
            return
        if how == "publish":
            self.asked = len(self.records)
        is_same = self.own == self.refs(self.seen)
        if waits is not False and (is_same or self.on_disk() != self.own):
            if waits is None:
                self.published_at = None
            else:
                assert self.on_disk() == self.refs(self.seen)
            return
        assert not waits, "it was to wait"
        self.published_at = None if is_same else self.time.now
        self.seen = self.asked = len(self.records)
        if self.durable:
            self.floor = len(self.records)
        self.is_settled, self.tried, self.found = True, [], self.own
        if how == "close":
            self.is_killed()
            assert not [name for name in self.disk.files(FOLDER / "catan-p2p") if name.startswith("writer.ref.")]
        self.nothing_is_left_over()
        if not self.durable or (self.is_lazy and how == "publish" and not self.disk.failed_syncs):
            assert self.disk.syncs - before <= self.durable, "a publication waits once"

    def may_wait(self) -> bool | None:
        """With a lag, whether the publication waits; None if that is not known."""
        if self.published_at is None or not self.is_settled:
            return None
        waited_s = self.time.now - self.published_at
        is_new = any(ref not in self.refs(self.seen) for ref in self.own)
        return waited_s < self.lag_s or (waited_s < 2 * self.lag_s and is_new)

    @precondition(lambda self: self.is_up)
    @rule(trouble=trouble(3))
    def sync(self, trouble: Trouble | None) -> None:
        """What was recorded outlives a loss of power."""
        if self.attempt(self.writing.sync, trouble) and self.durable:
            self.floor = len(self.records)

    @precondition(lambda self: self.is_up and self.lag_s)
    @rule(seconds=st.sampled_from([1.0, 51.0, LAG_S + 1]))
    def wait(self, seconds: float) -> None:
        self.time.now += seconds

    # Others in the same repository

    @precondition(lambda self: self.disk.is_sound and self.is_settled and len(self.records) > self.git_after)
    @rule(what=st.sampled_from(["pack-refs --all", "repack -a -d -q", "gc --quiet --prune=now"]))
    def git_works(self, what: str) -> None:
        """Git leaves another repository that is sound; not too often, since it takes most of the time."""
        self.git_after = len(self.records) + 3
        self.git(*what.split())
        self.disk.sync_all()

    def git(self, *arguments: str) -> None:
        self.run_git(self.disk, "git", *arguments)

    def run_git(self, on: TroubledDisk, doing: str, *arguments: str) -> None:
        self.runs += 1
        on.run_git(self.folder / str(self.runs), doing, *arguments)

    @precondition(lambda self: self.is_up)
    @rule(is_folded=st.booleans())
    def another_writer_acts(self, is_folded: bool) -> None:
        how = "power" if self.durable else "process"
        with GitOnMemory(FOLDER, "other", how, 0.0, self.time, self.disk) as store:
            head = self.others[-1][1] if self.others else None
            assert store.own_ref(OTHER) == head
            self.others.append((OTHER, self.commit(store, OTHER, head)))
            store.record(*self.others[-1], head)
            self.others_at.append(self.time.now)
            if is_folded:
                store.fold()

    def pending(self) -> list[str]:
        """The refs that the next publication moves."""
        seen, own = self.refs(self.seen), self.own
        return [ref for ref in REFS if seen.get(ref) != own.get(ref)]

    @contextmanager
    def others_put(self, name: str, data: bytes | None, words: str):  # type: ignore[no-untyped-def]
        """Somebody else changes a file: then nothing is published, and nobody takes it back but they."""
        before = self.disk.read(FOLDER / name)
        self.disk.set_file(name, data)
        refs, files = self.on_disk(), {n for n in self.disk.files(FOLDER) if n.endswith(".lock")}
        error = StoreLocked if name.endswith(".lock") else RefMoved
        with pytest.raises(error, match=words):
            yield
        assert self.on_disk() == refs
        assert {n for n in self.disk.files(FOLDER) if n.endswith(".lock")} == files
        self.disk.set_file(name, before)

    @precondition(lambda self: self.is_up and self.is_settled and self.pending() and not self.lag_s)
    @rule(how=st.sampled_from(["publish", "start"]), choice=st.data())
    def another_program_moves_a_ref(self, how: str, choice: st.DataObject) -> None:
        """What it put there is not overwritten, whether or not this process lives on."""
        ref = choice.draw(st.sampled_from(self.pending()))
        places = {oid for _, oid in self.records[: self.seen] if oid} - {oid for one, oid in self.records if one == ref}
        packed = self.disk.read(FOLDER / "packed-refs") or b""
        if not places or (ref not in self.disk.loose_refs() and ref.encode() in packed):
            return
        other = min(places)
        if not self.closure[other] <= self.disk.objects():
            return
        told = f"{ref}: expected .*, found {{}}"
        if how == "start":
            told = f"{ref}: the journal moves it to {self.own.get(ref)}, but another program moved it to {{}}"
        with self.others_put(ref, f"{other}\n".encode(), told.format(other)):
            if how == "publish":
                self.writing.publish()
            else:
                self.is_killed()
                self.open_or_fail()

    @precondition(lambda self: self.is_up and self.is_settled and self.pending() and not self.lag_s)
    @rule(
        how=st.sampled_from(["publish", "start"]),
        content=st.sampled_from([b"", b"1" * 40, b"catan-p2p other\n"]),
        of_packed=st.booleans(),
        is_short=st.booleans(),
    )
    def another_program_holds_a_lock(self, how: str, content: bytes, of_packed: bool, is_short: bool) -> None:
        """It is waited for, and named and left alone if it stays."""
        is_deletion = any(self.own.get(ref) is None for ref in self.pending())
        name = "packed-refs.lock" if of_packed and is_deletion else f"{self.pending()[0]}.lock"
        if is_short:
            gone_at = self.time.now + 3
            self.disk.set_file(name, content)
            self.time.passes = lambda now: now == gone_at and self.disk.set_file(name, None)
            if how == "start":
                self.is_killed()
            self.publish("publish", None) if how == "publish" else self.open(None)
            assert self.time.now >= gone_at, "nobody has waited"
            del self.time.passes
            return
        with self.others_put(name, content, f"{name}: another process has held this lock for 10 s"):
            if how == "publish":
                self.writing.publish()
            else:
                self.is_killed()
                self.open_or_fail()

    @precondition(lambda self: not self.is_up)
    @rule(emptied=st.sampled_from(["", "config", "HEAD"]))
    def somebody_reads(self, emptied: str) -> None:
        """A reader finds what the next writer will, and changes nothing; a loss of power may have emptied a file."""
        self.runs += 1
        path = self.folder / str(self.runs)
        files = {path / name: data for name, data in self.disk.files(FOLDER).items()}
        if emptied and self.is_dark:
            files[path / emptied] = b""
        for folder in ("objects/pack", "refs/heads"):
            (path / folder).mkdir(parents=True)
        for file, data in files.items():
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
        with GitStore.open(path, writer=None) as reader:
            found = reader.list_refs()
            found.pop(OTHER, None)
            self.left(found, len(self.records) if self.disk.is_sound else self.floor)
            assert all(reader.read(oid) == self.content[oid] for oid in found.values())
        assert {file: file.read_bytes() for file in path.rglob("*") if file.is_file()} == files

    # What must hold

    def others_find_a_sound_repository(self) -> None:
        """All refs lead to objects that are there, before every change; looked at again only if something is new."""
        if not self.disk.is_sound:
            return
        there = self.disk.objects()
        for ref, text in self.disk.loose_refs().items():
            missing = self.closure[ObjectId(text)] - there
            assert not missing, f"{ref} leads to {[self.content[oid] for oid in missing]}, which is not there"

    @invariant()
    def refs_are_old_or_new(self) -> None:
        if not hasattr(self, "disk") or not self.disk.is_sound:
            return
        self.others_find_a_sound_repository()
        found, old, new = self.on_disk(), self.refs(self.seen), self.refs(len(self.records), self.in_flight)
        if self.is_settled and not self.in_flight:
            assert found == old
        for ref in REFS:
            assert found.get(ref) in [places.get(ref) for places in (old, new, self.own, *self.tried)], ref

    @invariant()
    def a_loss_of_power_leaves_what_others_had_seen(self) -> None:
        """Looked at where a wait has failed, or a process was killed in the middle of something."""
        if (self.is_up and not self.disk.failed_syncs) or not self.durable or self.is_dark:
            return
        for number in range(4):
            comes = FOLDER / "catan-p2p" / "writer.journal" if number == 1 else None
            disk = self.disk.without_power(Random(self.disk.changes + number) if number > 1 else None, comes)
            GitOnMemory(FOLDER, "writer", "power", 0.0, FastTime(self.time.now), disk)
            there = disk.objects()
            for ref, oid in _refs_after(self.left(self.on_disk(disk), self.floor)).items():
                assert self.closure[oid] <= there, ref

    @invariant()
    def the_store_knows_what_it_did(self) -> None:
        if self.store is None:
            return
        own, shown = self.own, self.refs(max(self.seen, self.asked))
        for ref in REFS:
            assert self.store.own_ref(ref) == own.get(ref), ref
            tried = [] if self.is_settled else [own, *self.tried]
            assert self.store.read_ref(ref) in [places.get(ref) for places in (shown, *tried)], ref
        for oid in {*own.values()}:
            assert self.store.read(oid) == self.content[oid]
        late = [
            oid for (_, oid), at in zip(self.others, self.others_at, strict=True) if at > self.time.now - self.lag_s
        ]
        heads = [None, *(oid for _, oid in self.others)]
        assert self.store.read_ref(OTHER) in heads[len(heads) - 1 - len(late) :], "another's move is seen too late"
        looked = {ref: self.store.read_ref(ref) for ref in (*REFS, OTHER)}
        if isinstance(self.checked, tuple) and looked != self.checked[1] and self.store.moves_shown is not None:
            assert self.store.moves_shown != self.checked[0]
        self.checked = self.store.moves_shown, looked

    @invariant()
    def what_is_not_published_is_the_writer_s_alone(self) -> None:
        if self.store is None or not self.is_settled or not self.pending():
            return
        new = self.own.get(self.pending()[0])
        if new is not None and new not in self.refs(self.seen).values() and new not in self.disk.objects():
            with GitOnMemory.within(self.disk, FOLDER, writer=None) as reader, pytest.raises(ObjectMissing, match=new):
                reader.read(new)

    def nothing_is_left_over(self) -> None:
        """Of this writer's locks, marks and files that were to get other names; every pack has its index."""
        if self.was_refused:  # what could not be removed goes later
            return
        names = self.disk.files(FOLDER)
        left = [name for name in names if name.endswith((".lock", ".keep", ".tmp", ".new"))]
        assert not left or (self.has_lost_power and all("ther" in name or name.endswith(".keep") for name in left)), (
            left
        )
        if not self.has_lost_power and not self.was_full:  # a full disk may keep a pack without its index
            packs = {name.rpartition(".")[0] for name in names if name.startswith("objects/pack/")}
            assert {f"{pack}.{suffix}" for pack in packs for suffix in ("pack", "idx")} <= names.keys()


def _refs_after(records: list[Record]) -> Refs:
    return {ref: oid for ref, oid in sorted(dict(records).items()) if oid is not None}


QUICK = settings(max_examples=10, stateful_step_count=40, derandomize=True, phases=(Phase.generate,))

TestStore = StoreMachine.TestCase
TestStore.settings = QUICK


@pytest.mark.long
def test_nothing_is_lost_and_nothing_is_torn() -> None:
    """More of them; the least failing ones are sought by the others, since that takes minutes."""
    run_state_machine_as_test(StoreMachine, settings=settings(QUICK, max_examples=120))


@pytest.mark.long
@pytest.mark.sampled(2)
@pytest.mark.parametrize(("begins_anew", "checkpoint_bytes"), [(False, 300), (True, 300), (False, 2500), (True, 2500)])
def test_what_others_had_seen_outlives_a_wait_that_fails_anywhere(begins_anew: bool, checkpoint_bytes: int) -> None:
    """The same turns with each of their waits failing: the chances of a checkpoint to fail are small."""
    failed = 1
    while (trouble := Trouble("a sync fails", failed)).at > 0:
        machine = StoreMachine()
        machine.begin(True, 0.0, 3, 0.0, checkpoint_bytes)
        play_turns(machine, trouble, begins_anew=begins_anew)
        machine.teardown()
        if trouble.at > 0:
            break
        failed += 1
    assert failed > 30


def play_turns(machine: StoreMachine, trouble: Trouble, *, begins_anew: bool) -> None:
    """Some turns, of which the third ref is moved in one round only: no later action writes it again."""
    journal, sizes = FOLDER / "catan-p2p" / "writer.journal", [0]

    def surely(how: str) -> None:
        """Publish, once more if that fails: in the same process, or in the next one."""
        machine.publish(how, trouble)
        if trouble.at == 0 and not machine.is_settled:
            if begins_anew and machine.is_up:
                machine.is_killed()
            if machine.is_up:
                machine.publish("now", None)
            elif how != "close":
                machine.start(None)
        if machine.disk.failed_syncs:
            machine.a_loss_of_power_leaves_what_others_had_seen()
        sizes.append(len(machine.disk.read(journal) or b""))
        # With twice the size of when a wait failed it begins anew, at the latest with that publication.
        assert sizes[-1] < 2 * writer.CHECKPOINT_BYTES + 3 * max(b - a for a, b in pairwise(sizes))

    for rounds in (5, 2):
        for number in range(rounds):
            for ref in REFS[: 2 if number else 3]:
                machine.record(ref, None, is_deleted=False)
            surely("publish")
        surely("fold")
    surely("close")
    machine.start(None)
    surely("publish")


@pytest.mark.soak
class TestThousandsOfStores(StoreMachine.TestCase):
    """The same for longer."""

    settings = settings(QUICK, max_examples=5000, stateful_step_count=80, derandomize=False, phases=Phase)
