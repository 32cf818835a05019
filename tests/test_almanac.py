"""The Catan Almanac: what each entry of the rule book says, played with the standard rules.

Where a test names an entry, it is the one in the alphabetical part of the rule book.
"""

from typing import Any

from catan_p2p.game import actions as a
from catan_p2p.game.board import DEFAULT_BOARD
from catan_p2p.game.cards import unpack
from catan_p2p.game.constants import BRIEF, Constants, profile
from catan_p2p.game.invariants import check
from catan_p2p.game.rules import apply, broken_guards, enabled, initial_state
from catan_p2p.game.scoring import longest_road_holder, player_points
from catan_p2p.game.state import State
from tests.for_each import for_each
from tests.positions import cards, position, set_up

EVERYTHING = "5 Lumber, 5 Brick, 5 Wool, 5 Grain, 5 Ore"


def turn(players: int = 2, **given: Any) -> State:
    """A position of the rule book's game, by default in the phase for trading and building."""
    state = position(players, **{"phase": "TradingBuilding", "rules": BRIEF, **given})
    check(state)
    return state


def play(state: State, *actions: a.Action) -> State:
    """The state after these actions; the invariants hold all the way."""
    for action in actions:
        state = apply(state, action)
        check(state)
    return state


def listed(state: State, player: int, kind: type) -> list[Any]:
    """The player's enabled instances of an action."""
    return [action for action in enabled(state, player) if isinstance(action, kind)]


# -------------------------------------------------------------------------------------------------------- longest road

# Player 2's row of six passes point 10, player 1 arrives there by a row of three or of five; see effect_cases.building.
LONG = (16, 14, 13, 9, 2, 57, 1)
SHORT = (23, 21, 11, 64)
FIVE = (*SHORT, 22, 19)
OTHER_FIVE = (72, 70, 61, 59, 67)
VILLAGE = {1: "1 Lumber, 1 Brick, 1 Wool, 1 Grain"}


def cut(roads: dict[int, tuple[int, ...]], players: int = 3) -> State:
    """The state after player 1's village has cut player 2's longest road on point 10."""
    before = turn(players, villages={3: (54, 48)}, roads={3: (72, 70), **roads}, longest_road=2, hands=VILLAGE)
    return play(before, a.BuildVillage(1, 10))


def test_longest_road_is_taken_by_who_breaks_it() -> None:
    assert cut({1: FIVE, 2: LONG}).lr == 1


def test_longest_road_that_is_cut_stays_with_its_holder_if_they_are_tied() -> None:
    assert cut({1: FIVE, 2: (*LONG, 27, 31)}).lr == 2


def test_longest_road_is_set_aside_if_two_others_tie() -> None:
    assert cut({1: FIVE, 2: LONG, 3: OTHER_FIVE}).lr == 0


def test_longest_road_is_set_aside_if_nobody_has_five() -> None:
    assert cut({1: SHORT, 2: LONG}).lr == 0


def test_longest_road_that_was_set_aside_comes_back_when_one_alone_leads() -> None:
    tied = cut({1: FIVE, 2: LONG, 3: OTHER_FIVE})
    hands = (tied.h[0]._replace(rc=cards("1 Lumber, 1 Brick")), *tied.h[1:])
    tied = tied._replace(h=hands, bnk=tied.bnk._replace(rc=tied.bnk.rc - cards("1 Lumber, 1 Brick")))
    longer = play(tied, a.BuildRoad(1, 8))
    assert longer.lr == 1
    assert player_points(longer, 1) == player_points(tied, 1) + 2


def test_longest_road_does_not_pass_to_an_equal_one() -> None:
    state = turn(
        roads={1: (23, 21, 10, 8, 64), 2: (16, 14, 13, 9, 2, 57)}, longest_road=2, hands={1: "1 Lumber, 1 Brick"}
    )
    assert play(state, a.BuildRoad(1, 19)).lr == 2


# ------------------------------------------------------------------------------------------------ resource production


def test_production_of_other_resources_is_not_affected_by_a_shortage() -> None:
    corners = {"villages": {1: (42, 20)}, "roads": {1: (56, 23)}}  # both players at the fields, player 2 at a pasture
    state = turn(phase="DiceRoll", hands={2: "18 Grain"}, **corners)
    rolled = play(state, a.RollDice(1, 4))
    assert unpack(rolled.h[0].rc) == (0, 0, 0, 0, 0)
    assert unpack(rolled.h[1].rc) == (0, 0, 1, 18, 0)


def test_a_shortage_that_affects_one_player_gives_them_what_is_left() -> None:
    state = turn(phase="DiceRoll", hands={1: "18 Grain"}, villages={2: (15,)}, cities={2: (36,)})
    assert unpack(play(state, a.RollDice(1, 4)).h[1].rc) == (0, 0, 1, 1, 0), "one of the two that the city yields"


def test_a_city_yields_two_and_a_village_one() -> None:
    state = turn(phase="DiceRoll", villages={1: (43,)}, cities={1: (20,)})
    assert unpack(play(state, a.RollDice(1, 11)).h[0].rc) == (2, 0, 0, 0, 0)


# ------------------------------------------------------------------------------------------------------------- robber


def test_robber_blocks_the_production_of_its_hex_only() -> None:
    assert play(turn(phase="DiceRoll", bandit=18), a.RollDice(1, 11)).h[0].rc == 0
    assert play(turn(phase="DiceRoll", bandit=13), a.RollDice(1, 11)).h[0].rc != 0


def test_robber_must_move_and_may_go_to_any_other_terrain() -> None:
    state = turn(phase="MovingBandit", bandit=13)
    land = set(state.constants.board.land)
    assert {move.to for move in listed(state, 1, a.MoveBandit)} == land - {13}


def test_robber_may_go_back_to_the_desert() -> None:
    state = turn(phase="MovingBandit", bandit=13)
    desert = state.constants.board.bandit_start
    assert play(state, a.MoveBandit(1, desert, 0, "none")).ba == desert


def test_robber_with_several_victims_lets_the_player_choose_one() -> None:
    # Players 2 and 3 have settled at tile 13, player 4 has not.
    state = turn(
        4, phase="MovingBandit", villages={3: (24, 54)}, roads={3: (29, 72)}, hands={2: "1 Ore", 3: "1 Wool, 1 Ore"}
    )
    moves = [(move.victim, move.card) for move in listed(state, 1, a.MoveBandit) if move.to == 13]
    assert moves == [(2, "Ore"), (3, "Wool"), (3, "Ore")]
    assert broken_guards(state, a.MoveBandit(1, 13, 0, "none")) == ("MB7 victim",), "somebody must be robbed"


def test_robber_steals_nothing_from_who_has_nothing() -> None:
    state = turn(3, phase="MovingBandit", villages={3: (24, 54)}, roads={3: (29, 72)}, hands={3: "1 Ore"})
    assert play(state, a.MoveBandit(1, 13, 2, "none")).h == state.h, "a poor victim may be chosen"


def test_a_settlement_may_be_built_beside_the_robber() -> None:
    state = turn(bandit=12, hands=VILLAGE, roads={1: (23, 21, 64)})
    assert a.BuildVillage(1, 11) in enabled(state, 1)


def test_a_seven_makes_hands_of_more_than_seven_discard_half_rounded_down() -> None:
    state = turn(3, phase="DiceRoll", hands={1: "9 Ore", 2: "7 Wool", 3: "8 Brick"})
    rolled = play(state, a.RollDice(1, 7))
    assert [len(enabled(rolled, player)) > 0 for player in (1, 2, 3)] == [True, False, True]
    assert rolled.lim == (5, 0, 4)


def test_a_knight_makes_nobody_discard() -> None:
    state = turn(hands={2: "9 Ore"}, available={1: "1 Knight"})
    assert unpack(play(state, a.PlayKnight(1, 13, 2, "Ore")).h[1].rc) == (0, 0, 0, 0, 8)


# -------------------------------------------------------------------------------------------------- development cards

PLAYS: tuple[tuple[str, a.Action], ...] = (
    ("Knight", a.PlayKnight(1, 13, 2, "none")),
    ("Monopoly", a.PlayMonopoly(1, "Ore")),
    ("YearOfPlenty", a.PlayYearOfPlenty(1, "Ore", "Wool")),
    ("RoadBuilding", a.PlayRoadBuilding(1, 22, 19)),
)


@for_each(("card", "action"), PLAYS)
def test_a_card_may_be_played_before_the_dice(card: str, action: a.Action) -> None:
    after = play(turn(phase="DiceRoll", available={1: f"1 {card}"}), action)
    assert (after.tp, after.dice, after.pd) == ("DiceRoll", 0, 1)
    assert a.RollDice(1, 8) in enabled(after, 1)


@for_each(("card", "action"), PLAYS)
def test_a_card_may_be_played_after_the_dice(card: str, action: a.Action) -> None:
    after = play(turn(available={1: f"1 {card}"}), action)
    assert (after.tp, after.pd) == ("TradingBuilding", 1)


@for_each(("card", "action"), PLAYS)
def test_never_two_cards_in_a_turn(card: str, action: a.Action) -> None:
    state = turn(phase="DiceRoll", available={1: f"1 {card}, 1 Monopoly", 2: "1 Knight"})
    once = play(state, action)
    assert not listed(once, 1, a.PlayMonopoly), "before the dice"
    rolled = play(once, a.RollDice(1, 8))
    assert not listed(rolled, 1, a.PlayMonopoly), "after the dice"
    assert listed(play(rolled, a.EmptyBuild(1)), 2, a.PlayKnight), "another turn, another card"


def test_never_a_card_that_was_bought_this_turn() -> None:
    bought = play(turn(hands={1: "1 Wool, 1 Grain, 1 Ore"}), a.BuyDevCard(1, "Monopoly"))
    assert not listed(bought, 1, a.PlayMonopoly)
    later = play(bought, a.EmptyBuild(1), a.RollDice(2, 8), a.EmptyBuild(2))
    assert listed(later, 1, a.PlayMonopoly)


def test_a_card_bought_in_the_special_building_phase_is_playable_next_turn() -> None:
    price = {2: "1 Wool, 1 Grain, 1 Ore"}
    special = play(turn(3, hands=price, rules=profile("brief", 6)), a.EmptyBuild(1))
    assert (special.tp, special.sb) == ("SpecialBuilding", 2)
    bought = play(special, a.BuyDevCard(2, "Monopoly"))
    assert not listed(bought, 2, a.PlayMonopoly)
    assert listed(play(bought, a.EmptyBuild(2)), 2, a.PlayMonopoly), "their own turn has come, before the dice"


def test_victory_point_cards_may_be_bought_and_count_in_the_same_turn() -> None:
    state = turn(hands={1: "2 Wool, 2 Grain, 2 Ore"})
    after = play(state, a.BuyDevCard(1, "VictoryPoint"), a.BuyDevCard(1, "VictoryPoint"))
    assert player_points(after, 1) == player_points(state, 1) + 2
    assert after.pd == 0


def test_monopoly_takes_all_cards_of_a_type_from_everybody() -> None:
    state = turn(4, hands={1: "1 Ore", 2: "3 Ore, 1 Wool", 4: "2 Ore"}, available={1: "1 Monopoly"})
    assert [unpack(hand.rc)[4] for hand in play(state, a.PlayMonopoly(1, "Ore")).h] == [6, 0, 0, 0]


def test_no_card_can_be_bought_from_an_empty_supply() -> None:
    rules = BRIEF.__class__(**{**_fields(), "dev_card_pool": cards("1 Knight")})
    state = turn(hands={1: EVERYTHING}, rules=rules)
    assert not listed(play(state, a.BuyDevCard(1, "Knight")), 1, a.BuyDevCard)


def _fields() -> dict[str, Any]:
    return {name: getattr(BRIEF, name) for name in BRIEF.__slots__}


# ------------------------------------------------------------------------------------------------------ road building


def test_road_building_with_one_road_left_places_that_one() -> None:
    state = turn(available={1: "1 RoadBuilding"}, rules=_with(roads=3))
    plays = listed(state, 1, a.PlayRoadBuilding)
    assert plays
    assert {action.second for action in plays} == {0}
    assert play(state, plays[0]).b[0].road == 0


def test_road_building_with_no_road_left_cannot_be_played() -> None:
    assert not listed(turn(available={1: "1 RoadBuilding"}, rules=_with(roads=2)), 1, a.PlayRoadBuilding)


def test_road_building_with_two_roads_left_places_two_where_it_can() -> None:
    plays = listed(turn(available={1: "1 RoadBuilding"}), 1, a.PlayRoadBuilding)
    assert plays
    assert 0 not in {action.second for action in plays}


def test_road_building_with_one_place_left_places_one() -> None:
    # Every road point but 22 and those of player 1 is taken.
    others = tuple(road for road in range(1, DEFAULT_BOARD.road_count + 1) if road not in (22, 23, 64))
    state = position(
        phase="TradingBuilding",
        roads={2: others},
        available={1: "1 RoadBuilding"},
        longest_road=2,
        rules=_with(roads=80),
    )
    assert listed(state, 1, a.PlayRoadBuilding) == [a.PlayRoadBuilding(1, 22, 0)]
    assert broken_guards(state, a.PlayRoadBuilding(1, 22, 22)) == ("PR8 differ",)


def _with(**changes: Any) -> Any:
    return BRIEF.__class__(**{**_fields(), **changes})


# ---------------------------------------------------------------------------------------------------- ending the game

NINE = {"villages": {1: (43,)}, "cities": {1: (20, 50, 9, 1)}}
EIGHT = {"villages": {1: (20, 43)}, "cities": {1: (50, 9, 1)}}


@for_each(
    ("state", "action"),
    [
        (turn(hands=VILLAGE, roads={1: (23, 21, 64)}, **NINE), a.BuildVillage(1, 11)),
        (
            turn(
                hands={1: "2 Grain, 3 Ore"},
                villages={1: (20,)},
                cities={1: (43, 50, 9)},
                unveiled={1: "2 VictoryPoint"},
            ),
            a.BuildCity(1, 20),
        ),
        (turn(hands={1: "1 Wool, 1 Grain, 1 Ore"}, **NINE), a.BuyDevCard(1, "VictoryPoint")),
        (turn(hands={1: "1 Lumber, 1 Brick"}, roads={1: (23, 21, 10, 8, 64)}, **EIGHT), a.BuildRoad(1, 19)),
        (turn(available={1: "1 RoadBuilding"}, roads={1: (23, 21, 10, 64)}, **EIGHT), a.PlayRoadBuilding(1, 8, 35)),
        (turn(available={1: "1 Knight"}, unveiled={1: "2 Knight"}, **EIGHT), a.PlayKnight(1, 13, 2, "none")),
        (
            turn(phase="DiceRoll", available={1: "1 Knight"}, unveiled={1: "2 Knight"}, **EIGHT),
            a.PlayKnight(1, 13, 2, "none"),
        ),
    ],
    ids=["village", "city", "victory point", "longest road", "road building", "largest army", "before the dice"],
)
def test_ten_points_on_ones_turn_win_at_once(state: State, action: a.Action) -> None:
    assert player_points(state, 1) < 10
    after = play(state, action)
    assert after.is_over
    assert (after.ap, player_points(after, 1) >= 10) == (1, True)
    assert not any(enabled(after, player) for player in (1, 2))


def test_ten_points_on_anothers_turn_win_when_ones_own_begins() -> None:
    """Player 1's village cuts player 3's longest road, which passes to player 2: their tenth point, not their turn."""
    state = turn(
        3,
        hands=VILLAGE,
        villages={1: (20, 43), 2: (39,), 3: (15, 36)},
        cities={2: (54, 48, 27)},
        unveiled={2: "1 VictoryPoint"},
        roads={1: SHORT, 2: (72, 70, 61, 59, 67, 52, 33), 3: LONG},
        longest_road=3,
    )
    assert longest_road_holder(state) == 3
    cut_through = play(state, a.BuildVillage(1, 10))
    assert (cut_through.lr, player_points(cut_through, 2), cut_through.is_over) == (2, 10, False)
    won = play(cut_through, a.EmptyBuild(1))
    assert (won.is_over, won.ap, won.dice) == (True, 2, 0)


def test_ten_points_that_are_lost_again_before_ones_turn_do_not_win() -> None:
    state = turn(3, turn=1, villages={1: (43,), 2: (36,)}, cities={1: (20, 50, 9, 1)}, roads={2: (57,)})
    assert not play(state, a.EmptyBuild(1)).is_over


def test_nobody_wins_in_the_special_building_phase() -> None:
    special = {"phase": "SpecialBuilding", "turn": 2, "builder": 1, "rules": profile("brief", 6)}
    ten = {
        "unveiled": {1: "1 VictoryPoint"},
        **NINE,
        "villages": {**NINE["villages"], 3: (54, 27)},
        "roads": {3: (72, 33)},
    }
    after = play(turn(3, hands={1: "1 Lumber, 1 Brick"}, **special, **ten), a.BuildRoad(1, 22))
    assert not after.is_over, "the builder's ten points, on another's turn"
    mine = {**special, "turn": 1, "builder": 2}
    after = play(turn(3, hands={2: "1 Lumber, 1 Brick"}, **mine, **ten), a.BuildRoad(2, 14))
    assert not after.is_over, "the active player's ten points, in the special building phase"
    assert play(after, a.EmptyBuild(2)).ap == 2


def test_ending_the_game_with_points_of_every_kind() -> None:
    """The almanac's example: 2 settlements, the longest road, 2 cities, and the second of 2 victory point cards."""
    state = turn(
        hands={1: "1 Wool, 1 Grain, 1 Ore"},
        villages={1: (20, 43)},
        cities={1: (50, 1)},
        roads={1: (23, 21, 10, 8, 64, 19)},
        longest_road=1,
        unveiled={1: "1 VictoryPoint"},
    )
    assert player_points(state, 1) == 9
    assert play(state, a.BuyDevCard(1, "VictoryPoint")).is_over


# ------------------------------------------------------------------------------- combined trade and build, and harbors


def test_trading_and_building_in_any_order() -> None:
    state = turn(hands={1: "5 Lumber, 1 Brick", 2: "1 Brick"}, roads={1: (23, 64)})
    offer = a.OfferTrade(1, cards("1 Lumber"), cards("1 Brick"))
    after = play(
        state, a.BuildRoad(1, 22), offer, a.AnswerTrade(2, "accept"), a.ConcludeTrade(1, 2), a.BuildRoad(1, 19)
    )
    assert after.tp == "TradingBuilding"
    assert unpack(after.h[0].rc) == (2, 0, 0, 0, 0)


def test_a_harbor_is_usable_in_the_turn_it_is_built() -> None:
    state = turn(
        hands={1: "3 Lumber, 1 Brick, 1 Wool, 1 Grain"},
        villages={1: (43, 11)},
        roads={1: (64, 21, 23, 22)},
    )
    assert not listed(state, 1, a.TradeTwoToOne)
    after = play(state, a.BuildVillage(1, 17))
    assert a.TradeTwoToOne(1, "Lumber", "Ore") in enabled(after, 1)


# --------------------------------------------------------------------------------------------------------- piece limits


def test_five_villages_at_most_until_one_becomes_a_city() -> None:
    five = turn(hands={1: EVERYTHING}, villages={1: (20, 43, 50, 9, 1)}, roads={1: (23, 21, 64)})
    assert five.b[0].village == 0
    assert not listed(five, 1, a.BuildVillage)
    assert a.BuildVillage(1, 11) in enabled(play(five, a.BuildCity(1, 43)), 1), (
        "the village has gone back to the supply"
    )


def test_four_cities_at_most() -> None:
    four = turn(hands={1: EVERYTHING}, villages={1: (43,)}, cities={1: (20, 50, 9, 1)})
    assert not listed(four, 1, a.BuildCity)


def test_fifteen_roads_at_most() -> None:
    state = turn(hands={1: EVERYTHING}, rules=_with(roads=2))
    assert BRIEF.roads == 15
    assert not listed(state, 1, a.BuildRoad)


# ------------------------------------------------------------------------------------------------------ domestic trade

PETE = {1: "2 Lumber, 3 Ore", 2: "1 Brick", 3: "1 Brick"}


def test_domestic_trade_as_in_the_almanac() -> None:
    """Pete wants a brick for an ore; Beth would want three ore, Cooper a lumber and an ore; Pete takes Cooper's."""
    brick = cards("1 Brick")
    state = turn(3, hands=PETE)
    asked = play(state, a.OfferTrade(1, cards("1 Ore"), brick))
    assert asked.ans == ("none", "asked", "asked")
    refused = play(asked, a.AnswerTrade(3, "reject"), a.AnswerTrade(2, "reject"), a.WithdrawTrade(1))
    assert refused == state
    again = play(refused, a.OfferTrade(1, cards("1 Lumber, 1 Ore"), brick))
    both = play(again, a.AnswerTrade(2, "accept"), a.AnswerTrade(3, "accept"))
    assert set(enabled(both, 1)) == {a.ConcludeTrade(1, 2), a.ConcludeTrade(1, 3), a.WithdrawTrade(1)}
    after = play(both, a.ConcludeTrade(1, 3))
    assert [unpack(hand.rc) for hand in after.h] == [(1, 1, 0, 0, 2), (0, 1, 0, 0, 0), (1, 0, 0, 0, 1)]


def test_others_may_not_trade_among_themselves_nor_with_the_bank() -> None:
    state = turn(3, hands={2: "4 Ore", 3: "4 Wool"})
    assert enabled(state, 2) == enabled(state, 3) == []


@for_each(
    ("give", "receive", "tag"),
    [
        ("1 Ore", "", "OT5 receive"),
        ("", "1 Brick", "OT4 give"),
        ("2 Ore, 1 Lumber", "1 Lumber", "OT6 differ"),
        ("4 Ore", "1 Brick", "OT7 hand"),
        ("1 Ore", "2 Brick", "OT8 taker"),
    ],
    ids=["a gift", "a present for the player", "like for like in part", "what one lacks", "what nobody has"],
)
def test_offers_that_cannot_be_made(give: str, receive: str, tag: str) -> None:
    state = turn(3, hands={**PETE, 2: "1 Brick, 1 Lumber"})
    assert tag in broken_guards(state, a.OfferTrade(1, cards(give), cards(receive)))


def test_no_cards_are_played_and_nothing_is_built_while_an_offer_stands() -> None:
    state = turn(3, hands={**PETE, 1: EVERYTHING}, available={1: "1 Monopoly"})
    asked = play(state, a.OfferTrade(1, cards("1 Ore"), cards("1 Brick")))
    assert enabled(asked, 1) == []
    assert enabled(asked, 2) == [a.AnswerTrade(2, "accept"), a.AnswerTrade(2, "reject")]


# --------------------------------------------------------------------------------------------------- the set-up phase


def test_set_up_begins_with_the_highest_roll_and_ends_with_the_same_player() -> None:
    state = play(initial_state(Constants(BRIEF, player_count=3)), a.RollForStart(1, 5), a.RollForStart(2, 9))
    state = play(state, a.RollForStart(3, 9))
    assert (state.sup, state.rolls, state.su_ap) == ("Rolling", (1, 0, 0), 2), "2 and 3 roll again"
    state = play(state, a.RollForStart(2, 4), a.RollForStart(3, 11))
    assert (state.sup, state.first, state.su_ap) == ("PhaseOne", 3, 3)
    placed = []
    while state.tp == "bot":
        player = state.su_ap
        placed.append(player)
        state = play(state, enabled(state, player)[0])
    assert placed == [3, 1, 2, 2, 1, 3]
    assert (state.tp, state.ap) == ("DiceRoll", 3)


def test_the_second_village_earns_a_card_of_each_tile() -> None:
    state = set_up(stage="PhaseTwo", turn=2, villages={1: (20,), 2: (15,)}, roads={1: (23,), 2: (16,)}, rules=BRIEF)
    assert unpack(play(state, a.SetupPhaseTwo(2, 36, 57)).h[1].rc) == (1, 0, 1, 1, 0)


def test_a_first_village_may_stand_beside_the_desert() -> None:
    state = set_up(rules=BRIEF)
    assert a.SetupPhaseOne(1, 22, 25) in enabled(state, 1)


# ------------------------------------------------------------------------------------------ special building phase


def test_special_building_is_for_everybody_who_can_pay_in_order() -> None:
    state = turn(6, turn=5, hands={1: EVERYTHING, 3: "1 Lumber, 1 Brick", 4: "1 Ore"}, rules=profile("brief", 6))
    first = play(state, a.EmptyBuild(5))
    assert (first.tp, first.sb, first.ap) == ("SpecialBuilding", 1, 5)
    second = play(first, a.EmptyBuild(1))
    assert (second.tp, second.sb) == ("SpecialBuilding", 3)
    passed = play(second, a.EmptyBuild(3))
    assert (passed.tp, passed.sb, passed.ap) == ("DiceRoll", 0, 6)


def test_special_builders_neither_trade_nor_play_cards() -> None:
    state = turn(
        5,
        phase="SpecialBuilding",
        builder=3,
        hands={3: EVERYTHING},
        available={3: "1 Knight"},
        rules=profile("brief", 6),
    )
    kinds = {type(action) for action in enabled(state, 3)}
    assert kinds == {a.EmptyBuild, a.BuildRoad, a.BuildCity, a.BuyDevCard}
