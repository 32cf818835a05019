"""Trades with other players: such as make the own win likelier, and bring nobody to one."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from catan_p2p.actions import Action, AnswerTrade, ConcludeTrade, ProposeTrade
from catan_p2p.actions.parts import with_hand
from catan_p2p.cards import Cards, covers
from catan_p2p.constants import Player
from catan_p2p.simulation.bargaining import counter_offer, is_dangerous
from catan_p2p.simulation.strategist.judge import Judge
from catan_p2p.state import State

GAIN = 0.01
"""What a trade must add to the logarithm of the chance to win."""


def swapped(state: State, one: Player, other: Player, give: Cards, receive: Cards) -> State:
    """The state once ``one`` has given cards and received others, which ``other`` need not be known to hold."""
    after = state._replace(h=with_hand(state, one, rc=state.h[one - 1].rc - give + receive))
    theirs = after.h[other - 1].rc
    return after._replace(
        h=with_hand(after, other, rc=(theirs - receive if covers(theirs, receive) else theirs) + give)
    )


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
