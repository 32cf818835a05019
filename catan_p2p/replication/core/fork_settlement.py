"""Going on after a player has shown others two continuations: known lies, and how to change sides."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING

from catan_p2p.game.actions import Action, Call, EmptyBuild, Reveal, RollDice
from catan_p2p.game.actions.replies import owes_reply
from catan_p2p.game.chance import Share
from catan_p2p.game.rules import awaited
from catan_p2p.game.state import BUILD_PHASES
from catan_p2p.limits import MAX_LIES
from catan_p2p.log import votes
from catan_p2p.log.ballot import VotingRound
from catan_p2p.log.commit import decode_commit
from catan_p2p.log.evidence import RefusedCommit
from catan_p2p.log.game import FormatError
from catan_p2p.log.graph import CommitGraph
from catan_p2p.log.reading import Read, new_commits, take_in
from catan_p2p.log.refs import ABANDONED, REMOTES, Branch, abandoned_ref, branch_at, local_ref, remote_ref
from catan_p2p.log.storage.objects import ObjectId, object_id
from catan_p2p.log.tree import Objects
from catan_p2p.log.verdict import CommitRejected, LoggedStep, fork
from catan_p2p.replication.core.effects import KeepEvidence
from catan_p2p.replication.core.events import LieProven
from catan_p2p.replication.core.replica_state import ReplicaState
from catan_p2p.replication.told_shares import ToldShares

if TYPE_CHECKING:
    from catan_p2p.replication.told_shares import ToldShares


class ForkSettlement:
    """Keeps the proofs of others' lies, and follows what all others settle on."""

    def __init__(self, held: ReplicaState, number_of: Callable[[Share, bool], int]) -> None:
        self._held = held
        self.lies: dict[VotingRound, tuple[bytes, bytes]] = {}
        """Proven lies of others: the two commits, by what they continue."""
        self.apart: set[VotingRound] = set()
        """Those lies of which somebody other than the liar has shown the commit that is not held here."""
        self._number_of = number_of

    @cached_property
    def told(self) -> ToldShares:
        """The shares that were told on branches that did not survive."""

        return ToldShares(self._held.player, self._held.game.constants, self._number_of)

    def recall(self, lies: Iterable[LieProven]) -> None:
        """Note the lies that were proven before a restart, and the shares told on branches kept aside."""
        for lie in lies:
            self.learn(lie)
        if self._may_tell_twice:
            for head in [head for ref, head in self._held.refs.items() if ref.startswith(ABANDONED)]:
                self._note_told(head, self._held.graph)

    def learn(self, proven: LieProven) -> None:
        """Remember a lie."""
        if not self._held.may_settle:
            return
        with suppress(FormatError):
            lie = self._held.graph.ledger.read_lie(proven.one, proven.other)
            # One liar cannot fill the memory with lies.
            known = self.apart if proven.is_apart else self.lies.keys() - self.apart
            if lie.round in known or sum(round.absent == lie.round.absent for round in known) >= MAX_LIES:
                return
            self.lies.setdefault(lie.round, lie.commits)
            if proven.is_apart:
                self.apart.add(lie.round)

    def proof_of(self, round: VotingRound) -> tuple[bytes, bytes]:
        """The two commits of a lie."""
        if round in self.lies:
            return self.lies[round]
        return next(cast.charge.proof for cast in self._held.graph.ballot.of(round).values() if cast.charge is not None)

    def keep_proof(self, round: VotingRound) -> None:
        """Keep as evidence, and remember, a lie that is known only from another player's vote."""
        held = self._held
        voter = next((cast for cast in held.graph.ballot.of(round).values() if cast.charge is not None), None)
        if round in self.lies or voter is None:
            return

        proof = self.proof_of(round)
        answer = held.graph.line.answer_to(round)
        one, other = sorted(((object_id("commit", data), data) for data in proof), key=lambda named: named[0] == answer)
        liar, shower = (held.game.seats[player - 1].colour for player in (round.absent, voter.voter))
        refusal = RefusedCommit(liar, shower, local_ref(held.cast_branch(voter)), fork(one[0], other[0]))
        held.effects.append(KeepEvidence(refusal, tuple((oid, "commit", data) for oid, data in (one, other))))
        self.lies[round] = proof

    # Shares that were told on a branch that did not survive

    @property
    def _may_tell_twice(self) -> bool:
        return self._held.may_settle and self._held.game.constants.rules.chance == "joint"

    def _note_told(self, head: ObjectId, known: CommitGraph) -> ObjectId | None:
        """Note the shares told up to a commit; return the newest own commit that tells one, None if there is none."""
        commits = new_commits(head, known, self._held.read)
        return None if isinstance(commits, CommitRejected) else self.told.take_in(commits)

    @property
    def withholds_share(self) -> bool:
        """Whether the share that this player would tell now was told for another call: then they wait for the others.

        Once merged, their vote on the lie lets them tell another one; otherwise the others must excuse them.
        """
        graph, player = self._held.graph, self._held.player
        state = graph.state
        is_awaited = player in awaited(state) and graph.head not in self.told.reveals
        if not is_awaited or self.told.highest == self.told.highest_ahead == 0:
            return False
        if owes_reply(state, player):
            return state.tp == "Drawing" and self._has_told(Reveal(player))
        if any(self._has_told_ahead(action) for action in (RollDice(player, 0), EmptyBuild(player))):
            return True
        return state.tp != "Drawing" and self._has_told(Call(player, "RollDice"))

    def _has_told(self, action: Action) -> bool:
        number = self._held.graph.share_number(action)
        return number is not None and self.is_told(number)

    def _has_told_ahead(self, action: RollDice | EmptyBuild) -> bool:
        state = self._held.graph.state
        if state.tp not in (("DiceRoll",) if isinstance(action, RollDice) else BUILD_PHASES):
            return False
        number = self._held.graph.ahead_number(action)
        return number is not None and self.is_told(number, of_rolls=True)

    def is_told(self, number: int, *, of_rolls: bool = False) -> bool:
        """Whether the share of this number was told for a call, or ahead, on a branch that did not survive."""
        return 0 < number <= (self.told.highest_ahead if of_rolls else self.told.highest)

    def told_again(self, action: Action) -> LoggedStep | None:
        """The reveal for the same call on an abandoned branch, to be repeated unchanged; None if there is none."""
        if not isinstance(action, Reveal) or (known := self.told.reveals.get(self._held.graph.head)) is None:
            return None
        step = self._held.graph.check(known, self._held.read(known)[1])
        return step if isinstance(step, LoggedStep) else None

    # Moving over

    def move_to_survivor(self) -> None:
        """Change to the surviving side of a lie; if nobody shows the surviving commit, the votes contain both."""
        self._go_back()
        self._take_survivors()

    def _go_back(self) -> None:
        """Go back before a liar's commit that is held here if all others have settled on the other one.

        What was built on it is kept in ``refs/abandoned/``, the commit itself as evidence.
        """
        held = self._held
        while (round := votes.overruled(held.graph.ledger)) is not None:
            # Each step back may reveal another lie before it, so this goes on until none overrules.
            fresh = before_lie(held.graph, round, held.read)
            self.go_over(fresh)
            held.count_me()
            self._show_own_again()
            self._keep_votes_again()
            held.rejected.clear()
            held.look_at_all_anew()
            held.show()

    def _take_survivors(self) -> None:
        held = self._held
        for round, kept in [*held.graph.settling.outcomes.items()]:
            if kept is None or kept in held.graph or round.base not in held.graph:
                continue
            charges = held.graph.settling.charges(round).values()
            data = next(data for charge in charges for data in charge.proof if object_id("commit", data) == kept)
            if not all(parent in held.graph for parent in decode_commit(data).parents):
                continue
            made = Objects()
            step = held.judge(kept, data, made)
            if isinstance(step, LoggedStep):
                held.keep(kept, made)
                held.graph.add(step)
                branch = held.branch_of(step) or held.game.branch(round.absent)
                held.record(remote_ref(branch.colour, branch), kept)

    def go_over(self, fresh: CommitGraph) -> None:
        """Continue with another graph: no branch leads to what it leaves out, and own commits are kept aside."""
        held = self._held
        replies = held.own_replies()
        for commit in (held.graph.head, *replies.values()) if self._may_tell_twice else ():
            if (told := self._note_told(commit, fresh)) is not None:
                held.record(abandoned_ref(told), told)
        log = held.refs.get(held.log)
        if log is not None and log not in fresh:
            held.record(abandoned_ref(log), log)
            held.record(held.log, fresh.head)
        for ref, reply in replies.items():
            if reply not in fresh:
                held.record(abandoned_ref(reply), reply)
                held.forget(ref)
        for ref, head in [*held.refs.items()]:
            if ref.startswith(REMOTES) and head not in fresh and branch_at(ref) is not None:
                held.forget(ref)
        held.graph = fresh

    def _show_own_again(self) -> None:
        """Show own replies and votes again that were merged by dropped commits."""
        held, graph = self._held, self._held.graph
        own = [step.commit for player, step in graph.replies.items() if player == held.player]
        own += [cast.commit for cast in graph.ballot.loose.values() if cast.voter == held.player]
        newest = {local_ref(self._own_branch(commit)): commit for commit in own}  # a no stands for the yes before it
        for ref, commit in newest.items():
            if ref not in held.refs:
                held.record(ref, commit)

    def _own_branch(self, commit: ObjectId) -> Branch:
        held, cast = self._held, self._held.graph.ballot.loose.get(commit)
        reply = held.graph.replies.get(held.player)
        if cast is not None:
            return held.cast_branch(cast)
        assert reply is not None and reply.commit == commit
        return held.game.branch_for(held.graph.head, reply.action)

    def _keep_votes_again(self) -> None:
        """Make refs lead again to others' votes that dropped commits had merged, or a restart would forget them."""
        held = self._held
        for cast in reversed([*held.graph.ballot.loose.values()]):  # a no stands for the yes before it
            if cast.voter == held.player:
                continue
            ref = remote_ref(held.game.seats[cast.voter - 1].colour, held.cast_branch(cast))
            if ref not in held.refs:
                held.record(ref, cast.commit)


def before_lie(graph: CommitGraph, round: VotingRound, read: Read) -> CommitGraph:
    """Return the graph for changing sides: it ends where the liar lied, with all votes that hang there or before."""
    fresh = graph.at_root()
    # The commits of the fresh graph were all reported when they first came.
    fresh.tell_step = None
    replies = [*graph.line.replies_to(round.base).values()]
    if round.stage == "lies":
        replies = [reply for reply in replies if reply != graph.line.answer_to(round)]
    rounds = sorted(graph.ballot.rounds(), key=lambda one: one != round)
    votes = [cast.commit for one in rounds for cast in graph.ballot.of(one).values()]
    for head in (round.base, *replies, *votes):
        take_in(fresh, head, read)
    fresh.tell_step = graph.tell_step
    return fresh
