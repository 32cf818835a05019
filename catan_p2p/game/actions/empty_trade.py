"""The end of the trading phase."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from catan_p2p.game.actions.parameters import Seat
from catan_p2p.game.actions.parts import Action, unmet
from catan_p2p.game.constants import Player
from catan_p2p.game.state import State


@dataclass(frozen=True, slots=True)
class EmptyTrade(Action):
    """Player ``player`` stops trading and goes on to build.

    Mirrors ``EmptyTrade(p)`` in spec/Catan.tla (thesis, action 7).
    """

    player: Seat

    phases = ("Trading",)
    is_pass = True


def broken(state: State, action: EmptyTrade) -> tuple[str, ...]:
    """Tags of the guards that do not hold."""
    return unmet(
        state.tp == "Trading" or "ET1 phase",
        state.ap == action.player or "ET2 turn",
    )


def effect(state: State, action: EmptyTrade) -> State:
    """The state after the action, whose guards must hold."""
    return state.heard._replace(tp="Building")


def instances(state: State, player: Player) -> Sequence[EmptyTrade]:
    """The one instance, if enabled."""
    return _only(player) if state.tp == "Trading" and state.ap == player else ()


@lru_cache
def _only(player: Player) -> tuple[EmptyTrade]:
    return (EmptyTrade(player),)
