"""What scenes are drawn on: a screen, with conversion between its coordinates and those of the scene."""

from pathlib import Path

import pygame

from ..drawing.fonts import FontSet
from ..drawing.renderer import SceneRenderer
from ..pictures.layout import GROWTH, SMALLEST
from ..pictures.scene import Scene, Target
from ..pictures.shapes import Rect
from .screen import Screen


class Canvas:
    """A screen, and the scene that was drawn on it last."""

    def __init__(self, screen: Screen, scale: float = 1.0) -> None:
        self.screen = screen
        self.scale = scale
        """The factor by which the user scales texts."""
        self.renderer = SceneRenderer(FontSet())
        self.scene: Scene | None = None
        self._large: pygame.Surface | None = None
        """The picture at its own size, if the window is smaller than the smallest layout."""

    @property
    def size(self) -> tuple[int, int]:
        """The size of the scene: that of the window, or the smallest layout with the window's proportions."""
        w, h = self.screen.surface().get_size()
        factor = max(1.0, SMALLEST[0] / max(w, 1), SMALLEST[1] / max(h, 1))
        return round(w * factor), round(h * factor)

    @property
    def text_scale(self) -> float:
        """The factor of texts in the layout: the user's, corrected for screens with several pixels to a point."""
        # The layout enlarges texts by ``GROWTH`` of a larger window; denser pixels must enlarge them in full.
        dense = max(1.0, self.screen.surface().get_width() / max(1, self.screen.points()[0]))
        return self.scale * float(dense ** (1 - GROWTH))

    def draw(self, scene: Scene) -> bool:
        """Show a scene of this size; only what has changed is drawn. Returns whether anything has."""
        self.scene = scene
        size, surface = scene.size, self.screen.surface()
        if size == surface.get_size():
            self._large = None
            changed = self.renderer.draw(scene, surface)
        else:
            if self._large is None or self._large.get_size() != size:
                self._large = pygame.Surface(size, 0, 32)
            changed = self.renderer.draw(scene, self._large)
            if changed:
                pygame.transform.smoothscale(self._large, surface.get_size(), surface)
                changed = [surface.get_rect()]
        if changed:
            self.screen.present(changed)
        return bool(changed)

    def point(self, position: tuple[int, int]) -> tuple[float, float]:
        """A position in the window as a position in the scene."""
        w, h = self.screen.points()
        lw, lh = self.size
        return position[0] * lw / w, position[1] * lh / h

    def target_at(self, position: tuple[int, int]) -> Target | None:
        """The uppermost target at a position in the window."""
        return None if self.scene is None else self.scene.target_at(*self.point(position))

    def in_window(self, box: Rect) -> tuple[int, int, int, int]:
        """A rectangle of the scene as left, top, width and height in the window."""
        w, h = self.screen.points()
        lw, lh = self.size
        return round(box.x * w / lw), round(box.y * h / lh), round(box.w * w / lw), round(box.h * h / lh)

    def save(self) -> str:
        """Save the picture under a free name; returns a message to the user."""
        from ..drawing.export import free_name, save_picture

        path = free_name(Path.cwd(), "catan", ".png")
        try:
            save_picture(self._large or self.screen.surface(), path)
        except OSError as error:
            return f"{path}: cannot be written: {error.strerror or error}"
        return f"saved {path}"
