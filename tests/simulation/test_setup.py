"""Games on every map: what they begin with, that they are played, logged and read again, also by separate peers."""

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from catan_p2p.game.board import DEFAULT_BOARD, DEFAULT_MAP, MAPS, MapError, board_of, draw_map
from catan_p2p.game.board.map_file import format_map_file
from catan_p2p.game.board.openings import beginners_opening
from catan_p2p.game.invariants import check
from catan_p2p.game.new_game import new_constants
from catan_p2p.game.rules import apply, awaited, decisions, draw, initial_state
from catan_p2p.log.game import new_game
from catan_p2p.log.history import load_history
from catan_p2p.log.refs import COLOURS
from catan_p2p.metrics.latency import play_central
from catan_p2p.model_check.recording import read_recording
from catan_p2p.model_check.trace import trace_module
from catan_p2p.players.policies import POLICIES
from catan_p2p.simulation.game import RunawayGame, SimulationSettings, create_game, game_constants, play_game
from catan_p2p.simulation.run import SettingsError, check_settings
from catan_p2p.simulation.separate import create_seats

MAP_FILE = format_map_file(draw_map("large-free", Random(3)))
CHOICES = pytest.mark.parametrize("chosen", [*MAPS, MAP_FILE], ids=[*MAPS, "file"])
ACTIONS = 120


def play_a_little(chosen: str, players: int) -> None:
    """Some actions of a game, its invariants checked after each."""
    rng = Random(1)
    state = initial_state(new_constants("thesis", COLOURS[:players], chosen, seed=4))
    check(state, None)
    policy = POLICIES["random"]()
    for _ in range(ACTIONS):
        before, player = state, awaited(state)[0]
        state = apply(state, draw(state, policy.choose(state, player, decisions(state, player), rng), rng))
        check(state, before)


@CHOICES
@pytest.mark.parametrize("players", [2, 4])
def test_thesis_rules_are_played_on_every_map(chosen: str, players: int) -> None:
    play_a_little(chosen, players)


@CHOICES
def test_a_game_on_any_map_is_logged_and_read_again(tmp_path: Path, chosen: str) -> None:
    settings = SimulationSettings(players=3, seed=4, max_actions=40, map=chosen)
    with pytest.raises(RunawayGame):
        play_game(tmp_path, 2, settings)
    history = load_history(tmp_path / "Catan_2")
    constants = game_constants(2, settings)
    assert history.rejected == ()
    assert len(history.actions) > 35
    assert history.game.constants == constants
    assert history.game.constants.board is constants.board


@CHOICES
def test_a_game_on_any_map_is_a_trace_that_holds_its_map(tmp_path: Path, chosen: str) -> None:
    settings = SimulationSettings(players=2, seed=4, map=chosen)
    create_game(tmp_path / "game", new_game(0, game_constants(0, settings)), "nonce")
    module = trace_module(read_recording(tmp_path / "game"))
    assert ("GameTiles == DefaultTiles" in module) == (chosen in ("default", "beginners"))


@pytest.mark.parametrize("chosen", ["variable", "beginners"])
def test_separate_peers_begin_with_the_same_constants(tmp_path: Path, chosen: str) -> None:
    settings = SimulationSettings(players=2, seed=9, topology="separate", map=chosen)
    game = create_seats(tmp_path, 1, settings)
    assert game.constants == game_constants(1, settings)
    assert load_history(tmp_path / "Blue").game.constants == game.constants


@pytest.mark.parametrize("chosen", ["variable", "large-free", "beginners"])
def test_a_central_game_has_the_same_actions(tmp_path: Path, chosen: str) -> None:
    settings = SimulationSettings(players=2, seed=2, policies=("builder",), map=chosen)
    play_game(tmp_path, 0, settings)
    history = load_history(tmp_path / "Catan_0")
    assert play_central(0, settings).actions == tuple(logged.action for logged in history.actions)


def test_every_game_of_a_simulation_has_its_own_map_from_seed_and_number() -> None:
    maps = {
        (seed, number): new_constants("thesis", COLOURS[:2], "variable", seed, number).board.map
        for seed in range(3)
        for number in range(3)
    }
    assert len(set(maps.values())) == 9
    assert maps[1, 2] == new_constants("thesis", COLOURS[:4], "variable", 1, 2).board.map


def test_five_and_six_play_standard_rules_on_the_large_island() -> None:
    for players in range(2, 7):
        land = len(new_constants("brief", COLOURS[:players]).board.land)
        assert land == (30 if players > 4 else 19)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_thesis_rules_are_played_on_the_small_island(players: int) -> None:
    assert new_constants("thesis", COLOURS[:players]).board.map == DEFAULT_BOARD.map


def test_with_two_deserts_the_bandit_starts_on_the_first() -> None:
    state = initial_state(new_constants("thesis", COLOURS[:2], "large", seed=1))
    tiles = state.constants.board.map.tiles
    deserts = [i for i, tile in enumerate(tiles, 1) if tile.terrain == "desert"]
    assert len(deserts) == 2
    assert state.ba == deserts[0]


def test_the_beginners_begin_with_their_settlements_and_first_cards() -> None:
    constants = new_constants("thesis", COLOURS[:3], "beginners")
    assert constants.board.map == DEFAULT_MAP
    assert constants.opening == beginners_opening(COLOURS[:3])
    state = initial_state(constants)
    assert state.tp == "DiceRoll"
    for one in constants.opening:
        assert state.s.villages[one.player - 1] >> one.village & 1
        assert state.r[one.player - 1] >> one.road & 1
        if one.earns:
            assert state.h[one.player - 1].rc == constants.board.first_yield[one.village]


def test_more_than_four_cannot_begin_as_beginners() -> None:
    with pytest.raises(MapError, match="beginners: for at most 4 players, not 5"):
        new_constants("thesis", COLOURS[:5], "beginners")


def test_a_map_without_room_is_refused_before_a_game_begins() -> None:
    tiny = "tiles\n" + "".join(f"{at},sea,-\n" for at in ("0,0,1", "0,0,2", "1,0,1", "1,0,3", "0,1,1", "0,1,2"))
    settings = SimulationSettings(map=f"{tiny}1,0,2,forest,8\n")
    with pytest.raises(SettingsError, match=r"--map map: 0 settlement points .* expected at least 13 for 2 players"):
        check_settings(settings)
    check_settings(replace(settings, map=MAP_FILE))


def test_the_map_of_a_file_needs_no_seed() -> None:
    boards = {new_constants("thesis", COLOURS[:2], MAP_FILE, seed).board for seed in range(3)}
    assert boards == {board_of(draw_map(MAP_FILE, Random(0)))}
