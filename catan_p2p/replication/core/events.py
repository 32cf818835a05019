"""Events: what a shell reports to the core."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from catan_p2p.game.actions import Action
from catan_p2p.game.chance import Nonce, Share
from catan_p2p.game.state import State
from catan_p2p.log.commit import NOTHING_TOLD, SecretParts
from catan_p2p.log.reading import Commits
from catan_p2p.log.storage.objects import ObjectId, ObjectKind
from catan_p2p.log.verdict import CommitRejected

if TYPE_CHECKING:
    from catan_p2p.log.graph import DueMessage


class CommitsBrought(NamedTuple):
    """The unknown commits that lead to a head, parents first, or why they cannot be had."""

    commits: Commits | CommitRejected
    odd: tuple[ObjectKind, bytes] | None = None
    """If they cannot be had, the object that is the reason, if there is one."""


class ProcessRestarted(NamedTuple):
    """The process has started; the own repository has these refs."""

    refs: Mapping[str, ObjectId]


class HeadHeard(NamedTuple):
    """A source, named by a colour, has ``head`` at a ref of the game; None: another player of the same repository."""

    source: str | None
    ref: str
    head: ObjectId
    brought: CommitsBrought
    failures: int = 0
    """How many looks at this source have failed in a row."""
    is_catching_up: bool = False
    """Whether it is still unknown what the others hold of the own log."""


class LooksEnded(NamedTuple):
    """A round of looks has ended."""


class ActionDecided(NamedTuple):
    """The player takes an action that leads to ``after``; the rest are further parts of its commit."""

    action: Action
    after: State
    time_s: int
    share: Share | None = None
    nonce: Nonce | None = None
    told: SecretParts = NOTHING_TOLD
    ahead: Share | None = None


class MessageDue(NamedTuple):
    """The player signs something in a change of the view."""

    due: DueMessage
    time_s: int


class DecisionStored(NamedTuple):
    """The last decision is recorded; before that it has not happened."""


class PlayerPassed(NamedTuple):
    """The player has done everything that there was to do now, and shows it."""


class LingerEnded(NamedTuple):
    """Others have been waited for so long that they may lack what is held here."""


class LogEnded(NamedTuple):
    """The own log moves to the newest commit of the line, whoever wrote it."""


Event: TypeAlias = (
    ProcessRestarted
    | HeadHeard
    | LooksEnded
    | ActionDecided
    | MessageDue
    | DecisionStored
    | PlayerPassed
    | LingerEnded
    | LogEnded
)
