"""The tree of a commit: the state as small files in folders; see state_files.py.

Only what an action changed is put and hashed again: the files of the changed components, and the trees above them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from operator import itemgetter
from typing import NamedTuple, TypeAlias

from catan_p2p.game.actions import Action
from catan_p2p.game.constants import Constants
from catan_p2p.game.state import State
from catan_p2p.log.game import OPENING_FILE, GameDefinition, game_files
from catan_p2p.log.state_files import changed_files, files_of_state, state_paths
from catan_p2p.log.storage.objects import ObjectId, ObjectKind, small_object_id

Put: TypeAlias = Callable[[ObjectKind, bytes], ObjectId]
"""Takes an object's kind and bytes, and returns its id: writes it, or only hashes it."""

Objects: TypeAlias = list[tuple[ObjectKind, bytes]]
"""Objects in the order in which they were made, each after those that it names."""


class StateTree(NamedTuple):
    """A state with the ids of the files and folders that hold it."""

    state: State
    ids: Mapping[str, ObjectId]
    """By path; the root's is the empty path."""

    @property
    def root(self) -> ObjectId:
        """The id of the whole tree."""
        return self.ids[""]


hash_only = small_object_id
"""A ``Put`` for objects that need not be written."""


def keeper(objects: dict[ObjectId, tuple[ObjectKind, bytes]]) -> Put:
    """A ``Put`` that hashes, and keeps objects by id."""

    def put(kind: ObjectKind, data: bytes) -> ObjectId:
        objects[oid := hash_only(kind, data)] = kind, data
        return oid

    return put


def collector(made: Objects) -> Put:
    """A ``Put`` that hashes, and remembers its objects."""

    def put(kind: ObjectKind, data: bytes) -> ObjectId:
        made.append((kind, data))
        return hash_only(kind, data)

    return put


class SuccessorTree(NamedTuple):
    """A tree already computed for an action, with the tree before it."""

    before: StateTree
    action: Action
    tree: StateTree


class _TreeFolder(NamedTuple):
    """A folder of the tree: its path, and its tree object in hexadecimal, with places for ids in Git's order."""

    path: str
    template: str
    ids_in: Callable[[Mapping[str, ObjectId]], object]
    """Returns the id of its only entry, or a tuple of the ids of all."""


@lru_cache(maxsize=64)
def _folders(constants: Constants) -> tuple[_TreeFolder, ...]:
    """Return all folders, inner ones first."""
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
        # Git sorts the name of a folder as if it ended with a slash.
        ordered = sorted(members[folder], key=lambda path: path if path in files else path + "/")
        heads = [f"{'100644' if path in files else '40000'} {path.rpartition('/')[2]}\0" for path in ordered]
        # Hexadecimal, so that ids are filled in as text and the whole is converted once.
        template = "".join(f"{head.encode().hex()}%s" for head in heads)
        folders.append(_TreeFolder(folder, template, itemgetter(*ordered)))
    return tuple(folders)


def first_tree(game: GameDefinition, state: State, put: Put) -> StateTree:
    """Make the whole tree of a game's first state."""
    return _with_files(state, {**game_files(game), **files_of_state(state)}.items(), {}, put)


def next_tree(before: StateTree, state: State, put: Put) -> StateTree:
    """Make the tree of a later state of the same game: only what changed is formatted, put and hashed again."""
    changed = changed_files(state, before.state)
    if not changed:
        return StateTree(state, before.ids)  # as of every reveal: whose share is due is in no file
    return _with_files(state, changed, before.ids, put)


def _with_files(state: State, files: Iterable[tuple[str, str]], before: Mapping[str, ObjectId], put: Put) -> StateTree:
    ids, dirty = dict(before), set[str]()
    for path, text in files:
        old = ids.get(path)
        ids[path] = put("blob", text.encode())
        if ids[path] != old:
            dirty.add(path.rpartition("/")[0])
    # Folders come inner ones first, so a changed one marks the one above it in time.
    for folder, template, ids_in in _folders(state.constants):
        if folder in dirty:
            ids[folder] = put("tree", bytes.fromhex(template % ids_in(ids)))
            dirty.add(folder.rpartition("/")[0] if folder else "")
    return StateTree(state, ids)
