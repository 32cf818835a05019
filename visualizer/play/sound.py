"""Short sounds for events at the table; silence without a sound card."""

from __future__ import annotations

import os
from array import array
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from math import pi, sin
from random import Random

import pygame

from catan_p2p.view import events as e

from ..data.recording import PlayedStep
from .motion import moves_pieces

_RATE = 22050


_Note = tuple[float, float, float]
"""A pitch in hertz or 0 for noise, a duration in seconds, and a volume."""
_SOUNDS: dict[str, tuple[_Note, ...]] = {
    "turn": ((660, 0.14, 0.15), (880, 0.14, 0.15)),
    "dice": ((0, 0.06, 0.12), (0, 0.05, 0.1), (0, 0.05, 0.08), (0, 0.09, 0.05)),
    "seven": ((220, 0.16, 0.18), (165, 0.25, 0.18)),
    "piece": ((140, 0.09, 0.25),),
    "card": ((0, 0.05, 0.1),),
    "trade": ((520, 0.08, 0.1), (780, 0.12, 0.1)),
    "end": ((523, 0.14, 0.15), (659, 0.14, 0.15), (784, 0.14, 0.15), (1047, 0.35, 0.15)),
}


def sound_of(step: PlayedStep) -> str:
    """The name of the sound of a step; empty if it has none."""
    match step.event:
        case e.DiceRolled(dice=dice):
            return "seven" if dice == 7 else "dice"
        case e.StartRolled():
            return "dice"
        case e.PlayerTrade() | e.TradeOffered():
            return "trade"
        case e.DevCardBought() | e.CardsDiscarded() | e.MonopolyPlayed() | e.YearOfPlentyPlayed():
            return "card"
    return "piece" if moves_pieces(step) else ""


class SoundPlayer:
    """Plays synthesized sounds; silent without a sound card."""

    def __init__(self) -> None:
        self._sounds: dict[str, pygame.mixer.Sound] = {}
        self._tried = False

    def prepare(self) -> None:
        """Open the sound card, which takes a moment."""
        if self._tried:
            return
        self._tried = True
        with suppress(pygame.error, NotImplementedError, ImportError), _silent_stderr():
            pygame.mixer.init(_RATE, -16, 1, 512)
            self._sounds = {name: pygame.mixer.Sound(buffer=_samples(notes)) for name, notes in _SOUNDS.items()}

    def play(self, name: str) -> None:
        """Play a sound by its name."""
        self.prepare()
        if name in self._sounds:
            self._sounds[name].play()


@contextmanager
def _silent_stderr() -> Iterator[None]:
    """Discard standard error meanwhile, where ALSA and others report a missing sound card.

    They write to the file descriptor, so replacing ``sys.stderr`` would not be enough.
    """
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


def _samples(notes: tuple[_Note, ...]) -> array[int]:
    samples, noise = array("h"), Random(1)
    for pitch, seconds, loud in notes:
        length = round(_RATE * seconds)
        for i in range(length):
            wave = sin(2 * pi * pitch * i / _RATE) if pitch else noise.uniform(-1, 1)
            samples.append(round(32000 * loud * (1 - i / length) ** 2 * wave))
    return samples
