"""The input of challenges, pads and random numbers: a text that says what they are for, with every point concerned.

The text is ASCII, one LF-terminated line each: a fixed first line, purpose, game, seat, commit, then the statement.
Points are hexadecimal, numbers decimal; a list begins with a line that gives its length. Challenges that contain the
whole statement are the strong form of the Fiat-Shamir transformation (Bernhard, Pereira, Warinschi 2012).
"""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from hashlib import sha512
from typing import Any, NamedTuple, TypeAlias

from catan_p2p.sealing.group import Point, Scalar, scalar_of

Part: TypeAlias = "Point | int | str | Sequence[Part]"

_HEAD = "catan-p2p sealing 1"


class ProofContext(NamedTuple):
    """The place in a game where somebody seals or proves something; a proof is worthless anywhere else."""

    game: str
    """The id of the root commit."""
    seat: int
    """The seat of the prover."""
    commit: str
    """The id of the commit that this one continues."""


def _lines(parts: Sequence[Part]) -> str:
    found: list[str] = []
    _add_lines(parts, found)
    return "\n".join((*found, ""))


def _add_lines(parts: Sequence[Part], found: list[str]) -> None:
    for part in parts:
        if isinstance(part, bytes):
            found.append(part.hex())
        elif isinstance(part, str):
            found.append(part)
        elif isinstance(part, int):
            found.append(str(part))
        else:
            # The length comes first, so that no two different lists give the same text.
            found.append(str(len(part)))
            _add_lines(part, found)


GAME_KEY_BYTES = 32


def game_key(game: str, seat: int, key: bytes, nonce: str = "") -> bytes:
    """The key from which a player derives everything random in one game; revealing it opens only that game.

    The ``nonce`` is that of the player's pledge: a game begun anew from the same root gives another key. It is empty in
    games whose pledges have none, and in those begun by older versions.
    """
    about: list[Part] = [*ProofContext(game, seat, game), *([nonce] if nonce else [])]
    return hmac.digest(key, _lines((_HEAD, "game key", *about)).encode(), "sha512")[:GAME_KEY_BYTES]


class ProofTranscript:
    """A purpose in a context, with a statement, whose ``parts`` are points, numbers, words and lists of these."""

    def __init__(self, context: ProofContext, purpose: str, *parts: Part) -> None:
        self._begin(None, _lines((_HEAD, purpose, *context, *parts)))

    def _begin(self, before: ProofTranscript | None, more: str) -> None:
        self._text: str = more if before is None else before._text + more
        # All that is hashed and drawn begins with this text, and so does every longer one: it goes through a hash once.
        self._before, self._more = before, more.encode()
        self._hash: Any = None
        self._keyed: tuple[bytes, hmac.HMAC] | None = None

    def with_more(self, *parts: Part) -> ProofTranscript:
        """Return the transcript with more of the statement."""
        longer = ProofTranscript.__new__(type(self))
        longer._begin(self, _lines(parts))
        return longer

    def _hashing(self) -> Any:
        """The hash of the text so far; callers copy it before they add to it."""
        if self._hash is None:
            self._hash = sha512() if self._before is None else self._before._hashing().copy()
            self._hash.update(self._more)
        return self._hash

    def _drawing(self, key: bytes) -> hmac.HMAC:
        """The same, keyed."""
        if self._keyed is None or self._keyed[0] != key:
            whole = hmac.new(key, None, "sha512") if self._before is None else self._before._drawing(key).copy()
            whole.update(self._more)
            self._keyed = key, whole
        return self._keyed[1]

    def challenge(self, points: Sequence[Point]) -> Scalar:
        """The challenge of a proof whose first message is these points."""
        return self.hashed("challenge", points)

    def hashed(self, word: str, *parts: Part) -> Scalar:
        """A scalar that everybody can compute who knows the parts."""
        whole = self._hashing().copy()
        whole.update(_lines((word, *parts)).encode())
        return scalar_of(whole.digest())

    def drawn(self, key: bytes, word: str, number: int = 0) -> Scalar:
        """A scalar that nobody can compute without the key; the same input always gives the same one.

        The statement is part of the text, so two statements never share random numbers (as in RFC 6979).
        """
        whole = self._drawing(key).copy()
        whole.update(f"{word}\n{number}\n".encode())
        return scalar_of(whole.digest())

    def order(self, key: bytes, count: int) -> tuple[int, ...]:
        """The numbers below ``count`` in a drawn order, each order equally likely (Fisher and Yates)."""
        found = list(range(count))
        for last in range(count - 1, 0, -1):
            # The bias of the remainder is negligible: the scalar has 252 bits.
            other = self.drawn(key, "order", last) % (last + 1)
            found[last], found[other] = found[other], found[last]
        return tuple(found)
