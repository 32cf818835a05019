"""The votes on going on without a player, as a log holds them: who has said what about whom, and what follows from it.

A vote hangs on the commit of the line after which the game waits for the player. *Yes* promises to accept nothing of
the player that continues this commit; *no* names such a commit that the voter has accepted. A promise is over once
somebody else testifies that they have accepted the player's action: by a no, or by a commit of the line that builds on
it. Who would excuse the player is not bound by their own yes until they do: they take it back by a no that builds on
it. Votes change nothing in the game: the next commit of whoever holds them merges them, so that they are kept.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple

from catan_p2p.game.actions import Vote
from catan_p2p.game.actions.absence import is_owing
from catan_p2p.game.actions.replies import CHARGES, VoteStage
from catan_p2p.game.constants import Player
from catan_p2p.game.state import State
from catan_p2p.log.proof import Charge
from catan_p2p.log.storage.objects import ObjectId


class Round(NamedTuple):
    """What is voted on: going on without a player from a commit of the line on."""

    base: ObjectId
    stage: VoteStage
    absent: Player


class Cast(NamedTuple):
    """One vote that was accepted or written."""

    commit: ObjectId
    round: Round
    voter: Player
    says: str
    charge: Charge | None = None
    """Of a vote that goes by the proof of a lie."""
    takes_back: ObjectId | None = None
    """Of a no on top of the same player's yes: the yes."""


def stage_of(state: State, absent: Player) -> VoteStage:
    """What is voted on in a state: a reply that the player owes, or their turn."""
    return "owes" if is_owing(state, absent) else "turn"


class Ballot:
    """All votes of one game that are known.

    ``loose`` are those that no commit of the line has merged yet. ``me`` is the player whose own promises
    bind; 0: nobody's.
    """

    def __init__(self) -> None:
        self.me: Player = 0
        self.loose: dict[ObjectId, Cast] = {}
        self._votes: dict[Round, dict[Player, Cast]] = {}
        self._casts: dict[ObjectId, Cast] = {}
        self._released: set[Round] = set()
        self._merged_noes: dict[Round, set[ObjectId]] = {}

    def add(self, commit: ObjectId, round: Round, vote: Vote, charge: Charge | None = None) -> None:
        """Take in a vote, or a no that takes the same player's yes back."""
        votes = self._votes.setdefault(round, {})
        before = None if vote.player not in votes else votes[vote.player].commit
        cast = Cast(commit, round, vote.player, vote.says, charge, before)
        self._casts[commit] = self.loose[commit] = votes[vote.player] = cast

    def merge(self, line: ObjectId, votes: Iterable[ObjectId]) -> None:
        """Take note that a commit of the line merges these votes."""
        for vote in votes:
            cast = self.loose.pop(vote)
            if cast.says == "no":
                self._merged_noes.setdefault(cast.round, set()).add(line)

    def cast(self, commit: ObjectId) -> Cast | None:
        """The vote that a commit is, None if it is none."""
        return self._casts.get(commit)

    def open_count(self, voter: Player) -> int:
        """How many votes on silent players a voter has that no commit of the line has merged."""
        return sum(cast.voter == voter and cast.charge is None for cast in self.loose.values())

    def charge_count(self, voter: Player, liar: Player) -> int:
        """On how many lies of a liar a voter has voted."""
        rounds = (votes for round, votes in self._votes.items() if round.stage in CHARGES and round.absent == liar)
        return sum(voter in votes for votes in rounds)

    def of(self, round: Round) -> dict[Player, Cast]:
        """The votes of a round by voter, each one's last word."""
        return self._votes.get(round, {})

    def rounds(self) -> Collection[Round]:
        """Everything that was ever voted on."""
        return self._votes

    def is_agreed(self, round: Round, voters: Collection[Player], merged: Collection[ObjectId]) -> bool:
        """Whether all of these players have said yes, in votes that are among ``merged``."""
        votes = self.of(round)
        return all(voter in votes and votes[voter].says == "yes" and votes[voter].commit in merged for voter in voters)

    def is_refused(self, round: Round) -> bool:
        """Whether somebody has said no."""
        return any(cast.says == "no" for cast in self.of(round).values())

    def release(self, round: Round) -> None:
        """Take note that somebody else has accepted the player's action, and built on it."""
        self._released.add(round)

    def binds(self, round: Round) -> bool:
        """Whether this player's own promise stands."""
        own = self.of(round).get(self.me)
        return own is not None and own.says == "yes" and round not in self._released and not self.is_refused(round)

    def is_no_merged_by(self, round: Round, line: ObjectId) -> bool:
        """Whether a commit of the line merges a no of the round."""
        return line in self._merged_noes.get(round, ())
