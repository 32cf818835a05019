"""The rules by which a commit is judged: one function each, in the order in which they are asked.

The reasons are those of the table in docs/reference/log-format.md. A rule returns why it refuses a candidate, or None.
Decoding the commit comes before all rules: see ``log.candidate``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from catan_p2p.log.candidate import Candidate, read_candidate
from catan_p2p.log.ledger import Ledger
from catan_p2p.log.rules import actions, places
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.tree import Put, SuccessorTree, hash_only
from catan_p2p.log.verdict import CommitRejected, LoggedStep

Rule: TypeAlias = Callable[[Candidate], CommitRejected | None]

RULES: tuple[Rule, ...] = (
    places.author,
    places.signature,
    places.parents,
    places.once,
    actions.guard,
    actions.chance,
    actions.sealed,
    actions.tree,
)
"""Authorship comes first: nobody can be charged with anything because of a commit that is not theirs."""


def judge(
    ledger: Ledger, commit: ObjectId, data: bytes, put: Put = hash_only, successor: SuccessorTree | None = None
) -> LoggedStep | CommitRejected:
    """Judge the bytes of a commit whose parents are all in the ledger.

    The bytes must match the id, as Git guarantees for objects that it has read. ``put`` receives every new file and
    tree of the action, whether or not the commit's own tree turns out to be the same. A tree that the judge has already
    made for the same action, ``successor``, is not made again, and nothing of it is put.
    """
    candidate = read_candidate(commit, data, ledger, put)
    if isinstance(candidate, CommitRejected):
        return candidate
    candidate.successor = successor
    for rule in RULES:
        rejected = rule(candidate)
        if rejected is not None:
            return rejected
    return candidate.accepted()
