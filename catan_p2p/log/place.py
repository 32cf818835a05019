"""A commit's parents, taken one after the other, and its place in its player's chain.

A commit's parents have one order: what it builds on, the replies to that, what it merges of a change, by id, and, with
views, its player's previous commit, unless that is an ancestor of the others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from catan_p2p.game.constants import Player
from catan_p2p.log.commit import Commit
from catan_p2p.log.nodes import ChainLink, LineNode, Promises, ReplyNode
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.tree import StateTree
from catan_p2p.log.valid_commits import ValidCommits
from catan_p2p.log.verdict import Reason
from catan_p2p.log.views.nodes import AcceptanceNode, ProposalNode, RequestNode, VoteNode
from catan_p2p.log.views.view import Change, View


class Refused(Exception):
    """A commit is refused; ``reason`` is one of those in ``log.verdict``, ``guards`` names those that do not hold."""

    def __init__(self, reason: Reason, detail: str, guards: tuple[str, ...] = ()) -> None:
        super().__init__(detail)
        self.reason, self.guards = reason, guards


class CommitPlace:
    """A commit's parents, taken one after the other, and its place in its player's chain."""

    def __init__(
        self, graph: ValidCommits, commit: ObjectId, parts: Commit, after: ObjectId | None, player: Player
    ) -> None:
        self.graph, self.commit, self.parts, self.player = graph, commit, parts, player
        self.parents, self.party = parts.parents, graph.party_of[player]
        self._tips = graph.tips(parts.parents)
        self.after = after = after or min(self._tips[player])
        if after not in graph.nodes:
            raise Refused("chain", f"After is {after[:10]}, which it does not link to")
        self.promises: Promises = graph.nodes[after].link.promises
        if after != graph.root and graph.nodes[after].link.player != player:
            raise Refused("chain", f"After is {after[:10]}, which is by another player")
        self._left = [*self.parents]

    def line(self) -> LineNode:
        """Take the first parent, which must be in the line."""
        node = self.graph.nodes[self._left.pop(0)]
        if not isinstance(node, LineNode):
            raise Refused("parents", f"it builds on {node.link.commit[:10]}, which is no action of the line")
        return node

    def proposal(self) -> ProposalNode:
        """Take the first parent, which must be a proposal."""
        node = self.graph.nodes[self._left.pop(0)]
        if not isinstance(node, ProposalNode):
            raise Refused("votes", "it accepts no proposal of this round")
        return node

    def replies_to(self, head: ObjectId) -> dict[Player, ReplyNode]:
        """Take the replies to a commit of the line, by player, in the order of players."""
        found: dict[Player, ReplyNode] = {}
        while self._left and isinstance(node := self.graph.nodes[self._left[0]], ReplyNode) and node.head == head:
            player = node.step.action.player
            if found and player <= max(found):
                break
            found[player] = node
            self._left.pop(0)
        return found

    def votes(self, change: Change | None, rounds: Sequence[int]) -> list[VoteNode]:
        """Take further parents that are votes in these rounds of a change, in the order of their ids; None: of one."""
        found: list[VoteNode] = []
        while self._left and isinstance(node := self.graph.nodes[self._left[0]], VoteNode):
            change = change or node.change
            is_next = not found or found[-1].link.commit < node.link.commit
            if not is_next or node.change != change or node.round not in rounds:
                break
            found.append(node)
            self._left.pop(0)
        return found

    def requests(self, change: Change) -> dict[Player, ObjectId]:
        """Take further parents that ask to come back in the view that a change leaves, in the order of parties."""
        found: dict[Player, ObjectId] = {}
        while self._left and isinstance(node := self.graph.nodes[self._left[0]], RequestNode):
            party = node.link.player
            if change.without or node.view.id != change.id or (found and party <= max(found)):
                break
            found[party] = self._left.pop(0)
        return found

    def forks(self) -> None:
        """Take further parents that prove forks, in the order of their ids: at most two of a player's commits."""
        found: list[ObjectId] = []
        while self._left and self._left != [self.after] and self._left[0] > (found[-1] if found else ""):
            found.append(self._left.pop(0))
        count = Counter(self.graph.nodes[commit].link.player for commit in found)
        tips, own = self.graph.tips(self._taken), self.party
        if any(n > 2 or len(tips.get(one, ())) < 2 or self.graph.party_of[one] == own for one, n in count.items()):
            raise Refused("parents", "it merges commits that prove nothing")

    def require_no_more(self) -> None:
        """Refuse further parents, but its player's previous commit."""
        if self._left and not (self.graph.has_views and self._left == [self.after]):
            raise Refused("parents", f"it merges {self._left[0][:10]} for no reason, or in the wrong place")

    def link(self, promises: Promises) -> ChainLink:
        """Return the place in the chain, once all parents are taken; ``promises`` are those after the commit."""
        graph, player, after = self.graph, self.player, self.after
        self.require_no_more()
        if self._left and any(graph.chains.leads(end, after) for end in graph.tips(self._taken)[player]):
            raise Refused("parents", f"it merges {after[:10]} for no reason")
        before = self._tips
        # Whoever links to something that they have signed after ``after`` has forked, and knows it.
        if before[player] != {after}:
            raise Refused("chain", f"After is {after[:10]}, but it links to something else by the same player")
        tips = {**before, player: frozenset((self.commit,))}
        height = 1 + max([graph.nodes[parent].link.height for parent in self.parents])
        return ChainLink(self.commit, self.parents, player, after, height, tips, promises)

    @property
    def _taken(self) -> tuple[ObjectId, ...]:
        """The parents taken so far."""
        return self.parents[: len(self.parents) - len(self._left)]

    def parts_of(self, parents: tuple[ObjectId, ...]) -> Commit:
        """The commit as the game sees it, with the parents that are actions."""
        return self.parts if parents == self.parents else self.parts._replace(parents=parents)

    def require_tree(self, tree: StateTree) -> None:
        """Refuse another tree than this one."""
        if self.parts.tree != tree.root:
            raise Refused("tree", f"its tree is {self.parts.tree[:10]}, expected {tree.root[:10]}")

    # Views

    def decision(self) -> AcceptanceNode | None:
        """Take the acceptances that follow if they are of more than half, and return one of them."""
        found: list[AcceptanceNode] = []
        for commit in self._left:
            node = self.graph.nodes[commit]
            if not isinstance(node, AcceptanceNode) or (found and node[1:5] != found[0][1:5]):
                break
            if found and commit <= found[-1].link.commit:
                break
            found.append(node)
        # One alone may be the player's previous commit.
        if not found or not found[0].change.is_majority([node.link.player for node in found]):
            return None
        self._left = self._left[len(found) :]
        return found[0]

    def change_from(self, view: View) -> Change:
        """Take another decision that follows, and return the change of a vote: a settlement where there are two."""
        mine = self.promises
        if (other := self.decision()) is not None:
            left = view.passed(other.change.id)
            if left is None or other.change.without or view.has_passed(other.view.id):
                raise Refused("votes", "the decision that it merges contradicts none of its own view")
            return Change.of(left, self.graph.forked(self._taken))
        if mine.change is not None and mine.has_left(view):
            return mine.change
        return Change.of(view)

    def view_at(self, head: LineNode) -> View:
        """Take the acceptances that follow, and return the view in which the commit is: theirs, or that of the head."""
        if not self._left or (one := self.decision()) is None:
            return head.view
        view: View | None = one.view
        # Several decisions may begin at one commit, if nobody recorded the first.
        while view is not None and view.id != head.view.id:
            if view.value.head != head.head:
                raise Refused("votes", "the decision that it merges begins at another commit")
            view = view.before
        if view is None:
            raise Refused("votes", "the decision that it merges leads from another view")
        return one.view

    def require_decided(self, view: View, head: LineNode, replies: dict[Player, ReplyNode]) -> None:
        """Refuse what begins a view without the replies that were decided, or with others by who is left out.

        Where somebody is to come back, they were allowed to after those replies, and no others are merged.
        """
        if view.value.head != head.head:
            return
        merged, decided = {node.link.commit for node in replies.values()}, {*view.value.replies}
        if not decided <= merged:
            raise Refused("votes", "it lacks replies that were decided")
        if merged != decided and self.graph.is_exact(head, view):
            raise Refused("votes", "it merges replies that were not decided where somebody comes back")
        for player, node in replies.items():
            if node.link.commit not in view.value.replies and self.graph.party_of[player] not in view.present:
                raise Refused("votes", f"it merges a reply of player {player}, who is left out")

    def require_free(self, view: View, head: ObjectId) -> None:
        """Refuse an action, reply or first vote that goes back behind something that its player has signed."""
        mine = self.promises
        if mine.has_left(view):
            raise Refused("promise", "its player has voted in this view, and signs nothing more of it")
        if view.id == mine.view.id:
            if head != mine.built_on and not self.graph.line.leads(head, mine.built_on):
                raise Refused("promise", f"its player has already built on {mine.built_on[:10]}")
        elif not view.is_from(mine.view):
            raise Refused("promise", "its player has signed something in a later view")
