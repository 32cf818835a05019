"""Moves within a turn: trades that pay for a purchase, cards to play, and the states that follow."""

from collections.abc import Iterator

from catan_p2p.game import actions
from catan_p2p.game.actions.placement import open_roads
from catan_p2p.game.actions.progress import may_play
from catan_p2p.game.board import Points, numbers
from catan_p2p.game.cards import DEV_CARDS, ONE, RESOURCES, Cards, count, covers, total, unpack
from catan_p2p.game.constants import Player
from catan_p2p.game.state import TRADE_PHASES, State
from catan_p2p.players.strategist.tables import rates


def carried_out(state: State, action: actions.Action) -> State:
    """The state after an action, in the same phase, so that a line of play can mix trading and building."""
    after: State = actions.KIND_OF[type(action)].effect(state, action)
    return after if after.tp == state.tp else after._replace(tp=state.tp)


def finance(state: State, player: Player, cost: Cards) -> tuple[tuple[actions.BankTradeAction, ...], State] | None:
    """The trades with the bank after which the player can pay a cost, and the state after them; None if none do.

    Of the spare cards, those that make the most trades are given first.
    """
    hand = state.h[player - 1].rc
    if covers(hand, cost):
        return (), state
    if state.tp not in TRADE_PHASES:
        return None
    at = rates(state.constants.board, state.s.of(player))
    held, wanted, bank = list(unpack(hand)), unpack(cost), list(unpack(state.bnk.rc))
    trades: list[actions.BankTradeAction] = []
    for receive in range(5):
        while held[receive] < wanted[receive]:
            spare = [kind for kind in range(5) if held[kind] - wanted[kind] >= at[kind] and kind != receive]
            if not spare or not bank[receive]:
                return None
            give = max(spare, key=lambda kind: ((held[kind] - wanted[kind]) / at[kind], kind))
            held[give] -= at[give]
            bank[give] += at[give]
            held[receive] += 1
            bank[receive] -= 1
            trades.append(actions.BANK_TRADES[at[give]](player, RESOURCES[give], RESOURCES[receive]))
    after = state
    for trade in trades:
        after = carried_out(after, trade)
    return tuple(trades), after


def shut_by_bandit(state: State) -> Points:
    """The points that the bandit blocks."""
    return state.constants.board.corners[state.ba] if state.constants.rules.bandit_blocks_building else 0


Outcomes = tuple[tuple[float, State], ...]
"""States with the probability of each."""


def card_outcomes(state: State, player: Player) -> Outcomes:
    """The outcomes of buying a development card; all cards unseen by the player are equally likely."""
    deck = state.bnk.dc + sum(hand.bc + hand.ac for seat, hand in enumerate(state.h, 1) if seat != player)
    cards = total(deck)
    outcomes = []
    for card, n in zip(DEV_CARDS, unpack(deck), strict=True):
        if n:
            there = state if count(state.bnk.dc, card) else _swapped(state, card)
            outcomes.append((n / cards, carried_out(there, actions.BuyDevCard(player, card))))
    return tuple(outcomes)


def _swapped(state: State, card: str) -> State:
    """The state with this card in the bank, although it was assumed to be in another hand."""
    return state._replace(bnk=state.bnk._replace(dc=state.bnk.dc + ONE[card]))


def played(state: State, player: Player) -> Iterator[tuple[actions.Action, State]]:
    """Every way to play a progress card, with the state after it."""
    for play in _plays(state, player):
        yield play, carried_out(state, play)


def _plays(state: State, player: Player) -> Iterator[actions.Action]:
    if may_play(state, player, "YearOfPlenty"):
        for i, first in enumerate(RESOURCES):
            for second in RESOURCES[i:]:
                if covers(state.bnk.rc, ONE[first] + ONE[second]):
                    yield actions.PlayYearOfPlenty(player, first, second)
    if may_play(state, player, "Monopoly"):
        for resource in RESOURCES:
            if any(count(hand.rc, resource) for seat, hand in enumerate(state.h, 1) if seat != player):
                yield actions.PlayMonopoly(player, resource)
    left, needs = state.b[player - 1].road, state.constants.rules.road_building_needs
    if may_play(state, player, "RoadBuilding") and left >= needs:
        seen = set()
        for road in numbers(open_roads(state, player)):
            others = numbers(open_roads(state, player, built=1 << road)) if left >= 2 else ()
            for other in others or ((0,) if needs == 1 else ()):
                if (other, road) not in seen:
                    seen.add((road, other))
                    yield actions.PlayRoadBuilding(player, road, other)
