"""The verdict on a commit: a step of the game, or the reason why it is refused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from catan_p2p.game.actions import Action
from catan_p2p.game.chance import SharedDraw
from catan_p2p.game.state import State
from catan_p2p.limits import MAX_COMMIT_BYTES
from catan_p2p.log.commit import LogEntry
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.tree import StateTree

if TYPE_CHECKING:
    from catan_p2p.log.sealed_cards import SealedCards

Reason: TypeAlias = Literal[
    "format",
    "version",
    "game",
    "missing",
    "damaged",
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
    "votes",
    "excused",
    "chain",
    "promise",
]

REASONS: Mapping[Reason, str] = {
    "format": "not a commit of this format",
    "version": "a game of a version that this program does not read",
    "game": "it begins or continues another game",
    "missing": "an object that it needs has not arrived; it is awaited",
    "damaged": "an object's bytes have another id",
    "size": "larger than any commit of a game, or with too many ancestors",
    "parents": "not the parents that its action requires",
    "fork": "its player has already continued the same parent in another way; both ids are reported",
    "late": (
        "a reply to a commit from which play has gone on. If a reply of the same player was merged, its id is "
        "reported too"
    ),
    "overtaken": (
        "table talk that replies to a commit from which play has gone on, or what a proven forker has signed and "
        "nobody else builds on. It is ignored, charged to nobody, and not mentioned by an audit"
    ),
    "author": "not written by the player who acts",
    "signature": "not signed with that player's key, in a game with keys",
    "guard": "the action is not enabled in the state before; the tags of the broken guards are reported",
    "chance": (
        "an outcome other than the one that the shares make (both are named), a share that does not lead back "
        "to the one before in the right number of steps, or a call for a draw other than the next"
    ),
    "seal": (
        "with hidden hands: a proof that is missing, superfluous or false, a card of the deck that its player may "
        "not show, or a game key told after the end that is not the one of the pledge"
    ),
    "tree": "its tree is not, by object id, the one that the action produces",
    "votes": "with views: votes that do not make what it says, or a record that no decision asks for",
    "excused": "its player has been left out. It is neither listed nor charged to anybody",
    "chain": "with views: `After` is not the newest commit of its player that it links to",
    "promise": "with views: it breaks what its player has signed before, in its own chain",
    "branch": (
        "a branch of no player of the game, or one that does not continue what was validated. It is "
        "neither listed nor charged to anybody"
    ),
}
"""What is wrong with a refused commit, by reason. docs/reference/log-format.md has the same table."""


def reason_table() -> str:
    """The reasons as a Markdown table, one row each."""
    rows = (f"| `{reason}` | {what} |" for reason, what in REASONS.items())
    return "\n".join(["| reason | what is wrong |", "| --- | --- |", *rows])


FOR_GOOD: tuple[Reason, ...] = ("format", "version", "game", "author", "signature", "tree")
"""Reasons that follow from a commit and its parents alone: it is refused for good, and so is all that continues it."""

MAY_MEND: tuple[Reason, ...] = ("missing", "damaged")
"""Refusals that may end with the next look: something is on its way, or the repository is just being repaired."""


class CommitRejected(NamedTuple):
    """A refused commit, the reason and, if there is one, the other commit that proves it."""

    reason: Reason
    commit: ObjectId
    detail: str
    guards: tuple[str, ...] = ()
    other: ObjectId | None = None

    def __str__(self) -> str:
        return f"{self.commit[:10]} rejected ({self.reason}): {self.detail}"


class LoggedStep(NamedTuple):
    """An accepted or written commit: its action, and the tree and state after it."""

    commit: ObjectId
    parents: tuple[ObjectId, ...]
    action: Action
    tree: StateTree
    time_s: int
    entry: LogEntry
    """The contents of the message: the action, and shares of draws."""
    draw: SharedDraw | None = None
    """The draw that gives the action its outcome, where all players drew it together."""
    sealed_cards: SealedCards | None = None
    """The sealed cards after it; None where hands are open."""

    @property
    def state(self) -> State:
        """The state in the commit's tree."""
        return self.tree.state


def fork(commit: ObjectId, other: ObjectId) -> CommitRejected:
    """Refuse a commit whose player has already continued from the same parent in another way."""
    return CommitRejected("fork", commit, f"{other[:10]} already continues from the same commit", other=other)


def too_large(commit: ObjectId, data: bytes, most: int = MAX_COMMIT_BYTES) -> CommitRejected:
    """Refuse a commit that is larger than any commit of a game."""
    return CommitRejected("size", commit, f"the commit has {len(data)} bytes, expected at most {most}")
