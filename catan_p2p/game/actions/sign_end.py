"""The signature under the end of a game of hidden hands that players may leave: everybody present has seen this end.

Telling a key cannot be undone. So players tell theirs only after an end that stands: a player who has signed one end
continues from no other.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from catan_p2p.game.actions.open_all import to_open
from catan_p2p.game.actions.parameters import Seat
from catan_p2p.game.actions.parts import Action, unmet, with_seat
from catan_p2p.game.constants import Player
from catan_p2p.game.state import State


@dataclass(frozen=True, slots=True)
class SignEnd(Action):
    """Player ``player`` has seen that the game is over, by the commit that this one replies to."""

    player: Seat

    phases = ("Signing",)
    rule = "hands"
    reply = "end"


def broken(state: State, action: SignEnd) -> tuple[str, ...]:
    """Tags of the guards that do not hold."""
    return unmet(state.tp == "Signing" or "SE1 phase", state.due[action.player - 1] or "SE2 due")


def effect(state: State, action: SignEnd) -> State:
    """The state after the action, whose guards must hold."""
    return state._replace(due=with_seat(state.due, action.player, False))


def to_sign(state: State) -> tuple[bool, ...]:
    """Who has to sign the end: everybody who is there but the winner, whose commit it is."""
    return tuple(not away and seat != state.ap for seat, away in enumerate(state.away, 1))


def ended(state: State) -> State:
    """The end of a game of hidden hands: signed first where players may leave, then everybody owes their openings."""
    due = to_sign(state) if state.constants.rules.signed_end else ()
    return state._replace(tp="Signing", due=due) if any(due) else closed(state)


def closed(state: State) -> State:
    """The state in which the end is signed, and everybody owes their openings."""
    return state._replace(tp="top", due=to_open(state))


def instances(state: State, player: Player) -> Sequence[SignEnd]:
    """The enabled instance, if there is one."""
    return (SignEnd(player),) if state.tp == "Signing" and state.due[player - 1] else ()
