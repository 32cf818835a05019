"""The beginners' set-up as data: settlements and roads that lie on the board before the first action."""

from collections.abc import Sequence
from typing import TypeAlias

from catan_p2p.game.board.board import DEFAULT_BOARD, Board, FirstPlacement, Opening
from catan_p2p.game.board.tiles import HexCoordinates

_Tiles: TypeAlias = tuple[tuple[int, int, int], ...]

_BEGINNERS: dict[str, tuple[tuple[_Tiles, _Tiles, bool], ...]] = {
    "Red": (
        (((1, 0, 2), (1, 0, 3), (0, 1, 2)), ((1, 0, 3), (0, 1, 2)), False),
        (((1, 1, 1), (1, 1, 2), (0, 2, 1)), ((1, 1, 2), (0, 2, 1)), True),
    ),
    "Blue": (
        (((0, 2, 3), (0, 2, 4), (1, 2, 4)), ((0, 2, 3), (0, 2, 4)), False),
        (((0, 2, 1), (0, 2, 2), (1, 2, 2)), ((0, 2, 2), (1, 2, 2)), True),
    ),
    "White": (
        (((1, 1, 4), (1, 1, 5), (0, 2, 4)), ((1, 1, 4), (1, 1, 5)), False),
        (((0, 1, 1), (0, 1, 2), (1, 1, 2)), ((0, 1, 1), (1, 1, 2)), True),
    ),
    "Orange": (
        (((1, 0, 4), (0, 1, 3), (0, 1, 4)), ((1, 0, 4), (0, 1, 3)), False),
        (((0, 2, 2), (0, 2, 3), (1, 2, 3)), ((0, 2, 3), (1, 2, 3)), True),
    ),
}
"""By published colour: the three tiles of each settlement, the two of its road, and whether it bears the star.

Rule book, illustration A; docs/guides/maps.md says how the positions were established.
"""

BEGINNERS_MAX_PLAYERS = len(_BEGINNERS)

_PUBLISHED_AS = {"Green": "White"}
_FREE_ORDER = ("Blue", "White", "Orange", "Red")


def beginners_opening(colours: Sequence[str]) -> Opening:
    """The settlements and roads of the beginners' set-up for these colours, in the order of seats.

    Every colour takes its own position of the rule book, Green that of White unless White plays too. With fewer than
    four players nobody takes the red one (rule book, "Setting up the game"). A colour whose position is not in play or
    taken gets the first free one of Blue, White, Orange, Red. ``ValueError`` for more than four players.
    """
    if len(colours) > BEGINNERS_MAX_PLAYERS:
        raise ValueError(f"{len(colours)} players, the beginners' set-up is for at most {BEGINNERS_MAX_PLAYERS}")
    free = [name for name in _FREE_ORDER if name != "Red" or len(colours) == BEGINNERS_MAX_PLAYERS]
    positions: dict[str, str] = {}
    options = [(colour, colour) for colour in colours]
    options += [(colour, _PUBLISHED_AS[colour]) for colour in colours if colour in _PUBLISHED_AS]
    for colour, name in options:
        if colour not in positions and name in free:
            positions[colour] = name
            free.remove(name)
    for colour in colours:
        if colour not in positions:
            positions[colour] = free.pop(0)
    return tuple(
        _place(seat, village, road, earns)
        for seat, colour in enumerate(colours, 1)
        for village, road, earns in _BEGINNERS[positions[colour]]
    )


def _place(player: int, village: _Tiles, road: _Tiles, earns: bool) -> FirstPlacement:
    board = DEFAULT_BOARD
    return FirstPlacement(
        player,
        board.settlement_tiles.index(_numbers(board, village)),
        board.road_tiles.index(_numbers(board, road)),
        earns,
    )


def _numbers(board: Board, tiles: _Tiles) -> tuple[int, ...]:
    return tuple(sorted(board.tile_number[HexCoordinates(*tile)] for tile in tiles))
