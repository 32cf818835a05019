"""What an action may do: it is enabled, its chance and its sealed cards are proven, and its tree is what it makes."""

from __future__ import annotations

from catan_p2p.game.rules import broken_guards
from catan_p2p.log.candidate import Candidate
from catan_p2p.log.verdict import CommitRejected


def guard(candidate: Candidate) -> CommitRejected | None:
    """Refuse an action that is not enabled in the state before it, as the specification says (``guard``).

    A liar may be voted on whether or not they are awaited.
    """
    if candidate.yes is not None:
        return None
    guards = broken_guards(candidate.before.state, candidate.action)
    if candidate.entry.charge is not None:
        guards = tuple(tag for tag in guards if tag != "VO6 awaited")
    if not guards:
        return None
    return candidate.rejected("guard", f"{candidate.action} is not enabled: {', '.join(guards)}", guards)


def chance(candidate: Candidate) -> CommitRejected | None:
    """Refuse another share, outcome or number of a draw that all players make together (``chance``).

    A share leads back to the one before, and the outcome is what all shares make.
    """
    ledger = candidate.ledger
    if ledger.game.constants.rules.chance == "actor":
        return None
    spent = ledger.spent_in(candidate.commit, candidate.parents).get(candidate.action.player, 0)
    wrong = ledger.lottery.problem(candidate.entry, candidate.before.state, candidate.draw, spent)
    return None if wrong is None else candidate.rejected("chance", wrong)


def sealed(candidate: Candidate) -> CommitRejected | None:
    """Refuse sealed cards that are not proven, and what nobody asks for (``seal``).

    Nobody pays, plays, shows or is robbed of a hidden card that is not proven to be there.
    """
    if candidate.ledger.line.vault is None:
        return None
    from catan_p2p.sealing.group import ProofRefused

    vault = candidate.vault
    return candidate.rejected("seal", vault.reason) if isinstance(vault, ProofRefused) else None


def tree(candidate: Candidate) -> CommitRejected | None:
    """Refuse another tree than the one that the action produces, by object id (``tree``)."""
    told, made = candidate.parts.tree, candidate.tree.root
    if told == made:
        return None
    return candidate.rejected("tree", f"its tree is {told[:10]}, the action produces {made[:10]}")
