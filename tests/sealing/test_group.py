"""Points and scalars have one spelling, all else is refused by name; drawn numbers are fixed by their text."""

import re
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catan_p2p.sealing import group
from catan_p2p.sealing.group import BASE, IDENTITY, ORDER, ByteReader, MalformedBytes, MissingLibrary, spell, times
from catan_p2p.sealing.transcript import ProofContext, ProofTranscript
from tests.sealing import plain

FIELD = 2**255 - 19
NUMBER = int.from_bytes(BASE, "little")
HERE = ProofContext("aa" * 20, 1, "bb" * 20)


def read_point(data: bytes) -> bytes:
    return ByteReader(data, 32).point("the point")


def test_the_base_is_the_librarys() -> None:
    import rbcl

    assert rbcl.crypto_scalarmult_ristretto255_base(spell(1)) == BASE
    assert times(5, BASE) == rbcl.crypto_scalarmult_ristretto255(spell(5), BASE)


def test_zero_times_anything_is_the_identity() -> None:
    assert times(0, BASE) == times(5, IDENTITY) == group.minus(BASE, BASE) == group.total([]) == IDENTITY


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (IDENTITY, "the point is the identity"),
        (spell(FIELD), "the point is not a point in its one spelling"),  # the identity again
        (spell(NUMBER + FIELD), "the point is not a point in its one spelling"),
        (spell(FIELD - NUMBER), "the point is not a point in its one spelling"),
        (spell(NUMBER + 2**255), "the point is not a point in its one spelling"),  # libsodium 1.0.18 takes it
        (b"\1" + bytes(31), "the point is not a point in its one spelling"),
        (b"\xff" * 32, "the point is not a point in its one spelling"),
        (BASE[:-1], "31 bytes, expected 32"),
        (BASE + b"\0", "33 bytes, expected 32"),
    ],
)
def test_what_is_no_point_is_refused_by_name(data: bytes, what: str) -> None:
    with pytest.raises(MalformedBytes, match=re.escape(what)):
        read_point(data)


@pytest.mark.parametrize(
    ("value", "what"),
    [(0, "is zero"), (ORDER, "is not below the order"), (ORDER + 1, "is not below"), (2**256 - 1, "is not below")],
)
def test_what_is_no_scalar_is_refused_by_name(value: int, what: str) -> None:
    with pytest.raises(MalformedBytes, match=f"the scalar {what}"):
        ByteReader(value.to_bytes(32, "little"), 32).scalar("the scalar")


@given(st.binary(min_size=32, max_size=32))
def test_both_implementations_take_the_same_points(data: bytes) -> None:
    try:
        mine = plain.decode(data).encode()
    except plain.Wrong:
        with pytest.raises(MalformedBytes):
            read_point(data)
    else:
        assert read_point(data) == mine == data


@given(st.integers(1, ORDER - 1))
def test_scalars_go_round(scalar: int) -> None:
    assert ByteReader(spell(scalar), 32).scalar("it") == scalar


PARTS = st.recursive(
    st.integers(0, 99) | st.sampled_from(["none", "Ore"]) | st.binary(min_size=32, max_size=32),
    lambda inner: st.lists(inner, max_size=3).map(tuple),
    max_leaves=5,
)


@given(st.lists(PARTS, max_size=3), st.lists(PARTS, max_size=3))
def test_different_statements_of_one_form_have_different_texts(one: list[Any], other: list[Any]) -> None:
    def form(part: Any) -> Any:
        return tuple(map(form, part)) if isinstance(part, tuple) else type(part)

    texts = [ProofTranscript(HERE, "a test", list(parts)).hashed("x") for parts in (one, other)]
    if list(map(form, one)) == list(map(form, other)):
        assert (texts[0] == texts[1]) == (one == other)


def test_every_part_of_an_occasion_changes_what_is_drawn_and_asked() -> None:
    words = [("aa" * 20, 1, "bb" * 20), ("ab" * 20, 1, "bb" * 20), ("aa" * 20, 2, "bb" * 20), ("aa" * 20, 1, "bc" * 20)]
    about = [ProofTranscript(ProofContext(*one), purpose, BASE) for one in words for purpose in ("a", "b")]
    assert len({one.challenge([BASE]) for one in about}) == len(about)
    assert len({one.drawn(b"key", "mask") for one in about}) == len(about)
    first = about[0]
    assert first.drawn(b"key", "mask") == first.drawn(b"key", "mask")
    drawn = {first.drawn(b"kez", "mask"), first.drawn(b"key", "mask", 1), first.drawn(b"key", "blind")}
    assert len(drawn | {first.drawn(b"key", "mask")}) == 4


def test_orders_are_drawn_evenly() -> None:
    seen = [ProofTranscript(HERE, "order", n).order(b"key", 3) for n in range(1200)]
    assert all(sorted(order) == [0, 1, 2] for order in seen)
    assert all(140 < seen.count(order) < 260 for order in set(seen))
    assert len(set(seen)) == 6


def test_without_the_library_the_message_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rbcl", None)
    group._library.cache_clear()
    with pytest.raises(MissingLibrary, match=r"pip install 'catan-p2p\[hidden\]'"):
        times(3, BASE)
    group._library.cache_clear()


def test_importing_loads_no_library() -> None:
    sources = Path(group.__file__).parent.glob("*.py")
    assert not any(
        re.search(r"^(import|from) rbcl", path.read_text(encoding="utf-8"), re.MULTILINE) for path in sources
    )


def test_the_library_leaves_no_file_behind() -> None:
    times(3, BASE)
    assert sys.platform == "win32" or not Path(sys.modules["rbcl._sodium"].lib_path).exists()
