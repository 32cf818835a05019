"""How a game goes on when a player is proven a liar: what the votes that go by a proof say, once all others have voted.

The liar's two commits, on one commit of the line, were shown to different players, who now stand apart. The votes on
that commit say who holds which of them; one survives, and nobody accepts another from then on.
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
from catan_p2p.log.storage.objects import ObjectId, object_id
from catan_p2p.log.verdict import CommitRejected

if TYPE_CHECKING:
    from catan_p2p.log.proof import ProofCharge

IsForged = Callable[[ObjectId, bytes], bool]
"""Whether the bytes of a commit are not by whom its message says."""


class ProvenLie(NamedTuple):
    """Two commits that cannot both be honest: whose they are, what they continue, and which kind they are of."""

    round: VotingRound
    commits: tuple[bytes, bytes]


def read_lie(one: bytes, other: bytes, constants: Constants, is_forged: IsForged) -> ProvenLie:
    """What two commits prove; ``FormatError`` says why they prove nothing."""
    bases, kinds = set(), set()
    most = MAX_HIDDEN_PROOF_BYTES if constants.rules.hands == "hidden" else MAX_PROOF_BYTES
    for data in (one, other):
        if len(data) > most:
            raise FormatError(f"a commit of {len(data)} bytes proves nothing, at most {most} are read")
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
    """The votes, and what has come of those that go by a proof: a value that never changes."""

    ballot: Ballot
    outcomes: Mapping[VotingRound, ObjectId | None] = field(default_factory=dict)
    """Which commit of the liar's survives, by round, once all have voted; None if play has gone on without any."""
    permitted: frozenset[ObjectId] = frozenset()
    """Commits of liars that another player has accepted, as far as is known."""

    def weigh(self, round: VotingRound, voters: Collection[Player], merger: Player) -> SettledVotes:
        """What has come of it after a vote; ``merger`` is who merges what the liar has replied, 0 if it is no reply."""
        charges, outcomes = self.charges(round), self.outcomes
        permitted = self.permitted.union(charge.newest for charge in charges.values())
        if round not in outcomes and charges.keys() >= {*voters}:
            from catan_p2p.log.proof import survivor

            kept = survivor({voter: charges[voter] for voter in voters}, merger)
            outcomes = {**outcomes, round: kept}
            permitted = permitted if kept is None else permitted | {kept}
        return SettledVotes(self.ballot, outcomes, permitted)

    def charges(self, round: VotingRound) -> Mapping[Player, ProofCharge]:
        """What was voted in a round, by voter."""
        return {voter: cast.charge for voter, cast in self.ballot.of(round).items() if cast.charge is not None}

    def rounds(self) -> list[VotingRound]:
        """All rounds in which somebody has voted."""
        return [round for round in self.ballot.rounds() if round.stage in CHARGES]

    def rival(self, round: VotingRound, commit: ObjectId) -> ObjectId | None:
        """The commit that has survived in the place of this one; None if nothing was settled, or this is it."""
        kept = self.outcomes.get(round)
        return None if kept == commit else kept

    def is_dropped(self, bad: CommitRejected) -> bool:
        """Whether a commit was refused because another of its player's has survived in its place."""
        return bad.reason == "fork" and bad.other is not None and bad.other in self.outcomes.values()

    def lacking(self, held: Container[ObjectId]) -> set[Player]:
        """The liars of whom a commit survives that is not among those held."""
        return {round.absent for round, kept in self.outcomes.items() if kept is not None and kept not in held}

    def is_settled(self, base: ObjectId, absent: Player) -> bool:
        """Whether all have voted on what a player did after a commit."""
        return any(VotingRound(base, stage, absent) in self.outcomes for stage in CHARGES)

    def binds(self, player: Player, commit: ObjectId) -> bool:
        """Whether this player has voted by a proof of a lie, and nobody is known to have accepted ``commit``."""
        if not self.ballot.votes:
            return False
        me = self.ballot.me
        rounds = (round for round in self.rounds() if round.absent == player)
        return commit not in self.permitted and any(me in self.ballot.of(round) for round in rounds)

    def is_agreed(
        self, absent: Player, merged: Collection[ObjectId], held: Callable[[VotingRound], ObjectId | None], at: Height
    ) -> bool:
        """Whether a player can be excused by votes that are merged, here or before.

        ``held`` tells which of the liar's commits is held, ``at`` how high a commit is that is.
        """

        def stands(cast: CastVote, kept: ObjectId | None) -> bool:
            charge = cast.charge
            if charge is None or (cast.commit in self.ballot.loose and cast.commit not in merged):
                return False
            return charge.holds != kept or at(charge.newest) == charge.height

        return any(
            round.absent == absent
            and (kept is None or held(round) == kept)
            and all(stands(cast, kept) for cast in self.ballot.of(round).values())
            for round, kept in self.outcomes.items()
        )


Height = Callable[[ObjectId], int | None]
"""How high a commit is, None if it is not held."""
