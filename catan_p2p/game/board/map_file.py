"""A map as one text file that people write: the lines of ``map/tiles`` and ``map/wharfs`` below headings.

    # a comment; empty lines do not count
    tiles
    0,1,1,forest,8
    ...
    wharfs
    0,0,1 0,1,1 ThreeToOne

docs/guides/maps.md shows a whole one.
"""

from catan_p2p.game.board import maps
from catan_p2p.game.board.tiles import HexCoordinates, Tile

MAX_MAP_FILE_BYTES = 64 << 10
"""No map of that many tiles needs a longer file."""

TILES_HEADING = "tiles"
WHARFS_HEADING = "wharfs"


def format_map_file(map: maps.Map, comment: str = "") -> str:
    """The text of a file with this map, below the lines of ``comment``."""
    head = "".join(f"# {line}".rstrip() + "\n" for line in comment.splitlines())
    return f"{head}{TILES_HEADING}\n{maps.format_tiles(map.tiles)}{WHARFS_HEADING}\n{maps.format_wharfs(map.wharfs)}"


def parse_map_file(text: str, name: str) -> maps.Map:
    """The map in a file's text; ``name`` is the file's name.

    ``MapError`` names the file, the line where there is one, and what was expected. Every land tile must have its six
    neighbours, so that all its corners and edges exist.
    """
    tiles: dict[HexCoordinates, Tile] = {}
    line_of: dict[HexCoordinates, int] = {}
    wharf_lines: list[tuple[int, str]] = []
    section = None
    for i, whole_line in enumerate(text.splitlines(), 1):
        # Comments are allowed at the end of a line, too.
        line = whole_line.partition("#")[0].strip()
        if not line:
            continue
        if line in (TILES_HEADING, WHARFS_HEADING):
            section = line
        elif section == TILES_HEADING:
            tile = _tile(line, f"{name}, line {i}")
            if tile.at in tiles:
                raise maps.MapError(f"{name}, line {i}: tile {line!r} is given twice, first in line {line_of[tile.at]}")
            tiles[tile.at], line_of[tile.at] = tile, i
        elif section == WHARFS_HEADING:
            wharf_lines.append((i, line))
        else:
            raise maps.MapError(f"{name}, line {i}: {line!r}, expected the heading {TILES_HEADING!r} first")
    if len(tiles) > maps.MAX_TILES:
        raise maps.MapError(f"{name}: {len(tiles)} tiles, expected at most {maps.MAX_TILES}")
    _check_land(tiles, line_of, name)
    return maps.make_map(tiles.values(), _wharfs(wharf_lines, tiles, name))


def _tile(line: str, where: str) -> Tile:
    tile = maps.parse_tile(line, where)
    try:
        maps.check_tile(tile)
    except maps.MapError as error:
        raise maps.MapError(f"{where}: {error}") from None
    return tile


def _wharfs(lines: list[tuple[int, str]], tiles: dict[HexCoordinates, Tile], name: str) -> list[maps.Wharf]:
    wharfs: list[maps.Wharf] = []
    line_of: dict[tuple[HexCoordinates, HexCoordinates], int] = {}
    for i, line in lines:
        wharf = maps.parse_wharf(line, f"{name}, line {i}")
        try:
            wharf = maps.check_wharf(wharf, tiles)
        except maps.MapError as error:
            raise maps.MapError(f"{name}, line {i}: {error}") from None
        if wharf.tiles in line_of:
            raise maps.MapError(
                f"{name}, line {i}: wharf {line!r} is at the same place as the one in line {line_of[wharf.tiles]}"
            )
        line_of[wharf.tiles] = i
        wharfs.append(wharf)
    return wharfs


def _check_land(tiles: dict[HexCoordinates, Tile], line_of: dict[HexCoordinates, int], name: str) -> None:
    land = [tile.at for tile in tiles.values() if tile.is_land]
    if not land:
        raise maps.MapError(f"{name}: a map needs land, but {'all its tiles are sea' if tiles else 'it has no tiles'}")
    for at in land:
        lacking = [beside for beside in at.neighbours() if beside not in tiles]
        if lacking:
            raise maps.MapError(
                f"{name}, line {line_of[at]}: this land tile has no tile {','.join(map(str, lacking[0]))} beside it, "
                "expected a tile on every side, such as sea"
            )
