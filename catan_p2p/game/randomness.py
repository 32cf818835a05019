"""Where a simulation's choices, chances and dates come from: the seed, and the position in the log or the game.

Every action of a game on Git draws from a generator seeded anew from the seed, the game, the height of the commit and
the player. So a game does not depend on when its peers were scheduled, and continues after a crash as it would have
without. In a game without a log every draw is a hash of the seed, the game, its purpose and its number.
"""

from collections import Counter
from collections.abc import Callable
from hashlib import blake2b, sha512
from random import Random, SystemRandom
from typing import Any

from catan_p2p.game.constants import Player
from catan_p2p.time_source import SYSTEM_TIME

FIRST_DATE_S = 1735689600
"""Date of a simulated game's root commit: 2025-01-01, midnight UTC; the clock ticks once a commit."""


_RANDOM_BITS = 32
_COUNTED = "catan-p2p counted 1"


def random_seed() -> int:
    """The seed of a game for which nobody gave one. It is short, because it is printed for playing the game again."""
    return SystemRandom().getrandbits(_RANDOM_BITS)


class SeededRandomness:
    """The generators of one game."""

    def __init__(self, seed: int, game: int) -> None:
        self._prefix = f"{seed}/{game}/"
        self._rng = Random()

    def __call__(self, height: int, player: Player) -> Random:
        """The generator for the player's action at a height; valid until the next call."""
        text = f"{self._prefix}{height}/{player}".encode()
        # As ``seed(text)`` does, without its tests of the type of what is given.
        super(Random, self._rng).seed(int.from_bytes(text + sha512(text).digest(), "big"))
        # seed() resets this, and a normal number kept from the last action must not be used.
        self._rng.gauss_next = None  # type: ignore[attr-defined]
        return self._rng

    def stream(self, purpose: str) -> Random:
        """A generator of its own for something that does not end up in the log."""
        return Random(self._prefix + purpose)


class BlockStream(Random):
    """A generator whose bits come in blocks; a subclass makes a block when those before it are used up."""

    def __init__(self) -> None:
        self._blocks = 0
        self._left = 0
        self._left_bits = 0
        super().__init__()

    def block(self, number: int) -> bytes:
        """The block of this number, from 0."""
        raise NotImplementedError

    def getrandbits(self, k: int, /) -> int:
        """``k`` bits, as a number."""
        if k < 0:
            raise ValueError("number of bits must be non-negative")
        while self._left_bits < k:
            block = self.block(self._blocks)
            self._left |= int.from_bytes(block, "big") << self._left_bits
            self._left_bits += 8 * len(block)
            self._blocks += 1
        taken = self._left & (1 << k) - 1
        self._left >>= k
        self._left_bits -= k
        return taken

    def random(self) -> float:
        """A number from 0 to 1, 1 excluded, distributed as ``random.Random`` does it."""
        # 53 bits, the precision of a float, as random.Random.random does.
        return self.getrandbits(53) * 2.0**-53

    def seed(self, *args: Any, **named: Any) -> None:
        """Does nothing: what the blocks are made from does not change."""

    def getstate(self, *args: Any, **named: Any) -> Any:
        """Not available: anyone who had the state would know every number to come."""
        raise NotImplementedError("a stream of blocks keeps its state to itself")

    setstate = getstate


class CountedStream(BlockStream):
    """The draws of one purpose: the blocks of a draw are BLAKE2b of the purpose and the draw's number, under a key."""

    def __init__(self, key: bytes, purpose: str) -> None:
        self._key = key
        self._purpose = purpose.encode()
        self._number = 0
        super().__init__()

    def of_draw(self, number: int) -> "CountedStream":
        """The same generator, at the beginning of a draw; nothing is computed before it is asked for."""
        self._number, self._blocks, self._left, self._left_bits = number, 0, 0, 0
        return self

    def block(self, number: int) -> bytes:
        """The block of this number of the draw."""
        return blake2b(b"%s\n%d\n%d\n" % (self._purpose, self._number, number), key=self._key).digest()


class CountedRandomness:
    """The generators of one game without a log. More draws for one purpose change those of no other."""

    def __init__(self, seed: int, game: int) -> None:
        self._key = blake2b(f"{_COUNTED}\n{seed}\n{game}\n".encode()).digest()
        self._streams: dict[str, CountedStream] = {}
        self._drawn: Counter[str] = Counter()

    def choice(self, number: int, player: Player) -> Random:
        """The generator for the choice of a player, the ``number``-th of the game; valid until the next call."""
        return self._stream(f"choice {player}").of_draw(number)

    def luck(self, purpose: str) -> Random:
        """The generator for the next draw for this purpose; valid until the next call for it."""
        self._drawn[purpose] += 1
        return self._stream(f"luck {purpose}").of_draw(self._drawn[purpose])

    def _stream(self, purpose: str) -> CountedStream:
        if purpose not in self._streams:
            self._streams[purpose] = CountedStream(self._key, purpose)
        return self._streams[purpose]


def logical_clock(height: int) -> int:
    """The date of a commit at a height."""
    return FIRST_DATE_S + height


def clock_named(name: str) -> Callable[[int], int]:
    """The clock that a seat's settings name: ``logical``, or ``wall`` for this machine's time."""
    return logical_clock if name == "logical" else lambda height: int(SYSTEM_TIME.date_s())
