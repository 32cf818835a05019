"""Games to look at, and no display unless a test opens one of its own."""

import os

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import pytest

from catan_p2p.game.constants import Constants
from tests.visualizer.games import FOUR_DISCARDS, boards, recorded
from visualizer.data.recording import GameRecording
from visualizer.drawing.fonts import FontSet


@pytest.fixture(scope="session")
def fonts() -> FontSet:
    """The font that comes with pygame, the same everywhere."""
    return FontSet(system=False)


@pytest.fixture(scope="session")
def game() -> GameRecording:
    """A game of four random players with a seven after which all four discard."""
    return recorded(Constants(player_count=4), FOUR_DISCARDS, title="Catan_0")


@pytest.fixture(scope="session")
def sixes() -> GameRecording:
    """A game of six random players on a large island."""
    return recorded(Constants(board=boards()["six players"], player_count=6), 3)


@pytest.fixture(scope="session")
def pair() -> GameRecording:
    """A game of two random players on two islands."""
    return recorded(Constants(board=boards()["two islands"], player_count=2), 3)
