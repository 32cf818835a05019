"""What is found of a commit: a step of the game, or why it is refused."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from catan_p2p.game.actions import Action
from catan_p2p.game.chance import Draw
from catan_p2p.game.state import State
from catan_p2p.limits import MAX_COMMIT_BYTES
from catan_p2p.log.commit import Entry
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.tree import Tree
from catan_p2p.log.vault import Vault

Reason: TypeAlias = Literal[
    "format",
    "game",
    "missing",
    "size",
    "parents",
    "fork",
    "late",
    "overtaken",
    "author",
    "signature",
    "guard",
    "chance",
    "seal",
    "tree",
    "branch",
    "vote",
    "votes",
    "proof",
    "promised",
    "excused",
]
"""Why a commit is refused.

=========  ==========================================================================================
format     it is not a commit of a format version that this program knows
game       it belongs to another game
missing    the repository lacks an object that it needs
size       it is larger than any commit of a game, or has more ancestors to look at than a game has
parents    its parents are not those that its action requires
fork       its player has already continued the log from the same parent in another way
late       a reply to a commit that play has already gone on from
overtaken  the same where nobody had to wait for it, or a vote that can change nothing any more: nobody's fault
author     its author is not the player who acts
signature  it is not signed with that player's key
guard      the action is not enabled in the state before
chance     it tells another outcome than the shares of all make, or reveals a share that was not pledged
seal       where hands are hidden: its cards are not proven to be those that its player holds, or a proof is missing
tree       its tree is not the one that the action produces
branch     the branch goes back to an earlier commit than before, or leaves what was validated
vote       its player has said to go on without another, and builds on what that player did all the same
votes      it excuses a player, and merges not all others' votes for it
proof      it is a vote that goes by a proof which proves nothing
promised   this player has voted for going on without its author: it may be taken in once another has
excused    its player has been excused: the others have gone on without them
=========  ==========================================================================================
"""


FOR_GOOD: tuple[Reason, ...] = ("format", "game", "author", "signature", "tree")
"""What a commit and its parents alone decide: it will be refused again, and so will all that continues it."""


class Rejected(NamedTuple):
    """A commit that was refused: why, and where there is one, the other commit that proves it."""

    reason: Reason
    commit: ObjectId
    detail: str
    guards: tuple[str, ...] = ()
    other: ObjectId | None = None

    def __str__(self) -> str:
        return f"{self.commit[:10]} rejected ({self.reason}): {self.detail}"


class Step(NamedTuple):
    """A commit that was accepted or written: its action and the tree, with the state, after it."""

    commit: ObjectId
    parents: tuple[ObjectId, ...]
    action: Action
    tree: Tree
    time_s: int
    entry: Entry
    """What the message tells: the action, and shares of draws."""
    draw: Draw | None = None
    """What the outcome of the action comes from, where all players drew it together."""
    vault: Vault | None = None
    """The sealed cards after it; None where hands are open."""

    @property
    def state(self) -> State:
        """The state that the commit's tree holds."""
        return self.tree.state


def fork(commit: ObjectId, other: ObjectId) -> Rejected:
    """Refuse a commit whose player has already continued from the same parent in another way."""
    return Rejected("fork", commit, f"{other[:10]} already continues from the same commit", other=other)


def broken_promise(commit: ObjectId, other: ObjectId) -> Rejected:
    """Refuse a commit that contradicts a vote, an excuse or a claim by its own player."""
    return Rejected("vote", commit, f"{other[:10]} says otherwise, by the same player", other=other)


def too_large(commit: ObjectId, data: bytes, most: int = MAX_COMMIT_BYTES) -> Rejected:
    """Refuse a commit that is larger than any commit of a game."""
    return Rejected("size", commit, f"the commit has {len(data)} bytes, at most {most} are read")
