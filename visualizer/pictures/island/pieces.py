"""Pieces, tokens and signs on the board as sprites: their shapes, and convex outlines that must not overlap."""

from functools import lru_cache
from math import cos, hypot, pi, radians, sin

from catan_p2p.game.board import THREE_TO_ONE

from .. import palette
from ..icons import CITY, VILLAGE, icon
from ..shapes import Box, Circle, Color, Path, Point, Points, Polygon, Shape, Sprite, Text, moved, ring, scaled
from .geometry import WharfSign, slope

VILLAGE_SIZE = 0.2
CITY_SIZE = 0.27
ROAD_WIDTH = 0.15
_ROAD_GAP = {"none": 0.1, "village": 0.31, "city": 0.4}
"""How far from a corner a road begins, by what stands there, in sizes."""
TOKEN_RADIUS = 0.29
TOKEN_DROP = 0.02
BANDIT_AT: Point = (-0.5, -0.02)
"""The bandit stands left of the number, in sizes from the middle of its tile."""
RED_NUMBERS = (6, 8)
_WHITE: Color = (255, 255, 255)
_HOUSE_HULL: Points = VILLAGE
_CITY_HULL: Points = ((-0.95, 0.8), (-0.95, -0.35), (-0.5, -0.9), (0.95, -0.05), (0.95, 0.8))


def ways(number: int) -> int:
    """In how many of the 36 throws two dice show a sum: the dots on a number token."""
    return 6 - abs(7 - number)


def _halo(points: Points, width: float) -> list[Shape]:
    return [Polygon(points, _WHITE, _WHITE, width * 2.1), Polygon(points, palette.OUTLINE, palette.OUTLINE, width)]


def _marked(colour: str, x: float, y: float, size: float) -> list[Shape]:
    return [moved(scaled(part, size), x, y) for part in palette.mark(colour, palette.mark_color(colour))]


@lru_cache(maxsize=256)
def _settlement_shapes(kind: str, colour: str, size: float) -> tuple[Shape, ...]:
    tone = palette.player_color(colour)
    outline = VILLAGE if kind == "village" else CITY
    shapes = [*_halo(outline, 0.26), Polygon(outline, tone)]
    if kind == "village":
        roof: Points = ((-0.8, -0.1), (0.0, -0.9), (0.8, -0.1))
        shapes.append(Polygon(roof, palette.mixed(tone, (0, 0, 0), 0.28)))
        shapes += _marked(colour, 0.0, 0.32, 0.34)
    else:
        shapes.append(Polygon(((-0.95, -0.35), (-0.5, -0.9), (-0.05, -0.35)), palette.mixed(tone, (0, 0, 0), 0.28)))
        shapes.append(
            Polygon(((-0.05, -0.05), (0.95, -0.05), (0.95, 0.16), (-0.05, 0.16)), palette.mixed(tone, (0, 0, 0), 0.28))
        )
        shapes += _marked(colour, 0.42, 0.48, 0.26)
        shapes.append(Box(-0.62, -0.12, 0.24, 0.3, palette.faded(palette.mark_color(colour), 230), 0.05))
        shapes.append(Box(-0.62, 0.36, 0.24, 0.44, palette.faded(palette.mark_color(colour), 230), 0.05))
    return tuple(scaled(part, size) for part in shapes)


@lru_cache(maxsize=1 << 10)
def settlement(kind: str, colour: str, x: float, y: float, unit: float) -> Sprite:
    """A village or a city on its point."""
    size = unit * (VILLAGE_SIZE if kind == "village" else CITY_SIZE)
    hull = _HOUSE_HULL if kind == "village" else _CITY_HULL
    return Sprite(
        (kind, colour, size),
        round(x),
        round(y),
        _settlement_shapes(kind, colour, size),
        tuple((px * size, py * size) for px, py in hull),
    )


def road_span(ends: tuple[Point, Point], occupied: tuple[str, str]) -> tuple[Point, Point]:
    """The two points between which a road is drawn; ``occupied`` is what stands at its ends: none, village or city."""
    (x0, y0), (x1, y1) = ends
    first, second = _ROAD_GAP[occupied[0]], _ROAD_GAP[occupied[1]]
    return (x0 + (x1 - x0) * first, y0 + (y1 - y0) * first), (x1 + (x0 - x1) * second, y1 + (y0 - y1) * second)


@lru_cache(maxsize=1 << 11)
def road(colour: str, ends: tuple[Point, Point], occupied: tuple[str, str], unit: float) -> Sprite:
    """A road along its edge, with the player's mark in the middle."""
    (x0, y0), (x1, y1) = road_span(ends, occupied)
    # Rounded, so that all roads of one direction and length share a cached picture.
    turn = round(slope((x0, y0), (x1, y1)))
    length = round(hypot(x1 - x0, y1 - y0), 1)
    x, y = (ends[0][0] + ends[1][0]) / 2, (ends[0][1] + ends[1][1]) / 2
    shift = round(hypot(x1 - x, y1 - y) - length / 2, 1)
    shapes, hull = _road_shapes(colour, turn, length, shift, round(unit, 2))
    return Sprite(("road", colour, turn, length, shift, round(unit, 2)), round(x), round(y), shapes, hull)


@lru_cache(maxsize=512)
def _road_shapes(colour: str, turn: int, length: float, shift: float, unit: float) -> tuple[tuple[Shape, ...], Points]:
    half = ROAD_WIDTH * unit / 2
    c, s = cos(radians(turn)), sin(radians(turn))

    def bar(reach: float, thick: float) -> Points:
        return tuple(
            ((shift + x) * c - y * s, (shift + x) * s + y * c)
            for x, y in ((-reach, -thick), (reach, -thick), (reach, thick), (-reach, thick))
        )

    edge = 0.024 * unit
    body = bar(length / 2 - edge * 1.5, half - edge)
    shapes: list[Shape] = [
        Polygon(body, _WHITE, _WHITE, edge * 3.4),
        Polygon(body, palette.OUTLINE, palette.OUTLINE, edge * 2),
        Polygon(body, palette.player_color(colour)),
    ]
    sign = (scaled(part, unit * 0.048) for part in palette.mark(colour, palette.mark_color(colour)))
    shapes += [moved(part, shift * c, shift * s) for part in sign]
    return tuple(shapes), bar(length / 2, half)


@lru_cache(maxsize=512)
def token(number: int, x: float, y: float, unit: float, blocked: bool, rolled: bool) -> Sprite:
    """The number of a tile with its dots; grey where the bandit stands, in gold when it was just rolled."""
    r = TOKEN_RADIUS * unit
    disc = palette.mixed(palette.CREAM, (120, 120, 120), 0.55) if blocked else palette.CREAM
    ink = palette.RED_NUMBER if number in RED_NUMBERS else palette.DARK_NUMBER
    if blocked:
        ink = palette.mixed(ink, disc, 0.35)
    shapes: list[Shape] = []
    if rolled:
        shapes.append(Circle(0.0, 0.0, r * 1.16, palette.GOLD))
    shapes.append(Circle(0.0, r * 0.06, r * 0.98, (0, 0, 0, 70)))
    shapes.append(Circle(0.0, 0.0, r * 0.96, disc, palette.mixed(disc, (90, 70, 40), 0.45), r * 0.07))
    shapes.append(Text(0.0, -r * 0.15, str(number), round(r * (1.12 if ways(number) > 3 else 1.0), 1), ink, True, 0.5))
    count = ways(number)
    shapes += [Circle((i - (count - 1) / 2) * r * 0.24, r * 0.55, r * 0.09, ink) for i in range(count)]
    hull = ring(12, r * (1.16 if rolled else 1.02), 15.0)
    return Sprite(("token", number, unit, blocked, rolled), round(x), round(y), tuple(shapes), hull)


@lru_cache(maxsize=64)
def bandit(x: float, y: float, unit: float, fresh: bool) -> Sprite:
    """The bandit, with a golden rim if it has just moved."""
    body: Points = ((-0.46, 0.95), (-0.36, 0.3), (-0.2, -0.15), (0.2, -0.15), (0.36, 0.3), (0.46, 0.95))
    dark: Color = (34, 32, 40)
    rim: Color = palette.GOLD if fresh else (235, 232, 226)
    shapes: list[Shape] = [
        Polygon(body, rim, rim, 0.22),
        Circle(0.0, -0.48, 0.43, rim),
        Polygon(body, dark, dark, 0.06),
        Circle(0.0, -0.48, 0.34, dark),
        Path(((-0.16, -0.46), (-0.08, -0.46)), rim, 0.1),
        Path(((0.08, -0.46), (0.16, -0.46)), rim, 0.1),
        Path(((-0.26, 0.62), (0.26, 0.62)), (150, 40, 44), 0.16),
    ]
    size = unit * 0.3
    hull = tuple(
        (px * size, py * size) for px, py in ((-0.57, 1.06), (-0.45, -0.6), (0.0, -0.93), (0.45, -0.6), (0.57, 1.06))
    )
    return Sprite(("bandit", size, fresh), round(x), round(y), tuple(scaled(part, size) for part in shapes), hull)


def wharf(place: WharfSign) -> Sprite:
    """The sign of a wharf: its rate, and the resource it takes if it takes only one."""
    return _wharf(place.type, round(place.sign[0]), round(place.sign[1]), round(place.radius, 1))


@lru_cache(maxsize=64)
def _wharf(type: str, x: float, y: float, r: float) -> Sprite:
    wood: Color = (116, 80, 52)
    if type == THREE_TO_ONE:
        tone: Color = (240, 232, 214)
        inside: list[Shape] = [Text(0.0, 0.0, "3:1", round(r * 0.8, 1), (40, 34, 30), True, 0.5)]
    else:
        tone = palette.mixed(palette.RESOURCE[type], (255, 255, 255), 0.55)
        inside = [
            moved(icon(type, 0, 0, round(r * 0.84, 1)), 0.0, -r * 0.36),
            Text(0.0, r * 0.42, "2:1", round(r * 0.68, 1), (40, 34, 30), True, 0.5),
        ]
    shapes = (Circle(0.0, 0.0, r * 0.93, tone, wood, r * 0.14), *inside)
    return Sprite(("wharf", type, r), x, y, shapes, ring(16, r, 11.25))


def pier(place: WharfSign, corner: Point, unit: float) -> tuple[Shape, ...]:
    """The planks from a wharf's sign to one of its corners."""
    (x0, y0), (x1, y1) = place.sign, corner
    far = hypot(x1 - x0, y1 - y0)
    dx, dy = (x1 - x0) / far, (y1 - y0) / far
    stop = far - 0.07 * unit
    start, end = (x0, y0), (x0 + dx * stop, y0 + dy * stop)
    shapes: list[Shape] = [
        Path((start, end), (82, 56, 36), 0.12 * unit),
        Path((start, end), (172, 126, 84), 0.085 * unit),
    ]
    planks = max(2, int(stop / (0.085 * unit)))
    for i in range(1, planks):
        px, py = x0 + dx * stop * i / planks, y0 + dy * stop * i / planks
        wide = 0.04 * unit
        shapes.append(
            Path(((px - dy * wide, py + dx * wide), (px + dy * wide, py - dx * wide)), (112, 78, 50), 0.014 * unit)
        )
    return tuple(shapes)


@lru_cache(maxsize=128)
def glow(x: float, y: float, radius: float) -> tuple[Shape, ...]:
    """A golden ring around what has just been built."""
    return (
        Circle(x, y, radius, palette.faded(palette.GOLD, 70)),
        Path(
            tuple((x + radius * cos(pi * i / 16), y + radius * sin(pi * i / 16)) for i in range(32)),
            palette.GOLD,
            radius * 0.13,
            True,
        ),
    )
