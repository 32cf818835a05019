"""The two islands: how many tiles and points they have, where their wharfs lie, and how a spiral goes."""

from collections import Counter
from itertools import combinations, pairwise
from pathlib import Path
from random import Random

import pytest

from catan_p2p.game.board import DEFAULT_MAP, THREE_TO_ONE, Board, numbers
from catan_p2p.game.board.layouts import ISLAND, LARGE_ISLAND, Layout
from catan_p2p.game.board.tiles import HexCoordinates
from catan_p2p.game.board.variable import RED_NUMBERS, spiral_map
from tests.for_each import for_each

ISLANDS = pytest.mark.parametrize("layout", [ISLAND, LARGE_ISLAND], ids=["island", "large island"])


def board_on(layout: Layout) -> Board:
    """A board on a layout; which pieces lie where does not matter."""
    return Board(spiral_map(layout, Random(0)))


@pytest.mark.parametrize(
    ("layout", "land", "sea", "settlements", "roads"),
    [(ISLAND, 19, 18, 54, 72), (LARGE_ISLAND, 30, 22, 80, 109)],
    ids=["island", "large island"],
)
def test_an_island_has_as_many_tiles_and_points_as_published(
    layout: Layout, land: int, sea: int, settlements: int, roads: int
) -> None:
    board = board_on(layout)
    assert (len(layout.land), len(layout.sea)) == (land, sea)
    assert (board.settlement_count, board.road_count) == (settlements, roads)
    assert {len(ends) for ends in board.ends[1:]} == {2}
    assert all(len(numbers(board.corners[tile])) == len(numbers(board.edges[tile])) == 6 for tile in board.land)


def test_the_rows_of_the_islands() -> None:
    for layout, rows in ((ISLAND, (3, 4, 5, 4, 3)), (LARGE_ISLAND, (3, 4, 5, 6, 5, 4, 3))):
        assert tuple(Counter(at.order[0] for at in layout.land).values()) == rows


def test_the_default_map_is_one_way_to_set_the_island_up() -> None:
    assert tuple(tile.at for tile in DEFAULT_MAP.tiles if tile.is_land) == ISLAND.land
    assert tuple(tile.at for tile in DEFAULT_MAP.tiles if not tile.is_land) == ISLAND.sea
    assert Counter(tile.terrain for tile in DEFAULT_MAP.tiles if tile.is_land) == Counter(ISLAND.terrains)
    assert Counter(tile.number for tile in DEFAULT_MAP.tiles if tile.number) == Counter(ISLAND.tokens)
    assert Counter(wharf.type for wharf in DEFAULT_MAP.wharfs) == Counter(ISLAND.wharf_types)


def test_the_pieces_of_the_large_island_are_those_of_both_boxes() -> None:
    more = Counter(LARGE_ISLAND.terrains) - Counter(ISLAND.terrains)
    assert more == {"forest": 2, "pasture": 2, "fields": 2, "hills": 2, "mountains": 2, "desert": 1}
    assert Counter(LARGE_ISLAND.wharf_types) - Counter(ISLAND.wharf_types) == {THREE_TO_ONE: 1, "Wool": 1}


@pytest.mark.parametrize(
    ("layout", "tokens"),
    [
        (ISLAND, {2: 1, 12: 1} | dict.fromkeys((3, 4, 5, 6, 8, 9, 10, 11), 2)),
        (LARGE_ISLAND, {2: 2, 12: 2} | dict.fromkeys((3, 4, 5, 6, 8, 9, 10, 11), 3)),
    ],
    ids=["island", "large island"],
)
def test_the_number_tokens_of_the_islands(layout: Layout, tokens: dict[int, int]) -> None:
    assert Counter(layout.tokens) == tokens
    assert len(layout.tokens) == sum(terrain != "desert" for terrain in layout.terrains)


@for_each(
    ("letter", "number"), [("I", 11), ("M", 8), ("W", 5), ("X", 9), ("Za", 3), ("Zc", 6)], ids=lambda value: str(value)
)
def test_letters_of_the_extension_that_are_published_with_their_numbers(letter: str, number: int) -> None:
    letters = [chr(ord("A") + i) for i in range(25)] + ["Za", "Zb", "Zc"]
    assert LARGE_ISLAND.tokens[letters.index(letter)] == number


@ISLANDS
def test_the_documentation_tells_the_letters_and_their_numbers(layout: Layout) -> None:
    lines = (Path(__file__).parents[3] / "docs" / "guides/maps.md").read_text("utf-8").splitlines()
    letters = [chr(ord("A") + i) for i in range(25)] + ["Za", "Zb", "Zc"]
    spelled = letters[: len(layout.tokens)]
    told = next(i for i, line in enumerate(lines) if line.split()[: len(spelled) + 1][:-1] == spelled)
    assert tuple(map(int, lines[told + 1].split())) == layout.tokens


@ISLANDS
def test_every_wharf_lies_between_land_and_sea_and_no_two_share_a_settlement_point(layout: Layout) -> None:
    board = board_on(layout)
    land, sea = set(layout.land), set(layout.sea)
    assert len(layout.wharf_places) == len(layout.wharf_types)
    served: set[int] = set()
    for one, other in layout.wharf_places:
        assert len({one, other} & land) == len({one, other} & sea) == 1
        pair = {board.tile_number[one], board.tile_number[other]}
        points = {sp for sp, triple in enumerate(board.settlement_tiles) if pair <= set(triple)}
        assert len(points) == 2
        assert not points & served
        served |= points


@ISLANDS
def test_a_sea_tile_has_at_most_one_wharf(layout: Layout) -> None:
    sea = set(layout.sea)
    used = [at for place in layout.wharf_places for at in place if at in sea]
    assert len(set(used)) == len(used)


def test_the_large_frame_is_the_small_one_with_four_pieces_put_in() -> None:
    """Wharf or none, clockwise along the sea: plain pieces come in after R2 and L2, wharfs after R6 and L6."""
    small, large = ("".join("H" if at in harbours(layout) else "." for at in shore(layout)) for layout in ISLANDS_TWO)
    assert small == "H." * 9
    assert large == small[:6] + "." + small[6:9] + "H" + small[9:15] + "H" + small[15:] + "."


ISLANDS_TWO = (ISLAND, LARGE_ISLAND)


def harbours(layout: Layout) -> set[HexCoordinates]:
    """The sea tiles that have a wharf."""
    return {at for place in layout.wharf_places for at in place} - set(layout.land)


def shore(layout: Layout) -> list[HexCoordinates]:
    """The sea tiles clockwise from the north-west."""
    left = list(layout.sea)
    path = [left.pop(0)]
    while left:
        beside = [at for at in path[-1].neighbours() if at in left]
        # From the first tile the way goes east; everywhere else there is only one.
        path.append(next((at for at in beside if at.order[0] == path[0].order[0]), beside[0]))
        left.remove(path[-1])
    return path


@ISLANDS
def test_there_are_six_corners_to_begin_at(layout: Layout) -> None:
    first_row = [at for at in layout.land if at.order[0] == layout.land[0].order[0]]
    assert len(layout.corners) == 6
    assert {first_row[0], first_row[-1]} <= set(layout.corners)


@ISLANDS
def test_a_spiral_visits_every_land_tile_once_each_beside_the_last(layout: Layout) -> None:
    for corner in layout.corners:
        path = layout.spiral(corner)
        assert path[0] == corner
        assert sorted(path) == sorted(layout.land)
        assert all(there in here.neighbours() for here, there in pairwise(path))


@ISLANDS
def test_a_spiral_follows_the_coast_first_and_ends_inland(layout: Layout) -> None:
    coast = {at for at in layout.land if set(at.neighbours()) & set(layout.sea)}
    for corner in layout.corners:
        path = layout.spiral(corner)
        assert set(path[: len(coast)]) == coast


def test_a_spiral_goes_counter_clockwise() -> None:
    # From the north-western corner south along the western coast.
    assert [tuple(at) for at in ISLAND.spiral(HexCoordinates(1, 0, 2))][:6] == [
        (1, 0, 2),
        (0, 1, 1),
        (1, 1, 1),
        (0, 2, 1),
        (1, 2, 2),
        (1, 2, 3),
    ]
    assert ISLAND.spiral(HexCoordinates(1, 0, 2))[-1] == HexCoordinates(1, 1, 3)


@ISLANDS
def test_red_tokens_are_never_adjacent_along_a_spiral_wherever_the_deserts_lie(layout: Layout) -> None:
    for corner in layout.corners:
        path = layout.spiral(corner)
        for deserts in combinations(path, layout.terrains.count("desert")):
            productive = [at for at in path if at not in deserts]
            red = {at for at, token in zip(productive, layout.tokens, strict=True) if token in RED_NUMBERS}
            assert not any(beside in red for at in red for beside in at.neighbours())
