"""The last action of a game of hidden hands that players may leave: the end is signed, and cards can be opened."""

from collections.abc import Sequence
from dataclasses import dataclass

from catan_p2p.game.actions.parameters import Seat
from catan_p2p.game.actions.parts import Action, unmet
from catan_p2p.game.actions.sign_end import closed
from catan_p2p.game.constants import Player
from catan_p2p.game.state import State


@dataclass(frozen=True, slots=True)
class CloseGame(Action):
    """Player ``player`` merges the signatures of all others who are there: the winner, or the next if they are away."""

    player: Seat

    phases = ("Signing",)
    rule = "hands"


def broken(state: State, action: CloseGame) -> tuple[str, ...]:
    """Tags of the guards that do not hold."""
    return unmet(
        state.tp == "Signing" or "CG1 phase",
        not any(state.due) or "CG2 signed",
        state.to_act == action.player or "CG3 turn",
    )


def effect(state: State, action: CloseGame) -> State:
    """The state after the action, whose guards must hold."""
    return closed(state)


def instances(state: State, player: Player) -> Sequence[CloseGame]:
    """The enabled instance, if there is one."""
    return () if broken(state, CloseGame(player)) else (CloseGame(player),)
