"""Maps as data: their text, and every way in which a text is not a map."""

import ast
import inspect
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catan_p2p.game.board import (
    DEFAULT_MAP,
    NUMBERS,
    TERRAINS,
    WHARF_TYPES,
    YIELD,
    Board,
    HexCoordinates,
    Map,
    MapError,
    Tile,
    Wharf,
    format_tiles,
    format_wharfs,
    make_map,
    parse_map,
)
from catan_p2p.game.board import maps as maps_module
from tests.for_each import for_each

LAND = "0,1,1,forest,8"
SEA = "0,1,2,sea,-"


def parse(*tiles: str, wharfs: tuple[str, ...] = ()) -> Map:
    """A map from lines."""
    return parse_map("".join(f"{line}\n" for line in tiles), "".join(f"{line}\n" for line in wharfs))


@st.composite
def maps(draw: st.DrawFn) -> Map:
    """Any map: scattered tiles with land among them, and wharfs on some of its coast."""
    places = draw(
        st.sets(st.builds(HexCoordinates, st.integers(0, 1), st.integers(0, 4), st.integers(0, 4)), min_size=1)
    )
    first, *others = sorted(places)
    tiles = [draw(_tiles(first, tuple(YIELD)))] + [draw(_tiles(at, TERRAINS)) for at in others]
    land = {tile.at: tile.is_land for tile in tiles}
    coast = [(a, b) for a in land for b in a.neighbours() if b in land and a.order < b.order and land[a] != land[b]]
    return make_map(tiles, [Wharf(pair, draw(st.sampled_from(WHARF_TYPES))) for pair in coast if draw(st.booleans())])


@st.composite
def _tiles(draw: st.DrawFn, at: HexCoordinates, terrains: tuple[str, ...]) -> Tile:
    terrain = draw(st.sampled_from(terrains))
    return Tile(at, terrain, draw(st.sampled_from(NUMBERS)) if terrain in YIELD else None)


@given(maps())
def test_text_and_back(map: Map) -> None:
    text = format_tiles(map.tiles), format_wharfs(map.wharfs)
    assert parse_map(*text) == map
    assert (format_tiles(parse_map(*text).tiles), format_wharfs(parse_map(*text).wharfs)) == text


@given(maps())
def test_any_map_makes_a_board(map: Map) -> None:
    board = Board(map)
    assert board.tile_count == len(map.tiles)
    assert map.tiles[board.bandit_start - 1].is_land


@given(maps(), st.randoms(use_true_random=False))
def test_the_order_in_which_a_map_is_given_does_not_matter(map: Map, random: Random) -> None:
    tiles, wharfs = list(map.tiles), [wharf._replace(tiles=wharf.tiles[::-1]) for wharf in map.wharfs]
    random.shuffle(tiles)
    random.shuffle(wharfs)
    assert make_map(tiles, wharfs) == map


def test_the_default_map_as_text() -> None:
    lines = format_tiles(DEFAULT_MAP.tiles).splitlines()
    assert (len(lines), lines[0], lines[18], lines[36]) == (37, "0,0,1,sea,-", "1,1,3,desert,-", "0,3,4,sea,-")
    wharfs = format_wharfs(DEFAULT_MAP.wharfs).splitlines()
    assert (len(wharfs), wharfs[0], wharfs[8]) == (9, "0,0,1 1,0,2 ThreeToOne", "1,2,3 0,3,3 ThreeToOne")


@for_each("terrain", TERRAINS)
def test_every_terrain_is_read_and_written(terrain: str) -> None:
    line = f"0,1,0,{terrain},{'8' if terrain in YIELD else '-'}"
    assert format_tiles(parse(line, LAND).tiles) == f"{line}\n{LAND}\n"


@for_each("number", NUMBERS)
def test_every_number_is_read_and_written(number: int) -> None:
    assert format_tiles(parse(f"0,1,1,hills,{number}").tiles) == f"0,1,1,hills,{number}\n"


@for_each("type", WHARF_TYPES)
def test_every_wharf_type_is_read_and_written(type: str) -> None:
    line = f"0,1,1 0,1,2 {type}"
    assert format_wharfs(parse(LAND, SEA, wharfs=(line,)).wharfs) == f"{line}\n"


def test_a_wharf_is_the_same_either_way_round() -> None:
    assert parse(LAND, SEA, wharfs=("0,1,2 0,1,1 Ore",)) == parse(LAND, SEA, wharfs=("0,1,1 0,1,2 Ore",))


WRONG = {
    "not five fields": (("0,1,1,forest",), (), "tiles, line 1: '0,1,1,forest', expected arr,row,col,terrain,number"),
    "an empty line": ((LAND, "", SEA), (), "tiles, line 2: '', expected arr,row,col,terrain,number"),
    "no coordinates": ((LAND, "0,x,1,sea,-"), (), "tiles, line 2: '0,x,1', expected arr,row,col"),
    "coordinates spelled otherwise": (("0,01,1,forest,8",), (), "tiles, line 1: '0,01,1', expected 0,1,1"),
    "coordinates with a blank": (("0, 1,1,forest,8",), (), "tiles, line 1: '0, 1,1', expected 0,1,1"),
    "no number": (("0,1,1,forest,x",), (), "tiles, line 1: number is 'x', expected 2..6, 8..12 or -"),
    "a number spelled otherwise": (
        ("0,1,1,forest,08",),
        (),
        "tiles, line 1: number is '08', expected 2..6, 8..12 or -",
    ),
    "digits of another script": (
        ("0,1,1,forest,\u0668",),
        (),
        "tiles, line 1: number is '\u0668', expected 2..6, 8..12 or -",
    ),
    "seven": (("0,1,1,forest,7",), (), "tiles, line 1: number is '7', expected 2..6, 8..12 or -"),
    "a third array": (("2,1,1,forest,8",), (), "tile 2,1,1: arr is 2, expected 0 or 1"),
    "an unknown terrain": (
        (LAND, "0,1,2,lake,-"),
        (),
        "tile 0,1,2: terrain is 'lake', expected one of sea, desert, forest, hills, pasture, fields, mountains",
    ),
    "a productive tile without a number": (
        ("0,1,1,forest,-",),
        (),
        "tile 0,1,1: number is None, expected 2..6 or 8..12",
    ),
    "sea with a number": ((LAND, "0,1,2,sea,8"), (), "tile 0,1,2: number is 8, expected none for sea"),
    "a desert with a number": ((LAND, "0,1,2,desert,8"), (), "tile 0,1,2: number is 8, expected none for desert"),
    "a tile twice": ((LAND, SEA, LAND), (), "tile 0,1,1 is given twice"),
    "no land": ((SEA,), (), "a map needs land, but all its tiles are sea"),
    "no tiles": ((), (), "a map needs land, but all its tiles are sea"),
    "a wharf of two fields": (
        (LAND, SEA),
        ("0,1,1 0,1,2",),
        "wharfs, line 1: '0,1,1 0,1,2', expected two tiles and a type",
    ),
    "a wharf without coordinates": ((LAND, SEA), ("0,1 0,1,2 Ore",), "wharfs, line 1: '0,1', expected arr,row,col"),
    "a wharf of no tile": (
        (LAND, SEA),
        ("0,1,1 1,1,1 Ore",),
        "wharf 0,1,1 1,1,1: there is no tile 1,1,1",
    ),
    "a wharf of tiles apart": (
        (LAND, "0,1,3,sea,-"),
        ("0,1,1 0,1,3 Ore",),
        "wharf 0,1,1 0,1,3: the two tiles are not adjacent",
    ),
    "a wharf of one tile": ((LAND,), ("0,1,1 0,1,1 Ore",), "wharf 0,1,1 0,1,1: the two tiles are not adjacent"),
    "a wharf inland": (
        (LAND, "0,1,2,desert,-"),
        ("0,1,1 0,1,2 Ore",),
        "wharf 0,1,1 0,1,2: expected one tile of land and one of sea",
    ),
    "a wharf at sea": (
        (LAND, SEA, "0,1,3,sea,-"),
        ("0,1,2 0,1,3 Ore",),
        "wharf 0,1,2 0,1,3: expected one tile of land and one of sea",
    ),
    "an unknown wharf": (
        (LAND, SEA),
        ("0,1,1 0,1,2 Fish",),
        "wharf 0,1,1 0,1,2: type is 'Fish', expected one of ThreeToOne, Lumber, Brick, Wool, Grain, Ore",
    ),
    "two wharfs in one place": (
        (LAND, SEA),
        ("0,1,1 0,1,2 Ore", "0,1,2 0,1,1 Wool"),
        "two wharfs between 0,1,1 and 0,1,2",
    ),
}


@for_each(("tiles", "wharfs", "message"), WRONG.values(), ids=WRONG.keys())
def test_what_is_not_a_map(tiles: tuple[str, ...], wharfs: tuple[str, ...], message: str) -> None:
    with pytest.raises(MapError) as error:
        parse(*tiles, wharfs=wharfs)
    assert str(error.value) == message


def test_a_productive_tile_with_seven_is_not_a_map() -> None:
    with pytest.raises(MapError, match=r"tile 0,1,1: number is 7, expected 2\.\.6 or 8\.\.12"):
        make_map([Tile(HexCoordinates(0, 1, 1), "forest", 7)], [])


def test_a_tile_twice_with_another_of_the_same_order_between() -> None:
    # 2,0,1 and 0,1,1 sort alike; the double must not hide behind the wrong array.
    tiles = [Tile(HexCoordinates(*at), "forest", 8) for at in ((2, 0, 1), (0, 1, 1), (2, 0, 1))]
    with pytest.raises(MapError, match="tile 2,0,1: arr is 2"):
        make_map(tiles, [])


def test_every_map_error_has_a_row() -> None:
    tree = ast.parse(inspect.getsource(maps_module))
    raised = {node.lineno for node in ast.walk(tree) if isinstance(node, ast.Raise)}
    seen = set()
    for tiles, wharfs, _ in WRONG.values():
        with pytest.raises(MapError) as error:
            parse(*tiles, wharfs=wharfs)
        seen.add(error.traceback[-1].lineno + 1)
    assert seen == raised
