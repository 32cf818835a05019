"""Drawing an outcome of chance: by the player who acts, or by all players together after a call."""

from __future__ import annotations

from catan_p2p.game.actions.robbery import stealable
from catan_p2p.game.cards import kinds
from catan_p2p.game.constants import NO_OWNER, Player
from catan_p2p.game.state import NO_CALL, NO_TILE, Called, Drawn, State

ROBBERIES: tuple[Drawn, ...] = ("MoveBandit", "PlayKnight")
"""The draws that move the bandit: ``Robberies`` of the specification."""


def outcome_count(state: State, what: str, victim: Player = NO_OWNER) -> int:
    """How many different outcomes a decision can have: the size of ``Outcomes`` of the specification."""
    if what in ROBBERIES:
        return len(stealable(state, victim))
    return len(kinds(state.bnk.dc)) if what == "BuyDevCard" else len(state.constants.rules.dice)


def is_open(state: State, what: str, victim: Player = NO_OWNER) -> bool:
    """Whether all players have to draw together: the rules say so, and there is more than one outcome."""
    return state.constants.rules.chance == "joint" and outcome_count(state, what, victim) > 1


def is_drawn(state: State, what: Drawn, to: int = NO_TILE, victim: Player = NO_OWNER) -> bool:
    """Whether the outcome of this decision may be told now: ``IsDrawn`` of the specification.

    Either everybody has revealed their share for it, or it is left to the actor, or only one outcome is possible.
    """
    if state.tp != "Drawing":
        return not is_open(state, what, victim)
    return state.call == Called(what, state.phase, to, victim) and not any(state.due) and is_open(state, what, victim)


def settled(state: State) -> State:
    """The state once the outcome of a draw is told: ``Settled`` of the specification."""
    return state.heard._replace(tp=state.call.tp, call=NO_CALL) if state.tp == "Drawing" else state.heard
