"""What others hold of a peer's own log: asked at every start, before the first own action.

No repository shows whether it is the newest: a copy from a backup, or one that was joined anew, looks like any other. A
peer that acts on an outdated copy forks its own log, and the others hold the proof. So the others are asked first.
"""

from __future__ import annotations

from collections.abc import Iterable

from catan_p2p.time_source import SYSTEM_TIME, TimeSource

GRACE_S = 10.0
"""How long to wait for all others; after that a majority of them is enough."""


class CatchUp:
    """Which players have said what they hold of the own log since the start.

    ``asked`` are the colours of the players with a known remote. Catching up is over when all of them have answered;
    after ``grace_s``, when more than half of them have; at once if ``alone``, on the user's word. Without any known
    remote nobody can answer, so only the user's word is left.
    """

    def __init__(
        self,
        asked: Iterable[str],
        *,
        alone: bool = False,
        grace_s: float = GRACE_S,
        time: TimeSource = SYSTEM_TIME,
    ) -> None:
        self._asked = tuple(asked)
        self._heard: set[str] = set()
        self._alone = alone
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
    def unheard(self) -> tuple[str, ...]:
        """The players who have not answered."""
        return tuple(colour for colour in self._asked if colour not in self._heard)

    @property
    def is_over(self) -> bool:
        """Whether the peer may act."""
        if self._alone or (self._asked and not self.unheard):
            return True
        # A majority, since a single neighbour could be outdated, or conceal what it holds.
        return 2 * len(self._heard) > len(self._asked) > 0 and self._time.monotonic() >= self._grace_until
