"""Sounds: silent in every sense where there is no sound card."""

import os

import pygame
import pytest

from visualizer.play.sound import Sounds


def test_nothing_is_written_where_there_is_no_sound_card(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SDL_AUDIODRIVER", "alsa")
    monkeypatch.setenv("ALSA_CONFIG_PATH", "/nowhere")
    pygame.mixer.quit()
    bell = Sounds()
    bell.play("turn")
    bell.play("turn")
    pygame.mixer.quit()
    assert capfd.readouterr() == ("", "")


def test_what_is_written_afterwards_is_seen(capfd: pytest.CaptureFixture[str]) -> None:
    Sounds().prepare()
    pygame.mixer.quit()
    os.write(2, b"seen")
    assert capfd.readouterr().err == "seen"
