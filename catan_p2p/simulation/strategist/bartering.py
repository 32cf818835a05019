"""Trades with other players: such as bring both nearer to a win, and nobody to one."""

from __future__ import annotations

from collections.abc import Sequence

from catan_p2p.actions import Action, AnswerTrade, ConcludeTrade, WithdrawTrade
from catan_p2p.actions.parts import with_hand
from catan_p2p.cards import Cards, covers
from catan_p2p.constants import Player
from catan_p2p.simulation.bargaining import is_dangerous
from catan_p2p.simulation.strategist.judge import Judge
from catan_p2p.state import State

GAIN = 0.01
"""What a trade must add to the logarithm of the chance to win."""


def swapped(state: State, one: Player, other: Player, give: Cards, receive: Cards) -> State:
    """The state once ``one`` has given cards to ``other`` and received others."""
    after = state._replace(h=with_hand(state, one, rc=state.h[one - 1].rc - give + receive))
    return after._replace(h=with_hand(after, other, rc=after.h[other - 1].rc - receive + give))


def answer(judge: Judge, state: State) -> AnswerTrade:
    """Accepts what the player gains by."""
    player, (give, receive) = judge.player, state.offer
    if not covers(state.h[player - 1].rc, receive) or not covers(state.h[state.ap - 1].rc, give):
        return AnswerTrade(player, "reject")
    after = swapped(state, state.ap, player, give, receive)
    gains = not is_dangerous(after, state.ap, after.h[state.ap - 1].rc) and (
        judge.value(after) > judge.value(state) + GAIN
    )
    return AnswerTrade(player, "accept" if gains else "reject")


def settle(judge: Judge, state: State, decisions: Sequence[Action]) -> Action:
    """Concludes with whoever accepted and helps most, or withdraws."""
    give, receive = state.offer
    found: Action = next(one for one in decisions if isinstance(one, WithdrawTrade))
    best = judge.value(state)
    for decision in decisions:
        if not isinstance(decision, ConcludeTrade) or not covers(state.h[decision.partner - 1].rc, receive):
            continue
        after = swapped(state, judge.player, decision.partner, give, receive)
        if is_dangerous(after, decision.partner, after.h[decision.partner - 1].rc):
            continue
        value = judge.value(after)
        if value > best:
            best, found = value, decision
    return found
