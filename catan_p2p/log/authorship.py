"""Whose a commit is: the player whom it names, with that player's signature if the game has keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from catan_p2p.game.constants import Player
from catan_p2p.log.commit import Commit, Signature
from catan_p2p.log.game import GameDefinition
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.verdict import CommitRejected

SignatureCheck: TypeAlias = Callable[[Commit, str], bool]
"""Whether a commit is signed with a public key."""

Sign: TypeAlias = Callable[[Commit], Commit]
"""Gives a commit its player's signature."""


def author_of(game: GameDefinition, player: Player, time_s: int) -> Signature:
    """The author and committer of a player's commits."""
    seat = game.seats[player - 1]
    return Signature(seat.name, seat.email, time_s)


def forgery(
    commit: ObjectId, parts: Commit, game: GameDefinition, player: Player, verify: SignatureCheck | None
) -> CommitRejected | None:
    """Why a commit does not belong to the player, None if it does."""
    return foreign(commit, parts, game, player) or unsigned(commit, parts, game, player, verify)


def foreign(commit: ObjectId, parts: Commit, game: GameDefinition, player: Player) -> CommitRejected | None:
    """Refuse a commit that does not name the player as author and committer."""
    author = author_of(game, player, parts.author.time_s)
    # The committer's date may be a later one: only who it is counts.
    if parts.author != author or parts.committer[:2] != author[:2]:
        return CommitRejected("author", commit, f"written by {parts.author.name}, expected {author.name}")
    return None


def unsigned(
    commit: ObjectId, parts: Commit, game: GameDefinition, player: Player, verify: SignatureCheck | None
) -> CommitRejected | None:
    """Refuse a commit without the player's signature, in a game with keys, or with one, in a game without."""
    seat = game.seats[player - 1]
    if seat.key is None:
        if parts.signature is not None:
            return CommitRejected("signature", commit, f"signed, but {seat.name} has no key in this game")
    elif verify is not None and not verify(parts, seat.key):
        return CommitRejected("signature", commit, f"not signed with the key of {seat.name}")
    return None
