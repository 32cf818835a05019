"""Votes on the line of a game: what they promise, when all have agreed to go on without a player, and what follows.

A promise binds the player who has made it. A player who breaks one leaves two commits that contradict each other: a
peer refuses the second one that it receives, and names the first (``rules.promises``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping

from catan_p2p.game.actions import Action, Excuse, absence
from catan_p2p.game.actions.parts import unmet
from catan_p2p.game.actions.replies import CHARGES
from catan_p2p.game.constants import Player
from catan_p2p.game.state import State
from catan_p2p.limits import MAX_MERGED_VOTES, MAX_MERGED_VOTES_OF_PLAYER
from catan_p2p.log.ballot import CastVote, VotingRound
from catan_p2p.log.ledger import Ledger
from catan_p2p.log.storage.objects import ObjectId


def is_testified(ledger: Ledger, round: VotingRound, but: Player = 0) -> bool:
    """Whether a player other than the one voted on, and ``but``, has a commit in the line that builds on the answer."""
    line, ballot = ledger.line, ledger.ballot
    answer = line.answer_to(round)
    if answer is None or ballot.is_no_merged_by(round, answer):  # a liar may say no before there is an answer
        return answer is not None
    return any(
        step.player not in (round.absent, but) or ballot.is_no_merged_by(round, step.commit)
        for step in line.built_on(round)
    )


def is_decided(ledger: Ledger, round: VotingRound) -> bool:
    """Whether a vote on a silent player cannot change anything any more.

    Play has gone on without the player, or another player has accepted what they did and built on it.
    """
    if round.stage in CHARGES or round.base not in ledger.line.next:
        return False
    return ledger.line.answer_to(round) is None or is_testified(ledger, round)


def excuser(ledger: Ledger, round: VotingRound) -> Player:
    """The player who would carry out the excuse of the player voted on."""
    return absence.excuser(ledger.line.past_at(round.base).before_turn_vote().state, round.absent)


def too_early(state: State, excuse: Excuse) -> tuple[str, ...]:
    """What an excuse by votes lacks: it is by who acts next, once all others have replied (spec/CatanTable.tla).

    Sealed cards that the other has asked for are not needed: a player who asks twice, in two continuations, must get no
    second answer.
    """
    absent = excuse.absent
    has_all = all(
        player == absent or not absence.is_owing(state, player) or absence.asked_for_cards_by(state, player) == absent
        for player in state.constants.players
    )
    return unmet(excuse.player == absence.excuser(state, absent) or "PE2 next", has_all or "PE3 replies")


def is_void(
    ledger: Ledger, round: VotingRound, merged: Collection[ObjectId], coming: Mapping[ObjectId, int] | None = None
) -> bool:
    """Whether the yes votes of a round bind nobody: the excuser was proven a liar, and nobody holds their excuse.

    All others have charged the liar, in votes among ``merged`` or merged by the line. What they hold is held here, or
    is in ``coming``: the action that was voted on and its successors, with their heights.
    """

    def at(commit: ObjectId) -> int | None:
        return ledger.line.heights.get(commit, (coming or {}).get(commit))

    return ledger.settling.is_agreed(excuser(ledger, round), merged, ledger.line.answer_to, at)


def is_excused_by_none_but(ledger: Ledger, liar: Player, player: Player) -> bool:
    """Whether a liar has excused a player, and nobody else has built on that."""
    line = ledger.line
    for round in ledger.ballot.rounds():
        following = line.next.get(round.base)
        if round.absent != player or round.stage in CHARGES or line.answer_to(round) is not None:
            continue
        while following is not None and following.player == liar:
            if following.commit == line.head:
                return line.state.away[player - 1]
            following = line.next.get(following.commit)
    return False


def doubted(ledger: Ledger, player: Player) -> Iterator[tuple[VotingRound, ObjectId]]:
    """Iterate over actions that a player holds, that others have voted to go on without, and that nobody confirms.

    A player who has voted yes could not hold it, except for the player who would excuse.
    """
    ballot = ledger.ballot
    for round in ballot.rounds():
        answer = ledger.line.answer_to(round)
        if round.stage in CHARGES or answer is None or player == round.absent:
            continue
        if ballot.is_refused(round) or is_testified(ledger, round):
            continue
        if player not in ballot.of(round) or excuser(ledger, round) == player:
            yield round, answer


def excusable(ledger: Ledger) -> tuple[Player, ...]:
    """The players whom all others have agreed to go on without."""
    state, loose = ledger.line.state, ledger.ballot.loose
    return tuple(
        absent for absent in state.present if is_agreed(ledger, Excuse(0, absent), loose) and state.tp != "top"
    )


def is_agreed(ledger: Ledger, excuse: Excuse, merged: Collection[ObjectId]) -> bool:
    """Whether all others have agreed to an excuse, in votes among ``merged`` or merged before."""
    line = ledger.line
    voters = [player for player in line.state.present if player != excuse.absent]
    if ledger.ballot.is_agreed(ledger.line.round_of(excuse.absent), voters, merged):
        return True
    return ledger.settling.is_agreed(excuse.absent, merged, line.answer_to, line.heights.get)


def overruled(ledger: Ledger) -> VotingRound | None:
    """The round in which another commit survives than the one held here, so that this peer must change sides."""
    for round, kept in ledger.settling.outcomes.items():
        if kept is not None and ledger.line.answer_to(round) not in (None, kept):
            return round
    return None


# What votes name


def needed(ledger: Ledger) -> Iterator[ObjectId]:
    """Iterate over missing commits that votes name and without which play cannot go on."""
    for round in ledger.ballot.rounds():
        if round.base in ledger.line.heights and not ledger.line.state.away[round.absent - 1]:
            named = (cast.names for cast in ledger.ballot.of(round).values() if _counts(ledger, cast))
            yield from (name for name in named if name is not None and name not in ledger.line.heights)


def _counts(ledger: Ledger, cast: CastVote) -> bool:
    """Whether the commit that a vote names may be needed."""
    if cast.charge is None:
        return ledger.line.answer_to(cast.round) is None and not is_decided(ledger, cast.round)
    return ledger.settling.outcomes.get(cast.round, cast.charge.holds) == cast.charge.holds


def named(ledger: Ledger) -> list[ObjectId]:
    """The held actions that votes name, the newest first."""
    line, ballot = ledger.line, ledger.ballot
    names = {cast.names for round in ballot.rounds() for cast in ballot.of(round).values() if cast.names is not None}
    actions = [name for name in names if name in line.heights and name not in ballot.casts]
    return sorted(actions, key=lambda name: (-line.heights[name], name))


# Which votes a commit merges


def to_merge(ledger: Ledger, action: Action) -> tuple[ObjectId, ...]:
    """Choose the votes that the next commit of the line merges, in the order of their ids.

    All known ones, within the limits: first those that the action needs, then those whose question is open, and among
    these the ones on the newest commits first.
    """
    if not ledger.ballot.loose:
        return ()
    chosen: list[ObjectId] = []
    count: Counter[Player] = Counter()
    for cast in sorted(ledger.ballot.loose.values(), key=lambda cast: _rank(ledger, cast, action)):
        if len(chosen) < MAX_MERGED_VOTES and count[cast.voter] < MAX_MERGED_VOTES_OF_PLAYER:
            count[cast.voter] += 1
            chosen.append(cast.commit)
    return tuple(sorted(chosen))


def _rank(ledger: Ledger, cast: CastVote, action: Action) -> tuple[int, int, ObjectId]:
    """The sort key of a vote: what is merged first comes first."""
    round, own, outcomes = cast.round, ledger.ballot.of(cast.round).get(action.player), ledger.settling.outcomes
    if isinstance(action, Excuse) and round.absent == action.absent:
        is_needed = round == ledger.line.round_of(action.absent) or round in outcomes
    else:
        is_needed = (cast.says == "no" and own is not None) or (cast.charge is not None and cast == own)
        is_needed |= round in outcomes
    urgency = 0 if is_needed else 2 if is_decided(ledger, round) else 1
    return urgency, -ledger.line.heights[round.base], cast.commit
