"""The places of a board in the protocol's coordinates: x grows to the east, y to the north-west, (0, 0) is the middle.

A road is named by the two tiles beside it and a settlement by its three, in any order. On the large island the middle
lies between (0, 0) and (1, 0).
"""

from collections.abc import Iterable
from functools import lru_cache

from catan_p2p.game.board import Board, HexCoordinates, Map, Tile, Wharf, board_of, make_map
from catan_p2p.lmu.codec import TilePlace
from catan_p2p.lmu.messages import Harbour, MapField
from catan_p2p.notation.coordinates import axial_of, tile_at

Shift = tuple[int, int]
"""An offset of x and y."""


class LmuPlaces:
    """The protocol's names of the tiles and points of one board."""

    def __init__(self, board: Board) -> None:
        dx, dy = _shift(axial_of(tile.at) for tile in board.map.tiles if tile.is_land)
        places = [TilePlace(0, 0)]
        for tile in board.map.tiles:
            q, r = axial_of(tile.at)
            places.append(TilePlace(q + r + dx, -r + dy))
        self.tiles: tuple[TilePlace, ...] = tuple(places)
        """By tile number; entry 0 is unused."""
        self.roads: tuple[tuple[TilePlace, ...], ...] = tuple(
            tuple(places[n] for n in pair) for pair in board.road_tiles
        )
        self.settlements: tuple[tuple[TilePlace, ...], ...] = tuple(
            tuple(places[n] for n in triple) for triple in board.settlement_tiles
        )
        self._tile = {place: n for n, place in enumerate(places) if n}
        self._road = {frozenset(at): n for n, at in enumerate(self.roads) if n}
        self._settlement = {frozenset(at): n for n, at in enumerate(self.settlements) if n}

    def tile(self, at: TilePlace) -> int | None:
        """The number of the tile at ``at``, None if the board has none there."""
        return self._tile.get(at)

    def road(self, at: Iterable[TilePlace]) -> int | None:
        """The road point between two tiles, None if there is none."""
        return self._road.get(frozenset(at))

    def settlement(self, at: Iterable[TilePlace]) -> int | None:
        """The settlement point between three tiles, None if there is none."""
        return self._settlement.get(frozenset(at))


def _shift(land: Iterable[tuple[int, int]]) -> Shift:
    """The offset that moves the middle of the land to (0, 0), or between (0, 0) and (1, 0)."""
    tiles = list(land)
    ys = [-r for _, r in tiles]
    dy = -((min(ys) + max(ys)) // 2)
    middle = [q + r for q, r in tiles if -r + dy == 0]
    return -((min(middle) + max(middle)) // 2), dy


@lru_cache(maxsize=256)
def places_of(board: Board) -> LmuPlaces:
    """The places of a board: the same object for the same board."""
    return LmuPlaces(board)


def chart_fields(board: Board) -> tuple[MapField, ...]:
    """All tiles, sea included."""
    places = places_of(board)
    return tuple(
        MapField(place, tile.terrain, tile.number)
        for place, tile in zip(places.tiles[1:], board.map.tiles, strict=True)
    )


def chart_harbours(board: Board) -> tuple[Harbour, ...]:
    """All wharfs."""
    places = places_of(board)
    return tuple(Harbour(tuple(places.tiles[n] for n in tiles), type) for tiles, type in board.wharf_tiles)


def board_from(fields: Iterable[MapField], harbours: Iterable[Harbour]) -> Board:
    """The board of a server's map, with any missing sea tiles around the land. ``MapError`` if it is not a board."""
    told = {field.at: field for field in fields}
    land = [place for place, field in told.items() if field.terrain != "sea"]
    sea = {
        TilePlace(x + dx, y + dy) for x, y in land for dx, dy in ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
    }
    # rows and columns of the board count from the north-west, so everything is moved beyond zero
    rows = [place.y for place in (*told, *sea)]
    down = _even(max(rows, default=0) + 3)
    right = _even(max((abs(place.x) + abs(place.y) for place in (*told, *sea)), default=0)) + down

    def at(place: TilePlace) -> HexCoordinates:
        if _is_usual(land):
            return tile_at(_usual(place, land))
        r = down - place.y
        return tile_at((place.x + right - r + down // 2, r))

    tiles = [Tile(at(place), field.terrain, field.number) for place, field in told.items()]  # type: ignore[arg-type]
    tiles += [Tile(at(place), "sea", None) for place in sea if place not in told]
    wharfs = [Wharf((at(one.at[0]), at(one.at[1])), one.type) for one in harbours]
    usual: Map = make_map(tiles, wharfs)
    return board_of(usual)


def _even(number: int) -> int:
    return number + number % 2


def _is_usual(land: list[TilePlace]) -> bool:
    """Whether the land is the small or the large island, whose tile numbers are fixed."""
    return len(land) in (19, 30) and all(abs(place.x) <= 3 and abs(place.y) <= 3 for place in land)


def _usual(place: TilePlace, land: list[TilePlace]) -> tuple[int, int]:
    dx, dy = (0, 0) if len(land) == 19 else (1, -1)
    x, y = place.x + dx, place.y + dy
    return x + y, -y
