"""Maps as files: read, written, and refused with the line that is wrong."""

from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catan_p2p.game.board import (
    DEFAULT_BOARD,
    DEFAULT_MAP,
    DRAWN_MAPS,
    MAPS,
    Board,
    Map,
    MapError,
    board_of,
    draw_map,
    format_tiles,
    format_wharfs,
    make_map,
)
from catan_p2p.game.board.drawing import draw
from catan_p2p.game.board.map_file import MAX_MAP_FILE_BYTES, format_map_file, parse_map_file
from catan_p2p.game.board.maps import MAX_TILES
from catan_p2p.game.board.tiles import HexCoordinates, Tile
from catan_p2p.game.playable import check_room
from tests.for_each import for_each

ATOLL = """\
# One land tile with sea around it.
tiles

0,0,1,sea,-
0,0,2,sea,-   # beside it
1,0,1,sea,-
1,0,2,forest,8
1,0,3,sea,-
0,1,1,sea,-
0,1,2,sea,-
wharfs
0,0,1 1,0,2 ThreeToOne
"""


def lines(*more: str, wharfs: tuple[str, ...] = ()) -> str:
    """The atoll without its wharf, with more tiles and wharfs; the first more is in line 11."""
    head = ATOLL.splitlines()[:10]
    return "".join(f"{line}\n" for line in (*head, *more, "wharfs", *wharfs))


def test_comments_and_empty_lines_do_not_count() -> None:
    atoll = parse_map_file(ATOLL, "atoll")
    assert (len(atoll.tiles), len(atoll.wharfs)) == (7, 1)


@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_either_end_of_line_is_read(end: str) -> None:
    assert parse_map_file(ATOLL.replace("\n", end), "atoll") == parse_map_file(ATOLL, "atoll")


@given(st.sampled_from(tuple(MAPS)), st.integers(0, 1000))
def test_file_and_back(name: str, seed: int) -> None:
    drawn = draw_map(name, Random(seed))
    text = format_map_file(drawn, draw(drawn))
    assert parse_map_file(text, "drawn") == drawn
    assert draw_map(text, Random(0)) == drawn


WRONG = {  # of lines that are wrong by themselves, which test_maps has, one of each kind
    "nothing": ("", "x.map: a map needs land, but it has no tiles"),
    "only sea": ("tiles\n0,0,1,sea,-\n", "x.map: a map needs land, but all its tiles are sea"),
    "no heading": ("0,0,1,sea,-\n", "x.map, line 1: '0,0,1,sea,-', expected the heading 'tiles' first"),
    "not a tile": (lines("0,9,9"), "x.map, line 11: '0,9,9', expected arr,row,col,terrain,number"),
    "an unknown terrain": (
        lines("0,9,9,lake,-"),
        "x.map, line 11: tile 0,9,9: terrain is 'lake', expected one of sea, desert, forest, hills, pasture, fields, "
        "mountains",
    ),
    "a tile twice": (lines("1,0,2,desert,-"), "x.map, line 11: tile '1,0,2,desert,-' is given twice, first in line 7"),
    "land at the edge of the map": (
        lines("0,0,3,desert,-"),
        "x.map, line 11: this land tile has no tile 1,-1,3 beside it, expected a tile on every side, such as sea",
    ),
    "a wharf of two fields": (
        lines(wharfs=("0,0,1 1,0,2",)),
        "x.map, line 12: '0,0,1 1,0,2', expected two tiles and a type",
    ),
    "a wharf at sea": (
        lines(wharfs=("0,0,1 0,0,2 Ore",)),
        "x.map, line 12: wharf 0,0,1 0,0,2: expected one tile of land and one of sea",
    ),
    "two wharfs in one place": (
        lines(wharfs=("0,0,1 1,0,2 Ore", "1,0,2 0,0,1 Wool")),
        "x.map, line 13: wharf '1,0,2 0,0,1 Wool' is at the same place as the one in line 12",
    ),
}


@for_each(("text", "message"), WRONG.values(), ids=WRONG.keys())
def test_what_is_not_a_map_file(text: str, message: str) -> None:
    with pytest.raises(MapError) as error:
        parse_map_file(text, "x.map")
    assert str(error.value) == message


@pytest.mark.long
@given(st.text(max_size=200) | st.text("012,-seatilwharfdn#\n ", max_size=200))
def test_any_other_text_is_refused_with_one_line(text: str) -> None:
    with pytest.raises(MapError) as error:
        parse_map_file(text, "x.map")
    assert len(str(error.value).splitlines()) == 1


def square(side: int) -> Map:
    """A map of ``side`` times ``side`` tiles, land within a border of sea."""
    return make_map(
        (
            Tile(
                HexCoordinates(row % 2, row // 2, col),
                "desert" if {row, col} <= set(range(1, side - 1)) else "sea",
                None,
            )
            for row in range(side)
            for col in range(side)
        ),
        (),
    )


def test_a_map_of_too_many_tiles_is_refused() -> None:
    assert len(parse_map_file(format_map_file(square(31)), "x.map").tiles) == 961
    with pytest.raises(MapError, match=f"x.map: 1024 tiles, expected at most {MAX_TILES}"):
        parse_map_file(format_map_file(square(32)), "x.map")


def test_the_files_of_a_game_on_the_largest_map_are_within_what_a_peer_reads() -> None:
    from catan_p2p.log.reading import MAX_OBJECT_BYTES

    # No tile has more than 2 settlement points or 3 road points of its own.
    board = Board(square(31))
    assert board.settlement_count < 2 * board.tile_count
    assert board.road_count < 3 * board.tile_count
    assert 2 * MAX_TILES * len("1999,player_6,Village\n") < MAX_OBJECT_BYTES
    assert 3 * MAX_TILES * len("2999,player_6\n") < MAX_OBJECT_BYTES
    assert MAX_TILES * len("1,-999,-999,mountains,12\n") < MAX_OBJECT_BYTES
    assert MAX_MAP_FILE_BYTES <= MAX_OBJECT_BYTES


@for_each("players", range(2, 7))
def test_the_island_has_room_for_six(players: int) -> None:
    check_room(DEFAULT_BOARD, players, "default")


def test_a_map_without_room_for_the_set_up_is_refused() -> None:
    atoll = board_of(parse_map_file(ATOLL, "atoll"))
    with pytest.raises(MapError) as error:
        check_room(atoll, 2, "atoll")
    assert (
        str(error.value)
        == "atoll: 0 settlement points that are not beside the bandit, expected at least 13 for 2 players"
    )


@given(st.integers(2, 4), st.randoms(use_true_random=False))
def test_where_there_is_room_every_set_up_can_be_finished(players: int, random: Random) -> None:
    """On the smallest square that has room, whatever points are taken first."""
    board = next(board for board in map(Board, map(square, range(3, 12))) if has_room(board, players))
    free = set(range(1, board.settlement_count + 1)) - {
        sp for sp in range(1, board.settlement_count + 1) if board.corners[board.bandit_start] >> sp & 1
    }
    for _ in range(2 * players):
        village = random.choice(sorted(free))
        free -= {village, *(sp for sp in free if board.adjacent_settlements[village] >> sp & 1)}


def has_room(board: Board, players: int) -> bool:
    """Whether a map passes the check."""
    try:
        check_room(board, players, "map")
    except MapError:
        return False
    return True


def test_default_and_beginners_are_the_default_map_and_all_others_are_drawn() -> None:
    for name in MAPS:
        maps = {draw_map(name, Random(seed)) for seed in range(3)}
        assert (maps == {DEFAULT_MAP}) == (name not in DRAWN_MAPS)
        assert len(maps) == (3 if name in DRAWN_MAPS else 1)
        assert len(format_map_file(maps.pop())) < MAX_MAP_FILE_BYTES


def test_a_map_file_holds_the_very_files_of_a_game() -> None:
    text = format_map_file(DEFAULT_MAP, "above\n\nit")
    assert text == (
        f"# above\n#\n# it\ntiles\n{format_tiles(DEFAULT_MAP.tiles)}wharfs\n{format_wharfs(DEFAULT_MAP.wharfs)}"
    )


def test_the_example_of_the_documentation_is_a_map_for_two() -> None:
    text = (Path(__file__).parents[3] / "docs" / "guides/maps.md").read_text("utf-8")
    example = next(block for block in text.replace("```text", "```").split("```")[1::2] if "\ntiles\n" in block)
    seven = board_of(parse_map_file(example, "docs/guides/maps.md"))
    assert (len(seven.land), len(seven.map.wharfs)) == (7, 2)
    assert [has_room(seven, players) for players in (2, 3)] == [True, False]
