"""Reads a game repository from its commits alone, as a peer would: every action in order, or what is wrong."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from catan_p2p.game.actions import Action
from catan_p2p.game.chance import SharedDraw
from catan_p2p.game.constants import Player
from catan_p2p.game.state import State
from catan_p2p.log.commit import LogEntry
from catan_p2p.log.folders import replicas_in
from catan_p2p.log.game import GameDefinition
from catan_p2p.log.graph import CommitGraph
from catan_p2p.log.reading import Read, read_game, take_in
from catan_p2p.log.refs import HEADS, REMOTES, Branch, LogBranch, branch_at
from catan_p2p.log.shared_work import SharedWork
from catan_p2p.log.storage.objects import ObjectId, StoreError
from catan_p2p.log.storage.store import GitStore
from catan_p2p.log.tree import Objects
from catan_p2p.log.verdict import CommitRejected, LoggedStep
from catan_p2p.log.views.messages import ViewMessage

if TYPE_CHECKING:
    from catan_p2p.log.sealed_cards import SealedCards


class LoggedAction(NamedTuple):
    """One validated commit: its parents, its action, the state in its tree, and its author's date."""

    commit: ObjectId
    parents: tuple[ObjectId, ...]
    action: Action
    state: State
    tree: ObjectId
    time_s: int
    entry: LogEntry
    """The contents of the message: the action, and shares of draws."""
    draw: SharedDraw | None = None
    """The draw that gives the action its outcome, where all players drew it together."""
    sealed_cards: SealedCards | None = None
    """The sealed cards after it, where hands are hidden."""


@dataclass(frozen=True, slots=True)
class GameHistory:
    """One game, read from its repository.

    ``actions`` are all validated commits of the line except the root, parents before children; ``first`` is the
    state at the root, ``last`` the state after all of them. ``heads`` says where each player's log ends, as far as this
    repository knows. ``rejected`` lists the refused commits in the order found; it is empty if the repository is in
    order. A branch is read up to its first refused commit.
    """

    game: GameDefinition
    root: ObjectId
    first: State
    actions: tuple[LoggedAction, ...]
    heads: Mapping[Player, ObjectId]
    last: State
    rejected: tuple[CommitRejected, ...]
    turns: int
    """How often the dice were rolled."""
    graph: CommitGraph
    """All validated commits."""


class BadRoot(StoreError):
    """A repository whose first commit is not a game that this program can read; ``rejected`` says why."""

    def __init__(self, where: str, rejected: CommitRejected) -> None:
        super().__init__(f"{where}: {rejected}")
        self.rejected = rejected


class HiddenHands(StoreError):
    """A game with hidden hands, where a caller needs to see all cards; ``why`` says why they are not open."""

    def __init__(self, where: str, why: str | None = None) -> None:
        self.why = why or "expected a game in which all cards can be seen"
        super().__init__(f"{where}: Hands = hidden: {self.why}")


def load_history(path: Path, *, may_be_hidden: bool = False) -> GameHistory:
    """Read the game in the repository at ``path``; ``StoreError`` if there is none, ``BadRoot`` if its root is invalid.

    ``HiddenHands`` if not all hands can be seen, unless ``may_be_hidden``.
    """
    with GitStore.open(path, writer=None) as store:
        history = read_history(game_refs(store), store.read, str(path))
    if history.game.constants.rules.hands == "hidden" and not may_be_hidden:
        raise HiddenHands(str(path))
    return history


class HasRefs(Protocol):
    """A source that can list refs."""

    def list_refs(self, prefix: str, /) -> dict[str, ObjectId]:
        """Return where each ref below a prefix is."""


def game_refs(store: HasRefs) -> dict[str, ObjectId]:
    """Return the refs to a repository's commits of its game, by full name: own branches, then copies of others'."""
    refs = store.list_refs(HEADS) | store.list_refs(REMOTES)
    return {ref: head for ref, head in refs.items() if branch_at(ref) is not None}


def read_history(refs: Mapping[str, ObjectId], read: Read, where: str) -> GameHistory:
    """Read the game that these refs (full names) lead to; ``StoreError`` and ``BadRoot`` name ``where``.

    A player's own branches end at the player's last action. What others have done since is in the copies of their
    branches, below ``refs/remotes/``: both are read.
    """
    branches = [(branch, head) for ref, head in refs.items() if (branch := branch_at(ref)) is not None]
    logs = [(branch, head) for branch, head in branches if isinstance(branch, LogBranch)]
    if not logs:
        raise StoreError(f"{where}: not a game: it has no branch such as Red_0")
    graph = begin(where, logs[0][1], read)
    first, actions = graph.state, list[LoggedAction]()
    rejected = list[CommitRejected]()

    def note(step: LoggedStep, made: Objects) -> None:
        if not isinstance(step.action, ViewMessage):
            where = (step.commit, step.parents, step.action, step.state, step.tree.root)
            actions.append(LoggedAction(*where, step.time_s, step.entry, step.draw, step.sealed_cards))

    # Logs before temporary branches: replies that were merged are known by then.
    for branch, head in sorted(branches, key=lambda item: isinstance(item[0], LogBranch), reverse=True):
        refused = foreign(graph.game, branch, head) or take_in(graph, head, read, note)
        # Table talk may come too late without anybody's fault.
        if refused is not None and refused not in rejected and refused.reason != "overtaken":
            rejected.append(refused)
    if graph.game.has_views:  # what a change of the view has undone is no part of the game
        known = {action.commit: action for action in actions}
        actions = [known[commit] for commit in graph.line_commits()]
    heads = _ends(graph, logs)
    last, turns = graph.state, graph.turns
    return GameHistory(graph.game, graph.root, first, tuple(actions), heads, last, tuple(rejected), turns, graph)


def _ends(graph: CommitGraph, logs: Iterable[tuple[LogBranch, ObjectId]]) -> dict[Player, ObjectId]:
    """Return where each player's log ends: of several copies, the one that goes farthest."""
    ends: dict[Player, ObjectId] = {}
    for branch, head in logs:
        player = graph.game.player_of(branch.colour)
        # A head that was refused must not hide a copy that was accepted.
        if player is None or (player in ends and head not in graph):
            continue
        end = ends.get(player)
        if end is None or end not in graph or graph.height(head) > graph.height(end):
            ends[player] = head
    return ends


def foreign(game: GameDefinition, branch: Branch, head: ObjectId) -> CommitRejected | None:
    """Refuse a branch of another game, or of a colour that nobody plays."""
    if branch.game == game.number and game.player_of(branch.colour) is not None:
        return None
    return CommitRejected("branch", head, f"no {branch.colour} player in game {game.number}")


def begin(where: str, head: ObjectId, read: Read, shared: SharedWork | None = None) -> CommitGraph:
    """Return the graph with only the root of the game that ``head`` belongs to; ``BadRoot`` names ``where``."""
    graph = read_game(head, read, shared=shared)
    if isinstance(graph, CommitRejected):
        raise BadRoot(where, graph)
    return graph


def newest_replica(path: Path) -> Path:
    """Return ``path``, or the repository of the player who is farthest ahead, if it holds those of several players."""
    return newest_of(replicas_in(path) or (path,))


def newest_of(replicas: Sequence[Path]) -> Path:
    """Return, of several repositories of one game, that of the player who is farthest ahead."""
    if len(replicas) == 1:
        return replicas[0]
    return max(replicas, key=lambda replica: len(load_history(replica, may_be_hidden=True).actions))
