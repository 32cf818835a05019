"""The longest trail and the reach of a network, held against definitions that are computed in another way."""

from collections import Counter
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catan_p2p.game.board import DEFAULT_BOARD, Board, as_points, longest_trail, numbers, reach
from tests.game.board.test_board import NO_SEA, ONE_TILE, TWO_ISLANDS


def is_trail(board: Board, roads: tuple[int, ...], foreign: frozenset[int]) -> bool:
    """Euler: the roads can be walked in one go if they hang together and at most two nodes are odd."""
    joined: dict[object, set[int]] = {}
    degree: Counter[object] = Counter()
    for road in roads:
        for end in board.ends[road]:
            node = (road, end) if end in foreign else end
            degree[node] += 1
            joined.setdefault(node, set()).add(road)
    reached = {roads[0]}
    while more := {road for at in joined.values() if at & reached for road in at} - reached:
        reached |= more
    missing = sum(2 - len(board.ends[road]) for road in roads)
    return len(reached) == len(roads) and sum(n % 2 for n in degree.values()) + missing <= 2


def longest_by_subsets(board: Board, roads: frozenset[int], foreign: frozenset[int]) -> int:
    """The size of the largest subset that is a trail."""
    for size in range(len(roads), 0, -1):
        if any(is_trail(board, chosen, foreign) for chosen in combinations(sorted(roads), size)):
            return size
    return 0


def grown(board: Board, seed: int, size: int) -> frozenset[int]:
    """Roads that grow from a random one, mostly on where roads lie already, so that there are forks and loops."""
    rng = Random(seed)
    roads = {rng.randint(1, board.road_count)}
    while len(roads) < size:
        road = rng.choice(sorted(roads))
        beside = {other for end in board.ends[road] for other in numbers(board.roads_at[end])} - roads
        roads.add(rng.choice(sorted(beside)) if beside and rng.random() < 0.95 else rng.randint(1, board.road_count))
    return frozenset(roads)


@settings(max_examples=250)
@given(
    st.sampled_from([DEFAULT_BOARD, DEFAULT_BOARD, DEFAULT_BOARD, ONE_TILE, TWO_ISLANDS]),
    st.integers(0, 10**6),
    st.integers(1, 12),
    st.integers(0, 4),
)
def test_longest_trail_is_the_largest_set_of_roads_that_can_be_walked(
    board: Board, seed: int, size: int, cuts: int
) -> None:
    roads = grown(board, seed, min(size, board.road_count))
    touched = sorted({end for road in roads for end in board.ends[road]})
    foreign = frozenset(Random(seed).sample(touched, min(cuts, len(touched))))
    assert longest_trail(board, as_points(roads), as_points(foreign)) == longest_by_subsets(board, roads, foreign)


RING, SECOND = (8, 10, 19, 21, 22, 23), (11, 13, 24, 25, 26)
"""Around the tile 11, and what is left of the ring around the tile 12."""
ROW = (19, 22, 23, 25, 38, 42, 54, 35, 26)
"""From 9 by 17, 20, 19, 22, 31 and 34 to 42, with a branch at 20 and one at 22."""


@pytest.mark.parametrize(
    ("roads", "foreign", "length"),
    [
        pytest.param((), (), 0, id="no roads"),
        pytest.param((19, 22, 23, 25, 38), (), 5, id="a row"),
        pytest.param((19, 22, 23, 1, 2), (), 3, id="two rows apart are not added"),
        pytest.param((22, 23, 35), (), 2, id="a fork counts one branch only"),
        pytest.param((19, 22, 23, 35, 39), (), 4, id="the longer branch"),
        pytest.param(RING, (), 6, id="a ring counts whole"),
        pytest.param((*RING, 35), (), 7, id="with one tail"),
        pytest.param((*RING, 35, 39), (), 8, id="with one longer tail"),
        pytest.param((*RING, 35, 25), (), 7, id="ending in one tail, it passes 20 and 19 but once more"),
        pytest.param((*RING, *SECOND), (), 11, id="two rings that share a road, odd only where they part"),
        pytest.param((*RING, 70, 72, 71), (), 6, id="two parts count the longer one only"),
        pytest.param(ROW, (), 7, id="the rule book's road of seven"),
        pytest.param(ROW, (22,), 4, id="and the settlement that breaks it"),
        pytest.param((19, 22, 23), (9, 19), 3, id="a foreign settlement at an end cuts nothing"),
        pytest.param(RING, (20,), 6, id="a foreign settlement opens a ring: from 20 around to 20"),
        pytest.param(RING, (20, 8), 3, id="two cut it"),
        pytest.param((22, 23), (20,), 1, id="it may end but not pass where an adversary has settled"),
    ],
)
def test_a_trail(roads: tuple[int, ...], foreign: tuple[int, ...], length: int) -> None:
    assert longest_trail(DEFAULT_BOARD, as_points(roads), as_points(foreign)) == length


def test_a_road_without_settlement_points_is_a_trail_of_one() -> None:
    assert longest_trail(NO_SEA, as_points((1,)), 0) == 1


@pytest.mark.parametrize("size", [13, 14, 15])
def test_every_road_of_a_player_can_be_searched(size: int) -> None:
    # All the roads of a player around one place, the worst there is: the answer is between a bound and their number.
    roads = sorted(range(1, 73), key=lambda road: sum(abs(end - 31) for end in DEFAULT_BOARD.ends[road]))[:size]
    assert 6 <= longest_trail(DEFAULT_BOARD, as_points(roads), 0) <= size


def test_a_road_may_start_at_an_own_settlement() -> None:
    touched, road_points = reach(DEFAULT_BOARD, 0, as_points((20,)), as_points((43,)))
    assert (numbers(touched), numbers(road_points)) == ((), (22, 23, 35))


@settings(max_examples=200)
@given(st.integers(0, 10**6), st.integers(0, 15), st.integers(0, 4), st.integers(0, 4))
def test_reach_by_its_definition(seed: int, size: int, own_count: int, foreign_count: int) -> None:
    board, rng = DEFAULT_BOARD, Random(seed)
    roads = grown(board, seed, size) if size else frozenset()
    settled = rng.sample(range(1, 55), own_count + foreign_count)
    own, foreign = set(settled[:own_count]), set(settled[own_count:])
    touched, road_points = reach(board, as_points(roads), as_points(own), as_points(foreign))
    assert set(numbers(touched)) == {end for road in roads for end in board.ends[road]}
    for at in range(1, board.road_count + 1):
        continues = any(
            end in own or (end not in foreign and any(end in board.ends[road] for road in roads))
            for end in board.ends[at]
        )
        assert bool(road_points >> at & 1) == continues
