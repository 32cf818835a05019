"""Sounds: measured in a file as they are heard, off where they are off, silent where there is no sound card."""

import cmath
import os
import time
from array import array
from collections.abc import Iterator
from math import sqrt
from pathlib import Path

import pygame
import pytest

from catan_p2p.game.constants import BRIEF
from tests.positions import position
from tests.visualizer.play.memory import memory_session
from tests.visualizer.play.person import settings
from visualizer.play.sound import _SOUNDS, SoundPlayer


def test_nothing_is_written_where_there_is_no_sound_card(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SDL_AUDIODRIVER", "alsa")
    monkeypatch.setenv("ALSA_CONFIG_PATH", "/nowhere")
    pygame.mixer.quit()
    bell = SoundPlayer()
    bell.play("turn")
    bell.play("turn")
    pygame.mixer.quit()
    assert capfd.readouterr() == ("", "")


def test_what_is_written_afterwards_is_seen(capfd: pytest.CaptureFixture[str]) -> None:
    SoundPlayer().prepare()
    pygame.mixer.quit()
    os.write(2, b"seen")
    assert capfd.readouterr().err == "seen"


RATE = 22050


@pytest.fixture
def card(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A sound card that writes what is heard into a file, faster than it would be heard."""
    file = tmp_path / "heard.raw"
    monkeypatch.setenv("SDL_AUDIODRIVER", "disk")
    monkeypatch.setenv("SDL_DISKAUDIOFILE", str(file))
    monkeypatch.setenv("SDL_DISKAUDIODELAY", "1")
    pygame.mixer.quit()
    yield file
    pygame.mixer.quit()


def heard(file: Path) -> list[int]:
    """What was heard so far, without the silence before and after it."""
    samples = array("h", file.read_bytes())
    loud = [i for i, sample in enumerate(samples) if sample]
    return list(samples[loud[0] : loud[-1] + 1]) if loud else []


def strength(samples: list[int], pitch: float) -> float:
    """How much of a sound has a pitch, from 0 to 1."""
    wave = sum(sample * cmath.exp(-2j * cmath.pi * pitch * i / RATE) for i, sample in enumerate(samples))
    return abs(wave) / (len(samples) * max(map(abs, samples)))


@pytest.mark.parametrize("name", _SOUNDS)
def test_every_sound_is_heard_as_it_was_written_and_none_is_loud(name: str, card: Path) -> None:
    sounds, seconds = SoundPlayer(), sum(note[1] for note in _SOUNDS[name])
    sounds.play(name)
    while pygame.mixer.get_busy():
        time.sleep(0.005)
    pygame.mixer.quit()
    found = heard(card)
    assert 0.8 * seconds < len(found) / RATE <= seconds
    assert 0.05 < max(map(abs, found)) / 32768 < 0.3
    assert sqrt(sum(sample**2 for sample in found) / len(found)) / 32768 > 0.02
    at = 0
    for pitch, lasts, _ in _SOUNDS[name]:
        note = found[at : at + round(RATE * lasts)]
        at += round(RATE * lasts)
        if pitch > 200:
            assert strength(note, pitch) > 3 * max(strength(note, pitch * 0.7), strength(note, pitch * 1.4))


def test_sound_that_is_off_is_off(tmp_path: Path, card: Path) -> None:
    state = position(4, phase="DiceRoll", rules=BRIEF)
    with memory_session(tmp_path, state, options=settings(sound=False))[0] as session:
        session.use("roll")
        session.frame()
        assert pygame.mixer.get_init() is None
    assert not card.exists()


def test_sound_that_is_turned_off_is_off_at_once(tmp_path: Path, card: Path) -> None:
    state = position(4, phase="DiceRoll", rules=BRIEF)
    with memory_session(tmp_path, state, options=settings(sound=True))[0] as session:
        while pygame.mixer.get_busy():  # it calls
            time.sleep(0.005)
        before = heard(card)
        assert before
        session.window.session.settings.change("sound")
        session.use("roll")
        session.frame()
        assert not pygame.mixer.get_busy()
