"""A commit by somebody else, as the rules see it: read once, and compared with a ledger when a rule asks."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from catan_p2p.game import invariants
from catan_p2p.game.chance import SharedDraw
from catan_p2p.game.rules import effect
from catan_p2p.game.state import State
from catan_p2p.log.commit import Commit, LogEntry
from catan_p2p.log.ledger import Ledger
from catan_p2p.log.line import ActionContext
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.tree import Put, StateTree, SuccessorTree, next_tree
from catan_p2p.log.verdict import CommitRejected, LoggedStep, Reason
from catan_p2p.sealing.group import ProofRefused

if TYPE_CHECKING:
    from catan_p2p.log.sealed_cards import SealedCards

T = TypeVar("T")


class _CachedAttribute(Generic[T]):
    """An attribute computed on first use; ``functools.cached_property`` takes a lock for that before Python 3.12."""

    def __init__(self, work: Callable[[Any], T]) -> None:
        self._work = work

    def __get__(self, owner: Any, _: type) -> T:
        # Stored under the property's own name, so the next access no longer comes here.
        found = owner.__dict__[self._work.__name__] = self._work(owner)
        return found


class Candidate:
    """A commit whose parents are in the ledger. Its consequences are computed when a rule first asks for them.

    Each rule may rely on what the rules before it have checked.
    """

    def __init__(
        self,
        commit: ObjectId,
        parts: Commit,
        entry: LogEntry,
        ledger: Ledger,
        put: Put,
        successor: SuccessorTree | None = None,
    ) -> None:
        self.commit = commit
        self.parts = parts
        self.parents = parts.parents
        self.entry = entry
        self.action = entry.action
        self.ledger = ledger
        self.successor = successor
        """A tree that the judge has made before, perhaps for this very action."""
        self._put = put

    def rejected(self, reason: Reason, detail: str, guards: tuple[str, ...] = ()) -> CommitRejected:
        """Return the refusal of this commit."""
        return CommitRejected(reason, self.commit, detail, guards)

    @_CachedAttribute
    def before(self) -> ActionContext:
        """The context of its action."""
        return self.ledger.line.prepare(self.action)

    @_CachedAttribute
    def draw(self) -> SharedDraw | None:
        """The draw that its action settles."""
        return self.ledger.known_shares.draw(self.before.state, self.action, self.entry.ahead)

    @_CachedAttribute
    def sealed_cards(self) -> SealedCards | ProofRefused | None:
        """The sealed cards after it, or why they are refused; None where hands are open."""
        before = self.before
        return (
            None
            if before.sealed_cards is None
            else before.sealed_cards.after(self.entry, before.state, before.parents[0])
        )

    @_CachedAttribute
    def tree(self) -> StateTree:
        """The tree that its action produces."""
        before, known = self.before, self.successor
        if known is not None and known.before is before.tree and known.action == self.action:
            return known.tree
        return next_tree(before.tree, self._after, self._put)

    @property
    def _after(self) -> State:
        after = effect(self.before.state, self.action)
        invariants.check(after, self.before.state)
        return after

    def accepted(self) -> LoggedStep:
        """Return the step of a commit that no rule refuses."""
        sealed_cards = None if self.ledger.line.sealed_cards is None else self._proven_vault
        time_s = self.parts.author.time_s
        return LoggedStep(
            self.commit, self.parents, self.action, self.tree, time_s, self.entry, self.draw, sealed_cards
        )

    @property
    def _proven_vault(self) -> SealedCards | None:
        return None if isinstance(self.sealed_cards, ProofRefused) else self.sealed_cards
