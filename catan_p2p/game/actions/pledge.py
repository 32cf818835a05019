"""The pledge of a player's secrets: the one action that everybody takes before the game begins, concurrently."""

from collections.abc import Sequence
from dataclasses import dataclass

from catan_p2p.game.actions.parameters import Seat
from catan_p2p.game.actions.parts import Action, unmet, with_seat
from catan_p2p.game.actions.shuffle import begun_anew
from catan_p2p.game.constants import Player
from catan_p2p.game.state import State, first_phase


@dataclass(frozen=True, slots=True)
class Pledge(Action):
    """Player ``player`` pledges the secrets from which all their shares of draws will come.

    Mirrors ``Pledge(p)`` in spec/Catan.tla. What is pledged is in the commit, not in the state.
    """

    player: Seat

    phases = ("Pledging",)
    rule = "chance"
    reply = "pledge"


def broken(state: State, action: Pledge) -> tuple[str, ...]:
    """Tags of the guards that do not hold."""
    return unmet(
        state.tp == "Pledging" or "PL1 phase",
        state.due[action.player - 1] or "PL2 due",
    )


def effect(state: State, action: Pledge) -> State:
    """The state after the action, whose guards must hold."""
    due = with_seat(state.due, action.player, False)
    if any(due):
        return state._replace(due=due)
    after = state._replace(due=due, tp=first_phase(state.constants))
    if state.constants.rules.hands == "open":
        return after
    return begun_anew(after) if state.constants.rules.leaving else after._replace(tp="Shuffling")


def instances(state: State, player: Player) -> Sequence[Pledge]:
    """The one instance, if enabled."""
    return (Pledge(player),) if state.tp == "Pledging" and state.due[player - 1] else ()
