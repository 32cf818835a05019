"""Going on without a player who is silent: when a peer votes, answers others' votes, and excuses.

A program votes once it has waited long enough for somebody; a person when they like. Everything else follows
(``core.voter``): who holds an action that another has voted to go on without testifies to it, and when all others have
said yes, the one who acts next excuses the player. Nothing here looks at another's clock.
"""

from __future__ import annotations

import math
from itertools import islice
from typing import Literal

from catan_p2p.game.actions import Vote
from catan_p2p.game.constants import Player
from catan_p2p.game.rules import broken_guards
from catan_p2p.limits import MAX_MERGED_VOTES_OF_PLAYER
from catan_p2p.log.verdict import Step
from catan_p2p.replication.core.events import Charged, Lingered
from catan_p2p.replication.replica import Replica
from catan_p2p.replication.turn_clock import TURN_PATIENCES, TurnClock
from catan_p2p.time_source import SYSTEM_TIME, TimeSource

_PATIENCE_PARTS = 3
"""After one of these parts of the patience a peer shows what whoever is awaited may lack."""
_LINGER_S = 120.0
"""The same where no patience is known."""


class VotingProblem(Exception):
    """A vote that cannot be cast; the message says why."""


class TooEarly(VotingProblem):
    """A vote on a silent player before the table's patience is over."""


class Voting:
    """What one peer has to do with votes, when it is time."""

    def __init__(self, replica: Replica, time: TimeSource = SYSTEM_TIME) -> None:
        self._replica = replica
        self.voter = replica.core.voter
        self.clock = TurnClock(time)
        self.still_s = 0.0
        """For how long nothing has been new in the repository, where that is known from before this program's start."""

    @property
    def table_patience_s(self) -> int:
        """The patience that the table has agreed on; 0 if it has not."""
        return self._replica.game.constants.rules.patience

    def is_late(self, patience_s: float) -> bool:
        """Whether this player's own turn has to end soon, or the others vote."""
        patience_s = max(patience_s, self.table_patience_s)
        return self.clock.turn_s(self._replica.player, patience_s) >= (TURN_PATIENCES - 1) * patience_s

    def _is_over(self, absent: Player, patience_s: float | None) -> bool:
        """Whether a player who is awaited has been waited for so long, and for as long as the table has agreed on."""
        if patience_s is None:
            return False
        patience_s = max(patience_s, self.table_patience_s)
        return self.still_s >= patience_s > 0 or self.clock.is_over(absent, patience_s)

    def go_on(self, patience_s: float | None = None) -> list[Step]:
        """Testify, excuse or claim where it is time; vote on whom was waited for so long, None: on nobody.

        Nobody is voted on before the table's patience is over. What was written is published.
        """
        replica, voter = self._replica, self.voter
        graph = replica.graph
        self.clock.look(graph)
        state = graph.state
        if not replica.catch_up.is_over:
            self.clock.pause()  # nobody acts before they have heard the others
            return []
        if not state.constants.rules.leaving:
            return []
        is_here = not state.away[replica.player - 1]
        if self._lingers(patience_s):
            replica.feed(Lingered())
        written = [replica.cast(no) for no in voter.testimonies()] if is_here else []
        written += self.charge_liars()
        if is_here and replica.graph.state.tp != "top":
            over = [absent for absent in voter.votable() if self._is_over(absent, patience_s)]
            written += [replica.cast(voter.yes(absent)) for absent in over if voter.has_room()]
            departures = voter.departures(lambda absent: self._is_over(absent, patience_s))
            written += [replica.carry_out(action) for action in islice(departures, 1)]
        if written:
            replica.store.publish()
        return written

    def _lingers(self, patience_s: float | None) -> bool:
        """Whether it is time to show what others may lack, long before they are voted on as silent."""
        most_s = max(patience_s or 0, self.table_patience_s) / _PATIENCE_PARTS or _LINGER_S
        is_waiting = bool(self.voter.awaited_others()) and max(self.clock.silent_s, self.still_s) >= most_s
        return is_waiting and not self._replica.core.held.is_lingering

    def charge_liars(self) -> list[Step]:
        """Vote on everybody who has been proven a liar, and follow what all settle on; it is not published yet."""
        written = [self._replica.cast(yes) for yes in self.voter.charges()]
        self._replica.feed(Charged())
        return written

    def vote(self, absent: Player, says: Literal["yes", "no"]) -> Step:
        """Vote on going on without a player now; ``VotingProblem`` if it cannot be, or not yet."""
        graph, player = self._replica.graph, self._replica.player
        vote = Vote(player, absent, says)
        colours = [seat.colour for seat in self._replica.game.seats]
        if own := self.voter.own_vote(absent):
            both = "" if own == says else ", and nobody can say both"
            raise VotingProblem(f"{colours[player - 1]} has said {own} already{both}")
        guards = broken_guards(graph.before(vote), vote)
        if guards:
            raise VotingProblem(f"{vote} is not enabled: {', '.join(guards)}")
        if says == "no":
            raise VotingProblem(f"a no names what {colours[absent - 1]} did, and nothing is known here")
        if not self.voter.has_room():
            raise VotingProblem(f"{MAX_MERGED_VOTES_OF_PLAYER} votes of {colours[player - 1]} are not merged yet")
        self.check_patience(absent)
        return self._replica.cast(self.voter.yes(absent))

    def longest_wait_s(self) -> float:
        """For how long somebody has been waited for, as a part of the patience: in silence, or in this turn in all."""
        turns = (self.clock.turn_s(player, self.table_patience_s) for player in self.voter.awaited_others())
        return max(self.clock.silent_s, max(turns, default=0.0) / TURN_PATIENCES)

    def check_patience(self, absent: Player) -> None:
        """Raise ``VotingProblem`` unless a player has been waited for as long as the table has agreed on."""
        patience_s, known_s = self.table_patience_s, max(self.clock.silent_s, self.still_s)
        if patience_s and not self._is_over(absent, patience_s):
            colour = self._replica.game.seats[absent - 1].colour
            raise TooEarly(
                f"this table waits {patience_s} s for a silent player, and here nothing is new for {int(known_s)} s: "
                f"vote on {colour} in {math.ceil(patience_s - known_s)} s, if nothing comes"
            )
