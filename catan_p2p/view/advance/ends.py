"""The end of a turn and of the game, and going on without a player: what becomes of the turn and of cards they owe."""

from catan_p2p.game.actions.absence import without_in_setup
from catan_p2p.game.actions.parts import with_seat
from catan_p2p.game.state import PLAY_PHASES
from catan_p2p.view.advance.dice import take_first_cards
from catan_p2p.view.advance.trial import EventTrial
from catan_p2p.view.events import GameWon, PlayerExcused, PlayerReturned, TurnEnded


def excuse(trial: EventTrial, event: PlayerExcused) -> None:
    """From now on one player is skipped; a player who goes on without the only other one has won."""
    player, absent, state = event.player, event.other, trial.state
    what = f"{trial.name(player)} goes on without {trial.name(absent)}"
    if not trial.known.rules.leaving:
        trial.object("turn", f"{what}, which the rules do not allow")
    if state.tp == "top":
        trial.object("turn", f"the game is over, {trial.name(state.ap)} has won")
    if player == absent or any(state.away[one - 1] for one in (player, absent)):
        trial.object("turn", f"{what}, but both have to be there")
        return
    # With two players left, going on without the other ends the game, in the set-up, too.
    if state.tp == "bot" and len(state.present) > 2:
        _leave_setup(trial, absent)
        return
    _give_up_cards(trial, absent)
    trial.set_state(away=with_seat(state.away, absent, True))
    if len(trial.state.present) == 1:
        trial.set_state(ap=player, tp="top")
    elif state.ap == absent:
        trial.rest(absent)
        special, ended = trial.known.special, trial.known.ended
        trial.begin_turn(trial.state.next_player(absent))
        if state.tp == "DiceRoll":  # others may still build after the turn before
            trial.set(special=special, ended=ended)


def come_back(trial: EventTrial, event: PlayerReturned) -> None:
    """From now on one player plays again; half of a hand above the limit goes to the bank."""
    absent, state = event.other, trial.state
    # Whoever acts next says so: in a file that leaves out ends of turns, another player shows that the turn has ended.
    is_open = state.tp in PLAY_PHASES and not trial.known.is_knight and not trial.table.says_turn_ends
    if (
        is_open
        and event.player != state.ap
        and (trial.known.rules.special_building or trial.next_in_order(event.player))
    ):
        trial.end_turn(state.ap)
        state = trial.state
    what = f"{trial.name(event.player)} goes on with {trial.name(absent)} again"
    if not trial.known.rules.returns:
        trial.object("turn", f"{what}, which the rules do not allow")
    if not state.away[absent - 1] or state.away[event.player - 1] or state.tp == "top":
        trial.object("turn", f"{what}, but only one of them is away while the game goes on")
        return
    take_first_cards(trial, absent)
    trial.set_state(away=with_seat(state.away, absent, False))


def _leave_setup(trial: EventTrial, absent: int) -> None:
    state = trial.state
    after = without_in_setup(state, absent)
    if state.su_ap == absent:
        trial.set(settling=0, is_placed=False)
    trial.set(state=after._replace(tp="bot"))
    if after.tp != "bot":
        trial.begin_turn(after.first)


def _give_up_cards(trial: EventTrial, absent: int) -> None:
    """Take the cards that the player still owes after a seven."""
    due = trial.known.due
    if not due[absent - 1]:
        return
    take_first_cards(trial, absent)
    due = with_seat(due, absent, 0)
    trial.set(due=due)
    if trial.state.tp == "Discarding" and not any(due):
        trial.set_state(tp="MovingBandit")


def end_turn(trial: EventTrial, event: TurnEnded) -> None:
    """The end of a turn or of a placement."""
    player = event.player
    if trial.state.tp == "bot":
        if not trial.known.is_placed or player != trial.state.su_ap:
            trial.object("turn", f"{trial.name(player)} ends the turn, expected {trial.awaited_in_setup()}")
        trial.advance_setup()
        return
    trial.acts(player, "ends the turn")
    trial.end_turn(player)


def win(trial: EventTrial, event: GameWon) -> None:
    """The end of the game."""
    player, known = event.player, trial.known
    state = known.state
    at_once = known.rules.win_check == "at_once"
    if state.tp == "top":
        if state.ap == player and len(state.present) == 1:
            return
        trial.object("turn", f"the game is over, {trial.name(state.ap)} has won")
    elif state.tp == "bot" or state.ap != player:
        trial.object("turn", f"{trial.name(player)} wins, but it is not their turn")
    elif not at_once and (state.tp not in PLAY_PHASES or known.is_knight):
        trial.object("turn", f"{trial.name(player)} wins, but the turn is not at its end")
    needed = known.rules.points_to_win
    most = known.points(player) + (known.hidden_points(player)[1] if at_once else 0)
    if most < needed:
        trial.object("cards", f"{trial.name(player)} wins with {most} points, expected {needed}", "PointsToWin")
    trial.set_state(ap=player, tp="top")
