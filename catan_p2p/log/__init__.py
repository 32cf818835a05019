"""Append-only logs in Git: refs, trees, commits, the graph of a game, and the store that holds them.

Each name is loaded when it is first asked for, so that nobody waits for Git who only needs a colour.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from catan_p2p.log.commit import Commit, action_message, decode_commit, parse_action
    from catan_p2p.log.game import FORMAT, FormatError, Game, Seat, new_game
    from catan_p2p.log.graph import Graph
    from catan_p2p.log.history import BadRoot, History, LoggedAction, load_history, read_history
    from catan_p2p.log.reading import find_root, new_commits, read_root
    from catan_p2p.log.refs import COLOURS, LogBranch, ReplyBranch, branch_name, local_ref, remote_ref
    from catan_p2p.log.root import root_commit
    from catan_p2p.log.state_files import files_of_state, parse_state
    from catan_p2p.log.storage.objects import ObjectId, ObjectKind, ObjectMissing, StoreError, StoreLocked
    from catan_p2p.log.storage.store import Store
    from catan_p2p.log.tree import Tree, hash_only
    from catan_p2p.log.verdict import Reason, Rejected, Step

_MODULES = {
    "catan_p2p.log.commit": ("Commit", "action_message", "decode_commit", "parse_action"),
    "catan_p2p.log.game": ("FORMAT", "FormatError", "Game", "Seat", "new_game"),
    "catan_p2p.log.graph": ("Graph",),
    "catan_p2p.log.history": ("BadRoot", "History", "LoggedAction", "load_history", "read_history"),
    "catan_p2p.log.reading": ("find_root", "new_commits", "read_root"),
    "catan_p2p.log.refs": (
        "COLOURS",
        "LogBranch",
        "ReplyBranch",
        "branch_name",
        "local_ref",
        "remote_ref",
    ),
    "catan_p2p.log.root": ("root_commit",),
    "catan_p2p.log.state_files": ("parse_state", "files_of_state"),
    "catan_p2p.log.storage.objects": ("ObjectId", "ObjectKind", "ObjectMissing", "StoreError", "StoreLocked"),
    "catan_p2p.log.storage.store": ("Store",),
    "catan_p2p.log.tree": ("Tree", "hash_only"),
    "catan_p2p.log.verdict": ("Reason", "Rejected", "Step"),
}
_HOME = {name: module for module, names in _MODULES.items() for name in names}

__all__ = [
    "COLOURS",
    "FORMAT",
    "BadRoot",
    "Commit",
    "FormatError",
    "Game",
    "Graph",
    "History",
    "LogBranch",
    "LoggedAction",
    "ObjectId",
    "ObjectKind",
    "ObjectMissing",
    "Reason",
    "Rejected",
    "ReplyBranch",
    "Seat",
    "Step",
    "Store",
    "StoreError",
    "StoreLocked",
    "Tree",
    "action_message",
    "branch_name",
    "decode_commit",
    "files_of_state",
    "find_root",
    "hash_only",
    "load_history",
    "local_ref",
    "new_commits",
    "new_game",
    "parse_action",
    "parse_state",
    "read_history",
    "read_root",
    "remote_ref",
    "root_commit",
]


def __getattr__(name: str) -> Any:
    """The value of one of the names above, from its module."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_HOME[name]), name)
    return value
