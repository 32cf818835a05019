"""Opening all cards after the end: everybody tells the key that opens what they have sealed, concurrently."""

from collections.abc import Sequence
from dataclasses import dataclass

from catan_p2p.game.actions.parameters import Seat
from catan_p2p.game.actions.parts import Action, unmet, with_seat
from catan_p2p.game.constants import Player
from catan_p2p.game.state import State


@dataclass(frozen=True, slots=True)
class OpenAll(Action):
    """Player ``player`` opens all cards of theirs that the game has hidden, once it is over.

    The key that opens them is in the commit, not in the state.
    """

    player: Seat

    phases = ("top",)
    rule = "hands"
    reply = "opening"


def broken(state: State, action: OpenAll) -> tuple[str, ...]:
    """Tags of the guards that do not hold."""
    return unmet(state.tp == "top" or "OA1 phase", state.due[action.player - 1] or "OA2 due")


def effect(state: State, action: OpenAll) -> State:
    """The state after the action, whose guards must hold."""
    return state._replace(due=with_seat(state.due, action.player, False))


def to_open(state: State) -> tuple[bool, ...]:
    """Who has to open their cards once the game is over: everybody who is there."""
    return tuple(not away for away in state.away)


def instances(state: State, player: Player) -> Sequence[OpenAll]:
    """The enabled instance, if there is one."""
    return (OpenAll(player),) if state.tp == "top" and state.due[player - 1] else ()
