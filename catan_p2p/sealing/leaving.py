"""Keys for the deck that all other players together can replace: for games that can go on without a player.

Each pair of players shares secrets that follow from the *meeting* of their keys (Diffie, Hellman 1976). A player's key
for the deck is the sum of one such *piece* with each of the others, and each piece has a public point with a proof that
its giver has it. So all others together can make the player's share of any decryption, piece by piece, and without one
of the pieces nothing is known of the key. Schoenmakers' secret sharing (1999) does not work here: it hands out a
multiple of the base, and a share of a decryption needs the factor.

Between two players there is nothing to hand out, because the other one would have the whole key.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from catan_p2p.sealing.deck import KEY_MESSAGE_BYTES, key_message, read_key
from catan_p2p.sealing.group import (
    BASE,
    ORDER,
    SIZE_BYTES,
    ByteReader,
    MalformedBytes,
    Point,
    ProofRefused,
    Scalar,
    times,
    total,
)
from catan_p2p.sealing.linear import LinearEquation, holds, proof_bytes, prove
from catan_p2p.sealing.transcript import ProofContext, ProofTranscript

FEWEST_PLAYERS = 3
_PIECE = "piece"
_DECK = "deck"


def _piece(game: str, owner: int, giver: int, met: Point) -> Scalar:
    return ProofTranscript(ProofContext(game, giver, game), _PIECE, owner).hashed(_PIECE, met)


def pieces_of(game: str, owner: int, secret: Scalar, meeting: Mapping[int, Point]) -> dict[int, Scalar]:
    """The pieces of a player's key, by giver: ``secret`` is the owner's, ``meeting`` the keys for meetings by seat."""
    met = {giver: times(secret, point) for giver, point in meeting.items() if giver != owner}
    return {giver: _piece(game, owner, giver, point) for giver, point in met.items()}


def pieces_given(game: str, giver: int, secret: Scalar, meeting: Mapping[int, Point]) -> dict[int, Scalar]:
    """The pieces that a player gives to the keys of the others, by owner."""
    return {
        owner: _piece(game, owner, giver, times(secret, point)) for owner, point in meeting.items() if owner != giver
    }


class KeyPieces(NamedTuple):
    """The published part of a player: the public piece for each other's key, by seat, and their own public key."""

    pieces: dict[int, Point]
    key: Point


def give(context: ProofContext, secret: Scalar, meeting: Mapping[int, Point], key: bytes) -> bytes:
    """Make the message with a player's public pieces, in seat order, and their public key, each with a proof."""
    game, seat = context.game, context.seat
    if len(meeting) < FEWEST_PLAYERS:
        raise ValueError(f"{len(meeting)} players, expected at least {FEWEST_PLAYERS}")
    given = pieces_given(game, seat, secret, meeting)
    own = sum(pieces_of(game, seat, secret, meeting).values()) % ORDER
    pieces = [key_message(context, f"{_PIECE} {owner}", given[owner], key) for owner in sorted(given)]
    return b"".join((*pieces, key_message(context, _DECK, own, key)))


def read_given(context: ProofContext, meeting: Mapping[int, Point], message: bytes) -> KeyPieces | ProofRefused:
    """Read a player's public pieces and key, if all proofs hold."""
    owners = sorted(owner for owner in meeting if owner != context.seat)
    try:
        reader = ByteReader(message, (len(owners) + 1) * KEY_MESSAGE_BYTES)
    except MalformedBytes as error:
        return ProofRefused(str(error))
    points = []
    for purpose in (*(f"{_PIECE} {owner}" for owner in owners), _DECK):
        point = read_key(context, purpose, reader.take(KEY_MESSAGE_BYTES))
        if isinstance(point, ProofRefused):
            return ProofRefused(f"{purpose}: {point.reason}")
        points.append(point)
    return KeyPieces(dict(zip(owners, points, strict=False)), points[-1])


def unlike(all_given: Mapping[int, KeyPieces]) -> list[int]:
    """The seats whose key is not the sum of the pieces given by others: they, or one of the givers, lied."""
    return [
        owner
        for owner, own in all_given.items()
        if own.key != total(given.pieces[owner] for giver, given in all_given.items() if giver != owner)
    ]


def _meeting(own: Point, other: Point, met: Point) -> list[LinearEquation]:
    return [LinearEquation(own, ((0, BASE),)), LinearEquation(met, ((0, other),))]


def show_meeting(context: ProofContext, secret: Scalar, other: Point, key: bytes) -> bytes:
    """Publish the meeting of two keys, with proof, so that all can check whether a piece follows from it."""
    met = times(secret, other)
    about = ProofTranscript(context, "meeting", other)
    return met + prove(about, _meeting(times(secret, BASE), other, met), [secret], key)


def shown_piece(
    context: ProofContext, own: Point, other: Point, message: bytes, owner: int, giver: int
) -> Point | ProofRefused:
    """The public piece that a giver should have given to an owner's key, from the meeting that either has published."""
    try:
        reader = ByteReader(message, SIZE_BYTES + proof_bytes(1))
        met = reader.point("the meeting")
        if holds(ProofTranscript(context, "meeting", other), _meeting(own, other, met), 1, reader.take(proof_bytes(1))):
            return times(_piece(context.game, owner, giver, met), BASE)
    except MalformedBytes as error:
        return ProofRefused(str(error))
    return ProofRefused("the proof of the meeting does not hold")
