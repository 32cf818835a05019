"""Trading two to one at a wharf for one resource."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from catan_p2p.game.actions.parts import unmet
from catan_p2p.game.actions.wharf_trade import BankTradeAction, exchange, has_bank, has_to_give, has_wharf, pairs
from catan_p2p.game.board import Board, Points
from catan_p2p.game.cards import RESOURCES, Resource
from catan_p2p.game.constants import Player
from catan_p2p.game.state import TRADE_PHASES, State

RATE = 2


@dataclass(frozen=True, slots=True)
class TradeTwoToOne(BankTradeAction):
    """Player ``player`` gives the bank two cards of ``give`` for one of ``receive``, at a wharf of ``give``.

    Mirrors ``TradeTwoToOne(p, give, receive)`` in spec/Catan.tla (thesis, action 6).
    """

    rate = RATE


def broken(state: State, action: TradeTwoToOne) -> tuple[str, ...]:
    """Tags of the guards that do not hold."""
    return unmet(
        state.tp in TRADE_PHASES or "TW1 phase",
        state.ap == action.player or "TW2 turn",
        has_to_give(state, action.player, action.give, RATE) or "TW3 hand",
        has_bank(state, action.receive) or "TW4 bank",
        action.give != action.receive or "TW5 differ",
        has_wharf(state, action.player, action.give) or "TW6 wharf",
    )


def effect(state: State, action: TradeTwoToOne) -> State:
    """The state after the action, whose guards must hold."""
    return exchange(state, action.player, action.give, RATE, action.receive)


def instances(state: State, player: Player) -> Sequence[TradeTwoToOne]:
    """Every enabled instance, by what is given, then what is received."""
    if state.tp not in TRADE_PHASES or state.ap != player:
        return ()
    served = _served(state.constants.board, state.s.of(player))
    if not served:
        return ()
    return _trades(player, pairs(state.h[player - 1].rc, state.bnk.rc, RATE), served)


@lru_cache(maxsize=1 << 9)
def _served(board: Board, settled: Points) -> frozenset[Resource]:
    return frozenset(resource for resource in RESOURCES if settled & board.wharf_points[resource])


@lru_cache(maxsize=1 << 9)
def _trades(
    player: Player, pairs: tuple[tuple[Resource, Resource], ...], served: frozenset[Resource]
) -> tuple[TradeTwoToOne, ...]:
    return tuple(TradeTwoToOne(player, give, receive) for give, receive in pairs if give in served)
