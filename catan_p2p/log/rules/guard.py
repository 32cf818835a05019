"""An action is enabled in the state before it, as the specification says."""

from __future__ import annotations

from catan_p2p.game.rules import broken_guards
from catan_p2p.log.candidate import Candidate
from catan_p2p.log.verdict import Rejected


def problem(candidate: Candidate) -> Rejected | None:
    """Refuse an action that is not enabled (``guard``); a liar may be voted on whether or not they are awaited."""
    if candidate.yes is not None:
        return None
    guards = broken_guards(candidate.before.state, candidate.action)
    if candidate.entry.charge is not None:
        guards = tuple(tag for tag in guards if tag != "VO6 awaited")
    if not guards:
        return None
    return candidate.rejected("guard", f"{candidate.action} is not enabled: {', '.join(guards)}", guards)
