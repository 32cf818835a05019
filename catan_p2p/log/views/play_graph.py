"""The graph of a game with views, for whoever plays, reads or shows it: a ``CommitGraph`` whose line may go back."""

from __future__ import annotations

from collections.abc import Iterator

from catan_p2p.game.actions import Action, Call, Pledge, Reveal
from catan_p2p.game.actions.replies import is_reply
from catan_p2p.game.chance import Nonce, Share
from catan_p2p.game.constants import Player
from catan_p2p.game.state import State
from catan_p2p.log.authorship import Sign
from catan_p2p.log.commit import NOTHING_TOLD, SecretParts, decode_commit, parse_entry
from catan_p2p.log.dictionaries import RecentItems
from catan_p2p.log.graph import CommitGraph
from catan_p2p.log.ledger import Ledger
from catan_p2p.log.line import ActionContext
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.tree import Objects, Put, collector, hash_only
from catan_p2p.log.verdict import CommitRejected, LoggedStep
from catan_p2p.log.views.graph import ViewGraph, is_needed_first
from catan_p2p.log.views.judging import judge
from catan_p2p.log.views.messages import ViewMessage
from catan_p2p.log.views.nodes import LineNode, Node, ReplyNode
from catan_p2p.log.views.writing import ViewWriter


class PlayGraph(CommitGraph):
    """All valid commits are in ``views``; the line, the state and what follows are those of its newest commit.

    A step of what is signed about a change of the view has a ``ViewMessage`` in the place of its action.
    """

    def __init__(self, first: Ledger, sign: Sign | None = None) -> None:
        self.views = ViewGraph(first)
        self.writer = ViewWriter(self.views, sign)
        self._judged: RecentItems[ObjectId, Node] = RecentItems()
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
        node, before, was_at = self._judged[step.commit], self.state, self.views.newest
        self.views.add(node)
        if self.tell_step is not None:
            self.tell_step(step, before)
        self._hold(self.writer.ledger())
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
            if node is not None and node.step is not None:
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
            if i >= kept and (head := views.line_node(node.head)) is not None:
                ledger = views.ledger_with(head, replies)
                yield node, ledger.line.state, ledger

    def _watch_again(self) -> None:
        """Show all moves of the line from the beginning, as after a restart."""
        assert self.watch is not None
        before = self._first.line.state
        for node, after, _ in self.course():
            assert node.step is not None
            self.watch(before, node.step.action, after)
            before = after

    def write(
        self,
        action: Action,
        after: State,
        time_s: int,
        put: Put,
        share: Share | None = None,
        shows: tuple[int, int] | None = None,
        nonce: Nonce | None = None,
        told: SecretParts = NOTHING_TOLD,
        ahead: Share | None = None,
    ) -> LoggedStep:
        """Write the commit of an own action or reply: see ``CommitGraph.write``."""
        made = Objects()
        commit = self.writer.action(action, after, time_s, collector(made), share, nonce, told, ahead)
        return self.written(commit, made, put)

    def written(self, commit: ObjectId, made: Objects, put: Put) -> LoggedStep:
        """Return the step of a commit that ``writer`` has written, once it is judged as others judge it."""
        for kind, data in made:
            put(kind, data)
        step = self.check(commit, made[-1][1])
        assert isinstance(step, LoggedStep), step
        return step

    def prepare(self, action: Action) -> ActionContext:
        """The context of an action that comes next: a reply sees no other reply."""
        return self.writer.before(action)

    def next_height(self, player: Player) -> int:
        """Return the height of the player's next commit."""
        return 1 + max(self.height(self.head), self.height(self.views.chain_ends[player]))

    def share_number(self, action: Action) -> int | None:
        """Return the number of the share that a pledge, a call or a reveal must tell next; None for other actions."""
        if isinstance(action, Pledge):
            return 0
        if not isinstance(action, Call | Reveal) or not self._is_shared(action):
            return None
        ledger = self.writer.own_ledger(action.player, is_reply=is_reply(action))
        return ledger.known_shares.next_number(action.player)

    def may_act(self, player: Player) -> bool:
        """Whether a player signs actions and replies now: not after a vote in this view, or before its record.

        The record of a decision waits for replies by those who stay.
        """
        views, party = self.views, self.views.party_of[player]
        head = views.line_node(self.head)
        assert head is not None
        promises = views.nodes[views.chain_ends[player]].link.promises
        if party not in views.view.present or party in views.forkers or promises.has_left(views.view):
            return False
        # A caller who has forked may have seen a share for another call of the same number.
        if self.state.tp == "Drawing" and views.party_of[self.state.caller] in views.forkers:
            return False
        pending = views.pending(head, views.view)
        return not pending or is_needed_first(self.state, player, pending)

    @property
    def position(self) -> str:
        """What changes with everything new in the line, a reply, or a view."""
        return f"{super().position} {self.views.view.id}"

    def lead_from(self, me: Player) -> None:
        """Let the line lead from what a player has signed."""
        self.views.me = me
