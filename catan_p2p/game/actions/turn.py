"""The course of turns: who has won, and how the turn passes on."""

from catan_p2p.game.constants import NO_OWNER, Player
from catan_p2p.game.scoring import player_points
from catan_p2p.game.state import State, none_made


def has_enough(state: State, player: Player) -> bool:
    """Whether the player has the points to win."""
    return player_points(state, player) >= state.constants.rules.points_to_win


def won(state: State) -> State:
    """The same state, or its end if the rules look at once and the active player has won: ``Won`` of the specification.

    (Rule book, "Ending the Game": only during one's own turn, in which the special building phase is not.)
    """
    if state.constants.rules.win_check != "at_once" or state.tp in ("bot", "top", "SpecialBuilding"):
        return state
    return state._replace(tp="top") if has_enough(state, state.ap) else state


def passed_on(state: State) -> State:
    """The state in which the next player's turn begins, or which they have won by what they gained in the meantime."""
    made = none_made(len(state.made))
    return won(state.turn_passed._replace(tp="DiceRoll", dice=0, pd=0, made=made, sb=NO_OWNER))
