"""Reading a game out of a repository: its root, and the commits that a peer has not seen yet.

Everything here may have been written by somebody else. So a fault is a ``CommitRejected``, never a crash, and every
reading has a bound.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from typing import TypeAlias

from catan_p2p.limits import MAX_HIDDEN_COMMIT_BYTES, MAX_NEW_COMMITS, MAX_OBJECT_BYTES
from catan_p2p.log.authorship import Sign, SignatureCheck
from catan_p2p.log.commit import decode_commit, parse_root
from catan_p2p.log.game import OPENING_FILE, FormatError, GameDefinition, OtherVersion, parse_game, unsigned_problem
from catan_p2p.log.graph import CommitGraph
from catan_p2p.log.ledger import Ledger
from catan_p2p.log.root import check_root
from catan_p2p.log.shared_work import SharedWork
from catan_p2p.log.signing import is_signed_by
from catan_p2p.log.storage.objects import (
    ObjectDamaged,
    ObjectFalse,
    ObjectId,
    ObjectKind,
    ObjectMissing,
    ObjectTooLarge,
    parents_of,
)
from catan_p2p.log.tree import Objects, collector, hash_only
from catan_p2p.log.verdict import CommitRejected, LoggedStep, too_large

Read: TypeAlias = Callable[[ObjectId], tuple[ObjectKind, bytes]]
"""Returns kind and bytes of an object; raises ``ObjectMissing`` or ``ObjectDamaged``."""


Commits: TypeAlias = list[tuple[ObjectId, bytes]]
"""Ids and bytes of commits, parents before children."""

_GAME_FILES = ("format", "rules", "players", "map/tiles", "map/wharfs")


def new_commits(
    head: ObjectId, known: Container[ObjectId], read: Read, refused: Mapping[ObjectId, CommitRejected] | None = None
) -> Commits | CommitRejected:
    """Return the unknown ones among the ancestors of a commit and itself: id and bytes, parents before children.

    Reading stops at a commit that was ``refused`` for good: the result is then that refusal.
    """
    found: dict[ObjectId, bytes] = {}
    # A stack of our own: a chain of thousands of commits would exhaust Python's.
    ordered = Commits()
    stack: list[tuple[ObjectId, tuple[ObjectId, ...] | None]] = [(head, None)]
    while stack:
        commit, parents = stack.pop()
        # The second visit comes after all parents.
        if parents is not None:
            ordered.append((commit, found[commit]))
            continue
        if commit in known or commit in found:
            continue
        if refused is not None and commit in refused:
            return refused[commit]
        if len(found) >= MAX_NEW_COMMITS:
            return CommitRejected("size", head, f"more than {MAX_NEW_COMMITS} new commits")
        data = _read_commit(commit, read)
        if isinstance(data, CommitRejected):
            return data
        # Whoever judges the commits decodes them, up to the first that is refused: a long chain of junk costs little.
        parents = tuple(parents_of(data))
        found[commit] = data
        # Reversed, so that the first parent is visited first.
        missing = [(parent, None) for parent in reversed(parents) if parent not in known and parent not in found]
        if missing:
            stack.append((commit, parents))
            stack += missing
        else:
            ordered.append((commit, data))
    return ordered


def _read_commit(commit: ObjectId, read: Read) -> bytes | CommitRejected:
    try:
        kind, data = read(commit)
    except ObjectMissing as error:
        lacks = "the repository does not hold it"
        return CommitRejected("missing", commit, f"{lacks}: this is {error.why}" if error.why else lacks)
    except ObjectTooLarge as error:
        return CommitRejected("size", commit, str(error))
    except ObjectFalse as error:
        return CommitRejected("damaged", commit, str(error))
    except ObjectDamaged as error:
        return CommitRejected("missing", commit, str(error))
    if kind != "commit":
        return CommitRejected("format", commit, f"it is a {kind}, not a commit")
    if len(data) > MAX_HIDDEN_COMMIT_BYTES:
        return too_large(commit, data, MAX_HIDDEN_COMMIT_BYTES)
    return data


def find_root(head: ObjectId, read: Read) -> ObjectId | CommitRejected:
    """Follow first parents from a commit to the root."""
    for _ in range(MAX_NEW_COMMITS):
        data = _read_commit(head, read)
        if isinstance(data, CommitRejected):
            return data
        try:
            parents = decode_commit(data).parents
        except FormatError as error:
            return CommitRejected("format", head, str(error))
        if not parents:
            return head
        head = parents[0]
    return CommitRejected("size", head, f"more than {MAX_NEW_COMMITS} commits")


def read_game(
    head: ObjectId, read: Read, sign: Sign | None = None, shared: SharedWork | None = None
) -> CommitGraph | CommitRejected:
    """Return the graph of the game that a commit belongs to, like ``read_root``."""
    root = find_root(head, read)
    return root if isinstance(root, CommitRejected) else read_root(root, read, sign, shared)


def read_root(
    root: ObjectId, read: Read, sign: Sign | None = None, shared: SharedWork | None = None
) -> CommitGraph | CommitRejected:
    """Validate the root of a game, and return the graph that holds only this root.

    Signatures are checked if the game has keys; ``sign`` signs what the graph will write. All graphs that begin where
    this one does (``CommitGraph.at_root``) share the results in ``shared``.
    """
    first = read_first(root, read)
    if isinstance(first, CommitRejected):
        return first
    return CommitGraph(first, sign, shared)


def read_first(root: ObjectId, read: Read) -> Ledger | CommitRejected:
    """Validate the root of a game, and return what is known of the game after it."""
    data = _read_commit(root, read)
    if isinstance(data, CommitRejected):
        return data
    try:
        parts = decode_commit(data)
        number, players = parse_root(parts.message)
        files = {path: _read_file(parts.tree, path, read) for path in _game_paths(parts.tree, read)}
        game: GameDefinition = parse_game(files, number)
        if players != len(game.seats):
            raise FormatError(f"Players is {players}, but the file players has {len(game.seats)}")
        if (problem := unsigned_problem(game)) is not None:
            raise FormatError(f"players: {problem}")
    except OtherVersion as error:
        return CommitRejected("version", root, str(error))
    except FormatError as error:
        return CommitRejected("format", root, str(error))
    except ObjectFalse as error:
        return CommitRejected("damaged", root, str(error))
    except (ObjectMissing, ObjectDamaged) as error:
        return CommitRejected("missing", root, str(error))
    verify = _signature_check(game)
    tree = check_root(root, data, game, verify)
    return tree if isinstance(tree, CommitRejected) else Ledger.begin(game, root, tree, verify)


def _signature_check(game: GameDefinition) -> SignatureCheck | None:
    """Return the function that checks signatures; None in a game without keys."""
    if all(seat.key is None for seat in game.seats):
        return None
    return is_signed_by


def take_in(
    graph: CommitGraph, head: ObjectId, read: Read, keep: Callable[[LoggedStep, Objects], None] | None = None
) -> CommitRejected | None:
    """Validate the history of a commit and add it to a graph, up to the first refused commit, which is returned.

    ``keep`` is called for each added commit with the objects that it makes, ending with the commit itself.
    """
    commits = new_commits(head, graph, read)
    if isinstance(commits, CommitRejected):
        return commits
    for commit, data in commits:
        made = Objects()
        step = graph.check(commit, data, hash_only if keep is None else collector(made))
        if isinstance(step, CommitRejected):
            return step
        graph.add(step)
        if keep is not None:
            keep(step, [*made, ("commit", data)])
    return None


def _game_paths(tree: ObjectId, read: Read) -> tuple[str, ...]:
    """Return the files that fix a game: those of every game, and the opening if there is one."""
    folder, _, name = OPENING_FILE.partition("/")
    _, at = tree_entries(tree, read).get(folder, ("", None))
    return (*_GAME_FILES, OPENING_FILE) if at is not None and name in tree_entries(at, read) else _GAME_FILES


def read_rules(head: ObjectId, read: Read) -> str:
    """Read the file ``rules`` in the tree of a commit, unjudged; ``FormatError`` or ``StoreError`` if there is none."""
    kind, data = read(head)
    if kind != "commit" or len(data) > MAX_HIDDEN_COMMIT_BYTES:
        raise FormatError(f"{head[:10]}: a {kind} of {len(data)} bytes, expected a commit")
    return _read_file(decode_commit(data).tree, "rules", read)


def tree_entries(tree: ObjectId, read: Read) -> dict[str, tuple[str, ObjectId]]:
    """Return mode and id of every entry of a tree object, by name; ``FormatError`` if it is not a tree."""
    kind, data = read(tree)
    if kind != "tree" or len(data) > MAX_OBJECT_BYTES:
        raise FormatError(f"{tree[:10]}: a {kind} of {len(data)} bytes, expected a tree of at most {MAX_OBJECT_BYTES}")
    return entries_of(data)


def entries_of(data: bytes) -> dict[str, tuple[str, ObjectId]]:
    """Parse mode and id of every entry, by name, from the bytes of a tree object; ``FormatError`` if malformed."""
    entries = {}
    at = 0
    while at < len(data):
        end = data.find(b"\0", at)
        if end < 0 or end + 21 > len(data):
            raise FormatError("not a tree")
        mode, _, name = data[at:end].decode("utf-8", "replace").partition(" ")
        entries[name] = (mode, ObjectId(data[end + 1 : end + 21].hex()))
        at = end + 21
    return entries


def _read_file(tree: ObjectId, path: str, read: Read) -> str:
    at = tree
    for name in path.split("/"):
        entries = tree_entries(at, read)
        if name not in entries:
            raise FormatError(f"{path}: the file is missing")
        at = entries[name][1]
    kind, data = read(at)
    if kind != "blob" or len(data) > MAX_OBJECT_BYTES:
        raise FormatError(f"{path}: a {kind} of {len(data)} bytes, expected a file of at most {MAX_OBJECT_BYTES}")
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise FormatError(f"{path}: not UTF-8 text") from None
