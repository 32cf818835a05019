"""Buying a development card."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from catan_p2p.game.actions.drawing import is_drawn, settled
from catan_p2p.game.actions.parameters import DevelopmentCard, Seat
from catan_p2p.game.actions.parts import COST_DEV_CARD, Action, NumberSource, pay, unmet, with_seat
from catan_p2p.game.actions.turn import won
from catan_p2p.game.cards import DEV_CARDS, ONE, Cards, count, covers, kinds, total, unpack
from catan_p2p.game.constants import Player
from catan_p2p.game.state import BUILD_PHASES, NOTHING_HIDDEN, State


@dataclass(frozen=True, slots=True)
class BuyDevCard(Action):
    """Player ``player`` pays for a development card and draws ``card``.

    Mirrors ``BuyDevCard(p, card)`` in spec/Catan.tla.
    """

    player: Seat
    card: DevelopmentCard

    phases = BUILD_PHASES | {"Drawing"}
    cost = COST_DEV_CARD
    drawn = "card"


def broken(state: State, action: BuyDevCard) -> tuple[str, ...]:
    """Tags of the guards that do not hold."""
    return unmet(
        state.phase in BUILD_PHASES or "BD1 phase",
        state.builder == action.player or "BD2 turn",
        covers(state.h[action.player - 1].rc, COST_DEV_CARD) or "BD3 cost",
        is_in_stock(state, action.card) or "BD4 stock",
        is_drawn(state, "BuyDevCard") or "BD5 drawn",
    )


def is_in_stock(state: State, card: DevelopmentCard) -> bool:
    """Whether the bank has such a card; where hands are hidden nobody knows more than that it has any."""
    if state.hid is not NOTHING_HIDDEN:
        return card == "sealed" and state.deck_size > 0
    return count(state.bnk.dc, card) > 0


def effect(state: State, action: BuyDevCard) -> State:
    """The state after the action, whose guards must hold. A victory point is unveiled at once (thesis, definition 7).

    Where hands are hidden, it is unveiled when its holder shows it.
    """
    player = action.player
    hands, bank = pay(state, player, COST_DEV_CARD)
    if action.card == "sealed":
        bought = with_seat(state.hid.bought, player, state.hid.bought[player - 1] + 1)
        return settled(state)._replace(h=hands, bnk=bank, hid=state.hid._replace(bought=bought))
    card = ONE[action.card]
    hand = hands[player - 1]
    drawn = hand._replace(uc=hand.uc + card) if action.card == "VictoryPoint" else hand._replace(bc=hand.bc + card)
    return won(settled(state)._replace(h=with_seat(hands, player, drawn), bnk=bank._replace(dc=bank.dc - card)))


def instances(state: State, player: Player) -> Sequence[BuyDevCard]:
    """Every enabled instance, in the order of development cards."""
    if (
        state.phase not in BUILD_PHASES
        or state.builder != player
        or not covers(state.h[player - 1].rc, COST_DEV_CARD)
        or not is_drawn(state, "BuyDevCard")
    ):
        return ()
    if state.hid is not NOTHING_HIDDEN:
        return (BuyDevCard(player, "sealed"),) if state.deck_size else ()
    return _purchases(player, state.bnk.dc)


@lru_cache(maxsize=1 << 9)
def _purchases(player: Player, stock: Cards) -> tuple[BuyDevCard, ...]:
    return tuple(BuyDevCard(player, DEV_CARDS[i]) for i in kinds(stock))


def decisions(state: State, player: Player) -> Sequence[BuyDevCard]:
    """One instance for all cards: which one is drawn is chance."""
    return instances(state, player)[:1]


def draw(state: State, action: BuyDevCard, rng: NumberSource) -> BuyDevCard:
    """The same purchase with a card drawn uniformly from those left in the bank."""
    if state.hid is not NOTHING_HIDDEN:
        return replace(action, card="sealed")
    at = rng.randrange(total(state.bnk.dc))
    for card, number in zip(DEV_CARDS, unpack(state.bnk.dc), strict=True):
        if at < number:
            return replace(action, card=card)
        at -= number
    raise AssertionError(f"{at} is beyond the stock {unpack(state.bnk.dc)}")
