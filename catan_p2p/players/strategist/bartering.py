"""Trades with other players that make the player's win likelier and no other player's imminent."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from random import Random
from typing import NamedTuple

from catan_p2p.game.actions import Action, AnswerTrade, ConcludeTrade, OfferTrade, ProposeTrade
from catan_p2p.game.actions.parts import with_hand
from catan_p2p.game.cards import Cards, covers, kinds, selections, total
from catan_p2p.game.constants import Player
from catan_p2p.game.state import State
from catan_p2p.players.bargaining import OFFER_CHANCE, counter_offer, is_dangerous, is_partner
from catan_p2p.players.goals import distance, lacking
from catan_p2p.players.goals import goals as goals_of
from catan_p2p.players.strategist.judge import PositionJudge
from catan_p2p.players.strategist.weights import MOST_OFFERS, TRADE_GAIN, TRADE_SIZES, TRADES_JUDGED
from catan_p2p.view import events as e
from catan_p2p.view.card_memory import Hands


class TurnTrades(NamedTuple):
    """The trades of the active player in this turn."""

    offered: set[tuple[Cards, Cards]]
    """the offers: cards given and cards wanted"""
    fetched: set[int]
    """the resources received in trades with the bank or players, as indices"""


def traded(trading: TurnTrades | None, events: Iterable[e.Event]) -> TurnTrades | None:
    """The trades of the turn after these events; None if no turn was seen from its beginning."""
    for event in events:
        match event:
            case e.DiceRolled():
                trading = TurnTrades(set(), set())
            case e.TradeOffered(_, give, receive) if trading:
                trading.offered.add((give, receive))
            case e.BankTrade(receive=receive) | e.PlayerTrade(receive=receive) if trading:
                trading.fetched.update(kinds(receive))
    return trading


def swapped(state: State, one: Player, other: Player, give: Cards, receive: Cards) -> State:
    """The state after ``one`` has given cards and received others; ``other`` need not hold them in this state."""
    after = state._replace(h=with_hand(state, one, rc=state.h[one - 1].rc - give + receive))
    theirs = after.h[other - 1].rc
    return after._replace(
        h=with_hand(after, other, rc=(theirs - receive if covers(theirs, receive) else theirs) + give)
    )


def best_offer(
    judge: PositionJudge,
    state: State,
    goals: Sequence[Cards],
    trading: TurnTrades | None,
    held: Hands | None,
    rng: Random,
    may_ask: Callable[[Cards], bool],
) -> OfferTrade | None:
    """The offer by which the player gains most, among those by which another player should gain too; None without one.

    It gives cards that a goal does not need for cards that it lacks. An offer of this turn is not repeated, nor made
    with fewer cards for the same; cards received by trade in this turn are not given away. Several cards are asked only
    of players who certainly hold them, and only cards for which ``may_ask`` is true. If the turn was not seen from its
    beginning, an offer is made at random, since a withdrawn one leaves no trace.
    """
    if trading is None:
        if rng.random() >= OFFER_CHANCE:
            return None
        trading = TurnTrades(set(), set())
    if len(trading.offered) >= MOST_OFFERS:
        return None
    idle, best, found = judge.value(state), TRADE_GAIN, None
    offers = (offer for offer in _offers(judge, state, goals, trading) if may_ask(offer.receive))
    likely = _welcome(judge, state, offers, held)
    for offer, other in islice(likely, TRADES_JUDGED):
        gain = judge.value(swapped(state, judge.player, other, offer.give, offer.receive)) - idle
        if gain > best:
            best, found = gain, offer
    return found


def _welcome(
    judge: PositionJudge, state: State, offers: Iterable[OfferTrade], held: Hands | None
) -> Iterator[tuple[OfferTrade, Player]]:
    """The offers that another player should accept, each with that player."""
    hands = {other: state.h[other - 1].rc for other in judge.others}
    options = {other: goals_of(state, other) for other in judge.others}
    now = {other: _nearest(hands[other], options[other]) for other in judge.others}
    for offer in offers:
        give, receive = offer.give, offer.receive
        several = total(receive) > 1
        for other, hand in hands.items():
            if several and (held is None or not covers(held[other - 1], receive)):
                continue
            if not covers(hand, receive) or _nearest(hand - receive + give, options[other]) >= now[other]:
                continue
            if is_partner(state, judge.player, other, give, receive):
                yield offer, other


def _nearest(hand: Cards, goals: Sequence[Cards]) -> float:
    return min((distance(hand, goal) for goal in goals), default=0.0)


def _offers(judge: PositionJudge, state: State, goals: Sequence[Cards], trading: TurnTrades) -> Iterator[OfferTrade]:
    """Offers worth considering, in the order of ``TRADE_SIZES``."""
    hand, most = state.h[judge.player - 1].rc, state.constants.rules.side_max
    told: set[tuple[Cards, Cards]] = set()
    for given, wanted in TRADE_SIZES:
        if max(given, wanted) > most:
            continue
        for goal in goals:
            missing = lacking(hand, goal)
            spare = hand - (goal - missing)
            if total(missing) < wanted or total(spare) < given:
                continue
            for receive in selections(missing, wanted):
                for give in selections(spare, given):
                    if (give, receive) in told or not set(kinds(give)).isdisjoint({*kinds(receive), *trading.fetched}):
                        continue
                    told.add((give, receive))
                    if not any(receive == asked and covers(more, give) for more, asked in trading.offered):
                        yield OfferTrade(judge.player, give, receive)


def answer(judge: PositionJudge, state: State, rng: Random) -> AnswerTrade | ProposeTrade:
    """Accept an offer by which the player gains, otherwise make a good counter-offer, otherwise reject."""
    player, (give, receive) = judge.player, state.offer
    if covers(state.h[player - 1].rc, receive):
        after = swapped(state, player, state.ap, receive, give)
        gains = judge.value(after) > judge.value(state) + TRADE_GAIN
        if gains and not is_dangerous(after, state.ap, after.h[state.ap - 1].rc):
            return AnswerTrade(player, "accept")
    return counter_offer(state, player, rng) or AnswerTrade(player, "reject")


def best_trade(judge: PositionJudge, state: State, decisions: Sequence[Action]) -> ConcludeTrade | None:
    """The best of the trades that others have accepted or proposed; None if there is none to make.

    A player's own offer is concluded unless it lets the partner win. A proposal must improve the position.
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
