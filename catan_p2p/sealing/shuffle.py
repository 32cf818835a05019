"""A shuffle of the deck, with the proof that it holds the same cards and that its player knows the new order.

The proof is Terelius and Wikstrom's (2010), as Haenni, Locher, Koenig and Dubuis (2017) write it down: a commitment to
the order, a challenge for each card that depends on it, and a chain of commitments whose end is the product of the
challenges. A wrong deck passes with a probability below 2^-200 for each hash that its maker tries: the challenges are
252 bits, and a polynomial of degree ``n`` in them that is not zero is zero for a share of ``n`` in 2^252.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import prod

from catan_p2p.sealing.deck import MAX_DECK_CARDS, Deck, EncryptedCard
from catan_p2p.sealing.group import (
    BASE,
    ORDER,
    SIZE_BYTES,
    ByteReader,
    MalformedBytes,
    Point,
    ProofRefused,
    Scalar,
    combined,
    generator,
    joined,
    minus,
    plus,
    times,
    total,
)
from catan_p2p.sealing.linear import LinearEquation, holds, proof_bytes, prove, sides
from catan_p2p.sealing.transcript import ProofContext, ProofTranscript

_ROOT = "shuffle"


def _marks(count: int) -> list[Point]:
    return [generator(f"{_ROOT} {number}") for number in range(1, count + 1)]


@cache
def _sum_of_marks(count: int) -> Point:
    return total(_marks(count))


def _secrets(count: int) -> int:
    return 4 + 2 * count


def shuffle_bytes(count: int) -> int:
    """The size of the message for a deck of this many cards."""
    return 4 * count * SIZE_BYTES + proof_bytes(_secrets(count))


def _challenges(about: ProofTranscript, count: int) -> list[Scalar]:
    return [about.hashed("card", number) for number in range(count)]


def _equations(
    joint: Point,
    old: Deck,
    new: Deck,
    places: tuple[Point, ...],
    chain: tuple[Point, ...],
    challenges: list[Scalar],
) -> list[LinearEquation]:
    """The equations that the secrets must fulfil.

    Secrets: 0 of the sum of all places; 1 of the chain; 2 of the weighted places; 3 of the deck, negated; then one of
    each link of the chain; then the challenges in the new order.
    """
    count, marks, start = len(old), _marks(len(old)), generator(_ROOT)
    of_link, of_card = range(4, 4 + count), range(4 + count, 4 + 2 * count)

    def weighed(points: list[Point]) -> Point:
        return combined(challenges, points)

    def in_new_order(points: list[Point]) -> tuple[tuple[int, Point], ...]:
        return tuple(zip(of_card, points, strict=True))

    links = [
        LinearEquation(link, ((secret, BASE), (challenge, before)))
        for link, before, secret, challenge in zip(chain, (start, *chain), of_link, of_card, strict=False)
    ]
    return [
        LinearEquation(minus(total(places), _sum_of_marks(count)), ((0, BASE),)),
        LinearEquation(minus(chain[-1], times(prod(challenges) % ORDER, start)), ((1, BASE),)),
        LinearEquation(weighed(list(places)), ((2, BASE), *in_new_order(marks))),
        LinearEquation(weighed([card.mask for card in old]), ((3, BASE), *in_new_order([card.mask for card in new]))),
        LinearEquation(weighed([card.body for card in old]), ((3, joint), *in_new_order([card.body for card in new]))),
        *links,
    ]


def shuffle(context: ProofContext, joint: Point, old: Deck, key: bytes) -> tuple[bytes, Deck]:
    """Make the message that shuffles a deck, and the new deck; ``joint`` is the sum of all public keys."""
    count = len(old)
    about = ProofTranscript(context, "shuffle", joint, old)
    order = about.order(key, count)
    masks, blinds, links = ([about.drawn(key, word, n) for n in range(count)] for word in ("mask", "place", "link"))
    new = tuple(
        EncryptedCard(plus(old[at].mask, times(mask, BASE)), plus(old[at].body, times(mask, joint)))
        for at, mask in zip(order, masks, strict=True)
    )
    marks = _marks(count)
    places = tuple(plus(times(blinds[n], BASE), marks[order.index(n)]) for n in range(count))
    # The challenges depend on the new deck and the committed order, so neither can be fitted to them.
    about = about.with_more(new, places)
    challenges = _challenges(about, count)
    turned = [challenges[at] for at in order]
    chain: list[Point] = []
    end = 0
    for link, challenge in zip(links, turned, strict=True):
        chain.append(plus(times(link, BASE), times(challenge, chain[-1] if chain else generator(_ROOT))))
        end = (link + challenge * end) % ORDER
    weighed = sum(challenge * blind for challenge, blind in zip(challenges, blinds, strict=True))
    masked = -sum(challenge * mask for challenge, mask in zip(turned, masks, strict=True))
    secrets = [sum(blinds) % ORDER, end, weighed % ORDER, masked % ORDER, *links, *turned]
    equations = _equations(joint, old, new, places, tuple(chain), challenges)

    def of_masks(scalars: Sequence[Scalar]) -> list[Point]:
        # A new card is an old one plus a multiple of base and joint key; before the first shuffle few are different.
        of_card = scalars[4 + count :]
        moved = (scalars[3] + sum(one * mask for one, mask in zip(of_card, masks, strict=True))) % ORDER
        of_masks, of_bodies = ([getattr(old[at], part) for at in order] for part in EncryptedCard._fields)
        return [
            *sides(equations[:3], scalars),
            combined((moved, *of_card), (BASE, *of_masks)),
            combined((moved, *of_card), (joint, *of_bodies)),
            *sides(equations[5:], scalars),
        ]

    proof = prove(about, equations, secrets, key, of_masks)
    return joined([point for card in new for point in card]) + joined((*places, *chain)) + proof, new


def read_shuffle(context: ProofContext, joint: Point, old: Deck, message: bytes) -> Deck | ProofRefused:
    """Read the new deck of a message, if the proof holds that it is the old one, shuffled."""
    count = len(old)
    if not 0 < count <= MAX_DECK_CARDS:
        return ProofRefused(f"a deck of {count} cards, expected 1 to {MAX_DECK_CARDS}")
    try:
        reader = ByteReader(message, shuffle_bytes(count))
        points = reader.points(2 * count, "point")
        new = tuple(map(EncryptedCard, points[::2], points[1::2]))
        places, chain = reader.points(count, "place"), reader.points(count, "link")
        about = ProofTranscript(context, "shuffle", joint, old, new, places)
        equations = _equations(joint, old, new, places, chain, _challenges(about, count))
        if holds(about, equations, _secrets(count), reader.take(proof_bytes(_secrets(count)))):
            return new
    except MalformedBytes as error:
        return ProofRefused(str(error))
    return ProofRefused("the proof of the shuffle does not hold")
