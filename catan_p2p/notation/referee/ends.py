"""The end of a turn and of the game."""

from __future__ import annotations

from catan_p2p.game.state import PLAY_PHASES
from catan_p2p.notation.events import GameWon, TurnEnded
from catan_p2p.notation.referee.trial import Trial


def end_turn(trial: Trial, event: TurnEnded) -> None:
    """The end of a turn or of a placement."""
    player = event.player
    if trial.state.tp == "bot":
        if not trial.position.is_placed or player != trial.state.su_ap:
            trial.object("turn", f"{trial.name(player)} ends the turn, expected {trial.awaited_in_setup()}")
        trial.advance_setup()
        return
    trial.acts(player, "ends the turn")
    trial.end_turn(player)


def win(trial: Trial, event: GameWon) -> None:
    """The end of the game."""
    player, position = event.player, trial.position
    state = position.state
    at_once = position.rules.win_check == "at_once"
    if state.tp == "top":
        if state.ap == player and len(state.present) == 1:
            return
        trial.object("turn", f"the game is over, {trial.name(state.ap)} has won")
    elif state.tp == "bot" or state.ap != player:
        trial.object("turn", f"{trial.name(player)} wins, but it is not their turn")
    elif not at_once and (state.tp not in PLAY_PHASES or position.is_knight):
        trial.object("turn", f"{trial.name(player)} wins, but the turn is not at its end")
    needed = position.rules.points_to_win
    most = position.points(player) + (position.hidden_points(player)[1] if at_once else 0)
    if most < needed:
        trial.object("cards", f"{trial.name(player)} wins with {most} points, expected {needed}")
    trial.set_state(ap=player, tp="top")
