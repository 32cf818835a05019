"""The picture as values: layers of shapes, and targets that can be pointed at."""

from dataclasses import dataclass
from typing import NamedTuple, Protocol

from ..view import TargetId
from .shapes import Color, Points, Rect, Shape, extent


class TextMeasure(Protocol):
    """Measures texts."""

    def __call__(self, text: str, size: float, bold: bool = False) -> float:
        """The width of a text in pixels."""

    def __hash__(self) -> int:
        """Panels are cached with the measure as a part of their key."""


class DiscTarget(NamedTuple):
    """The area of a round target."""

    x: float
    y: float
    radius: float


@dataclass(frozen=True, slots=True)
class Target:
    """An area that can be pointed at or clicked: a rectangle, a circle or a convex polygon."""

    id: TargetId
    area: Rect | DiscTarget | Points
    is_button: bool = False
    """Whether a click does something."""
    clip: Rect | None = None
    """Only the part within this rectangle belongs to the target."""

    def contains(self, x: float, y: float) -> bool:
        """Whether a point lies in the area."""
        if self.clip is not None and not self.clip.contains(x, y):
            return False
        if isinstance(self.area, Rect):
            return self.area.contains(x, y)
        if isinstance(self.area, DiscTarget):
            return (x - self.area.x) ** 2 + (y - self.area.y) ** 2 <= self.area.radius**2
        return _inside(self.area, x, y)

    @property
    def box(self) -> Rect:
        """The upright rectangle around it."""
        if isinstance(self.area, Rect):
            box = self.area
        elif isinstance(self.area, DiscTarget):
            x, y, r = self.area
            box = Rect(x - r, y - r, 2 * r, 2 * r)
        else:
            box = extent(self.area)
        return box if self.clip is None else box.within(self.clip)


def _inside(points: Points, x: float, y: float) -> bool:
    sides = [
        (bx - ax) * (y - ay) - (by - ay) * (x - ax)
        for (ax, ay), (bx, by) in zip(points, (*points[1:], points[0]), strict=True)
    ]
    # Inside a convex polygon, the point lies on the same side of every edge, whichever way the corners run.
    return all(side >= 0 for side in sides) or all(side <= 0 for side in sides)


@dataclass(frozen=True, slots=True)
class Layer:
    """A part of the picture: shapes in ``area``, on a background, or over the layers below if ``fill`` is None."""

    name: str
    area: Rect
    fill: Color | None
    shapes: tuple[Shape, ...]


class Panel(NamedTuple):
    """A layer and the targets on it."""

    layer: Layer
    targets: tuple[Target, ...]


@dataclass(frozen=True, slots=True)
class Scene:
    """A whole picture, with layers and targets from the lowest to the uppermost."""

    size: tuple[int, int]
    background: Color
    layers: tuple[Layer, ...]
    targets: tuple[Target, ...]

    def target_at(self, x: float, y: float) -> Target | None:
        """The uppermost target at a point."""
        return next((target for target in reversed(self.targets) if target.contains(x, y)), None)

    def target_under(self, id: TargetId | None, pointer: tuple[float, float] | None) -> Target | None:
        """The target that stands for something; where several do, the one under the pointer."""
        found = [target for target in self.targets if target.id == id] if id else []
        if pointer is not None:
            found = [target for target in found if target.contains(*pointer)] or found
        return found[-1] if found else None
