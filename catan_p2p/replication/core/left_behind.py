"""Decides whether and how to follow others who have gone on without what this player holds, or without this player."""

from __future__ import annotations

from catan_p2p.game.actions import Claim, Excuse, Vote
from catan_p2p.game.actions.replies import CHARGES, is_reply
from catan_p2p.game.constants import Player
from catan_p2p.log import votes
from catan_p2p.log.reading import Commits, new_commits, take_in
from catan_p2p.log.storage.objects import ObjectId, parents_of
from catan_p2p.log.tree import Objects
from catan_p2p.log.verdict import CommitRejected, LoggedStep
from catan_p2p.replication.core.fork_settlement import ForkSettlement
from catan_p2p.replication.core.refusals import is_other_side
from catan_p2p.replication.core.replica_state import ReplicaState
from catan_p2p.replication.core.source import BranchSource, FetchSession


class LeftBehind:
    """How one peer follows players who have gone on."""

    def __init__(self, held: ReplicaState, fork_settlement: ForkSettlement) -> None:
        self._held = held
        self._settler = fork_settlement

    def is_built_on(self, commits: Commits, source: BranchSource) -> bool:
        """Whether these commits show that the promise not to accept the first of them is over.

        Another player has built on it, or the excuser was proven a liar, and nobody holds their excuse.
        """
        held, graph, settling = self._held, self._held.graph, self._held.graph.settling
        (named, data), *following = commits
        author = held.author(data)
        coming = self._heights_over(commits)
        waiting = [one for one in graph.ballot.rounds() if one.absent == author and one.base == graph.head]
        is_bound = any(round.stage not in CHARGES and graph.ballot.binds(round) for round in waiting)
        for round in waiting:
            if round.stage not in CHARGES and votes.is_void(graph.ledger, round, graph.ballot.loose, coming):
                graph.free([round])
                return True
        for commit, other in following:
            player = held.author(other)
            if commit in settling.permitted:
                graph.free(commits=[named])
                return True
            if player in (None, author, held.player) or not (held.is_signed or player == source.player):
                continue
            if graph.ledger.is_forged(commit, other) or (is_bound and not self._is_of_line(other)):
                continue
            graph.free(waiting, [named])
            return True
        return False

    def _is_of_line(self, data: bytes) -> bool:
        """Whether a commit is one of the line: only that, or a no, may build on what its player voted against."""
        entry = self._held.entry(data)
        return entry is not None and not isinstance(entry.action, Vote) and not is_reply(entry.action)

    def _heights_over(self, commits: Commits) -> dict[ObjectId, int]:
        """The heights of those of these commits that lead to the first one by first parents alone."""
        graph = self._held.graph
        height: dict[ObjectId, int] = {}
        line: dict[ObjectId, int] = {}
        for commit, data in commits:
            parents = [*parents_of(data)]
            height[commit] = 1 + max(
                height[one] if one in height else graph.height(one) if one in graph else 0 for one in parents
            )
            if not line or parents[0] in line:
                line[commit] = height[commit]
        return line

    def excuse_in(self, bad: CommitRejected, commits: Commits) -> Commits:
        """The commits, from the excuse on, by which others have gone on without this player; empty if there is none.

        The excuse is the refused commit, or a later one if its author is excused only here.
        """
        first = {"parents": 1, "excused": len(commits)}.get(bad.reason, 0)
        found = (number for number in range(first) if self._is_excuse(commits[number][1]))
        return commits[next(found, len(commits)) :]

    def _is_excuse(self, data: bytes) -> bool:
        """Whether a commit excuses this player, or any player while this one is away and only watches."""
        entry = self._held.entry(data)
        if entry is None or not isinstance(entry.action, Excuse | Claim):
            return False
        return entry.action.absent == self._held.player or self._held.graph.state.away[self._held.player - 1]

    def move_over(self, head: ObjectId, visit: FetchSession) -> bool:
        """Follow others who have gone on without this player; commits that nobody else accepted are kept aside."""
        held = self._held
        fresh = held.graph.at_root()
        found: list[tuple[LoggedStep, Objects]] = []
        if take_in(fresh, head, visit.read, lambda step, made: found.append((step, made))) is not None:
            return False
        for step, made in found:
            if step.commit not in held.graph:
                held.keep(step.commit, made)
                visit.accepted.append(step)
        self._settler.go_over(fresh)
        return True

    def watch_others(self, visit: FetchSession, bad: CommitRejected) -> bool:
        """Change to where all others have excused this player, whom a liar had kept on another continuation.

        The excuse has the votes of all others, so nobody else is on this continuation. One of them must have built on
        it without having voted on the lie before: otherwise the votes on the lie may still decide for this one.
        """
        held = self._held
        if not is_other_side(bad) or not held.may_settle:
            return False
        commits = new_commits(visit.head, held.graph, visit.read)
        if isinstance(commits, CommitRejected):
            return False
        liar = held.author(visit.read(bad.commit)[1])
        settling = held.graph.settling
        charging: set[Player | None] = {voter for round in settling.rounds() for voter in settling.charges(round)}
        is_excused = False
        for _, data in commits:
            entry = held.entry(data)
            author = None if entry is None else entry.action.player
            if entry is not None and entry.charge is not None:
                charging.add(author)
            is_excused |= self._is_excuse(data)
            if is_excused and author not in (None, liar, held.player, *charging):
                return self.move_over(visit.head, visit)
        return False
