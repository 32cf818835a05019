"""Draws scenes with pygame. Shapes are drawn enlarged and scaled down, which smooths their edges.

Drawings are cached: sprites and simple shapes by their appearance, layers by their contents. A frame draws only the
layers that differ from the frame before.
"""

from collections import OrderedDict
from collections.abc import Hashable
from math import ceil, floor, hypot

import pygame

from ..pictures.scene import Layer, Scene
from ..pictures.shapes import Box, Circle, Color, Path, Points, Polygon, Rect, Shape, Sprite, Text, bounds, moved
from .fonts import FontSet

_KEPT_BYTES = 48 << 20
_SHORT = 24
"""Lines and polygons with at most this many points are cached; the curves of a game hardly repeat."""
_Picture = tuple[pygame.Surface, int, int]
"""A picture, and its upper left corner relative to the origin of the shape."""


class SceneRenderer:
    """Draws scenes on surfaces; caches at most ``_KEPT_BYTES`` of pictures."""

    def __init__(self, fonts: FontSet) -> None:
        self.fonts = fonts
        self._kept: OrderedDict[Hashable, _Picture] = OrderedDict()
        self._kept_bytes = 0
        self._layers: dict[str, tuple[Layer, pygame.Surface | None]] = {}
        self._target: pygame.Surface | None = None

    def draw(self, scene: Scene, target: pygame.Surface) -> list[pygame.Rect]:
        """Bring the target up to date and return the parts that changed."""
        dirty = self._changes(scene, target)
        for part in dirty:
            target.set_clip(part)
            # The background need not be filled where an opaque layer covers it.
            if not any(layer.fill and _pixels(layer.area).contains(part) for layer in scene.layers):
                target.fill(scene.background[:3], part)
            for layer in scene.layers:
                area = _pixels(layer.area)
                if not area.colliderect(part):
                    continue
                picture = self._layers[layer.name][1]
                if picture is not None:
                    target.blit(picture, area)
                else:
                    target.set_clip(area.clip(part))
                    for shape in layer.shapes:
                        self.draw_shape(target, shape)
                    target.set_clip(part)
        target.set_clip(None)
        return dirty

    def _changes(self, scene: Scene, target: pygame.Surface) -> list[pygame.Rect]:
        whole = target.get_rect()
        if target is not self._target:
            self._target = target
            self._layers = {}
        first = not self._layers
        dirty = [whole] if first else []
        kept: dict[str, tuple[Layer, pygame.Surface | None]] = {}
        for layer in scene.layers:
            old = self._layers.pop(layer.name, None)
            if old is not None and old[0] == layer:
                kept[layer.name] = old
                continue
            part = self._difference(old[0] if old else None, layer)
            kept[layer.name] = (layer, self._layer_picture(layer, part, old[1] if old else None))
            if not first:
                dirty.append(part.clip(whole))
                if old is not None and old[0].area != layer.area:
                    dirty.append(_pixels(old[0].area).clip(whole))
        # Layers that are left in ``_layers`` are gone from the scene: what was below them shows again.
        dirty += [_pixels(layer.area).clip(whole) for layer, _ in self._layers.values()]
        self._layers = kept
        return _joined([part for part in dirty if part.w and part.h])

    def _difference(self, old: Layer | None, layer: Layer) -> pygame.Rect:
        """The part of a layer that has to be drawn again."""
        area = _pixels(layer.area)
        if old is None or old.area != layer.area or old.fill != layer.fill:
            return area
        changed = set(old.shapes) ^ set(layer.shapes)
        if not changed:  # the same shapes in another order: any of them may lie over others now
            return area
        parts = [self._reach(shape) for shape in changed]
        return parts[0].unionall(parts[1:]).clip(area)

    def _layer_picture(self, layer: Layer, part: pygame.Rect, old: pygame.Surface | None) -> pygame.Surface | None:
        if layer.fill is None:
            return None
        area = _pixels(layer.area)
        if old is None or old.get_size() != area.size:
            old, part = pygame.Surface(area.size, 0, 32), area
        place = part.move(-area.x, -area.y)
        old.set_clip(place)
        old.fill(layer.fill[:3])
        for shape in layer.shapes:
            if part is area or self._reach(shape).colliderect(part):
                self.draw_shape(old, shape, -area.x, -area.y)
        old.set_clip(None)
        return old

    # Shapes

    def draw_shape(self, target: pygame.Surface, shape: Shape, dx: float = 0.0, dy: float = 0.0) -> None:
        """Draw one shape, moved by a distance."""
        match shape:
            case Text(x, y, text, size, color, bold, align):
                if text:
                    picture, middle = self.fonts.picture(text, size, color, bold)
                    target.blit(picture, (round(x + dx - picture.get_width() * align), round(y + dy - middle)))
            case Sprite(name, x, y):
                self._blit(target, name, shape, round(x + dx), round(y + dy))
            case Box():
                self._box(target, shape, dx, dy)
            case Circle(x, y, radius, fill, stroke, width):
                # On quarters of a pixel, so that the same disc in many places has few pictures.
                left, top = floor(x + dx), floor(y + dy)
                fx, fy = round((x + dx - left) * 4) / 4, round((y + dy - top) * 4) / 4
                disc = Circle(fx, fy, radius, fill, stroke, width)
                self._blit(target, disc, disc, left, top)
            case Polygon() | Path():
                self._outlined(target, shape, dx, dy)

    def _box(self, target: pygame.Surface, box: Box, dx: float, dy: float) -> None:
        left, top = round(box.x + dx), round(box.y + dy)
        wide, high = round(box.x + dx + box.w) - left, round(box.y + dy + box.h) - top
        if wide <= 0 or high <= 0:
            return
        area = pygame.Rect(left, top, wide, high)
        solid = all(color is None or len(color) == 3 for color in (box.fill, box.stroke))
        radius = ceil(max(box.radius, box.width)) if box.radius >= 1 else 0
        if solid and min(wide, high) > 2 * radius:
            self._solid_box(target, box, area, radius)
        elif radius == 0 and box.stroke is None and box.fill and not target.get_flags() & pygame.SRCALPHA:
            # A shade as large as the window would take megabytes as a picture.
            _tint(target, box.fill, area)
        else:
            plain = Box(0, 0, wide, high, box.fill, box.radius, box.stroke, box.width)
            self._blit(target, plain, plain, left, top)

    def _solid_box(self, target: pygame.Surface, box: Box, area: pygame.Rect, radius: int) -> None:
        """Draw the four corners from one small cached picture and fill the rest, so that large boxes need no memory."""
        x, y, w, h = area
        r, edge = radius, max(1, round(box.width))
        if box.fill:
            target.fill(box.fill, (x + r, y, w - 2 * r, h))
            target.fill(box.fill, (x, y + r, r, h - 2 * r))
            target.fill(box.fill, (x + w - r, y + r, r, h - 2 * r))
        if box.stroke:
            for part in ((x + r, y, w - 2 * r, edge), (x + r, y + h - edge, w - 2 * r, edge)):
                target.fill(box.stroke, part)
            for part in ((x, y + r, edge, h - 2 * r), (x + w - edge, y + r, edge, h - 2 * r)):
                target.fill(box.stroke, part)
        if r:
            small = Box(0, 0, 2 * r, 2 * r, box.fill, box.radius, box.stroke, edge)
            picture, px, py = self._keep(small, small)
            for dx, dy in ((0, 0), (1, 0), (0, 1), (1, 1)):
                source = (dx * r - px, dy * r - py, r, r)
                target.blit(picture, (x + dx * (w - r), y + dy * (h - r)), source)

    def _outlined(self, target: pygame.Surface, shape: Polygon | Path, dx: float, dy: float) -> None:
        left, top = floor(shape.points[0][0] + dx), floor(shape.points[0][1] + dy)
        placed = _on_grid(shape, dx - left, dy - top)
        picture, px, py = self._keep(placed, placed) if len(shape.points) <= _SHORT else _raster(placed)
        target.blit(picture, (left + px, top + py))

    def _blit(self, target: pygame.Surface, key: Hashable, shape: Shape, x: int, y: int) -> None:
        picture, px, py = self._keep(key, shape)
        target.blit(picture, (x + px, y + py))

    def _keep(self, key: Hashable, shape: Shape) -> _Picture:
        """The picture of a shape, cached for the next time."""
        found = self._kept.get(key)
        if found is None:
            found = self._sprite(shape) if isinstance(shape, Sprite) else _raster(shape)
            self._kept[key] = found
            self._kept_bytes += _bytes(found)
            while self._kept_bytes > _KEPT_BYTES and len(self._kept) > 1:
                self._kept_bytes -= _bytes(self._kept.popitem(last=False)[1])
        else:
            self._kept.move_to_end(key)
        return found

    def _sprite(self, sprite: Sprite) -> _Picture:
        box = pygame.Rect(0, 0, 0, 0)
        for i, shape in enumerate(sprite.shapes):
            part = self._reach(shape)
            box = part if i == 0 else box.union(part)
        picture = pygame.Surface((max(1, box.w), max(1, box.h)), pygame.SRCALPHA, 32)
        for shape in sprite.shapes:
            self.draw_shape(picture, shape, -box.x, -box.y)
        return picture, box.x, box.y

    def _reach(self, shape: Shape) -> pygame.Rect:
        """The pixels that a shape may touch."""
        match shape:
            case Text(x, y, text, size, color, bold, align):
                picture, middle = self.fonts.picture(text or " ", size, color, bold)
                w, h = picture.get_size()
                return _pixels(Rect(x - w * align, y - middle, w, h).inset(-1.5))
            case Sprite(name, x, y):
                picture, px, py = self._keep(name, shape)
                return picture.get_rect(topleft=(round(x) + px, round(y) + py))
            case _:
                return _pixels(bounds(shape).inset(-1.5))


def _bytes(picture: _Picture) -> int:
    w, h = picture[0].get_size()
    return 4 * w * h + 200


def _pixels(area: Rect) -> pygame.Rect:
    left, top = floor(area.x), floor(area.y)
    return pygame.Rect(left, top, ceil(area.right) - left, ceil(area.bottom) - top)


def _joined(parts: list[pygame.Rect]) -> list[pygame.Rect]:
    """The same area as rectangles that do not overlap."""
    apart: list[pygame.Rect] = []
    for part in parts:
        while (hit := part.collidelist(apart)) >= 0:
            part = part.union(apart.pop(hit))
        apart.append(part)
    return apart


def _on_grid(shape: Polygon | Path, dx: float, dy: float) -> Polygon | Path:
    """The shape moved, with its points on eighths of a pixel, so that almost equal shapes share a cached picture."""
    points = tuple((round((x + dx) * 8) / 8, round((y + dy) * 8) / 8) for x, y in shape.points)
    if isinstance(shape, Polygon):
        return Polygon(points, shape.fill, shape.stroke, shape.width)
    return Path(points, shape.color, shape.width, shape.closed)


def _tint(target: pygame.Surface, color: Color, area: pygame.Rect) -> None:
    """Lay a transparent colour over a part of an opaque surface, in place."""
    alpha = color[3] if len(color) == 4 else 255
    rest = 255 - alpha
    # pygame draws a blending fill even where it is wholly outside the surface's clip.
    area = area.clip(target.get_clip())
    target.fill((rest, rest, rest), area, pygame.BLEND_RGB_MULT)
    target.fill(tuple(c * alpha // 255 for c in color[:3]), area, pygame.BLEND_RGB_ADD)


# From shapes to pixels


def _raster(shape: Shape) -> _Picture:
    """One shape of one or two colours as a picture with smooth edges."""
    box = _pixels(bounds(shape).inset(-0.5))
    box.w, box.h = max(1, box.w), max(1, box.h)
    largest = max(box.w, box.h)
    # Small shapes need the smoothest edges; large ones would need the most memory.
    factor = 4 if largest <= 160 else 3 if largest <= 700 else 2
    size = (box.w * factor, box.h * factor)
    edge = _edge_color(shape)
    large = pygame.Surface(size, pygame.SRCALPHA, 32)
    large.fill((*edge[:3], 0))
    _paint(large, moved(shape, -box.x, -box.y), factor)
    return pygame.transform.smoothscale(large, box.size), box.x, box.y


def _edge_color(shape: Shape) -> Color:
    """The colour that the transparent pixels around a shape have, so that its edges do not darken."""
    match shape:
        case Path(_, color):
            return color
        case Polygon(_, fill, stroke) | Circle(_, _, _, fill, stroke):
            return stroke or fill or (0, 0, 0)
        case Box():
            return shape.stroke or shape.fill or (0, 0, 0)
        case _:
            raise TypeError(f"{type(shape).__name__} is not drawn as one colour")


def _paint(large: pygame.Surface, shape: Shape, factor: int) -> None:
    f = factor
    match shape:
        case Polygon(points, fill, stroke, width):
            if fill:
                pygame.draw.polygon(large, fill, [(x * f, y * f) for x, y in points])
            if stroke and width:
                _stroke(large, points, stroke, width, f, closed=True)
        case Path(points, color, width, closed):
            _stroke(large, points, color, width, f, closed)
        case Circle(x, y, radius, fill, stroke, width):
            middle = (x * f, y * f)
            reach = width / 2 if stroke else 0.0
            if stroke and width:
                thick = 0 if fill else max(1, round(width * f))
                pygame.draw.circle(large, stroke, middle, (radius + reach) * f, thick)
            if fill and radius > reach:
                pygame.draw.circle(large, fill, middle, (radius - reach) * f)
        case Box(x, y, w, h, fill, radius, stroke, width):
            area = pygame.Rect(round(x * f), round(y * f), round(w * f), round(h * f))
            r = max(0, round(min(radius, w / 2, h / 2) * f))
            if fill:
                pygame.draw.rect(large, fill, area, border_radius=r)
            if stroke and width:
                pygame.draw.rect(large, stroke, area, max(1, round(width * f)), border_radius=r)


def _stroke(large: pygame.Surface, points: Points, color: Color, width: float, f: int, closed: bool) -> None:
    half = max(width * f / 2, 0.5)
    corners = [(x * f, y * f) for x, y in points]
    ends = [*corners[1:], corners[0]] if closed else corners[1:]
    for (x0, y0), (x1, y1) in zip(corners, ends, strict=False):
        far = hypot(x1 - x0, y1 - y0)
        if far:
            ox, oy = -(y1 - y0) / far * half, (x1 - x0) / far * half
            pygame.draw.polygon(
                large, color, [(x0 + ox, y0 + oy), (x1 + ox, y1 + oy), (x1 - ox, y1 - oy), (x0 - ox, y0 - oy)]
            )
    if half >= 1:
        for corner in corners:
            pygame.draw.circle(large, color, corner, half)
