"""The votes on going on without a player, as a log holds them: who has said what about whom, and what follows.

A vote hangs on the commit of the line after which the game waits for the player. *Yes* promises to accept no action of
the player that continues this commit; *no* names such a commit that the voter has accepted. A promise ends once
somebody else testifies that they have accepted the player's action: by a no, or by a commit of the line that builds on
it. The player who would carry out the excuse is not bound by their own yes until they do, and takes it back by a no
on top of it. Votes change nothing in the game. The next commit of a player who holds them merges them, so that they are
kept.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from catan_p2p.game.actions import Excuse, Vote
from catan_p2p.game.actions.absence import is_owing
from catan_p2p.game.actions.replies import CHARGES, SILENCES, VoteStage
from catan_p2p.game.constants import Player
from catan_p2p.game.state import State
from catan_p2p.log.dictionaries import PersistentMap
from catan_p2p.log.storage.objects import ObjectId

if TYPE_CHECKING:
    from catan_p2p.log.proof import ProofCharge


class VotingRound(NamedTuple):
    """The subject of a vote: going on without a player, from a commit of the line on."""

    base: ObjectId
    stage: VoteStage
    absent: Player


class CastVote(NamedTuple):
    """One vote that was accepted or written."""

    commit: ObjectId
    round: VotingRound
    voter: Player
    says: str
    charge: ProofCharge | None = None
    """Of a vote that charges a player with a proven lie."""
    takes_back: ObjectId | None = None
    """Of a no on top of the same player's yes: that yes."""
    names: ObjectId | None = None
    """The commit that a listener needs: the one that a no has accepted, or the newest one of a charge."""


def stage_of(state: State, absent: Player) -> VoteStage:
    """Which vote is held in a state: on a reply that the player owes, or on their turn."""
    return "owes" if is_owing(state, absent) else "turn"


@dataclass(frozen=True, slots=True)
class Ballot:
    """All known votes of one game, as an immutable value.

    ``loose`` maps commits to the votes that no commit of the line has merged yet. ``votes`` holds each voter's last
    word by round and voter; copying a round's votes at each vote costs less than judging the vote. ``me`` is the player
    whose own promises bind; 0: nobody's.
    """

    me: Player = 0
    loose: Mapping[ObjectId, CastVote] = field(default_factory=dict)
    votes: Mapping[VotingRound, Mapping[Player, CastVote]] = field(default_factory=dict)
    casts: PersistentMap[ObjectId, CastVote] = field(default_factory=PersistentMap)
    released: frozenset[VotingRound] = frozenset()
    """Rounds in which somebody else has accepted the player's action, and built on it."""
    merged_noes: frozenset[tuple[VotingRound, ObjectId]] = frozenset()
    """The rounds with the commits of the line that merge a no in them."""

    def add(
        self,
        commit: ObjectId,
        round: VotingRound,
        vote: Vote,
        charge: ProofCharge | None = None,
        names: ObjectId | None = None,
    ) -> Ballot:
        """The ballot with one more vote, or with a no that takes the same player's yes back."""
        before = self.of(round).get(vote.player)
        takes_back = None if before is None else before.commit
        names = names if charge is None else charge.newest
        cast = CastVote(commit, round, vote.player, vote.says, charge, takes_back, names)
        votes = {**self.votes, round: {**self.of(round), vote.player: cast}}
        return replace(self, loose={**self.loose, commit: cast}, votes=votes, casts=self.casts.adding(commit, cast))

    def merge(self, line: ObjectId, parents: Collection[ObjectId]) -> Ballot:
        """The ballot after a commit of the line that merges those votes that are among ``parents``."""
        loose = {commit: cast for commit, cast in self.loose.items() if commit not in parents}
        merged = (self.loose[parent] for parent in parents if parent in self.loose)
        noes = self.merged_noes.union((cast.round, line) for cast in merged if cast.says == "no")
        return replace(self, loose=loose, merged_noes=noes)

    def open_count(self, voter: Player) -> int:
        """How many of a voter's votes on silent players no commit of the line has merged."""
        return sum(cast.voter == voter and cast.charge is None for cast in self.loose.values())

    def charge_count(self, voter: Player, liar: Player) -> int:
        """On how many lies of a liar a voter has voted."""
        rounds = (votes for round, votes in self.votes.items() if round.stage in CHARGES and round.absent == liar)
        return sum(voter in votes for votes in rounds)

    def of(self, round: VotingRound) -> Mapping[Player, CastVote]:
        """The votes of a round by voter, each one's last word."""
        return self.votes.get(round, {})

    def rounds(self) -> Collection[VotingRound]:
        """Everything that was ever voted on."""
        return self.votes

    def is_agreed(self, round: VotingRound, voters: Collection[Player], merged: Collection[ObjectId]) -> bool:
        """Whether all of these players have said yes, in votes that are among ``merged``."""
        votes = self.of(round)
        return all(voter in votes and votes[voter].says == "yes" and votes[voter].commit in merged for voter in voters)

    def is_refused(self, round: VotingRound) -> bool:
        """Whether somebody has said no."""
        return any(cast.says == "no" for cast in self.of(round).values())

    def binds(self, round: VotingRound) -> bool:
        """Whether this player's own promise stands."""
        own = self.of(round).get(self.me)
        return own is not None and own.says == "yes" and round not in self.released and not self.is_refused(round)

    def is_no_merged_by(self, round: VotingRound, line: ObjectId) -> bool:
        """Whether a commit of the line merges a no of the round."""
        return (round, line) in self.merged_noes

    def denial_of(self, action: Excuse, base: ObjectId) -> ObjectId | None:
        """The no by which the player who excuses has said otherwise, None if there is none."""
        votes = (self.of(VotingRound(base, stage, action.absent)).get(action.player) for stage in SILENCES)
        return next((own.commit for own in votes if own and own.says == "no"), None)
