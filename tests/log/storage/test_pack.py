"""Packs and deltas against Git, and against their own inverse."""

import contextlib
import subprocess
import zlib
from itertools import chain
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catan_p2p.log.storage.alike import make_delta
from catan_p2p.log.storage.delta import apply_delta, make_delta_of_lines
from catan_p2p.log.storage.objects import ObjectDamaged, ObjectId, ObjectKind, object_id
from catan_p2p.log.storage.pack import PackBuilder, delta_entry, fold, parse_pack, restore, unpack
from tests.for_each import for_each
from tests.log.storage.chains import git

SHORT = st.binary(max_size=40)
CHUNKS = st.lists(st.sampled_from([b"tree ", b"abc" * 9, b"\0" * 7, b"x", b"line\n" * 30]) | SHORT, max_size=12)
LONG = b"0123456789abcdef" * 5000


@st.composite
def versions(draw: st.DrawFn) -> tuple[bytes, bytes]:
    """Two versions of a file: the same chunks but for some that were changed, taken out or put in."""
    chunks = draw(CHUNKS)
    changed = [
        draw(st.sampled_from([[chunk], [chunk], [chunk], [], [draw(SHORT)], [chunk, b"new"]])) for chunk in chunks
    ]
    return b"".join(chunks), b"".join(chain.from_iterable(changed))


@given(versions())
@settings(max_examples=500, deadline=None)
def test_a_delta_makes_the_new_version_of_the_old(pair: tuple[bytes, bytes]) -> None:
    base, target = pair
    assert apply_delta(base, make_delta(base, target)) == target
    assert apply_delta(base, make_delta_of_lines(base, target)) == target


@for_each(
    ("base", "target"),
    [
        (b"", b""),
        (b"", b"x"),
        (b"x", b""),
        (LONG, LONG),
        (LONG, b"x" + LONG),
        (LONG, LONG + b"x"),
        (LONG[:70_000], LONG[:70_000].replace(b"f", b"g", 1)),
        (b"a" * 127, b"b" * 127),
        (b"a" * 128, b"b" * 300),
        (b"a" * 0x10000, b"a" * 0x10000 + b"b"),
        (b"a" * 0x20000, b"b" + b"a" * 0x20000),
    ],
)
def test_a_delta_is_right_at_the_bounds_of_its_instructions(base: bytes, target: bytes) -> None:
    assert apply_delta(base, make_delta(base, target)) == target
    assert apply_delta(base, make_delta_of_lines(base, target)) == target


def test_a_changed_id_in_a_tree_costs_little_more_than_the_id() -> None:
    base = b"".join(b"100644 name_%d\0%b" % (at, bytes([at]) * 20) for at in range(12))
    target = base.replace(bytes([5]) * 20, bytes(range(100, 120)))
    assert len(make_delta(base, target)) <= 20 + 12


@given(versions(), st.data())
@settings(max_examples=300, deadline=None)
def test_a_delta_that_does_not_fit_is_damage_and_never_a_crash(pair: tuple[bytes, bytes], data: st.DataObject) -> None:
    base, target = pair
    delta = bytearray(make_delta(base, target))
    at = data.draw(st.integers(0, len(delta) - 1))
    delta[at] = data.draw(st.integers(0, 255))
    delta = delta[: data.draw(st.integers(0, len(delta)))]
    with contextlib.suppress(ObjectDamaged):
        apply_delta(base, bytes(delta))


@st.composite
def histories(draw: st.DrawFn) -> list[tuple[ObjectKind, bytes, int | None]]:
    """Blobs one after the other; each may name an earlier one as its older version."""
    objects: list[tuple[ObjectKind, bytes, int | None]] = []
    for number in range(draw(st.integers(1, 30))):
        base = draw(st.none() | st.integers(0, number - 1)) if number else None
        data = objects[base][1] if base is not None else draw(st.binary(max_size=200))
        cut = draw(st.integers(0, len(data)))
        objects.append(("blob", data[:cut] + b"<%d>" % number + data[cut + draw(st.integers(0, 3)) :], base))
    return objects


@pytest.mark.long
@given(histories())
@settings(max_examples=25, deadline=None)
def test_git_reads_from_a_pack_what_went_into_it(
    tmp_path_factory: pytest.TempPathFactory, objects: list[tuple[ObjectKind, bytes, int | None]]
) -> None:
    path = tmp_path_factory.mktemp("repository")
    git(path, "init", "--quiet", "--bare")
    builder, ids = built(objects)
    name = put(path, builder)
    git(path, "index-pack", "--strict", "--verify", name)
    for oid, (_, data, _) in zip(ids, objects, strict=True):
        shown = subprocess.run(["git", "-C", str(path), "cat-file", "blob", oid], capture_output=True, check=True)
        assert shown.stdout == data


@given(histories())
@settings(max_examples=100, deadline=None)
def test_a_pack_is_parsed_back_into_its_entries(objects: list[tuple[ObjectKind, bytes, int | None]]) -> None:
    builder, _ = built(objects)
    _, pack, index = builder.build()
    assert parse_pack(pack, index) == builder.entries


@pytest.mark.long
@given(histories(), st.integers(1, 5))
@settings(max_examples=100, deadline=None)
def test_a_pack_is_restored_from_the_bytes_of_its_batches(
    objects: list[tuple[ObjectKind, bytes, int | None]], size: int
) -> None:
    builder, ids = built(objects)
    batches = []
    again = PackBuilder()
    for entry in builder.entries:
        before = len(again)
        again.append(entry)
        if len(again) % size == 0 or len(again) == len(builder):
            whole = again.bytes_since(0)
            taken = sum(len(wire) for wire, _ in batches)
            batches.append((whole[taken:], len(again) - sum(count for _, count in batches)))
        assert again.bytes_since(before)
    restored = PackBuilder()
    found = restore(batches, restored)
    assert found == {oid: (kind, data) for oid, (kind, data, _) in zip(ids, objects, strict=True)}
    assert restored.build() == builder.build()


@given(st.lists(histories(), min_size=1, max_size=4))
@settings(max_examples=60, deadline=None)
def test_folding_keeps_every_object_once(packs: list[list[tuple[ObjectKind, bytes, int | None]]]) -> None:
    folded = fold([built(objects)[0].entries for objects in packs])
    expected = {object_id(kind, data): (kind, data) for objects in packs for kind, data, _ in objects}
    assert len(folded) == len(expected)
    assert restore([(folded.bytes_since(0), len(folded))], PackBuilder()) == expected
    assert unpack([folded.entries]) == expected


@given(histories())
@settings(max_examples=20, deadline=None)
def test_an_index_is_git_s_and_git_s_of_either_version_are_read(
    tmp_path_factory: pytest.TempPathFactory, objects: list[tuple[ObjectKind, bytes, int | None]]
) -> None:
    path = tmp_path_factory.mktemp("repository")
    git(path, "init", "--quiet", "--bare")
    builder, _ = built(objects)
    pack_path = Path(put(path, builder))
    _, pack, index = builder.build()
    for version in ("1", "2"):
        made = path / f"version_{version}.idx"
        git(path, "index-pack", f"--index-version={version}", "-o", str(made), str(pack_path))
        assert parse_pack(pack, made.read_bytes()) == builder.entries
        assert (made.read_bytes() == index) == (version == "1")


def test_objects_of_all_kinds_get_git_s_ids(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet")
    (tmp_path / "file").write_bytes(b"content\n")
    assert git(tmp_path, "hash-object", "file").strip() == object_id("blob", b"content\n")
    assert object_id("tree", b"") == "4b825dc642cb6eb9a060e54bf8d69288fbee4904"


@pytest.mark.parametrize("part", ["pack", "index"])
def test_a_changed_byte_anywhere_is_damage(part: str) -> None:
    _, pack, index = built([("blob", b"some text to be packed\n", None), ("blob", b"other", None)])[0].build()
    parse_pack(pack, index)
    for at in range(len(pack if part == "pack" else index)):
        broken = bytearray(pack if part == "pack" else index)
        broken[at] ^= 0x10
        with pytest.raises(ObjectDamaged):
            parse_pack(bytes(broken) if part == "pack" else pack, bytes(broken) if part == "index" else index)


@given(histories(), st.data())
@settings(max_examples=200, deadline=None)
def test_restoring_from_changed_bytes_never_crashes(
    objects: list[tuple[ObjectKind, bytes, int | None]], data: st.DataObject
) -> None:
    builder, _ = built(objects)
    wire = bytearray(builder.bytes_since(0))
    wire[data.draw(st.integers(0, len(wire) - 1))] ^= data.draw(st.integers(1, 255))
    try:
        found = restore([(bytes(wire), len(builder))], PackBuilder())
    except ObjectDamaged:
        return
    assert all(object_id(kind, content) == oid for oid, (kind, content) in found.items())


def built(objects: list[tuple[ObjectKind, bytes, int | None]]) -> tuple[PackBuilder, list[ObjectId]]:
    """Return a pack of these objects and their ids; an object that comes twice is added once."""
    builder = PackBuilder()
    ids: list[ObjectId] = []
    for kind, data, base in objects:
        oid = object_id(kind, data)
        if oid not in builder:
            if base is None:
                builder.add(oid, kind, data)
            else:
                delta = make_delta(objects[base][1], data)
                builder.append(delta_entry(oid, ids[base], len(delta), zlib.compress(delta)))
        ids.append(oid)
    return builder, ids


def put(path: Path, builder: PackBuilder) -> str:
    """Put a pack into a bare repository; return the path of its index."""
    name, pack, index = builder.build()
    folder = path / "objects/pack"
    (folder / f"pack-{name}.pack").write_bytes(pack)
    (folder / f"pack-{name}.idx").write_bytes(index)
    return str(folder / f"pack-{name}.pack")
