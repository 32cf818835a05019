"""How far a game plays in a while: whole actions at a speed, what is left over kept for the next frame."""

from __future__ import annotations


class PlayClock:
    """Turns seconds into actions."""

    def __init__(self) -> None:
        self._owed = 0.0

    def actions(self, seconds: float, speed: float) -> int:
        """How many actions are due after so many more seconds, at ``speed`` actions a second."""
        self._owed += min(seconds, 0.5) * speed
        due = int(self._owed)
        self._owed -= due
        return due

    def reset(self) -> None:
        """Forget what is left over."""
        self._owed = 0.0
