"""Games of two to six players by both rules, step by step beside the oracle: the same state, the same choices."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from random import Random
from typing import Any

import pytest

from catan_p2p.game.actions import Action, Discard, OfferTrade
from catan_p2p.game.board import ISLAND, LARGE_ISLAND, Board, board_of, numbers, spiral_map
from catan_p2p.game.cards import DEV_CARDS, RESOURCES, Cards, unpack
from catan_p2p.game.constants import Constants, profile
from catan_p2p.game.rules import any_offer, apply, awaited, decisions, draw, enabled
from catan_p2p.game.scoring import player_points
from catan_p2p.game.state import State, initial_state
from catan_p2p.model_check.trace import action_tuple
from tests.oracle.game import OracleGame
from tests.oracle.island import Island
from tests.oracle.options import may_discard, may_offer, options, owed, ways_to_discard


def counted(names: tuple[str, ...], held: Cards) -> dict[str, int]:
    """Cards as a dict, without what there is none of."""
    return {name: n for name, n in zip(names, unpack(held), strict=True) if n}


def placed(sets: tuple[int, ...]) -> dict[int, int]:
    """Owners by point."""
    return {point: seat for seat, points in enumerate(sets, 1) for point in numbers(points)}


def by_seat(values: Any) -> dict[int, Any]:
    """What everybody has, by seat."""
    return dict(enumerate(values, 1))


def told(state: State) -> dict[str, Any]:
    """The program's state in the oracle's words."""
    return {
        "stage": state.sup,
        "placing": state.su_ap,
        "first": state.first,
        "rolls": by_seat(state.rolls),
        "turn": state.ap,
        "phase": state.tp,
        "dice": state.dice,
        "played": state.pd,
        "builder": state.sb,
        "bandit": state.ba,
        "pile": counted(DEV_CARDS, state.dp),
        "longest": state.lr,
        "army": state.la,
        "limit": by_seat(state.lim),
        "offer": tuple(counted(RESOURCES, side) for side in state.offer),
        "answer": by_seat(state.ans),
        "villages": placed(state.s.villages),
        "cities": placed(state.s.cities),
        "roads": placed(state.r),
        "bank": counted(RESOURCES, state.bnk.rc),
        "deck": counted(DEV_CARDS, state.bnk.dc),
        "hand": by_seat(counted(RESOURCES, hand.rc) for hand in state.h),
        "bought": by_seat(counted(DEV_CARDS, hand.bc) for hand in state.h),
        "available": by_seat(counted(DEV_CARDS, hand.ac) for hand in state.h),
        "open": by_seat(counted(DEV_CARDS, hand.uc) for hand in state.h),
    }


def oracle_of(constants: Constants) -> OracleGame:
    """The oracle's game with the same map and rules."""
    board = constants.board
    tiles = [(tile.at.arr, tile.at.row, tile.at.col, tile.terrain, tile.number) for tile in board.map.tiles]
    rules = asdict(constants.rules)
    for pool in ("resource_pool", "dev_card_pool"):
        rules[pool] = unpack(rules[pool])
    island = Island(tiles, [(*pair, kind) for pair, kind in board.wharf_tiles])
    return OracleGame(island, constants.player_count, rules)


def compare_choices(game: OracleGame, state: State, rng: Random) -> None:
    """Everybody's choices; of offers and discards their number, or some of them."""
    for player in state.constants.players:
        mine = enabled(state, player)
        plain = [action_tuple(one) for one in mine if not isinstance(one, Discard | OfferTrade)]
        theirs = list(options(game, player))
        assert len(plain) == len(set(plain)) == len(theirs)
        assert set(plain) == set(theirs)
        assert game.points(player) == player_points(state, player)
        offers = [one for one in mine if isinstance(one, OfferTrade)]
        for one in rng.sample(offers, min(len(offers), 3)):
            assert may_offer(game, player, unpack(one.give), unpack(one.receive))
        discards = [one for one in mine if isinstance(one, Discard)]
        assert bool(discards) is (owed(game, player) > 0)
        if 0 < len(discards) < 200:
            assert len(discards) == ways_to_discard(game, player)


def play(constants: Constants, seed: int, most: int, every: int) -> State:
    """A random game side by side; choices are compared every so many steps. The state at its end."""
    rng, game, state = Random(seed), oracle_of(constants), initial_state(constants)
    for n in range(most):
        assert game.snapshot() == told(state), n
        if n % every == 0:
            compare_choices(game, state, rng)
        if state.is_over:
            break
        action = chosen(state, rng)
        if isinstance(action, Discard):
            assert may_discard(game, action.player, unpack(action.cards))
        elif isinstance(action, OfferTrade):
            assert may_offer(game, action.player, unpack(action.give), unpack(action.receive))
        state = apply(state, action)
        game.act(*action_tuple(action))
    return state


def chosen(state: State, rng: Random) -> Action:
    """A random choice; building is preferred, so that games come to something."""
    player = rng.choice(awaited(state))
    found = decisions(state, player)
    building = [one for one in found if type(one).__name__.startswith(("Build", "Buy", "Play"))]
    decision = rng.choice(building if building and rng.random() < 0.7 else found)
    return draw(state, any_offer(state, decision, rng), rng)


def board_for(players: int, seed: int) -> Board:
    """A drawn map, large for five and six."""
    return board_of(spiral_map(LARGE_ISLAND if players > 4 else ISLAND, Random(seed)))


@pytest.mark.parametrize("players", range(2, 7))
@pytest.mark.parametrize("rules", ["thesis", "standard"])
def test_a_game_beside_the_oracle(rules: str, players: int) -> None:
    constants = Constants(profile(rules, players), board_for(players, seed=players), players)
    end = play(constants, seed=players, most=500, every=7)
    assert end.tp != "bot"


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("players", range(2, 7))
@pytest.mark.parametrize("rules", ["thesis", "standard"])
def test_many_whole_games_beside_the_oracle(rules: str, players: int, seed: int) -> None:
    constants = Constants(profile(rules, players), board_for(players, seed), players)
    play(constants, seed, most=5000, every=5)


def test_the_islands_are_the_same() -> None:
    for players in (4, 6):
        board = board_for(players, seed=1)
        island = oracle_of(Constants(board=board)).island
        assert {i: tuple(sorted(tiles)) for i, tiles in island.point.items()} == dict(
            enumerate(board.settlement_tiles[1:], 1)
        )
        assert {i: tuple(sorted(tiles)) for i, tiles in island.road.items()} == dict(enumerate(board.road_tiles[1:], 1))


MISTAKES: dict[str, tuple[type, Any]] = {
    "_due": (OracleGame, lambda game, player, dice: Counter()),
    "clockwise": (
        OracleGame,
        lambda game, player: [*reversed(game.seats[: player - 1]), *reversed(game.seats[player - 1 :])],
    ),
    "after_dice": (OracleGame, lambda game: "Trading"),
    "takers": (OracleGame, lambda game, player, wanted: set(game.seats) - {player}),
    "points": (OracleGame, lambda game, player: 0),
    "left": (OracleGame, lambda game, player, piece: 1),
    "_count_roads": (OracleGame, lambda game: None),
    "around": (Island, lambda island, point: []),
    "longest_road": (Island, lambda island, roads, blocked: len(roads)),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_on_one_side_is_seen(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    cls, mistaken = MISTAKES[name]
    monkeypatch.setattr(cls, name, mistaken)
    with pytest.raises(AssertionError):
        play(Constants(profile("standard", 5), board_for(5, seed=5), 5), seed=5, most=1500, every=7)
