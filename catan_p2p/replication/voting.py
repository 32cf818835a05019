"""Going on without a silent player: when a peer votes, answers others' votes, and excuses.

A program votes once it has waited long enough for a player; a person votes when they like. The rest follows
(``core.voter``): a player who holds an action that another has voted to go on without testifies to it, and when all
others have voted yes, the one who acts next excuses the player. Nothing here depends on another machine's clock.
"""

from __future__ import annotations

import math
from itertools import islice
from typing import Literal

from catan_p2p import durations
from catan_p2p.game.actions import Claim, Vote
from catan_p2p.game.constants import Player
from catan_p2p.game.rules import broken_guards
from catan_p2p.limits import MAX_MERGED_VOTES_OF_PLAYER
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.verdict import LoggedStep
from catan_p2p.replication.core.events import LiarsCharged, LingerEnded
from catan_p2p.replication.kept_wait import keep_wait, read_wait
from catan_p2p.replication.prospects import LeaveProspect, prospects
from catan_p2p.replication.replica import Replica
from catan_p2p.replication.turn_clock import TURN_PATIENCES, TurnClock
from catan_p2p.time_source import SYSTEM_TIME, TimeSource

_PATIENCE_PARTS = 3
"""After one such part of the patience a peer shows what awaited players may lack."""
_LINGER_S = 120.0
"""The same where no patience is known."""
LAST_CALL_PART, LAST_CALL_S = 0.1, 10.0
"""How long a program waits after the excuser's vote with its own, and with the excuse after the last vote: this part of
the patience, or so many seconds if that is less. The player voted on may need just these votes to act
(``CatchUp.hear_promises``), and still can.
"""
_ASLEEP_S = 30.0
"""A machine that has not looked for this much longer than it meant to was asleep."""
_AWAKE_S = 30.0
"""How long after it players who cannot be reached count as silent again."""
_KEPT_AFTER_S, _KEPT_EVERY_S = 5.0, 60.0
"""After this much silence the wait for others is written down, and then at this interval; after a tenth of a patience,
if that is shorter.
"""


class VotingProblem(Exception):
    """A vote that cannot be cast; the message says why."""


class TooEarly(VotingProblem):
    """A vote on a silent player before the table's patience is over."""


class VotingDuty:
    """One peer's duties concerning votes, when it is time."""

    def __init__(self, replica: Replica, time: TimeSource = SYSTEM_TIME) -> None:
        self._replica = replica
        self._time = time
        self.voter = replica.core.voter
        self._folder, self._medium = replica.store.folder / "catan-p2p", replica.store.medium
        self.clock = TurnClock(time, read_wait(self._folder, self._medium))
        self._kept_s = -math.inf
        """The silence that was written down last."""
        self._looked_at: tuple[float, float] | None = None
        """The two clocks of this machine at the last look."""
        self._votes_seen: dict[ObjectId, float] = {}
        """Since when votes that nothing has merged have been known; for ever, if they were at the first look."""
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

    def _could_answer(self, absent: Player, patience_s: float | None) -> bool:
        """Whether a player had time to act since this program knows what others have voted on them.

        Who has taken all the time of a turn has acted before, and gets none: they could end every vote just in time.
        """
        graph, me = self._replica.graph, self._replica.player
        patience_s = max(patience_s or 0.0, self.table_patience_s)
        if self.clock.turn_s(absent, patience_s) >= TURN_PATIENCES * patience_s:
            return True
        said = graph.ballot.of(graph.line.round_of(absent)).values()
        others = [self._votes_seen.get(cast.commit, -math.inf) for cast in said if cast.voter != me]
        waited_s = self._time.monotonic() - max(others, default=-math.inf)
        return waited_s >= min(LAST_CALL_PART * patience_s, LAST_CALL_S)

    def go_on(self, patience_s: float | None = None) -> list[LoggedStep]:
        """Testify, excuse or claim where it is due; vote on players who were waited for this long, None: on nobody.

        Nobody is voted on before the table's patience is over. What was written is published.
        """
        replica, voter = self._replica, self.voter
        graph = replica.graph
        self.look()
        state = graph.state
        if not replica.catch_up.is_over:  # nobody acts before they have heard the others
            return []
        if not state.constants.rules.leaving:
            return []
        is_here = not state.away[replica.player - 1]
        if self._lingers(patience_s):
            replica.feed(LingerEnded())
        written = [replica.cast(no) for no in voter.testimonies()] if is_here else []
        written += self.charge_liars()
        if is_here and replica.graph.state.tp != "top":
            over = [absent for absent in voter.votable() if self._is_over(absent, patience_s)]
            over = [absent for absent in over if self._could_answer(absent, patience_s)]
            written += [replica.cast(voter.yes(absent)) for absent in over if voter.has_room()]
            departures = voter.departures(lambda absent: self._is_over(absent, patience_s))
            due = (action for action in departures if self._could_answer(action.absent, patience_s))
            written += [replica.carry_out(action) for action in islice(due, 1)]
        if written:
            replica.store.publish()
        return written

    def look(self) -> None:
        """Record what is new, and keep how long others have been waited for."""
        replica, now = self._replica, (self._time.monotonic(), self._time.date_s())
        # Two clocks, since on some systems one of them stands still while the machine sleeps.
        asleep_s = self.pause_s + _ASLEEP_S
        if self._looked_at is not None and max(b - a for a, b in zip(self._looked_at, now, strict=True)) > asleep_s:
            self._awake_at = now[0]
            for neighbour in replica.neighbours:
                neighbour.listed = None  # so that it is looked at, whether something moves there or not
        seen_at = -math.inf if self._looked_at is None else now[0]
        self._votes_seen = {vote: self._votes_seen.get(vote, seen_at) for vote in replica.graph.ballot.loose}
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
        is_waiting = bool(self.voter.awaited_others()) and self.clock.silent_s >= most_s
        return is_waiting and not self._replica.core.held.is_lingering

    def charge_liars(self) -> list[LoggedStep]:
        """Vote on every proven liar, and follow what all settle on; it is not published yet."""
        written = [self._replica.cast(yes) for yes in self.voter.charges()]
        self._replica.feed(LiarsCharged())
        return written

    def vote(self, absent: Player, says: Literal["yes", "no"]) -> LoggedStep:
        """Vote on going on without a player now; ``VotingProblem`` if that is impossible, or too early."""
        graph, player = self._replica.graph, self._replica.player
        vote, called = Vote(player, absent, says), [*self._replica.game.called.values()]
        if own := self.voter.own_vote(absent):
            both = "" if own == says else ", and nobody can say both"
            raise VotingProblem(f"{called[player - 1]} has said {own} already{both}")
        guards = broken_guards(graph.before(vote), vote)
        if guards:
            raise VotingProblem(
                f"{called[player - 1]} cannot vote on {called[absent - 1]}: the rules forbid it ({', '.join(guards)})"
            )
        if says == "no":
            raise VotingProblem(f"a no must name an action of {called[absent - 1]}, and none is known here")
        if not self.voter.has_room():
            raise VotingProblem(
                f"{MAX_MERGED_VOTES_OF_PLAYER} votes of {called[player - 1]} are not merged yet: wait until some are"
            )
        self._check_patience(absent)
        return self._replica.cast(self.voter.yes(absent))

    def claim(self) -> LoggedStep:
        """Claim the game of two in which the other player is awaited; ``VotingProblem`` if impossible or too early."""
        others = [prospect.absent for prospect in self.prospects() if prospect.is_claim]
        if not others:
            raise VotingProblem("the game is not waiting for the other player")
        self._check_patience(others[0])
        return self._replica.carry_out(Claim(self._replica.player, others[0]))

    def longest_wait_s(self) -> float:
        """How long somebody has been waited for, relative to the patience: in silence, or in total in this turn."""
        turns = (self.clock.turn_s(player, self.table_patience_s) for player in self.voter.awaited_others())
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
