"""Going on without a player: what becomes of the turn, and of the cards that they owe."""

from __future__ import annotations

from catan_p2p.game.actions.absence import without_in_setup
from catan_p2p.game.actions.parts import with_seat
from catan_p2p.notation.events import PlayerExcused
from catan_p2p.notation.referee.dice import take_first_cards
from catan_p2p.notation.referee.trial import Trial


def excuse(trial: Trial, event: PlayerExcused) -> None:
    """From now on one player is skipped; who goes on without the only other one has won."""
    player, absent, state = event.player, event.other, trial.state
    what = f"{trial.name(player)} goes on without {trial.name(absent)}"
    if not trial.position.rules.leaving:
        trial.object("turn", f"{what}, which the rules do not allow")
    if state.tp == "top":
        trial.object("turn", f"the game is over, {trial.name(state.ap)} has won")
    if player == absent or any(state.away[one - 1] for one in (player, absent)):
        trial.object("turn", f"{what}, but both have to be there")
        return
    if state.tp == "bot" and len(state.present) > 2:
        _leave_setup(trial, absent)
        return
    _give_up_cards(trial, absent)
    trial.set_state(away=with_seat(state.away, absent, True))
    if len(trial.state.present) == 1:
        trial.set_state(ap=player, tp="top")
    elif state.ap == absent:
        trial.rest(absent)
        special, ended = trial.position.special, trial.position.ended
        trial.begin_turn(trial.state.next_player(absent))
        if state.tp == "DiceRoll":  # others may still build after the turn before
            trial.set(special=special, ended=ended)


def _leave_setup(trial: Trial, absent: int) -> None:
    state = trial.state
    after = without_in_setup(state, absent)
    if state.su_ap == absent:
        trial.set(settling=0, is_placed=False)
    trial.set(state=after._replace(tp="bot"))
    if after.tp != "bot":
        trial.begin_turn(after.first)


def _give_up_cards(trial: Trial, absent: int) -> None:
    """What the player owes after a seven."""
    due = trial.position.due
    if not due[absent - 1]:
        return
    take_first_cards(trial, absent)
    due = with_seat(due, absent, 0)
    trial.set(due=due)
    if trial.state.tp == "Discarding" and not any(due):
        trial.set_state(tp="MovingBandit")
