"""A peer's memory of a place where it looks for another player's branches, and the result of one look there."""

from __future__ import annotations

from dataclasses import dataclass, field

from catan_p2p.game.constants import Player
from catan_p2p.log.dictionaries import RecentItems
from catan_p2p.log.reading import Read
from catan_p2p.log.refs import Branch
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.verdict import MAY_MEND, CommitRejected, LoggedStep

PLACE = "Relay"
"""The place of heads that are at the relay, and not in a player's repository."""


@dataclass(slots=True)
class BranchSource:
    """A place to look for a player's branches."""

    player: Player
    colour: str
    place: str
    """The player's colour, or ``Relay``."""
    rejected: dict[str, CommitRejected] = field(default_factory=RecentItems)
    """The refused heads, by ref."""
    seen: dict[str, ObjectId] = field(default_factory=RecentItems)
    """The heads that are dealt with, by ref."""
    withheld: str | None = None
    """Why something cannot be judged yet."""

    def look_again(self, ref: str) -> None:
        """Forget that the head at a ref is dealt with."""
        self.seen.pop(ref, None)
        self.rejected.pop(ref, None)

    def is_fresh(self, ref: str, head: ObjectId) -> bool:
        """Whether a head at a ref is not dealt with."""
        refused = self.rejected.get(ref)
        is_refused = refused is not None and refused.commit == head and refused.reason not in MAY_MEND
        return self.seen.get(ref) != head and not is_refused


@dataclass(slots=True)
class FetchSession:
    """The result of one head at one source; ``read`` reads what was fetched, and what is kept."""

    source: BranchSource
    ref: str
    branch: Branch
    """The branch of its commit; ``ref`` may be a copy that somebody shows because a vote names it."""
    head: ObjectId
    read: Read
    failures: int
    """How many looks at this source have failed in a row."""
    is_catching_up: bool
    accepted: list[LoggedStep] = field(default_factory=list)
