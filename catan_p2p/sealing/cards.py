"""Sealed cards: a commitment to the kind of a card, and the proof that it is one of some kinds.

The commitment to kind ``r`` is ``G_r + x BASE`` with a drawn ``x`` (Pedersen 1991). It fits every kind, so it reveals
nothing, and without knowing a logarithm between generators nobody can open it as two kinds. The proof is an OR of
Schnorr proofs (Cramer, Damgard, Schoenmakers 1994): for each kind a part of the challenge and a response, all of which
the prover has made up except those of the true kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from catan_p2p.sealing.group import BASE, ORDER, SIZE_BYTES, ByteReader, Point, Scalar, joined, minus, plus, times
from catan_p2p.sealing.group import resource_points as kinds
from catan_p2p.sealing.transcript import ProofTranscript


class CardOpening(NamedTuple):
    """What the holder of a sealed card knows about it."""

    kind: int
    """The index in ``RESOURCES``, from 0."""
    blind: Scalar

    def card(self) -> Point:
        """The sealed card."""
        return _sealed(self)


@lru_cache(maxsize=1 << 9)
def _sealed(opening: CardOpening) -> Point:
    """The card of an opening; cached, since sealing, its proof, its answer and the next sealing all need it."""
    return plus(kinds()[opening.kind], times(opening.blind, BASE))


def opened(card: Point, blind: Scalar) -> CardOpening | None:
    """Open a card with its blinding factor; None if it opens as no kind."""
    left = minus(card, times(blind, BASE))
    return next((CardOpening(kind, blind) for kind, point in enumerate(kinds()) if point == left), None)


def kind_proof_bytes(among: Sequence[int]) -> int:
    """The size of a proof that a card is of one of these kinds."""
    return 2 * len(among) * SIZE_BYTES


def prove_kind(about: ProofTranscript, opening: CardOpening, among: Sequence[int], key: bytes) -> bytes:
    """Prove that a card is of one of these kinds, in the order of ``among``; the proof does not say which one."""
    about = about.with_more(opening.card(), [kinds()[kind] for kind in among])
    true = among.index(opening.kind)
    parts = [about.drawn(key, "part", number) for number in range(len(among))]
    responses = [about.drawn(key, "response", number) for number in range(len(among))]
    parts[true] = 0
    challenge = about.challenge(_own_first(opening, among, parts, responses))
    # The parts must add up to the challenge, so the true one is fixed only after the others were committed.
    mask, parts[true] = responses[true], (challenge - sum(parts)) % ORDER
    responses[true] = (mask + parts[true] * opening.blind) % ORDER
    return joined((), (*parts, *responses))


def kind_holds(about: ProofTranscript, card: Point, among: Sequence[int], proof: bytes) -> bool:
    """Whether a proof that a card is of one of these kinds holds; ``MalformedBytes`` if it is malformed."""
    reader = ByteReader(proof, kind_proof_bytes(among))
    parts, responses = reader.scalars(len(among), "part"), reader.scalars(len(among), "response")
    about = about.with_more(card, [kinds()[kind] for kind in among])
    return about.challenge(_first(card, among, parts, responses)) == sum(parts) % ORDER


def _first(card: Point, among: Sequence[int], parts: Sequence[Scalar], responses: Sequence[Scalar]) -> list[Point]:
    """The first message for these parts of the challenge and responses; a part of 0 makes the response a mask."""
    return [
        minus(times(response, BASE), times(part, minus(card, kinds()[kind])))
        for kind, part, response in zip(among, parts, responses, strict=True)
    ]


def _own_first(
    opening: CardOpening, among: Sequence[int], parts: Sequence[Scalar], responses: Sequence[Scalar]
) -> list[Point]:
    """The same with a known opening: ``card - G_k`` is ``G_r - G_k + x BASE``, or ``x BASE`` if ``k = r``."""
    # Multiples of the base are faster than those of any other point.
    gaps, own = _gaps()[opening.kind], opening.kind
    masks = [
        times((response - part * opening.blind) % ORDER, BASE) for part, response in zip(parts, responses, strict=True)
    ]
    return [
        mask if kind == own else minus(mask, times(part, gaps[kind]))
        for kind, part, mask in zip(among, parts, masks, strict=True)
    ]


@cache
def _gaps() -> tuple[tuple[Point, ...], ...]:
    """``G_r - G_k`` for each pair of kinds."""
    return tuple(tuple(minus(true, other) for other in kinds()) for true in kinds())
