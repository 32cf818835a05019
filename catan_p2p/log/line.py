"""The line of one game's actions, and the replies that hang on its newest commit: a value that never changes."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import reduce
from typing import TYPE_CHECKING, NamedTuple

from catan_p2p.game.actions import Action, Claim, EmptyBuild, Excuse, Vote
from catan_p2p.game.actions.replies import SILENCES, are_optional, is_reply, may_skip_replies
from catan_p2p.game.constants import Player
from catan_p2p.game.rules import effect
from catan_p2p.game.state import State
from catan_p2p.log.ballot import VotingRound, stage_of
from catan_p2p.log.known_shares import KnownShares
from catan_p2p.log.persistent_map import PersistentMap
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
    vault: SealedCards | None = None
    """The sealed cards, where hands are hidden."""


class LineContinuation(NamedTuple):
    """The commit of the line that follows another, its player and parents, and what it found after the other one."""

    commit: ObjectId
    player: Player
    parents: tuple[ObjectId, ...]
    replies: Mapping[Player, ObjectId]
    """The replies to the other commit that were accepted."""
    is_optional: bool
    """Whether play went on without having to wait for replies."""
    past: GameLine | None
    """The line before; in games that nobody may leave it is not kept."""


class GameLine(NamedTuple):
    """The actions of a game as far as they are validated.

    ``head`` is the newest commit, without the replies to it; ``replies`` are those, by player. ``state`` is the state
    after all of them, ``tree`` and ``lottery`` those of the head. ``turns`` counts the turns that have ended.
    """

    head: ObjectId
    tree: StateTree
    state: State
    lottery: KnownShares
    heights: PersistentMap[ObjectId, int]
    """How many commits the longest way to the root has, of each commit that was accepted, votes as well."""
    next: PersistentMap[ObjectId, LineContinuation]
    replies: Mapping[Player, LoggedStep]
    turns: int = 0
    action_count: int = 0
    """How many actions of the game are taken in: all commits but the root and votes."""
    vault: SealedCards | None = None
    """The sealed cards at the head, where hands are hidden."""

    def after(self, step: LoggedStep, lottery: KnownShares) -> GameLine:
        """The line that has this commit as well, with all shares that are told then."""
        player, head = step.action.player, self.head
        heights = self.heights.adding(step.commit, 1 + max(map(self.heights.__getitem__, step.parents)))
        if isinstance(step.action, Vote):
            return self._replace(heights=heights)
        count = self.action_count + 1
        if is_reply(step.action):
            # Replies commute, and it was enabled without the others.
            state = effect(self.state, step.action) if self.replies else step.state
            replies = {**self.replies, player: step}
            same = self.head, self.tree, state, self.lottery, heights, self.next
            return GameLine(*same, replies, self.turns, count, self.vault)
        turns = self.turns + (isinstance(step.action, EmptyBuild) and player == self.state.ap)
        past = self._as_past() if self.state.constants.rules.leaving else None
        is_optional = may_skip_replies(self.tree.state, step.action)
        way = LineContinuation(step.commit, player, step.parents, self.replies_to(head), is_optional, past)
        following = self.next.adding(head, way)
        return GameLine(step.commit, step.tree, step.state, lottery, heights, following, {}, turns, count, step.vault)

    def _as_past(self) -> GameLine:
        """What is kept of it once play has gone on: the ids of files only where a vote may change one (1.2 kB each)."""
        return self if self.replies else self._replace(tree=StateTree(self.tree.state, {"": self.tree.root}))

    def replies_to(self, base: ObjectId) -> Mapping[Player, ObjectId]:
        """The replies to a commit that were accepted, by player."""
        if base == self.head:
            return {player: step.commit for player, step in self.replies.items()} if self.replies else {}
        return self.next[base].replies if base in self.next else {}

    def leads_to(self, commit: ObjectId, base: ObjectId, action: ObjectId) -> bool:
        """Whether a commit of the line has an action in its history, which continues or replies to ``base``."""
        if action in self.next or action == self.head:
            return self.heights[action] <= self.heights[commit]
        merging = self.next.get(base)
        if merging is None or action not in merging.parents:
            return False
        return self.heights[merging.commit] <= self.heights[commit]

    def past_of(self, base: ObjectId) -> GameLine | None:
        """The line as it was, or is, before it goes on from one of its commits; None for all other commits."""
        if base == self.head:
            return self
        return self.next[base].past if base in self.next else None

    def past_at(self, base: ObjectId) -> GameLine:
        """The same of a commit that something was voted on."""
        past = self.past_of(base)
        assert past is not None
        return past

    # What comes next

    def round_of(self, absent: Player) -> VotingRound:
        """What would be voted on now about a player."""
        return VotingRound(self.head, stage_of(self.state, absent), absent)

    def prepare(self, action: Action, parents: tuple[ObjectId, ...] | None = None) -> ActionContext:
        """What an action meets that comes next; ``parents`` are those that somebody else's commit has.

        Where replies are optional, another action may have been taken before some of them were heard.
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
        """What an action of the line meets that has heard all replies."""
        return self._hearing(sorted(self.replies))

    def before_vote(self, round: VotingRound) -> ActionContext:
        """What a vote meets."""
        past = self.past_at(round.base)
        return past.before_turn_vote() if round.stage == "turn" else past._hearing(())

    def before_turn_vote(self) -> ActionContext:
        """What a vote on a turn meets that hangs on the head: it has heard the replies that play waits for."""
        return self._hearing(() if are_optional(self.tree.state) else sorted(self.replies))

    def _hearing(self, players: Collection[Player]) -> ActionContext:
        if not self.replies:
            return ActionContext((self.head,), self.state, self.tree, self.vault)
        heard = [self.replies[player] for player in players]
        is_all = len(heard) == len(self.replies)
        state = self.state if is_all else reduce(effect, (reply.action for reply in heard), self.tree.state)
        vault = None if self.vault is None else self.vault.hearing({step.action.player: step.vault for step in heard})
        return ActionContext((self.head, *(reply.commit for reply in heard)), state, self.tree, vault)

    def newest_of(self, liar: Player) -> ObjectId:
        """The newest commit that would be lost if a liar's were not counted: the line's, or the liar's reply to it."""
        return self.replies[liar].commit if liar in self.replies else self.head

    def answer_to(self, round: VotingRound) -> ObjectId | None:
        """The commit of the player voted on that was accepted all the same, None if none was."""
        if round.stage in ("owes", "lies"):
            return self.replies_to(round.base).get(round.absent)
        following = self.next.get(round.base)
        return following.commit if following is not None and following.player == round.absent else None

    def built_on(self, round: VotingRound) -> Iterator[LineContinuation]:
        """The commits of the line after the answer of the player voted on; none without an answer."""
        answer = self.answer_to(round)
        at = answer if round.stage in ("turn", "fork") or answer is None else round.base
        while at is not None and (following := self.next.get(at)) is not None:
            yield following
            at = following.commit

    def built_by(self, action: Excuse | Claim, base: ObjectId) -> ObjectId | None:
        """Where its player has gone on from what the other did after ``base``, to go on without whom it says."""
        found = (step for stage in SILENCES for step in self.built_on(VotingRound(base, stage, action.absent)))
        return next((step.commit for step in found if step.player == action.player), None)
