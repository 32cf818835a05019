"""The tree of a commit: the state as small files in folders; see state_files.py.

Only what an action changed is put and hashed again: the files of the components that it touched, and the trees above
them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from operator import is_
from typing import NamedTuple, TypeAlias

from catan_p2p.game.constants import Constants
from catan_p2p.game.state import State
from catan_p2p.log.game import OPENING_FILE, Game, game_files
from catan_p2p.log.state_files import changed_files, state_paths
from catan_p2p.log.storage.objects import ObjectId, ObjectKind, object_id

Put: TypeAlias = Callable[[ObjectKind, bytes], ObjectId]
"""Takes an object's kind and bytes, and returns its id: writes it, or only hashes it."""

Objects: TypeAlias = list[tuple[ObjectKind, bytes]]
"""Objects in the order in which they were made, each after those that it names."""


_DUE = State._fields.index("due")


class Tree(NamedTuple):
    """A state with the ids of the files and folders that hold it."""

    state: State
    ids: Mapping[str, ObjectId]
    """By path; the root's is the empty path."""

    @property
    def root(self) -> ObjectId:
        """The id of the whole tree."""
        return self.ids[""]


@lru_cache(maxsize=1 << 11)
def hash_only(kind: ObjectKind, data: bytes) -> ObjectId:
    """The id of an object that is not to be written, for ``Put``."""
    return object_id(kind, data)


def collector(made: Objects) -> Put:
    """A ``Put`` that hashes, and remembers what it was given."""

    def put(kind: ObjectKind, data: bytes) -> ObjectId:
        made.append((kind, data))
        return hash_only(kind, data)

    return put


class _Folder(NamedTuple):
    """A folder of the tree: its path and its entries in Git's order, each with the head of its line and its path."""

    path: str
    entries: tuple[tuple[bytes, str], ...]


@lru_cache(maxsize=64)
def _folders(constants: Constants) -> tuple[_Folder, ...]:
    """All folders, inner ones first."""
    paths = ["format", "rules", "players", "map/tiles", "map/wharfs"]
    paths += [OPENING_FILE] if constants.opening else []
    paths += state_paths(constants)
    files = set(paths)
    members: dict[str, set[str]] = {}
    for path in paths:
        while path:
            parent = path.rpartition("/")[0]
            members.setdefault(parent, set()).add(path)
            path = parent
    folders = []
    for folder in sorted(members, key=lambda path: (-path.count("/") if path else 1, path)):
        ordered = sorted(members[folder], key=lambda path: path if path in files else path + "/")
        entries = tuple(
            (f"{'100644' if path in files else '40000'} {path.rpartition('/')[2]}\0".encode(), path) for path in ordered
        )
        folders.append(_Folder(folder, entries))
    return tuple(folders)


def first_tree(game: Game, state: State, put: Put) -> Tree:
    """The whole tree of a game's first state."""
    ids = {path: put("blob", text.encode()) for path, text in game_files(game).items()}
    return _complete(state, None, ids, put)


def next_tree(before: Tree, state: State, put: Put) -> Tree:
    """The tree of a later state of the same game: only what changed is spelled, put and hashed again."""
    if all(map(is_, state[:_DUE], before.state)) and all(map(is_, state[_DUE + 1 :], before.state[_DUE + 1 :])):
        return Tree(state, before.ids)  # as of every reveal: whose share is due is in no file
    return _complete(state, before, dict(before.ids), put)


def _complete(state: State, before: Tree | None, ids: dict[str, ObjectId], put: Put) -> Tree:
    dirty = set()
    for below, text in changed_files(state, None if before is None else before.state):
        path = f"state/{below}"
        old = ids.get(path)
        ids[path] = put("blob", text.encode())
        if ids[path] != old:
            dirty.add(path.rpartition("/")[0])
    for folder, entries in _folders(state.constants):
        if before is None or folder in dirty:
            line = b"".join([head + bytes.fromhex(ids[path]) for head, path in entries])
            ids[folder] = put("tree", line)
            dirty.add(folder.rpartition("/")[0] if folder else "")
    return Tree(state, ids)
