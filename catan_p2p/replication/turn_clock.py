"""How long a peer has waited for each player: since the newest commit, and in total in this turn.

The first time detects players who are silent, the second those who go on and on without ending their turn. Both are
measured by this peer alone: only what it has seen itself counts. The times outlive the program (``KeptWait``,
``kept_wait``).
"""

from __future__ import annotations

import socket
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from catan_p2p.game.constants import Player
from catan_p2p.game.state import State
from catan_p2p.log.graph import CommitGraph
from catan_p2p.time_source import TimeSource

TURN_PATIENCES = 5
"""A turn may take each player this many patiences of their own time, however many commits they write in it."""

machine = cache(socket.gethostname)
"""The name of this machine; clocks of different machines cannot be compared."""


class KeptWait(NamedTuple):
    """How long a peer had waited when it wrote this down, and what its machine's clocks showed."""

    position: str
    """The newest commit and the players who have replied to it: nothing has been new since."""
    turn: str
    silent_s: float
    waits: Mapping[Player, tuple[float, ...]]
    """The earlier waits of the same turn, by player."""
    monotonic_s: float
    date_s: float
    machine: str

    def since_s(self, time: TimeSource) -> float:
        """How long ago it was written: never more than has passed, and 0 if that is unknown.

        The result is the smaller of two clocks' differences. The time of day may have been set, or belong to another
        machine. The machine's running time cannot be set, but begins anew after a restart, so that its difference is
        too small or negative; on most systems it also stands still while the machine sleeps.
        """
        if self.machine != machine():
            return 0.0
        return max(0.0, min(time.monotonic() - self.monotonic_s, time.date_s() - self.date_s))


class TurnClock:
    """The clock of one peer; call ``look`` whenever something may be new.

    It continues from what was ``kept`` if nothing has been new since. The time in which no program ran for the player
    counts only once ``count_gap`` is called, because something may have happened in it that is not known yet.
    """

    def __init__(self, time: TimeSource, kept: KeptWait | None = None) -> None:
        self._time = time
        self._kept = kept
        self._looked_at = self._since = time.monotonic()
        """The time of the last look, and since when nothing has been new, as far as counted here."""
        self._before_s = 0.0
        """How long nothing had been new before that."""
        self._gap_s = 0.0
        self._seen: str | None = None
        self._turn = ""
        self._awaited: tuple[Player, ...] = ()
        self._waits: dict[Player, list[float]] = {}

    @property
    def date_s(self) -> float:
        """The time of day, in seconds since 1970."""
        return self._time.date_s()

    @property
    def silent_s(self) -> float:
        """For how long nothing has been new."""
        return self._before_s + self._time.monotonic() - self._since

    @property
    def has_gap(self) -> bool:
        """Whether there is time without a running program that does not count yet."""
        return self._gap_s > 0

    def count_gap(self) -> None:
        """Count the time without a running program: the others have been heard since, and nothing was new."""
        self._before_s, self._gap_s = self._before_s + self._gap_s, 0.0

    def look(self, graph: CommitGraph, *, counts: bool = True) -> None:
        """Record the present position. A vote is not news, because it changes nothing in the game.

        Without ``counts``, the time since the last look does not count: this peer could not have heard of anything.
        """
        now_s, now = self._time.monotonic(), graph.position
        # Moved forward rather than counted separately, so that ``silent_s`` needs no second sum.
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
        self._seen, self._awaited = now, graph.awaited
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
        """Whether an awaited player has been waited for long enough."""
        return self.left_s(player, patience_s) <= 0

    def left_s(self, player: Player, patience_s: float) -> float:
        """How much longer to wait for an awaited player, if nothing comes."""
        left_s = min(patience_s - self.silent_s, TURN_PATIENCES * patience_s - self.turn_s(player, patience_s))
        return max(0.0, left_s)

    def turn_s(self, player: Player, most_s: float) -> float:
        """How long the player has been waited for in this turn; no single wait counts more than ``most_s``.

        A peer that was cut off for an hour has not seen what the player did in it.
        """
        waits = [*self._waits.get(player, ())]
        if player in self._awaited:
            waits.append(self.silent_s)
        return sum([min(wait, most_s) for wait in waits], 0.0)


def _turn_of(graph: CommitGraph) -> str:
    """A text that stays the same as long as one player's turn, placement or special building lasts."""
    state: State = graph.state
    return repr((graph.line.turns_ended, state.away, state.sup, state.su_ap, state.ap, state.sb))
