"""How long a peer has waited for each player: since the newest commit, and in this turn in all.

The first finds who is silent, the second who goes on and on without ending their turn. Both are this peer's own clock:
only what it has seen itself counts.
"""

from __future__ import annotations

from catan_p2p.game.actions.absence import all_awaited
from catan_p2p.game.constants import Player
from catan_p2p.game.state import State
from catan_p2p.log.graph import Graph
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.time_source import TimeSource

TURN_PATIENCES = 5
"""A turn may take each player this many patiences of their own time, however many commits they write in it."""


class TurnClock:
    """The clock of one peer; ``look`` has to be called whenever something may be new."""

    def __init__(self, time: TimeSource) -> None:
        self._time = time
        self._since = time.monotonic()
        self._seen: tuple[ObjectId, frozenset[Player]] | None = None
        self._turn: tuple[object, ...] = ()
        self._awaited: tuple[Player, ...] = ()
        self._waits: dict[Player, list[float]] = {}

    @property
    def silent_s(self) -> float:
        """For how long nothing has been new."""
        return self._time.monotonic() - self._since

    def look(self, graph: Graph) -> None:
        """Take note of what there is now. A vote is nothing new: it changes nothing in the game."""
        now = (graph.head, frozenset(graph.replies))
        if now == self._seen:
            return
        waited_s = self.silent_s
        turn = _turn_of(graph)
        if turn != self._turn:
            self._turn, self._waits = turn, {}
        elif self._seen is not None:
            for player in self._awaited:
                self._waits.setdefault(player, []).append(waited_s)
        self._seen, self._awaited = now, all_awaited(graph.state)
        self._since = self._time.monotonic()

    def pause(self) -> None:
        """Count no time until now: this peer could not have heard of anything."""
        self._since = self._time.monotonic()

    def is_over(self, player: Player, patience_s: float) -> bool:
        """Whether a player who is awaited has been waited for long enough."""
        return self.silent_s >= patience_s or self.turn_s(player, patience_s) >= TURN_PATIENCES * patience_s

    def turn_s(self, player: Player, most_s: float) -> float:
        """How long the player has been waited for in this turn; no single wait counts for more than ``most_s``.

        A peer that was cut off for an hour has not seen what the player did meanwhile.
        """
        waits = [*self._waits.get(player, ())]
        if player in self._awaited:
            waits.append(self.silent_s)
        return sum([min(wait, most_s) for wait in waits], 0.0)


def _turn_of(graph: Graph) -> tuple[object, ...]:
    """What stays the same for as long as one player's turn, placement or special building lasts."""
    state: State = graph.state
    return graph.turns, state.away, state.sup, state.su_ap, state.ap, state.sb
