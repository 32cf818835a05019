"""Concluding a trade with a player who accepted the offer or made a proposal."""

from collections.abc import Sequence
from dataclasses import dataclass

from catan_p2p.game.actions.offering import is_talking, needs_answers
from catan_p2p.game.actions.parameters import Seat
from catan_p2p.game.actions.parts import Action, unmet, with_seat
from catan_p2p.game.cards import Cards, covers
from catan_p2p.game.constants import Player
from catan_p2p.game.state import NO_OFFER, TALK_PHASES, Hand, State, no_answers


@dataclass(frozen=True, slots=True)
class ConcludeTrade(Action):
    """Player ``player`` makes the trade that ``partner`` accepted, or proposed.

    Mirrors ``ConcludeTrade(p, partner)`` in spec/Catan.tla.
    """

    player: Seat
    partner: Seat

    phases = TALK_PHASES

    def needs(self, state: State) -> Cards:
        """What the partner gets."""
        return state.terms(self.partner).give


def broken(state: State, action: ConcludeTrade) -> tuple[str, ...]:
    """Tags of the guards that do not hold."""
    return unmet(
        state.tp == "Offering" or is_talking(state) or "CT1 phase",
        state.ap == action.player or "CT2 turn",
        not needs_answers(state) or "CT3 answers",
        state.terms(action.partner) != NO_OFFER or "CT4 accepted",
        covers(state.h[action.player - 1].rc, state.terms(action.partner).give) or "CT5 hand",
    )


def effect(state: State, action: ConcludeTrade) -> State:
    """The state after the action, whose guards must hold."""
    give, receive = state.terms(action.partner)
    hands = _with_gain(state.h, action.player, receive - give)
    return without_offer(state)._replace(h=_with_gain(hands, action.partner, give - receive))


def _with_gain(hands: tuple[Hand, ...], player: Player, gain: int) -> tuple[Hand, ...]:
    hand = hands[player - 1]
    return with_seat(hands, player, hand._replace(rc=hand.rc + gain))


def without_offer(state: State) -> State:
    """The state in which the offer has been settled, and trading goes on."""
    return state.heard._replace(tp=state.after_dice, offer=NO_OFFER, ans=no_answers(len(state.ans)))


def instances(state: State, player: Player) -> Sequence[ConcludeTrade]:
    """Every enabled instance, by partner."""
    if state.ap != player or not (state.tp == "Offering" or is_talking(state)) or needs_answers(state):
        return ()
    hand = state.h[player - 1].rc
    return [
        ConcludeTrade(player, other)
        for other in state.constants.players
        if (terms := state.terms(other)) != NO_OFFER and covers(hand, terms.give)
    ]
