"""One peer's part in changes of the view, when it is time: by its own clock alone."""

from __future__ import annotations

import math

from catan_p2p.game.constants import Player
from catan_p2p.log.commit import decode_commit
from catan_p2p.log.verdict import LoggedStep
from catan_p2p.log.views.view import Change
from catan_p2p.replication.core.events import LingerEnded
from catan_p2p.replication.core.view_duty import ViewDuty
from catan_p2p.replication.replica import Replica
from catan_p2p.replication.voting import VotingDuty, VotingProblem
from catan_p2p.time_source import SYSTEM_TIME, TimeSource

ROUND_S = 20.0
"""The time of a round, or the table's patience if that is less; each later round has one more."""
LAST_CALL_PART, LAST_CALL_S = 0.1, 10.0
"""How long a coordinator waits after the last vote: this part of the patience, or so many seconds if that is less."""
_MOST_AT_ONCE = 64
"""How much a peer signs before it looks at the others again."""


class ViewVoting(VotingDuty):
    """One peer's duties in a game with views."""

    def __init__(self, replica: Replica, time: TimeSource = SYSTEM_TIME) -> None:
        super().__init__(replica, time)
        graph = replica.graph
        assert graph.game.has_views
        self._views, self._duty = graph.views, ViewDuty(graph.views, replica.player)
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

    def _is_round_over(self, duty: ViewDuty, patience_s: float) -> bool:
        """Whether the time of the round in which this party has signed something has passed.

        It begins anew when more than half have voted: only then can the coordinator propose.
        """
        votes = self._views.votes.get(duty.change, {}).get(duty.round, ())
        now_s, at = self._time.monotonic(), (duty.change, duty.round, duty.change.is_majority(votes))
        if at != self._round:
            # A program that runs for a moment goes by the date of what was signed here before.
            before_s = self._signed_ago_s() if self._round is None and duty.round else 0.0
            self._round, self._round_since_s = at, now_s - before_s
        return now_s - self._round_since_s >= at[1] * min(ROUND_S, patience_s) + _grace_s(patience_s)

    def _signed_ago_s(self) -> float:
        """How long ago the player has signed their last commit, by the date of this machine."""
        replica = self._replica
        signed = decode_commit(replica.store.read(self._views.chain_ends[replica.player])[1])
        return max(0.0, self._time.date_s() - signed.author.time_s)

    def _is_grace_over(self, duty: ViewDuty, patience_s: float) -> bool:
        """Whether no vote has come for so long that those who have not voted are no longer waited for.

        Votes that were there at the first look have been waited for: a program that runs for a moment cannot wait.
        """
        change, now_s = duty.change, self._time.monotonic()
        heard = change, sum(map(len, self._views.votes.get(change, {}).values()))
        if heard != self._heard:
            self._heard, self._heard_at_s = heard, -math.inf if self._heard is None else now_s
        return now_s - self._heard_at_s >= _grace_s(patience_s)

    def go_on(self, patience_s: float | None = None) -> list[LoggedStep]:
        """Record, vote, propose or accept what is due, and publish it; ``patience_s``: see ``VotingDuty``."""
        replica, written = self._replica, list[LoggedStep]()
        self.look()
        if not replica.may_sign:
            return written
        if self._lingers(patience_s):
            replica.feed(LingerEnded())
        duty = self._duty
        table_s = max(patience_s or 0.0, self.table_patience_s) or ROUND_S
        for _ in range(_MOST_AT_ONCE):
            if (excuse := duty.record(replica.graph.state)) is not None:
                written.append(replica.record(excuse))
                continue
            party_of, (at, unwanted) = self._views.party_of, self._unwanted
            waited = {party_of[player] for player in replica.graph.awaited if self._is_over(player, patience_s)}
            waited |= unwanted if at == replica.graph.head else set()
            is_round_over, is_grace_over = self._is_round_over(duty, table_s), self._is_grace_over(duty, table_s)
            asked = len(self._views), waited, is_round_over, is_grace_over
            if asked == self._idle:
                break
            due = duty.due(waited, is_round_over=is_round_over, is_grace_over=is_grace_over)
            if due is None:
                self._idle = asked
                break
            written.append(replica.sign(due))
            self.look()  # a new view begins with a patience of its own
        if written:
            replica.store.publish()
        return written

    def vote(self, absent: Player) -> LoggedStep:
        """Vote for going on without whose party has this first seat: a person's wish, before their program's patience.

        ``VotingProblem`` if that is impossible, or too early.
        """
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


def _grace_s(patience_s: float) -> float:
    """How long a coordinator waits after the last vote before it proposes to leave out who may only be slow."""
    return min(LAST_CALL_PART * patience_s, LAST_CALL_S)


def voting_duty(replica: Replica, time: TimeSource = SYSTEM_TIME) -> VotingDuty:
    """The duties of a peer; where nobody may leave, it only waits."""
    return (ViewVoting if replica.game.has_views else VotingDuty)(replica, time)
