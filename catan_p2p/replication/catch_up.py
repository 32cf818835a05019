"""What the others hold of a peer's own log: asked at every start, before the first own action.

No repository tells whether it is the newest: a copy from a backup, or one that was joined anew, looks like any other.
Who acts on an old one continues the log a second time, and others hold the proof. So the others are asked first.
"""

from __future__ import annotations

from collections.abc import Iterable

from catan_p2p.time_source import SYSTEM_TIME, TimeSource

GRACE_S = 10.0
"""So long all others are waited for; from then on a majority of them is enough."""


class CatchUp:
    """Who has told what they hold of the own log since the start.

    ``asked`` are the colours of the players whose remotes are known. The catch_up is over when all of them have
    answered; after ``grace_s`` when more than half of them have; at once if ``alone``, which is the user's word.
    Where no remote is known nobody can answer, so that only the user's word is left.
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
        """Take note that a player's remote has shown all it holds of the own log, and that this was taken in."""
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
        """Who has not answered."""
        return tuple(colour for colour in self._asked if colour not in self._heard)

    @property
    def is_over(self) -> bool:
        """Whether the peer may act."""
        if self._alone or (self._asked and not self.unheard):
            return True
        return 2 * len(self._heard) > len(self._asked) > 0 and self._time.monotonic() >= self._grace_until
