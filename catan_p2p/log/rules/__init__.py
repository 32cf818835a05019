"""What is valid: the rules by which a commit is judged, one function each, in the order in which they are asked.

The reasons are those of the table in docs/reference/log-format.md. A rule says why it refuses a candidate, None if it
does not. To read the commit comes before all rules: see ``log.candidate``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from catan_p2p.log.candidate import Candidate, read_candidate
from catan_p2p.log.ledger import Ledger
from catan_p2p.log.rules import actions, places, promises
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.tree import Put, SuccessorTree, hash_only
from catan_p2p.log.verdict import CommitRejected, LoggedStep

Rule: TypeAlias = Callable[[Candidate], CommitRejected | None]

RULES: tuple[Rule, ...] = (
    places.author,
    places.signature,
    promises.survivor,
    places.parents,
    places.room,
    promises.promised,
    promises.proof,
    places.once,
    actions.guard,
    promises.heard,
    actions.chance,
    actions.sealed,
    promises.agreement,
    actions.tree,
    promises.contradiction,
)
"""Who wrote a commit comes first: nobody can be charged with anything by a commit that is not theirs."""
ABOUT_VOTES: frozenset[Rule] = frozenset(rule for rule in RULES if rule.__module__ == promises.__name__)
"""Those that refuse nothing but votes, excuses and claims, as long as no vote is held and no lie is settled."""


def judge(
    ledger: Ledger, commit: ObjectId, data: bytes, put: Put = hash_only, successor: SuccessorTree | None = None
) -> LoggedStep | CommitRejected:
    """Judge the bytes of a commit all of whose parents are in the ledger.

    The bytes must be those of the id, as Git guarantees for objects that it has read. ``put`` gets every file and tree
    that the action makes anew, whether or not the commit's own tree turns out to be the same. A tree that the judge has
    made of the same action before, ``successor``, is not made again, and nothing of it is put.
    """
    candidate = read_candidate(commit, data, ledger, put)
    if isinstance(candidate, CommitRejected):
        return candidate
    candidate.successor = successor
    has_votes = candidate.action.rule == "leaving" or ledger.ballot.votes or ledger.settling.outcomes
    for rule in RULES:
        if not has_votes and rule in ABOUT_VOTES:
            continue
        rejected = rule(candidate)
        if rejected is not None:
            return rejected
    return candidate.accepted()
