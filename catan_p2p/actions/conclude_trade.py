"""Concluding a trade with one of those who accepted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from catan_p2p.actions.parameters import Seat
from catan_p2p.actions.parts import unmet, with_seat
from catan_p2p.constants import Player
from catan_p2p.state import NO_OFFER, Hand, State, no_answers


@dataclass(frozen=True, slots=True)
class ConcludeTrade:
    """Player ``player`` makes the trade they offered with ``partner``, who accepted it.

    Mirrors ``ConcludeTrade(p, partner)`` in spec/Catan.tla.
    """

    player: Seat
    partner: Seat


def broken(state: State, action: ConcludeTrade) -> tuple[str, ...]:
    """Tags of the guards that do not hold."""
    return unmet(
        state.tp == "Offering" or "CT1 phase",
        state.ap == action.player or "CT2 turn",
        "asked" not in state.ans or "CT3 answers",
        state.ans[action.partner - 1] == "accept" or "CT4 accepted",
    )


def effect(state: State, action: ConcludeTrade) -> State:
    """The state after; no guard is broken."""
    give, receive = state.offer
    hands = _with_gain(state.h, action.player, receive - give)
    return without_offer(state)._replace(h=_with_gain(hands, action.partner, give - receive))


def _with_gain(hands: tuple[Hand, ...], player: Player, gain: int) -> tuple[Hand, ...]:
    hand = hands[player - 1]
    return with_seat(hands, player, hand._replace(rc=hand.rc + gain))


def without_offer(state: State) -> State:
    """The state in which the offer has been settled, and trading goes on."""
    return state._replace(tp=state.after_dice, offer=NO_OFFER, ans=no_answers(len(state.ans)))


def instances(state: State, player: Player) -> Sequence[ConcludeTrade]:
    """Every enabled instance, by partner."""
    if state.tp != "Offering" or state.ap != player or "asked" in state.ans:
        return ()
    return [ConcludeTrade(player, other) for other, answer in enumerate(state.ans, 1) if answer == "accept"]
