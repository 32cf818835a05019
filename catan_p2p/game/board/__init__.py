"""Tiles, settlement points, road points and wharfs as integers and tables; maps as data; trails of roads.

A board draws itself in notebooks because ``svg`` is imported here.
"""

from catan_p2p.game.board.board import DEFAULT_BOARD as DEFAULT_BOARD
from catan_p2p.game.board.board import Board as Board
from catan_p2p.game.board.board import Producer as Producer
from catan_p2p.game.board.board import board_of as board_of
from catan_p2p.game.board.drawing import draw as draw
from catan_p2p.game.board.layouts import ISLAND as ISLAND
from catan_p2p.game.board.layouts import LARGE_ISLAND as LARGE_ISLAND
from catan_p2p.game.board.layouts import Layout as Layout
from catan_p2p.game.board.map_file import MAX_MAP_FILE_BYTES as MAX_MAP_FILE_BYTES
from catan_p2p.game.board.map_file import MAX_TILES as MAX_TILES
from catan_p2p.game.board.map_file import check_room as check_room
from catan_p2p.game.board.map_file import format_map_file as format_map_file
from catan_p2p.game.board.map_file import parse_map_file as parse_map_file
from catan_p2p.game.board.maps import DEFAULT_MAP as DEFAULT_MAP
from catan_p2p.game.board.maps import THREE_TO_ONE as THREE_TO_ONE
from catan_p2p.game.board.maps import WHARF_TYPES as WHARF_TYPES
from catan_p2p.game.board.maps import Map as Map
from catan_p2p.game.board.maps import MapError as MapError
from catan_p2p.game.board.maps import Wharf as Wharf
from catan_p2p.game.board.maps import WharfType as WharfType
from catan_p2p.game.board.maps import format_tiles as format_tiles
from catan_p2p.game.board.maps import format_wharfs as format_wharfs
from catan_p2p.game.board.maps import make_map as make_map
from catan_p2p.game.board.maps import parse_map as parse_map
from catan_p2p.game.board.named_maps import BEGINNERS_MAP_NAME as BEGINNERS_MAP_NAME
from catan_p2p.game.board.named_maps import DEFAULT_MAP_NAME as DEFAULT_MAP_NAME
from catan_p2p.game.board.named_maps import DRAWN_MAPS as DRAWN_MAPS
from catan_p2p.game.board.named_maps import MAPS as MAPS
from catan_p2p.game.board.named_maps import draw_map as draw_map
from catan_p2p.game.board.named_maps import read_map as read_map
from catan_p2p.game.board.openings import BEGINNERS_MAX_PLAYERS as BEGINNERS_MAX_PLAYERS
from catan_p2p.game.board.openings import Opening as Opening
from catan_p2p.game.board.openings import Placement as Placement
from catan_p2p.game.board.openings import beginners_opening as beginners_opening
from catan_p2p.game.board.points import Points as Points
from catan_p2p.game.board.points import as_points as as_points
from catan_p2p.game.board.points import numbers as numbers
from catan_p2p.game.board.svg import board_svg as board_svg
from catan_p2p.game.board.tiles import NUMBERS as NUMBERS
from catan_p2p.game.board.tiles import TERRAINS as TERRAINS
from catan_p2p.game.board.tiles import YIELD as YIELD
from catan_p2p.game.board.tiles import Coordinates as Coordinates
from catan_p2p.game.board.tiles import Terrain as Terrain
from catan_p2p.game.board.tiles import Tile as Tile
from catan_p2p.game.board.trails import longest_trail as longest_trail
from catan_p2p.game.board.trails import reach as reach
from catan_p2p.game.board.variable import free_map as free_map
from catan_p2p.game.board.variable import spiral_map as spiral_map
