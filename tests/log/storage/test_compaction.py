"""A log packed again holds the same objects, in far fewer bytes, and Git reads it."""

import gc
import random
import shutil
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catan_p2p.log.storage.compaction import compact
from catan_p2p.log.storage.families import LONG, MAX_DEPTH, FamilyVersion, LongFamily, VersionFamily
from catan_p2p.log.storage.objects import ObjectId, ObjectKind, object_id
from catan_p2p.log.storage.pack import PackBuilder, PackEntry, parse_pack, unpack
from tests.log.storage.chains import fsck, git
from tests.log.storage.repositories import played
from tests.log.storage.test_pack import put

pytestmark = pytest.mark.long

Objects = list[tuple[ObjectKind, bytes]]

NAMES = (b"bank", b"dice", b"hands", b"phase", b"points", b"roads", b"turn")


def packed(objects: Objects) -> list[PackEntry]:
    builder = PackBuilder()
    for kind, data in objects:
        oid = object_id(kind, data)
        if oid not in builder:
            builder.add(oid, kind, data)
    return builder.entries


def depths(entries: list[PackEntry]) -> list[int]:
    found: dict[ObjectId, int] = {}
    for entry in entries:
        found[entry.oid] = found[entry.base] + 1 if entry.base else 0
    return list(found.values())


@st.composite
def logs(draw: st.DrawFn) -> Objects:
    """Objects of all kinds as a log has them, with some that look like nothing else."""
    rng = draw(st.randoms(use_true_random=False))
    files = {name: b"".join(b"%b %d\n" % (name, at) for at in range(rng.randrange(12))) for name in NAMES}
    objects: Objects = []
    parents: list[str] = []
    for number in range(draw(st.integers(1, 60))):
        for name in rng.sample(NAMES, rng.randrange(4)):
            files[name] = files[name].replace(b"%d" % rng.randrange(10), b"%d" % rng.randrange(20)) or b"%d" % number
        objects += [("blob", data) for data in files.values()]
        ids = {name: bytes.fromhex(object_id("blob", data)) for name, data in files.items()}
        kept = sorted(rng.sample(NAMES, 7 - rng.choice((0, 0, 0, 2, 7))))
        tree = b"".join(b"100644 %b\0%b" % (name, ids[name]) for name in kept)
        who = f"P{number % 3} <p@q> {1_700_000_000 + number} +0000"
        head = f"tree {object_id('tree', tree)}\n" + "".join(f"parent {parent}\n" for parent in parents)
        message = rng.choice(("roll", f"move\n\nTo: {number}", "", "move\n\nFrom: 2\nTo: 3"))
        commit = f"{head}author {who}\ncommitter {who}\n\n{message}\n".encode()
        objects += [("tree", tree), ("commit", commit)]
        parents = [object_id("commit", commit), *parents[: rng.choice((0, 0, 1))]]
    tag = f"object {parents[0]}\ntype commit\ntag t\ntagger P <p@q> 1700000000 +0000\n\nt\n"
    return [*objects, ("tag", tag.encode()), ("blob", draw(st.binary(max_size=100)))]


@given(logs())
@settings(max_examples=60, deadline=None)
def test_it_holds_every_object_once_and_unchanged(objects: Objects) -> None:
    expected = {object_id(kind, data): (kind, data) for kind, data in objects}
    made = compact([packed(objects)])
    assert unpack([made.entries]) == expected
    _, pack, index = made.build()
    assert unpack([parse_pack(pack, index)]) == expected


@given(logs(), st.integers(0, 200))
@settings(max_examples=30, deadline=None)
def test_what_was_packed_in_how_many_packs_makes_no_difference(objects: Objects, cut: int) -> None:
    entries = packed(objects)
    whole = compact([entries])
    assert compact([entries[:cut], entries[cut:]]).build() == whole.build()
    assert unpack([compact([whole.entries]).entries]) == unpack([entries])


@given(logs())
@settings(max_examples=10, deadline=None)
def test_git_reads_it(tmp_path_factory: pytest.TempPathFactory, objects: Objects) -> None:
    path = tmp_path_factory.mktemp("repository")
    git(path, "init", "--quiet", "--bare")
    name = put(path, compact([packed(objects)]))
    git(path, "verify-pack", name)
    listed = git(path, "cat-file", "--batch-all-objects", "--batch-check=%(objectname) %(objecttype) %(objectsize)")
    expected = {f"{object_id(kind, data)} {kind} {len(data)}" for kind, data in objects}
    assert set(listed.splitlines()) == expected


def test_chains_are_no_longer_than_git_s_own() -> None:
    draw = random.Random(1)
    ids = [draw.randbytes(20) for _ in NAMES]
    objects: Objects = []
    few = [draw.randbytes(20) for _ in range(5)]
    for _ in range(4000):
        ids[draw.choice((0, 0, 1, 2, 3))] = draw.randbytes(20)
        ids[draw.choice((4, 5))] = draw.choice(few)
        names = zip(NAMES, ids, strict=True)
        objects.append(("tree", b"".join(b"100644 %b\0%b" % name for name in names)))
    made = compact([packed(objects)])
    assert max(depths(made.entries)) == MAX_DEPTH < 250
    assert depths(made.entries).count(0) == 1
    _, pack, _ = made.build()
    assert len(pack) / len(objects) < 90


def test_an_id_that_the_base_has_elsewhere_is_copied_from_there() -> None:
    draw = random.Random(1)
    few = [draw.randbytes(20) for _ in range(9)]
    trees = {
        b"".join(b"100644 %b\0%b" % row for row in zip(NAMES, draw.sample(few, 7), strict=True)) for _ in range(99)
    }
    objects: Objects = [("tree", tree) for tree in sorted(trees)]
    made = compact([packed(objects)])
    assert unpack([made.entries]) == {object_id(kind, data): (kind, data) for kind, data in objects}
    _, pack, _ = made.build()
    assert len(pack) / len(objects) < 75


def test_the_version_with_the_fewest_differences_is_the_base() -> None:
    family = VersionFamily()
    rows = [(b"a", b"1", b"x"), (b"a", b"2", b"y"), (b"b", b"2", b"y"), (b"c", b"3", b"z")]
    versions = [FamilyVersion(ObjectId(str(at)), b"", row, 0) for at, row in enumerate(rows)]
    for version in versions:
        family.add(version)
    assert family.closest((b"d", b"3", b"z")) == versions[3]
    assert family.closest((b"b", b"2", b"x")) == versions[2]
    assert family.closest((b"a", b"1", b"q")) == versions[0]
    assert family.closest((b"q", b"2", b"y")) == versions[2]
    assert VersionFamily().closest((b"a",)) is None


def test_parts_that_change_places_are_two_differences_whatever_their_hashes_are() -> None:
    for at in range(2000):
        family = VersionFamily()
        one, two, three, four = (b"%d %d" % (at, part) for part in range(4))
        deep = FamilyVersion(ObjectId("deep"), b"", (one, two, three, four), 9)
        latest = FamilyVersion(ObjectId("latest"), b"", (one, b"x", four, b"y"), 0)
        family.add(deep)
        family.add(latest)
        assert family.closest((one, two, four, three)) == latest


def test_of_long_rows_the_base_is_the_recent_one_with_most_of_the_parts_wherever_they_are() -> None:
    family = LongFamily()
    parts = tuple(b"%d" % at for at in range(LONG + 2))
    rows = [parts[:LONG], (*parts[:-4], b"x", b"y"), (*parts[: LONG - 3], b"x", b"y", b"z")]
    versions = [FamilyVersion(ObjectId(str(at)), b"", row, at) for at, row in enumerate(rows)]
    for version in versions:
        family.add(version)
    assert family.closest((*rows[0][1:], b"q")) == versions[0]
    assert family.closest((*parts[: LONG - 3], b"q", b"r", b"s")) == versions[0], "the one with the fewest deltas"
    assert family.closest((*parts[: LONG - 3], b"x", b"y", b"q")) == versions[2]
    assert LongFamily().closest(parts) is None


def test_nothing_is_searched_for_garbage_meanwhile() -> None:
    objects: Objects = [("blob", b"%d\n" % at * (at % 9)) for at in range(4000)]
    entries = packed(objects)
    searches = []

    def note(phase: str, info: dict[str, int]) -> None:
        searches.append((phase, info["generation"]))

    usual = gc.get_threshold()
    gc.set_threshold(700, 10, 10)  # as Python has it: these tests search more rarely
    gc.collect(0)
    gc.callbacks.append(note)
    try:
        made = compact([entries])
    finally:
        gc.callbacks.remove(note)
        gc.set_threshold(*usual)
    assert len(made) > 3000
    # One search, which begins and ends, may be due as soon as searching is switched on again.
    assert len(searches) <= 2
    assert gc.isenabled()
    gc.disable()
    try:
        compact([entries[:9]])
        assert not gc.isenabled()
    finally:
        gc.enable()


@pytest.mark.parametrize(("players", "seed"), [(2, 1), (4, 1)])
def test_a_game_takes_at_most_500_bytes_a_commit_before_and_after_git_gc(
    tmp_path: Path, players: int, seed: int
) -> None:
    game = played(tmp_path, players=players, seed=seed, policy="random")
    commits = int(git(game, "rev-list", "--all", "--count"))
    copy = tmp_path / "copy"
    shutil.copytree(game, copy)
    git(copy, "gc", "--quiet")
    for path in (game, copy):
        size = sum(file.stat().st_size for file in (path / ".git").rglob("*") if file.is_file())
        assert size / commits <= 500, path
        fsck(path)
    git(tmp_path, "clone", "--quiet", "--no-local", str(game), "clone")
    fsck(tmp_path / "clone")
    assert int(git(tmp_path / "clone", "rev-list", "--all", "--count")) == commits
