"""Votes on the line of a game: what they promise, when all have agreed to go on without a player, what comes next.

A promise binds who has made it. Whoever breaks one leaves two commits that contradict each other: the second one that
somebody holds is refused, and names the first (``rules.promises``, ``rules.contradiction``).
"""

from __future__ import annotations

from collections import ChainMap, Counter
from collections.abc import Collection, Iterator, Mapping

from catan_p2p.game.actions import Action, Claim, Excuse, Vote
from catan_p2p.game.actions.absence import excuser
from catan_p2p.game.actions.replies import CHARGES, SILENCES, are_optional, is_reply
from catan_p2p.game.chance import SPENT_BY_A_LIE, Draw
from catan_p2p.game.constants import Player
from catan_p2p.game.rules import effect
from catan_p2p.game.state import State
from catan_p2p.limits import MAX_MERGED_VOTES, MAX_MERGED_VOTES_OF_PLAYER
from catan_p2p.log.ballot import Cast, Round, stage_of
from catan_p2p.log.commit import Entry
from catan_p2p.log.game import FormatError
from catan_p2p.log.line import Line, Prepared
from catan_p2p.log.settling import Lie, read_lie
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.verdict import Rejected


class PromisedLine(Line):
    """The line with the votes that hang on it."""

    def round_of(self, absent: Player) -> Round:
        """What would be voted on now about a player."""
        return Round(self.head, stage_of(self.state, absent), absent)

    def is_testified(self, round: Round, but: Player = 0) -> bool:
        """Whether another than the player voted on, and ``but``, has a commit in the line that builds on the answer."""
        answer = self.answer_to(round)
        if answer is None or self.ballot.is_no_merged_by(round, answer):  # a liar may say no before there is an answer
            return answer is not None
        return any(
            step.player not in (round.absent, but) or self.ballot.is_no_merged_by(round, step.commit)
            for step in self.built_on(round)
        )

    def is_decided(self, round: Round) -> bool:
        """Whether a vote on a silent player can change nothing any more.

        Play has gone on without the player, or another has accepted what the player did and built on it.
        """
        if round.stage in CHARGES or not self.has_passed(round.base):
            return False
        return self.answer_to(round) is None or self.is_testified(round)

    def excuser(self, round: Round) -> Player:
        """Who would excuse the player voted on."""
        past = self.past_of(round.base)
        assert past is not None
        return excuser(past.state, round.absent)

    def is_void(self, round: Round, merged: Collection[ObjectId], coming: Mapping[ObjectId, int] | None = None) -> bool:
        """Whether the yeses of a round bind nobody: who would excuse was proven a liar, and nobody holds their excuse.

        All others have charged the liar, in votes among ``merged`` or merged by the line. What they hold is held
        here, or is ``coming`` after the action that was voted on: that action, and what follows it, with their heights.
        """
        known = ChainMap(self._height, {**(coming or {})})
        return self.settling.is_agreed(self.excuser(round), merged, self.answer_to, known.get)

    def is_excused_by_none_but(self, liar: Player, player: Player) -> bool:
        """Whether a liar has excused a player, and nobody else has gone on from that."""
        for round in self.ballot.rounds():
            following = self._next.get(round.base)
            if round.absent != player or round.stage in CHARGES or self.answer_to(round) is not None:
                continue
            while following is not None and following.player == liar:
                if following.commit == self.head:
                    return self.state.away[player - 1]
                following = self._next.get(following.commit)
        return False

    def doubted(self, player: Player) -> Iterator[tuple[Round, ObjectId]]:
        """Where others have voted to go on without an action that a player holds, and nobody has testified to it.

        Who has said yes themselves could not hold it, but for who would excuse.
        """
        for round in [*self.ballot.rounds()]:
            votes, answer = self.ballot.of(round), self.answer_to(round)
            if round.stage in CHARGES or answer is None or player == round.absent:
                continue
            if self.ballot.is_refused(round) or self.is_testified(round):
                continue
            if player not in votes or self.excuser(round) == player:
                yield round, answer

    def excusable(self) -> tuple[Player, ...]:
        """Whom all others have agreed to go on without."""
        return tuple(
            absent
            for absent in self.state.present
            if self.is_agreed(Excuse(0, absent), self.ballot.loose) and not self.state.is_over
        )

    # Which votes a commit merges

    def to_merge(self, action: Action) -> tuple[ObjectId, ...]:
        """The votes that the next commit of the line merges, in the order of their ids.

        All that are known, as far as the limits allow: first those that the action cannot do without, then those whose
        question is open, of these the ones on the newest commits.
        """
        if not self.ballot.loose:
            return ()
        chosen: list[ObjectId] = []
        count: Counter[Player] = Counter()
        for cast in sorted(self.ballot.loose.values(), key=lambda cast: self._rank(cast, action)):
            if len(chosen) < MAX_MERGED_VOTES and count[cast.voter] < MAX_MERGED_VOTES_OF_PLAYER:
                count[cast.voter] += 1
                chosen.append(cast.commit)
        return tuple(sorted(chosen))

    def _rank(self, cast: Cast, action: Action) -> tuple[int, int, ObjectId]:
        """What is merged first comes first."""
        round, own = cast.round, self.ballot.of(cast.round).get(action.player)
        if isinstance(action, Excuse) and round.absent == action.absent:
            is_needed = round == self.round_of(action.absent) or round in self.settling.outcomes
        else:
            is_needed = (cast.says == "no" and own is not None) or (cast.charge is not None and cast == own)
            is_needed |= round in self.settling.outcomes
        urgency = 0 if is_needed else 2 if self.is_decided(round) else 1
        return urgency, -self._height[round.base], cast.commit

    def built_by(self, action: Excuse | Claim, base: ObjectId) -> ObjectId | None:
        """Where its player has gone on from what the other did after ``base``, to go on without whom it says."""
        found = (step for stage in SILENCES for step in self.built_on(Round(base, stage, action.absent)))
        return next((step.commit for step in found if step.player == action.player), None)

    def is_agreed(self, excuse: Excuse, merged: Collection[ObjectId]) -> bool:
        """Whether all others have agreed to an excuse, by votes among ``merged`` or merged before."""
        voters = [player for player in self.state.present if player != excuse.absent]
        if self.ballot.is_agreed(self.round_of(excuse.absent), voters, merged):
            return True
        return self.settling.is_agreed(excuse.absent, merged, self.answer_to, self._height.get)

    def denial_of(self, action: Excuse, base: ObjectId) -> ObjectId | None:
        """The no by which who excuses has said otherwise."""
        votes = (self.ballot.of(Round(base, stage, action.absent)).get(action.player) for stage in SILENCES)
        return next((own.commit for own in votes if own and own.says == "no"), None)

    def round_voted_on(self, parents: tuple[ObjectId, ...], entry: Entry) -> Round:
        """What a vote with these parents is about."""
        if (yes := self.ballot.cast(parents[0])) is not None:
            return yes.round
        vote, past = entry.action, self.past_of(parents[0])
        assert past is not None and isinstance(vote, Vote)
        if entry.charge is not None:
            return self.read_lie(*entry.charge.proof).round
        state = past.tree.state if len(parents) == 1 else past.state
        return Round(parents[0], stage_of(state, vote.absent), vote.absent)

    def before_vote(self, round: Round) -> Prepared:
        """What a vote meets."""
        past = self.past_of(round.base)
        assert past is not None
        if round.stage in ("owes", *CHARGES):
            return Prepared((round.base,), past.tree.state, past.tree)
        return Prepared((round.base, *past.replies), past.state, past.tree)

    # Shares that were told on another side of a lie

    def spent_by(self, round: Round, voter: Player) -> int:
        """The number up to which a voter's shares count as told, once the line goes on from what they do not hold."""
        past = self.past_of(round.base)
        assert past is not None
        return past.spent.get(voter, 0) + SPENT_BY_A_LIE

    def _counts(self, cast: Cast, commit: ObjectId | None, parents: tuple[ObjectId, ...]) -> bool:
        """Whether what a vote says of its voter's shares counts where a commit merges it.

        It does unless the line goes on from the commit of the liar's that the voter holds. ``commit`` is None where it
        is not written yet.
        """
        if cast.charge is None or cast.charge.spent is None:
            return False
        following = self._next.get(cast.round.base)
        through = (commit, *parents) if following is None else (following.commit, *following.parents)
        return cast.charge.holds not in through

    def late_vote(self, player: Player) -> Cast | None:
        """The vote that a player brings with their reveal, as the call does not have it; None if there is none."""
        casts = (
            cast
            for cast in self.ballot.loose.values()
            if cast.voter == player
            and cast.round.base in self._next
            and not self.state.away[cast.round.absent - 1]
            and self._counts(cast, None, ())
        )
        late = max(casts, key=lambda cast: (_spent_of(cast), cast.commit), default=None)
        return late if late is not None and _spent_of(late) > self.lottery.spent(player) else None

    def spent_in(self, player: Player, commit: ObjectId | None, parents: tuple[ObjectId, ...]) -> int:
        """The number up to which a player's shares count as told by the votes that a commit of theirs merges."""
        casts = [self.ballot.loose[parent] for parent in parents if parent in self.ballot.loose]
        counting = (cast for cast in casts if cast.voter == player and self._counts(cast, commit, parents))
        return max(map(_spent_of, counting), default=0)

    # Votes by the proof of a lie

    def read_lie(self, one: bytes, other: bytes) -> Lie:
        """What two commits prove in this game; ``FormatError`` if that is nothing."""
        if any(seat.key is None for seat in self.game.seats):
            raise FormatError("without keys nobody can prove anything")
        return read_lie(one, other, self.game.constants, self.is_forged)

    def is_dropped(self, bad: Rejected) -> bool:
        """Whether a commit was refused because another of its player's has survived in its place."""
        return bad.reason == "fork" and bad.other is not None and bad.other in self.settling.outcomes.values()

    def overruled(self) -> Round | None:
        """Where another commit survives than the one that is held: whoever holds this has to move over."""
        return next(
            (
                round
                for round, kept in self.settling.outcomes.items()
                if kept is not None and self.answer_to(round) not in (None, kept)
            ),
            None,
        )

    def _weigh(self, round: Round) -> None:
        past = self.past_of(round.base)
        assert past is not None
        state = past.tree.state
        is_merged = round.stage == "lies" and state.to_act != round.absent
        voters = [player for player in state.present if player != round.absent]
        self.settling.weigh(round, voters, state.to_act if is_merged else 0)

    # What comes next

    def drawn(self, state: State, action: Action | None = None) -> Draw | None:
        """The draw that an action settles in this state, None if nothing is drawn or somebody still has to reveal.

        Votes settle none, and those who go on without its caller drop it.
        """
        if state.tp != "Drawing" or any(state.due) or isinstance(action, Vote | Excuse | Claim):
            return None
        return self.lottery.draw()

    def prepare(self, action: Action, parents: tuple[ObjectId, ...] | None = None) -> Prepared:
        """What an action meets that comes next; ``parents`` are those that somebody else's commit has.

        Where replies are optional, another action may have been taken before some of them were heard.
        """
        if isinstance(action, Vote):
            return self.before_vote(self.round_of(action.absent))
        first = self._tree.state
        if is_reply(action):
            return Prepared((self.head,), first, self._tree)
        heard = [self.replies[player] for player in sorted(self.replies)]
        if parents is None or not are_optional(first) or len(parents) == len(heard) + 1:
            return Prepared((self.head, *(reply.commit for reply in heard)), self.state, self._tree)
        heard = [reply for reply in heard if reply.commit in parents]
        state = first
        for reply in heard:
            state = effect(state, reply.action)
        return Prepared((self.head, *(reply.commit for reply in heard)), state, self._tree)


def _spent_of(cast: Cast) -> int:
    assert cast.charge is not None
    return cast.charge.spent or 0
