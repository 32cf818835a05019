"""Tiles, settlement points, road points and wharfs as integers and tables; maps as data; trails of roads."""

from catan_p2p.board.board import DEFAULT_BOARD, Board, Producer, board_of
from catan_p2p.board.maps import (
    DEFAULT_MAP,
    THREE_TO_ONE,
    WHARF_TYPES,
    Map,
    MapError,
    Wharf,
    WharfType,
    format_tiles,
    format_wharfs,
    make_map,
    parse_map,
)
from catan_p2p.board.points import Points, as_points, numbers
from catan_p2p.board.tiles import NUMBERS, TERRAINS, YIELD, Coordinates, Terrain, Tile
from catan_p2p.board.trails import longest_trail, reach

__all__ = [
    "DEFAULT_BOARD",
    "DEFAULT_MAP",
    "NUMBERS",
    "TERRAINS",
    "THREE_TO_ONE",
    "WHARF_TYPES",
    "YIELD",
    "Board",
    "Coordinates",
    "Map",
    "MapError",
    "Points",
    "Producer",
    "Terrain",
    "Tile",
    "Wharf",
    "WharfType",
    "as_points",
    "board_of",
    "format_tiles",
    "format_wharfs",
    "longest_trail",
    "make_map",
    "numbers",
    "parse_map",
    "reach",
]
