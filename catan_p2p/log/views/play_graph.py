"""The graph of a game with views, for whoever plays, reads or shows it: a ``CommitGraph`` whose line may go back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from catan_p2p.game.constants import Player
from catan_p2p.game.state import State
from catan_p2p.log.authorship import Sign
from catan_p2p.log.commit import LogEntry, decode_commit, parse_entry
from catan_p2p.log.dictionaries import RecentItems
from catan_p2p.log.graph import CommitGraph
from catan_p2p.log.ledger import Ledger
from catan_p2p.log.storage.objects import ObjectId, ObjectKind
from catan_p2p.log.tree import Put, StateTree, hash_only
from catan_p2p.log.verdict import CommitRejected, LoggedStep
from catan_p2p.log.views.graph import ViewGraph, after_own_shares, is_needed_first
from catan_p2p.log.views.judging import judge
from catan_p2p.log.views.messages import MessageKind, ViewMessage
from catan_p2p.log.views.nodes import LineNode, Node, ReplyNode, VoteNode


class DueMessage(NamedTuple):
    """What a party signs about a change of the view: see ``PlayGraph.sign``."""

    kind: MessageKind
    round: int
    waits: tuple[Player, ...] = ()
    votes: tuple[VoteNode, ...] = ()
    """Of a vote, those with which its round begins; of a proposal, those that it merges."""
    forks: tuple[ObjectId, ...] = ()
    """Of a vote, what proves forks, together with what it builds on."""
    proposal: ObjectId | None = None
    """What an acceptance accepts."""
    side: ObjectId | None = None
    """Of a vote, the commit of the line to which its voter goes over; None: it stays where it is."""


class PlayGraph(CommitGraph):
    """All valid commits are in ``views``; the line, the state and what follows are those of its newest commit.

    A step of what is signed about a change of the view has a ``ViewMessage`` in the place of its action.
    """

    def __init__(self, first: Ledger, sign: Sign | None = None) -> None:
        self.views = ViewGraph(first)
        self._judged: RecentItems[ObjectId, Node] = RecentItems()
        self._written: RecentItems[ObjectId, bytes] = RecentItems()
        super().__init__(first, sign)

    def __contains__(self, commit: object) -> bool:
        return commit in self.views

    def __len__(self) -> int:
        return len(self.views)

    def height(self, commit: ObjectId) -> int:
        """How many commits the longest path to the root has; KeyError for a commit that was not accepted."""
        return self.views.nodes[commit].link.height

    def at_root(self) -> PlayGraph:
        """Return the graph of the same game that holds only its root."""
        fresh = PlayGraph(self._first, self._sign)
        fresh.tell_step, fresh.watch = self.tell_step, self.watch
        return fresh

    # Growing

    def check(self, commit: ObjectId, data: bytes, put: Put = hash_only) -> LoggedStep | CommitRejected:
        """Judge the bytes of a commit whose parents are all in the graph: see ``CommitGraph.check``."""
        node = judge(self.views, commit, data, put)
        if isinstance(node, CommitRejected):
            return node
        self._judged[commit] = node
        return self._step(node, data)

    def _step(self, node: Node, data: bytes) -> LoggedStep:
        parts = decode_commit(data)
        if isinstance(node, LineNode | ReplyNode):
            assert node.step is not None
            return node.step._replace(parents=parts.parents)
        entry = parse_entry(parts.message, self.game.constants)
        return LoggedStep(node.link.commit, parts.parents, entry.action, node.tree, parts.author.time_s, entry)

    def add(self, step: LoggedStep) -> None:
        """Add a commit that was accepted or written; the line may go back, and go on from another commit."""
        if step.commit not in self._judged:
            accepted = self.check(step.commit, self._written[step.commit])
            assert isinstance(accepted, LoggedStep), accepted
        node, before, was_at = self._judged[step.commit], self.state, self.views.newest
        self.views.add(node)
        if self.tell_step is not None:
            self.tell_step(step, before)
        self._hold(self.views.ledger_with(self._newest, [*self.views.replies().values()]))
        if self.watch is None or isinstance(step.action, ViewMessage):
            return
        at = self.views.newest
        if (at == step.commit and self.views.line.before(at) == was_at) or (
            at == was_at and step.commit in self._heard
        ):
            self.watch(before, step.action, self.state)
        elif at != was_at:
            self._watch_again()

    @property
    def _heard(self) -> set[ObjectId]:
        return {reply.commit for reply in self.replies.values()}

    def line_commits(self) -> list[ObjectId]:
        """The actions of the line, and the replies that it merges or that hang on its newest commit, in order."""
        line, newest = self.views.line, self.views.newest
        found = list[ObjectId]()
        for depth in range(1, line.depth(newest) + 1):
            node = self.views.line_node(line.at(newest, depth))
            if node.step is not None:
                found += (*node.step.parents[1:], node.head)
        return [*found, *(self.replies[player].commit for player in sorted(self.replies))]

    def course(self, kept: int = 0) -> Iterator[tuple[LineNode | ReplyNode, State, Ledger]]:
        """The commits of the line from a number on, in order, with the state and the game after all so far.

        Replies to one commit commute: each is followed by the state after it and those before it.
        """
        commits, views = self.line_commits(), self.views
        replies = list[ObjectId]()
        for i, commit in enumerate(commits):
            node = views.nodes[commit]
            if isinstance(node, LineNode):
                replies.clear()
                if i >= kept:
                    yield node, node.ledger.line.state, node.ledger
                continue
            assert isinstance(node, ReplyNode)
            replies.append(commit)
            if i >= kept:
                ledger = views.ledger_with(views.line_node(node.head), replies)
                yield node, ledger.line.state, ledger

    def _watch_again(self) -> None:
        """Show all moves of the line from the beginning, as after a restart."""
        assert self.watch is not None
        before = self._first.line.state
        for node, after, _ in self.course():
            assert node.step is not None
            self.watch(before, node.step.action, after)
            before = after

    # Writing

    @property
    def _newest(self) -> LineNode:
        return self.views.line_node(self.views.newest)

    def own_ledger(self, player: Player) -> Ledger:
        """The same as a player knows it who has told shares elsewhere."""
        told = self.views.nodes[self.views.chain_ends[player]].link.promises.told
        return after_own_shares(self.ledger, player, told)

    def sign(self, party: Player, due: DueMessage, time_s: int, put: Put) -> LoggedStep:
        """Write what a party signs about a change of the view, on what the graph holds."""
        views, votes = self.views, tuple(sorted(vote.link.commit for vote in due.votes))
        parents: tuple[ObjectId, ...]
        if due.proposal is not None:
            proposal = views.proposal(due.proposal)
            change, head, parents = proposal.change, views.line_node(proposal.head), (due.proposal,)
        elif due.kind == "propose":
            found = views.value_of(due.votes)
            assert found is not None
            change, head, parents = due.votes[0].change, views.line_node(found[0].head), votes
        else:
            change, conflict = views.next_change, views.conflict()
            head = self._newest if due.side is None else views.line_node(due.side)
            other = () if conflict is None else conflict[1].acceptances
            replies = views.replies(head.head).values()
            parents = (head.head, *replies, *self._decision(), *other, *votes, *sorted(due.forks))
        message = ViewMessage(due.kind, party, change.number, due.round, tuple(sorted(due.waits)))
        return self._signed(LogEntry(message), parents, head.tree, time_s, put)  # type: ignore[arg-type]

    def _decision(self) -> tuple[ObjectId, ...]:
        """The acceptances that the next action merges: of the newest decision, unless the line has it."""
        decision = self.views.decision_of(self.views.view)
        return () if decision is None or self._newest.view.id == self.views.view.id else decision.acceptances

    def _signed(
        self, entry: LogEntry, parents: tuple[ObjectId, ...], tree: StateTree, time_s: int, put: Put
    ) -> LoggedStep:
        views, player = self.views, entry.action.player
        after = views.chain_ends[player]
        if not isinstance(entry.action, ViewMessage):
            parents = (*parents, *self._decision())
        if not any(views.chains.leads(end, after) for end in views.tips(parents)[player]):
            parents = (*parents, after)

        def noted(kind: ObjectKind, data: bytes) -> ObjectId:
            commit = put(kind, data)
            self._written[commit] = data
            return commit

        return super()._signed(entry._replace(after=after), parents, tree, time_s, noted)

    def next_height(self, player: Player) -> int:
        """Return the height of the player's next commit."""
        return 1 + max(self.height(self.head), self.height(self.views.chain_ends[player]))

    def may_act(self, player: Player) -> bool:
        """Whether a player signs actions and replies now: not after a vote in this view, or before its record.

        The record of a decision waits for replies by those who stay.
        """
        views, party = self.views, self.views.party_of[player]
        head = views.line_node(self.head)
        promises = views.nodes[views.chain_ends[player]].link.promises
        if party not in views.view.present or party in views.forkers or promises.has_left(views.view):
            return False
        # A caller who has forked may have seen a share for another call of the same number.
        if self.state.tp == "Drawing" and views.party_of[self.state.caller] in views.forkers:
            return False
        pending = views.pending(head, views.view)
        return not pending or is_needed_first(self.state, player, pending)

    @property
    def awaited(self) -> tuple[Player, ...]:
        """The players who are awaited in the newest view."""
        return self.views.awaited_seats(self.views.newest, self.views.replies(), self.views.view)

    @property
    def position(self) -> str:
        """What changes with everything new in the line, a reply, or a view."""
        return f"{super().position} {self.views.view.id}"

    def lead_from(self, me: Player) -> None:
        """Let the line lead from what a player has signed."""
        self.views.me = me
