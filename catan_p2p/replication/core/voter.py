"""How a player votes on silent players and liars, and whom they excuse: what is due now, without any clock."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from catan_p2p.game.actions import Claim, Excuse, Vote
from catan_p2p.game.actions.absence import all_awaited, asked_for_cards_by, is_awaited
from catan_p2p.game.constants import NO_OWNER, Player
from catan_p2p.game.rules import broken_guards
from catan_p2p.limits import MAX_CHARGES, MAX_MERGED_VOTES_OF_PLAYER, MAX_OPEN_VOTES, MAX_OWN_CHARGES
from catan_p2p.log import votes
from catan_p2p.log.ballot import VotingRound
from catan_p2p.log.graph import CommitGraph
from catan_p2p.log.proof import ProofCharge, charge_of
from catan_p2p.replication.core.events import VoteDecided
from catan_p2p.replication.core.fork_settlement import ForkSettlement
from catan_p2p.replication.core.replica_state import ReplicaState


def silent_others(graph: CommitGraph, me: Player) -> tuple[Player, ...]:
    """The players for whom the game waits, except ``me`` and players who are away; none if only two are left.

    With table talk that is the player who made the offer, not those who have not answered: nobody must wait for them.
    """
    others = [player for player in graph.state.present if player != me]
    if len(others) < 2:
        return ()
    return tuple(player for player in others if is_awaited(graph.before(Vote(me, player, "yes")), player))


def has_room(graph: CommitGraph, me: Player) -> bool:
    """Whether the next commit of ``me`` could merge one more yes."""
    open_yes = [cast for cast in graph.ballot.loose.values() if cast.voter == me and cast.says == "yes"]
    return sum(cast.charge is None for cast in open_yes) < MAX_MERGED_VOTES_OF_PLAYER


def own_vote(graph: CommitGraph, me: Player, absent: Player) -> str | None:
    """The current vote of ``me`` about another player."""
    own = graph.ballot.of(graph.line.round_of(absent)).get(me)
    return None if own is None else own.says


class VoteWriter:
    """One player's votes on others; each vote is written before the next is asked for."""

    def __init__(self, held: ReplicaState, fork_settlement: ForkSettlement) -> None:
        self._held = held
        self._settler = fork_settlement

    # Silence

    def awaited_others(self) -> tuple[Player, ...]:
        """The players for whom the game waits, except this player."""
        return tuple(player for player in all_awaited(self._held.graph.state) if player != self._held.player)

    def silent(self) -> tuple[Player, ...]:
        """The players for whom the game waits, according to ``silent_others``."""
        return silent_others(self._held.graph, self._held.player)

    def votable(self) -> list[Player]:
        """The players on whom a program votes that has waited long enough.

        All other awaited players and the excuser must have voted on them first: nobody can be excused without their
        votes, and a yes without a result binds all the same, until the excuser takes theirs back.
        """
        graph, silent = self._held.graph, self.silent()
        me, found = self._held.player, []
        for absent in silent:
            if absent in self._held.spared.from_votes:
                continue
            round = graph.line.round_of(absent)
            said = graph.ballot.of(round)
            if me not in said and said.keys() >= {*silent, votes.excuser(graph.ledger, round)} - {absent, me}:
                found.append(absent)
        return found

    def voters_on_me(self) -> list[Player]:
        """The players who have said yes to going on without this one at the newest commit of the line."""
        graph, me = self._held.graph, self._held.player
        if not is_awaited(graph.state, me):
            return []
        said = graph.ballot.of(graph.line.round_of(me))
        return [voter for voter, cast in said.items() if cast.says == "yes" and cast.charge is None]

    def has_room(self) -> bool:
        """Whether this player's next commit could merge one more yes."""
        return has_room(self._held.graph, self._held.player)

    def own_vote(self, absent: Player) -> str | None:
        """This player's current vote about another player."""
        return own_vote(self._held.graph, self._held.player, absent)

    def yes(self, absent: Player) -> VoteDecided:
        """The vote to go on without a player."""
        return VoteDecided(self._held.graph.line.round_of(absent), Vote(self._held.player, absent, "yes"))

    def testimonies(self) -> list[VoteDecided]:
        """The no votes to actions held here that others have voted to go on without, as far as there is room.

        The other half of the room is for own yes votes, and for taking them back.
        """
        room = MAX_OPEN_VOTES // 2 - self._held.graph.ballot.open_count(self._held.player)
        return [*self._doubted()][: max(room, 0)]

    def taken_back(self) -> list[VoteDecided]:
        """The no votes to actions held here that an own yes opposed: nobody may build on what they voted against."""
        return [no for no in self._doubted() if self._held.player in self._held.graph.ballot.of(no.round)]

    def _doubted(self) -> Iterator[VoteDecided]:
        me = self._held.player
        for round, answer in votes.doubted(self._held.graph.ledger, me):
            yield VoteDecided(round, Vote(me, round.absent, "no"), answer)

    def departures(self, is_over: Callable[[Player], bool]) -> Iterator[Excuse | Claim]:
        """The excuses or claims due from this player; ``is_over`` says who was waited for long enough.

        Excuses that rest on the proof of a lie about hidden cards are left to ``OwnCards.course``.
        """
        graph, me = self._held.graph, self._held.player
        excuses = (Excuse(me, absent) for absent in votes.excusable(graph.ledger))
        found: list[Excuse | Claim] = [one for one in excuses if not votes.too_early(graph.state, one)]
        if len(graph.state.present) == 2:
            others = [other for other in graph.state.present if other not in {me, *self._held.spared.from_claims}]
            others = [other for other in others if is_awaited(graph.state, other)]
            found += [Claim(me, other) for other in others if is_over(other)]
        return (action for action in found if not broken_guards(graph.state, action))

    # Lies

    def charges(self) -> Iterator[VoteDecided]:
        """The votes on every proven liar.

        A player whom the liar has excused votes, too, as long as nobody else holds the excuse: the others wait for it.
        """
        graph, me = self._held.graph, self._held.player
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
                yield VoteDecided(round, Vote(me, round.absent, "yes"), charge=charge)

    @property
    def withholds_cards(self) -> bool:
        """Whether this player owes sealed cards to a player whom they charge with a lie, and who may have some already.

        Nobody needs to answer: the others go on without the liar, and without the liar's demand.
        """
        asker = asked_for_cards_by(self._held.graph.state, self._held.player)
        if asker == NO_OWNER:
            return False
        ballot, me = self._held.graph.ballot, self._held.player
        is_charged = any(me in ballot.of(round) for round in self._lies_to_vote_on() if round.absent == asker)
        return is_charged or any(charge.round.absent == asker for charge in self.charges())

    def _lies_to_vote_on(self) -> list[VotingRound]:
        """All known lies; first those that are known to keep honest players apart."""
        known = dict.fromkeys((*self._settler.lies, *self._held.graph.settling.rounds()))
        return sorted(known, key=lambda round: (not self._is_apart(round), not self._is_pressing(round)))

    def _is_apart(self, round: VotingRound) -> bool:
        """Whether somebody other than the liar is said to hold the liar's other commit."""
        held = self._held.graph.line.answer_to(round)
        charges = self._held.graph.settling.charges(round).values()
        return round in self._settler.apart or any(charge.holds != held for charge in charges)

    def _is_pressing(self, round: VotingRound) -> bool:
        """Whether others wait for this player's vote on a lie."""
        return self._is_apart(round) or bool(self._held.graph.settling.charges(round))

    def _charge_for(self, round: VotingRound) -> ProofCharge | None:
        """This player's charge about a lie; None while they hold neither commit and may still get one."""
        graph, answer = self._held.graph, self._held.graph.line.answer_to(round)
        if answer is None and (round.stage == "fork" or round.base not in graph.line.next):
            return None
        known = self._settler.proof_of(round)
        newest = graph.line.newest_of(round.absent)
        if answer is not None:
            own = self._held.read(answer)[1]
            known = own, next(data for data in known if data != own)
        charge = charge_of(answer, newest, graph.height(newest), *known)
        if answer is None or self._held.game.constants.rules.chance == "actor":
            return charge
        return charge._replace(spent=graph.ledger.spent_by(round, self._held.player))
