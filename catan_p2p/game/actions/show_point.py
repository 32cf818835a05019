"""Showing a victory point card: where hands are hidden, it counts for nobody before."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from catan_p2p.game.actions.parameters import PileName, Seat
from catan_p2p.game.actions.parts import unmet
from catan_p2p.game.actions.turn import won
from catan_p2p.game.constants import Player
from catan_p2p.game.state import PLAY_PHASES, State, TurnPhase

Pile: TypeAlias = Literal["held", "bought"]
PILES: tuple[Pile, ...] = ("held", "bought")
SHOW_PHASES: frozenset[TurnPhase] = PLAY_PHASES | {"DiceRoll"}
"""Where points may be shown: in one's own turn, whatever the rules say of playing cards before the dice."""


@dataclass(frozen=True, slots=True)
class ShowPoint:
    """Player ``player`` shows one of their victory point cards; ``hidden.disclosed`` has unveiled it."""

    player: Seat
    pile: PileName


def broken(state: State, action: ShowPoint) -> tuple[str, ...]:
    """Tags of the guards that do not hold."""
    return unmet(
        state.constants.rules.hands == "hidden" or "SP1 rule",
        state.tp in SHOW_PHASES or "SP2 phase",
        state.ap == action.player or "SP3 turn",
    )


def effect(state: State, action: ShowPoint) -> State:
    """The state after; no guard is broken."""
    return won(state.heard)


def instances(state: State, player: Player) -> Sequence[ShowPoint]:
    """Every instance that may be true, as far as everybody knows: of cards held, then of those bought this turn."""
    hidden = state.hid
    if state.tp not in SHOW_PHASES or state.ap != player or not hidden.held:
        return ()
    held, bought = hidden.held[player - 1], hidden.bought[player - 1]
    return [ShowPoint(player, pile) for pile, number in zip(PILES, (held, bought), strict=True) if number]
