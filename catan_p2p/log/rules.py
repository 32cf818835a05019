"""What an action may do: it is enabled, its draws and sealed cards are proven, and its tree is the right one."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from catan_p2p.game.rules import broken_guards
from catan_p2p.log.candidate import Candidate
from catan_p2p.log.verdict import CommitRejected
from catan_p2p.sealing.group import ProofRefused


def guard(candidate: Candidate) -> CommitRejected | None:
    """Refuse an action that is not enabled in the state before it, as the specification says (``guard``)."""
    guards = broken_guards(candidate.before.state, candidate.action)
    if not guards:
        return None
    return candidate.rejected("guard", f"{candidate.action} is not enabled: {', '.join(guards)}", guards)


def chance(candidate: Candidate) -> CommitRejected | None:
    """Refuse a wrong share, outcome or number of a draw that all players make together (``chance``).

    A share must lead back to the previous one, and the outcome must follow from all shares.
    """
    ledger = candidate.ledger
    if ledger.game.constants.rules.chance == "actor":
        return None
    wrong = ledger.known_shares.problem(candidate.entry, candidate.before.state, candidate.draw)
    return None if wrong is None else candidate.rejected("chance", wrong)


def sealed(candidate: Candidate) -> CommitRejected | None:
    """Refuse unproven sealed cards, and superfluous data about them (``seal``).

    Nobody can pay, play, show or be robbed of a hidden card that is not proven to exist.
    """
    if candidate.ledger.line.sealed_cards is None:
        return None
    sealed_cards = candidate.sealed_cards
    return candidate.rejected("seal", sealed_cards.reason) if isinstance(sealed_cards, ProofRefused) else None


def tree(candidate: Candidate) -> CommitRejected | None:
    """Refuse a tree other than the one that the action produces, by object id (``tree``)."""
    told, made = candidate.parts.tree, candidate.tree.root
    if told == made:
        return None
    return candidate.rejected("tree", f"its tree is {told[:10]}, the action produces {made[:10]}")


Rule: TypeAlias = Callable[[Candidate], CommitRejected | None]

RULES: tuple[Rule, ...] = (guard, chance, sealed, tree)
"""In the order in which they are asked. A rule returns why it refuses a candidate, or None."""
