"""A map drawn with letters, so that people see what they will play on."""

from catan_p2p.game.board.maps import THREE_TO_ONE, Map
from catan_p2p.game.board.tiles import HexCoordinates, Tile

_WIDTH = 11
_TOWARDS = ("\\", "/", "<", ">", "/", "\\")
"""For each neighbour, in the order of ``HexCoordinates.neighbours``, the mark of a wharf that points there."""


def draw(map: Map) -> str:
    """The map in lines, north up: terrains and numbers, ``~`` for sea, wharfs at sea with a mark towards their land.

    A three-to-one wharf is ``3:1``, another one the resource that it trades.
    """
    wharfs: dict[HexCoordinates, str] = {}
    by_place = {tile.at: tile for tile in map.tiles}
    for wharf in map.wharfs:
        land, sea = sorted(wharf.tiles, key=lambda at: not by_place[at].is_land)
        label = "3:1" if wharf.type == THREE_TO_ONE else wharf.type
        mark = _TOWARDS[sea.neighbours().index(land)]
        pointed = f"{mark}{label}" if mark == "<" else f"{label}{mark}"
        wharfs[sea] = f"{wharfs[sea]} {pointed}" if sea in wharfs else pointed
    left = min(_left(at) for at in by_place)
    rows: dict[int, str] = {}
    for tile in map.tiles:
        row, _ = tile.at.order
        start = (_left(tile.at) - left) * _WIDTH // 2
        rows[row] = rows.get(row, "").ljust(start) + _cell(tile, wharfs).center(_WIDTH)
    return "".join(f"{rows[row].rstrip()}\n" for row in sorted(rows))


def _left(at: HexCoordinates) -> int:
    """How many half tiles a tile lies to the east: array 1 is half a tile to the left of array 0."""
    return 2 * at.col - at.arr


def _cell(tile: Tile, wharfs: dict[HexCoordinates, str]) -> str:
    if not tile.is_land:
        return wharfs.get(tile.at, "~")[: _WIDTH - 1]
    name = "mount." if tile.terrain == "mountains" else tile.terrain
    return name if tile.number is None else f"{name} {tile.number}"
