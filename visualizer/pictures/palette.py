"""Colours, and the marks that identify players without colour."""

from functools import lru_cache

from catan_p2p.game.board import Terrain
from catan_p2p.game.palette import player_colour

from .shapes import Circle, Color, Path, Points, Polygon, Shape, ring

INK: Color = (232, 238, 242)
"""Ordinary text."""
DIM: Color = (150, 168, 182)
"""Less important text."""
QUIET: Color = (144, 162, 177)
"""The least important text, still with enough contrast to be read: see ``readable``."""
FAINT: Color = (92, 110, 124)
"""Unimportant lines."""
GOLD: Color = (255, 206, 84)
"""For what has just changed, and what is chosen."""
GAIN: Color = (126, 217, 132)
LOSS: Color = (255, 138, 128)
WINDOW: Color = (18, 26, 34)
PANEL: Color = (28, 39, 50)
PANEL_EDGE: Color = (46, 61, 75)
ROW: Color = (38, 52, 66)
CHOSEN: Color = (58, 80, 101)
TRACK: Color = (21, 30, 39)
SHADE: Color = (8, 12, 16, 190)
"""Laid over the window behind a dialog."""
OUTLINE: Color = (24, 20, 18)
"""Around pieces on the board."""
CREAM: Color = (250, 240, 214)
RED_NUMBER: Color = (192, 32, 32)
DARK_NUMBER: Color = (46, 38, 30)
SEA: Color = (44, 106, 152)
SHALLOW: Color = (92, 160, 190)
SAND: Color = (233, 214, 164)

TERRAIN: dict[Terrain, Color] = {
    "sea": SEA,
    "desert": (226, 204, 150),
    "forest": (46, 110, 62),
    "hills": (190, 100, 70),
    "pasture": (150, 198, 92),
    "fields": (232, 190, 76),
    "mountains": (134, 142, 152),
}

RESOURCE: dict[str, Color] = {
    "Lumber": (62, 142, 80),
    "Brick": (206, 98, 66),
    "Wool": (178, 216, 120),
    "Grain": (240, 200, 84),
    "Ore": (160, 170, 184),
}


@lru_cache(maxsize=16)
def player_color(colour: str) -> Color:
    """The colour in which a player is drawn."""
    red, green, blue = bytes.fromhex(player_colour(colour).removeprefix("#"))
    return red, green, blue


def player_text_color(colour: str) -> Color:
    """The player's colour, light enough to be read on a dark panel."""
    return readable(player_color(colour), PANEL, 6.0)


def mark_color(colour: str) -> Color:
    """A dark colour or white, whichever is visible on the player's colour."""
    r, g, b = player_color(colour)[:3]
    return (28, 24, 22) if 0.299 * r + 0.587 * g + 0.114 * b > 150 else (255, 255, 255)


@lru_cache(maxsize=1 << 12)
def mixed(one: Color, other: Color, share: float) -> Color:
    """A colour between two, ``share`` of the way to the other."""
    r, g, b = (round(a + (z - a) * share) for a, z in zip(one[:3], other[:3], strict=True))
    return r, g, b


def luminance(color: Color) -> float:
    """How bright a colour is, from 0 to 1, as WCAG 2.2 defines it."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (part / 255 for part in color[:3])]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: Color, other: Color) -> float:
    """The ratio of two colours, from 1 to 21, as WCAG 2.2 defines it; text needs 4.5."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


READABLE = 4.5
"""The contrast that text needs."""


@lru_cache(maxsize=1 << 12)
def readable(color: Color, ground: Color, least: float = READABLE) -> Color:
    """The colour, made lighter until it can be read on a dark ground."""
    shares = (share / 20 for share in range(21))
    lighter = (mixed(color, (255, 255, 255), share) for share in shares)
    return next((tone for tone in lighter if contrast(tone, ground) >= least), (255, 255, 255))


@lru_cache(maxsize=16)
def tinted(colour: str) -> Color:
    """The background of a panel, tinted by a player's colour as far as ``QUIET`` text stays readable."""
    shares = (share / 100 for share in range(16, -1, -1))
    grounds = (mixed(PANEL, player_color(colour), share) for share in shares)
    return next(ground for ground in grounds if contrast(QUIET, ground) >= READABLE)


def faded(color: Color, alpha: int) -> Color:
    """The colour, partly transparent."""
    return color[0], color[1], color[2], alpha


_PLUS: Points = (
    (-0.3, -0.95), (0.3, -0.95), (0.3, -0.3), (0.95, -0.3), (0.95, 0.3), (0.3, 0.3),
    (0.3, 0.95), (-0.3, 0.95), (-0.3, 0.3), (-0.95, 0.3), (-0.95, -0.3), (-0.3, -0.3),
)  # fmt: skip


def mark(colour: str, color: Color) -> tuple[Shape, ...]:
    """The mark of a player within the unit circle: no two look alike in grey.

    Red a triangle, Blue a square, Green a disc, Orange a diamond, White a cross, Brown a bar.
    """
    match colour:
        case "Red":
            return (Polygon(((0.0, -0.95), (0.95, 0.72), (-0.95, 0.72)), color),)
        case "Blue":
            return (Polygon(((-0.75, -0.75), (0.75, -0.75), (0.75, 0.75), (-0.75, 0.75)), color),)
        case "Green":
            return (Circle(0.0, 0.0, 0.85, color),)
        case "Orange":
            return (Polygon(ring(4, 1.0), color),)
        case "White":
            return (Polygon(_PLUS, color),)
        case "Brown":
            return (Polygon(((-0.95, -0.38), (0.95, -0.38), (0.95, 0.38), (-0.95, 0.38)), color),)
        case _:
            return (Path(ring(3, 0.7, 90.0), color, 0.35, closed=True),)
