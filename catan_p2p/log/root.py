"""The first commit of a game: written by player one, and judged by every player who joins."""

from __future__ import annotations

from catan_p2p.game.state import initial_state
from catan_p2p.log.authorship import Sign, SignatureCheck, author_of, forgery
from catan_p2p.log.commit import Commit, decode_commit, root_message
from catan_p2p.log.game import FormatError, GameDefinition, name_problem, unsigned_problem
from catan_p2p.log.storage.objects import ObjectId, StoreError, object_id
from catan_p2p.log.tree import Put, StateTree, first_tree, hash_only
from catan_p2p.log.verdict import CommitRejected


def root_commit(
    game: GameDefinition, nonce: str, time_s: int, put: Put, sign: Sign | None = None
) -> tuple[ObjectId, StateTree]:
    """Write the root commit of a game, by player one: the initial state and the files that never change.

    ``StoreError`` if a player has a name that readers of the root refuse, or lacks a key that they ask for.
    """
    if (problem := unsigned_problem(game)) is not None:
        raise StoreError(problem)
    for seat in game.seats:
        if (problem := name_problem(seat.name)) is not None:
            raise StoreError(f"{seat.colour}: {problem}")
    tree = first_tree(game, initial_state(game.constants), put)
    author = author_of(game, 1, time_s)
    message = root_message(game.number, len(game.seats), nonce)
    commit = Commit(tree.root, (), author, author, message)
    return put("commit", (commit if sign is None else sign(commit)).encode()), tree


def check_root(
    commit: ObjectId, data: bytes, game: GameDefinition, verify: SignatureCheck | None = None
) -> StateTree | CommitRejected:
    """Judge a root commit of the game that its files describe; return the tree of the initial state, or the refusal."""
    if object_id("commit", data) != commit:
        return CommitRejected("format", commit, "the bytes do not match the commit's id")
    try:
        parts = decode_commit(data)
    except FormatError as error:
        return CommitRejected("format", commit, str(error))
    tree = first_tree(game, initial_state(game.constants), hash_only)
    if parts.parents:
        return CommitRejected("parents", commit, "the first commit of a game has no parents")
    forged = forgery(commit, parts, game, 1, verify)
    if forged is not None:
        return forged
    # The files were parsed from this tree: equal ids show that it holds nothing else.
    if tree.root != parts.tree:
        return CommitRejected(
            "tree", commit, f"its tree is {parts.tree[:10]}, expected {tree.root[:10]}, the one of the new game"
        )
    return tree
