"""Offering a trade to the other players."""

from collections.abc import Sequence
from dataclasses import dataclass

from catan_p2p.game.actions import offering
from catan_p2p.game.actions.parameters import OfferedCards, Seat
from catan_p2p.game.actions.parts import Action, unmet
from catan_p2p.game.cards import Cards, covers
from catan_p2p.game.constants import Player
from catan_p2p.game.state import TRADE_PHASES, State


@dataclass(frozen=True, slots=True)
class OfferTrade(Action):
    """Player ``player`` would give the cards ``give`` for the cards ``receive`` to a player who accepts.

    Mirrors ``OfferTrade(p, give, receive)`` in spec/Catan.tla (rule book, "Domestic Trade").
    """

    player: Seat
    give: OfferedCards
    receive: OfferedCards

    def __repr__(self) -> str:
        return offering.spelled(self)

    phases = TRADE_PHASES

    def needs(self, state: State) -> Cards:
        """The cards that are offered."""
        return self.give


def broken(state: State, action: OfferTrade) -> tuple[str, ...]:
    """Tags of the guards that do not hold."""
    rules, player = state.constants.rules, action.player
    return unmet(
        rules.domestic_trade or "OT1 rule",
        state.tp in TRADE_PHASES or "OT2 phase",
        state.ap == player or "OT3 turn",
        offering.is_side(rules, action.give) or "OT4 give",
        offering.is_side(rules, action.receive) or "OT5 receive",
        not offering.is_like_for_like(action.give, action.receive) or "OT6 differ",
        covers(state.h[player - 1].rc, action.give) or "OT7 hand",
        rules.table_talk or offering.takers(state, player, action.receive) != [] or "OT8 taker",
        offering.has_more(state, player, rules.offers_per_turn) or "OT9 limit",
    )


def effect(state: State, action: OfferTrade) -> State:
    """The state after the action, whose guards must hold. Without table talk only players who can pay are asked."""
    talks = state.constants.rules.table_talk
    return offering.offered(
        state, action, state.present if talks else offering.takers(state, action.player, action.receive)
    )


def instances(state: State, player: Player) -> Sequence[OfferTrade]:
    """Every enabled instance, by the counts given, then by the counts wanted, the first resource first.

    Without a bound on offers, those of at most ``offering.LISTED`` cards a side.
    """
    if not offering.may_offer(state, player):
        return ()
    return [OfferTrade(player, give, receive) for give, receive in offering.listed_offers(state, player)]


def decisions(state: State, player: Player) -> Sequence[OfferTrade]:
    """One instance for all offers, one card for one card; a policy chooses which offer is made.

    There can be thousands; see ``offering.random_sides``.
    """
    offer = offering.plain_offer(state, player) if offering.may_offer(state, player) else None
    return () if offer is None else (OfferTrade(player, *offer),)
