"""The names of a board's places, by the tiles around them."""

from collections.abc import Iterable

from catan_p2p.game.board import Board


def tile_name(board: Board, tile: int) -> str:
    """Terrain and number of a tile: ``hills 6`` or ``desert``."""
    found = board.map.tiles[tile - 1]
    return f"{found.terrain} {found.number}" if found.number else found.terrain


def tile_in_sentence(board: Board, tile: int) -> str:
    """A tile in a sentence: ``hills 6`` or ``the desert``."""
    name = tile_name(board, tile)
    return name if board.map.tiles[tile - 1].number else f"the {name}"


def tile_at(board: Board, tile: int) -> str:
    """A tile with its coordinates, which tell it from all others: ``hills 6 (1,2,3)``."""
    at = board.map.tiles[tile - 1].at
    return f"{tile_in_sentence(board, tile)} ({at.arr},{at.row},{at.col})"


def around(board: Board, tiles: Iterable[int]) -> str:
    """Tiles in words: ``forest 9, hills 6, sea``."""
    return ", ".join(tile_name(board, tile) for tile in tiles)
