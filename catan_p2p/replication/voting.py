"""Going on without a player who is silent: when a peer votes, what it answers to others' votes, and who excuses.

A program votes once it has waited long enough for somebody; a person when they like. Everything else follows: who holds
an action that another has voted to go on without testifies to it, and when all others have said yes, the one who acts
next excuses the player. Nothing here looks at another's clock.
"""

from __future__ import annotations

import math
from typing import Literal

from catan_p2p.game.actions import Action, Claim, Excuse, Vote
from catan_p2p.game.actions.absence import all_awaited, excuser, is_awaited
from catan_p2p.game.constants import Player
from catan_p2p.game.rules import broken_guards
from catan_p2p.limits import MAX_CHARGES, MAX_MERGED_VOTES_OF_PLAYER, MAX_OPEN_VOTES, MAX_OWN_CHARGES
from catan_p2p.log import votes
from catan_p2p.log.ballot import Round
from catan_p2p.log.proof import Charge, charge_of
from catan_p2p.log.verdict import Step
from catan_p2p.replication.core.events import Charged
from catan_p2p.replication.replica import Replica
from catan_p2p.replication.turn_clock import TURN_PATIENCES, TurnClock
from catan_p2p.time_source import SYSTEM_TIME, TimeSource


class VotingProblem(Exception):
    """A vote that cannot be cast; the message says why."""


class TooEarly(VotingProblem):
    """A vote on a silent player before the table's patience is over."""


class Voting:
    """What one peer has to do with votes."""

    def __init__(self, replica: Replica, time: TimeSource = SYSTEM_TIME) -> None:
        self._replica = replica
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
        replica = self._replica
        graph = replica.graph
        self.clock.look(graph)
        state = graph.state
        if not replica.catch_up.is_over:
            self.clock.pause()  # nobody acts before they have heard the others
            return []
        if not state.constants.rules.leaving:
            return []
        is_here = not state.away[replica.player - 1]
        written = self._testify() if is_here else []
        written += self.charge_liars()
        graph, state = replica.graph, replica.graph.state
        if is_here and not state.is_over:
            over = [absent for absent in self.votable() if self._is_over(absent, patience_s)]
            written += [self._say_yes(absent) for absent in over if self.has_room()]
            written += self._excuse(patience_s)
        if written:
            replica.store.publish()
        return written

    def _testify(self) -> list[Step]:
        """Say no where others have voted to go on without what this player holds, as long as there is room for it.

        The other half of the room is for the own yes's, and for what takes them back.
        """
        replica, graph = self._replica, self._replica.graph
        room = MAX_OPEN_VOTES // 2 - graph.ballot.open_count(replica.player)
        doubted = [*votes.doubted(graph.ledger, replica.player)][: max(room, 0)]
        return [replica.testify(round, answer) for round, answer in doubted]

    def has_room(self) -> bool:
        """Whether this player's next commit could merge one more vote that says yes."""
        me, ballot = self._replica.player, self._replica.graph.ballot
        open_yes = [cast for cast in ballot.loose.values() if cast.voter == me and cast.says == "yes"]
        return sum(cast.charge is None for cast in open_yes) < MAX_MERGED_VOTES_OF_PLAYER

    def awaited_others(self) -> tuple[Player, ...]:
        """Whom the game waits for, this player left out."""
        return tuple(player for player in all_awaited(self._replica.graph.state) if player != self._replica.player)

    def silent(self) -> tuple[Player, ...]:
        """Whom the game waits for, this player and those who are away left out; nobody if only two are left.

        With table talk that is whoever made the offer, not those who have not answered it: nobody has to hear them.
        """
        graph, me = self._replica.graph, self._replica.player
        others = [player for player in graph.state.present if player != me]
        if len(others) < 2:
            return ()
        return tuple(player for player in others if is_awaited(graph.before(Vote(me, player, "yes")), player))

    def votable(self) -> list[Player]:
        """On whom a program votes that has waited long enough.

        Whom all others who are awaited have voted on, and who would excuse: nobody can be excused without their votes,
        and a yes that leads to nothing binds all the same, until who would excuse takes theirs back.
        """
        graph, silent = self._replica.graph, self.silent()
        me, found = self._replica.player, []
        for absent in silent:
            round = graph.line.round_of(absent)
            said = graph.ballot.of(round)
            if me not in said and said.keys() >= {*silent, votes.excuser(graph.ledger, round)} - {absent, me}:
                found.append(absent)
        return found

    def own_vote(self, absent: Player) -> str | None:
        """What this player has said about another now."""
        graph = self._replica.graph
        own = graph.ballot.of(graph.line.round_of(absent)).get(self._replica.player)
        return None if own is None else own.says

    def vote(self, absent: Player, says: Literal["yes", "no"]) -> Step:
        """Vote on going on without a player now; ``VotingProblem`` if it cannot be, or not yet."""
        graph, player = self._replica.graph, self._replica.player
        vote = Vote(player, absent, says)
        colours = [seat.colour for seat in self._replica.game.seats]
        if own := self.own_vote(absent):
            both = "" if own == says else ", and nobody can say both"
            raise VotingProblem(f"{colours[player - 1]} has said {own} already{both}")
        guards = broken_guards(graph.before(vote), vote)
        if guards:
            raise VotingProblem(f"{vote} is not enabled: {', '.join(guards)}")
        if says == "no":
            raise VotingProblem(f"a no names what {colours[absent - 1]} did, and nothing is known here")
        if not self.has_room():
            raise VotingProblem(f"{MAX_MERGED_VOTES_OF_PLAYER} votes of {colours[player - 1]} are not merged yet")
        self.check_patience(absent)
        return self._say_yes(absent)

    def _say_yes(self, absent: Player) -> Step:
        return self._replica.cast(self._replica.graph.line.round_of(absent), Vote(self._replica.player, absent, "yes"))

    def longest_wait_s(self) -> float:
        """For how long somebody has been waited for, as a part of the patience: in silence, or in this turn in all."""
        turns = (self.clock.turn_s(player, self.table_patience_s) for player in self.awaited_others())
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

    def charge_liars(self) -> list[Step]:
        """Vote on everybody who has been proven a liar; it is not published yet.

        Who was excused by the liar votes too, as long as nobody else holds that: the others wait for their word.
        """
        replica, me = self._replica, self._replica.player
        graph = replica.graph
        written = []
        for round in self._lies_to_vote_on():
            if graph.state.away[me - 1]:
                is_over = not votes.is_excused_by_none_but(graph.ledger, round.absent, me)
            else:
                is_over = len(graph.state.present) < 3
            is_over |= me in graph.ballot.of(round) or me == round.absent or round.base not in graph
            if is_over or graph.state.away[round.absent - 1]:
                continue
            most = MAX_CHARGES if self._is_pressing(round) else MAX_OWN_CHARGES
            if graph.ballot.charge_count(me, round.absent) >= most:
                continue
            charge = self._charge_for(round)
            if charge is not None:
                written.append(replica.cast(round, Vote(me, round.absent, "yes"), charge=charge))
        replica.feed(Charged())
        return written

    def _lies_to_vote_on(self) -> list[Round]:
        """All lies that are known; first those that keep honest players apart, as far as is known."""
        replica = self._replica
        known = dict.fromkeys((*replica.core.settler.lies, *replica.graph.settling.rounds()))
        return sorted(known, key=lambda round: (not self._is_apart(round), not self._is_pressing(round)))

    def _is_apart(self, round: Round) -> bool:
        """Whether somebody else than the liar is said to hold the liar's other commit."""
        held = self._replica.graph.line.answer_to(round)
        charges = self._replica.graph.settling.charges(round).values()
        return round in self._replica.core.settler.apart or any(charge.holds != held for charge in charges)

    def _is_pressing(self, round: Round) -> bool:
        """Whether others wait for this player's vote on a lie."""
        return self._is_apart(round) or bool(self._replica.graph.settling.charges(round))

    def _charge_for(self, round: Round) -> Charge | None:
        """What this player says of a lie; None as long as they hold neither of the two commits and may get one."""
        graph, held = self._replica.graph, self._replica.graph.line.answer_to(round)
        if held is None and (round.stage == "fork" or round.base not in graph.line.next):
            return None
        known = self._replica.core.settler.proof_of(round)
        newest = graph.line.newest_of(round.absent)
        if held is not None:
            own = self._replica.store.read(held)[1]
            known = own, next(data for data in known if data != own)
        charge = charge_of(held, newest, graph.height(newest), *known)
        if held is None or self._replica.game.constants.rules.chance == "actor":
            return charge
        return charge._replace(spent=graph.ledger.spent_by(round, self._replica.player))

    def _excuse(self, patience_s: float | None) -> list[Step]:
        graph, me = self._replica.graph, self._replica.player
        actions: list[Action] = [
            Excuse(me, absent) for absent in votes.excusable(graph.ledger) if excuser(graph.state, absent) == me
        ]
        if len(graph.state.present) == 2:
            others = [other for other in graph.state.present if other != me]
            actions += [Claim(me, other) for other in others if self._is_over(other, patience_s)]
        for action in actions:
            if not broken_guards(graph.state, action):
                return [self._replica.carry_out(action)]
        return []
