"""Recorded games without the rules: the actions in commit messages, and the states in trees.

This module checks only what needs no rule of the game: that all branches are on one line, that each commit has the
right parents and was written by its player, and that its tree has exactly the files of a game.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple, TypeAlias

from catan_p2p.game.actions import Action
from catan_p2p.game.actions.replies import is_reply, may_skip_replies
from catan_p2p.game.state import State, initial_state
from catan_p2p.log.authorship import forgery
from catan_p2p.log.commit import decode_commit, parse_action
from catan_p2p.log.game import FormatError, GameDefinition, game_files
from catan_p2p.log.history import begin, game_refs, read_history
from catan_p2p.log.reading import Read, new_commits, tree_entries
from catan_p2p.log.refs import HEADS, REMOTES, LogBranch, branch_at
from catan_p2p.log.signing import is_signed_by
from catan_p2p.log.state_files import parse_state
from catan_p2p.log.storage.objects import ObjectId, StoreError
from catan_p2p.log.storage.store import GitStore
from catan_p2p.log.tree import first_tree, hash_only, next_tree
from catan_p2p.log.verdict import CommitRejected

_Commits: TypeAlias = list[tuple[ObjectId, bytes]]
"""Ids and bytes, parents before children."""


class RecordedStep(NamedTuple):
    """One recorded commit: its action, and the state in its tree."""

    commit: ObjectId
    action: Action
    state: State


class LineStep(NamedTuple):
    """One step of the line, and the concurrent replies before it, such as discards or answers."""

    replies: tuple[RecordedStep, ...]
    step: RecordedStep


class UnreadableCommit(NamedTuple):
    """A commit that cannot be a step of the line under any rules; ``detail`` says why."""

    commit: ObjectId
    detail: str


@dataclass(frozen=True, slots=True)
class RecordedGame:
    """A recorded game; ``unreadable`` is the commit at which reading ended, None if all were readable."""

    game: GameDefinition
    entries: tuple[LineStep, ...]
    unreadable: UnreadableCommit | None
    pending: tuple[RecordedStep, ...] = ()
    """Replies at the end of the line, before the next step."""

    @property
    def step_count(self) -> int:
        """The number of commits, not counting the root."""
        return sum(1 + len(entry.replies) for entry in self.entries) + len(self.pending)


def read_recording(path: Path) -> RecordedGame:
    """The game recorded in the branches of the repository at ``path``, and in its copies of other players'.

    The longest line counts; ``unreadable`` names a branch that leaves it. Raises ``StoreError`` if there is no game,
    ``BadRoot`` if no log leads to the root of one.
    """
    with GitStore.open(path, writer=None) as store:
        heads = game_refs(store)
        logs = [head for ref, head in heads.items() if isinstance(branch_at(ref), LogBranch)]
        if not logs:
            raise StoreError(f"{path}: not a game: it has no branch such as Red_0")
        ways = {head: new_commits(head, (), store.read) for head in heads.values()}
        longest = max(logs, key=lambda head: -1 if isinstance(ways[head], CommitRejected) else len(ways[head]))
        graph = begin(str(path), longest, store.read)
        if graph.game.has_views:
            return _read_line(heads, store.read, str(path))
        return _read_branches(graph.game, graph.root, heads, ways, store.read)


def _read_line(heads: Mapping[str, ObjectId], read: Read, where: str) -> RecordedGame:
    """The line of a game with views; what was signed beside it is not of the game. ``unreadable`` is a refused commit.

    Which of the commits are the line is taken from ``log.views``.
    """
    history = read_history(heads, read, where)
    graph = history.graph
    assert graph.game.has_views
    recording = _read_steps(graph.game, graph.root, ((one, read(one)[1]) for one in graph.line_commits()), read)
    if recording.unreadable is None and history.rejected:
        refused = history.rejected[0]
        left = UnreadableCommit(refused.commit, f"{refused.reason}: {refused.detail}")
        return RecordedGame(graph.game, recording.entries, left, recording.pending)
    return recording


def _read_branches(
    game: GameDefinition,
    root: ObjectId,
    heads: Mapping[str, ObjectId],
    found: Mapping[ObjectId, _Commits | CommitRejected],
    read: Read,
) -> RecordedGame:
    """The game with this root, given the commits from a root to each head."""
    ways = {
        head: commits[1:]
        for head, commits in found.items()
        if not isinstance(commits, CommitRejected) and commits[0][0] == root
    }
    replied_to = {head: _replied_to(commits, game) for head, commits in ways.items()}
    lines = [commits if replied_to[head] is None else commits[:-1] for head, commits in sorted(ways.items())]
    line: _Commits = max(lines, key=len, default=[])
    end = line[-1][0] if line else root
    known = {root, *(commit for commit, _ in line)}
    replies = [ways[head] for head, base in sorted(replied_to.items()) if base == end and head not in known]
    pending = [way[-1] for way in replies]
    known.update(commit for commit, _ in pending)
    recording = _read_steps(game, root, [*line, *pending], read)
    if recording.unreadable is not None:
        return recording
    for ref, head in heads.items():
        commits = found[head]
        if isinstance(commits, CommitRejected):
            left = UnreadableCommit(commits.commit, f"{_name(ref)} leads to it: {commits.detail}")
        elif head not in known and not (
            replied_to.get(head) in known and _is_unheard(commits[-1], replied_to[head], recording)
        ):
            left = UnreadableCommit(head, f"{_name(ref)} has left the line that goes on to {end[:10]}")
        else:
            continue
        return RecordedGame(game, recording.entries, left, recording.pending)
    return recording


def _name(ref: str) -> str:
    """``Red_0``, or ``Blue/Red_0`` for the copy of it in Blue's repository."""
    return ref.removeprefix(HEADS).removeprefix(REMOTES)


def _replied_to(commits: _Commits, game: GameDefinition) -> ObjectId | None:
    """The commit to which the last of these commits replies; None if it is not a reply to one commit."""
    if not commits:
        return None
    parts = decode_commit(commits[-1][1])
    try:
        action = parse_action(parts.message, game.constants)
    except FormatError:
        return None
    return parts.parents[0] if is_reply(action) and len(parts.parents) == 1 else None


def _is_unheard(last: tuple[ObjectId, bytes], base: ObjectId | None, recording: RecordedGame) -> bool:
    """Whether a branch ends with a reply to ``base`` without effect: a proposal that came too late.

    A player's repository keeps it. It is only checked that the player wrote it.
    """
    try:
        _read_commit(recording.game, *last, () if base is None else (base,))
    except FormatError:
        return False
    steps = [entry.step for entry in recording.entries]
    return any(
        asked.commit == base and may_skip_replies(asked.state, following.action) for asked, following in pairwise(steps)
    )


def _read_steps(
    game: GameDefinition, root: ObjectId, commits: Iterable[tuple[ObjectId, bytes]], read: Read
) -> RecordedGame:
    trees = TreeReader(game, read)
    entries: list[LineStep] = []
    replies: list[RecordedStep] = []
    base = root
    for commit, data in commits:
        try:
            action, tree = _read_commit(game, commit, data, (base, *(reply.commit for reply in replies)))
            step = RecordedStep(commit, action, trees.state(tree))
        except (FormatError, StoreError) as error:
            return RecordedGame(game, tuple(entries), UnreadableCommit(commit, str(error)), tuple(replies))
        if is_reply(action):
            replies.append(step)
        else:
            entries.append(LineStep(tuple(replies), step))
            base, replies = commit, []
    return RecordedGame(game, tuple(entries), None, tuple(replies))


def _read_commit(
    game: GameDefinition, commit: ObjectId, data: bytes, before: tuple[ObjectId, ...]
) -> tuple[Action, ObjectId]:
    """The action and tree of a commit, given the step before it with its replies.

    ``FormatError`` if it is unreadable, another player wrote it, or it has other parents.
    """
    parts = decode_commit(data)
    action = parse_action(parts.message, game.constants)
    wrong = forgery(commit, parts, game, action.player, is_signed_by)
    if wrong is not None:
        raise FormatError(wrong.detail)
    # With views, an action also links to what a change merged, and to its player's previous commit.
    of_game = tuple(one for one in parts.parents if one in before or not game.has_views)
    if of_game != (before[:1] if is_reply(action) else before):
        parents = ", ".join(parent[:10] for parent in parts.parents)
        raise FormatError(f"{action} cannot follow {parents or 'nothing'}")
    return action, parts.tree


class TreeReader:
    """Reads the states in the trees of a game; a folder that trees share is read once."""

    def __init__(self, game: GameDefinition, read: Read) -> None:
        self._constants = game.constants
        self._written_once = game_files(game)
        self._first = first_tree(game, initial_state(game.constants), hash_only)
        self._read = read
        self._below: dict[tuple[str, ObjectId], dict[str, str]] = {}

    def state(self, tree: ObjectId) -> State:
        """The state in a tree; ``FormatError`` names a file that is missing or wrong.

        Raises ``StoreError`` if an object is missing.
        """
        texts = self._texts("", tree)
        for path, text in self._written_once.items():
            if path not in texts:
                raise FormatError(f"{path}: the file is missing")
            if texts[path] != text:
                raise FormatError(f"{path}: not as in the first commit")
        state = parse_state(texts, self._constants)
        # Different texts may parse to one state; writing the state again shows that the files are the canonical ones.
        expected = next_tree(self._first, state, hash_only).root
        if expected != tree:
            raise FormatError(f"its tree is {tree[:10]}, expected {expected[:10]} with the same files")
        return state

    def _texts(self, folder: str, tree: ObjectId) -> dict[str, str]:
        """The texts of all files below a folder, whose name ends in a slash, by path."""
        found = self._below.get((folder, tree))
        if found is None:
            found = {}
            for name, (mode, oid) in tree_entries(tree, self._read).items():
                path = folder + name
                if path not in self._first.ids:
                    raise FormatError(f"{path}: this game has no such file")
                if mode == "40000":
                    found |= self._texts(f"{path}/", oid)
                elif mode == "100644":
                    found[path] = self._text(oid)
                else:
                    raise FormatError(f"{path}: the mode is {mode}, expected 100644")
            self._below[folder, tree] = found
        return found

    def _text(self, blob: ObjectId) -> str:
        kind, data = self._read(blob)
        if kind != "blob":
            raise FormatError(f"{blob[:10]}: a {kind}, expected a file")
        return data.decode("utf-8", "replace")
