"""What parties sign about changes of the view, once it is valid, with what follows from what it links to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

from catan_p2p.game.cards import Cards
from catan_p2p.game.constants import Player
from catan_p2p.log.nodes import ChainLink, LineNode, ReplyNode
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.tree import StateTree
from catan_p2p.log.views.view import Change, View, ViewValue


class VoteNode(NamedTuple):
    """A vote in a round of a change."""

    link: ChainLink
    change: Change
    round: int
    head: ObjectId
    """The newest commit of the line that its voter holds."""
    replies: Mapping[Player, ObjectId]
    """The replies to it that its voter holds, by player."""
    waits: tuple[Player, ...]
    requests: Mapping[Player, ObjectId]
    """The requests to come back that it merges, by party."""
    view: View
    """Its voter's: from which the change leads, or, in a settlement, a later one."""
    tree: StateTree

    @property
    def accepted(self) -> tuple[int, ViewValue, View] | None:
        """What its voter has accepted last in the change."""
        return self.link.promises.accepted


class ProposalNode(NamedTuple):
    """What the coordinator of a round proposes, as it follows from the votes that it merges."""

    link: ChainLink
    change: Change
    round: int
    head: ObjectId
    value: ViewValue
    view: View
    """The view that the proposal would begin."""
    tree: StateTree


class AcceptanceNode(NamedTuple):
    """The acceptance of a proposal."""

    link: ChainLink
    change: Change
    round: int
    head: ObjectId
    value: ViewValue
    view: View
    """The view that acceptances by more than half begin."""
    tree: StateTree


class RequestNode(NamedTuple):
    """The request of a party that is not present in a view to come back in the next."""

    link: ChainLink
    view: View
    head: ObjectId
    """The newest commit of the line that the party holds."""
    tree: StateTree
    shown: Mapping[Player, Cards]
    """By seat of the party, the sealed cards that it opens; no seat that has none."""


Node: TypeAlias = LineNode | ReplyNode | VoteNode | ProposalNode | AcceptanceNode | RequestNode
