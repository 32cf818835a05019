"""The board that follows from a map: points, who touches whom, and tables that agree with each other."""

from collections import Counter

import pytest

from catan_p2p.game.board import (
    DEFAULT_BOARD,
    DEFAULT_MAP,
    THREE_TO_ONE,
    WHARF_TYPES,
    Board,
    HexCoordinates,
    Tile,
    Wharf,
    board_of,
    make_map,
    numbers,
)
from catan_p2p.game.cards import NO_CARDS, pack


def ring(centre: HexCoordinates, terrain: str = "sea") -> list[Tile]:
    """The six tiles around a place."""
    return [Tile(at, terrain, None) for at in centre.neighbours()]


ONE_TILE = Board(make_map([Tile(HexCoordinates(0, 1, 1), "forest", 8), *ring(HexCoordinates(0, 1, 1))], []))
"""One land tile in its ring of sea."""

NO_SEA = Board(make_map([Tile(HexCoordinates(0, 1, 1), "forest", 8), Tile(HexCoordinates(0, 1, 2), "hills", 5)], []))
"""Two land tiles side by side and nothing else."""

TWO_ISLANDS = Board(
    make_map(
        {
            *ring(HexCoordinates(0, 1, 1)),
            *ring(HexCoordinates(0, 1, 4)),
            Tile(HexCoordinates(0, 1, 1), "forest", 8),
            Tile(HexCoordinates(0, 1, 4), "fields", 5),
            Tile(HexCoordinates(1, 0, 3), "sea", None),
        },
        [Wharf((HexCoordinates(0, 1, 1), HexCoordinates(0, 1, 2)), "Ore")],
    )
)
"""Two land tiles, three places apart, each in its ring; one more tile of sea where the rings meet."""

COASTAL_DESERT = Board(
    make_map(
        [tile._replace(terrain="desert", number=None) if tile.number == 2 else tile for tile in DEFAULT_MAP.tiles], []
    )
)
"""The default map with a second desert, on the north coast."""

BOARDS = {
    "default": DEFAULT_BOARD,
    "one tile": ONE_TILE,
    "no sea": NO_SEA,
    "two islands": TWO_ISLANDS,
    "coastal desert": COASTAL_DESERT,
}


@pytest.fixture(params=BOARDS.values(), ids=BOARDS.keys())
def board(request: pytest.FixtureRequest) -> Board:
    return request.param


def test_the_default_board_has_37_tiles_54_settlement_points_72_road_points_9_wharfs() -> None:
    assert (DEFAULT_BOARD.tile_count, len(DEFAULT_BOARD.land)) == (37, 19)
    assert (DEFAULT_BOARD.settlement_count, DEFAULT_BOARD.road_count) == (54, 72)
    assert len(DEFAULT_BOARD.wharf_tiles) == 9
    assert repr(DEFAULT_BOARD) == "<Board of 19 land tiles, 54 settlement points>"


def test_the_default_map_has_the_tiles_of_the_game() -> None:
    terrains = Counter(tile.terrain for tile in DEFAULT_MAP.tiles)
    assert terrains == {"sea": 18, "forest": 4, "pasture": 4, "fields": 4, "hills": 3, "mountains": 3, "desert": 1}
    tokens = Counter(tile.number for tile in DEFAULT_MAP.tiles if tile.number is not None)
    assert tokens == {2: 1, 12: 1, **dict.fromkeys((3, 4, 5, 6, 8, 9, 10, 11), 2)}
    assert Counter(wharf.type for wharf in DEFAULT_MAP.wharfs) == {
        "ThreeToOne": 4,
        **dict.fromkeys(("Lumber", "Brick", "Wool", "Grain", "Ore"), 1),
    }


def test_every_wharf_serves_two_points() -> None:
    served = Counter(
        pair
        for pair, _ in DEFAULT_BOARD.wharf_tiles
        for triple in DEFAULT_BOARD.settlement_tiles
        if set(pair) <= set(triple)
    )
    assert set(served.values()) == {2}
    assert numbers(DEFAULT_BOARD.wharf_points["Lumber"]) == (9, 17)
    assert numbers(DEFAULT_BOARD.wharf_points["Ore"]) == (14, 16)
    assert numbers(DEFAULT_BOARD.wharf_points["Wool"]) == (46, 47)
    assert numbers(DEFAULT_BOARD.wharf_points[THREE_TO_ONE]) == (1, 2, 27, 37, 48, 50, 51, 52)


def test_producers_of_a_number() -> None:
    tiles = {number: [tile for tile, _, _ in producers] for number, producers in DEFAULT_BOARD.producers.items()}
    assert tiles[6] == [12, 31]
    assert tiles[12] == [11]
    assert sorted(tiles) == [2, 3, 4, 5, 6, 8, 9, 10, 11, 12]
    ((_, corners, card), _) = DEFAULT_BOARD.producers[6]
    assert corners == DEFAULT_BOARD.corners[12]
    assert card == pack((0, 1, 0, 0, 0))


def test_points_are_numbered_in_the_order_of_their_tiles(board: Board) -> None:
    for table in (board.settlement_tiles, board.road_tiles):
        assert list(table[1:]) == sorted(set(table[1:]))
        assert all(list(tiles) == sorted(set(tiles)) for tiles in table)


def test_points_are_where_adjacent_tiles_meet_with_land_among_them(board: Board) -> None:
    tiles = dict(enumerate(board.map.tiles, 1))

    def meet(*which: int) -> bool:
        return all(tiles[b].at in tiles[a].at.neighbours() for a in which for b in which if a != b)

    triples = {(a, b, c) for a in tiles for b in tiles for c in tiles if a < b < c and meet(a, b, c)}
    pairs = {(a, b) for a in tiles for b in tiles if a < b and meet(a, b)}
    assert set(board.settlement_tiles[1:]) == {t for t in triples if any(tiles[i].is_land for i in t)}
    assert set(board.road_tiles[1:]) == {p for p in pairs if any(tiles[i].is_land for i in p)}


def test_all_tables_agree(board: Board) -> None:
    for road in range(1, board.road_count + 1):
        touched = {p for p, tiles in enumerate(board.settlement_tiles) if set(board.road_tiles[road]) <= set(tiles)}
        assert set(board.ends[road]) == set(numbers(board.end_points[road])) == touched
        assert touched == {p for p in range(1, board.settlement_count + 1) if board.roads_at[p] >> road & 1}
    for point in range(1, board.settlement_count + 1):
        near = {end for road in numbers(board.roads_at[point]) for end in board.ends[road] if end != point}
        assert set(numbers(board.adjacent_settlements[point])) == near
        assert all(board.adjacent_settlements[other] >> point & 1 for other in near)
        assert {t for t in range(1, board.tile_count + 1) if board.corners[t] >> point & 1} == set(
            board.settlement_tiles[point]
        )
        earned = [board.map.tiles[t - 1].resource for t in board.settlement_tiles[point]]
        kinds = ("Lumber", "Brick", "Wool", "Grain", "Ore")
        assert board.first_yield[point] == pack(earned.count(kind) for kind in kinds)
    for road in range(1, board.road_count + 1):
        assert {t for t in range(1, board.tile_count + 1) if board.edges[t] >> road & 1} == set(board.road_tiles[road])
    for at, number in board.tile_number.items():
        assert board.map.tiles[number - 1].at == at


def test_tables_start_at_one(board: Board) -> None:
    for table in (board.settlement_tiles, board.road_tiles, board.ends):
        assert table[0] == ()
    for points in (board.roads_at, board.adjacent_settlements, board.corners, board.edges, board.end_points):
        assert points[0] == 0
        assert not any(entry & 1 for entry in points)
    assert board.first_yield[0] == NO_CARDS


def test_wharf_points_hold_every_type(board: Board) -> None:
    assert set(board.wharf_points) == set(WHARF_TYPES)


def test_one_tile_in_its_ring_has_six_corners_and_six_edges() -> None:
    assert (ONE_TILE.settlement_count, ONE_TILE.road_count) == (6, 6)
    assert all(len(ends) == 2 for ends in ONE_TILE.ends[1:])
    assert ONE_TILE.bandit_start == ONE_TILE.land[0], "no desert: the first land tile"


def test_without_sea_only_what_tiles_enclose_is_a_point() -> None:
    assert NO_SEA.settlement_count == 0
    assert NO_SEA.road_tiles[1:] == ((1, 2),)
    assert NO_SEA.ends[1] == (), "a road that touches no settlement point"


def test_two_islands_share_no_road() -> None:
    assert (TWO_ISLANDS.settlement_count, TWO_ISLANDS.road_count) == (12, 12)
    first, second = (TWO_ISLANDS.corners[tile] for tile in TWO_ISLANDS.land)
    assert not first & second
    assert all(not TWO_ISLANDS.adjacent_settlements[point] & second for point in numbers(first))
    assert len(numbers(TWO_ISLANDS.wharf_points["Ore"])) == 2


def test_a_desert_on_the_coast_is_land() -> None:
    # The pasture 7 of the default map made a desert: nothing but its yield is lost.
    assert COASTAL_DESERT.settlement_tiles == DEFAULT_BOARD.settlement_tiles
    assert COASTAL_DESERT.road_tiles == DEFAULT_BOARD.road_tiles
    assert 7 in COASTAL_DESERT.land
    assert 2 not in COASTAL_DESERT.producers
    assert COASTAL_DESERT.bandit_start == 7, "the first desert"


def test_equal_maps_share_one_board() -> None:
    board = board_of(DEFAULT_MAP)  # of the last 256 boards: an earlier test may have made as many others
    assert board_of(make_map(DEFAULT_MAP.tiles, DEFAULT_MAP.wharfs)) is board
    assert board_of(COASTAL_DESERT.map) is not board
