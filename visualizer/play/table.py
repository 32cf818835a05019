"""The game that is played in a window, and where it is read from."""

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
"""From this many players on, a game needs the large island."""


class LocalTable:
    """A game that is played here: its folder, the people at the screen, and how its peers are started."""

    restarts = 3
    """How often a worker process that has failed is started again."""
    knows_all = True
    """Whether all hands are known here, and shown once the game is over."""
    has_proposals = True
    """Whether trades can be proposed out of turn, if the rules allow it."""

    def __init__(self, sit: LeadPeers, people: Sequence[str]) -> None:
        self.sit = sit
        self.people = tuple(people)
        self._new = sit.new

    def again(self) -> LocalTable | None:
        """The next game of the same players, if this one was begun here: every seat moves by one.

        Its map is a random one, even if this game was on a fixed map.
        """
        if (new := self._new) is None:
            return None
        colours = (*new.colours[1:], new.colours[0])
        map = new.map if new.map in DRAWN_MAPS else "variable" if len(colours) < LARGE else "large"
        seed = None if new.seed is None else new.seed + 1
        sit = replace(self.sit, path=new_table_path().absolute(), new=replace(new, colours=colours, map=map, seed=seed))
        return LocalTable(sit, [colour for colour in colours if colour in self.people])


def feed_of(table: LocalTable) -> GameFeed:
    """A feed of the repository of the person at a table; of several people, first that of the first one."""
    from ..data.feed import GameFeed
    from ..window.frames import wake

    path = table.sit.path
    single = not table.sit.new and (path / ".git").exists()
    if len(table.people) > 1:
        return GameFeed(path, table.people[0], following=True, people=table.people, woken=wake)
    return GameFeed(path if single else path / table.people[0], following=True, people=table.people, woken=wake)
