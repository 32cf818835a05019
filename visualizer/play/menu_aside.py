"""What is shown beside the lines of a dialog: a picture of how a game begins, and an explanation.

Separate from ``dialogs``, since the lobby's first frame shows no island and appears sooner without these imports.
"""

from functools import lru_cache

from catan_p2p.game.state import State

from ..pictures.island.geometry import geometry
from ..pictures.island.island import roads, settlements, tokens
from ..pictures.island.land import terrain_layer
from ..pictures.palette import DIM, INK, SEA
from ..pictures.scene import TextMeasure
from ..pictures.shapes import Box, Rect, Shape, Text, bounds
from .menu import MenuAside
from .talk import wrapped

_HIGHEST, _LEAST = 0.8, 6.0
"""The height of the picture: at most this share of its width, and at least this many times the text size."""


def aside_shapes(aside: MenuAside, place: Rect, em: float, measure: TextMeasure) -> list[Shape]:
    """The picture, and the explanation below it."""
    rows = [(line, INK, True) for line in wrapped(measure, aside.title, em, place.w * 0.9)]
    rows += [(line, DIM, False) for part in aside.told.splitlines() for line in wrapped(measure, part, em, place.w)]
    room = place.h - (1.5 * len(rows) + 0.8) * em
    shapes: list[Shape] = []
    y = place.y
    if aside.begins is not None and room >= _LEAST * em:
        picture = Rect(place.x, place.y, place.w, min(room, _HIGHEST * place.w))
        shapes += _island(aside.begins, aside.colours, picture)
        y = picture.bottom + 0.8 * em
    for i, (line, tone, bold) in enumerate(rows):
        shapes.append(Text(place.x, y + (0.75 + 1.5 * i) * em, line, em, tone, bold))
    return shapes


@lru_cache(maxsize=8)
def _island(state: State, colours: tuple[str, ...], area: Rect) -> tuple[Shape, ...]:
    """A small picture of the island as the game begins."""
    board = state.constants.board
    place = geometry(board, area)
    sea = Box(*area, SEA, 6.0)
    pieces = (*tokens(place, state), *roads(place, state, colours), *settlements(place, state, colours))
    ground = (shape for shape in terrain_layer(board, area).shapes if area.holds(bounds(shape)))
    return (sea, *ground, *pieces)
