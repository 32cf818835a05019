"""Votes on the line of a game: which are valid, what they promise, and when all have agreed to go on without a player.

A promise binds who has made it. Whoever breaks one leaves two commits that contradict each other: the second one that
somebody holds is refused, and names the first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator

from catan_p2p.game.actions import Action, Claim, Excuse, Vote
from catan_p2p.game.actions.absence import excuser
from catan_p2p.game.actions.replies import CHARGES, SILENCES, is_reply
from catan_p2p.game.chance import SPENT_BY_A_LIE
from catan_p2p.game.constants import Player
from catan_p2p.game.rules import broken_guards
from catan_p2p.limits import MAX_MERGED_VOTES, MAX_MERGED_VOTES_OF_PLAYER
from catan_p2p.log.ballot import Cast, Round, stage_of
from catan_p2p.log.commit import Commit, Entry
from catan_p2p.log.game import FormatError
from catan_p2p.log.line import Line, Prepared
from catan_p2p.log.proof import Charge
from catan_p2p.log.settling import Lie, read_lie
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.tree import Put, next_tree
from catan_p2p.log.verdict import Reason, Rejected, Step, fork


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
            for step in self._built_on(round)
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
        past = self._past_of(round.base)
        assert past is not None
        return excuser(past.state, round.absent)

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
            if self._is_agreed(Excuse(0, absent), self.ballot.loose) and not self.state.is_over
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
        urgency = 0 if is_needed else 2 if self.is_decided(round) else 1
        return urgency, -self._height[round.base], cast.commit

    def _overfull(self, commit: ObjectId, merged: Collection[ObjectId]) -> Rejected | None:
        """Refuse a commit that merges more votes than a commit may."""
        count = Counter(self.ballot.loose[vote].voter for vote in merged)
        if len(merged) > MAX_MERGED_VOTES:
            return Rejected("parents", commit, f"it merges {len(merged)} votes, at most {MAX_MERGED_VOTES} are allowed")
        for player, votes in count.items():
            if votes > MAX_MERGED_VOTES_OF_PLAYER:
                most = f"at most {MAX_MERGED_VOTES_OF_PLAYER} are allowed"
                return Rejected("parents", commit, f"it merges {votes} votes of player {player}, {most}")
        return None

    def _built_by(self, action: Excuse | Claim, base: ObjectId) -> ObjectId | None:
        """Where its player has gone on from what the other did after ``base``, to go on without whom it says."""
        found = (step for stage in SILENCES for step in self._built_on(Round(base, stage, action.absent)))
        return next((step.commit for step in found if step.player == action.player), None)

    def _is_agreed(self, excuse: Excuse, merged: Collection[ObjectId]) -> bool:
        voters = [player for player in self.state.present if player != excuse.absent]
        if self.ballot.is_agreed(self.round_of(excuse.absent), voters, merged):
            return True
        return self.settling.is_agreed(excuse.absent, merged, self.answer_to, self._height.get)

    def _unpromised(self, commit: ObjectId, action: Action, merged: Collection[ObjectId]) -> Rejected | None:
        """Refuse what breaks a promise: an action that this player would accept, or that its own player built on."""
        if self.settling.binds(action.player, commit):
            return Rejected("promised", commit, f"a vote says that player {action.player} has lied")
        for round in self.ballot.rounds():
            if round.stage in CHARGES or self.settling.is_settled(round.base, round.absent):
                continue
            if round.absent == action.player and round.base == self.head and self.ballot.binds(round):
                if (round.stage == "owes") == is_reply(action) and self.excuser(round) != self.ballot.me:
                    return Rejected("promised", commit, f"a vote says to go on without player {action.player}")
            own = self.ballot.of(round).get(action.player)
            if own is None or is_reply(action) or self.answer_to(round) is None:
                continue
            if own.says == "no":
                is_shown = own.commit in merged or own.commit not in self.ballot.loose
                if own.takes_back is not None and not is_shown:
                    return self._broken_promise(commit, own.takes_back)
                continue
            noes = [one for one in self.ballot.of(round).values() if one.says == "no" and one.commit in merged]
            if not noes and not self.is_testified(round, action.player):
                return self._broken_promise(commit, own.commit)
        return None

    def _denied_before(self, commit: ObjectId, action: Excuse, base: ObjectId) -> Rejected | None:
        """Refuse an excuse by who has said no to it."""
        votes = (self.ballot.of(Round(base, stage, action.absent)).get(action.player) for stage in SILENCES)
        return next((self._broken_promise(commit, own.commit) for own in votes if own and own.says == "no"), None)

    def _broken_promise(self, commit: ObjectId, other: ObjectId) -> Rejected:
        return Rejected("vote", commit, f"{other[:10]} says otherwise, by the same player", other=other)

    def round_voted_on(self, parents: tuple[ObjectId, ...], entry: Entry) -> Round:
        """What a vote with these parents is about."""
        if (yes := self.ballot.cast(parents[0])) is not None:
            return yes.round
        vote, past = entry.action, self._past_of(parents[0])
        assert past is not None and isinstance(vote, Vote)
        if entry.charge is not None:
            return self.read_lie(*entry.charge.proof).round
        state = past.tree.state if len(parents) == 1 else past.state
        return Round(parents[0], stage_of(state, vote.absent), vote.absent)

    def _before_vote(self, round: Round) -> Prepared:
        past = self._past_of(round.base)
        assert past is not None
        if round.stage in ("owes", *CHARGES):
            return Prepared((round.base,), past.tree.state, past.tree)
        return Prepared((round.base, *past.replies), past.state, past.tree)

    def _check_vote(self, commit: ObjectId, parts: Commit, entry: Entry, vote: Vote, put: Put) -> Step | Rejected:
        if (yes := self.ballot.cast(parts.parents[0])) is not None:
            return self._check_taken_back(commit, parts, entry, yes, put)
        past = self._past_of(parts.parents[0])
        if past is None or parts.parents[1:] not in ((), past.replies):
            return self._misplaced(commit, parts.parents, vote)
        unproven = self._unproven(commit, parts.parents[0], entry)
        if unproven is not None:
            return unproven
        round = self.round_voted_on(parts.parents, entry)
        known = self.ballot.of(round).get(vote.player)
        if known is not None:
            return fork(commit, known.commit)
        before = self._before_vote(round)
        guards = broken_guards(before.state, vote)
        if entry.charge is not None:
            guards = tuple(tag for tag in guards if tag != "VO6 awaited")
        if parts.parents != before.parents and not guards:
            return Rejected("parents", commit, "a vote on a turn has all replies that play waits for as parents")
        if guards:
            return Rejected("guard", commit, f"{vote} is not enabled: {', '.join(guards)}", guards)
        step = self._voted(commit, parts, entry, before, put)
        if isinstance(step, Rejected):
            return step
        if entry.charge is not None:
            return self._denied(commit, round, entry.charge, vote) or step
        answer = self.answer_to(round)
        if vote.says == "yes" and answer is not None and not self.ballot.is_no_merged_by(round, answer):
            for following in self._built_on(round):
                if following.player == vote.player:
                    return self._broken_promise(commit, following.commit)
                if following.player != round.absent or self.ballot.is_no_merged_by(round, following.commit):
                    break
        return step

    def _voted(self, commit: ObjectId, parts: Commit, entry: Entry, before: Prepared, put: Put) -> Step | Rejected:
        """The step of a vote, whose tree is that of the game before it."""
        tree = next_tree(before.tree, before.state, put)
        if tree.root != parts.tree:
            return Rejected("tree", commit, f"its tree is {parts.tree[:10]}, the action produces {tree.root[:10]}")
        return Step(commit, parts.parents, entry.action, tree, parts.author.time_s, entry)

    def _check_taken_back(self, commit: ObjectId, parts: Commit, entry: Entry, yes: Cast, put: Put) -> Step | Rejected:
        """Judge a no that builds on a yes: of the same player, who would excuse and has not."""
        vote, round = entry.action, yes.round
        assert isinstance(vote, Vote)
        of_yes = Vote(yes.voter, round.absent, "no")
        if parts.parents != (yes.commit,) or vote != of_yes or round.stage in CHARGES:
            return self._misplaced(commit, parts.parents, vote)
        last = self.ballot.of(round)[vote.player]
        if self.excuser(round) != vote.player or last != yes:
            return fork(commit, last.commit)
        following = self._next.get(round.base)
        if self.answer_to(round) is None and following is not None and following.player == vote.player:
            return self._broken_promise(commit, following.commit)
        return self._voted(commit, parts, entry, self._before_vote(round), put)

    # Shares that were told on another side of a lie

    def spent_by(self, round: Round, voter: Player) -> int:
        """The number up to which a voter's shares count as told, once the line goes on from what they do not hold."""
        past = self._past_of(round.base)
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

    def _late_vote(self, player: Player) -> Cast | None:
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
        return late if late is not None and _spent_of(late) > self._lottery.spent(player) else None

    def _spent_in(self, player: Player, commit: ObjectId | None, parents: tuple[ObjectId, ...]) -> int:
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
        past = self._past_of(round.base)
        assert past is not None
        state = past.tree.state
        is_merged = round.stage == "lies" and state.to_act != round.absent
        voters = [player for player in state.present if player != round.absent]
        self.settling.weigh(round, voters, state.to_act if is_merged else 0)

    def _unproven(self, commit: ObjectId, base: ObjectId, entry: Entry) -> Rejected | None:
        """Refuse a vote whose proof proves nothing, or something else than it says."""
        charge, vote = entry.charge, entry.action
        if charge is None or not isinstance(vote, Vote):
            return None
        try:
            lie = self.read_lie(*charge.proof)
        except FormatError as error:
            return Rejected("proof", commit, str(error))
        if (lie.round.base, lie.round.absent) != (base, vote.absent) or charge.commits != tuple(sorted(charge.commits)):
            return Rejected("proof", commit, f"it proves no lie of player {vote.absent} after {base[:10]}")
        if charge.holds is not None and charge.holds not in charge.commits:
            return Rejected("proof", commit, f"{charge.holds[:10]}, which it holds, is not in its proof")
        if charge.spent is not None and not self._may_spend(lie.round, charge, vote.player):
            return Rejected("proof", commit, f"no shares up to number {charge.spent} can have been told there")
        return None

    def _may_spend(self, round: Round, charge: Charge, voter: Player) -> bool:
        is_joint = self.game.constants.rules.chance == "joint"
        return is_joint and charge.holds is not None and charge.spent == self.spent_by(round, voter)

    def _denied(self, commit: ObjectId, round: Round, charge: Charge, vote: Vote) -> Rejected | None:
        """Refuse a vote by who has built on another of the liar's commits than the one they say to hold."""
        if self.answer_to(round) in (None, charge.holds) or round.base in self._optional:
            return None
        steps = (step for step in self._built_on(round) if step.player == vote.player)
        return next((self._broken_promise(commit, step.commit) for step in steps), None)

    # Where a commit cannot be

    def _misplaced(self, commit: ObjectId, parents: tuple[ObjectId, ...], action: Action) -> Rejected:
        first = parents[0]
        if self.state.away[action.player - 1]:
            return Rejected("excused", commit, f"player {action.player} has been excused")
        if isinstance(action, Excuse | Claim) and (other := self._built_by(action, first)) is not None:
            return self._broken_promise(commit, other)
        if isinstance(action, Excuse) and (denied := self._denied_before(commit, action, first)) is not None:
            return denied
        if is_reply(action) and first in self._next:
            detail = f"play has already gone on in {self._next[first].commit[:10]}"
            other = self._replied.get((first, action.player))
            reason: Reason = "overtaken" if other is None and first in self._optional else "late"
            return Rejected(reason, commit, detail, other=other)
        if first in self._next and self._next[first].player == action.player:
            return fork(commit, self._next[first].commit)
        return Rejected(
            "parents", commit, f"{type(action).__name__} cannot follow {', '.join(p[:10] for p in parents)}"
        )


def _spent_of(cast: Cast) -> int:
    assert cast.charge is not None
    return cast.charge.spent or 0
