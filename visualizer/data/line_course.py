"""The line of a game with views as steps: it may go back, and the messages about a change stand where it was begun."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from catan_p2p.log.graph import CommitGraph
from catan_p2p.log.nodes import LineNode, ReplyNode
from catan_p2p.log.refs import branch_name
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.views.messages import MessageKind
from catan_p2p.log.views.nodes import Node, ProposalNode, RequestNode, VoteNode
from catan_p2p.view.events import ChangeSigned

from .recording import PlayedStep

if TYPE_CHECKING:
    from catan_p2p.log.sealed_cards import SealedCards


class LineCourse:
    """What there is to show of a graph, whenever it has grown."""

    def __init__(self, graph: CommitGraph) -> None:
        self._graph = graph
        self._messages: dict[ObjectId, list[ObjectId]] = {}
        """By commit of the line, the messages of changes that begin there."""
        self._seen = 1

    def news(self, shown: Sequence[PlayedStep]) -> tuple[int, list[tuple[PlayedStep, SealedCards | None]]]:
        """How many of the steps that are shown stay, and those that follow, with the sealed cards after each."""
        self._hear()
        wanted, kept = self._order(), 1
        while kept < min(len(shown), len(wanted)) and shown[kept].commit == wanted[kept]:
            kept += 1
        return kept, list(self._steps(wanted, kept, shown))

    def _hear(self) -> None:
        """Note the messages that have come since the last look."""
        nodes = self._graph.valid.nodes
        for node in islice(nodes.values(), self._seen, None):
            if not isinstance(node, LineNode | ReplyNode):
                self._messages.setdefault(node.head, []).append(node.link.commit)
        self._seen = len(nodes)

    def _order(self) -> list[ObjectId]:
        """The commits to show in order: those of the line, each followed by the replies to it and by messages."""
        valid, found = self._graph.valid, [self._graph.root]
        at = self._graph.root
        for commit in self._graph.line_commits():
            if isinstance(node := valid.nodes[commit], LineNode):
                found += self._messages.get(at, ())
                at = node.head
            found.append(commit)
        return [*found, *self._messages.get(at, ())]

    def _steps(
        self, wanted: Sequence[ObjectId], kept: int, shown: Sequence[PlayedStep]
    ) -> Iterator[tuple[PlayedStep, SealedCards | None]]:
        graph, nodes = self._graph, self._graph.valid.nodes
        after, sealed_cards = shown[kept - 1].state, None
        is_kept = [isinstance(nodes[commit], LineNode | ReplyNode) for commit in wanted[1:kept]]
        course = graph.course(sum(is_kept))
        for commit in wanted[kept:]:
            node = nodes[commit]
            branch = branch_name(graph.game.branch(node.link.player))
            if not isinstance(node, LineNode | ReplyNode):
                yield PlayedStep(commit, node.link.parents, branch, _signed(node), after), sealed_cards
                continue
            _, after, ledger = next(course)
            sealed_cards = ledger.line.hearing_all().sealed_cards
            assert node.step is not None
            step = node.step
            yield PlayedStep(commit, node.link.parents, branch, step.action, after, draw=step.draw), sealed_cards


def _signed(node: Node) -> ChangeSigned:
    if isinstance(node, VoteNode):
        return ChangeSigned(node.link.player, "vote", node.waits)
    kinds: dict[type[Node], MessageKind] = {ProposalNode: "propose", RequestNode: "request"}
    return ChangeSigned(node.link.player, kinds.get(type(node), "accept"))
