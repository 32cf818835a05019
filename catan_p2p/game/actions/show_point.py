"""Showing a victory point card: where hands are hidden, it counts for nobody before."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from catan_p2p.game.actions.parameters import PileName, Seat
from catan_p2p.game.actions.parts import Action, unmet, with_hand, with_seat
from catan_p2p.game.actions.turn import won
from catan_p2p.game.cards import ONE, count
from catan_p2p.game.constants import Player
from catan_p2p.game.state import PLAY_PHASES, State

Pile: TypeAlias = Literal["held", "bought"]
PILES: tuple[Pile, ...] = ("held", "bought")


@dataclass(frozen=True, slots=True)
class ShowPoint(Action):
    """Player ``player`` shows one of their victory point cards. Mirrors ``ShowPoint(p, pile)`` in spec/Catan.tla."""

    player: Seat
    pile: PileName

    phases = PLAY_PHASES | {"DiceRoll"}  # whatever the rules say of playing cards before the dice
    rule = "hands"
    unveils = "VictoryPoint"


def broken(state: State, action: ShowPoint) -> tuple[str, ...]:
    """Tags of the guards that do not hold."""
    return unmet(
        state.constants.rules.hands == "hidden" or "SP1 rule",
        state.tp in action.phases or "SP2 phase",
        state.ap == action.player or "SP3 turn",
        (_number(state, action) > 0 and count(state.bnk.dc, "VictoryPoint") > 0) or "SP4 card",
    )


def effect(state: State, action: ShowPoint) -> State:
    """The state after the action, whose guards must hold."""
    player, card = action.player, ONE["VictoryPoint"]
    hidden, left = state.hid, _number(state, action) - 1
    if action.pile == "held":
        hidden = hidden._replace(held=with_seat(hidden.held, player, left))
    else:
        hidden = hidden._replace(bought=with_seat(hidden.bought, player, left))
    bank = state.bnk._replace(dc=state.bnk.dc - card)
    hands = with_hand(state, player, uc=state.h[player - 1].uc + card)
    return won(state.heard._replace(h=hands, bnk=bank, hid=hidden))


def _number(state: State, action: ShowPoint) -> int:
    """How many cards the player has in the pile from which one is shown."""
    numbers = state.hid.held if action.pile == "held" else state.hid.bought
    return numbers[action.player - 1] if numbers else 0


def instances(state: State, player: Player) -> Sequence[ShowPoint]:
    """Every instance that may be true, as far as everybody knows: of cards held, then of those bought this turn."""
    return [one for pile in PILES if not broken(state, one := ShowPoint(player, pile))]
