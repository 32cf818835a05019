"""Trades with other players that make the player's own win likelier and nobody else's imminent."""

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
    """What the active player has traded in this turn."""

    offered: set[tuple[Cards, Cards]]
    """what was offered to the others, and for what"""
    fetched: set[int]
    """what was received for other cards, from the bank or from another player: indices of resources"""


def traded(trading: TurnTrades | None, events: Iterable[e.Event]) -> TurnTrades | None:
    """What was traded once this has happened as well; None if no turn was seen from its beginning."""
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
    """The state after ``one`` has given cards and received others; ``other`` need not be known to hold them."""
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
    """The offer by which the player gains most among those that somebody should gain by as well.

    Given is what a goal does not need, wanted are cards that it lacks. What was offered in this turn, or less for the
    same, is not offered again; what was got by trade in it is not given away. Several cards are asked of those only
    who surely hold them, and only what ``may_ask`` lets the player ask for. Where the turn was not seen, an offer is
    made by chance only, since one that was withdrawn leaves no trace.
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
    """The offers that somebody should be glad to accept, and who that is."""
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
    """Accepts what the player gains by, or makes a good counter-offer where there is table talk."""
    player, (give, receive) = judge.player, state.offer
    if covers(state.h[player - 1].rc, receive):
        after = swapped(state, player, state.ap, receive, give)
        gains = judge.value(after) > judge.value(state) + TRADE_GAIN
        if gains and not is_dangerous(after, state.ap, after.h[state.ap - 1].rc):
            return AnswerTrade(player, "accept")
    return counter_offer(state, player, rng) or AnswerTrade(player, "reject")


def best_trade(judge: PositionJudge, state: State, decisions: Sequence[Action]) -> ConcludeTrade | None:
    """The most helpful of the trades that others have accepted or proposed; None if none may be made.

    An offer was meant: the trade is made unless it lets the other win. A proposal has to help.
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
