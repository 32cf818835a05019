"""What challenges, pads and drawn numbers are made of: text that says what they are for, with every point concerned.

The text is ASCII, a line each, ended by LF: a fixed first line, purpose, game, seat, commit, then the statement. Points
are hexadecimal digits, numbers decimal; a list begins with a line that says how long it is. Challenges that contain the
whole statement are the strong form of Fiat and Shamir's transformation (Bernhard, Pereira, Warinschi 2012).
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
    """Where in which game somebody seals or proves something: no proof is worth anything elsewhere."""

    game: str
    """The id of the root commit."""
    seat: int
    """Whose proof it is."""
    commit: str
    """The id of the commit that is continued."""


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
            found.append(str(len(part)))
            _add_lines(part, found)


GAME_KEY_BYTES = 32


def game_key(game: str, seat: int, key: bytes, nonce: str = "") -> bytes:
    """The key that a player draws everything with in one game; to tell it opens that game, and nothing else.

    The ``nonce`` is that of the player's pledge: whoever begins a game anew from the same root gets another key. It is
    empty in games whose pledges have none, and in those that older versions began.
    """
    about: list[Part] = [*ProofContext(game, seat, game), *([nonce] if nonce else [])]
    return hmac.digest(key, _lines((_HEAD, "game key", *about)).encode(), "sha512")[:GAME_KEY_BYTES]


class ProofTranscript:
    """A purpose at an occasion, with a statement: ``parts`` of it are points, numbers, words and lists of these."""

    def __init__(self, occasion: ProofContext, purpose: str, *parts: Part) -> None:
        self._begin(None, _lines((_HEAD, purpose, *occasion, *parts)))

    def _begin(self, before: ProofTranscript | None, more: str) -> None:
        self._text: str = more if before is None else before._text + more
        # All that is hashed and drawn begins with this text, and so does every longer one: it goes through a hash once.
        self._before, self._more = before, more.encode()
        self._hash: Any = None
        self._keyed: tuple[bytes, hmac.HMAC] | None = None

    def with_more(self, *parts: Part) -> ProofTranscript:
        """The same with more of the statement."""
        longer = ProofTranscript.__new__(type(self))
        longer._begin(self, _lines(parts))
        return longer

    def _hashing(self) -> Any:
        """The hash that the text has gone through; it is copied before more goes in."""
        if self._hash is None:
            self._hash = sha512() if self._before is None else self._before._hashing().copy()
            self._hash.update(self._more)
        return self._hash

    def _drawing(self, key: bytes) -> hmac.HMAC:
        """The same with a key."""
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
        """A scalar that nobody can compute without the key, and always the same from the same.

        As the statement is part of the text, two statements never share what is drawn (as in RFC 6979).
        """
        whole = self._drawing(key).copy()
        whole.update(f"{word}\n{number}\n".encode())
        return scalar_of(whole.digest())

    def order(self, key: bytes, count: int) -> tuple[int, ...]:
        """The numbers below ``count`` in a drawn order, each order equally likely (Fisher and Yates)."""
        found = list(range(count))
        for last in range(count - 1, 0, -1):
            other = self.drawn(key, "order", last) % (last + 1)
            found[last], found[other] = found[other], found[last]
        return tuple(found)
