"""How a builder plays the rule book: it trades where it gains, and never into an opponent's win."""

from random import Random
from typing import Any

import pytest

from catan_p2p.game import actions as a
from catan_p2p.game.cards import total
from catan_p2p.game.constants import BRIEF, profile
from catan_p2p.game.invariants import check
from catan_p2p.game.rules import decisions, enabled
from catan_p2p.game.scoring import player_points
from catan_p2p.game.state import Answer, State
from catan_p2p.players.bargaining import points_in_reach, would_accept
from catan_p2p.players.builder import BuilderPolicy
from tests.positions import cards, position, random_game


def choose(state: State, player: int, seed: int = 1) -> a.Action:
    """What a builder decides."""
    check(state)
    return BuilderPolicy().choose(state, player, decisions(state, player), Random(seed))


def asking(give: str, receive: str, hands: dict[int, str], *answers: Answer, **given: Any) -> State:
    """Player 1 offers; by default everybody else is asked and the turn is player 1's."""
    players = max(2, len(answers), *hands)
    asked = answers or ("none", *("asked",) * (players - 1))
    return position(players, phase="Offering", hands=hands, offer=(give, receive), answers=asked, rules=BRIEF, **given)


# Player 2 lacks one ore for a city and has a lumber too many.
NEARLY_A_CITY = "2 Grain, 2 Ore, 1 Lumber"


def test_it_accepts_what_brings_its_goal_nearer() -> None:
    assert choose(asking("1 Ore", "1 Lumber", {1: "1 Ore", 2: NEARLY_A_CITY}), 2) == a.AnswerTrade(2, "accept")


@pytest.mark.parametrize(
    ("give", "receive", "why"),
    [
        ("1 Wool", "1 Lumber", "what it does not need"),
        ("1 Lumber", "1 Ore", "what it needs itself"),
        ("1 Ore", "2 Lumber", "for more than it brings"),
    ],
    ids=lambda value: value,
)
def test_it_rejects(give: str, receive: str, why: str) -> None:
    hands = {1: "2 Ore, 2 Wool, 2 Lumber", 2: "2 Grain, 2 Ore, 2 Lumber"}
    assert choose(asking(give, receive, hands), 2) == a.AnswerTrade(2, "reject")


EIGHT = {"villages": {1: (20, 43)}, "cities": {1: (50, 9, 1)}}
SEVEN = {"villages": {1: (20, 43, 1)}, "cities": {1: (50, 9)}}


def test_it_does_not_trade_with_who_is_within_two_points_of_winning() -> None:
    hands = {1: "1 Ore", 2: NEARLY_A_CITY}
    assert player_points(asking("1 Ore", "1 Lumber", hands, **EIGHT), 1) == 8
    assert choose(asking("1 Ore", "1 Lumber", hands, **EIGHT), 2) == a.AnswerTrade(2, "reject")
    assert choose(asking("1 Ore", "1 Lumber", hands, **SEVEN), 2) == a.AnswerTrade(2, "accept")


def test_it_does_not_pay_for_a_winning_building() -> None:
    # With a lumber player 1 could build the fifth road in a row and a city: three points more.
    hands = {1: "4 Ore, 2 Grain, 1 Brick", 2: NEARLY_A_CITY}
    roads = {"roads": {1: (23, 21, 10, 8, 64)}}
    offer = asking("1 Ore", "1 Lumber", hands, **SEVEN, **roads)
    assert points_in_reach(offer, 1, offer.h[0].rc) == 8
    assert points_in_reach(offer, 1, offer.h[0].rc - cards("1 Ore") + cards("1 Lumber")) == 10
    assert choose(offer, 2) == a.AnswerTrade(2, "reject")
    assert choose(asking("1 Ore", "1 Lumber", {**hands, 1: "4 Ore, 2 Grain"}, **SEVEN, **roads), 2) == a.AnswerTrade(
        2, "accept"
    )


def test_it_concludes_with_the_least_dangerous_who_accepts() -> None:
    hands = {1: "1 Ore", 2: "1 Lumber", 3: "1 Lumber", 4: "1 Lumber"}
    answers: tuple[Answer, ...] = ("none", "accept", "accept", "accept")
    ahead = {"unveiled": {2: "2 VictoryPoint", 4: "1 VictoryPoint"}}
    assert choose(asking("1 Ore", "1 Lumber", hands, *answers, **ahead), 1) == a.ConcludeTrade(1, 3)
    rejected: tuple[Answer, ...] = ("none", "accept", "reject", "accept")
    assert choose(asking("1 Ore", "1 Lumber", hands, *rejected, **ahead), 1) == a.ConcludeTrade(1, 4)


def test_it_withdraws_rather_than_trade_with_a_dangerous_player() -> None:
    hands = {1: "1 Ore", 2: "1 Lumber"}
    leader = {"villages": {1: (36,), 2: (20, 43)}, "cities": {2: (50, 9, 1)}, "roads": {1: (57,), 2: (23, 64)}}
    assert choose(asking("1 Ore", "1 Lumber", hands, "none", "accept", **leader), 1) == a.WithdrawTrade(1)


def test_it_offers_what_it_can_spare_for_what_it_lacks() -> None:
    hands = {1: NEARLY_A_CITY, 2: "1 Brick, 1 Wool, 1 Grain, 2 Ore"}  # player 2 lacks a lumber for a village
    state = position(phase="TradingBuilding", hands=hands, roads={2: (16, 14, 57)}, rules=BRIEF)
    chosen = {choose(state, 1, seed) for seed in range(30)}
    offer = a.OfferTrade(1, cards("1 Lumber"), cards("1 Ore"))
    assert offer in chosen
    assert {type(action) for action in chosen} == {a.OfferTrade, a.EmptyBuild}, (
        "not always: it forgets that it was refused"
    )
    assert would_accept(state, 2, offer.give, offer.receive)


def test_it_makes_no_offer_that_nobody_should_accept() -> None:
    state = position(phase="TradingBuilding", hands={1: NEARLY_A_CITY, 2: "3 Ore, 2 Grain"}, rules=BRIEF)
    assert {choose(state, 1, seed) for seed in range(30)} == {a.EmptyBuild(1)}


def test_a_knight_drives_the_bandit_away_before_the_dice() -> None:
    knight = {"phase": "DiceRoll", "available": {1: "1 Knight"}, "rules": BRIEF}
    assert isinstance(choose(position(bandit=18, **knight), 1), a.PlayKnight)
    assert isinstance(choose(position(bandit=13, **knight), 1), a.RollDice)


def test_a_knight_that_wins_is_played() -> None:
    winning = {"bandit": 13, "available": {1: "1 Knight"}, "unveiled": {1: "2 Knight"}, "rules": BRIEF, **EIGHT}
    for phase in ("DiceRoll", "TradingBuilding"):
        assert isinstance(choose(position(phase=phase, **winning), 1), a.PlayKnight)


def test_it_builds_in_the_special_building_phase() -> None:
    hands = {2: "2 Grain, 3 Ore"}
    state = position(3, phase="SpecialBuilding", builder=2, hands=hands, rules=profile("brief", 6))
    assert type(choose(state, 2)).__name__ == "BuildCity"


@pytest.mark.parametrize("players", [2, 4, 6])
def test_what_it_decides_can_be_done_wherever_random_players_lead(players: int) -> None:
    for seed in range(3):
        rules = profile("brief", 6) if players > 4 else BRIEF
        for state in list(random_game(seed, players, steps=900, rules=rules))[::9]:
            for player in state.constants.players:
                options = decisions(state, player)
                if options:
                    choice = BuilderPolicy().choose(state, player, options, Random(seed))
                    assert choice in options or choice in enabled(state, player)
                    if isinstance(choice, a.OfferTrade):
                        assert total(choice.give) <= 2
                        assert total(choice.receive) == 1
