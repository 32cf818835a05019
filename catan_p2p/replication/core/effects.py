"""What a shell has to do for the core, in the order in which it comes.

A process may end after any of them, so each prefix of a list leaves a repository from which a peer goes on. Doing one
twice is the same as doing it once. What is shown is synced first: that is part of showing (``GitStore.publish``).
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
    """Record that a ref moves from ``old`` (None: there is no such ref) to ``new``: from then on it outlives a kill."""

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
    """Keep a refused commit among the evidence, and the own commit that contradicts it, as far as they are there."""

    refusal: RefusedCommit
    commits: tuple[tuple[ObjectId, ObjectKind, bytes], ...]


class DisownRef(NamedTuple):
    """Tell the relay that what stands in this player's place there is not theirs; ``is_rival``: it has their key."""

    source: str
    head: ObjectId
    is_rival: bool
    why: str


class ReportCommit(NamedTuple):
    """Tell people of a commit that was taken in, and of the state in which its action took place."""

    step: LoggedStep
    before: State


class LeaveSource(NamedTuple):
    """Leave a source alone for a while, as one that cannot be reached."""

    source: str
    why: str


Effect: TypeAlias = (
    KeepObjects | RecordRef | ForgetRef | ShowRefs | KeepEvidence | DisownRef | ReportCommit | LeaveSource
)
