"""Trading three to one at a wharf for all resources."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from catan_p2p.game.actions.parts import unmet
from catan_p2p.game.actions.wharf_trade import BankTradeAction, exchange, has_bank, has_to_give, has_wharf, pairs
from catan_p2p.game.board import THREE_TO_ONE
from catan_p2p.game.cards import Resource
from catan_p2p.game.constants import Player
from catan_p2p.game.state import TRADE_PHASES, State

RATE = 3


@dataclass(frozen=True, slots=True)
class TradeThreeToOne(BankTradeAction):
    """Player ``player`` gives the bank three cards of ``give`` for one of ``receive``, at a three-to-one wharf.

    Mirrors ``TradeThreeToOne(p, give, receive)`` in spec/Catan.tla.
    """

    rate = RATE


def broken(state: State, action: TradeThreeToOne) -> tuple[str, ...]:
    """Tags of the guards that do not hold."""
    return unmet(
        state.tp in TRADE_PHASES or "TT1 phase",
        state.ap == action.player or "TT2 turn",
        has_to_give(state, action.player, action.give, RATE) or "TT3 hand",
        has_bank(state, action.receive) or "TT4 bank",
        action.give != action.receive or "TT5 differ",
        has_wharf(state, action.player, THREE_TO_ONE) or "TT6 wharf",
    )


def effect(state: State, action: TradeThreeToOne) -> State:
    """The state after the action, whose guards must hold."""
    return exchange(state, action.player, action.give, RATE, action.receive)


def instances(state: State, player: Player) -> Sequence[TradeThreeToOne]:
    """Every enabled instance, by what is given, then what is received."""
    if state.tp not in TRADE_PHASES or state.ap != player or not has_wharf(state, player, THREE_TO_ONE):
        return ()
    return _trades(player, pairs(state.h[player - 1].rc, state.bnk.rc, RATE))


@lru_cache(maxsize=1 << 9)
def _trades(player: Player, pairs: tuple[tuple[Resource, Resource], ...]) -> tuple[TradeThreeToOne, ...]:
    return tuple(TradeThreeToOne(player, give, receive) for give, receive in pairs)
