"""Offering a trade to the other players."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from catan_p2p.actions.parameters import OfferedCards, Seat
from catan_p2p.actions.parts import unmet
from catan_p2p.cards import ONE, RESOURCES, Cards, count, covers, describe, kinds, selections, total, unpack
from catan_p2p.constants import Player
from catan_p2p.state import TRADE_PHASES, Answer, Offer, State


@dataclass(frozen=True, slots=True)
class OfferTrade:
    """Player ``player`` would give the cards ``give`` for the cards ``receive`` to whoever can pay and accepts.

    Mirrors ``OfferTrade(p, give, receive)`` in spec/Catan.tla (rule book, "Domestic Trade").
    """

    player: Seat
    give: OfferedCards
    receive: OfferedCards

    def __repr__(self) -> str:
        give, receive = describe(self.give), describe(self.receive)
        return f"OfferTrade(player={self.player}, give=<{give}>, receive=<{receive}>)"


def broken(state: State, action: OfferTrade) -> tuple[str, ...]:
    """Tags of the guards that do not hold."""
    rules, player = state.constants.rules, action.player
    return unmet(
        rules.domestic_trade or "OT1 rule",
        state.tp in TRADE_PHASES or "OT2 phase",
        state.ap == player or "OT3 turn",
        1 <= total(action.give) <= rules.offer_max or "OT4 give",
        1 <= total(action.receive) <= rules.offer_max or "OT5 receive",
        not any(count(action.give, kind) and count(action.receive, kind) for kind in RESOURCES) or "OT6 differ",
        covers(state.h[player - 1].rc, action.give) or "OT7 hand",
        any(can_pay(state, player, other, action.receive) for other in state.constants.players) or "OT8 taker",
    )


def can_pay(state: State, player: Player, other: Player, receive: Cards) -> bool:
    """Whether another player than the one who offers holds what is wanted."""
    return other != player and covers(state.h[other - 1].rc, receive)


def effect(state: State, action: OfferTrade) -> State:
    """The state after; no guard is broken. Only those are asked who could pay."""
    asked: tuple[Answer, ...] = tuple(
        "asked" if can_pay(state, action.player, other, action.receive) else "none" for other in state.constants.players
    )
    return state._replace(tp="Offering", offer=Offer(action.give, action.receive), ans=asked)


def instances(state: State, player: Player) -> Sequence[OfferTrade]:
    """Every enabled instance, by the counts given, then by the counts wanted, the first resource first."""
    return [OfferTrade(player, give, receive) for give, receive in _open_offers(state, player)]


def decisions(state: State, player: Player) -> Sequence[OfferTrade]:
    """One instance for all offers, one card for one card: which one is made is for a policy to say.

    There can be thousands; see ``random_offer``.
    """
    if not _may_offer(state, player):
        return ()
    others = 0
    for i, hand in enumerate(state.h, 1):
        others |= hand.rc if i != player else 0
    for give in reversed(kinds(state.h[player - 1].rc)):
        for receive in reversed(kinds(others)):
            if give != receive:
                return (OfferTrade(player, ONE[RESOURCES[give]], ONE[RESOURCES[receive]]),)
    return ()


def random_offer(state: State, player: Player, rng: Random) -> OfferTrade:
    """An offer drawn uniformly from all that are enabled; there must be one."""
    give, receive = rng.choice(_open_offers(state, player))
    return OfferTrade(player, give, receive)


def _may_offer(state: State, player: Player) -> bool:
    return state.constants.rules.domestic_trade and state.tp in TRADE_PHASES and state.ap == player


def _open_offers(state: State, player: Player) -> tuple[tuple[Cards, Cards], ...]:
    if not _may_offer(state, player):
        return ()
    most = state.constants.rules.offer_max
    others = tuple(sorted({hand.rc for i, hand in enumerate(state.h, 1) if i != player}))
    return _offers(state.h[player - 1].rc, others, most)


@lru_cache(maxsize=64)
def _offers(hand: Cards, others: tuple[Cards, ...], most: int) -> tuple[tuple[Cards, Cards], ...]:
    """What can be given with what others can pay, where no resource is on both sides."""
    given = _up_to(hand, most)
    wanted = sorted({cards for other in others for cards in _up_to(other, most)}, key=unpack)
    mask = {cards: set(kinds(cards)) for cards in (*given, *wanted)}
    return tuple((give, receive) for give in given for receive in wanted if mask[give].isdisjoint(mask[receive]))


def _up_to(hand: Cards, most: int) -> list[Cards]:
    """Every way to take 1 to so many of these cards, ordered by the counts, first type first."""
    ways = (cards for amount in range(1, most + 1) for cards in selections(hand, amount))
    return sorted(ways, key=unpack)
