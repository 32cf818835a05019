"""Liars: the best that can be published where a proof should hold and does not, with all other equations true."""

from collections.abc import Callable, Sequence
from math import prod

from catan_p2p.sealing import shuffle
from catan_p2p.sealing.cards import CardOpening, prove_kind
from catan_p2p.sealing.deck import Deck, EncryptedCard
from catan_p2p.sealing.group import BASE, IDENTITY, ORDER, Point, generator, joined, plus, times, total
from catan_p2p.sealing.hands import ResealedHand
from catan_p2p.sealing.linear import prove, prove_log
from catan_p2p.sealing.transcript import ProofContext, ProofTranscript

KEY = b"liar" * 8
Matrix = list[list[int]]


def resealing(
    context: ProofContext,
    what: ResealedHand,
    openings: Sequence[CardOpening],
    new: Sequence[CardOpening],
    junk: Point = IDENTITY,
) -> bytes:
    """A message with these new cards whatever the old ones are; ``junk`` is added to the first of them."""
    first, *others = (one.card() for one in new)
    cards = (plus(first, junk), *others)
    about = what.about(context, "card").with_more(cards)
    proofs = [prove_kind(about.with_more(number), one, what.among, KEY) for number, one in enumerate(new)]
    blind = (sum(one.blind for one in openings) - sum(one.blind for one in new)) % ORDER
    about = what.about(context, "balance").with_more(cards)
    return b"".join((*cards, *proofs, prove_log(about, what.balance(cards), blind, KEY)))


def square_root(value: int) -> int | None:
    """Modulo the order, which is 5 modulo 8; None of what is no square."""
    root = pow(value, (ORDER + 3) // 8, ORDER)
    for found in (root, root * pow(2, (ORDER - 1) // 4, ORDER) % ORDER):
        if found * found % ORDER == value % ORDER:
            return found
    return None


def shuffled(
    context: ProofContext,
    joint: Point,
    old: Deck,
    new: Deck,
    *,
    matrix: Callable[[list[int]], Matrix] | Matrix,
    turned: Callable[[list[int]], list[int] | None] | None = None,
    masks: Callable[[list[int]], Sequence[int]] | Sequence[int] = (),
    asked: Callable[[Deck, tuple[Point, ...]], ProofTranscript] | None = None,
    free_end: bool = False,
    late: Callable[[list[int]], Deck] | None = None,
) -> bytes | None:
    """A message that shuffles ``old`` into ``new`` by a matrix that is no permutation; None if it cannot be made.

    ``turned`` are the weights of the new cards by the challenges, if not the matrix times these; ``masks`` what was
    added to the new cards. ``asked`` is the transcript the challenges come from; ``late`` makes the deck once they are
    known. With ``free_end`` the last link is what the product of the challenges needs.
    """
    count = len(old)
    blinds = [3 + n for n in range(count)]
    full = lambda deck, places: ProofTranscript(context, "shuffle", joint, old, deck, places)  # noqa: E731
    marks = shuffle._marks(count)

    def committed(to: Matrix) -> tuple[Point, ...]:
        return tuple(
            total([times(blinds[j], BASE), *(times(to[i][j] % ORDER, marks[i]) for i in range(count))])
            for j in range(count)
        )

    if callable(matrix):
        asked = asked or full
        challenges = shuffle._challenges(asked(new, ()), count)
        matrix = matrix(challenges)
        places = committed(matrix)
    else:
        places = committed(matrix)
        challenges = shuffle._challenges((asked or full)(new, places), count)
    new = late(challenges) if late else new
    about = (asked or full)(new, places)
    weights = (
        turned(challenges)
        if turned
        else [sum(a * u for a, u in zip(row, challenges, strict=True)) % ORDER for row in matrix]
    )
    if weights is None:
        return None
    links, chain, end = [11 + n for n in range(count)], [], 0
    for link, weight in zip(links, weights, strict=True):
        chain.append(plus(times(link, BASE), times(weight, chain[-1] if chain else generator("shuffle"))))
        end = (link + weight * end) % ORDER
    if free_end:
        end = 99
        chain[-1] = plus(times(end, BASE), times(prod(challenges) % ORDER, generator("shuffle")))
    added = masks(weights) if callable(masks) else masks or [0] * count
    secrets = [
        sum(blinds),
        end,
        sum(u * r for u, r in zip(challenges, blinds, strict=True)) % ORDER,
        -sum(w * m for w, m in zip(weights, added, strict=True)) % ORDER,
        *links,
        *weights,
    ]
    equations = shuffle._equations(joint, old, new, places, tuple(chain), challenges)
    return joined([*(point for card in new for point in card), *places, *chain]) + prove(about, equations, secrets, KEY)


def mixed(old: Deck, weights: Matrix) -> Deck:
    """New cards as sums of multiples of the old ones."""
    return tuple(
        EncryptedCard(
            *(total(times(w % ORDER, card[part]) for w, card in zip(row, old, strict=True)) for part in (0, 1))
        )
        for row in weights
    )
