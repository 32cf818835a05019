"""What a peer knows of another player's repository, and how long it leaves one alone that makes trouble."""

from __future__ import annotations

import math
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from catan_p2p.game.constants import Player
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.transport.pacing import Backoff
from catan_p2p.log.transport.queries import Answer, AsyncRemote, Request
from catan_p2p.log.verdict import CommitRejected
from catan_p2p.replication.core.source import BranchSource

Look: TypeAlias = Generator[Request, Answer | None, None]
"""A look at a neighbour: what it asks its remote, and what it is answered."""


@dataclass(slots=True)
class Neighbour:
    """Another player, their remote, and what this peer knows of it."""

    source: BranchSource
    """What the core remembers of it."""
    remote: AsyncRemote
    backoff: Backoff = field(default_factory=Backoff)
    strays_at: float = 0.0
    """When branches that do not count any more may be looked for again."""
    hinted: bool = False
    """Whether somebody has told that there is something new."""
    looks: int = 0
    """How often it was begun to look at it."""
    look: Look | None = None
    """The look that is under way."""
    begun_at: float = 0.0
    """When it was begun."""
    longest_s: float = 0.0
    """How long the longest look took that came to its end; one of long ago counts for less and less."""
    asked_at: float = 0.0
    """When it was asked what is not answered yet."""
    is_watched: bool = False
    """Whether it is known without a look if something may be new there, since the last look was begun."""
    listed: tuple[frozenset[str], Mapping[str, ObjectId]] | None = None
    """Which refs the last look asked for and where they were; None while it has not come to its end."""
    known_count: int = 0
    """How many commits were known when it was begun."""
    whole_at: float = -math.inf
    """When everything was last looked at there, of one that tells what moves."""
    vain_looks: int = 0
    """How many looks in a row have found no commit."""

    has_opened: bool = False
    """Whether its repository has what everybody opened after a game of hidden hands."""

    @property
    def player(self) -> Player:
        """Who it is."""
        return self.source.player

    @property
    def colour(self) -> str:
        """The player's colour."""
        return self.source.colour

    @property
    def place(self) -> str:
        """Where what is seen of the player is: the player's colour, or ``Relay``."""
        return self.source.place

    @property
    def rejected(self) -> Mapping[str, CommitRejected]:
        """The head that was refused, by the name of the ref that was there."""
        return self.source.rejected

    @property
    def trouble(self) -> str | None:
        """Why the last look failed, None if it did not."""
        return self.backoff.trouble

    @property
    def failures(self) -> int:
        """How many looks in a row have failed."""
        return self.backoff.failures

    @property
    def note(self) -> str | None:
        """What a user should know of it, None if all is well."""
        back = next((bad for bad in self.rejected.values() if bad.reason == "branch"), None)
        return self.trouble or self.source.withheld or (None if back is None else back.detail)

    @property
    def has_news(self) -> bool:
        """Whether it is known, without a look, that something may be new there."""
        return self.is_watched and self.remote.may_be_new

    @property
    def is_due(self) -> bool:
        """Whether it may be looked at now: not while it is, and after a failure not at once again."""
        return self.look is None and self.backoff.is_over
