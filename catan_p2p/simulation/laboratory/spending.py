"""How a host spends its time: each moment counts once, for the first of ``KINDS`` that applies."""

from collections.abc import Callable
from dataclasses import dataclass, field

KINDS = ("computing", "transfer", "looking", "waiting", "down")
"""What a host can spend time on. While the process runs, the first that applies counts.

=========  ====================================================================================
computing  the process works, or waits for the disk
transfer   a fetch or a push is under way, and nothing is computed meanwhile
looking    a look is under way, and nothing is computed meanwhile
waiting    a pause between two looks, or the player thinks
down       the process was killed and not started again yet, or it has ended
=========  ====================================================================================
"""


@dataclass(slots=True)
class HostSpending:
    """The time that a player's host has spent, in microseconds by kind, and how often its process was started."""

    now: Callable[[], int]
    us: dict[str, int] = field(default_factory=lambda: dict.fromkeys(KINDS, 0))
    starts: int = 0
    mended: int = 0
    _since: int = 0
    _is_computing: bool = False
    _is_down: bool = True
    _looks: int = 0
    _transfers: int = 0

    def book(self) -> None:
        """Add the time since the last change to the kind that applied."""
        now = self.now()
        self.us[self._kind] += now - self._since
        self._since = now

    @property
    def _kind(self) -> str:
        if self._is_down:
            return "down"
        if self._is_computing:
            return "computing"
        if self._transfers:
            return "transfer"
        return "looking" if self._looks else "waiting"

    def computes(self, does: bool) -> None:
        """From now on the process works, or has nothing to do."""
        self.book()
        self._is_computing = does

    def lies(self, is_down: bool) -> None:
        """From now on the process is gone, or runs again."""
        self.book()
        self._is_down = is_down
        self._is_computing = False

    def asks(self, is_transfer: bool, more: int) -> None:
        """One request more is under way (``more`` is 1), or one less (-1)."""
        self.book()
        if is_transfer:
            self._transfers += more
        else:
            self._looks += more
