"""The shapes of a picture: plain values in its pixels, y downwards.

A ``Sprite`` is a small group of shapes with a name. Equal names mean equal shapes, so that a renderer can cache it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from math import cos, pi, sin
from typing import NamedTuple, TypeAlias

Color: TypeAlias = tuple[int, int, int] | tuple[int, int, int, int]
Point: TypeAlias = tuple[float, float]
Points: TypeAlias = tuple[Point, ...]


class Rect(NamedTuple):
    """An upright rectangle."""

    x: float
    y: float
    w: float
    h: float

    @property
    def right(self) -> float:
        """The x of its right side."""
        return self.x + self.w

    @property
    def bottom(self) -> float:
        """The y of its lower side."""
        return self.y + self.h

    @property
    def center(self) -> Point:
        """Its middle."""
        return self.x + self.w / 2, self.y + self.h / 2

    def contains(self, x: float, y: float) -> bool:
        """Whether a point lies inside; the right and lower sides do not count."""
        return self.x <= x < self.right and self.y <= y < self.bottom

    def inset(self, by: float) -> Rect:
        """The rectangle made smaller on every side."""
        return Rect(self.x + by, self.y + by, max(0.0, self.w - 2 * by), max(0.0, self.h - 2 * by))

    def within(self, other: Rect) -> Rect:
        """The part of the rectangle that lies in the other one; without width or height if there is none."""
        x, y = max(self.x, other.x), max(self.y, other.y)
        return Rect(x, y, max(0.0, min(self.right, other.right) - x), max(0.0, min(self.bottom, other.bottom) - y))

    def holds(self, other: Rect, slack: float = 0.0) -> bool:
        """Whether the other rectangle lies within this one."""
        return (
            other.x >= self.x - slack
            and other.y >= self.y - slack
            and other.right <= self.right + slack
            and other.bottom <= self.bottom + slack
        )

    def overlaps(self, other: Rect, slack: float = 0.0) -> bool:
        """Whether the two have more than a border of ``slack`` in common."""
        return (
            self.x < other.right - slack
            and other.x < self.right - slack
            and self.y < other.bottom - slack
            and other.y < self.bottom - slack
        )

    @property
    def corners(self) -> Points:
        """Its four corners, clockwise."""
        return (self.x, self.y), (self.right, self.y), (self.right, self.bottom), (self.x, self.bottom)


@dataclass(frozen=True, slots=True)
class Polygon:
    """A filled polygon, its border drawn ``width`` thick with round corners if there is a stroke."""

    points: Points
    fill: Color | None
    stroke: Color | None = None
    width: float = 0.0


@dataclass(frozen=True, slots=True)
class Circle:
    """A filled circle, a ring, or both."""

    x: float
    y: float
    radius: float
    fill: Color | None
    stroke: Color | None = None
    width: float = 0.0


@dataclass(frozen=True, slots=True)
class Path:
    """A line through points with round joins and ends."""

    points: Points
    color: Color
    width: float
    closed: bool = False


@dataclass(frozen=True, slots=True)
class Box:
    """An upright rectangle with rounded corners; its stroke lies inside."""

    x: float
    y: float
    w: float
    h: float
    fill: Color | None
    radius: float = 0.0
    stroke: Color | None = None
    width: float = 0.0


@dataclass(frozen=True, slots=True)
class Text:
    """One line of text; ``x`` is its left side, middle or right side by ``align`` 0, 0.5 or 1.

    ``y`` is the middle of its capital letters, so that a number sits in the middle of a disc.
    """

    x: float
    y: float
    text: str
    size: float
    color: Color
    bold: bool = False
    align: float = 0.0


@dataclass(frozen=True, slots=True)
class Sprite:
    """A group of shapes around the origin, drawn at ``x``, ``y``; ``hull`` is its convex outline."""

    name: tuple[Hashable, ...]
    x: float
    y: float
    shapes: tuple[Shape, ...] = field(compare=False, repr=False)
    hull: Points = field(compare=False, repr=False)

    @property
    def outline(self) -> Points:
        """The hull, moved to where the sprite is drawn."""
        return tuple((self.x + x, self.y + y) for x, y in self.hull)


Shape: TypeAlias = Polygon | Circle | Path | Box | Text | Sprite


def extent(points: Iterable[Point]) -> Rect:
    """The smallest upright rectangle around points."""
    xs, ys = zip(*points, strict=True)
    return Rect(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))


def bounds(shape: Shape) -> Rect:
    """The upright rectangle that a shape covers; of a text only its anchor, since only a font knows its width."""
    match shape:
        case Polygon(points, _, stroke, width):
            box = extent(points)
            return box.inset(-width / 2) if stroke else box
        case Circle(x, y, radius, _, stroke, width):
            reach = radius + (width / 2 if stroke else 0)
            return Rect(x - reach, y - reach, 2 * reach, 2 * reach)
        case Path(points, _, width):
            return extent(points).inset(-width / 2)
        case Box(x, y, w, h):
            return Rect(x, y, w, h)
        case Text(x, y):
            return Rect(x, y, 0, 0)
        case Sprite():
            return extent(shape.outline)


def moved(shape: Shape, dx: float, dy: float) -> Shape:
    """The same shape elsewhere."""
    match shape:
        case Polygon(points, fill, stroke, width):
            return Polygon(tuple((x + dx, y + dy) for x, y in points), fill, stroke, width)
        case Circle(x, y, radius, fill, stroke, width):
            return Circle(x + dx, y + dy, radius, fill, stroke, width)
        case Path(points, color, width, closed):
            return Path(tuple((x + dx, y + dy) for x, y in points), color, width, closed)
        case Box(x, y, w, h, fill, radius, stroke, width):
            return Box(x + dx, y + dy, w, h, fill, radius, stroke, width)
        case Text(x, y, text, size, color, bold, align):
            return Text(x + dx, y + dy, text, size, color, bold, align)
        case Sprite(name, x, y, shapes, hull):
            return Sprite(name, x + dx, y + dy, shapes, hull)


def scaled(shape: Shape, factor: float) -> Shape:
    """The same shape, ``factor`` times as large, from the origin."""
    f = factor
    match shape:
        case Polygon(points, fill, stroke, width):
            return Polygon(tuple((x * f, y * f) for x, y in points), fill, stroke, width * f)
        case Circle(x, y, radius, fill, stroke, width):
            return Circle(x * f, y * f, radius * f, fill, stroke, width * f)
        case Path(points, color, width, closed):
            return Path(tuple((x * f, y * f) for x, y in points), color, width * f, closed)
        case Box(x, y, w, h, fill, radius, stroke, width):
            return Box(x * f, y * f, w * f, h * f, fill, radius * f, stroke, width * f)
        case Text(x, y, text, size, color, bold, align):
            return Text(x * f, y * f, text, size * f, color, bold, align)
        case Sprite(name, x, y, shapes, hull):
            # Sprites are cached by their names, so a scaled one needs another name.
            return Sprite(
                (*name, "times", f),
                x * f,
                y * f,
                tuple(scaled(part, f) for part in shapes),
                tuple((hx * f, hy * f) for hx, hy in hull),
            )


def ring(sides: int, radius: float, turn: float = 0.0) -> Points:
    """The corners of a regular polygon around the origin; ``turn`` in degrees, 0 points right, 90 down."""
    return tuple(
        (radius * cos(2 * pi * i / sides + turn * pi / 180), radius * sin(2 * pi * i / sides + turn * pi / 180))
        for i in range(sides)
    )


def ellipse(x: float, y: float, rx: float, ry: float, sides: int = 20) -> Points:
    """The corners of a polygon that looks like an ellipse."""
    return tuple((x + rx * px, y + ry * py) for px, py in ring(sides, 1.0))


def at(points: Points, dx: float, dy: float) -> Points:
    """The points moved."""
    return tuple((x + dx, y + dy) for x, y in points)
