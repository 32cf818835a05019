"""Seeds that nobody gave by hand, and generators whose numbers tell nothing of the numbers to come.

A seed given by hand is for repeating a game: its generators are those of ``game.randomness``, and whoever knows the
seed knows every draw. A seed that nobody gave is a secret, which ``random.Random`` would not keep: 624 of its words
reveal all that follow, and a seed of 32 bits can be found by trial. A secret's generators are HMAC-SHA-256 in counter
mode, each with its own key, so that no public draw reveals anything about a hidden one or the next.
"""

import hmac
import secrets
from collections.abc import Callable
from random import Random

from catan_p2p.game.constants import Player
from catan_p2p.game.randomness import BlockStream, SeededRandomness

SECRET_BITS = 128
_LONGEST_BY_HAND = 64
_STREAM = "catan-p2p stream 1"


def secret_seed() -> int:
    """A seed of ``SECRET_BITS`` bits that nobody can guess."""
    # The bit on top makes the number long enough for is_secret, whatever the other bits are.
    return 1 << SECRET_BITS | secrets.randbits(SECRET_BITS)


def is_secret(seed: int) -> bool:
    """Whether a seed counts as one that nobody gave by hand: it has more than 64 bits."""
    return seed.bit_length() > _LONGEST_BY_HAND


class SecretStream(BlockStream):
    """A generator that nobody without its key can predict or recompute, whatever they have seen of it."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        super().__init__()

    def block(self, number: int) -> bytes:
        """The block of this number: HMAC-SHA-256 of it."""
        return hmac.digest(self._key, number.to_bytes(8, "big"), "sha256")


def stream_of(seed: int, purpose: str) -> Random:
    """The generator of a seed for a purpose; generators of two purposes of a secret are independent."""
    return SecretStream(_derived(seed, purpose)) if is_secret(seed) else Random(f"{seed}/{purpose}")


def seed_for(seed: int, purpose: str) -> int:
    """A seed to pass on: one derived from a secret reveals nothing of it; one given by hand is passed on unchanged."""
    return int.from_bytes(_derived(seed, purpose), "big") if is_secret(seed) else seed


def _derived(seed: int, purpose: str) -> bytes:
    return hmac.digest(str(seed).encode(), f"{_STREAM}\n{purpose}\n".encode(), "sha256")


class SecretRandomness:
    """The generators of one game from a secret, one for every action."""

    def __init__(self, seed: int, game: int) -> None:
        self._seed = seed
        self._game = game

    def __call__(self, height: int, player: Player) -> Random:
        """The generator for the player's action at a height."""
        return SecretStream(_derived(self._seed, f"{self._game}/{height}/{player}"))


def seat_randomness(seed: int, game: int) -> Callable[[int, Player], Random]:
    """Where the choices and chances of a seat's player come from."""
    return SecretRandomness(seed, game) if is_secret(seed) else SeededRandomness(seed, game)


def randomness_named(clock: str) -> Callable[[int, int], Callable[[int, Player], Random]]:
    """The randomness for the clock that a seat's settings name: a simulation's seat repeats what its seed says."""
    return SeededRandomness if clock == "logical" else seat_randomness
