"""What a host's time goes to: each moment counts once, for the most of what goes on in it."""

from collections.abc import Callable
from dataclasses import dataclass, field

KINDS = ("computing", "transfer", "looking", "waiting", "down")
"""What time goes to. The first one that holds counts.

=========  ====================================================================================
computing  the process works, or waits for the medium
transfer   a fetch or a push is on its way, and nothing is computed meanwhile
looking    the same of a look
waiting    a pause between two looks, or a player who thinks
down       the process is not there: killed, or it has ended
=========  ====================================================================================
"""


@dataclass(slots=True)
class HostSpending:
    """What a player's host has spent, in microseconds by kind, and how often it was begun."""

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
        """Count the time until now."""
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
        """The process works from now on, or has done what there was."""
        self.book()
        self._is_computing = does

    def lies(self, is_down: bool) -> None:
        """The process is gone from now on, or there again."""
        self.book()
        self._is_down = is_down
        self._is_computing = False

    def asks(self, is_transfer: bool, more: int) -> None:
        """One request more is on its way, or one less."""
        self.book()
        if is_transfer:
            self._transfers += more
        else:
            self._looks += more
