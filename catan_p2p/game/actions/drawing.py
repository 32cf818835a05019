"""Drawing an outcome of chance: by the player who acts, or by all players together after a call."""

from catan_p2p.game.actions.robbery import is_sealed, stealable_kinds
from catan_p2p.game.cards import kinds
from catan_p2p.game.constants import NO_OWNER, Player
from catan_p2p.game.state import NO_CALL, NO_TILE, NOTHING_HIDDEN, CalledDraw, Drawn, State

ROBBERIES: tuple[Drawn, ...] = ("MoveBandit", "PlayKnight")
"""The draws that move the bandit: ``Robberies`` of the specification."""


MANY = 2
"""The least number of outcomes of a draw that only one player sees."""


def is_shared(state: State) -> bool:
    """Whether everybody sees the outcome of the draw under way, so that it is made of the shares of all players."""
    return state.hid is NOTHING_HIDDEN or is_seen(state.call.what)


def is_seen(what: str) -> bool:
    """Whether everybody sees what is drawn even where hands are hidden, as with dice."""
    return what in ("RollDice", "RollForStart")


def outcome_count(state: State, what: str, victim: Player = NO_OWNER) -> int:
    """How many different outcomes a decision can have: the size of ``Outcomes`` of the specification."""
    if what in ROBBERIES:
        if state.hid is not NOTHING_HIDDEN and victim != NO_OWNER and state.away[victim - 1]:
            return 1  # there is nobody who could answer: the robber names a known card
        # Which cards are sealed is unknown, so any theft of one counts as open.
        return MANY if is_sealed(state, victim) else len(stealable_kinds(state, victim)) or 1
    if what == "BuyDevCard" and state.hid is not NOTHING_HIDDEN:
        return MANY if state.deck_size else 0
    return len(kinds(state.bnk.dc)) if what == "BuyDevCard" else len(state.constants.rules.dice)


def is_open(state: State, what: str, victim: Player = NO_OWNER) -> bool:
    """Whether all players have to draw together: the rules say so, and there is more than one outcome."""
    return state.constants.rules.chance == "joint" and outcome_count(state, what, victim) > 1


def is_drawn(state: State, what: Drawn, to: int = NO_TILE, victim: Player = NO_OWNER) -> bool:
    """Whether the outcome of this decision may be stated now: ``IsDrawn`` of the specification.

    Either everybody has revealed their share for it, or it is left to the actor, or only one outcome is possible, or
    all shares of a roll were told ahead.
    """
    if state.tp != "Drawing":
        return state.tp != "Surrendering" and (
            not is_open(state, what, victim) or (what == "RollDice" and state.is_ahead)
        )
    return (
        state.call == CalledDraw(what, state.phase, to, victim) and not any(state.due) and is_open(state, what, victim)
    )


def settled(state: State) -> State:
    """The state once the outcome of a draw is stated: ``Settled`` of the specification."""
    return state.heard._replace(tp=state.call.tp, call=NO_CALL) if state.tp == "Drawing" else state.heard
