"""A proposal to the active player, unasked or as a counter-offer: like an answer, it is made concurrently."""

from collections.abc import Sequence
from dataclasses import dataclass

from catan_p2p.game.actions import offering
from catan_p2p.game.actions.parameters import OfferedCards, Seat
from catan_p2p.game.actions.parts import Action, unmet, with_seat
from catan_p2p.game.cards import Cards, covers
from catan_p2p.game.constants import Player
from catan_p2p.game.state import NO_OFFER, TALK_PHASES, Offer, State


@dataclass(frozen=True, slots=True)
class ProposeTrade(Action):
    """Player ``player``, whose turn it is not, would give the active player ``give`` for ``receive``.

    Mirrors ``ProposeTrade(p, give, receive)`` in spec/Catan.tla (rule book, "Domestic Trade").
    """

    player: Seat
    give: OfferedCards
    receive: OfferedCards

    def __repr__(self) -> str:
        return offering.spelled(self)

    phases = TALK_PHASES
    rule = "table_talk"
    reply = "proposal"

    def needs(self, state: State) -> Cards:
        """The cards that are proposed."""
        return self.give


def broken(state: State, action: ProposeTrade) -> tuple[str, ...]:
    """Tags of the guards that do not hold."""
    rules, player = state.constants.rules, action.player
    return unmet(
        rules.table_talk or "PT1 rule",
        offering.is_talking(state) or "PT2 phase",
        state.ap != player or "PT3 other",
        offering.is_side(rules, action.give) or "PT4 give",
        offering.is_side(rules, action.receive) or "PT5 receive",
        not offering.is_like_for_like(action.give, action.receive) or "PT6 differ",
        covers(state.h[player - 1].rc, action.give) or "PT7 hand",
        state.prop[player - 1] == NO_OFFER or "PT8 once",
        state.tp != "Offering" or state.ans[player - 1] == "asked" or "PT9 asked",
        not state.away[player - 1] or "PT10 seat",
        offering.has_more(state, player, rules.proposals_per_turn) or "PT11 limit",
    )


def effect(state: State, action: ProposeTrade) -> State:
    """The state after the action, whose guards must hold. A counter-offer is no acceptance."""
    proposed = with_seat(state.prop, action.player, Offer(action.give, action.receive))
    made = offering.one_more(state, action.player, state.constants.rules.proposals_per_turn)
    if state.tp != "Offering":
        return state._replace(prop=proposed, made=made)
    return state._replace(prop=proposed, made=made, ans=with_seat(state.ans, action.player, "reject"))


def may_propose(state: State, player: Player) -> bool:
    """Whether the player may make a proposal, if they have something to give."""
    return (
        offering.is_talking(state)
        and state.ap != player
        and not state.away[player - 1]
        and state.prop[player - 1] == NO_OFFER
        and (state.tp != "Offering" or state.ans[player - 1] == "asked")
        and offering.has_more(state, player, state.constants.rules.proposals_per_turn)
    )


def instances(state: State, player: Player) -> Sequence[ProposeTrade]:
    """Every enabled instance, by the counts given, then by the counts wanted, the first resource first.

    Without a bound on offers, those of at most ``offering.LISTED`` cards a side.
    """
    if not may_propose(state, player):
        return ()
    return [ProposeTrade(player, give, receive) for give, receive in offering.listed_offers(state, player)]


def decisions(state: State, player: Player) -> Sequence[ProposeTrade]:
    """One instance for all proposals, one card for one card; a policy chooses which proposal is made."""
    offer = offering.plain_offer(state, player) if may_propose(state, player) else None
    return () if offer is None else (ProposeTrade(player, *offer),)
