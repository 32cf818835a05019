"""Drawn textures of the terrains: small shapes around the origin of a tile of size 1, clear of its number token."""

from collections.abc import Callable
from functools import lru_cache
from math import cos, pi, sin
from random import Random

from catan_p2p.game.board import Terrain

from ..palette import TERRAIN, faded, mixed
from ..shapes import Circle, Color, Path, Point, Polygon, Shape, ellipse

_WHITE: Color = (255, 255, 255)
_BLACK: Color = (0, 0, 0)
_NEAR, _FAR = 0.44, 0.68
"""Distances from the middle, clear of the token and of the pieces on corners and edges."""


def _spots(rng: Random, count: int, near: float = _NEAR, far: float = _FAR) -> list[Point]:
    """Places around the token, evenly spread with some disorder, from north to south."""
    turn = rng.uniform(0, 2 * pi)
    spots = []
    for i in range(count):
        angle = turn + 2 * pi * (i + rng.uniform(-0.18, 0.18)) / count
        reach = rng.uniform(near, far)
        spots.append((reach * cos(angle), 0.96 * reach * sin(angle)))
    return sorted(spots, key=lambda spot: spot[1])


def _forest(rng: Random) -> list[Shape]:
    base = TERRAIN["forest"]
    shapes: list[Shape] = []
    for x, y in _spots(rng, 11, 0.45, 0.66):
        height = rng.uniform(0.24, 0.32)
        width = height * 0.42
        green = mixed(base, rng.choice(((20, 60, 36), (90, 160, 80), (30, 90, 60))), rng.uniform(0.25, 0.6))
        foot = y + height * 0.4
        shapes.append(Polygon(ellipse(x + 0.03, foot + 0.02, width * 1.05, 0.035), faded(_BLACK, 50)))
        shapes.append(Path(((x, foot), (x, foot - 0.08)), (92, 62, 40), 0.045))
        for level, (low, high, wide) in enumerate(((0.05, 0.52, 1.0), (0.32, 0.78, 0.78), (0.58, 1.05, 0.54))):
            tone = mixed(green, _WHITE, 0.07 * level)
            top, bottom, half = foot - height * high, foot - height * low, width * wide
            shapes.append(Polygon(((x, top), (x + half, bottom), (x - half, bottom)), tone))
            shapes.append(Polygon(((x, top), (x + half, bottom), (x + half * 0.1, bottom)), mixed(tone, _BLACK, 0.16)))
    return shapes


def _hills(rng: Random) -> list[Shape]:
    base = TERRAIN["hills"]
    shapes: list[Shape] = []
    for x, y in _spots(rng, 7, 0.46, 0.62):
        wide = rng.uniform(0.19, 0.25)
        tone = mixed(base, rng.choice(((120, 50, 34), (226, 150, 110), (160, 76, 50))), rng.uniform(0.25, 0.55))
        hump = tuple(
            (x + wide * cos(pi + pi * i / 12), y + 0.08 + wide * 0.85 * sin(pi + pi * i / 12)) for i in range(13)
        )
        shapes.append(Polygon(hump, tone))
        shade = (*hump[6:], (x + wide * 0.35, y + 0.08), (x + wide * 0.2, y - wide * 0.3))
        shapes.append(Polygon(shade, mixed(tone, _BLACK, 0.14)))
        dark = mixed(tone, _BLACK, 0.32)
        for row in range(2):
            level = y + 0.02 - row * 0.075
            half = wide * (0.78 - 0.26 * row)
            shapes.append(Path(((x - half, level), (x + half, level)), dark, 0.016))
            shift = 0.0 if row else 0.05
            shapes += [
                Path(((x + k * 0.1 + shift, level), (x + k * 0.1 + shift, level + 0.065)), dark, 0.014)
                for k in range(-2, 3)
                if abs(k * 0.1 + shift) < half * 0.85
            ]
    return shapes


def _sheep(x: float, y: float, facing: int, size: float) -> list[Shape]:
    s, f = size, facing
    wool: Color = (250, 247, 238)
    dark: Color = (58, 52, 50)
    legs: list[Shape] = [
        Path(((x + k * 0.07 * s, y + 0.04 * s), (x + k * 0.07 * s, y + 0.17 * s)), dark, 0.035 * s) for k in (-1, 1)
    ]
    cloud: list[Shape] = [
        Circle(x + dx * s, y + dy * s, r * s, tone)
        for tone, grow in ((mixed(wool, _BLACK, 0.2), 0.022), (wool, 0.0))
        for dx, dy, r in (
            (-0.1, 0.0, 0.085 + grow), (0.1, 0.0, 0.085 + grow), (0.0, -0.05, 0.1 + grow), (0.0, 0.03, 0.1 + grow)
        )
    ]  # fmt: skip
    head = ellipse(x + f * 0.19 * s, y - 0.04 * s, 0.06 * s, 0.075 * s)
    ear = Path(((x + f * 0.15 * s, y - 0.09 * s), (x + f * 0.11 * s, y - 0.06 * s)), dark, 0.03 * s)
    return [*legs, *cloud, Polygon(head, dark), ear]


def _pasture(rng: Random) -> list[Shape]:
    base = TERRAIN["pasture"]
    shapes: list[Shape] = []
    for x, y in _spots(rng, 14, 0.4, 0.72):
        tone = mixed(base, rng.choice(((70, 130, 50), (206, 232, 140))), 0.55)
        shapes += [Path(((x, y), (x + lean, y - 0.075 + abs(lean))), tone, 0.02) for lean in (-0.04, 0.0, 0.04)]
    places = _spots(rng, 4, 0.5, 0.6)
    for x, y in places:
        shapes.append(Polygon(ellipse(x, y + 0.15, 0.17, 0.035), faded(_BLACK, 40)))
        shapes += _sheep(x, y, rng.choice((-1, 1)), rng.uniform(0.92, 1.1))
    return shapes


def _ear(x: float, y: float, height: float, lean: float, tone: Color) -> list[Shape]:
    top = y - height
    shapes: list[Shape] = [Path(((x, y), (x + lean, top)), mixed(tone, (120, 84, 20), 0.45), 0.02)]
    for i in range(3):
        level = top + 0.055 * i
        across = x + lean * (1 - (level - top) / height)
        for side in (-1, 1):
            shapes.append(
                Polygon(
                    (
                        (across, level + 0.035),
                        (across + side * 0.05, level - 0.005),
                        (across + side * 0.035, level - 0.05),
                        (across, level - 0.012),
                    ),
                    mixed(tone, _BLACK, 0.1) if side > 0 else tone,
                )
            )
    shapes.append(Polygon(ellipse(x + lean, top - 0.045, 0.02, 0.045, 10), tone))
    return shapes


def _fields(rng: Random) -> list[Shape]:
    base = TERRAIN["fields"]
    shapes: list[Shape] = []
    for i in range(-4, 5):
        start, end = (i * 0.17 - 0.16, 0.66), (i * 0.17 + 0.16, -0.66)
        cut = 0.7 - 0.12 * abs(i)
        shapes.append(
            Path(
                ((start[0], start[1] * max(cut, 0.35)), (end[0], end[1] * max(cut, 0.35))),
                mixed(base, (190, 140, 40), 0.4),
                0.035,
            )
        )
    for x, y in _spots(rng, 13, 0.46, 0.66):
        tone = mixed((250, 220, 110), (214, 150, 40), rng.uniform(0.0, 0.6))
        shapes += _ear(x, y + 0.14, rng.uniform(0.22, 0.27), rng.uniform(-0.03, 0.05), tone)
    return shapes


def _mountains(rng: Random) -> list[Shape]:
    base = TERRAIN["mountains"]
    shapes: list[Shape] = []
    for x, y in _spots(rng, 7, 0.44, 0.58):
        height, wide = rng.uniform(0.34, 0.46), rng.uniform(0.2, 0.26)
        tone = mixed(base, rng.choice(((80, 86, 98), (176, 182, 190), (104, 100, 104))), rng.uniform(0.3, 0.6))
        foot, top = y + 0.16, y + 0.16 - height
        peak = x + rng.uniform(-0.05, 0.05)
        shapes.append(Polygon(((peak, top), (x + wide, foot), (x - wide, foot)), tone))
        crease = (peak + 0.05, foot - height * 0.3)
        shapes.append(
            Polygon(((peak, top), (x + wide, foot), (x + wide * 0.1, foot), crease), mixed(tone, _BLACK, 0.26))
        )
        left, right = (
            (peak - (peak - x + wide) * 0.36, top + height * 0.36),
            (peak + (x + wide - peak) * 0.36, top + height * 0.36),
        )
        snow = (
            (peak, top), right, (peak + 0.045, top + height * 0.26), (peak, top + height * 0.4),
            (peak - 0.05, top + height * 0.28), left,
        )  # fmt: skip
        shapes.append(Polygon(snow, (246, 248, 250)))
        shapes.append(Polygon(((peak, top), right, (peak + 0.045, top + height * 0.26)), (206, 214, 224)))
    return shapes


def _desert(rng: Random) -> list[Shape]:
    base = TERRAIN["desert"]
    shapes: list[Shape] = []
    for x, y in _spots(rng, 8, 0.3, 0.62):
        wide = rng.uniform(0.16, 0.26)
        curve = tuple((x + wide * (i / 8 - 0.5) * 2, y - 0.06 * sin(pi * i / 8)) for i in range(9))
        shapes.append(Path(curve, mixed(base, (180, 140, 80), 0.5), 0.022))
        shapes.append(Path(tuple((px, py + 0.025) for px, py in curve), mixed(base, _WHITE, 0.35), 0.016))
    green: Color = (96, 138, 76)
    for x, y, size in ((0.42, 0.2, 1.0), (-0.02, -0.5, 0.75)):
        shapes.append(Polygon(ellipse(x + 0.02, y + 0.2 * size, 0.12 * size, 0.03), faded(_BLACK, 40)))
        shapes.append(Path(((x, y + 0.2 * size), (x, y - 0.16 * size)), green, 0.085 * size))
        shapes.append(
            Path(
                ((x, y + 0.06 * size), (x + 0.12 * size, y + 0.06 * size), (x + 0.12 * size, y - 0.05 * size)),
                green,
                0.06 * size,
            )
        )
        shapes.append(
            Path(((x, y + 0.0 * size), (x - 0.11 * size, y), (x - 0.11 * size, y - 0.1 * size)), green, 0.055 * size)
        )
        shapes.append(
            Path(
                ((x - 0.015 * size, y + 0.18 * size), (x - 0.015 * size, y - 0.14 * size)),
                mixed(green, _WHITE, 0.3),
                0.016,
            )
        )
    return shapes


def _sea(rng: Random) -> list[Shape]:
    shapes: list[Shape] = []
    for x, y in _spots(rng, 4, 0.1, 0.62):
        wide = rng.uniform(0.12, 0.2)
        curve = tuple((x + wide * (i / 5 - 1), y - 0.035 * abs(sin(pi * i / 5))) for i in range(11))
        shapes.append(Path(curve, (120, 178, 214, rng.randint(60, 120)), 0.022))
    return shapes


_TEXTURES: dict[Terrain, Callable[[Random], list[Shape]]] = {
    "sea": _sea,
    "desert": _desert,
    "forest": _forest,
    "hills": _hills,
    "pasture": _pasture,
    "fields": _fields,
    "mountains": _mountains,
}


@lru_cache(maxsize=512)
def texture(terrain: Terrain, variant: int) -> tuple[Shape, ...]:
    """The shapes of a terrain on a tile of size 1. Variants differ a little; the same variant is always the same."""
    return tuple(_TEXTURES[terrain](Random(1000 + variant)))
