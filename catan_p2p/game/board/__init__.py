"""Tiles, settlement points, road points and wharfs as integers and tables; maps as data; trails of roads."""

from catan_p2p.game.board.board import DEFAULT_BOARD, Board, Producer, board_of
from catan_p2p.game.board.drawing import draw
from catan_p2p.game.board.layouts import ISLAND, LARGE_ISLAND, Layout
from catan_p2p.game.board.map_file import (
    MAX_MAP_FILE_BYTES,
    MAX_TILES,
    check_room,
    format_map_file,
    parse_map_file,
)
from catan_p2p.game.board.maps import (
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
from catan_p2p.game.board.named_maps import BEGINNERS_MAP_NAME, DEFAULT_MAP_NAME, DRAWN_MAPS, MAPS, draw_map
from catan_p2p.game.board.openings import BEGINNERS_MAX_PLAYERS, Opening, Placement, beginners_opening
from catan_p2p.game.board.points import Points, as_points, numbers
from catan_p2p.game.board.svg import board_svg
from catan_p2p.game.board.tiles import NUMBERS, TERRAINS, YIELD, Coordinates, Terrain, Tile
from catan_p2p.game.board.trails import longest_trail, reach
from catan_p2p.game.board.variable import free_map, spiral_map

__all__ = [
    "BEGINNERS_MAP_NAME",
    "BEGINNERS_MAX_PLAYERS",
    "DEFAULT_BOARD",
    "DEFAULT_MAP",
    "DEFAULT_MAP_NAME",
    "DRAWN_MAPS",
    "ISLAND",
    "LARGE_ISLAND",
    "MAPS",
    "MAX_MAP_FILE_BYTES",
    "MAX_TILES",
    "NUMBERS",
    "TERRAINS",
    "THREE_TO_ONE",
    "WHARF_TYPES",
    "YIELD",
    "Board",
    "Coordinates",
    "Layout",
    "Map",
    "MapError",
    "Opening",
    "Placement",
    "Points",
    "Producer",
    "Terrain",
    "Tile",
    "Wharf",
    "WharfType",
    "as_points",
    "beginners_opening",
    "board_of",
    "board_svg",
    "check_room",
    "draw",
    "draw_map",
    "format_map_file",
    "format_tiles",
    "format_wharfs",
    "free_map",
    "longest_trail",
    "make_map",
    "numbers",
    "parse_map",
    "parse_map_file",
    "reach",
    "spiral_map",
]
