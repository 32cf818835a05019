"""Effects: what a shell does for the core, in this order.

A process may end after any of them, so each prefix of a list leaves a repository from which a peer can go on. Carrying
one out twice is the same as once. Showing includes syncing first (``GitStore.publish``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from catan_p2p.game.state import State
from catan_p2p.log.storage.objects import ObjectId, ObjectKind
from catan_p2p.log.verdict import LoggedStep

if TYPE_CHECKING:
    from catan_p2p.log.evidence import RefusedCommit


class KeepObjects(NamedTuple):
    """Take these objects, so that they are recorded with the next move of a ref."""

    objects: tuple[tuple[ObjectKind, bytes], ...]


class RecordRef(NamedTuple):
    """Record that a ref moves from ``old`` (None: it does not exist) to ``new``; from then on it survives a kill."""

    ref: str
    old: ObjectId | None
    new: ObjectId


class ForgetRef(NamedTuple):
    """Record that a ref, now at ``old``, is deleted."""

    ref: str
    old: ObjectId


class ShowRefs(NamedTuple):
    """Sync what was recorded, and let everybody see it."""


class KeepEvidence(NamedTuple):
    """Keep a refused commit as evidence, with the own commit that contradicts it, as far as they are there."""

    refusal: RefusedCommit
    commits: tuple[tuple[ObjectId, ObjectKind, bytes], ...]


class DisownRef(NamedTuple):
    """Tell the relay that a head at this player's refs there is foreign; ``is_rival``: signed with their key."""

    source: str
    head: ObjectId
    is_rival: bool
    why: str


class ReportCommit(NamedTuple):
    """Report an accepted commit to people, with the state before its action."""

    step: LoggedStep
    before: State


class LeaveSource(NamedTuple):
    """Leave a source alone for a while, as one that cannot be reached."""

    source: str
    why: str
    is_waiting: bool = False
    """Whether something that it names has only not arrived yet."""


Effect: TypeAlias = (
    KeepObjects | RecordRef | ForgetRef | ShowRefs | KeepEvidence | DisownRef | ReportCommit | LeaveSource
)
