"""The line of one game's actions, and the replies that hang on its newest commit, as an immutable value."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import reduce
from typing import TYPE_CHECKING, NamedTuple

from catan_p2p.game.actions import Action, Claim, EmptyBuild, Excuse, RollDice, Vote
from catan_p2p.game.actions.replies import SILENCES, are_optional, is_reply, may_skip_replies
from catan_p2p.game.constants import Player
from catan_p2p.game.rules import effect
from catan_p2p.game.state import State
from catan_p2p.log.ballot import VotingRound, stage_of
from catan_p2p.log.dictionaries import PersistentMap
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


class LineContinuation(NamedTuple):
    """The commit of the line that follows another one: its player and parents, and what was there before it."""

    commit: ObjectId
    player: Player
    parents: tuple[ObjectId, ...]
    replies: Mapping[Player, ObjectId]
    """The accepted replies to the other commit."""
    is_optional: bool
    """Whether play went on without waiting for replies."""
    past: GameLine | None
    """The line before; None in games that nobody may leave."""


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
    heights: PersistentMap[ObjectId, int]
    """The number of commits on the longest path to the root, for each accepted commit, including votes."""
    next: PersistentMap[ObjectId, LineContinuation]
    replies: Mapping[Player, LoggedStep]
    turns: int = 0
    turns_ended: int = 0
    action_count: int = 0
    """The number of actions in the line: all commits except the root and votes."""
    sealed_cards: SealedCards | None = None
    """The sealed cards at the head, where hands are hidden."""

    def after(self, step: LoggedStep, known_shares: KnownShares) -> GameLine:
        """Return the line with one more commit, and with the shares that are known then."""
        player, head = step.action.player, self.head
        heights = self.heights.adding(step.commit, 1 + max(map(self.heights.__getitem__, step.parents)))
        if isinstance(step.action, Vote):
            return self._replace(heights=heights)
        count = self.action_count + 1
        if is_reply(step.action):
            # Replies commute, and it was enabled without the others.
            state = effect(self.state, step.action) if self.replies else step.state
            replies = {**self.replies, player: step}
            same = self.head, self.tree, state, self.known_shares, heights, self.next
            return GameLine(*same, replies, self.turns, self.turns_ended, count, self.sealed_cards)
        turns = self.turns + isinstance(step.action, RollDice)
        ended = self.turns_ended + (isinstance(step.action, EmptyBuild) and player == self.state.ap)
        past = self._as_past() if self.state.constants.rules.leaving else None
        is_optional = may_skip_replies(self.tree.state, step.action)
        way = LineContinuation(step.commit, player, step.parents, self.replies_to(head), is_optional, past)
        following = self.next.adding(head, way)
        now = step.commit, step.tree, step.state, known_shares, heights, following
        return GameLine(*now, {}, turns, ended, count, step.sealed_cards)

    def _as_past(self) -> GameLine:
        """What is kept of this line once play goes on; file ids (1.2 kB per commit) only where a vote may need them."""
        return self if self.replies else self._replace(tree=StateTree(self.tree.state, {"": self.tree.root}))

    def replies_to(self, base: ObjectId) -> Mapping[Player, ObjectId]:
        """The accepted replies to a commit, by player."""
        if base == self.head:
            return {player: step.commit for player, step in self.replies.items()} if self.replies else {}
        return self.next[base].replies if base in self.next else {}

    def leads_to(self, commit: ObjectId, base: ObjectId, action: ObjectId) -> bool:
        """Whether a commit of the line has an action that follows ``base`` in its history."""
        if action in self.next or action == self.head:
            return self.heights[action] <= self.heights[commit]
        merging = self.next.get(base)
        if merging is None or action not in merging.parents:
            return False
        return self.heights[merging.commit] <= self.heights[commit]

    def past_of(self, base: ObjectId) -> GameLine | None:
        """The line as it was, or is, before it continues one of its commits; None for all other commits."""
        if base == self.head:
            return self
        return self.next[base].past if base in self.next else None

    def past_at(self, base: ObjectId) -> GameLine:
        """The same for a commit that somebody voted on."""
        past = self.past_of(base)
        assert past is not None
        return past

    # What comes next

    def round_of(self, absent: Player) -> VotingRound:
        """The round of a vote about a player now."""
        return VotingRound(self.head, stage_of(self.state, absent), absent)

    def prepare(self, action: Action, parents: tuple[ObjectId, ...] | None = None) -> ActionContext:
        """Return the context of an action that comes next; ``parents`` are those of somebody else's commit.

        Where replies are optional, another action may have been taken before some of them arrived.
        """
        if isinstance(action, Vote):
            return self.before_vote(self.round_of(action.absent))
        if not self.replies:
            return self._hearing(())
        heard = [] if is_reply(action) else sorted(self.replies)
        if parents is not None and may_skip_replies(self.tree.state, action):
            heard = [player for player in heard if self.replies[player].commit in parents]
        return self._hearing(heard)

    def hearing_all(self) -> ActionContext:
        """Return the context of an action of the line after all replies."""
        return self._hearing(sorted(self.replies))

    def before_vote(self, round: VotingRound) -> ActionContext:
        """Return the context of a vote."""
        past = self.past_at(round.base)
        return past.before_turn_vote() if round.stage == "turn" else past._hearing(())

    def before_turn_vote(self) -> ActionContext:
        """Return the context of a vote on a turn that hangs on the head: after the replies that play waits for."""
        return self._hearing(() if are_optional(self.tree.state) else sorted(self.replies))

    def _hearing(self, players: Collection[Player]) -> ActionContext:
        if not self.replies:
            return ActionContext((self.head,), self.state, self.tree, self.sealed_cards)
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

    def newest_of(self, liar: Player) -> ObjectId:
        """The newest commit that would be lost without a liar's: that of the line, or the liar's reply to it."""
        return self.replies[liar].commit if liar in self.replies else self.head

    def answer_to(self, round: VotingRound) -> ObjectId | None:
        """The accepted commit of the player voted on, None if there is none."""
        if round.stage in ("owes", "lies"):
            return self.replies_to(round.base).get(round.absent)
        following = self.next.get(round.base)
        return following.commit if following is not None and following.player == round.absent else None

    def built_on(self, round: VotingRound) -> Iterator[LineContinuation]:
        """Iterate over the commits of the line after the answer of the player voted on; none without an answer."""
        answer = self.answer_to(round)
        at = answer if round.stage in ("turn", "fork") or answer is None else round.base
        while at is not None and (following := self.next.get(at)) is not None:
            yield following
            at = following.commit

    def built_by(self, action: Excuse | Claim, base: ObjectId) -> ObjectId | None:
        """The commit by which an action's player built on what the absent one did after ``base``; None if none."""
        found = (step for stage in SILENCES for step in self.built_on(VotingRound(base, stage, action.absent)))
        return next((step.commit for step in found if step.player == action.player), None)
