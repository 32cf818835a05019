"""The window on the screen: the surface that pictures are drawn on, in real pixels, and how it is shown.

``PlainScreen`` is the ordinary window of pygame. On a Mac, that is drawn at half the resolution and enlarged. There
``DenseScreen`` is used, whose picture has as many pixels as the screen.
"""

import contextlib
import os
import sys
from collections.abc import Sequence
from typing import Protocol

import pygame

from ..pictures.layout import SMALLEST

_SCREENS = ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER")
"""Environment variables, one of which names a screen on Linux; without any, SDL would draw to nowhere."""
TITLE = "Catan"
_ROOMY = (1600, 1000)
"""The size of a new window where there is room for it."""
_SHARE = 0.8
"""On a much larger screen, a new window has at least this share of its height."""
_WIDEST = 1.78
"""The greatest width of such a window, in heights."""
_BARS = (40, 110)
"""Width and height left free for the bars of the desktop and the frame of the window."""


class NoDisplay(Exception):
    """There is no screen to open a window on; the message says why, if that is known, and what to do instead."""

    def __init__(self, why: str = "") -> None:
        super().__init__(
            f"no display to open a window on{why and f' ({why})'}; without one, catan-p2p watch GAME --snapshot "
            "FILE.png saves a picture, and catan-p2p turn and peer play"
        )


class Screen(Protocol):
    """A window."""

    def surface(self) -> pygame.Surface:
        """The surface to draw on: as large as the window is now, in pixels."""

    def present(self, changed: Sequence[pygame.Rect]) -> None:
        """Show what was drawn; only these parts have changed."""

    def points(self) -> tuple[int, int]:
        """The size of the window in the units of mouse positions."""

    def set_fullscreen(self, wanted: bool) -> None:
        """Fill the screen, or no longer."""

    def set_title(self, title: str) -> None:
        """Name the window."""

    def close(self) -> None:
        """Close the window."""


class PlainScreen:
    """The window of ``pygame.display``."""

    def __init__(self, size: tuple[int, int], fullscreen: bool) -> None:
        self._size = size
        pygame.display.set_caption(TITLE)
        pygame.display.set_mode((0, 0) if fullscreen else size, pygame.FULLSCREEN if fullscreen else pygame.RESIZABLE)

    def surface(self) -> pygame.Surface:
        """What to draw on."""
        return pygame.display.get_surface()

    def present(self, changed: Sequence[pygame.Rect]) -> None:
        """Show what was drawn."""
        pygame.display.update(list(changed))

    def points(self) -> tuple[int, int]:
        """The size of the window."""
        return self.surface().get_size()

    def set_fullscreen(self, wanted: bool) -> None:
        """Fill the screen, or no longer; where that is impossible, nothing happens."""
        if wanted:
            self._size = self.surface().get_size()
        with contextlib.suppress(pygame.error):
            flags = pygame.FULLSCREEN if wanted else pygame.RESIZABLE
            pygame.display.set_mode((0, 0) if wanted else self._size, flags)

    def set_title(self, title: str) -> None:
        """Name the window."""
        pygame.display.set_caption(title)

    def close(self) -> None:
        """Close the window."""
        pygame.display.quit()


class DenseScreen:
    """A window whose picture has the screen's own pixels, even if the system counts in larger points."""

    def __init__(self, size: tuple[int, int], fullscreen: bool) -> None:
        from pygame._sdl2.video import Renderer, Texture, Window

        self._window = Window(TITLE, size, resizable=True, allow_highdpi=True)
        self._renderer = Renderer(self._window)
        self._make_texture = Texture
        self._picture = pygame.Surface(self._pixels(), 0, 32)
        self._texture = Texture(self._renderer, self._picture.get_size(), streaming=True)
        self._fresh = True
        if fullscreen:
            self.set_fullscreen(True)

    def _pixels(self) -> tuple[int, int]:
        area = self._renderer.get_viewport()
        return max(1, area.w), max(1, area.h)

    def surface(self) -> pygame.Surface:
        """What to draw on."""
        size = self._pixels()
        if self._picture.get_size() != size:
            self._picture = pygame.Surface(size, 0, 32)
            self._texture = self._make_texture(self._renderer, size, streaming=True)
            self._fresh = True
        return self._picture

    def present(self, changed: Sequence[pygame.Rect]) -> None:
        """Show what was drawn."""
        # A new texture has no contents yet: all of it is uploaded once.
        for part in [self._picture.get_rect()] if self._fresh else changed:
            self._texture.update(self._picture.subsurface(part), part)
        self._fresh = False
        self._renderer.clear()
        self._renderer.blit(self._texture)
        self._renderer.present()

    def points(self) -> tuple[int, int]:
        """The size of the window."""
        w, h = self._window.size
        return max(1, w), max(1, h)

    def set_fullscreen(self, wanted: bool) -> None:
        """Fill the screen, or no longer."""
        if wanted:
            self._window.set_fullscreen(True)
        else:
            self._window.set_windowed()

    def set_title(self, title: str) -> None:
        """Name the window."""
        self._window.title = title

    def close(self) -> None:
        """Close the window."""
        self._window.destroy()
        pygame.display.quit()


def size_on(width: int, height: int) -> tuple[int, int]:
    """The size of a new window on a screen of this size in pixels: most of it, without the bars of the desktop."""
    high = max(_ROOMY[1], round(_SHARE * height))
    wide = max(_ROOMY[0], round(min(_SHARE * width, _WIDEST * high)))
    return max(SMALLEST[0], min(wide, width - _BARS[0])), max(SMALLEST[1], min(high, height - _BARS[1]))


def open_screen(
    size: tuple[int, int] | None, fullscreen: bool = False, dense: bool = sys.platform == "darwin"
) -> Screen:
    """A new window, by default on most of the screen; ``NoDisplay`` if there is none.

    ``dense`` asks for one in the screen's own pixels.
    """
    if sys.platform == "linux" and not any(os.environ.get(name) for name in _SCREENS):
        raise NoDisplay
    # Without this, a scaled Windows desktop enlarges the window and blurs it.
    os.environ.setdefault("SDL_WINDOWS_DPI_AWARENESS", "permonitorv2")
    try:
        pygame.display.init()
        if pygame.display.get_driver() in ("offscreen", "dummy") and "SDL_VIDEODRIVER" not in os.environ:
            raise NoDisplay
        if pygame.display.get_driver() == "x11":  # plain X11 sends only the changed parts; OpenGL would redraw all
            os.environ.setdefault("SDL_FRAMEBUFFER_ACCELERATION", "0")
        size = size or size_on(*pygame.display.get_desktop_sizes()[0])
        if dense:
            with contextlib.suppress(ImportError, AttributeError, TypeError, pygame.error):
                return DenseScreen(size, fullscreen)
        return PlainScreen(size, fullscreen)
    except pygame.error as error:
        raise NoDisplay(str(error)) from None
