"""How long a peer has waited for others, and its part in going on without them.

Nothing here depends on another machine's clock.
"""

from __future__ import annotations

import math

from catan_p2p import durations
from catan_p2p.game.actions import Claim
from catan_p2p.game.constants import Player
from catan_p2p.log.commit import decode_commit
from catan_p2p.log.verdict import LoggedStep
from catan_p2p.log.views.view import Change
from catan_p2p.replication.core.events import LingerEnded
from catan_p2p.replication.core.view_duty import ViewDuty
from catan_p2p.replication.kept_wait import keep_wait, read_wait
from catan_p2p.replication.prospects import LeaveProspect, prospects
from catan_p2p.replication.replica import Replica
from catan_p2p.replication.turn_clock import TURN_PATIENCES, TurnClock
from catan_p2p.time_source import SYSTEM_TIME, TimeSource

ROUND_S = 20.0
"""The time of a round, or the table's patience if that is less; each later round has one more."""
LAST_CALL_PART, LAST_CALL_S = 0.1, 10.0
"""How long a coordinator waits after the last vote: this part of the patience, or so many seconds if that is less."""
_MOST_AT_ONCE = 64
"""How much a peer signs before it looks at the others again."""
_PATIENCE_PARTS = 3
"""After one such part of the patience a peer shows what awaited players may lack."""
_LINGER_S = 120.0
"""The same where no patience is known."""
_ASLEEP_S = 30.0
"""A machine that has not looked for this much longer than it meant to was asleep."""
_AWAKE_S = 30.0
"""How long after it players who cannot be reached count as silent again."""
_KEPT_AFTER_S, _KEPT_EVERY_S = 5.0, 60.0
"""After this much silence, or a tenth of a patience, the wait for others is written down, and then at this interval."""


class VotingProblem(Exception):
    """A vote or a claim that is impossible now; the message says why."""


class TooEarly(VotingProblem):
    """A vote or a claim before the table's patience is over, or before this player may sign anything."""


class VotingDuty:
    """One peer's duties: to know how long others have been waited for and, where that is possible, to go on."""

    def __init__(self, replica: Replica, time: TimeSource = SYSTEM_TIME) -> None:
        self._replica = replica
        self._time = time
        self._folder, self._medium = replica.store.folder / "catan-p2p", replica.store.medium
        kept = read_wait(self._folder, self._medium)
        self.clock, self._visited_s = TurnClock(time, kept), kept.date_s if kept else time.date_s()
        self._kept_s = -math.inf
        """The silence that was written down last."""
        self._looked_at: tuple[float, float] | None = None
        """The two clocks of this machine at the last look."""
        self.pause_s = 0.0
        """How long the pause before the next look is meant to be, at most."""
        self._awake_at: float | None = None
        """When this machine, or this program, woke up, if not all others have been heard since."""
        self._valid, self._duty = replica.graph.valid, ViewDuty(replica.graph.valid, replica.player)
        self._round: tuple[Change, int, bool] | None = None
        """The change that comes next, its round here, and whether more than half have voted in that."""
        self._round_since_s = 0.0
        self._unwanted: tuple[str, set[Player]] = "", set()
        """The newest commit at which the person wants to go on without parties that are awaited, and these."""
        self._heard: tuple[Change, int] | None = None
        """The change that comes next, and how many votes in it are known."""
        self._heard_at_s = 0.0
        self._idle: tuple[object, ...] = ()
        """What nothing was due for: how many commits are known, who has been waited for, and what time has passed."""

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
        return prospects(self._replica.graph, self._replica.player, self.clock, self._replica.store.read)

    def _lingers(self, patience_s: float | None) -> bool:
        """Whether it is time to show what others may lack, long before they are voted on as silent."""
        most_s = max(patience_s or 0, self.table_patience_s) / _PATIENCE_PARTS or _LINGER_S
        is_waiting = bool(self._awaited_others) and self.clock.silent_s >= most_s
        return is_waiting and not self._replica.core.held.is_lingering

    def _is_round_over(self, duty: ViewDuty, patience_s: float) -> bool:
        """Whether the time of the round in which this party has signed something has passed.

        It begins anew when more than half have voted: only then can the coordinator propose.
        """
        votes = self._valid.changes.cast(duty.change, duty.round)
        now_s, at = self._time.monotonic(), (duty.change, duty.round, duty.change.is_majority(votes))
        if at != self._round:
            before_s = self._quiet_s(duty) if self._round is None and duty.round else 0.0
            self._round, self._round_since_s = at, now_s - before_s
        return now_s - self._round_since_s >= at[1] * min(ROUND_S, patience_s) + _grace_s(patience_s)

    def _quiet_s(self, duty: ViewDuty) -> float:
        """How long a program that runs for a moment has waited in the round, by dates; 0 if others may yet take part.

        Two visits without news give them time. If too many are in later rounds, this one decides nothing any more.
        """
        now_s, cast = self._time.date_s(), self._valid.changes.votes[duty.change]
        gone = {party for later in cast if later > duty.round for party in cast[later]}
        signed = (*cast[duty.round].values(), *self._valid.changes.proposals.get(duty.change, ()))
        dates = (decode_commit(self._replica.store.read(one.link.commit)[1]).author.time_s for one in signed)
        quiet_s = min((now_s - date_s for date_s in dates if date_s <= now_s), default=0.0)
        is_stuck = not duty.change.is_majority(cast[duty.round].keys() - gone)
        return quiet_s if is_stuck or quiet_s >= 2 * (now_s - self._visited_s) else 0.0

    def _is_grace_over(self, duty: ViewDuty, patience_s: float) -> bool:
        """Whether no vote has come for so long that those who have not voted are no longer waited for.

        Votes that were there at the first look have been waited for: a program that runs for a moment cannot wait.
        Whoever has voted in an earlier round is there, and waited for until half of a round's time has passed.
        """
        change, now_s = duty.change, self._time.monotonic()
        heard = change, sum(map(len, self._valid.changes.votes.get(change, {}).values()))
        if heard != self._heard:
            self._heard, self._heard_at_s = heard, -math.inf if self._heard is None else now_s
        grace_s = min(ROUND_S, patience_s) / 2 if duty.lacks_voter else _grace_s(patience_s)
        return now_s - self._heard_at_s >= grace_s

    def go_on(self, patience_s: float | None = None) -> list[LoggedStep]:
        """Record, vote, propose or accept what is due about who was waited for this long, or ask to come back.

        What was signed is published.
        None: nobody was. Nobody is left out before the table's patience is over, nor where nobody may leave.
        """
        replica, written, takes_part = self._replica, list[LoggedStep](), False
        self.look()
        if not replica.game.has_views or not replica.may_sign:
            return written
        if self._lingers(patience_s):
            replica.feed(LingerEnded())
        duty = self._duty
        table_s = max(patience_s or 0.0, self.table_patience_s) or ROUND_S
        for _ in range(_MOST_AT_ONCE):
            if (record := duty.record(replica.graph.state)) is not None:
                written.append(replica.record(record))
                continue
            # Who has heard from too few may have missed that they are back, or what has happened since.
            if replica.may_ask and replica.catch_up.has_heard_most and (asks := duty.request()) is not None:
                written.append(replica.sign(asks))
                continue
            party_of, (at, unwanted) = self._valid.party_of, self._unwanted
            waited = {party_of[player] for player in replica.graph.awaited if self._is_over(player, patience_s)}
            waited |= unwanted if at == replica.graph.head else set()
            is_round_over, is_grace_over = self._is_round_over(duty, table_s), self._is_grace_over(duty, table_s)
            asked = len(self._valid), waited, is_round_over, is_grace_over, takes_part
            if asked == self._idle:
                break
            due = duty.due(waited, is_round_over=is_round_over and not takes_part, is_grace_over=is_grace_over)
            if due is None:
                self._idle = asked
                break
            written.append(replica.sign(due))
            takes_part |= due.kind != "vote"
            self.look()  # a new view begins with a patience of its own
        if written:
            replica.store.publish()
        return written

    def vote(self, absent: Player) -> LoggedStep:
        """Vote for going on without whose party has this first seat: a person's wish, before their program's patience.

        ``VotingProblem`` if that is impossible, or too early.
        """
        if not self._replica.game.has_views:
            raise VotingProblem("nobody may leave this game")
        called = [*self._replica.game.called.values()]
        prospect = next((one for one in self.prospects() if one.absent == absent), None)
        if prospect is None:
            raise VotingProblem(
                f"{called[absent - 1]} is not awaited, or {called[self._replica.player - 1]} has no vote"
            )
        self._check_patience(absent)
        if not prospect.is_possible:
            raise VotingProblem(prospect.in_words(called))
        self._check_may_sign()
        self._unwanted = self._replica.graph.head, {absent}
        written = self.go_on()
        vote = next((step for step in written if step.action.player == self._replica.player), None)
        if vote is None:
            raise VotingProblem(
                f"{called[self._replica.player - 1]} has voted in this round already: say it again in the next one"
            )
        return vote

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


def _grace_s(patience_s: float) -> float:
    """How long a coordinator waits after the last vote before it proposes to leave out who may only be slow."""
    return min(LAST_CALL_PART * patience_s, LAST_CALL_S)
