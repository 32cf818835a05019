"""Withdrawing an offer: once everybody has answered it, with table talk at any time."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from catan_p2p.game.actions.conclude_trade import without_offer
from catan_p2p.game.actions.offering import needs_answers
from catan_p2p.game.actions.parameters import Seat
from catan_p2p.game.actions.parts import Action, unmet
from catan_p2p.game.constants import Player
from catan_p2p.game.state import State


@dataclass(frozen=True, slots=True)
class WithdrawTrade(Action):
    """Player ``player`` takes their offer back: nothing changes hands.

    Mirrors ``WithdrawTrade(p)`` in spec/Catan.tla.
    """

    player: Seat

    phases = ("Offering",)
    is_pass = True


def broken(state: State, action: WithdrawTrade) -> tuple[str, ...]:
    """Tags of the guards that do not hold."""
    return unmet(
        state.tp == "Offering" or "WT1 phase",
        state.ap == action.player or "WT2 turn",
        not needs_answers(state) or "WT3 answers",
    )


def effect(state: State, action: WithdrawTrade) -> State:
    """The state after the action, whose guards must hold."""
    return without_offer(state)


def instances(state: State, player: Player) -> Sequence[WithdrawTrade]:
    """The one instance, if enabled."""
    return _only(player) if state.tp == "Offering" and state.ap == player and not needs_answers(state) else ()


@lru_cache
def _only(player: Player) -> tuple[WithdrawTrade]:
    return (WithdrawTrade(player),)
