"""Tiles, settlement points, road points and wharfs as integers and tables; maps as data; trails of roads.

Here is what every game needs. What few need is loaded with its own module: map files, islands that are drawn at
random, the beginners' set-up, pictures.
"""

from catan_p2p.game.board.board import DEFAULT_BOARD as DEFAULT_BOARD
from catan_p2p.game.board.board import Board as Board
from catan_p2p.game.board.board import FirstPlacement as FirstPlacement
from catan_p2p.game.board.board import Opening as Opening
from catan_p2p.game.board.board import YieldingTile as YieldingTile
from catan_p2p.game.board.board import board_of as board_of
from catan_p2p.game.board.maps import DEFAULT_MAP as DEFAULT_MAP
from catan_p2p.game.board.maps import MAX_TILES as MAX_TILES
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
from catan_p2p.game.board.points import Points as Points
from catan_p2p.game.board.points import as_points as as_points
from catan_p2p.game.board.points import numbers as numbers
from catan_p2p.game.board.tiles import NUMBERS as NUMBERS
from catan_p2p.game.board.tiles import TERRAINS as TERRAINS
from catan_p2p.game.board.tiles import YIELD as YIELD
from catan_p2p.game.board.tiles import HexCoordinates as HexCoordinates
from catan_p2p.game.board.tiles import Terrain as Terrain
from catan_p2p.game.board.tiles import Tile as Tile
from catan_p2p.game.board.trails import longest_trail as longest_trail
from catan_p2p.game.board.trails import reach as reach
