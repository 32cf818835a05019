"""Where a simulation's choices, chances and dates come from: the seed, and the position in the log.

Every action draws from a generator seeded anew from the seed, the game, the height of the commit and the player. So a
game does not depend on when its peers were scheduled, and continues after a crash as it would have without.
"""

from collections.abc import Callable
from random import Random, SystemRandom

from catan_p2p.game.constants import Player
from catan_p2p.time_source import SYSTEM_TIME

FIRST_DATE_S = 1735689600
"""Date of a simulated game's root commit: 2025-01-01, midnight UTC; the clock ticks once a commit."""


_RANDOM_BITS = 32


def random_seed() -> int:
    """The seed of a game for which nobody gave one: short, for it is told so that the game can be played again."""
    return SystemRandom().getrandbits(_RANDOM_BITS)


class SeededRandomness:
    """The generators of one game."""

    def __init__(self, seed: int, game: int) -> None:
        self._prefix = f"{seed}/{game}/"
        self._rng = Random()

    def __call__(self, height: int, player: Player) -> Random:
        """The generator for the player's action at a height; valid until the next call."""
        self._rng.seed(f"{self._prefix}{height}/{player}")
        return self._rng

    def stream(self, purpose: str) -> Random:
        """A generator of its own for something that does not end up in the log."""
        return Random(self._prefix + purpose)


def logical_clock(height: int) -> int:
    """The date of a commit at a height."""
    return FIRST_DATE_S + height


def clock_named(name: str) -> Callable[[int], int]:
    """The clock that a seat's settings name: ``logical``, or ``wall`` for this machine's time."""
    return logical_clock if name == "logical" else lambda height: int(SYSTEM_TIME.date_s())
