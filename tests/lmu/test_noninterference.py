"""Two games that differ only in cards that a viewer may not see tell that viewer the same, byte for byte."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from catan_p2p.game.cards import covers
from catan_p2p.lmu import messages as m
from catan_p2p.lmu import notifications, table
from catan_p2p.lmu.requests import RequestRefused
from catan_p2p.lmu.session import _TAKERS, GameSession
from catan_p2p.view.events import DevCardBought
from tests.lmu.twins import Twins

pytestmark = pytest.mark.long

EVENTS = {
    "RollRequest",
    "GiveUp",
    "MoveBanditRequest",
    "BuildRequest",
    "BuyCard",
    "PlayKnightRequest",
    "PlayRoadBuildingRequest",
    "PlayYearOfPlentyRequest",
    "BankTradeRequest",
    "OfferTradeRequest",
    "AnswerTradeRequest",
    "ConcludeTradeRequest",
    "CancelTrade",
    "EndTurn",
    "SendChat",
}
"""Every kind of event but the monopoly, whose cards the rules make public; that needs equal hands of one resource."""


def compared(games: int, players: tuple[int, ...], seed: int = 0) -> Counter[str]:
    found: Counter[str] = Counter()
    for number in range(games):
        policy = "random" if number % 5 == 0 else "builder"
        twins = Twins(players[number % len(players)], seed + number, policy)
        twins.play(300 if policy == "random" else 2000)
        found += twins.compared
    return found


def test_a_viewer_is_told_the_same_whatever_the_hidden_cards_are() -> None:
    found = compared(12, (3, 4, 5, 6))
    assert EVENTS - {"PlayRoadBuilding"} <= set(found)
    assert sum(found.values()) > 2000


@pytest.mark.soak
def test_a_thousand_games_tell_a_viewer_the_same() -> None:
    found = compared(1000, (3, 4, 5, 6), seed=10_000)
    assert set(found) >= EVENTS


def open_cards(names: Any, kind: Any, player: int, cards: int, *insiders: int) -> notifications.Notification:
    return notifications.Notification(kind(names.id(player), cards))


def open_purchase(names: Any, before: Any, event: Any) -> list[notifications.Notification]:
    return [notifications.Notification(m.CardBought(names.id(event.player), event.card))]


def open_points(state: Any, player: int, person: Any, status: Any, viewer: int, **how: Any) -> Any:
    own = notifications.player_state(state, player, person, status, player, **how)
    return replace(notifications.player_state(state, player, person, status, viewer, **how), points=own.points)


def only_who_can_pay(play: Any, player: int, message: Any) -> list[notifications.Notification]:
    told = END_TURN(play, player, message)
    builder = play.game.state.sb
    play.special = [builder] if builder else []
    return told


def refused_where_nobody_could_pay(play: Any, player: int, message: Any) -> list[notifications.Notification]:
    others = [hand.rc for seat, hand in enumerate(play.game.state.h, 1) if seat != player]
    if not any(covers(hand, message.receive) for hand in others):
        raise RequestRefused("Das hat niemand")
    return OFFER(play, player, message)


END_TURN, OFFER = GameSession._end_turn, GameSession._offer

LEAKS: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "the cards of a theft or a discard": lambda patch: patch.setattr(notifications, "_some", open_cards),
    "which card was bought": lambda patch: patch.setitem(notifications._TELLERS, DevCardBought, open_purchase),
    "points in hidden cards": lambda patch: patch.setattr(table, "player_state", open_points),
    "who could build": lambda patch: patch.setitem(_TAKERS, m.EndTurn, only_who_can_pay),
    "who could pay an offer": lambda patch: patch.setitem(_TAKERS, m.OfferTradeRequest, refused_where_nobody_could_pay),
}


@pytest.mark.parametrize("leak", LEAKS)
def test_a_leak_is_noticed(leak: str, monkeypatch: pytest.MonkeyPatch) -> None:
    LEAKS[leak](monkeypatch)
    with pytest.raises(AssertionError):
        compared(20, (5, 4), seed=50)
