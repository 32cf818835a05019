"""The line of one game's actions, and the replies that hang on its newest commit, as an immutable value."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import reduce
from typing import TYPE_CHECKING, NamedTuple

from catan_p2p.game.actions import Action, EmptyBuild, RollDice
from catan_p2p.game.actions.replies import is_reply
from catan_p2p.game.constants import Player
from catan_p2p.game.rules import effect
from catan_p2p.game.state import State
from catan_p2p.log.known_shares import KnownShares
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.tree import StateTree
from catan_p2p.log.verdict import LoggedStep

if TYPE_CHECKING:
    from catan_p2p.log.sealed_cards import SealedCards


class ActionContext(NamedTuple):
    """The context of the next action: its required parents, the state before it, and the tree it derives from."""

    parents: tuple[ObjectId, ...]
    state: State
    tree: StateTree
    sealed_cards: SealedCards | None = None
    """The sealed cards, where hands are hidden."""


class GameLine(NamedTuple):
    """The validated actions of a game.

    ``head`` is the newest commit that is not a reply; ``replies`` are the replies to it, by player. ``state`` is the
    state after all of them, ``tree`` and ``known_shares`` are those of the head. ``turns`` counts the rolls of the
    dice, ``turns_ended`` the turns that have ended.
    """

    head: ObjectId
    tree: StateTree
    state: State
    known_shares: KnownShares
    replies: Mapping[Player, LoggedStep]
    turns: int = 0
    turns_ended: int = 0
    action_count: int = 0
    """The number of actions in the line: all commits except the root."""
    sealed_cards: SealedCards | None = None
    """The sealed cards at the head, where hands are hidden."""

    def after(self, step: LoggedStep, known_shares: KnownShares) -> GameLine:
        """Return the line with one more commit, and with the shares that are known then."""
        count = self.action_count + 1
        if is_reply(step.action):
            # Replies commute, and it was enabled without the others.
            state = effect(self.state, step.action) if self.replies else step.state
            return self._replace(state=state, replies={**self.replies, step.action.player: step}, action_count=count)
        turns = self.turns + isinstance(step.action, RollDice)
        ended = self.turns_ended + (isinstance(step.action, EmptyBuild) and step.action.player == self.state.ap)
        now = step.commit, step.tree, step.state, known_shares
        return GameLine(*now, {}, turns, ended, count, step.sealed_cards)

    # What comes next

    def prepare(self, action: Action) -> ActionContext:
        """Return the context of an action that comes next: a reply sees no other reply."""
        if not self.replies:
            return ActionContext((self.head,), self.state, self.tree, self.sealed_cards)
        return self._hearing(() if is_reply(action) else sorted(self.replies))

    def hearing_all(self) -> ActionContext:
        """Return the context of an action of the line after all replies."""
        return self._hearing(sorted(self.replies))

    def _hearing(self, players: Collection[Player]) -> ActionContext:
        heard = [self.replies[player] for player in players]
        is_all = len(heard) == len(self.replies)
        # Replies are applied in the order of players, but they commute, so any order gives the same state.
        state = self.state if is_all else reduce(effect, (reply.action for reply in heard), self.tree.state)
        sealed_cards = (
            None
            if self.sealed_cards is None
            else self.sealed_cards.hearing({step.action.player: step.sealed_cards for step in heard})
        )
        return ActionContext((self.head, *(reply.commit for reply in heard)), state, self.tree, sealed_cards)
