"""The strategist sees a win within its own turn: where one is known, and as likely as every way that is tried says."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import count, islice
from random import Random

import pytest

from catan_p2p.game.actions import EmptyBuild
from catan_p2p.game.actions.parts import COST_CITY, COST_DEV_CARD
from catan_p2p.game.cards import ONE, Cards, total
from catan_p2p.game.cards import count as count_of
from catan_p2p.game.rules import apply, decisions, draw
from catan_p2p.game.state import Bank, Hand, State
from catan_p2p.players.policies import make_policy
from catan_p2p.players.strategist.policy import known
from catan_p2p.players.strategist.winning import way_to_win
from tests.players.turn_positions import PHASES, Position, positions


def known_wins(first_seed: int = 0) -> Iterator[Position]:
    """Positions with a known win, game after game."""
    for seed in count(first_seed):
        yield from positions(seed)


def play_turn(state: State, rng: Random) -> State:
    """The state when the strategist has played the rest of the turn."""
    policy, player = make_policy("strategist"), state.ap
    for _ in range(60):
        if state.is_over or state.ap != player or state.tp not in PHASES:
            break
        choice = policy.choose(state, player, decisions(state, player), rng)
        state = apply(state, draw(state, choice, rng))
    return state


def missed(wins: Iterator[Position]) -> list[Position]:
    """The positions that the strategist does not win."""
    found = []
    for position in wins:
        after = play_turn(position.state, Random(1))
        if not after.is_over or after.winner != position.state.ap:
            found.append(position)
    return found


def test_the_generator_s_wins_are_wins() -> None:
    for state, way in islice(known_wins(), 20):
        player = state.ap
        for action in way:
            assert not state.is_over
            state = apply(state, action)
        if not state.is_over:  # by the thesis's rules whoever has enough points ends the turn
            while state.tp == "Trading":
                state = apply(state, decisions(state, player)[0])
            state = apply(state, EmptyBuild(player))
        assert state.winner == player


@pytest.mark.long
def test_no_known_win_is_missed() -> None:
    assert missed(islice(known_wins(), 60)) == []


@pytest.mark.sampled(4)
@pytest.mark.long
@pytest.mark.parametrize("seed", [1055, 1060, 1152, 1387, 1608, 1771, 2018, 2035, 2166, 2331, 2440])
def test_no_known_win_is_missed_where_there_is_much_to_search(seed: int) -> None:
    assert missed(positions(seed)) == []


@pytest.mark.soak
def test_no_known_win_of_ten_thousand_is_missed() -> None:
    assert missed(islice(known_wins(1_000), 10_000)) == []


def one_point_short(hand: Cards, theirs: Cards = 0, knights: int = 0) -> State:
    """A position of two players, one point before a win: with these cards, the other's, and knights to play."""
    state = next(
        state for state, _ in known_wins(3) if state.constants.player_count == 2 and state.tp == "TradingBuilding"
    )
    player, constants = state.ap, state.constants
    points = state.points(player)
    rules = replace(constants.rules, points_to_win=points + 1, largest_army_min=14, longest_road_min=50)
    hands = list(state.h)
    hands[player - 1] = Hand(hand, 0, knights * ONE["Knight"], state.h[player - 1].uc)
    hands[2 - player] = Hand(theirs, 0, 0, state.h[2 - player].uc)
    seen = sum(one.ac + one.uc for one in hands) + state.dp
    return state._replace(
        constants=replace(constants, rules=rules),
        h=tuple(hands),
        bnk=Bank(rules.resource_pool - hand - theirs, rules.dev_card_pool - seen),
        pd=0,
    )


def chance(state: State) -> float:
    """How likely the strategist takes a win to be."""
    return way_to_win(known(state, state.ap), state.ap).chance


def test_one_card_wins_as_often_as_it_is_a_point() -> None:
    state = one_point_short(COST_DEV_CARD)
    deck = state.bnk.dc
    assert chance(state) == pytest.approx(count_of(deck, "VictoryPoint") / total(deck))


def test_of_two_cards_one_must_be_a_point() -> None:
    state = one_point_short(2 * COST_DEV_CARD)
    cards, points = total(state.bnk.dc), count_of(state.bnk.dc, "VictoryPoint")
    neither = (cards - points) / cards * (cards - points - 1) / (cards - 1)
    assert chance(state) == pytest.approx(1 - neither)


def test_a_knight_wins_as_often_as_it_steals_what_a_city_lacks() -> None:
    state = one_point_short(COST_CITY - ONE["Ore"], 3 * ONE["Ore"] + ONE["Wool"], knights=1)
    assert state.s.villages[state.ap - 1]
    points = count_of(state.bnk.dc, "VictoryPoint") / total(state.bnk.dc)  # wool pays for a card
    assert chance(state) == pytest.approx(3 / 4 + 1 / 4 * points)


def test_without_cards_there_is_no_chance() -> None:
    assert chance(one_point_short(ONE["Ore"])) == 0.0
