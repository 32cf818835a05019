"""Decisions, observations and rewards that the flat core makes are those of the mirror."""

from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest

from catan_p2p.env.action_space import ACTION_COUNT, FIRSTS
from catan_p2p.env.observing import ObservedEpisode, flat, observe
from catan_p2p.env.table import OFFERS_PER_TURN, EpisodeTable, Reward
from catan_p2p.game.actions import Action, BuildCity, EmptyBuild
from catan_p2p.game.board import Board, Tile, draw_map, make_map
from catan_p2p.game.cards import pack
from catan_p2p.game.constants import Constants, profile
from catan_p2p.game.flat import PYTHON, CoreBuild, FlatEpisode, fastest, places, why_not_compiled
from catan_p2p.game.flat.mirror import numbers_of, sets_of, state_of
from catan_p2p.game.rules import NotEnabled, apply, broken_guards, initial_state
from catan_p2p.game.scoring import points_of
from catan_p2p.game.state import State
from tests import sampled_states
from tests.env import mirrored
from tests.env.mirrored import NOTHING_BEGUN, MirrorTable, PartialAction
from tests.game.flat import beside

pytestmark = pytest.mark.needs("env")

CORES = [
    pytest.param(PYTHON, id="python"),
    pytest.param(
        fastest(), id="compiled", marks=pytest.mark.skipif(why_not_compiled() is not None, reason="not compiled")
    ),
]

CHANGES: tuple[dict[str, Any], ...] = ({}, {"points_to_win": 3}, {"offer_max": 1}, {"points_to_win": 4})
"""What is changed by turns in the rules of the games: some end soon, in some an offer can be too large."""


def check(episode: FlatEpisode, table: MirrorTable, core: CoreBuild, viewpoints: list[ObservedEpisode]) -> None:
    """Raise ``AssertionError`` unless both have the same state, decisions and observations of everybody."""
    state, constants = table.state, table.state.constants
    assert state_of(episode, constants) == state
    assert (episode.player, episode.turns, episode.offers) == (table.player, table.turns, table.offers)
    assert (episode.is_over(), episode.is_cut_off()) == (table.is_over, table.is_cut_off)
    assert episode.legal() == table.legal
    mask: Any = np.zeros(ACTION_COUNT, np.int8)
    episode.mark(mask)
    assert [*np.flatnonzero(mask)] == sorted(table.legal)
    for player, at in zip(constants.players, viewpoints, strict=True):
        given_up = table.begun.given_up if player == table.player else 0
        at.writer(core, constants).write(episode, player, given_up)
        wrong = np.flatnonzero(at.array != mirrored.observed(state, player, given_up))
        assert not len(wrong), (state, player, wrong)


def play_beside(core: CoreBuild, seed: int, games: int, most: int) -> tuple[int, int]:
    """Random games on both, compared wherever a learner decides; how many decisions were begun, how many games won."""
    rng, begun, won = Random(seed), 0, 0
    for number, constants in zip(range(games), beside.games(seed), strict=False):
        constants = replace(constants, rules=replace(constants.rules, **CHANGES[number % len(CHANGES)]))
        reward: Reward = "points" if number % 2 else "win"
        draws, others = ((Random(number), Random(number)) for _ in range(2))
        table = MirrorTable(initial_state(constants), draws[0], max_turns=40)
        episode = core.episode(constants, FIRSTS, OFFERS_PER_TURN)
        episode.most_turns, episode.by_points = table.max_turns, reward == "points"
        episode.uniform, episode.other_bits = others[1].random, others[1].getrandbits
        episode.random_seats = 254
        viewpoints = [ObservedEpisode() for _ in constants.players]
        episode.begin(numbers_of(table.state), sets_of(table.state), draws[1].getrandbits)
        for _ in range(most):
            check(episode, table, core, viewpoints)
            won += table.is_over
            if table.is_over or table.is_cut_off:
                break
            if constants.rules.leaving and rng.random() < 0.02 and (after := beside.excused(table.state, rng)):
                table.set_to(after)
                turns, offers = episode.turns, episode.offers
                episode.begin(numbers_of(after), sets_of(after), draws[1].getrandbits)
                episode.turns, episode.offers = turns, offers
                continue
            had = points_of(table.state)
            legal = set(table.legal)
            wrong = rng.randrange(ACTION_COUNT)
            assert episode.decide(wrong) == table.decide(wrong) == (wrong in legal)
            if wrong not in legal:
                chosen = table.legal[int(rng.random() ** 0.5 * len(table.legal))]
                assert episode.decide(chosen) and table.decide(chosen)
            begun += table.begun != NOTHING_BEGUN
            if table.begun == NOTHING_BEGUN:
                episode.seat = rng.choice(constants.players)
                assert episode.play_others() == 0
                table.play_others(episode.seat, others[0])
            earned = [episode.earned(player, had[player - 1]) for player in constants.players]
            assert earned == mirrored.rewards(reward, had, table.state)
    return begun, won


@pytest.mark.parametrize("core", CORES)
def test_games_are_those_of_the_mirror(core: CoreBuild) -> None:
    begun, won = play_beside(core, seed=21, games=10, most=60)
    assert begun > 3 and won > 0


@pytest.mark.long
@pytest.mark.parametrize("core", CORES)
def test_many_games_are_those_of_the_mirror(core: CoreBuild) -> None:
    begun, won = play_beside(core, seed=5, games=48, most=400)
    assert begun > 20 and won > 4


def drawn_by_actors() -> tuple[State, ...]:
    """The sampled states of games in which the environment, as an actor, draws, and which the flat core covers."""
    drawn = [state for state in sampled_states.played() if state.constants.rules.chance == "actor"]
    return tuple(state for state in drawn if not state.constants.rules.offers_to_one)


@pytest.mark.parametrize("core", CORES)
def test_decisions_in_any_state_are_those_of_the_mirror(core: CoreBuild) -> None:
    """In states of late games too, where everybody has all cards, and of a road building card each second road."""
    phases, roads = set[str](), 0
    for state in drawn_by_actors()[::2]:
        state = state._replace(h=tuple(hand._replace(ac=pack((1, 1, 1, 1, 0))) for hand in state.h))
        episode = core.episode(state.constants, FIRSTS, OFFERS_PER_TURN)
        episode.begin(numbers_of(state), sets_of(state), Random(1).getrandbits)
        player = episode.player
        assert episode.legal() == ([*mirrored.decisions(state, player)] if player else [])
        phases.add(state.tp)
        for number in episode.legal():
            if FIRSTS[places.PLAY_ROADS] <= number < FIRSTS[places.PLAY_ROADS] + places.SEEN_ROADS:
                assert episode.decide(number)
                begun = PartialAction(first_road=number - FIRSTS[places.PLAY_ROADS] + 1)
                assert episode.legal() == [*mirrored.decisions(state, player, begun)]
                roads += 1
                episode.begin(numbers_of(state), sets_of(state), Random(1).getrandbits)
    assert len(phases) > 7 and roads > 10


def test_any_state_is_observed_as_the_mirror_has_it() -> None:
    for i, state in enumerate(sampled_states.played()):
        player = state.constants.players[i % state.constants.player_count]
        given_up = state.h[player - 1].rc
        assert np.array_equal(flat(state, player), mirrored.observed(state, player))
        expected = mirrored.arrays(state, player, given_up)
        assert all(np.array_equal(found, expected[name]) for name, found in observe(state, player, given_up).items())


def test_what_is_not_legal_is_refused() -> None:
    table = EpisodeTable(2, "thesis")
    with pytest.raises(ValueError, match="is not legal for player 1"):
        table.step(1)
    for action in (EmptyBuild(1), BuildCity(2, 1)):
        assert broken_guards(table.state, action)
        with pytest.raises(NotEnabled):
            table.carry_out(action)


def test_who_watches_is_told_every_action_and_its_outcome() -> None:
    told: list[State] = []

    def watch(before: State, action: Action, after: State) -> None:
        assert not told or told[-1] == before
        assert apply(before, action) == after
        told.append(after)

    table, rng = EpisodeTable(3), Random(4)
    table.watching = (watch,)
    for _ in range(120):
        table.step(rng.choice(table.legal))
    assert told[-1] == table.state and len(told) > 80


@pytest.mark.parametrize("core", CORES)
def test_an_island_without_room_is_refused(core: CoreBuild) -> None:
    """The largest island, with three tiles more."""
    old = draw_map("large-free", Random(1)).tiles
    more = [tile for tile in old if tile.terrain == "sea"][:3]
    tiles = {tile.at: tile._replace(terrain="forest", number=8) if tile in more else tile for tile in old}
    sea = {at for tile in more for at in tile.at.neighbours()} - {*tiles}
    board = Board(make_map([*tiles.values(), *(Tile(at, "sea", None) for at in sea)], []))
    with pytest.raises(ValueError, match="33 land tiles and 6 players: expected at most 80 settlement points"):
        core.episode(Constants(profile("brief", 6), board, 6), FIRSTS, OFFERS_PER_TURN)
