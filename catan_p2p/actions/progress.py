"""Playing a development card: when it may be done, and where the card goes."""

from __future__ import annotations

from catan_p2p.cards import ONE, DevCard, count
from catan_p2p.constants import Player
from catan_p2p.state import Hand, State


def is_playing_phase(state: State) -> bool:
    """Whether cards may be played in this phase: while trading or building."""
    return state.tp in ("Trading", "Building")


def has_available(state: State, player: Player, card: DevCard) -> bool:
    """Whether the player holds a card that was not bought this turn."""
    return count(state.h[player - 1].ac, card) > 0


def may_play(state: State, player: Player, card: DevCard) -> bool:
    """Phase, turn and card at once: the common guards of the four cards."""
    return has_available(state, player, card) and state.ap == player and is_playing_phase(state)


def without_card(hand: Hand, card: DevCard) -> Hand:
    """The hand after an available card has left it."""
    return hand._replace(ac=hand.ac - ONE[card])
