"""Sets aside what another program put at a seat's branches, such as ``git commit`` by hand, so that play goes on."""

from __future__ import annotations

from catan_p2p.game.actions import Action
from catan_p2p.game.actions.replies import is_reply
from catan_p2p.game.constants import Player
from catan_p2p.log.authorship import forgery
from catan_p2p.log.commit import decode_commit, parse_entry
from catan_p2p.log.game import FormatError
from catan_p2p.log.graph import CommitGraph
from catan_p2p.log.refs import HEADS, Branch, LogBranch, branch_at
from catan_p2p.log.storage.objects import DisplacedRef, ObjectId, ObjectMissing, parents_of
from catan_p2p.log.storage.store import GitStore


def put_branches_back(store: GitStore, graph: CommitGraph, player: Player) -> None:
    """Set aside heads of the player's own branches that are no commits of this game's players.

    A branch goes back to the newest valid commit below, or to an own commit that no branch leads to any more, such as
    ``git commit --amend`` and ``git reset`` leave behind. A reader of the branch then judges it as usual.
    """
    for ref, head in store.list_refs(HEADS, broken=[]).items():
        branch = branch_at(ref)
        if branch is None or (branch.colour, branch.game) != (graph.game.seats[player - 1].colour, graph.game.number):
            continue
        if _is_foreign(store, graph, head):
            below = _newest_below(store, graph, head)
            store.put_back(ref, head, _continued(store, graph, player, branch, below))
    if store.displaced:
        store.publish()


def describe_displaced(one: DisplacedRef) -> str:
    """Describe in one line what was found, and where it is kept."""
    name = one.ref.removeprefix(HEADS)
    if one.found is None:
        return f"{name}: another program deleted this branch; it is back where it was"
    return (
        f"{name}: another program moved this branch to {one.found[:10]}, which is kept at {one.kept_at}; "
        "the branch is back where it was"
    )


def is_foreign(graph: CommitGraph, commit: ObjectId, data: bytes) -> bool:
    """Whether a commit is by no player of this game; the root counts as theirs."""
    if commit == graph.root:
        return False
    try:
        parts = decode_commit(data)
        player = parse_entry(parts.message, graph.game.constants).action.player
    except FormatError:
        return True
    return forgery(commit, parts, graph.game, player, graph.ledger.verify) is not None


def _is_foreign(store: GitStore, graph: CommitGraph, commit: ObjectId) -> bool:
    try:
        kind, data = store.read(commit)
    except ObjectMissing:
        return False  # lost, which is for the reader of the log to find
    return kind != "commit" or is_foreign(graph, commit, data)


def _newest_below(store: GitStore, graph: CommitGraph, head: ObjectId) -> ObjectId:
    """Follow first parents to the nearest commit of this game; the root if there is none."""
    while _is_foreign(store, graph, head):
        kind, data = store.read(head)
        head = next(iter(parents_of(data)), graph.root) if kind == "commit" else graph.root
    return head


def _continued(store: GitStore, graph: CommitGraph, player: Player, branch: Branch, start: ObjectId) -> ObjectId | None:
    """Return the player's own commit that no branch leads to any more, if there is a single newest one; else ``start``.

    None for a temporary branch with nothing on it.
    """
    lost: dict[ObjectId, tuple[ObjectId, ...]] = {}
    for commit in _unreachable(store):
        data = store.read(commit)[1]
        if not is_foreign(graph, commit, data):
            parts = decode_commit(data)
            action = parse_entry(parts.message, graph.game.constants).action
            if action.player == player and _belongs(action, branch):
                lost[commit] = parts.parents
    newest = lost.keys() - {parent for parents in lost.values() for parent in parents}
    # Of several newest ones, nobody can tell which was the branch's head.
    head = newest.pop() if len(newest) == 1 else start
    is_empty = not isinstance(branch, LogBranch) and head == branch.base
    return None if is_empty else head


def _belongs(action: Action, branch: Branch) -> bool:
    if isinstance(branch, LogBranch):
        return not is_reply(action)
    return action.reply == branch.kind


def _unreachable(store: GitStore) -> list[ObjectId]:
    """The commits of a repository that no ref leads to; none if Git cannot be asked."""
    if not store.has_git:
        return []
    listing = str(store.repo.git.fsck("--unreachable", "--no-progress", with_exceptions=False))
    words = (line.split() for line in listing.splitlines())
    return [ObjectId(line[2]) for line in words if line[:2] == ["unreachable", "commit"]]
