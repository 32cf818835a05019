"""What the published specification got wrong, row by row of docs/research/errata.md (S1 to S17), shown right here."""

from collections import Counter

import pytest

from catan_p2p.game import actions as a
from catan_p2p.game.board import (
    DEFAULT_BOARD,
    DEFAULT_MAP,
    Board,
    HexCoordinates,
    as_points,
    longest_trail,
    make_map,
    numbers,
)
from catan_p2p.game.cards import RESOURCES, total
from catan_p2p.game.constants import Constants
from catan_p2p.game.rules import apply, awaited, broken_guards, decisions, enabled
from catan_p2p.game.scoring import largest_army_holder, longest_road_holder, player_points, trail_length
from catan_p2p.game.state import State, initial_state
from tests.for_each import for_each
from tests.game.board.test_trails import grown, longest_by_subsets
from tests.positions import cards, position, random_game
from tests.sampled_states import played


@pytest.mark.parametrize("players", [2, 3, 4])
def test_s1_the_turn_passes_to_the_next_player(players: int) -> None:
    game = list(random_game(1, players, steps=300))
    rolls = [state.ap for state in game if state.tp == "DiceRoll"]
    assert len(rolls) > 3 * players
    assert rolls == [i % players + 1 for i in range(len(rolls))]


@for_each("size", range(20))
def test_s2_seven_can_be_rolled_whatever_anybody_holds_and_halves_hands_above_seven(size: int) -> None:
    state = position(phase="DiceRoll", hands={2: f"{size} Wool"} if size else {})
    assert a.RollDice(1, 7) in enabled(state, 1)
    state = apply(state, a.RollDice(1, 7))
    lost = size // 2 if size > 7 else 0
    assert awaited(state) == ((2,) if lost else (1,))
    if lost:
        (discard,) = enabled(state, 2)
        assert total(discard.cards) == lost  # type: ignore[attr-defined]
        state = apply(state, discard)
    assert total(state.h[1].rc) == size - lost
    assert [type(action) for action in decisions(state, 1)[:1]] == [a.MoveBandit]


def test_s3_the_bonus_cards_count_two_points_and_go_to_who_has_strictly_more() -> None:
    assert player_points(position(unveiled={1: "3 Knight"}, largest_army=1), 1) == 4
    assert player_points(position(longest_road=2), 2) == 4
    tied = {1: "3 Knight", 2: "3 Knight"}
    assert [largest_army_holder(position(unveiled=tied, largest_army=holder)) for holder in (0, 1, 2)] == [0, 1, 2]


@for_each("seed", range(12))
def test_s4_the_longest_road_is_the_longest_trail_in_any_order(seed: int) -> None:
    roads = grown(DEFAULT_BOARD, seed, 9)
    assert longest_trail(DEFAULT_BOARD, as_points(roads), 0) == longest_by_subsets(DEFAULT_BOARD, roads, frozenset())


def test_s4_five_roads_are_enough_whoever_is_active_and_a_settlement_cuts_them() -> None:
    row = {2: (16, 14, 13, 9, 2, 57)}
    assert trail_length(position(turn=1, roads=row), 2) == 5
    assert longest_road_holder(position(turn=1, roads=row)) == 2
    assert longest_road_holder(position(turn=1, roads={2: row[2][1:]})) == 0
    assert longest_road_holder(position(turn=1, roads=row, villages={1: (43, 10)})) == 0


def _earned(state: State, dice: int) -> int:
    return total(apply(state, a.RollDice(1, dice)).h[0].rc)


def test_s5_every_settlement_at_a_tile_earns_for_itself() -> None:
    # The hills 12 yield with a six: points 10, 19 and 22 are corners of it.
    roads = {1: (11, 23, 25), 2: (16, 57)}
    at_hills = {"phase": "DiceRoll", "roads": roads}
    assert _earned(position(villages={1: (10, 19)}, **at_hills), 6) == 2, "two villages"
    assert _earned(position(villages={1: (10,)}, cities={1: (19,)}, **at_hills), 6) == 3, "a village and a city"
    assert _earned(position(villages={1: ()}, cities={1: (10, 19)}, **at_hills), 6) == 4, "two cities"
    assert _earned(position(villages={1: (10, 19)}, bandit=12, **at_hills), 6) == 0, "the bandit is there"


@pytest.mark.parametrize("kind", [a.MoveBandit, a.PlayKnight])
def test_s6_the_bandit_must_move_to_land_and_may_return_to_the_desert(kind: type[a.MoveBandit | a.PlayKnight]) -> None:
    at_desert = {"villages": {2: (21, 36)}, "roads": {2: (24, 57)}}
    phase = "MovingBandit" if kind is a.MoveBandit else "Trading"
    state = position(phase=phase, bandit=13, available={1: "1 Knight"}, **at_desert)
    targets = {action.to for action in enabled(state, 1) if isinstance(action, kind)}
    assert 19 in targets, "the desert"
    assert 13 not in targets, "where it is"
    assert targets <= set(DEFAULT_BOARD.land)


def test_s7_a_roll_that_the_bank_cannot_pay_pays_nobody_and_the_turn_goes_on() -> None:
    state = position(phase="DiceRoll", hands={2: "19 Wool"})
    after = apply(state, a.RollDice(1, 4))
    assert after.h == state.h
    assert after.tp == "Trading"
    assert a.EmptyTrade(1) in enabled(after, 1)


@pytest.mark.parametrize(("left", "allowed"), [(0, False), (1, False), (2, True)])
def test_s8_two_of_a_kind_need_two_in_the_bank(left: int, allowed: bool) -> None:
    state = position(hands={2: f"{19 - left} Ore"}, available={1: "1 YearOfPlenty"})
    assert (a.PlayYearOfPlenty(1, "Ore", "Ore") in enabled(state, 1)) == allowed


def test_s9_what_is_stolen_is_a_card_that_the_victim_has() -> None:
    state = position(phase="MovingBandit", hands={2: "1 Wool, 2 Ore"})
    assert {action.card for action in enabled(state, 1)} == {"Wool", "Ore"}  # type: ignore[attr-defined]
    poor = position(phase="MovingBandit")
    assert {action.card for action in enabled(poor, 1)} == {"none"}  # type: ignore[attr-defined]


def test_s9_the_card_is_stolen_after_the_discards() -> None:
    state = position(phase="Discarding", hands={2: "1 Wool, 7 Ore"})
    assert not enabled(state, 1)
    state = apply(state, a.Discard(2, cards("1 Wool, 3 Ore")))
    assert {action.card for action in enabled(state, 1)} == {"Ore"}  # type: ignore[attr-defined]


def test_s10_the_bandit_moves_although_no_tile_offers_a_victim() -> None:
    # Player 2 has settled at tile 6 only, where the bandit is.
    state = position(
        phase="MovingBandit", bandit=6, villages={1: (20, 43, 54), 2: (1,)}, roads={2: (1,)}, hands={2: "3 Ore"}
    )
    assert enabled(state, 1) == [a.MoveBandit(1, to, 0, "none") for to in DEFAULT_BOARD.land if to != 6]


def _ends_turn(state: State) -> bool:
    """Whether the turn can be ended by stopping as soon as possible."""
    player = state.ap
    for _ in range(20):
        if state.tp == "top" or (state.tp == "DiceRoll" and state.ap != player):
            return True
        actions = enabled(state, awaited(state)[0])
        stops = [action for action in actions if isinstance(action, a.EmptyTrade | a.EmptyBuild)]
        state = apply(state, (stops or actions)[0])
    return False


def test_s11_every_turn_can_end() -> None:
    begun = [state for state in played() if "bot" not in (state.tp, state.call.tp if state.tp == "Drawing" else "")]
    assert all(_ends_turn(state) for state in begun if state.tp != "Pledging")


@pytest.mark.parametrize("players", [2, 3, 4])
def test_s11_random_games_end_with_a_winner(players: int) -> None:
    for seed in range(8):
        *_, last = random_game(seed, players, steps=20_000)
        assert last.tp == "top"
        assert player_points(last, last.ap) >= 10


def test_s12_a_desert_on_the_coast_keeps_its_corners() -> None:
    coast = [tile._replace(terrain="desert", number=None) if tile.number == 2 else tile for tile in DEFAULT_MAP.tiles]
    board = Board(make_map(coast, DEFAULT_MAP.wharfs))
    assert (board.settlement_count, board.road_count) == (54, 72)
    assert 3 in numbers(board.corners[7])
    # The bandit starts there now; at the old desert, and on the coast elsewhere, people may settle.
    state = initial_state(Constants(board=board))
    assert broken_guards(state, a.SetupPhaseOne(1, 3, 3)) == ("SO6 bandit", "SO9 road_bandit")
    assert broken_guards(state._replace(ba=19), a.SetupPhaseOne(1, 3, 3)) == ()
    assert broken_guards(state, a.SetupPhaseOne(1, 21, 26)) == ()


@for_each("players", [2, 3, 4, 5, 6])
def test_s13_any_number_of_players_takes_part(players: int) -> None:
    game = list(random_game(2, players, steps=2 * players + 60))
    order = [state.su_ap for state in game if state.tp == "bot"]
    assert order == [*range(1, players + 1), *range(players, 0, -1)]
    assert {state.ap for state in game if state.tp == "DiceRoll"} == set(range(1, players + 1))


@pytest.mark.parametrize("kind", [a.TradeFourToOne, a.TradeThreeToOne, a.TradeTwoToOne])
def test_s14_nobody_trades_a_resource_for_itself(kind: type[a.TradeFourToOne]) -> None:
    everywhere = {"villages": {1: (9, 30, 46, 3, 14, 1)}}
    state = position(phase="Trading", hands={1: "4 Lumber, 4 Brick, 4 Wool, 4 Grain, 4 Ore"}, **everywhere)
    trades = Counter((action.give, action.receive) for action in enabled(state, 1) if isinstance(action, kind))
    assert set(trades) == {(give, receive) for give in RESOURCES for receive in RESOURCES if give != receive}


def test_s15_nobody_builds_beside_the_bandit_and_anywhere_else_they_may() -> None:
    rich = {"hands": {1: "2 Lumber, 2 Brick, 1 Wool, 1 Grain"}, "roads": {1: (23, 21, 64)}}
    for bandit, allowed in ((11, False), (12, False), (13, True)):
        state = position(bandit=bandit, **rich)
        assert (a.BuildVillage(1, 11) in enabled(state, 1)) == allowed
        assert (a.BuildRoad(1, 11) in enabled(state, 1)) == (bandit != 12)


def test_s16_every_sea_tile_of_the_default_map_touches_land() -> None:
    by_place = {tile.at: tile for tile in DEFAULT_MAP.tiles}
    assert len(by_place) == 37
    assert HexCoordinates(0, 3, 5) not in by_place
    for at, tile in by_place.items():
        assert tile.is_land or any(by_place[near].is_land for near in at.neighbours() if near in by_place)


def test_s17_a_road_does_not_continue_through_an_adversarys_settlement() -> None:
    pays = {"hands": {1: "1 Lumber, 1 Brick"}, "roads": {1: (23, 21, 64)}}
    beyond = a.BuildRoad(1, 10)
    assert beyond in enabled(position(**pays), 1)
    for there in ({"villages": {2: (11, 36)}}, {"cities": {2: (11,)}}):
        state = position(**pays, **there)
        assert broken_guards(state, beyond) == ("BR6 network",)
        assert beyond not in enabled(state, 1)
