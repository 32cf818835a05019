"""The strategist sees a win within its own turn: where one is known, and as likely as every way that is tried says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import count, islice
from random import Random

import pytest

from catan_p2p.actions import BuyDevCard, EmptyBuild, OfferTrade, PlayKnight, RollDice
from catan_p2p.cards import DEV_CARDS, ONE, total, unpack
from catan_p2p.constants import Player
from catan_p2p.rules import apply, decisions, draw, enabled
from catan_p2p.simulation.policies import make_policy
from catan_p2p.simulation.strategist.knowledge import known
from catan_p2p.simulation.strategist.winning import way_to_win
from catan_p2p.state import State
from tests.simulation.turn_positions import PHASES, Position, enriched, positions


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


def test_no_known_win_is_missed() -> None:
    assert missed(islice(known_wins(), 120)) == []


@pytest.mark.soak
def test_no_known_win_of_ten_thousand_is_missed() -> None:
    assert missed(islice(known_wins(1_000), 10_000)) == []


def test_the_chance_to_win_is_exact() -> None:
    compared = 0
    for seed in count():
        for state in chance_positions(seed):
            player = state.ap
            assert way_to_win(known(state, player), player).chance == pytest.approx(every_way(state, player))
            compared += 1
        if compared >= 8:
            break


def chance_positions(seed: int) -> Iterator[State]:
    """Positions of two players with small hands, one point short of a win: cards drawn and stolen may bring it."""
    rng = Random(seed)
    for state, _ in islice(positions(seed), 2):
        player = state.ap
        constants = state.constants
        if constants.player_count != 2 or constants.rules.win_check != "at_once" or any(h.bc for h in state.h):
            continue
        if total(state.h[2 - player].ac):
            continue
        state = enriched(state, player, rng)
        rules = constants.rules

        short = replace(constants, rules=replace(rules, points_to_win=max(3, state.points(player) + 1)))
        if total(state.h[player - 1].rc) <= 5 and total(state.h[player - 1].ac) <= 1:
            yield state._replace(constants=short)


def every_way(state: State, player: Player) -> float:
    """How likely the turn is won by the best play: every decision and every outcome tried with the engine alone."""
    found: dict[State, float] = {}

    def best(state: State) -> float:
        if state.is_over:
            return 1.0 if state.winner == player else 0.0
        if state not in found:
            found[state] = 0.0
            found[state] = max(map(chance, grouped(state)), default=0.0)
        return found[state]

    def grouped(state: State) -> list[tuple[object, ...]]:
        ways: dict[object, list[object]] = {}
        for action in enabled(state, player):
            if isinstance(action, EmptyBuild | OfferTrade | RollDice):
                continue
            key: object = action
            if isinstance(action, BuyDevCard):
                key = BuyDevCard
            if isinstance(action, PlayKnight):
                key = (PlayKnight, action.to, action.victim)
            ways.setdefault(key, []).append((state, action))
        return [tuple(one) for one in ways.values()]

    def chance(ways: tuple[object, ...]) -> float:
        value, weight = 0.0, 0
        for state, action in ways:  # type: ignore[misc]
            n = likelihood(state, action)
            value, weight = value + n * best(apply(state, action)), weight + n
        return value / weight

    return best(state)


def likelihood(state: State, action: object) -> int:
    """In how many ways chance decides so."""
    if isinstance(action, BuyDevCard):
        return unpack(state.bnk.dc)[DEV_CARDS.index(action.card)]
    if isinstance(action, PlayKnight) and action.card != "none":
        return state.h[action.victim - 1].rc // ONE[action.card] & 0x7F
    return 1
