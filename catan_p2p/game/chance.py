"""Shares of a draw: hash chains that players pledge, and the numbers that all shares together make.

Everything hashed is ASCII text in lines ended by LF; docs/reference/log-format.md says exactly what,
docs/how-it-works/chance.md why. ``game`` is the id of the game's root commit, so a share of one game is never a share
of another.
"""

from __future__ import annotations

import hmac
import re
from functools import lru_cache
from hashlib import sha256
from typing import NamedTuple, TypeAlias

Share: TypeAlias = str
"""A share of a draw, or the pledge before all shares: 64 lower-case hexadecimal digits."""

Nonce: TypeAlias = str
"""The value that makes a player's chain differ from one joining to the next: 32 lower-case hexadecimal digits."""

NONCE_BYTES = 16
CHAIN_LENGTH = 4096
"""How many draws a chain serves; the longest of a hundred games of random players has 1406 draws."""

ROLLS_OF_AN_EXCUSE = 64
"""How many rolls an excuse counts as where shares of rolls are told ahead: more than honest players have told ahead,
also in what a change of the view has undone, so that no share that was told is for a roll after it.
"""

_CHAIN = "catan-p2p chain 1"
_ROLL_CHAIN = "catan-p2p roll chain 1"
_DRAW = "catan-p2p draw 1"
_ROLL = "catan-p2p roll 1"
_SECRET = "catan-p2p secret 1"
_FRESH_SECRET = "catan-p2p secret 2"
_ROLL_SECRET = "catan-p2p roll secret 1"
_FRESH_ROLL_SECRET = "catan-p2p roll secret 2"
_SHARE = re.compile(r"[0-9a-f]{64}")
_NONCE = re.compile(rf"[0-9a-f]{{{2 * NONCE_BYTES}}}")
_WORD_DIGITS = 8
_WORDS = 1 << 4 * _WORD_DIGITS
_KEPT_EVERY = 64


class ChanceUsedUp(Exception):
    """A game that has had more draws than a chain serves; the message says how many."""


def seed_secret(seed: int) -> bytes:
    """The secret of a player without a key: the seed of their choices, which nobody else knows."""
    return str(seed).encode()


def is_share(text: str) -> bool:
    """Whether a text is a share, in its only spelling."""
    return _SHARE.fullmatch(text) is not None


def is_nonce(text: str) -> bool:
    """Whether a text is a nonce, in its only spelling."""
    return _NONCE.fullmatch(text) is not None


# A game checks the same links again for each replica of the process.
@lru_cache(maxsize=1 << 10)
def share_before(game: str, seat: int, share: Share, *, of_rolls: bool = False) -> Share:
    """The share of the previous draw, to which this one must lead back; before the first draw, the pledge.

    ``of_rolls``: on the chain of the shares that are told ahead.
    """
    return sha256(f"{_ROLL_CHAIN if of_rolls else _CHAIN}\n{game}\n{seat}\n{share}\n".encode()).hexdigest()


class ShareChain:
    """All shares of one player in one game, from the pledge (0) to the last (``CHAIN_LENGTH``).

    The end of the chain is made from the player's ``secret`` and the ``nonce`` that their pledge tells, if it tells
    one: anyone who has both can make the same shares again. Only shares that were asked for leave this object. A
    player has another chain ``of_rolls``, for shares that are told ahead.
    """

    def __init__(
        self, game: str, seat: int, secret: bytes, nonce: Nonce | None = None, *, of_rolls: bool = False
    ) -> None:
        self._game = game
        self._seat = seat
        self.nonce = nonce
        self._of_rolls = of_rolls
        plain, fresh = (_ROLL_SECRET, _FRESH_ROLL_SECRET) if of_rolls else (_SECRET, _FRESH_SECRET)
        lines = f"{plain}\n{game}\n{seat}\n" if nonce is None else f"{fresh}\n{game}\n{seat}\n{nonce}\n"
        share = hmac.new(secret, lines.encode(), sha256).hexdigest()
        kept = {CHAIN_LENGTH: share}
        head, tail = sha256(f"{_ROLL_CHAIN if of_rolls else _CHAIN}\n{game}\n{seat}\n".encode()), b"\n"
        # From the end to the pledge: each share is the hash of the next one, so a told share reveals none to come.
        for number in range(CHAIN_LENGTH - 1, -1, -1):
            link = head.copy()
            link.update(share.encode() + tail)
            share = link.hexdigest()
            # Every 64th share is kept: a request hashes at most that many links, and memory stays small.
            if number % _KEPT_EVERY == 0:
                kept[number] = share
        self._kept = kept
        self._near: dict[int, Share] = {}

    def share(self, number: int) -> Share:
        """The share for a draw, by its number from 1, or the pledge (0).

        Raises ``ChanceUsedUp`` beyond the end of the chain.
        """
        if number > CHAIN_LENGTH:
            what = "rolls" if self._of_rolls else "draws"
            raise ChanceUsedUp(f"the game has had {CHAIN_LENGTH} {what}, and a chain of shares has no more")
        if number not in self._near:
            at = min(-(-number // _KEPT_EVERY) * _KEPT_EVERY, CHAIN_LENGTH)
            share = self._kept[at]
            self._near = {at: share}
            while at > number - number % _KEPT_EVERY:
                share = share_before(self._game, self._seat, share, of_rolls=self._of_rolls)
                at -= 1
                self._near[at] = share
        return self._near[number]


class SharedDraw(NamedTuple):
    """One draw with the shares that everybody revealed for it."""

    game: str
    number: int
    """Which of the game's draws it is, from 1; of a roll whose shares were told ahead, which of the rolls."""
    shares: tuple[tuple[int, Share], ...]
    """Seat and share, in the order of seats."""
    is_ahead: bool = False
    """Whether it is a roll whose shares were told ahead."""

    def block(self, number: int) -> str:
        """This block of 256 bits of the draw, from 0, as hexadecimal digits."""
        return _block(self, number)

    def numbers(self) -> DrawnNumbers:
        """The numbers that the draw makes, from the first on."""
        return DrawnNumbers(self)


@lru_cache(maxsize=64)
def _block(draw: SharedDraw, number: int) -> str:
    lines = "".join(f"{seat} {share}\n" for seat, share in draw.shares)
    return sha256(
        f"{_ROLL if draw.is_ahead else _DRAW}\n{draw.game}\n{draw.number}\n{number}\n{lines}".encode()
    ).hexdigest()


class DrawnNumbers:
    """The numbers of a draw, one after the other: what ``random.Random`` is where one player draws.

    A number below ``n`` is the next word of 32 bits modulo ``n``; words are left out from the largest multiple of ``n``
    on, so that every remainder has as many of them.
    """

    def __init__(self, draw: SharedDraw) -> None:
        self._draw = draw
        self._blocks = 0
        self._left = ""

    def randrange(self, stop: int, /) -> int:
        """A number from 0 to ``stop`` - 1, uniform."""
        limit = _WORDS - _WORDS % stop
        while (word := self._word()) >= limit:
            pass
        return word % stop

    def randint(self, first: int, last: int, /) -> int:
        """A number from ``first`` to ``last``, uniform."""
        return first + self.randrange(last - first + 1)

    def _word(self) -> int:
        if not self._left:
            self._left = self._draw.block(self._blocks)
            self._blocks += 1
        word, self._left = self._left[:_WORD_DIGITS], self._left[_WORD_DIGITS:]
        return int(word, 16)
