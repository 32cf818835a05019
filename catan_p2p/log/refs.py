"""Every ref name of a game repository, made and read here and nowhere else.

================================================  =====================================================
``refs/heads/Red_0``                              the log of the red player in game 0
``refs/heads/<commit>_loss_Red_0``                the red player's discard after the seven in that commit
``refs/heads/<commit>_answer_Red_0``              the red player's answer to the offer in that commit
``refs/heads/<commit>_proposal_Red_0``            the red player's proposal, or counter-offer, after that commit
``refs/heads/<commit>_opening_Red_0``             what opens the red player's hidden cards, after the last commit
``refs/heads/<commit>_copy_Red_0``                the red player's copy of that commit, by another player
``refs/remotes/Blue/Red_0``                       where the blue peer's copy of the red log was last seen
``refs/chat/Red``                                 the red player's chat; in game 3 ``refs/chat/Red_3``
``refs/heads/chat/0/Red``                         the same at a relay that takes branches only
``refs/foreign/<commit>``                         a commit by another program at a branch here, such as ``git commit``
================================================  =====================================================
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple, TypeAlias, get_args

from catan_p2p.game.actions.parts import ReplyKind
from catan_p2p.log.storage.objects import ObjectId

COLOURS: tuple[str, ...] = ("Red", "Blue", "Green", "Orange", "White", "Brown")
"""Colours in seat order."""

HEADS = "refs/heads/"
REMOTES = "refs/remotes/"
CHAT = "refs/chat/"
FOREIGN = "refs/foreign/"

_ANY_COLOUR = "|".join(COLOURS)
# Few digits, since the number becomes part of file names and trailers.
_LOG = re.compile(rf"(?P<colour>{_ANY_COLOUR})_(?P<game>0|[1-9]\d{{0,8}})")
_COPY = re.compile(rf"(?P<commit>[0-9a-f]{{40}})_copy_{_LOG.pattern}")
_KINDS = "|".join(get_args(ReplyKind))
_REPLY = re.compile(rf"(?P<base>[0-9a-f]{{40}})_(?P<kind>{_KINDS})_{_LOG.pattern}")


class LogBranch(NamedTuple):
    """A player's log."""

    colour: str
    game: int


class ReplyBranch(NamedTuple):
    """A player's temporary branch for one reply to a commit."""

    base: ObjectId
    kind: str
    """A word such as ``loss`` or ``answer``: see ``ReplyKind``."""

    colour: str
    game: int


Branch: TypeAlias = LogBranch | ReplyBranch


class CommitCopy(NamedTuple):
    """A player's copy of another player's commit. It is not a branch of the game: its name says where it leads."""

    commit: ObjectId
    colour: str
    """The player who made the copy."""
    game: int


@lru_cache(maxsize=1 << 12)
def branch_name(branch: Branch) -> str:
    """``Red_0``, ``<commit>_loss_Red_0`` or ``<commit>_answer_Red_0``."""
    name = f"{branch.colour}_{branch.game}"
    return name if isinstance(branch, LogBranch) else f"{branch.base}_{branch.kind}_{name}"


@lru_cache(maxsize=1 << 12)
def parse_branch(name: str) -> Branch | None:
    """Parse the short name of a game's branch; None if it is not one."""
    if match := _LOG.fullmatch(name):
        return LogBranch(match["colour"], int(match["game"]))
    if match := _REPLY.fullmatch(name):
        return ReplyBranch(ObjectId(match["base"]), match["kind"], match["colour"], int(match["game"]))
    return None


@lru_cache(maxsize=1 << 12)
def branch_at(ref: str) -> Branch | None:
    """Parse ``refs/heads/Red_0`` or ``refs/remotes/Blue/Red_0``; None if it is no branch of a game."""
    if ref.startswith(HEADS):
        return parse_branch(ref.removeprefix(HEADS))
    return parse_branch(ref.removeprefix(REMOTES).partition("/")[2]) if ref.startswith(REMOTES) else None


@lru_cache(maxsize=1 << 12)
def reply_branch_at(ref: str) -> ReplyBranch | None:
    """The same for temporary branches only."""
    branch = branch_at(ref)
    return branch if isinstance(branch, ReplyBranch) else None


def local_ref(branch: Branch) -> str:
    """``refs/heads/Red_0``."""
    return HEADS + branch_name(branch)


def copy_ref(copy: CommitCopy) -> str:
    """``refs/heads/<commit>_copy_Red_0``."""
    return f"{HEADS}{copy.commit}_copy_{copy.colour}_{copy.game}"


@lru_cache(maxsize=1 << 12)
def copy_at(ref: str) -> CommitCopy | None:
    """Parse ``refs/heads/<commit>_copy_Red_0``; None if it is no copy."""
    match = _COPY.fullmatch(ref.removeprefix(HEADS)) if ref.startswith(HEADS) else None
    return None if match is None else CommitCopy(ObjectId(match["commit"]), match["colour"], int(match["game"]))


def foreign_ref(ref: str, commit: ObjectId) -> str | None:
    """``refs/foreign/<commit>``, where a player's repository keeps a foreign commit found at a branch of the game.

    None for other refs: another process writes the player's chat.
    """
    return None if branch_at(ref) is None else f"{FOREIGN}{commit}"


def remote_ref(peer: str, branch: Branch) -> str:
    """``refs/remotes/Blue/Red_0``."""
    return f"{REMOTES}{peer}/{branch_name(branch)}"


@lru_cache(maxsize=1 << 8)
def chat_ref(colour: str, game: int) -> str:
    """``refs/chat/Red``, or ``refs/chat/Red_3`` in game 3: several games may share a relay."""
    return f"{CHAT}{colour}" if game == 0 else f"{CHAT}{branch_name(LogBranch(colour, game))}"


def chat_branch_ref(colour: str, game: int) -> str:
    """``refs/heads/chat/0/Red``: a player's chat in game 0, at a relay that takes only branches."""
    return f"{HEADS}chat/{game}/{colour}"
