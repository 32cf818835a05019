"""Trading several cards of one resource for one card of another with the bank: what the three trades share."""

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from catan_p2p.game.actions.parameters import ResourceCard, Seat
from catan_p2p.game.actions.parts import Action, with_seat
from catan_p2p.game.board import WharfType
from catan_p2p.game.cards import ONE, RESOURCES, Cards, Resource, count, kinds
from catan_p2p.game.constants import Player
from catan_p2p.game.state import TRADE_PHASES, State


@dataclass(frozen=True, slots=True)
class BankTradeAction(Action):
    """Player ``player`` gives the bank ``rate`` cards of ``give`` for one of ``receive``."""

    player: Seat
    give: ResourceCard
    receive: ResourceCard
    rate: ClassVar[int]

    phases = TRADE_PHASES

    def needs(self, state: State) -> Cards:
        """What is given."""
        return ONE[self.give] * self.rate


def has_to_give(state: State, player: Player, give: Resource, rate: int) -> bool:
    """Whether the player holds as many cards as the rate asks for."""
    return count(state.h[player - 1].rc, give) >= rate


def has_bank(state: State, receive: Resource) -> bool:
    """Whether the bank has a card to give in return."""
    return count(state.bnk.rc, receive) > 0


def has_wharf(state: State, player: Player, type: WharfType) -> bool:
    """Whether the player has a settlement on a wharf of this type: ``PlayerPorts`` of the specification."""
    return bool(state.s.of(player) & state.constants.board.wharf_points[type])


def exchange(state: State, player: Player, give: Resource, rate: int, receive: Resource) -> State:
    """The state after ``rate`` cards of one resource went to the bank and one of the other came from it."""
    price, hand = ONE[give] * rate - ONE[receive], state.h[player - 1]
    return state.heard._replace(
        h=with_seat(state.h, player, hand._replace(rc=hand.rc - price)),
        bnk=state.bnk._replace(rc=state.bnk.rc + price),
    )


@lru_cache(maxsize=1 << 9)
def _pairs(giving: tuple[int, ...], receiving: tuple[int, ...]) -> tuple[tuple[Resource, Resource], ...]:
    return tuple((RESOURCES[i], RESOURCES[j]) for i in giving for j in receiving if i != j)


def pairs(hand: Cards, bank: Cards, rate: int) -> tuple[tuple[Resource, Resource], ...]:
    """Every pair of a resource that can be given and another that can be received, in the order of resources."""
    giving = kinds(hand, rate)
    return _pairs(giving, kinds(bank)) if giving else ()
