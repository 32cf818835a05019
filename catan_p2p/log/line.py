"""The line of one game's actions as one peer has validated it, and the replies that hang on it: what is where in it.

Which commits come into it is told by ``log.graph``, what votes about it promise by ``log.promises``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from catan_p2p.game.actions.replies import are_optional
from catan_p2p.game.constants import Player
from catan_p2p.game.state import State
from catan_p2p.game.watching import Watch
from catan_p2p.log.authorship import Sign, SignatureCheck, forgery
from catan_p2p.log.ballot import Ballot, Round
from catan_p2p.log.commit import decode_commit, parse_entry
from catan_p2p.log.game import Game
from catan_p2p.log.lottery import Lottery
from catan_p2p.log.settling import Settling
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.tree import Tree
from catan_p2p.log.verdict import Step


class Prepared(NamedTuple):
    """What an action meets: required parents, the state before, and the tree that the new one is derived from."""

    parents: tuple[ObjectId, ...]
    state: State
    tree: Tree


class Past(NamedTuple):
    """What a commit of the line was continued from: its tree, the replies to it in order, and the state after them."""

    tree: Tree
    replies: tuple[ObjectId, ...]
    state: State
    spent: Mapping[Player, int]
    """By player the number of their share up to which all count as told at the commit, replies to it left out."""


class Continuation(NamedTuple):
    """The commit that follows another in the line, whose it is, and what it merges besides."""

    commit: ObjectId
    player: Player
    parents: tuple[ObjectId, ...]


class Line:
    """What is validated of a game's commit graph; nothing comes into it here."""

    def __init__(
        self,
        game: Game,
        root: ObjectId,
        tree: Tree,
        verify: SignatureCheck | None = None,
        sign: Sign | None = None,
    ) -> None:
        self.game = game
        self.root = root
        self.head = root
        self.state = tree.state
        self.replies: dict[Player, Step] = {}
        self.turns = 0
        self.action_count = 0
        """How many actions of the game are taken in: all commits but the root and votes."""
        self.tell_step: Callable[[Step, State], None] | None = None
        """Told each commit that is taken in, with the state in which its action took place."""
        self.watch: Watch | None = None
        """Told each action but votes: the state before and after it. A graph that is begun again tells all again."""
        self._first = tree
        self._tree = tree
        self.verify = verify
        self._sign = sign
        self.lottery = Lottery(root)
        self._next: dict[ObjectId, Continuation] = {}
        self._replied: dict[tuple[ObjectId, Player], ObjectId] = {}
        self._optional: set[ObjectId] = set()
        """The commits that play has gone on from without having to wait for replies to them."""
        self._height: dict[ObjectId, int] = {root: 0}
        self.ballot = Ballot()
        """Votes on players who are silent; in games that nobody may leave there are none."""
        self.settling = Settling(self.ballot)
        self._past: dict[ObjectId, Past] = {}
        self._spent: Mapping[Player, int] = {}
        """The same of the newest commit of the line as in ``Past``."""

    def __contains__(self, commit: object) -> bool:
        return commit in self._height

    def height(self, commit: ObjectId) -> int:
        """How many commits the longest way to the root has; KeyError for a commit that was not accepted."""
        return self._height[commit]

    def __len__(self) -> int:
        return len(self._height)

    def is_forged(self, commit: ObjectId, data: bytes) -> bool:
        """Whether the bytes of a commit are not by whom its message says."""
        parts = decode_commit(data)
        player = parse_entry(parts.message, self.game.constants).action.player
        return forgery(commit, parts, self.game, player, self.verify) is not None

    # Where it goes on

    def following(self, base: ObjectId) -> Continuation | None:
        """What continues a commit of the line; None if nothing does."""
        return self._next.get(base)

    def reply_of(self, base: ObjectId, player: Player) -> ObjectId | None:
        """A player's reply to a commit of the line, None if none was accepted."""
        return self._replied.get((base, player))

    def is_optional(self, base: ObjectId) -> bool:
        """Whether play has gone on from a commit without having to wait for replies to it."""
        return base in self._optional

    def has_passed(self, base: ObjectId) -> bool:
        """Whether the line goes on from a commit."""
        return base in self._next

    def newest_of(self, liar: Player) -> ObjectId:
        """The newest commit that would be lost if a liar's were not counted: the line's, or the liar's reply to it."""
        return self.replies[liar].commit if liar in self.replies else self.head

    def answer_to(self, round: Round) -> ObjectId | None:
        """The commit of the player voted on that was accepted all the same, None if none was."""
        if round.stage in ("owes", "lies"):
            return self._replied.get((round.base, round.absent))
        following = self._next.get(round.base)
        return following.commit if following is not None and following.player == round.absent else None

    def built_on(self, round: Round) -> Iterator[Continuation]:
        """The commits of the line after the answer of the player voted on; none without an answer."""
        answer = self.answer_to(round)
        at = answer if round.stage in ("turn", "fork") or answer is None else round.base
        while at is not None and (following := self._next.get(at)) is not None:
            yield following
            at = following.commit

    def past_of(self, base: ObjectId) -> Past | None:
        """What a commit of the line was continued from, or will be; None for all other commits."""
        return self._present() if base == self.head else self._past.get(base)

    def _present(self) -> Past:
        """What is voted on now; a vote sees no replies that play need not wait for."""
        if are_optional(self._tree.state):
            return Past(self._tree, (), self._tree.state, self._spent)
        replies = tuple(self.replies[player].commit for player in sorted(self.replies))
        return Past(self._tree, replies, self.state, self._spent)
