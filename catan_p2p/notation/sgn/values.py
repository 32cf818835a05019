"""The values of SGN messages, each checked; an error names the value by its path in the message."""

import re
from collections.abc import Iterable
from typing import Any

from catan_p2p.game.board import Board, HexCoordinates, Map, MapError, Tile, Wharf, board_of, make_map
from catan_p2p.game.cards import FIELD_MAX, Cards, Resource, pack
from catan_p2p.game.cards import RESOURCES as RESOURCES_IN_ORDER
from catan_p2p.notation.coordinates import Axial, tile_at
from catan_p2p.notation.sgn import words
from catan_p2p.notation.sgn.messages import MemberName, Path, WrongValue

_WHOLE = re.compile(r"0|-?[1-9][0-9]?")


def members(value: object, path: Path, names: Iterable[str], optional: Iterable[str] = ()) -> dict[str, Any]:
    """The members of an object in the order of the names: all of ``names``, any of ``optional``, and no others."""
    wanted, possible = tuple(names), tuple(optional)
    if type(value) is not dict:
        raise WrongValue(path, f"an object with {' and '.join(wanted)}")
    for name in value:
        if name not in wanted and name not in possible:
            raise WrongValue((*path, MemberName(name)), f"no member but {', '.join((*wanted, *possible))}")
    for name in wanted:
        if name not in value:
            raise WrongValue(path, f"an object with {' and '.join(wanted)}")
    return {name: value[name] for name in (*wanted, *possible) if name in value}


def items(value: object, path: Path, low: int, high: int, what: str) -> list[Any]:
    """The items of an array of ``low`` to ``high``; ``what`` names them in the error."""
    if type(value) is not list or not low <= len(value) <= high:
        count = f"{low}" if low == high else f"{low} to {high}"
        found = f", there are {len(value)}" if type(value) is list else ""
        raise WrongValue(path, f"an array of {count} {what}{found}")
    return value


def choice(value: object, path: Path, codes: dict[str, Any], what: str) -> Any:
    """The meaning of a code."""
    if type(value) is not str or value not in codes:
        raise WrongValue(path, f"{what}, one of {', '.join(codes)}")
    return codes[value]


def whole(value: object, path: Path, low: int, high: int, what: str) -> int:
    """A whole number from ``low`` to ``high``."""
    if type(value) is not int or not low <= value <= high:
        raise WrongValue(path, f"{what} ({low} to {high})")
    return value


def axial(value: object, path: Path) -> Axial:
    """The coordinates of a tile: two whole numbers, which older files write as strings."""
    q, r = items(value, path, 2, 2, "coordinates")
    return _coordinate(q, (*path, 0)), _coordinate(r, (*path, 1))


def _coordinate(value: object, path: Path) -> int:
    if type(value) is str and _WHOLE.fullmatch(value):
        return int(value)
    return whole(value, path, -words.FARTHEST, words.FARTHEST, "a coordinate")


def tile(value: object, path: Path, places: words.SgnPlaces) -> int:
    """The number of a tile of the map."""
    number = places.tiles.get(axial(value, path))
    if number is None:
        raise WrongValue(path, "a tile of the map")
    return number


def intersection(value: object, path: Path, places: words.SgnPlaces) -> int:
    """The settlement point where three tiles meet, in any order."""
    three = items(value, path, 3, 3, "tiles")
    corner = tuple(sorted([axial(at, (*path, i)) for i, at in enumerate(three)]))
    point = places.intersections.get(corner)
    if point is None:
        raise WrongValue(path, "three tiles of the map that meet, one of them land")
    return point


def path_between(value: object, path: Path, places: words.SgnPlaces) -> int:
    """The road point between two intersections, in any order."""
    two = items(value, path, 2, 2, "intersections")
    one, other = (intersection(at, (*path, i), places) for i, at in enumerate(two))
    point = places.paths.get((one, other) if one < other else (other, one))
    if point is None:
        raise WrongValue(path, "two neighbouring intersections")
    return point


def transfer(value: object, path: Path) -> tuple[tuple[str, str], dict[Resource, int]]:
    """Two entries that cancel out: their two players, and what the first one gains."""
    pair = items(value, path, 2, 2, "entries, one for each side")
    whos, changes = [], []
    for i, entry in enumerate(pair):
        here = (*path, i)
        fields = members(entry, here, ("player", "resources"))
        who = fields["player"]
        if type(who) is not str or who not in (*words.PLAYERS, words.BANK):
            raise WrongValue((*here, "player"), 'a player, "1" to "6", or "B" for the bank')
        whos.append(who)
        changes.append(_change(fields["resources"], (*here, "resources")))
    if whos[0] == whos[1]:
        raise WrongValue((*path, 1, "player"), "another player than in the first entry")
    if any(changes[0].get(resource, 0) != -changes[1].get(resource, 0) for resource in RESOURCES_IN_ORDER):
        raise WrongValue((*path, 1, "resources"), "the opposite of the first entry's resources")
    if not any(changes[0].values()):
        raise WrongValue((*path, 0, "resources"), "at least one card")
    return (whos[0], whos[1]), changes[0]


def _change(value: object, path: Path) -> dict[Resource, int]:
    if type(value) is not dict or not value:
        raise WrongValue(path, "an object of resources and numbers")
    change = {}
    for code, number in value.items():
        if code not in words.RESOURCE_OF:
            raise WrongValue((*path, MemberName(code)), f"a resource, one of {', '.join(words.RESOURCE_OF)}")
        change[words.RESOURCE_OF[code]] = whole(number, (*path, code), -FIELD_MAX, FIELD_MAX, "a number of cards")
    return change


def gained(change: dict[Resource, int], sign: int = 1) -> Cards:
    """The cards that a change gains, or with sign -1 those that it gives."""
    return pack(max(0, sign * change.get(resource, 0)) for resource in RESOURCES_IN_ORDER)


# The map


def game_map(value: object, path: Path) -> Map:
    """The map of a DM message, on which every land tile must have its six neighbours."""
    fields = members(value, path, ("tiles", "harbors"))
    tiles: dict[HexCoordinates, Tile] = {}
    for i, entry in enumerate(items(fields["tiles"], (*path, "tiles"), words.MIN_TILES, words.MAX_TILES, "tiles")):
        here = (*path, "tiles", i)
        tile = _tile(entry, here)
        if tile.at in tiles:
            raise WrongValue((*here, "tile"), "a tile that is not there yet")
        tiles[tile.at] = tile
    for i, tile in enumerate(tiles.values()):
        if tile.is_land and any(at not in tiles for at in tile.at.neighbours()):
            raise WrongValue((*path, "tiles", i, "tile"), "land whose six neighbours are all on the map")
    try:
        board = board_of(make_map(tiles.values(), ()))
        wharfs = _harbours(fields["harbors"], (*path, "harbors"), board)
        return make_map(tiles.values(), wharfs)
    except MapError as error:
        raise WrongValue(path, f"a map: {error}") from None


def _tile(value: object, path: Path) -> Tile:
    fields = members(value, path, ("tile", "tCode", "rNumber"))
    at = tile_at(axial(fields["tile"], (*path, "tile")))
    terrain = choice(fields["tCode"], (*path, "tCode"), words.TERRAIN_OF, "a terrain")
    number = fields["rNumber"]
    if terrain in ("sea", "desert"):
        if number is not None:
            raise WrongValue((*path, "rNumber"), f"null, for {terrain}")
        return Tile(at, terrain, None)
    if number == 7 or type(number) is not int:
        raise WrongValue((*path, "rNumber"), "a number, 2 to 6 or 8 to 12")
    return Tile(at, terrain, whole(number, (*path, "rNumber"), 2, 12, "a number"))


def _harbours(value: object, path: Path, board: Board) -> list[Wharf]:
    tiles = board.map.tiles
    wharfs: dict[int, Wharf] = {}
    for i, entry in enumerate(items(value, path, words.MIN_HARBOURS, words.MAX_TILES, "harbors")):
        here = (*path, i)
        fields = members(entry, here, ("path", "hCode"))
        road = path_between(fields["path"], (*here, "path"), words.places_of(board))
        one, other = (tiles[number - 1] for number in board.road_tiles[road])
        if one.is_land == other.is_land or road in wharfs:
            raise WrongValue((*here, "path"), "a path on the coast without a harbor")
        type = choice(fields["hCode"], (*here, "hCode"), words.HARBOUR_OF, "a harbor")
        wharfs[road] = Wharf((one.at, other.at), type)
    return list(wharfs.values())
