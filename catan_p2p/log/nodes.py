"""Valid commits of the game, with what follows from what each of them links to: ``log.views.nodes`` has the others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

from catan_p2p.game.cards import NO_CARDS, Cards
from catan_p2p.game.constants import Player
from catan_p2p.log.ledger import Ledger
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.tree import StateTree
from catan_p2p.log.verdict import LoggedStep
from catan_p2p.log.views.messages import MessageKind
from catan_p2p.log.views.view import Change, View, ViewValue

Tips: TypeAlias = Mapping[Player, frozenset[ObjectId]]
"""By player, their newest commits among a commit and its ancestors: more than one prove a fork."""


class Promises(NamedTuple):
    """What a player may sign next, as follows from their chain.

    Only the first seat of a party signs votes, proposals, acceptances and requests.
    """

    view: View
    """The newest view in which they have signed something."""
    built_on: ObjectId
    """The newest commit of the line, in that view, on which they have built: an own action, or what they replied to."""
    replied_to: ObjectId | None = None
    """The commit of the line to which they have replied last."""
    reply: ObjectId | None = None
    """Their reply to that commit."""
    left: View | None = None
    """The view in which they have voted, and in which they sign no action or reply any more."""
    change: Change | None = None
    """The change in which they have voted last, or proposed, or accepted."""
    round: int = 0
    """The highest round in which they have signed something in that change; they sign nothing in an earlier one."""
    signed: frozenset[MessageKind] = frozenset()
    """What they have signed in that round, each once."""
    accepted: tuple[int, ViewValue, View] | None = None
    """The round and the value that they have accepted last in that change, and the view that the value begins."""
    asked: View | None = None
    """The newest view in which they have asked to come back."""
    told: int = 0
    """The number of the newest share of draws that they have told, whatever became of the call."""

    def has_left(self, view: View) -> bool:
        """Whether they sign no action or reply of a view any more."""
        return self.left is not None and self.left.id == view.id

    def reply_to(self, head: ObjectId) -> ObjectId | None:
        """Their reply to a commit of the line, None if there is none."""
        return self.reply if head == self.replied_to else None


class ChainLink(NamedTuple):
    """A commit's place in its player's chain."""

    commit: ObjectId
    parents: tuple[ObjectId, ...]
    player: Player
    """Whose chain it is: of what is signed about a change, the party's first seat; 0 at the root, where all begin."""
    after: ObjectId
    """The player's previous commit."""
    height: int
    """How many commits the longest path to the root has."""
    tips: Tips
    promises: Promises


class DueRecord(NamedTuple):
    """What the line has still to record of a decision."""

    seat: Player
    is_back: bool
    """Whether the player comes back; else they are left out."""
    shown: Cards = NO_CARDS
    """Of a player who comes back, the sealed cards that their party's request opens."""


class LineNode(NamedTuple):
    """The root, or an action that is no reply."""

    link: ChainLink
    ledger: Ledger
    """What is known of the game after it, by what it links to."""
    view: View
    pending: tuple[DueRecord, ...] = ()
    """What decisions say of seats and the line has not recorded yet, in the order of decisions and seats."""
    step: LoggedStep | None = None
    """None at the root. Its parents are the commit before it in the line and the replies to that."""

    @property
    def head(self) -> ObjectId:
        """The commit itself."""
        return self.link.commit

    @property
    def tree(self) -> StateTree:
        """The state after it, with its files."""
        return self.ledger.line.tree


class ReplyNode(NamedTuple):
    """A reply to a commit of the line."""

    link: ChainLink
    step: LoggedStep
    head: ObjectId
    view: View

    @property
    def tree(self) -> StateTree:
        """The state after it, without other replies, with its files."""
        return self.step.tree
