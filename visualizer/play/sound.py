"""A short sound when it is one's turn; without a sound card nothing."""

from __future__ import annotations

import os
from array import array
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from math import pi, sin

import pygame

_RATE = 22050


class Bell:
    """Two soft notes."""

    def __init__(self) -> None:
        self._sound: pygame.mixer.Sound | None = None
        self._tried = False

    def prepare(self) -> None:
        """Open the sound card, which takes a moment."""
        if self._tried:
            return
        self._tried = True
        with suppress(pygame.error, NotImplementedError, ImportError), _silent_stderr():
            pygame.mixer.init(_RATE, -16, 1, 512)
            self._sound = pygame.mixer.Sound(buffer=_notes())

    def ring(self) -> None:
        """Play them."""
        self.prepare()
        if self._sound is not None:
            self._sound.play()


@contextmanager
def _silent_stderr() -> Iterator[None]:
    """Nothing is written to standard error meanwhile: system libraries complain there of a missing sound card."""
    try:
        kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    except OSError:
        yield
        return
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


def _notes() -> array[int]:
    samples = array("h")
    for pitch in (660.0, 880.0):
        length = _RATE // 7
        samples.extend(round(5000 * (1 - i / length) ** 2 * sin(2 * pi * pitch * i / _RATE)) for i in range(length))
    return samples
