"""The island of a JSettlers game on the classic board, which has the coordinates of hexgrid."""

from catan_p2p.game.board import THREE_TO_ONE, YIELD, Map, MapError, Terrain, Tile, Wharf, WharfType, make_map
from catan_p2p.notation.coordinates import Axial, tile_at
from catan_p2p.notation.errors import NotationError
from catan_p2p.notation.soclog.messages import RESOURCES, SoclogMessage

_TERRAIN_OF: dict[int, Terrain] = {
    number: next(terrain for terrain, yielded in YIELD.items() if yielded == resource)
    for number, resource in RESOURCES.items()
}
_NUMBERS = (2, 3, 4, 5, 6, 8, 9, 10, 11, 12)
"""The dice number for each number in the message."""
_DESERT, _WATER, _FIRST_PORT, _LAST_PORT = 0, 6, 7, 12
_FACINGS: tuple[Axial, ...] = ((0, 0), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1))
"""By a port's facing, from 1 clockwise from the north-east, the step to its land."""


def read_island(message: SoclogMessage) -> Map:
    """The map in a message with the board's layout."""
    if message.type == "SOCBoardLayout2":
        encoding = message.number("bef", 0, 99)
        if encoding != 1:
            raise message.error(f"bef={encoding}, expected 1, the classic board: sea and six players are not read")
        names = ("HL", "NL")
    else:
        names = ("hexLayout", "numberLayout")
    hexes, numbers = (message.numbers(name) for name in names)
    places = [(q, r) for r in range(-3, 4) for q in range(max(-3, -3 - r), min(3, 3 - r) + 1)]
    if len(hexes) != len(places) or len(numbers) != len(places):
        raise message.error(f"{len(hexes)} hexes and {len(numbers)} numbers, expected {len(places)}")
    tiles = [_tile(message, at, kind, n) for at, kind, n in zip(places, hexes, numbers, strict=True)]
    wharfs = [wharf for at, kind in zip(places, hexes, strict=True) if (wharf := _wharf(message, at, kind))]
    try:
        return make_map(tiles, wharfs)
    except MapError as error:
        raise NotationError(f"{message.type}: {error}", message.line, 1) from None


def _tile(message: SoclogMessage, at: Axial, kind: int, number: int) -> Tile:
    if kind == _DESERT:
        return Tile(tile_at(at), "desert", None)
    if kind not in _TERRAIN_OF:
        return Tile(tile_at(at), "sea", None)
    if not 0 <= number < len(_NUMBERS):
        raise message.error(f"the number {number} of a land hex, expected 0 to {len(_NUMBERS) - 1}")
    return Tile(tile_at(at), _TERRAIN_OF[kind], _NUMBERS[number])


def _wharf(message: SoclogMessage, at: Axial, kind: int) -> Wharf | None:
    """The wharf of a hex, if any: kinds 7 to 12 are 3:1 by facing, others are facing and resource in four bits each."""
    if kind <= _WATER:
        return None
    facing, type = kind - _WATER, 0
    if kind > _LAST_PORT:
        facing, type = kind >> 4, kind & 0xF
    if not 1 <= facing < len(_FACINGS) or (type and type not in RESOURCES):
        raise message.error(f"hex type {kind}, expected land, sea or a port")
    q, r = _FACINGS[facing]
    one, other = tile_at(at), tile_at((at[0] + q, at[1] + r))
    trades: WharfType = RESOURCES[type] if type else THREE_TO_ONE
    return Wharf((one, other) if one < other else (other, one), trades)
