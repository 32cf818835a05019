"""Writes the commits of a game with views: actions, replies, and what parties sign about a change of the view."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from catan_p2p.game.actions import Action
from catan_p2p.game.actions.replies import is_reply
from catan_p2p.game.chance import Nonce, Share
from catan_p2p.game.constants import Player
from catan_p2p.game.state import State
from catan_p2p.log.authorship import Sign, author_of
from catan_p2p.log.commit import NOTHING_TOLD, Commit, SecretParts, entry_message
from catan_p2p.log.ledger import Ledger
from catan_p2p.log.line import ActionContext
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.tree import Put, next_tree
from catan_p2p.log.views.graph import ViewGraph, after_own_shares
from catan_p2p.log.views.messages import MessageKind, ViewMessage, message_text, with_after
from catan_p2p.log.views.nodes import LineNode, VoteNode
from catan_p2p.log.views.view import Change


class ViewWriter:
    """Writes commits on what a graph holds; nothing is taken in before it has been judged."""

    def __init__(self, graph: ViewGraph, sign: Sign | None = None) -> None:
        self._graph = graph
        self._sign = sign

    @property
    def _newest(self) -> LineNode:
        node = self._graph.line_node(self._graph.newest)
        assert node is not None
        return node

    def _decision(self) -> tuple[ObjectId, ...]:
        """The acceptances that the next action merges: of the newest decision, unless the line has it."""
        decision = self._graph.decision_of(self._graph.view)
        return () if decision is None or self._newest.view.id == self._graph.view.id else decision.acceptances

    def own_ledger(self, player: Player, *, is_reply: bool) -> Ledger:
        """The same as a player knows it who has told shares elsewhere."""
        told = self._graph.nodes[self._graph.chain_ends[player]].link.promises.told
        return after_own_shares(self.ledger(is_reply=is_reply), player, told)

    def ledger(self, *, is_reply: bool = False) -> Ledger:
        """What is known of the game before the next action of the line, or before a reply."""
        graph, head = self._graph, self._newest
        if is_reply:
            return graph.ledger_with(head, ())
        replies = graph.replies()
        return graph.ledger_with(head, [replies[player] for player in sorted(replies)])

    def before(self, action: Action) -> ActionContext:
        """The context of an action that comes next."""
        return self.ledger(is_reply=is_reply(action)).line.prepare(action)

    def action(
        self,
        action: Action,
        after: State,
        time_s: int,
        put: Put,
        share: Share | None = None,
        nonce: Nonce | None = None,
        told: SecretParts = NOTHING_TOLD,
        ahead: Share | None = None,
    ) -> ObjectId:
        """Write an action or a reply that leads to the state ``after``: see ``CommitGraph.write``."""
        ledger = self.own_ledger(action.player, is_reply=is_reply(action))
        prepared, known = ledger.line.prepare(action), ledger.known_shares
        entry = known.entry(action, prepared.state, known.draw(prepared.state, action, ahead), share)
        entry = entry._replace(nonce=nonce, ahead=ahead, **told._asdict())
        tree = next_tree(prepared.tree, after, put).root
        parents = (*prepared.parents, *self._decision())
        return self._written(action.player, parents, tree, entry_message(entry), time_s, put)

    def vote(
        self,
        party: Player,
        round: int,
        waits: Iterable[Player],
        time_s: int,
        put: Put,
        votes: Sequence[ObjectId] = (),
        forks: Sequence[ObjectId] = (),
        side: ObjectId | None = None,
    ) -> ObjectId:
        """Write a vote of a party on what the graph holds.

        ``votes`` are those with which its round begins, ``forks`` what proves a fork together with what it builds on,
        ``side`` the commit of the line to which the party goes over.
        """
        graph, head = self._graph, self._newest
        if side is not None and (other := graph.line_node(side)) is not None:
            head = other
        replies = graph.replies(head.head)
        held = [replies[player] for player in sorted(replies)]
        conflict = graph.conflict()
        change = Change.of(graph.view) if conflict is None else conflict[0]
        acceptances = () if conflict is None else conflict[1].acceptances
        parents = (head.head, *held, *self._decision(), *acceptances, *sorted(votes), *sorted(forks))
        message = ViewMessage("vote", party, change.number, round, tuple(sorted(waits)))
        return self._written(party, parents, head.tree.root, message_text(message), time_s, put)

    def proposal(self, party: Player, votes: Sequence[VoteNode], time_s: int, put: Put) -> ObjectId:
        """Write the proposal of a coordinator with these votes, which must give a value."""
        found = self._graph.value_of(votes)
        assert found is not None
        parents = tuple(sorted(vote.link.commit for vote in votes))
        head, vote = found[0].head, votes[0]
        return self._message("propose", party, vote.change.number, vote.round, head, parents, time_s, put)

    def acceptance(self, party: Player, proposal: ObjectId, time_s: int, put: Put) -> ObjectId:
        """Write the acceptance of a proposal."""
        node = self._graph.proposal(proposal)
        return self._message("accept", party, node.change.number, node.round, node.head, (proposal,), time_s, put)

    def _message(
        self,
        kind: MessageKind,
        party: Player,
        view: int,
        round: int,
        head: ObjectId,
        parents: tuple[ObjectId, ...],
        time_s: int,
        put: Put,
    ) -> ObjectId:
        node = self._graph.line_node(head)
        assert node is not None
        text = message_text(ViewMessage(kind, party, view, round))
        return self._written(party, parents, node.tree.root, text, time_s, put)

    def _written(
        self, player: Player, parents: tuple[ObjectId, ...], tree: ObjectId, text: str, time_s: int, put: Put
    ) -> ObjectId:
        graph = self._graph
        after = graph.chain_ends[player]
        if not any(graph.chains.leads(end, after) for end in graph.tips(parents)[player]):
            parents = (*parents, after)
        author = author_of(graph.game, player, time_s)
        commit = Commit(tree, parents, author, author, with_after(text, after))
        return put("commit", (commit if self._sign is None else self._sign(commit)).encode())
