"""The proof of a lie: two commits of one player that continue the same commit and cannot both be honest.

A vote that charges a liar holds the bytes of both commits, so that any reader can judge for themselves; they do not
become objects of the repository. The voter adds which of the two they hold, and how far the line that they hold goes.
When all others have voted, the votes alone decide which of the two survives.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import NamedTuple

from catan_p2p.game.constants import Player
from catan_p2p.log.game import FormatError
from catan_p2p.log.storage.objects import ObjectId, object_id, parse_object_id

NONE = "none"
TRAILERS = ("Holds", "Newest", "Height", "Proof")
SPENT = "Spent"


class ProofCharge(NamedTuple):
    """The part of a vote that charges a player with a proven lie."""

    holds: ObjectId | None
    """The liar's commit that the voter has accepted; None if play has gone on without one."""
    newest: ObjectId
    """The newest commit of the line that the voter has accepted, or the liar's reply to it."""
    height: int
    """The height of ``newest``."""
    proof: tuple[bytes, bytes]
    """The two commits, in the order of their ids."""
    spent: int | None = None
    """On a line that continues another commit than ``holds``, the voter's shares up to this number count as told."""

    @property
    def commits(self) -> tuple[ObjectId, ObjectId]:
        """The ids of the two commits."""
        first, second = self.proof
        return object_id("commit", first), object_id("commit", second)


def charge_of(holds: ObjectId | None, newest: ObjectId, height: int, one: bytes, other: bytes) -> ProofCharge:
    """Make a charge from two commits, in any order."""
    first, second = sorted((one, other), key=lambda data: object_id("commit", data))
    return ProofCharge(holds, newest, height, (first, second))


def spell_charge(charge: ProofCharge) -> dict[str, str]:
    """Format the trailers of a charge."""
    spelled = (base64.b64encode(data).decode() for data in charge.proof)
    values = (charge.holds or NONE, charge.newest, str(charge.height), " ".join(spelled))
    told = {} if charge.spent is None else {SPENT: str(charge.spent)}
    return dict(zip(TRAILERS, values, strict=True)) | told


def read_charge(trailers: Mapping[str, str]) -> ProofCharge:
    """Parse trailers that include a proof; ``FormatError`` if they are malformed."""
    holds, newest, height, proof = (trailers.get(name, "") for name in TRAILERS)
    try:
        first, second = (base64.b64decode(word, validate=True) for word in proof.split(" "))
        told = None if holds == NONE else parse_object_id(holds), parse_object_id(newest)
    except ValueError:
        raise FormatError("the message of vote: Holds, Newest or Proof is malformed") from None
    for name, number in (("Height", height), (SPENT, spent := trailers.get(SPENT, "0"))):
        if not number.isdecimal() or len(number) > 9:
            raise FormatError(f"the message of vote: {name} is {number!r}, expected a number")
    return ProofCharge(*told, int(height), (first, second), int(spent) if SPENT in trailers else None)


def survivor(charges: Mapping[Player, ProofCharge], merger: Player) -> ObjectId | None:
    """Which of a liar's commits survives when all have voted: if a ``merger`` merges the replies, the one they hold.

    Otherwise the commit that most voters hold; among these, the one on which all its holders claim to have built
    farthest; among these, the one whose id comes first. None if the merger has gone on without any. Nobody can check a
    height on a side that they do not hold, so the least claim counts: exaggerating gains nothing beside an honest
    voter.
    """
    if merger in charges:
        return charges[merger].holds
    held: dict[ObjectId, list[ProofCharge]] = {}
    for charge in charges.values():
        if charge.holds is not None:
            held.setdefault(charge.holds, []).append(charge)
    if not held:
        return None
    return min(held, key=lambda one: (-len(held[one]), -min(charge.height for charge in held[one]), one))
