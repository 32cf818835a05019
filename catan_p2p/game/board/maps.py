"""Maps as data: the text of the files ``map/tiles`` and ``map/wharfs``, and the default map.

A tile is a line ``arr,row,col,terrain,number`` with ``-`` for no number; a wharf is a line
``arr,row,col arr,row,col type`` that names its two tiles and either ``ThreeToOne`` or the resource it trades two to
one.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple, TypeAlias, cast

from catan_p2p.game.board.tiles import NUMBERS, TERRAINS, YIELD, HexCoordinates, Terrain, Tile
from catan_p2p.game.cards import RESOURCES

WharfType: TypeAlias = str
"""``ThreeToOne`` or a resource: ``WT`` of the specification (thesis, definition 11)."""

THREE_TO_ONE: WharfType = "ThreeToOne"
WHARF_TYPES: tuple[WharfType, ...] = (THREE_TO_ONE, *RESOURCES)
MAX_TILES = 1000
"""The most tiles a map may have, sea included, so that every file of a game stays within what a peer reads."""
_SPELLED_NUMBERS = {str(number): number for number in NUMBERS}


class MapError(ValueError):
    """A text or a list that is not a map: the message names the line or the tile, and what was expected.

    ``helps`` is what those who choose the map could choose instead, empty if there is nothing to add.
    """

    def __init__(self, reason: str, helps: str = "") -> None:
        super().__init__(reason)
        self.helps = helps


class Wharf(NamedTuple):
    """A wharf on the coast between two tiles, one land and one sea, given in ascending order."""

    tiles: tuple[HexCoordinates, HexCoordinates]
    type: WharfType


class Map(NamedTuple):
    """Tiles in order and wharfs in order, as they are written to ``map/tiles`` and ``map/wharfs``."""

    tiles: tuple[Tile, ...]
    wharfs: tuple[Wharf, ...]


def make_map(tiles: Iterable[Tile], wharfs: Iterable[Wharf]) -> Map:
    """A map, with tiles and wharfs in canonical order (thesis, definitions 9 to 12).

    Raises ``MapError`` if they do not form a map.
    """
    ordered = tuple(sorted(tiles, key=lambda tile: tile.at.order))
    for tile in ordered:
        check_tile(tile)
    for one, other in pairwise(ordered):
        if one.at == other.at:
            raise MapError(f"tile {_spell(one.at)} is given twice")
    by_place = {tile.at: tile for tile in ordered}
    if not any(tile.is_land for tile in ordered):
        raise MapError("a map needs land, but all its tiles are sea")
    placed = tuple(
        sorted(
            (check_wharf(wharf, by_place) for wharf in wharfs),
            key=lambda wharf: (wharf.tiles[0].order, wharf.tiles[1].order),
        )
    )
    for first, second in pairwise(placed):
        if first.tiles == second.tiles:
            raise MapError(f"two wharfs between {_spell(first.tiles[0])} and {_spell(first.tiles[1])}")
    return Map(ordered, placed)


def check_tile(tile: Tile) -> None:
    """Raise ``MapError`` for a tile that no map can have."""
    where = _spell(tile.at)
    if tile.at.arr not in (0, 1):
        raise MapError(f"tile {where}: arr is {tile.at.arr}, expected 0 or 1")
    if tile.terrain not in TERRAINS:
        raise MapError(f"tile {where}: terrain is {tile.terrain!r}, expected one of {', '.join(TERRAINS)}")
    if tile.terrain in YIELD and tile.number not in NUMBERS:
        raise MapError(f"tile {where}: number is {tile.number}, expected 2..6 or 8..12")
    if tile.terrain not in YIELD and tile.number is not None:
        raise MapError(f"tile {where}: number is {tile.number}, expected none for {tile.terrain}")


def check_wharf(wharf: Wharf, by_place: Mapping[HexCoordinates, Tile]) -> Wharf:
    """The wharf with its tiles in ascending order; ``MapError`` if it cannot be on a map of these tiles."""
    first, second = sorted(wharf.tiles, key=lambda at: at.order)
    where = f"wharf {_spell(first)} {_spell(second)}"
    for at in (first, second):
        if at not in by_place:
            raise MapError(f"{where}: there is no tile {_spell(at)}")
    if second not in first.neighbours():
        raise MapError(f"{where}: the two tiles are not adjacent")
    if by_place[first].is_land == by_place[second].is_land:
        raise MapError(f"{where}: expected one tile of land and one of sea")
    if wharf.type not in WHARF_TYPES:
        raise MapError(f"{where}: type is {wharf.type!r}, expected one of {', '.join(WHARF_TYPES)}")
    return Wharf((first, second), wharf.type)


def _spell(at: HexCoordinates) -> str:
    return f"{at.arr},{at.row},{at.col}"


def format_tiles(tiles: Iterable[Tile]) -> str:
    """The text of ``map/tiles``."""
    return "".join(f"{_spell(tile.at)},{tile.terrain},{tile.number or '-'}\n" for tile in tiles)


def format_wharfs(wharfs: Iterable[Wharf]) -> str:
    """The text of ``map/wharfs``."""
    return "".join(f"{_spell(w.tiles[0])} {_spell(w.tiles[1])} {w.type}\n" for w in wharfs)


@lru_cache(maxsize=1 << 6)
def parse_map(tiles: str, wharfs: str) -> Map:
    """The map from the texts of ``map/tiles`` and ``map/wharfs``; ``MapError`` names the line that is wrong."""
    return make_map(
        [parse_tile(line, f"tiles, line {number}") for number, line in enumerate(tiles.splitlines(), 1)],
        [parse_wharf(line, f"wharfs, line {number}") for number, line in enumerate(wharfs.splitlines(), 1)],
    )


def parse_tile(line: str, where: str) -> Tile:
    """The tile of a line of ``map/tiles``; the message of a ``MapError`` begins with ``where``."""
    fields = line.split(",")
    if len(fields) != 5:
        raise MapError(f"{where}: {line!r}, expected arr,row,col,terrain,number")
    at = _parse_coordinates(",".join(fields[:3]), where)
    token = fields[4]
    if token != "-" and token not in _SPELLED_NUMBERS:
        raise MapError(f"{where}: number is {token!r}, expected 2..6, 8..12 or -")
    return Tile(at, cast(Terrain, fields[3]), _SPELLED_NUMBERS.get(token))


def parse_wharf(line: str, where: str) -> Wharf:
    """The wharf of a line of ``map/wharfs``; the message of a ``MapError`` begins with ``where``."""
    fields = line.split(" ")
    if len(fields) != 3:
        raise MapError(f"{where}: {line!r}, expected two tiles and a type")
    first, second = (_parse_coordinates(text, where) for text in fields[:2])
    return Wharf((first, second), fields[2])


def _parse_coordinates(text: str, where: str) -> HexCoordinates:
    try:
        arr, row, col = (int(part) for part in text.split(","))
    except ValueError:
        raise MapError(f"{where}: {text!r}, expected arr,row,col") from None
    at = HexCoordinates(arr, row, col)
    if _spell(at) != text:
        raise MapError(f"{where}: {text!r}, expected {_spell(at)}")
    return at


_DEFAULT_TILES = """
0,0,1,sea,- 0,0,2,sea,- 0,0,3,sea,- 0,0,4,sea,-
1,0,1,sea,- 1,0,2,mountains,10 1,0,3,pasture,2 1,0,4,forest,9 1,0,5,sea,-
0,1,0,sea,- 0,1,1,fields,12 0,1,2,hills,6 0,1,3,pasture,4 0,1,4,hills,10 0,1,5,sea,-
1,1,0,sea,- 1,1,1,fields,9 1,1,2,forest,11 1,1,3,desert,- 1,1,4,forest,3 1,1,5,mountains,8 1,1,6,sea,-
0,2,0,sea,- 0,2,1,forest,8 0,2,2,mountains,3 0,2,3,fields,4 0,2,4,pasture,5 0,2,5,sea,-
1,2,1,sea,- 1,2,2,hills,5 1,2,3,fields,6 1,2,4,pasture,11 1,2,5,sea,-
0,3,1,sea,- 0,3,2,sea,- 0,3,3,sea,- 0,3,4,sea,-
"""

_DEFAULT_WHARFS = """\
0,0,1 1,0,2 ThreeToOne
0,0,3 1,0,3 Grain
1,0,5 0,1,4 Ore
0,1,0 0,1,1 Lumber
1,1,5 1,1,6 ThreeToOne
0,2,0 0,2,1 Brick
0,2,4 1,2,5 Wool
1,2,2 0,3,1 ThreeToOne
1,2,3 0,3,3 ThreeToOne
"""

DEFAULT_MAP: Map = parse_map("\n".join(_DEFAULT_TILES.split()), _DEFAULT_WHARFS)
"""The thesis's default map (figure 2.1): 19 land tiles, 18 sea tiles, nine wharfs."""
