"""What others hold of a peer's own log: asked at every start, before the first own action.

No repository shows whether it is the newest: a copy from a backup, or one that was joined anew, looks like any other. A
peer that acts on an outdated copy forks its own log, and the others hold the proof. So the others are asked first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from catan_p2p.time_source import SYSTEM_TIME, TimeSource

GRACE_S = 10.0
"""How long to wait for all others; after that a majority of those present is enough."""


class CatchUp:
    """Which players have said what they hold of the own log since the start.

    ``asked`` are the colours of the players with a known remote. ``excused`` returns those of them who have been
    excused, and whether each can be reached. Catching up is over when all who are present, and all who watch and can
    be reached, have answered; after ``grace_s``, when more than half of those present have; with the first answer of
    one who is present if ``is_here``; at once if ``alone``, on the user's word. Without any known remote nobody can
    answer, so only the user's word is left.
    """

    def __init__(
        self,
        asked: Iterable[str],
        *,
        excused: Callable[[], Mapping[str, bool]] = dict,
        alone: bool = False,
        grace_s: float = GRACE_S,
        time: TimeSource = SYSTEM_TIME,
    ) -> None:
        self._asked = tuple(asked)
        self._excused = excused
        self._heard: set[str] = set()
        self._is_over = alone
        self.is_here = False
        """Whether the repository is the one in which this machine has played the seat last."""
        self._time = time
        self._grace_until = time.monotonic() + grace_s

    def hear(self, colour: str) -> None:
        """Note that a player's remote has shown everything it holds of the own log, and that this was accepted."""
        self._heard.add(colour)

    def has_heard(self, colour: str) -> bool:
        """Whether a player's remote has answered."""
        return colour in self._heard

    @property
    def has_heard_anybody(self) -> bool:
        """Whether at least one remote has answered."""
        return bool(self._heard)

    @property
    def has_heard_most(self) -> bool:
        """Whether more than half of those who are present, and have a known remote, have answered.

        If none of them is present, more than half of all: they show what those who are present have signed.
        """
        asked = {*self._asked}
        present = asked.difference(self._excused()) or asked
        return 2 * len(self._heard & present) > len(present)

    @property
    def unheard(self) -> tuple[str, ...]:
        """The players who have not answered, and have not been excused."""
        excused = self._excused()
        return tuple(one for one in self._asked if one not in self._heard and one not in excused)

    @property
    def is_over(self) -> bool:
        """Whether the peer may act."""
        self._is_over = self._is_over or self._is_enough()
        return self._is_over

    def _is_enough(self) -> bool:
        if not self._asked:
            return False
        excused, answered = self._excused(), self._heard
        if all(colour in answered or not excused.get(colour, True) for colour in self._asked):
            return True
        present = [colour for colour in self._asked if colour not in excused]
        if self.is_here and not answered.isdisjoint(present):
            return True
        if self._time.monotonic() < self._grace_until:
            return False
        # A majority, since a single neighbour could be outdated, or conceal what it holds.
        return self.has_heard_most or not present
