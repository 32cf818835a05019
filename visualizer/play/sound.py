"""A short sound when it is one's turn; without a sound card nothing."""

from __future__ import annotations

from array import array
from contextlib import suppress
from math import pi, sin

import pygame

_RATE = 22050


class Bell:
    """Two soft notes."""

    def __init__(self) -> None:
        self._sound: pygame.mixer.Sound | None = None
        self._tried = False

    def ring(self) -> None:
        """Play them."""
        if not self._tried:
            self._tried = True
            with suppress(pygame.error, NotImplementedError, ImportError):
                pygame.mixer.init(_RATE, -16, 1, 512)
                self._sound = pygame.mixer.Sound(buffer=_notes())
        if self._sound is not None:
            self._sound.play()


def _notes() -> array[int]:
    samples = array("h")
    for pitch in (660.0, 880.0):
        length = _RATE // 7
        samples.extend(round(5000 * (1 - i / length) ** 2 * sin(2 * pi * pitch * i / _RATE)) for i in range(length))
    return samples
