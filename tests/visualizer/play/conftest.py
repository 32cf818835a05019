"""People at these windows decline what they cannot pay as late as people do, but for tests that would be minutes."""

import pytest

from visualizer.play import declining


@pytest.fixture(autouse=True)
def declining_without_a_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only for windows in the process of a test."""
    monkeypatch.setattr(declining, "PAUSE_S", (0.0, 0.05))
