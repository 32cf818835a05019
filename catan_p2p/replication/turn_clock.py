"""How long a peer has waited for each player: since the newest commit, and in this turn in all.

The first finds who is silent, the second who goes on and on without ending their turn. Both are this peer's own clock:
only what it has seen itself counts. What it has counted outlives the program (``KeptWait``, ``kept_wait``).
"""

from __future__ import annotations

import socket
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from catan_p2p.game.actions.absence import all_awaited
from catan_p2p.game.constants import Player
from catan_p2p.game.state import State
from catan_p2p.log.graph import CommitGraph
from catan_p2p.time_source import TimeSource

TURN_PATIENCES = 5
"""A turn may take each player this many patiences of their own time, however many commits they write in it."""

machine = cache(socket.gethostname)
"""The name of this machine: another one's clocks cannot be compared."""


class KeptWait(NamedTuple):
    """How long a peer had waited when it wrote this down, and what the clocks of its machine showed."""

    position: str
    """The newest commit, and who has replied to it: nothing has been new since."""
    turn: str
    silent_s: float
    waits: Mapping[Player, tuple[float, ...]]
    """The earlier waits of the same turn."""
    monotonic_s: float
    date_s: float
    machine: str

    def since_s(self, time: TimeSource) -> float:
        """How long ago it was written: never more than has passed, 0 if that cannot be told.

        It is the smaller of what two clocks say. The time of day may have been set, or be that of another machine. The
        time for which the machine has run cannot be set. After a restart of the machine it begins anew, so that its
        difference is too small, or less than nothing; on most systems it stands still while the machine sleeps.
        """
        if self.machine != machine():
            return 0.0
        return max(0.0, min(time.monotonic() - self.monotonic_s, time.date_s() - self.date_s))


class TurnClock:
    """The clock of one peer; ``look`` has to be called whenever something may be new.

    It goes on from what was ``kept``, if nothing was new since. The time in which no program ran for the player counts
    only once ``count_gap`` is called: in that time something may have happened that has not been heard of yet.
    """

    def __init__(self, time: TimeSource, kept: KeptWait | None = None) -> None:
        self._time = time
        self._kept = kept
        self._looked_at = self._since = time.monotonic()
        """When it was looked last, and since when nothing is new, as far as that was counted here."""
        self._before_s = 0.0
        """How long nothing had been new before that."""
        self._gap_s = 0.0
        self._seen: str | None = None
        self._turn = ""
        self._awaited: tuple[Player, ...] = ()
        self._waits: dict[Player, list[float]] = {}

    @property
    def silent_s(self) -> float:
        """For how long nothing has been new."""
        return self._before_s + self._time.monotonic() - self._since

    @property
    def has_gap(self) -> bool:
        """Whether there is a time in which no program ran, and that does not count yet."""
        return self._gap_s > 0

    def count_gap(self) -> None:
        """Count the time in which no program ran: the others have been heard since, and nothing was new."""
        self._before_s, self._gap_s = self._before_s + self._gap_s, 0.0

    def look(self, graph: CommitGraph, *, counts: bool = True) -> None:
        """Take note of what there is now. A vote is nothing new: it changes nothing in the game.

        Without ``counts``, the time since the last look does not count: this peer could not have heard of anything.
        """
        now_s, now = self._time.monotonic(), f"{graph.head} {sorted(graph.replies)}"
        self._since += 0.0 if counts else now_s - self._looked_at
        self._looked_at = now_s
        if now == self._seen:
            return
        waited_s, turn, is_first = self.silent_s, _turn_of(graph), self._seen is None
        self._since, self._before_s, self._gap_s = now_s, 0.0, 0.0
        if turn != self._turn:
            self._turn, self._waits = turn, {}
        elif not is_first:
            for player in self._awaited:
                self._waits.setdefault(player, []).append(waited_s)
        self._seen, self._awaited = now, all_awaited(graph.state)
        if is_first and self._kept is not None:
            self._go_on_from(self._kept)

    def _go_on_from(self, kept: KeptWait) -> None:
        if kept.turn == self._turn:
            self._waits = {player: [*waits] for player, waits in kept.waits.items()}
        if kept.position == self._seen:
            self._before_s, self._gap_s = kept.silent_s, kept.since_s(self._time)

    def waited(self) -> KeptWait | None:
        """What to keep for the next program; None before the first look."""
        if self._seen is None:
            return None
        waits = {player: tuple(times) for player, times in self._waits.items()}
        now = self._time.monotonic(), self._time.date_s()
        return KeptWait(self._seen, self._turn, self.silent_s, waits, *now, machine())

    def is_over(self, player: Player, patience_s: float) -> bool:
        """Whether a player who is awaited has been waited for long enough."""
        return self.left_s(player, patience_s) <= 0

    def left_s(self, player: Player, patience_s: float) -> float:
        """For how long a player who is awaited is still to be waited for, if nothing comes."""
        left_s = min(patience_s - self.silent_s, TURN_PATIENCES * patience_s - self.turn_s(player, patience_s))
        return max(0.0, left_s)

    def turn_s(self, player: Player, most_s: float) -> float:
        """How long the player has been waited for in this turn; no single wait counts for more than ``most_s``.

        A peer that was cut off for an hour has not seen what the player did meanwhile.
        """
        waits = [*self._waits.get(player, ())]
        if player in self._awaited:
            waits.append(self.silent_s)
        return sum([min(wait, most_s) for wait in waits], 0.0)


def _turn_of(graph: CommitGraph) -> str:
    """What stays the same for as long as one player's turn, placement or special building lasts."""
    state: State = graph.state
    return repr((graph.turns, state.away, state.sup, state.su_ap, state.ap, state.sb))
