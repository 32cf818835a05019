"""Icons for cards, pieces and buttons: shapes within the square from -1 to 1."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import cos, pi, sin

from catan_p2p.game.cards import DEV_CARDS, RESOURCES

from .palette import GOLD, INK, OUTLINE, RESOURCE, mark, mark_color, mixed, player_color
from .shapes import Box, Circle, Color, Path, Points, Polygon, Shape, Sprite, ellipse, extent, ring, scaled

_WHITE: Color = (255, 255, 255)
_DARK: Color = (40, 34, 30)
SQUARE: Points = ((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0))


def _lumber() -> list[Shape]:
    wood, end = (164, 108, 62), (232, 196, 148)
    shapes: list[Shape] = []
    for x, y in ((-0.42, 0.4), (0.42, 0.4), (0.0, -0.3)):
        shapes.append(Circle(x, y, 0.42, wood, _DARK, 0.12))
        shapes.append(Circle(x, y, 0.26, end))
        shapes.append(Circle(x, y, 0.1, wood))
    return shapes


def _brick() -> list[Shape]:
    tone = RESOURCE["Brick"]
    shapes: list[Shape] = []
    for x, y, w in ((-0.95, 0.15, 0.92), (0.03, 0.15, 0.92), (-0.5, -0.6, 1.0)):
        shapes.append(Box(x, y, w, 0.68, tone, 0.1, _DARK, 0.1))
        shapes.append(Path(((x + 0.2, y + 0.2), (x + w - 0.2, y + 0.2)), mixed(tone, _WHITE, 0.4), 0.1))
    return shapes


def _wool() -> list[Shape]:
    wool: Color = (252, 250, 242)
    puffs = ((-0.4, 0.05), (0.0, -0.28), (0.36, -0.02), (0.0, 0.22), (-0.1, 0.0))
    shapes: list[Shape] = [Path(((x, 0.4), (x, 0.85)), _DARK, 0.18) for x in (-0.3, 0.25)]
    shapes += [Circle(x, y, 0.46, _DARK) for x, y in puffs]
    shapes += [Circle(x, y, 0.36, wool) for x, y in puffs]
    shapes.append(Polygon(ellipse(0.68, -0.2, 0.27, 0.34), _DARK))
    shapes.append(Circle(0.74, -0.26, 0.06, wool))
    return shapes


def _grain() -> list[Shape]:
    tone, edge = RESOURCE["Grain"], (150, 106, 24)
    shapes: list[Shape] = [Path(((0.0, 0.95), (0.0, -0.4)), edge, 0.14)]
    for level in (0.35, -0.08, -0.5):
        for side in (-1, 1):
            leaf = (
                (0.0, level + 0.3),
                (side * 0.5, level + 0.06),
                (side * 0.56, level - 0.36),
                (side * 0.1, level - 0.02),
            )
            shapes.append(Polygon(leaf, tone, edge, 0.1))
    shapes.append(Polygon(ellipse(0.0, -0.72, 0.17, 0.26), tone, edge, 0.08))
    return shapes


def _ore() -> list[Shape]:
    tone = (140, 150, 166)
    rock: Points = ((-0.9, 0.55), (-0.72, -0.25), (-0.2, -0.78), (0.42, -0.62), (0.9, 0.05), (0.78, 0.62), (0.0, 0.8))
    shapes: list[Shape] = [Polygon(rock, tone, _DARK, 0.12)]
    shapes.append(Polygon(((-0.2, -0.7), (0.38, -0.56), (0.2, -0.05), (-0.36, 0.0)), mixed(tone, _WHITE, 0.5)))
    shapes.append(Polygon(((0.2, -0.05), (0.84, 0.08), (0.72, 0.56), (0.1, 0.7)), mixed(tone, (0, 0, 0), 0.25)))
    return shapes


def _knight() -> list[Shape]:
    steel, edge = (206, 214, 224), _DARK
    helmet: Points = (
        (-0.62, 0.8), (-0.7, -0.1), (-0.5, -0.62), (0.0, -0.9), (0.5, -0.62), (0.7, -0.1), (0.62, 0.8), (0.0, 0.95),
    )  # fmt: skip
    return [
        Polygon(helmet, steel, edge, 0.13),
        Path(((-0.5, -0.08), (0.5, -0.08)), edge, 0.24),
        Path(((0.0, -0.02), (0.0, 0.7)), edge, 0.16),
    ]


def star() -> Points:
    """A star with five points, one of them up."""
    points = []
    for i in range(10):
        reach, angle = (0.42 if i % 2 else 0.95), -pi / 2 + pi * i / 5
        points.append((reach * cos(angle), reach * sin(angle)))
    return tuple(points)


def _victory_point() -> list[Shape]:
    return [Polygon(star(), GOLD, _DARK, 0.12)]


def _monopoly() -> list[Shape]:
    crown: Points = (
        (-0.85, 0.7), (-0.95, -0.45), (-0.45, 0.05), (0.0, -0.75), (0.45, 0.05), (0.95, -0.45), (0.85, 0.7),
    )  # fmt: skip
    return [
        Polygon(crown, (250, 196, 70), _DARK, 0.13),
        Path(((-0.6, 0.42), (0.6, 0.42)), (176, 70, 60), 0.18),
        *(Circle(x, y, 0.12, (176, 70, 60)) for x, y in ((-0.95, -0.5), (0.0, -0.8), (0.95, -0.5))),
    ]


def _year_of_plenty() -> list[Shape]:
    shapes: list[Shape] = [
        Box(-0.85, -0.8, 1.0, 1.4, RESOURCE["Grain"], 0.16, _DARK, 0.12),
        Box(-0.15, -0.55, 1.0, 1.4, RESOURCE["Wool"], 0.16, _DARK, 0.12),
        Path(((0.35, -0.2), (0.35, 0.5)), _DARK, 0.17),
        Path(((0.0, 0.15), (0.7, 0.15)), _DARK, 0.17),
    ]
    return shapes


def _road_building() -> list[Shape]:
    shapes: list[Shape] = []
    for shift in (-0.36, 0.36):
        line = ((-0.72, 0.42 + shift), (0.72, -0.42 + shift))
        shapes += [Path(line, _DARK, 0.46), Path(line, (222, 178, 120), 0.26)]
    return shapes


_ROAD: Points = ((-0.9, 0.3), (0.62, -0.62), (0.9, -0.3), (-0.62, 0.62))
VILLAGE: Points = ((-0.8, 0.75), (-0.8, -0.1), (0.0, -0.9), (0.8, -0.1), (0.8, 0.75))
CITY: Points = (
    (-0.95, 0.8), (-0.95, -0.35), (-0.5, -0.9), (-0.05, -0.35), (-0.05, -0.05), (0.95, -0.05), (0.95, 0.8),
)  # fmt: skip


def _hand() -> list[Shape]:
    shapes: list[Shape] = []
    for turn, tone in ((-0.3, (184, 196, 206)), (0.0, (212, 222, 230)), (0.3, (238, 242, 246))):
        points = tuple(
            (x * cos(turn) - y * sin(turn), x * sin(turn) + y * cos(turn) + 0.9)
            for x, y in ((-0.4, -1.7), (0.4, -1.7), (0.4, -0.5), (-0.4, -0.5))
        )
        shapes.append(Polygon(points, tone, _DARK, 0.12))
    return shapes


def _trophy() -> list[Shape]:
    line = ((-0.85, 0.5), (-0.3, -0.35), (0.3, 0.3), (0.85, -0.55))
    return [Path(line, _DARK, 0.52), Path(line, GOLD, 0.3)]


def _army() -> list[Shape]:
    blade: list[Shape] = []
    for side in (-1, 1):
        line = ((-0.7 * side, 0.75), (0.7 * side, -0.75))
        hilt = ((-0.75 * side, 0.25), (-0.25 * side, 0.75))
        blade += [Path(line, _DARK, 0.36), Path(line, (222, 228, 236), 0.18)]
        blade += [Path(hilt, _DARK, 0.32), Path(hilt, GOLD, 0.16)]
    return blade


def _dice() -> list[Shape]:
    return [
        Box(-0.95, -0.95, 1.3, 1.3, (206, 214, 220), 0.28, _DARK, 0.1),
        Box(-0.4, -0.4, 1.35, 1.35, (250, 250, 246), 0.28, _DARK, 0.1),
    ]


def _deck() -> list[Shape]:
    return [
        Box(-0.75 + 0.2 * i, -0.65 - 0.2 * i + 0.1, 1.1, 1.45, tone, 0.16, _DARK, 0.12)
        for i, tone in ((2, (92, 72, 120)), (1, (116, 92, 150)), (0, (148, 120, 186)))
    ]


def _discards() -> list[Shape]:
    return [
        Box(-0.65, -0.85, 1.3, 1.7, (110, 120, 130), 0.16, _DARK, 0.12),
        Path(((-0.3, -0.35), (0.3, 0.35)), INK, 0.18),
        Path(((-0.3, 0.35), (0.3, -0.35)), INK, 0.18),
    ]


def _right(x: float, half: float, tone: Color, facing: int) -> Shape:
    return Polygon(((x, -0.62), (x + facing * half, 0.0), (x, 0.62)), tone, tone, 0.12)


def _bar(x: float, tone: Color) -> Shape:
    return Path(((x, -0.6), (x, 0.6)), tone, 0.22)


def _steps(arrows: int, bar: bool, facing: int) -> Callable[[Color], list[Shape]]:
    def build(tone: Color) -> list[Shape]:
        width = {1: 0.9, 2: 0.72, 3: 0.56}[arrows]
        start = -arrows * width / 2 - (0.18 if bar else 0.0)
        shapes = [_right(facing * (start + i * width), width * 0.86, tone, facing) for i in range(arrows)]
        return [*shapes, _bar(facing * (start + arrows * width + 0.16), tone)] if bar else shapes

    return build


def _plus(tone: Color) -> list[Shape]:
    return [*_minus(tone), Path(((0.0, -0.6), (0.0, 0.6)), tone, 0.24)]


def _minus(tone: Color) -> list[Shape]:
    return [Path(((-0.6, 0.0), (0.6, 0.0)), tone, 0.24)]


def _search(tone: Color) -> list[Shape]:
    return [Circle(-0.18, -0.18, 0.52, None, tone, 0.22), Path(((0.25, 0.25), (0.8, 0.8)), tone, 0.26)]


def _live(tone: Color) -> list[Shape]:
    arc = [
        Path(tuple((r * cos(pi * (a / 8 - 0.25)), r * sin(pi * (a / 8 - 0.25))) for a in range(5)), tone, 0.16)
        for r in (0.5, 0.88)
    ]
    left = [Path(tuple((-x, y) for x, y in path.points), tone, 0.16) for path in arc]
    return [Circle(0.0, 0.0, 0.22, tone), *arc, *left]


def _close(tone: Color) -> list[Shape]:
    return [Path(((-0.55, -0.55), (0.55, 0.55)), tone, 0.24), Path(((-0.55, 0.55), (0.55, -0.55)), tone, 0.24)]


def _accept(tone: Color) -> list[Shape]:
    return [Path(((-0.65, 0.05), (-0.15, 0.55), (0.7, -0.55)), tone, 0.28)]


def _asked(tone: Color) -> list[Shape]:
    return [Circle(x, 0.0, 0.2, tone) for x in (-0.6, 0.0, 0.6)]


def _peers(tone: Color) -> list[Shape]:
    nodes = ((-0.6, 0.55), (0.6, 0.55), (0.0, -0.6))
    return [Path(nodes, tone, 0.14, closed=True), *(Circle(x, y, 0.3, tone) for x, y in nodes)]


def _pause(tone: Color) -> list[Shape]:
    return [Path(((x, -0.55), (x, 0.55)), tone, 0.32) for x in (-0.34, 0.34)]


def _file(tone: Color) -> list[Shape]:
    sheet: Points = ((-0.6, -0.9), (0.25, -0.9), (0.65, -0.5), (0.65, 0.9), (-0.6, 0.9))
    return [
        Polygon(sheet, None, tone, 0.16),
        *(Path(((-0.3, y), (0.35, y)), tone, 0.14) for y in (-0.15, 0.2, 0.55)),
    ]


_FIXED: dict[str, Callable[[], list[Shape]]] = {
    "Lumber": _lumber,
    "Brick": _brick,
    "Wool": _wool,
    "Grain": _grain,
    "Ore": _ore,
    "Monopoly": _monopoly,
    "YearOfPlenty": _year_of_plenty,
    "RoadBuilding": _road_building,
    "Knight": _knight,
    "VictoryPoint": _victory_point,
    "hand": _hand,
    "longest_road": _trophy,
    "largest_army": _army,
    "dice": _dice,
    "deck": _deck,
    "discards": _discards,
}
_TINTED: dict[str, Callable[[Color], list[Shape]]] = {
    "play": _steps(1, False, 1),
    "pause": _pause,
    "next_action": _steps(1, True, 1),
    "previous_action": _steps(1, True, -1),
    "next_turn": _steps(2, False, 1),
    "previous_turn": _steps(2, False, -1),
    "next_round": _steps(3, False, 1),
    "previous_round": _steps(3, False, -1),
    "last": _steps(2, True, 1),
    "first": _steps(2, True, -1),
    "faster": _plus,
    "slower": _minus,
    "jump": _search,
    "follow": _live,
    "close": _close,
    "peer": _peers,
    "accept": _accept,
    "reject": _close,
    "asked": _asked,
    "file": _file,
}
_PIECES: dict[str, Points] = {"road": _ROAD, "village": VILLAGE, "city": CITY}
NAMES: tuple[str, ...] = (*_FIXED, *_TINTED, *_PIECES)
"""The names of all icons."""
assert set(RESOURCES) | set(DEV_CARDS) <= set(_FIXED)


@lru_cache(maxsize=1 << 10)
def _shapes(name: str, size: float, tone: Color) -> tuple[Shape, ...]:
    if name in _FIXED:
        parts = _FIXED[name]()
    elif name in _TINTED:
        parts = _TINTED[name](tone)
    else:
        parts = [Polygon(_PIECES[name], tone, OUTLINE, 0.16)]
    return tuple(scaled(part, size / 2) for part in parts)


@lru_cache(maxsize=1 << 12)
def icon(name: str, x: float, y: float, size: float, tone: Color = INK) -> Sprite:
    """An icon with this side length around a point; ``tone`` is for buttons and pieces, cards have own colours."""
    hull = _hull(size)
    return Sprite(("icon", name, size, tone), round(x), round(y), _shapes(name, size, tone), hull)


@lru_cache(maxsize=64)
def _hull(size: float) -> Points:
    return tuple((x * size / 2, y * size / 2) for x, y in SQUARE)


@lru_cache(maxsize=1 << 10)
def badge(colour: str, x: float, y: float, size: float, ringed: bool = False) -> Sprite:
    """A player's mark on a disc of their colour."""
    radius = size / 2
    disc: Shape = Circle(0.0, 0.0, radius * 0.94, player_color(colour), GOLD if ringed else OUTLINE, radius * 0.14)
    inner = tuple(scaled(part, radius * 0.5) for part in mark(colour, mark_color(colour)))
    return Sprite(("badge", colour, size, ringed), round(x), round(y), (disc, *inner), ring(8, radius, 22.5))


def reach(sprite: Sprite) -> float:
    """Half the width of a sprite."""
    return extent(sprite.hull).w / 2
