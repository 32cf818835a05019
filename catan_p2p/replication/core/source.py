"""What a peer remembers of a place where it looks for another player's branches, and what one look there brings."""

from __future__ import annotations

from dataclasses import dataclass, field

from catan_p2p.game.constants import Player
from catan_p2p.log.reading import Read
from catan_p2p.log.recent import RecentItems
from catan_p2p.log.refs import Branch
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.verdict import CommitRejected, LoggedStep, Reason

PLACE = "Relay"
"""The place of what is in the relay and not in a player's repository."""
MAY_MEND: tuple[Reason, ...] = ("missing",)
"""Refusals that may be over at the next look: the repository was damaged, or is just being repacked."""


@dataclass(slots=True)
class BranchSource:
    """Where a player's branches are looked for."""

    player: Player
    colour: str
    place: str
    """Where that is: the player's colour, or ``Relay``."""
    rejected: dict[str, CommitRejected] = field(default_factory=RecentItems)
    """The head that was refused, by the name of the ref that was there."""
    seen: dict[str, ObjectId] = field(default_factory=RecentItems)
    """The heads that are dealt with, by the name of the ref that was there."""
    withheld: str | None = None
    """What cannot be judged yet."""

    def look_again(self, ref: str) -> None:
        """Forget that what is at a ref is dealt with."""
        self.seen.pop(ref, None)
        self.rejected.pop(ref, None)

    def is_fresh(self, ref: str, head: ObjectId) -> bool:
        """Whether a head at a ref is not dealt with."""
        refused = self.rejected.get(ref)
        is_refused = refused is not None and refused.commit == head and refused.reason not in MAY_MEND
        return self.seen.get(ref) != head and not is_refused


@dataclass(slots=True)
class FetchSession:
    """What comes of one head at one source; ``read`` reads what was brought, and what is kept."""

    source: BranchSource
    ref: str
    branch: Branch
    """Where its commit belongs; ``ref`` may be a copy that somebody shows because a vote names it."""
    head: ObjectId
    read: Read
    failures: int
    """How many looks at this source have failed in a row."""
    is_catching_up: bool
    accepted: list[LoggedStep] = field(default_factory=list)
