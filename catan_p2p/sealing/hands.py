"""Sealing cards anew: the one operation on hands, with or without known cards put in or paid.

The message consists of the new cards, a proof for each that it is one of the allowed kinds, and the balance: a Schnorr
proof that old cards and added ones, minus new cards and paid ones, are a multiple of ``BASE``. Nobody knows a logarithm
between generators of kinds, so each kind occurs equally often on both sides. New cards are in a random order.
"""

from __future__ import annotations

from typing import NamedTuple

from catan_p2p.game.cards import NO_CARDS, RESOURCES, Cards, pack, unpack
from catan_p2p.game.cards import total as count_of
from catan_p2p.sealing.cards import CardOpening, kind_holds, kind_proof_bytes, prove_kind
from catan_p2p.sealing.group import (
    BASE,
    ORDER,
    SIZE_BYTES,
    ByteReader,
    MalformedBytes,
    Point,
    ProofRefused,
    minus,
    resource_points,
    times,
    total,
)
from catan_p2p.sealing.linear import LOG_PROOF_BYTES, log_holds, prove_log
from catan_p2p.sealing.transcript import ProofContext, ProofTranscript

MAX_SEALED_CARDS = 128
"""The most sealed cards of a hand: more than there are resource cards in any game, and few enough for one file."""

_ALL = tuple(range(len(RESOURCES)))


class ResealedHand(NamedTuple):
    """The public part of a resealing: its statement."""

    old: tuple[Point, ...]
    """The player's sealed cards before."""
    added: Cards = NO_CARDS
    """Known cards that are sealed with them."""
    paid: Cards = NO_CARDS
    """Cards that are paid openly."""
    without: int | None = None
    """A kind that no new card may have, None if each may be of any: the kind that a monopoly demands."""

    @property
    def left(self) -> int:
        """How many new cards there are; negative if more is paid than there is."""
        return len(self.old) + count_of(self.added) - count_of(self.paid)

    @property
    def among(self) -> tuple[int, ...]:
        """The kinds that a new card may be of."""
        return tuple(kind for kind in _ALL if kind != self.without)

    def about(self, context: ProofContext, purpose: str) -> ProofTranscript:
        """The transcript of the statement."""
        without = "none" if self.without is None else RESOURCES[self.without]
        return ProofTranscript(context, purpose, self.old, unpack(self.added), unpack(self.paid), without)

    def balance(self, new: tuple[Point, ...]) -> Point:
        """The difference between the old and the new side; a multiple of ``BASE`` if each kind balances."""
        known = [added - paid for added, paid in zip(unpack(self.added), unpack(self.paid), strict=True)]
        put_in, taken = (
            [point for count, point in zip(known, resource_points(), strict=True) for _ in range(sign * count)]
            for sign in (1, -1)
        )
        return minus(total((*self.old, *put_in)), total((*new, *taken)))

    def message_bytes(self) -> int:
        """The size of the message."""
        return self.left * (SIZE_BYTES + kind_proof_bytes(self.among)) + LOG_PROOF_BYTES

    def problem(self) -> str | None:
        """Why there can be no such resealing, None if there can."""
        if self.left < 0:
            had = f"{len(self.old)} sealed and {count_of(self.added)} known ones"
            return f"{count_of(self.paid)} cards are paid, but the hand has {had}"
        if max(len(self.old), self.left) > MAX_SEALED_CARDS:
            return f"{max(len(self.old), self.left)} sealed cards, expected at most {MAX_SEALED_CARDS}"
        return None


def reseal(
    context: ProofContext, what: ResealedHand, openings: tuple[CardOpening, ...], key: bytes
) -> tuple[bytes, tuple[CardOpening, ...]]:
    """The message that seals a hand anew, and the openings of the new cards.

    ``openings`` are those of the old cards, in their order. ``ValueError`` if they are not, or do not cover what
    is paid or withheld.
    """
    if tuple(opening.card() for opening in openings) != what.old:
        raise ValueError("the openings do not match the sealed cards")
    have = [0] * len(RESOURCES)
    for opening in openings:
        have[opening.kind] += 1
    after = [held + added - paid for held, added, paid in zip(have, unpack(what.added), unpack(what.paid), strict=True)]
    if problem := what.problem():
        raise ValueError(problem)
    if min(after) < 0 or (what.without is not None and after[what.without]):
        raise ValueError(f"a hand of {have} cannot pay {unpack(what.paid)} and keep none of kind {what.without}")
    about = what.about(context, "seal")
    sorted_kinds = [kind for kind, count in enumerate(after) for _ in range(count)]
    # A random order, so that nobody can follow a card from one sealing to the next.
    order = about.order(key, len(sorted_kinds))
    new = tuple(CardOpening(sorted_kinds[at], about.drawn(key, "blind", number)) for number, at in enumerate(order))
    cards = tuple(opening.card() for opening in new)
    about = what.about(context, "card").with_more(cards)
    proofs = [prove_kind(about.with_more(number), one, what.among, key) for number, one in enumerate(new)]
    # What is left of the base once the kinds cancel out: the logarithm that the balance proves.
    blind = (sum(one.blind for one in openings) - sum(one.blind for one in new)) % ORDER
    about = what.about(context, "balance").with_more(cards)
    return b"".join((*cards, *proofs, prove_log(about, times(blind, BASE), blind, key))), new


def read_resealing(context: ProofContext, what: ResealedHand, message: bytes) -> tuple[Point, ...] | ProofRefused:
    """Read the new sealed cards of a message, if all of its proofs hold."""
    if problem := what.problem():
        return ProofRefused(problem)
    try:
        reader = ByteReader(message, what.message_bytes())
        cards = reader.points(what.left, "sealed card")
        statement = what.about(context, "card").with_more(cards)
        for number, card in enumerate(cards):
            about = statement.with_more(number)
            if not kind_holds(about, card, what.among, reader.take(kind_proof_bytes(what.among))):
                return ProofRefused(f"the proof of sealed card {number + 1} does not hold")
        about = what.about(context, "balance").with_more(cards)
        if not log_holds(about, what.balance(cards), reader.take(LOG_PROOF_BYTES)):
            return ProofRefused("the balance of the sealed cards does not hold")
    except MalformedBytes as error:
        return ProofRefused(str(error))
    return cards


def counted(openings: tuple[CardOpening, ...]) -> Cards:
    """How many cards of each kind there are."""
    return pack(sum(opening.kind == kind for opening in openings) for kind in _ALL)
