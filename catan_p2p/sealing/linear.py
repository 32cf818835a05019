"""Proofs of knowing scalars that make given points from given bases, without revealing them.

An equation says that a point is a sum of multiples of bases; the same scalar may be in several equations. With one
equation and one scalar this is Schnorr's proof (1991), with two equations Chaum and Pedersen's proof of equal
logarithms (1992); Maurer (2009) proves all of them at once. A proof is the challenge, then a response for each scalar.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from catan_p2p.sealing.group import BASE, ORDER, SIZE_BYTES, ByteReader, Point, Scalar, combined, joined, minus, times
from catan_p2p.sealing.transcript import ProofTranscript


class LinearEquation(NamedTuple):
    """``point`` is the sum of the terms; each is the number of a secret, from 0, and the base that it multiplies."""

    point: Point
    terms: tuple[tuple[int, Point], ...]

    def side(self, scalars: Sequence[Scalar]) -> Point:
        """The sum of the terms with these scalars."""
        return combined((scalars[number] for number, _ in self.terms), (base for _, base in self.terms))


def proof_bytes(secrets: int) -> int:
    """The size of a proof about so many secrets."""
    return (1 + secrets) * SIZE_BYTES


def sides(equations: Sequence[LinearEquation], scalars: Sequence[Scalar]) -> list[Point]:
    """The sum of each equation's terms with these scalars."""
    return [equation.side(scalars) for equation in equations]


def prove(
    about: ProofTranscript,
    equations: Sequence[LinearEquation],
    secrets: Sequence[Scalar],
    key: bytes,
    of_masks: Callable[[Sequence[Scalar]], list[Point]] | None = None,
) -> bytes:
    """Prove that the secrets fulfil the equations; ``key`` is the prover's, for random numbers.

    ``of_masks`` computes the same points as ``sides`` with less work, for a prover who knows more about the bases.
    """
    about = about.with_more(equations)
    # Masks follow from the key and the statement, so a repeated proof is the same and no mask is used twice.
    masks = [about.drawn(key, "mask", number) for number in range(len(secrets))]
    challenge = about.challenge(sides(equations, masks) if of_masks is None else of_masks(masks))
    responses = [(mask + challenge * secret) % ORDER for mask, secret in zip(masks, secrets, strict=True)]
    return joined((), (challenge, *responses))


def holds(about: ProofTranscript, equations: Sequence[LinearEquation], secrets: int, proof: bytes) -> bool:
    """Whether a proof about this many secrets holds; ``MalformedBytes`` if it is malformed."""
    reader = ByteReader(proof, proof_bytes(secrets))
    challenge, responses = reader.scalar("the challenge"), reader.scalars(secrets, "response")
    # The verifier computes the first message from the responses; only the right challenge gives it back.
    first = [minus(one.side(responses), times(challenge, one.point)) for one in equations]
    return about.with_more(equations).challenge(first) == challenge


def prove_log(about: ProofTranscript, point: Point, secret: Scalar, key: bytes) -> bytes:
    """Make Schnorr's proof of knowing the factor of ``BASE`` in a point."""
    return prove(about, [LinearEquation(point, ((0, BASE),))], [secret], key)


def log_holds(about: ProofTranscript, point: Point, proof: bytes) -> bool:
    """Whether Schnorr's proof holds; ``MalformedBytes`` if it is malformed."""
    return holds(about, [LinearEquation(point, ((0, BASE),))], 1, proof)


LOG_PROOF_BYTES = proof_bytes(1)
