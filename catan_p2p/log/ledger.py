"""What one peer has validated of a game: the line, the votes and their results, and the shares of draws.

A ledger never changes; ``extend`` returns the next one. ``log.rules`` decides what may be in the next one,
``log.votes`` what votes promise.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from catan_p2p.game.actions import Vote
from catan_p2p.game.actions.replies import is_reply
from catan_p2p.game.chance import SPENT_BY_A_LIE
from catan_p2p.game.constants import Player
from catan_p2p.log.authorship import SignatureCheck, forgery
from catan_p2p.log.ballot import Ballot, CastVote, VotingRound, stage_of
from catan_p2p.log.commit import LogEntry, decode_commit, parse_entry
from catan_p2p.log.dictionaries import PersistentMap
from catan_p2p.log.game import FormatError, GameDefinition
from catan_p2p.log.known_shares import KnownShares
from catan_p2p.log.line import GameLine
from catan_p2p.log.settled_votes import ProvenLie, SettledVotes, read_lie
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.tree import StateTree
from catan_p2p.log.verdict import LoggedStep


class Ledger(NamedTuple):
    """The validated part of a game's commit graph; nothing in it ever changes."""

    game: GameDefinition
    root: ObjectId
    verify: SignatureCheck | None
    line: GameLine
    settling: SettledVotes
    """The results of votes on players who lie."""
    ballot: Ballot
    """Votes on players who are silent or lie; in games that nobody may leave there are none."""
    known_shares: KnownShares

    @classmethod
    def begin(
        cls, game: GameDefinition, root: ObjectId, tree: StateTree, verify: SignatureCheck | None = None
    ) -> Ledger:
        """Return the ledger that holds only the root."""
        known_shares = KnownShares(root)
        heights = PersistentMap[ObjectId, int]().adding(root, 0)
        sealed_cards = None
        if game.constants.rules.hands != "open":
            from catan_p2p.log.sealed_cards import first_sealed_cards

            sealed_cards = first_sealed_cards(root, game.constants)
        line = GameLine(root, tree, tree.state, known_shares, heights, PersistentMap(), {}, sealed_cards=sealed_cards)
        return cls(game, root, verify, line, settling := SettledVotes(Ballot()), settling.ballot, known_shares)

    def extend(self, step: LoggedStep) -> Ledger:
        """Return the ledger with one more commit, which was accepted or written."""
        known_shares = self.known_shares
        # Before the share of this commit: merged votes may raise the number that it must have.
        if self.ballot.loose:
            known_shares = known_shares.spend(self.spent_in(step.commit, step.parents))
        if step.entry.share is not None:
            known_shares = known_shares.after(step.entry, step.entry.share)
        if self.game.constants.rules.chance_ahead:
            known_shares = known_shares.after_turn(step.entry, step.state)
        line, settling = self.line.after(step, known_shares), self.settling
        if isinstance(step.action, Vote):
            settling = self._voted(step, step.action)
        elif self.ballot.loose and not is_reply(step.action):
            settling = replace(settling, ballot=self.ballot.merge(step.commit, step.parents))
        return Ledger(self.game, self.root, self.verify, line, settling, settling.ballot, known_shares)

    def _voted(self, step: LoggedStep, vote: Vote) -> SettledVotes:
        round = self.round_voted_on(step.parents, step.entry)
        entry = step.entry
        settling = replace(self.settling, ballot=self.ballot.add(step.commit, round, vote, entry.charge, entry.names))
        if entry.charge is None:
            return settling
        state = self.line.past_at(round.base).tree.state
        is_merged = round.stage == "lies" and state.to_act != round.absent
        voters = [player for player in state.present if player != round.absent]
        return settling.weigh(round, voters, state.to_act if is_merged else 0)

    def settled(self, settling: SettledVotes) -> Ledger:
        """Return the ledger with other votes and results."""
        return self._replace(settling=settling, ballot=settling.ballot)

    def round_voted_on(self, parents: tuple[ObjectId, ...], entry: LogEntry) -> VotingRound:
        """Return the round of a vote with these parents."""
        if (yes := self.ballot.casts.get(parents[0])) is not None:
            return yes.round
        if entry.charge is not None:
            return self.read_lie(*entry.charge.proof).round
        vote, past = entry.action, self.line.past_at(parents[0])
        assert isinstance(vote, Vote)
        state = past.tree.state if len(parents) == 1 else past.before_turn_vote().state
        return VotingRound(parents[0], stage_of(state, vote.absent), vote.absent)

    def read_lie(self, one: bytes, other: bytes) -> ProvenLie:
        """Return what two commits prove in this game; ``FormatError`` if they prove nothing."""
        if any(seat.key is None for seat in self.game.seats):
            raise FormatError("this game has no keys, so that no commit proves who wrote it")
        return read_lie(one, other, self.game.constants, self.is_forged)

    def is_forged(self, commit: ObjectId, data: bytes) -> bool:
        """Whether the bytes of a commit are not by the player whom its message names."""
        parts = decode_commit(data)
        player = parse_entry(parts.message, self.game.constants).action.player
        return forgery(commit, parts, self.game, player, self.verify) is not None

    # Shares that were told on another side of a lie

    def spent_by(self, round: VotingRound, voter: Player) -> int:
        """The number up to which a voter's shares count as told if the line goes on without the commit they hold."""
        return self.line.past_at(round.base).known_shares.spent(voter) + SPENT_BY_A_LIE

    def spent_in(self, commit: ObjectId | None, parents: tuple[ObjectId, ...]) -> Mapping[Player, int]:
        """By player, the number up to which shares count as told because of the votes that a commit merges.

        ``commit`` is None if it is not written yet.
        """
        if not self.ballot.loose:
            return {}
        spent: dict[Player, int] = {}
        for cast in map(self.ballot.loose.get, parents):
            if cast is not None and (number := self._spent_as_of(cast, commit, parents)):
                spent[cast.voter] = max(number, spent.get(cast.voter, 0))
        return spent

    def late_vote(self, player: Player) -> CastVote | None:
        """The vote that a player brings with their reveal, because the call lacks it; None if there is none."""
        if not self.ballot.loose:
            return None
        line, casts = self.line, self.ballot.loose.values()
        own = [cast for cast in casts if cast.voter == player and not line.state.away[cast.round.absent - 1]]
        spent = [(self._spent_as_of(cast), cast.commit) for cast in own if cast.round.base in line.next]
        number, late = max(spent, default=(0, None))
        return self.ballot.loose[late] if late is not None and number > self.known_shares.spent(player) else None

    def _spent_as_of(self, cast: CastVote, commit: ObjectId | None = None, parents: tuple[ObjectId, ...] = ()) -> int:
        """The number of the voter's shares in a vote that a commit merges; 0 if it does not count.

        It counts unless the line goes on from the liar's commit that the voter holds.
        """
        if cast.charge is None or cast.charge.spent is None:
            return 0
        following = self.line.next.get(cast.round.base)
        through = (commit, *parents) if following is None else (following.commit, *following.parents)
        return 0 if cast.charge.holds in through else cast.charge.spent
