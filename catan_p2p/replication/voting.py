"""How long a peer has waited for others, and what it can do about it; who votes on going on without them is a view's.

Nothing here depends on another machine's clock.
"""

from __future__ import annotations

import math

from catan_p2p import durations
from catan_p2p.game.actions import Claim
from catan_p2p.game.constants import Player
from catan_p2p.log.verdict import LoggedStep
from catan_p2p.replication.kept_wait import keep_wait, read_wait
from catan_p2p.replication.prospects import LeaveProspect, prospects
from catan_p2p.replication.replica import Replica
from catan_p2p.replication.turn_clock import TURN_PATIENCES, TurnClock
from catan_p2p.time_source import SYSTEM_TIME, TimeSource

_PATIENCE_PARTS = 3
"""After one such part of the patience a peer shows what awaited players may lack."""
_LINGER_S = 120.0
"""The same where no patience is known."""
_ASLEEP_S = 30.0
"""A machine that has not looked for this much longer than it meant to was asleep."""
_AWAKE_S = 30.0
"""How long after it players who cannot be reached count as silent again."""
_KEPT_AFTER_S, _KEPT_EVERY_S = 5.0, 60.0
"""After this much silence the wait for others is written down, and then at this interval; after a tenth of a patience,
if that is shorter.
"""


class VotingProblem(Exception):
    """A vote or a claim that is impossible now; the message says why."""


class TooEarly(VotingProblem):
    """A vote or a claim before the table's patience is over, or before this player may sign anything."""


class VotingDuty:
    """One peer's duties where nobody leaves: none, but to know how long others have been waited for."""

    def __init__(self, replica: Replica, time: TimeSource = SYSTEM_TIME) -> None:
        self._replica = replica
        self._time = time
        self._folder, self._medium = replica.store.folder / "catan-p2p", replica.store.medium
        self.clock = TurnClock(time, read_wait(self._folder, self._medium))
        self._kept_s = -math.inf
        """The silence that was written down last."""
        self._looked_at: tuple[float, float] | None = None
        """The two clocks of this machine at the last look."""
        self.pause_s = 0.0
        """How long the pause before the next look is meant to be, at most."""
        self._awake_at: float | None = None
        """When this machine, or this program, woke up, if not all others have been heard since."""

    @property
    def table_patience_s(self) -> int:
        """The patience that the table has agreed on; 0 if there is none."""
        return self._replica.game.constants.rules.patience

    def is_late(self, patience_s: float) -> bool:
        """Whether this player's own turn must end soon, before the others vote."""
        patience_s = max(patience_s, self.table_patience_s)
        return self.clock.turn_s(self._replica.player, patience_s) >= (TURN_PATIENCES - 1) * patience_s

    def _is_over(self, absent: Player, patience_s: float | None) -> bool:
        """Whether an awaited player has been waited for this long, and for as long as the table has agreed on."""
        if patience_s is None:
            return False
        return self._is_awake and self.clock.is_over(absent, max(patience_s, self.table_patience_s))

    def go_on(self, patience_s: float | None = None) -> list[LoggedStep]:
        """Sign and publish what is due about players who were waited for this long; None: about nobody.

        Nobody is left out before the table's patience is over.
        """
        self.look()
        return []

    def vote(self, absent: Player) -> LoggedStep:
        """Vote to go on without a player; ``VotingProblem`` if that is impossible, or too early."""
        raise VotingProblem("nobody may leave this game")

    @property
    def _awaited_others(self) -> tuple[Player, ...]:
        """The players for whom the game waits, except this player."""
        return tuple(player for player in self._replica.graph.awaited if player != self._replica.player)

    def look(self) -> None:
        """Record what is new, and keep how long others have been waited for."""
        replica, now = self._replica, (self._time.monotonic(), self._time.date_s())
        # Two clocks, since on some systems one of them stands still while the machine sleeps.
        asleep_s = self.pause_s + _ASLEEP_S
        if self._looked_at is not None and max(b - a for a, b in zip(self._looked_at, now, strict=True)) > asleep_s:
            self._awake_at = now[0]
            for neighbour in replica.neighbours:
                neighbour.listed = None  # so that it is looked at, whether something moves there or not
        self._looked_at = now
        self.clock.look(replica.graph, counts=replica.catch_up.is_over)
        if self.clock.has_gap and replica.catch_up.is_over and replica.catch_up.has_heard_anybody:
            self.clock.count_gap()
        self._keep_if_due()

    def _keep_if_due(self) -> None:
        silent_s = self.clock.silent_s
        if silent_s < min(_KEPT_AFTER_S, self.table_patience_s / 10 or _KEPT_AFTER_S):
            self._kept_s = -math.inf
        elif silent_s - self._kept_s >= _KEPT_EVERY_S:
            self.keep()

    def keep(self) -> None:
        """Keep how long others have been waited for, for the next program; not where nobody may leave."""
        if not self._replica.game.constants.rules.leaving:
            return
        if (waited := self.clock.waited()) is not None and not self.clock.has_gap:
            keep_wait(waited, self._folder, self._medium)
            self._kept_s = waited.silent_s

    @property
    def _is_awake(self) -> bool:
        """Whether all others were looked at since this machine or program was asleep, or there was enough time for it.

        Something may have happened meanwhile that is not known here yet.
        """
        if self._awake_at is not None:
            is_heard = all(neighbour.listed is not None for neighbour in self._replica.neighbours)
            if is_heard or self._time.monotonic() - self._awake_at >= _AWAKE_S:
                self._awake_at = None
        return self._awake_at is None

    def prospects(self) -> tuple[LeaveProspect, ...]:
        """What this player can do now about each awaited player; nothing before the others were heard."""
        self.look()
        if not self._replica.catch_up.is_over or not self._is_awake:
            return ()
        return prospects(self._replica.graph, self._replica.player, self.clock)

    def _lingers(self, patience_s: float | None) -> bool:
        """Whether it is time to show what others may lack, long before they are voted on as silent."""
        most_s = max(patience_s or 0, self.table_patience_s) / _PATIENCE_PARTS or _LINGER_S
        is_waiting = bool(self._awaited_others) and self.clock.silent_s >= most_s
        return is_waiting and not self._replica.core.held.is_lingering

    def claim(self) -> LoggedStep:
        """Claim the game of two in which the other player is awaited; ``VotingProblem`` if impossible or too early."""
        others = [prospect.absent for prospect in self.prospects() if prospect.is_claim]
        if not others:
            raise VotingProblem("the game is not waiting for the other player")
        self._check_patience(others[0])
        self._check_may_sign()
        return self._replica.carry_out(Claim(self._replica.player, others[0]))

    def _check_may_sign(self) -> None:
        """Raise ``TooEarly`` while this player may sign nothing."""
        if not self._replica.may_sign:
            raise TooEarly(
                f"{self._replica.game.names[self._replica.player - 1]} cannot vote now: the others must be heard from "
                "first, and a repository that was put back takes no part in a change that began before"
            )

    def longest_wait_s(self) -> float:
        """How long somebody has been waited for, relative to the patience: in silence, or in total in this turn."""
        turns = (self.clock.turn_s(player, self.table_patience_s) for player in self._awaited_others)
        return max(self.clock.silent_s, max(turns, default=0.0) / TURN_PATIENCES)

    def _check_patience(self, absent: Player) -> None:
        """Raise ``TooEarly`` unless a player has been waited for as long as the table has agreed on."""
        prospect = next((one for one in self.prospects() if one.absent == absent), None)
        if prospect is None:
            raise TooEarly("the other players must be heard from first: try again in a minute")
        if prospect.left_s > 0:
            known = durations.passed(self.clock.silent_s)
            alone = "; nobody could be reached, so only the time in which a program ran here counts"
            raise TooEarly(
                f"this table waits {durations.agreed(self.table_patience_s)} for a silent player, and nothing new has "
                f"come here for {known}{alone * self.clock.has_gap}: "
                f"{prospect.in_words([*self._replica.game.called.values()])}"
            )
