"""People at these windows decline what they cannot pay as late as people do, but for tests that would be minutes."""

from pathlib import Path

import pytest

from tests.visualizer.play.front import People
from visualizer.play import declining


@pytest.fixture(autouse=True)
def declining_without_a_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only for windows in the process of a test."""
    monkeypatch.setattr(declining, "PAUSE_S", (0.0, 0.05))


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty home, and nobody yet who waits for other people."""
    monkeypatch.setenv("CATAN_P2P_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(People, "links", [])
