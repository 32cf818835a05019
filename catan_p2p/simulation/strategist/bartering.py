"""Trades with other players: such as make the own win likelier, and bring nobody to one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random

from catan_p2p.actions import Action, AnswerTrade, ConcludeTrade, OfferTrade, ProposeTrade
from catan_p2p.actions.parts import with_hand
from catan_p2p.cards import RESOURCES, Cards, covers, kinds, selections
from catan_p2p.constants import Player
from catan_p2p.simulation.bargaining import GIVEN_MOST, OFFER_CHANCE, counter_offer, is_dangerous, is_partner
from catan_p2p.simulation.goals import lacking
from catan_p2p.simulation.strategist.judge import Judge
from catan_p2p.simulation.strategist.memory import Trading
from catan_p2p.state import State

GAIN = 0.01
"""What a trade must add to the logarithm of the chance to win."""
MOST_OFFERS = 3
"""So many offers are made in a turn."""
MOST_JUDGED = 12
"""So many offers are looked at closely, for each share of effort."""


def swapped(state: State, one: Player, other: Player, give: Cards, receive: Cards) -> State:
    """The state once ``one`` has given cards and received others, which ``other`` need not be known to hold."""
    after = state._replace(h=with_hand(state, one, rc=state.h[one - 1].rc - give + receive))
    theirs = after.h[other - 1].rc
    return after._replace(
        h=with_hand(after, other, rc=(theirs - receive if covers(theirs, receive) else theirs) + give)
    )


def best_offer(
    judge: Judge, state: State, goals: Sequence[Cards], trading: Trading | None, rng: Random
) -> OfferTrade | None:
    """The offer by which the player gains most among those that somebody should gain by as well.

    Given is what a goal does not need, wanted a card that it lacks. What was offered in this turn, or less for the
    same, is not offered again; what was fetched from the bank is not given away. Where the turn was not seen, an offer
    is made by chance only, since one that was withdrawn leaves no trace.
    """
    if trading is None:
        if rng.random() >= OFFER_CHANCE:
            return None
        trading = Trading(set(), set())
    if len(trading.offered) >= MOST_OFFERS:
        return None
    idle, best, found = judge.value(state), GAIN, None
    for offer in islice(_offers(judge, state, goals, trading), MOST_JUDGED * judge.effort):
        for other in judge.others:
            if not is_partner(state, judge.player, other, offer.give, offer.receive):
                continue
            gain = judge.value(swapped(state, judge.player, other, offer.give, offer.receive)) - idle
            if gain > best:
                best, found = gain, offer
    return found


def _offers(judge: Judge, state: State, goals: Sequence[Cards], trading: Trading) -> Iterator[OfferTrade]:
    """What may be worth offering, few cards first."""
    hand, most = state.h[judge.player - 1].rc, min(GIVEN_MOST, state.constants.rules.side_max)
    told: set[tuple[Cards, Cards]] = set()
    fetched = [RESOURCES.index(kind) for kind in trading.fetched]
    for amount in range(1, most + 1):
        for goal in goals:
            missing = lacking(hand, goal)
            for receive in selections(missing, 1) if missing else ():
                for give in selections(hand - (goal - missing), amount):
                    if (give, receive) in told or not set(kinds(give)).isdisjoint({*kinds(receive), *fetched}):
                        continue
                    told.add((give, receive))
                    if not any(receive == wanted and covers(more, give) for more, wanted in trading.offered):
                        yield OfferTrade(judge.player, give, receive)


def answer(judge: Judge, state: State, rng: Random) -> AnswerTrade | ProposeTrade:
    """Accepts what the player gains by, or makes a counter-offer where there is table talk and a good one."""
    player, (give, receive) = judge.player, state.offer
    if covers(state.h[player - 1].rc, receive):
        after = swapped(state, player, state.ap, receive, give)
        gains = judge.value(after) > judge.value(state) + GAIN
        if gains and not is_dangerous(after, state.ap, after.h[state.ap - 1].rc):
            return AnswerTrade(player, "accept")
    return counter_offer(state, player, rng) or AnswerTrade(player, "reject")


def best_trade(judge: Judge, state: State, decisions: Sequence[Action]) -> ConcludeTrade | None:
    """Of the trades that others have accepted or proposed the one that helps most, if any may be made.

    What was offered is meant: it is made unless it brings the other to a win. What is proposed must help.
    """
    idle = judge.value(state)
    best, found = float("-inf"), None
    for decision in decisions:
        if not isinstance(decision, ConcludeTrade):
            continue
        give, receive = state.terms(decision.partner)
        after = swapped(state, judge.player, decision.partner, give, receive)
        if is_dangerous(after, decision.partner, after.h[decision.partner - 1].rc):
            continue
        value = judge.value(after)
        if value > best and (value > idle or state.ans[decision.partner - 1] == "accept"):
            best, found = value, decision
    return found
