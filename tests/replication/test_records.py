"""Records of a table, and what is announced: whatever others write is read, or refused with a reason."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catan_p2p.log.commit import Commit, Signature
from catan_p2p.log.keys import new_private_key, spell_public_key
from catan_p2p.log.signing import signer
from catan_p2p.log.storage.objects import ObjectId, StoreError
from catan_p2p.tables import announcing
from catan_p2p.tables.invitation import Invitation, parse_invitation
from catan_p2p.tables.records import BadRecord, SeatClaim, TableTerms, parse_seat, parse_terms
from catan_p2p.tables.waiting_room import waiting_room
from tests.for_each import for_each

KEY = new_private_key(b"guest".ljust(32))
WORD = spell_public_key(KEY)
TREE = ObjectId("4b825dc642cb6eb9a060e54bf8d69288fbee4904")
SEAT = {"Colour": "Blue", "Url": "-", "Proof": "0" * 64, "Key": WORD}
TERMS = {"Colours": "Red Blue", "Terms": "thesis rules; map default", "Key": WORD}


def written(message: str, parents: tuple[ObjectId, ...] = (), *, is_signed: bool = True) -> bytes:
    author = Signature("table", "table@catan-p2p.invalid", 7)
    commit = Commit(TREE, parents, author, author, message)
    return (signer(KEY)(commit) if is_signed else commit).encode()


def record(kind: str, fields: dict[str, str]) -> bytes:
    return written(f"{kind}\n\n" + "".join(f"{name}: {value}\n" for name, value in fields.items()))


def test_records_are_read() -> None:
    assert parse_seat(record("seat", SEAT)) == SeatClaim("Blue", "-", "0" * 64, WORD)
    assert parse_terms(record("terms", TERMS)) == TableTerms(("Red", "Blue"), "thesis rules; map default", WORD)
    claim = parse_seat(record("seat", {**SEAT, "Url": "git://[fe80::1]:9402/", "Later": "is passed over"}))
    assert isinstance(claim, SeatClaim) and claim.address == ("fe80::1", 9402)


@pytest.mark.parametrize("name", SEAT)
def test_a_seat_without_a_field_is_refused_by_its_name(name: str) -> None:
    fields = {field: value for field, value in SEAT.items() if field != name}
    assert parse_seat(record("seat", fields)) == BadRecord(f"a record without {name}")


@for_each(
    ("name", "value"),
    [
        ("Colour", "Purple"),
        ("Colour", ""),
        ("Proof", "0" * 63),
        ("Proof", "ä" * 64),
        ("Key", "AAAA"),
        ("Key", WORD[:-1] + "é"),
        *(
            ("Url", url)
            for url in (
                "",
                "ssh://git@inside.example/repository",
                "git@inside.example:repository",
                "ext::sh -c touch% /tmp/x",
                "/etc",
                "file:///etc",
                "http://169.254.169.254/",
                "--upload-pack=x",
                "git://inside.example/other/repository",
                "git://user@inside.example/",
                "git://inside.example:99999/",
                "git://[::1/",
                "git:///",
                f"git://{'a' * 300}/",
                "git://a\x1b[2J/",
            )
        ),
    ],
)
def test_a_seat_with_a_wrong_field_is_refused_by_its_name(name: str, value: str) -> None:
    found = parse_seat(record("seat", {**SEAT, name: value}))
    assert isinstance(found, BadRecord) and found.why.startswith(f"a record with an invalid {name}: "), found


@for_each(
    "data",
    [
        b"",
        b"\xff",
        record("terms", TERMS),
        written("seat"),
        written("seat\n\nColour: Blue\nColour: Blue\n"),
        written("seat\n\n" + "".join(f"{n}: {v}\n" for n, v in SEAT.items()), (ObjectId("1" * 40),)),
        written("seat\n\n" + "".join(f"{n}: {v}\n" for n, v in SEAT.items()), is_signed=False),
        record("seat", {**SEAT, "Note": "x" * 5000}),
    ],
)
def test_what_is_no_seat_is_refused(data: bytes) -> None:
    assert isinstance(parse_seat(data), BadRecord)


@for_each("colours", ["Red", "Red Red", "Red  Blue", "Red Purple", "Red,Blue", ""])
def test_terms_name_two_to_six_colours(colours: str) -> None:
    assert isinstance(parse_terms(record("terms", {**TERMS, "Colours": colours})), BadRecord)


FIELDS = st.dictionaries(st.sampled_from([*SEAT, *TERMS, "X"]), st.text(max_size=80), max_size=6)


@given(st.one_of(st.binary(max_size=300), FIELDS.map(lambda f: record("seat", {**SEAT, **f}))))
def test_no_bytes_in_the_place_of_a_record_raise(data: bytes) -> None:
    assert isinstance(parse_seat(data), BadRecord | SeatClaim)
    assert isinstance(parse_terms(data), BadRecord | TableTerms)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


def test_no_words_at_the_door_raise(tmp_path: Path) -> None:
    ref = "refs/tables/0/Blue"
    with waiting_room(tmp_path / "Red", str(tmp_path / "none"), {}) as room:

        @given(st.one_of(st.binary(max_size=200), JSON.map(lambda value: json.dumps([ref, value]).encode())))
        def knock(said: bytes) -> None:
            assert room.admit(said, "192.0.2.1", [ref]) is None

        knock()
        assert room.store.list_refs() == {}
        said = json.dumps([ref, record("seat", SEAT).decode()]).encode()
        assert room.admit(said, "192.0.2.1", [ref]) == ref
        assert room.agreed["came"] == {ref: "192.0.2.1"}


@given(st.text(max_size=100), st.dictionaries(st.binary(max_size=12), st.none() | st.binary(max_size=50), max_size=3))
def test_nothing_that_is_announced_raises(text: str, properties: dict[bytes, bytes | None]) -> None:
    assert parse_invitation(text) is None
    assert announcing._read({b"invitation": text.encode("utf-8", "replace"), **properties}) is None
    line = str(Invitation("git://192.0.2.1/", 0, bytes(16), bytes(16), True)).encode()
    found = announcing._read({b"words": b"x", **properties, b"invitation": line})
    assert found is None or found.invitation == line.decode()


@pytest.mark.parametrize("url", ["ext::sh", "-x", "a\x1b[2J", "fd::3", "x" * 2000])
def test_a_url_that_is_none_is_no_invitation(url: str) -> None:
    assert parse_invitation(str(Invitation(url, 0, bytes(16), bytes(16)))) is None
    assert parse_invitation(str(Invitation("ssh://host/x", 0, bytes(16), bytes(16), True))) is None


@pytest.mark.parametrize("words", ["x" * 400, "ü" * 300, "Red, Blue: standard rules"])
def test_what_is_announced_is_what_is_found(words: str) -> None:
    zeroconf = pytest.importorskip("zeroconf")
    line = str(Invitation("git://127.0.0.1:9401/", 0, bytes(16), bytes(16), True))
    told = announcing._properties(line, words)
    info = zeroconf.ServiceInfo(announcing.SERVICE, f"a.{announcing.SERVICE}", properties=told)
    found = announcing._read(info.properties)
    assert found is not None and found.invitation == line
    assert words.startswith(found.words) and found.words


def test_an_invitation_that_is_too_long_to_be_announced_is_told_of() -> None:
    line = str(Invitation(f"git://{'x' * 200}/", 0, bytes(16), bytes(16), True))
    with pytest.raises(StoreError, match="too long to be announced: expected at most 244"):
        announcing._properties(line, "words")


@pytest.mark.parametrize(
    ("kind", "fields", "why"),
    [
        ("terms", {"Colours": "Red Blue", "Terms": "x" * 1001}, "a record with an invalid Terms"),
        ("terms", {"Colours": "Red Blue", "Terms": "a\x1b"}, "a record with an invalid Terms"),
        ("seat", {"Colour": "Blue", "Url": f"git://{'x' * 300}/", "Proof": "0" * 64}, "a record with an invalid Url"),
        ("seats", {f"Guest{i}": "x" * 900 for i in range(5)}, "a record of"),
    ],
)
def test_no_record_is_written_that_nobody_would_read(
    kind: str, fields: dict[str, str], why: str, tmp_path: Path
) -> None:
    with waiting_room(tmp_path / "Red", str(tmp_path / "none"), {}) as room:
        with pytest.raises(StoreError, match=f"no player would accept this record: {why}"):
            room.say("refs/tables/0/x", kind, fields)
        assert room.store.own_ref("refs/tables/0/x") is None
