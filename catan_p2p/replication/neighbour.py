"""What a peer knows of another player's repository, and how long it avoids one that makes trouble."""

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
"""A look at a neighbour, as a dialogue: its requests to the remote, and their answers."""


@dataclass(slots=True)
class Neighbour:
    """Another player, their remote, and what this peer knows of it."""

    source: BranchSource
    """The core's memory of it."""
    remote: AsyncRemote
    backoff: Backoff = field(default_factory=Backoff)
    strays_at: float = 0.0
    """When to look again for branches that no longer count."""
    hinted: bool = False
    """Whether somebody has said that there is something new."""
    looks: int = 0
    """How many looks at it were begun."""
    look: Look | None = None
    """The current look."""
    begun_at: float = 0.0
    """When the current look began."""
    longest_s: float = 0.0
    """How long the longest completed look took; old ones count for less and less."""
    asked_at: float = 0.0
    """When the open request was made."""
    is_watched: bool = False
    """Whether it is known without a look if something may be new there since the last look began."""
    listed: tuple[frozenset[str], Mapping[str, ObjectId]] | None = None
    """The refs that the last look asked for, and where they were; None while it is not complete."""
    known_count: int = 0
    """How many commits were known when the look began."""
    whole_at: float = -math.inf
    """When everything was last asked of a neighbour that announces moves."""
    vain_looks: int = 0
    """How many looks in a row have found no commit."""

    has_opened: bool = False
    """Whether its repository has all cards that were opened after a game of hidden hands."""

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
        """Where the player's branches are seen: the player's colour, or ``Relay``."""
        return self.source.place

    @property
    def rejected(self) -> Mapping[str, CommitRejected]:
        """The refused heads, by the name of their ref."""
        return self.source.rejected

    @property
    def trouble(self) -> str | None:
        """Why the last look failed, None if it did not."""
        return self.backoff.trouble

    @property
    def is_waiting(self) -> bool:
        """Whether the last look failed only because something that it named has not arrived yet."""
        return self.backoff.is_waiting

    @property
    def failures(self) -> int:
        """How many looks in a row have failed."""
        return self.backoff.failures

    @property
    def note(self) -> str | None:
        """What the user should know about it, None if all is well."""
        back = next((bad for bad in self.rejected.values() if bad.reason == "branch"), None)
        return self.trouble or self.source.withheld or (None if back is None else back.detail)

    @property
    def has_news(self) -> bool:
        """Whether it is known, without a look, that something may be new there."""
        return self.is_watched and self.remote.may_be_new

    @property
    def is_due(self) -> bool:
        """Whether it may be looked at now: not during a look, and not at once after a failure."""
        return self.look is None and self.backoff.is_over
