"""Whom functions of the rules mean, where no effect and no guard of a case says it."""

from dataclasses import replace

from catan_p2p.game.actions import KIND_NAMED, Excuse
from catan_p2p.game.actions.absence import all_awaited
from catan_p2p.game.actions.offering import traded
from catan_p2p.game.actions.placement import touched_settlement_points
from catan_p2p.game.actions.replies import may_reply, may_skip_replies
from catan_p2p.game.board import numbers
from catan_p2p.game.constants import BRIEF, STANDARD, THESIS, profile
from catan_p2p.game.scoring import points_of
from catan_p2p.game.state import CalledDraw
from tests.game.actions.hidden_positions import SIGNED, hiding
from tests.positions import cards, position, set_up

_LEAVING = replace(THESIS, leaving=True)


def test_the_game_waits_for_who_is_at_turn_or_for_all_who_owe_something() -> None:
    assert all_awaited(position(4, turn=3)) == (3,)
    assert all_awaited(position(4, phase="Discarding", turn=3, hands={1: "8 Ore", 4: "9 Ore"})) == (1, 4)


def test_instances_about_who_is_absent_are_in_the_order_of_seats() -> None:
    state = position(4, turn=3, rules=_LEAVING)
    assert [one.absent for one in KIND_NAMED["excuse"].instances(state, 4)] == [1, 2, 3]
    assert [one.absent for one in KIND_NAMED["excuse"].instances(state, 3)] == [1, 2, 4]


def test_a_trade_is_told_of_the_player_whose_it_is() -> None:
    before = position(3, hands={1: "2 Ore", 2: "1 Wool", 3: "1 Grain"}, rules=BRIEF)
    after = position(3, hands={1: "1 Wool", 2: "2 Ore", 3: "1 Grain"}, rules=BRIEF)
    assert traded(before, after, 2) == (cards("1 Wool"), cards("2 Ore"))
    assert traded(before, after, 3) == (0, 0)


def test_roads_touch_the_points_at_their_ends_but_do_not_pass_others() -> None:
    state = position(3, villages={2: (19,), 3: (54,)}, roads={1: (23,), 2: (22,), 3: (72,)})
    assert [*numbers(touched_settlement_points(state, 1))] == [19, 20]


def test_a_proposal_or_an_owed_reply_is_a_reply() -> None:
    asked = position(
        3,
        phase="Offering",
        turn=1,
        hands={1: "1 Ore", 3: "1 Wool"},
        offer=("1 Ore", "1 Wool"),
        answers=("none", "none", "asked"),
        rules=BRIEF,
    )
    assert [may_reply(asked, player) for player in (1, 2, 3)] == [False, False, True]
    talking = position(3, phase="TradingBuilding", turn=1, rules=STANDARD, proposals={3: ("1 Ore", "1 Wool")})
    assert [may_reply(talking, player) for player in (1, 2, 3)] == [False, True, False]


def test_who_asked_for_sealed_cards_is_excused_without_the_answer() -> None:
    robbed = hiding(position(3, phase="MovingBandit", rules=SIGNED), "1 Ore", sealed=(0, 1, 0))._replace(
        tp="Drawing", call=CalledDraw("MoveBandit", "MovingBandit", 8, 2), due=(False, True, False)
    )
    assert may_skip_replies(robbed, Excuse(2, 1))
    assert not may_skip_replies(robbed, Excuse(1, 3))


def test_points_are_told_by_seat() -> None:
    assert points_of(position(3, unveiled={2: "3 VictoryPoint"}, longest_road=3)) == (2, 5, 4)


def test_a_state_tells_whose_turn_it_is_and_who_has_won() -> None:
    uneven = {"unveiled": {2: "3 VictoryPoint"}}
    assert repr(position(3, turn=3, **uneven)) == "<State: Building, player 3's turn; points 2 5 2>"
    assert repr(set_up(3, turn=2)) == "<State: PhaseOne, player 2's turn; points 0 0 0>"
    between = position(3, phase="SpecialBuilding", turn=3, builder=1, rules=profile("brief", 6))
    assert repr(between) == "<State: SpecialBuilding, player 1's turn; points 2 2 2>"
    won = position(3, phase="top", turn=2, **uneven)
    assert repr(won) == "<State: player 2 has won; points 2 5 2>"
    assert (won.winner, between.winner) == (2, None)
