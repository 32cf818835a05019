"""Five counts in one integer: the packing behaves as five counts would."""

from itertools import product

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from catan_p2p.game.cards import (
    DEV_CARDS,
    FIELD_MAX,
    NO_CARDS,
    ONE,
    PROGRESS_CARDS,
    RESOURCES,
    count,
    covers,
    describe,
    is_valid,
    kinds,
    multiples,
    pack,
    selections,
    total,
    unpack,
)
from tests.for_each import for_each

COUNTS = st.tuples(*[st.integers(0, FIELD_MAX)] * 5)
FEW = st.tuples(*[st.integers(0, 25)] * 5)
HANDS = st.tuples(*[st.integers(0, 4)] * 5)


@given(COUNTS)
def test_unpack_undoes_pack(counts: tuple[int, ...]) -> None:
    assert unpack(pack(counts)) == counts
    assert is_valid(pack(counts))


@given(COUNTS, COUNTS)
def test_equal_cards_are_equal_counts(one: tuple[int, ...], other: tuple[int, ...]) -> None:
    assert (pack(one) == pack(other)) == (one == other)


@given(FEW, FEW)
def test_sum_and_difference_are_those_of_the_counts(one: tuple[int, ...], other: tuple[int, ...]) -> None:
    both = tuple(a + b for a, b in zip(one, other, strict=True))
    assert pack(one) + pack(other) == pack(both)
    assert pack(both) - pack(other) == pack(one)


@given(FEW, st.integers(0, 5))
def test_a_multiple_is_that_of_each_count(counts: tuple[int, ...], factor: int) -> None:
    assert pack(counts) * factor == pack(n * factor for n in counts)


@given(COUNTS, COUNTS)
def test_covers_compares_type_by_type(held: tuple[int, ...], cost: tuple[int, ...]) -> None:
    assert covers(pack(held), pack(cost)) == all(a >= b for a, b in zip(held, cost, strict=True))


@given(COUNTS)
def test_covers_at_the_border(counts: tuple[int, ...]) -> None:
    assert covers(pack(counts), pack(counts))
    for i in range(5):
        assume(counts[i] < FIELD_MAX)
        more = [n + (j == i) for j, n in enumerate(counts)]
        assert not covers(pack(counts), pack(more))
        assert covers(pack(more), pack(counts))


@given(COUNTS, COUNTS)
def test_what_is_not_covered_leaves_no_valid_cards(held: tuple[int, ...], cost: tuple[int, ...]) -> None:
    assert is_valid(pack(held) - pack(cost)) == covers(pack(held), pack(cost))


@given(COUNTS)
def test_count_of_every_type(counts: tuple[int, ...]) -> None:
    assert tuple(count(pack(counts), kind) for kind in RESOURCES) == counts
    assert tuple(count(pack(counts), kind) for kind in DEV_CARDS) == counts


@given(st.tuples(*[st.integers(0, 51)] * 5))
def test_total_up_to_255(counts: tuple[int, ...]) -> None:
    assert total(pack(counts)) == sum(counts)


def test_total_of_one_full_type() -> None:
    assert total(pack((127, 0, 127, 0, 1))) == 255


@given(COUNTS, st.integers(1, 20))
def test_kinds_are_the_types_with_enough(counts: tuple[int, ...], at_least: int) -> None:
    assert kinds(pack(counts), at_least) == tuple(i for i in range(5) if counts[i] >= at_least)


@given(HANDS, st.integers(0, 12))
def test_selections_are_all_ways_to_take_so_many(hand: tuple[int, ...], amount: int) -> None:
    by_hand = [chosen for chosen in product(*(range(n + 1) for n in hand)) if sum(chosen) == amount]
    assert [unpack(chosen) for chosen in selections(pack(hand), amount)] == by_hand


def test_selections_of_a_large_hand() -> None:
    found = selections(pack((10, 9, 8, 7, 6)), 20)
    assert len(found) == len(set(found))
    assert all(total(chosen) == 20 and covers(pack((10, 9, 8, 7, 6)), chosen) for chosen in found)


@for_each("kind", [*RESOURCES, *DEV_CARDS])
def test_one_card_and_several_of_every_type(kind: str) -> None:
    assert count(ONE[kind], kind) == total(ONE[kind]) == 1
    assert multiples(kind, 3) == ONE[kind] * 3
    assert count(multiples(kind, 3), kind) == 3


def test_resources_and_development_cards_are_in_the_order_of_the_model() -> None:
    assert RESOURCES == ("Lumber", "Brick", "Wool", "Grain", "Ore")
    assert DEV_CARDS == ("Monopoly", "YearOfPlenty", "RoadBuilding", "Knight", "VictoryPoint")
    assert DEV_CARDS[:3] == PROGRESS_CARDS
    assert [unpack(ONE[kind]) for kind in RESOURCES] == [tuple(int(i == j) for j in range(5)) for i in range(5)]


@for_each(
    ("counts", "message"),
    [
        ((1, 2, 3, 4), "4 counts given, expected 5"),
        ((1, 2, 3, 4, 5, 6), "6 counts given, expected 5"),
        ((0, 0, -1, 0, 0), "a count of -1 cards, expected 0..127"),
        ((0, 0, 0, 0, 128), "a count of 128 cards, expected 0..127"),
    ],
)
def test_what_cannot_be_packed(counts: tuple[int, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        pack(counts)


@for_each("cards", [-1, 1 << 7, 1 << 39, 1 << 40, pack((1, 0, 0, 0, 0)) - pack((0, 1, 0, 0, 0))])
def test_values_that_are_not_five_counts(cards: int) -> None:
    assert not is_valid(cards)


def test_cards_in_words() -> None:
    assert describe(pack((0, 0, 0, 2, 3))) == "2 Grain, 3 Ore"
    assert describe(pack((0, 0, 0, 1, 0)), DEV_CARDS) == "1 Knight"
    assert describe(NO_CARDS) == "nothing"
