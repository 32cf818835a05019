"""Looking for something in a game: commits, players, sevens, points; and the roads of the longest trail."""

import pytest

from catan_p2p.game.actions import BuildCity, BuildVillage, MoveBandit, RollDice, SetupPhaseOne
from catan_p2p.game.board import longest_trail, numbers
from catan_p2p.game.scoring import trail_length
from visualizer.data.recording import GameRecording
from visualizer.data.search import look_for, onward, sevens, steps_at, steps_of, trail_roads


def test_sevens_are_the_rolls_of_seven(game: GameRecording) -> None:
    rolled = [s.index for s in game.steps if isinstance(s.action, RollDice) and s.action.dice == 7]
    assert rolled
    assert sevens(game) == rolled == sorted(look_for(game, "seven", 0))


@pytest.mark.parametrize("text", ["Blue", "blue", " BLUE ", "player 2"])
def test_a_player_is_found_by_colour_and_by_number(game: GameRecording, text: str) -> None:
    found = look_for(game, text, 100)
    assert sorted(found) == [step.index for step in game.steps if step.player == 2] == steps_of(game, 2)
    assert found[0] > 100
    assert found == onward(steps_of(game, 2), 100)


def test_a_point_a_road_and_a_tile_are_found_by_what_was_put_there(game: GameRecording) -> None:
    for step in game.steps:
        match step.action:
            case SetupPhaseOne(_, at, road):
                assert step.index in steps_at(game, "point", at)
                assert step.index in look_for(game, f"road {road}", 0)
            case BuildVillage(_, at) | BuildCity(_, at):
                assert step.index in look_for(game, f"point {at}", 0)
            case MoveBandit(_, to, _, _):
                assert step.index in look_for(game, f"tile{to}", 0)
    assert look_for(game, "point 999", 0) == []


def test_steps_turns_and_ids_are_found(game: GameRecording) -> None:
    assert look_for(game, "step 12", 0) == [12]
    assert look_for(game, f"step {len(game)}", 0) == []
    assert game.turns[look_for(game, "turn 5", 0)[0]] == 5
    assert look_for(game, game.steps[33].commit[:12].upper(), 0) == [33]
    assert look_for(game, "", 0) == look_for(game, "nobody", 0) == []


def test_the_roads_of_a_trail_are_one_trail_of_its_length(
    game: GameRecording, sixes: GameRecording, pair: GameRecording
) -> None:
    found = 0
    for recording in (game, sixes, pair):
        board = recording.constants.board
        for step in recording.steps[::29]:
            for player in recording.constants.players:
                roads = trail_roads(step.state, player)
                assert len(roads) == trail_length(step.state, player)
                if roads:
                    found += 1
                    only = sum(1 << road for road in roads)
                    assert set(roads) <= set(numbers(step.state.r[player - 1]))
                    assert longest_trail(board, only, step.state.others(player)) == len(roads)
    assert found > 50
