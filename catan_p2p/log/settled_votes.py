"""How a game goes on when a player is proven a liar: the result of the votes on the proof, once all others have voted.

The liar showed two commits on the same commit of the line to different players, who have now diverged. The votes on
that commit say which of the two each player holds; one survives, and nobody accepts another one from then on.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from catan_p2p.game.actions import Vote
from catan_p2p.game.actions.replies import CHARGES, VoteStage, is_reply
from catan_p2p.game.constants import Constants, Player
from catan_p2p.limits import MAX_HIDDEN_PROOF_BYTES, MAX_PROOF_BYTES
from catan_p2p.log.ballot import Ballot, CastVote, VotingRound
from catan_p2p.log.commit import decode_commit, parse_entry
from catan_p2p.log.game import FormatError
from catan_p2p.log.proof import survivor
from catan_p2p.log.storage.objects import ObjectId, object_id
from catan_p2p.log.verdict import CommitRejected

if TYPE_CHECKING:
    from catan_p2p.log.proof import ProofCharge

IsForged = Callable[[ObjectId, bytes], bool]
"""Whether the bytes of a commit are not by the player whom its message names."""


class ProvenLie(NamedTuple):
    """Two commits that cannot both be honest, with their player, the commit that they continue, and their kind."""

    round: VotingRound
    commits: tuple[bytes, bytes]


def read_lie(one: bytes, other: bytes, constants: Constants, is_forged: IsForged) -> ProvenLie:
    """Return what two commits prove; ``FormatError`` says why they prove nothing."""
    bases, kinds = set(), set()
    most = MAX_HIDDEN_PROOF_BYTES if constants.rules.hands == "hidden" else MAX_PROOF_BYTES
    for data in (one, other):
        if len(data) > most:
            raise FormatError(f"a proof with a commit of {len(data)} bytes, expected at most {most}")
        parts = decode_commit(data)
        action = parse_entry(parts.message, constants).action
        if isinstance(action, Vote) or not parts.parents or is_forged(object_id("commit", data), data):
            raise FormatError("a vote, a root or a forged commit proves nothing")
        bases.add((parts.parents[0], action.player))
        kinds.add(is_reply(action))
    if one == other or len(bases) != 1 or len(kinds) != 1:
        raise FormatError("the two commits do not contradict each other")
    stage: VoteStage = "lies" if kinds.pop() else "fork"
    base, player = bases.pop()
    return ProvenLie(VotingRound(base, stage, player), (one, other))


@dataclass(frozen=True, slots=True)
class SettledVotes:
    """The votes, and the results of those on proven lies, as an immutable value."""

    ballot: Ballot
    outcomes: Mapping[VotingRound, ObjectId | None] = field(default_factory=dict)
    """The liar's commit that survives, by round, once all have voted; None if play has gone on without any."""
    permitted: frozenset[ObjectId] = frozenset()
    """Liars' commits that another player is known to have accepted."""

    def weigh(self, round: VotingRound, voters: Collection[Player], merger: Player) -> SettledVotes:
        """Return the result after a vote; ``merger`` merges the liar's reply, and is 0 if the lie is no reply."""
        charges, outcomes = self.charges(round), self.outcomes
        permitted = self.permitted.union(charge.newest for charge in charges.values())
        if round not in outcomes and charges.keys() >= {*voters}:
            kept = survivor({voter: charges[voter] for voter in voters}, merger)
            outcomes = {**outcomes, round: kept}
            permitted = permitted if kept is None else permitted | {kept}
        return SettledVotes(self.ballot, outcomes, permitted)

    def charges(self, round: VotingRound) -> Mapping[Player, ProofCharge]:
        """The charges in a round, by voter."""
        return {voter: cast.charge for voter, cast in self.ballot.of(round).items() if cast.charge is not None}

    def rounds(self) -> list[VotingRound]:
        """All rounds of charges in which somebody has voted."""
        return [round for round in self.ballot.rounds() if round.stage in CHARGES]

    def rival(self, round: VotingRound, commit: ObjectId) -> ObjectId | None:
        """The commit that survived instead of this one; None if nothing is settled, or this one survived."""
        kept = self.outcomes.get(round)
        return None if kept == commit else kept

    def is_dropped(self, bad: CommitRejected) -> bool:
        """Whether a commit was refused because another one by its player survived instead."""
        return bad.reason == "fork" and bad.other is not None and bad.other in self.outcomes.values()

    def lacking(self, held: Container[ObjectId]) -> set[Player]:
        """The liars with a surviving commit that is not among ``held``."""
        return {round.absent for round, kept in self.outcomes.items() if kept is not None and kept not in held}

    def is_settled(self, base: ObjectId, absent: Player) -> bool:
        """Whether all have voted on what a player did after a commit."""
        return any(VotingRound(base, stage, absent) in self.outcomes for stage in CHARGES)

    def binds(self, player: Player, commit: ObjectId) -> bool:
        """Whether this player has charged another with a lie, and nobody is known to have accepted ``commit``."""
        if not self.ballot.votes:
            return False
        me = self.ballot.me
        rounds = (round for round in self.rounds() if round.absent == player)
        return commit not in self.permitted and any(me in self.ballot.of(round) for round in rounds)

    def is_agreed(
        self, absent: Player, merged: Collection[ObjectId], held: Callable[[VotingRound], ObjectId | None], at: Height
    ) -> bool:
        """Whether a player can be excused by votes that are merged now or were merged before.

        ``held`` returns the liar's commit that is held, ``at`` the height of a commit that is held.
        """

        def stands(cast: CastVote, kept: ObjectId | None) -> bool:
            charge = cast.charge
            if charge is None or (cast.commit in self.ballot.loose and cast.commit not in merged):
                return False
            # The line must hold the newest commit of every voter who holds the survivor, at the height they claim.
            return charge.holds != kept or at(charge.newest) == charge.height

        return any(
            round.absent == absent
            and (kept is None or held(round) == kept)
            and all(stands(cast, kept) for cast in self.ballot.of(round).values())
            for round, kept in self.outcomes.items()
        )


Height = Callable[[ObjectId], int | None]
"""Returns the height of a commit, None if it is not held."""
