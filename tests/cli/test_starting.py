"""What a seat does once the game has begun, where nothing was asked for."""

import pytest

from catan_p2p.cli import starting


def test_a_display_that_is_named_but_does_not_answer_is_none(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.delenv("SDL_VIDEODRIVER", raising=False)
    monkeypatch.setattr(starting.sys, "platform", "linux")
    monkeypatch.setenv("DISPLAY", ":4711")
    assert not starting._has_screen()
    assert capsys.readouterr().err == "no window can be opened on DISPLAY=:4711\n"
