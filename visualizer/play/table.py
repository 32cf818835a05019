"""Which game is played in the window, and where it is read from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from catan_p2p.game.board import DRAWN_MAPS
from catan_p2p.sessions.messages import LeadPeers
from catan_p2p.sessions.saved_games import new_table_path

if TYPE_CHECKING:
    from ..data.feed import GameFeed

LARGE = 5
"""So many players need the large island."""


class LocalTable:
    """Which game is played: where it lies, who of those at the screen are people, and how its peers are started."""

    restarts = 3
    """How often a process that has fallen is started again."""
    knows_all = True
    """Whether all hands are known here, and shown once the game is over."""
    has_proposals = True
    """Whether trades can be proposed out of turn, where the rules allow it."""

    def __init__(self, sit: LeadPeers, people: Sequence[str]) -> None:
        self.sit = sit
        self.people = tuple(people)
        self._new = sit.new

    def again(self) -> LocalTable | None:
        """The next game of the same players, if this one was begun here: everybody sits one place further.

        Its island is another one, and it is drawn where this one was not.
        """
        if (new := self._new) is None:
            return None
        colours = (*new.colours[1:], new.colours[0])
        map = new.map if new.map in DRAWN_MAPS else "variable" if len(colours) < LARGE else "large"
        seed = None if new.seed is None else new.seed + 1
        sit = replace(self.sit, path=new_table_path().absolute(), new=replace(new, colours=colours, map=map, seed=seed))
        return LocalTable(sit, [colour for colour in colours if colour in self.people])


def feed_of(table: LocalTable) -> GameFeed:
    """Reads the repository of the person at a table; of several, who take turns, first that of the first."""
    from ..data.feed import GameFeed
    from ..window.frames import wake

    path = table.sit.path
    single = not table.sit.new and (path / ".git").exists()
    if len(table.people) > 1:
        return GameFeed(path, table.people[0], following=True, people=table.people, woken=wake)
    return GameFeed(path if single else path / table.people[0], following=True, people=table.people, woken=wake)
