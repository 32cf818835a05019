"""Offering a trade to one other player."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from catan_p2p.game.actions import offering
from catan_p2p.game.actions.parameters import OfferedCards, Seat
from catan_p2p.game.actions.parts import Action, could_pay, unmet
from catan_p2p.game.cards import Cards, covers
from catan_p2p.game.constants import Player
from catan_p2p.game.state import TRADE_PHASES, State


@dataclass(frozen=True, slots=True)
class OfferTradeTo(Action):
    """Player ``player`` would give player ``partner`` the cards ``give`` for the cards ``receive``; no other is asked.

    Mirrors ``OfferTradeTo(p, partner, give, receive)`` in spec/Catan.tla (rule book, "Domestic Trade").
    """

    player: Seat
    partner: Seat
    give: OfferedCards
    receive: OfferedCards

    def __repr__(self) -> str:
        return offering.spelled(self)

    phases = TRADE_PHASES
    rule = "offers_to_one"

    def needs(self, state: State) -> Cards:
        """The cards that are offered."""
        return self.give


def broken(state: State, action: OfferTradeTo) -> tuple[str, ...]:
    """Tags of the guards that do not hold."""
    rules, player, partner = state.constants.rules, action.player, action.partner
    return unmet(
        rules.offers_to_one or "OO1 rule",
        state.tp in TRADE_PHASES or "OO2 phase",
        state.ap == player or "OO3 turn",
        partner != player or "OO4 other",
        not state.away[partner - 1] or "OO5 seat",
        offering.is_side(rules, action.give) or "OO6 give",
        offering.is_side(rules, action.receive) or "OO7 receive",
        not offering.is_like_for_like(action.give, action.receive) or "OO8 differ",
        covers(state.h[player - 1].rc, action.give) or "OO9 hand",
        rules.table_talk or could_pay(state, partner, action.receive) or "OO10 taker",
        offering.has_more(state, player, rules.offers_per_turn) or "OO11 limit",
    )


def effect(state: State, action: OfferTradeTo) -> State:
    """The state after the action, whose guards must hold. The partner alone is asked."""
    return offering.offered(state, action, (action.partner,))


def instances(state: State, player: Player) -> Sequence[OfferTradeTo]:
    """Every enabled instance, by partner, then by the counts given, then by the counts wanted.

    Without a bound on offers, those of at most ``offering.LISTED`` cards a side.
    """
    return [
        OfferTradeTo(player, partner, give, receive)
        for partner in _partners(state, player)
        for give, receive in offering.listed_offers(state, player, (partner,))
    ]


def decisions(state: State, player: Player) -> Sequence[OfferTradeTo]:
    """One instance for all offers to each partner, one card for one card; a policy chooses which offer is made."""
    return [
        OfferTradeTo(player, partner, *offer)
        for partner in _partners(state, player)
        if (offer := offering.plain_offer(state, player, (partner,))) is not None
    ]


def _partners(state: State, player: Player) -> Iterator[Player]:
    """The players to whom the player may make an offer."""
    if state.constants.rules.offers_to_one and offering.may_offer(state, player):
        yield from (other for other in state.present if other != player)
