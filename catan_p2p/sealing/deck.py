"""The deck of development cards: sealed for all players together, so that a buyer alone learns a card.

Each card is encrypted after ElGamal (1985) under the sum of all players' keys. A player's share of a decryption is
their secret key times the card's first point, with a proof of that (Chaum, Pedersen 1992). The buyer receives all other
shares and adds their own; a player who plays a card publishes their own share, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from catan_p2p.game.cards import Cards, unpack
from catan_p2p.sealing.group import (
    BASE,
    SIZE_BYTES,
    ByteReader,
    MalformedBytes,
    Point,
    ProofRefused,
    Scalar,
    dev_card_points,
    joined,
    minus,
    plus,
    times,
    total,
)
from catan_p2p.sealing.linear import LOG_PROOF_BYTES, LinearEquation, holds, log_holds, proof_bytes, prove, prove_log
from catan_p2p.sealing.transcript import ProofContext, ProofTranscript

MAX_DECK_CARDS = 64
"""The largest deck; that of the extension has 34 cards."""
KEY_MESSAGE_BYTES = SIZE_BYTES + LOG_PROOF_BYTES
SHARE_MESSAGE_BYTES = SIZE_BYTES + proof_bytes(1)


class EncryptedCard(NamedTuple):
    """A card of the deck: ``r BASE`` and ``D_k + r P``, where ``P`` is the sum of all keys."""

    mask: Point
    body: Point


Deck = tuple[EncryptedCard, ...]


def new_key(context: ProofContext, purpose: str, nonce: str, key: bytes) -> Scalar:
    """Derive a player's secret key for a purpose; the pledge's nonce changes it if the game is begun anew."""
    return ProofTranscript(context, purpose, nonce).drawn(key, "secret key")


@lru_cache(maxsize=1 << 4)
def public_key(secret: Scalar) -> Point:
    """The public half of a key; cached, since its player shares many decryptions with it."""
    return times(secret, BASE)


def key_message(context: ProofContext, purpose: str, secret: Scalar, key: bytes) -> bytes:
    """Make the message of a public key, with a proof of the secret one: so it cannot be built from those of others."""
    point = public_key(secret)
    return point + prove_log(ProofTranscript(context, purpose), point, secret, key)


def read_key(context: ProofContext, purpose: str, message: bytes) -> Point | ProofRefused:
    """Read the public key in a message, if the proof holds."""
    try:
        reader = ByteReader(message, KEY_MESSAGE_BYTES)
        point = reader.point("the public key")
        if log_holds(ProofTranscript(context, purpose), point, reader.take(LOG_PROOF_BYTES)):
            return point
    except MalformedBytes as error:
        return ProofRefused(str(error))
    return ProofRefused("the proof of the public key does not hold")


def new_deck(cards: Cards, keys: Sequence[Point]) -> Deck:
    """The deck before it is shuffled, kind by kind, with the masking factor 1, so that anybody can check it."""
    joint = total(keys)
    kinds = (
        (EncryptedCard(BASE, plus(point, joint)),) * count
        for point, count in zip(dev_card_points(), unpack(cards), strict=True)
    )
    return tuple(chain.from_iterable(kinds))


def _share(card: EncryptedCard, key: Point, share: Point) -> list[LinearEquation]:
    return [LinearEquation(key, ((0, BASE),)), LinearEquation(share, ((0, card.mask),))]


def share_message(context: ProofContext, card: EncryptedCard, secret: Scalar, key: bytes) -> bytes:
    """Make a player's share in decrypting a card, with the proof that it is made with their key."""
    share = times(secret, card.mask)
    about = ProofTranscript(context, "share", card)
    return share + prove(about, _share(card, public_key(secret), share), [secret], key)


def read_share(context: ProofContext, card: EncryptedCard, key: Point, message: bytes) -> Point | ProofRefused:
    """Read a player's share in decrypting a card, if the proof holds for their public key."""
    try:
        reader = ByteReader(message, SHARE_MESSAGE_BYTES)
        share = reader.point("the share")
        if holds(ProofTranscript(context, "share", card), _share(card, key, share), 1, reader.take(proof_bytes(1))):
            return share
    except MalformedBytes as error:
        return ProofRefused(str(error))
    return ProofRefused("the proof of the share of a decryption does not hold")


def stripping_bytes(count: int) -> int:
    """The size of the message that takes a secret off so many cards, or covers them with it."""
    return count * SIZE_BYTES + proof_bytes(1)


def _stripping(cards: Deck, point: Point, shares: Sequence[Point]) -> list[LinearEquation]:
    shared = (LinearEquation(share, ((0, card.mask),)) for card, share in zip(cards, shares, strict=True))
    return [LinearEquation(point, ((0, BASE),)), *shared]


def strip(context: ProofContext, cards: Deck, secret: Scalar, key: bytes) -> tuple[bytes, Deck]:
    """Take a secret off cards: the message with a share of each and one proof for all, and the resulting cards."""
    message, shares = _shared(ProofTranscript(context, "strip", cards), cards, secret, key)
    return message, _left(cards, shares)


def read_strip(context: ProofContext, cards: Deck, point: Point, message: bytes) -> Deck | ProofRefused:
    """Return the cards without the secret of a public point, if the proof holds."""
    shares = _read_shared(ProofTranscript(context, "strip", cards), cards, point, message)
    if isinstance(shares, ProofRefused):
        return shares
    return _left(cards, shares)


def cover(context: ProofContext, cards: Deck, secret: Scalar, key: bytes) -> tuple[bytes, Deck]:
    """Seal cards with one more secret, the inverse of ``strip``."""
    message, shares = _shared(ProofTranscript(context, "cover", cards), cards, secret, key)
    return message, _covered(cards, shares)


def read_cover(context: ProofContext, cards: Deck, point: Point, message: bytes) -> Deck | ProofRefused:
    """Return the cards sealed with the secret of a public point, too, if the proof holds."""
    shares = _read_shared(ProofTranscript(context, "cover", cards), cards, point, message)
    if isinstance(shares, ProofRefused):
        return shares
    return _covered(cards, shares)


def _shared(about: ProofTranscript, cards: Deck, secret: Scalar, key: bytes) -> tuple[bytes, list[Point]]:
    shares = [times(secret, card.mask) for card in cards]
    proof = prove(about, _stripping(cards, times(secret, BASE), shares), [secret], key)
    return joined(shares) + proof, shares


def _read_shared(about: ProofTranscript, cards: Deck, point: Point, message: bytes) -> Sequence[Point] | ProofRefused:
    try:
        reader = ByteReader(message, stripping_bytes(len(cards)))
        shares = reader.points(len(cards), "share")
        if holds(about, _stripping(cards, point, shares), 1, reader.take(proof_bytes(1))):
            return shares
    except MalformedBytes as error:
        return ProofRefused(str(error))
    return ProofRefused("the proof about the shares of the cards of the deck does not hold")


def _left(cards: Deck, shares: Sequence[Point]) -> Deck:
    return tuple(EncryptedCard(card.mask, minus(card.body, share)) for card, share in zip(cards, shares, strict=True))


def _covered(cards: Deck, shares: Sequence[Point]) -> Deck:
    return tuple(EncryptedCard(card.mask, plus(card.body, share)) for card, share in zip(cards, shares, strict=True))


def decrypted(card: EncryptedCard, shares: Sequence[Point]) -> int | None:
    """The index in ``DEV_CARDS``, from 0, of a card by the shares of all players; None if one is missing or wrong."""
    left = minus(card.body, total(shares))
    return next((kind for kind, point in enumerate(dev_card_points()) if point == left), None)
