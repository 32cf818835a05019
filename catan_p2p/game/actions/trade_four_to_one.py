"""Trading four to one with the bank, open to everybody."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from catan_p2p.game.actions.parts import unmet
from catan_p2p.game.actions.wharf_trade import BankTradeAction, exchange, has_bank, has_to_give, pairs
from catan_p2p.game.cards import Resource
from catan_p2p.game.constants import Player
from catan_p2p.game.state import TRADE_PHASES, State

RATE = 4


@dataclass(frozen=True, slots=True)
class TradeFourToOne(BankTradeAction):
    """Player ``player`` gives the bank four cards of ``give`` for one of ``receive``.

    Mirrors ``TradeFourToOne(p, give, receive)`` in spec/Catan.tla.
    """

    rate = RATE


def broken(state: State, action: TradeFourToOne) -> tuple[str, ...]:
    """Tags of the guards that do not hold."""
    return unmet(
        state.tp in TRADE_PHASES or "TF1 phase",
        state.ap == action.player or "TF2 turn",
        has_to_give(state, action.player, action.give, RATE) or "TF3 hand",
        has_bank(state, action.receive) or "TF4 bank",
        action.give != action.receive or "TF5 differ",
    )


def effect(state: State, action: TradeFourToOne) -> State:
    """The state after the action, whose guards must hold."""
    return exchange(state, action.player, action.give, RATE, action.receive)


def instances(state: State, player: Player) -> Sequence[TradeFourToOne]:
    """Every enabled instance, by what is given, then what is received."""
    if state.tp not in TRADE_PHASES or state.ap != player:
        return ()
    return _trades(player, pairs(state.h[player - 1].rc, state.bnk.rc, RATE))


@lru_cache(maxsize=1 << 9)
def _trades(player: Player, pairs: tuple[tuple[Resource, Resource], ...]) -> tuple[TradeFourToOne, ...]:
    return tuple(TradeFourToOne(player, give, receive) for give, receive in pairs)
