"""A recording's tables: turns, rounds, marks, points, lookups; and that they grow and shrink without a trace."""

import pytest

from catan_p2p.game import actions as a
from catan_p2p.game.constants import Constants
from catan_p2p.game.rules import apply
from catan_p2p.game.scoring import player_points
from tests.visualizer.games import recorded
from visualizer.data.graph import edges_between, edges_into, lane_count, lane_of
from visualizer.data.recording import GameRecording


def test_every_state_follows_from_the_one_before_by_its_action(game: GameRecording) -> None:
    for before, step in zip(game.steps, game.steps[1:], strict=False):
        assert step.action is not None
        assert apply(before.state, step.action) == step.state


def test_points_are_those_of_the_rules(game: GameRecording) -> None:
    for step, points in zip(game.steps, game.points, strict=True):
        assert points == tuple(player_points(step.state, player) for player in game.constants.players)


def test_a_turn_begins_with_the_dice_and_ends_with_building(game: GameRecording) -> None:
    rolls = 0
    for step, turn in zip(game.steps, game.turns, strict=True):
        rolls += isinstance(step.action, a.RollDice)
        assert turn == rolls
    ends = {s.index for s in game.steps if isinstance(s.action, a.EmptyBuild | a.SetupPhaseOne | a.SetupPhaseTwo)}
    assert set(game.turn_ends) == ends


def test_after_a_round_player_one_is_next(game: GameRecording) -> None:
    for index in game.round_ends:
        state = game.steps[index].state
        assert state.is_over or state.su_ap == 4 or (state.ap == 1 and state.tp == "DiceRoll")
    rolls_of_one = [s.index for s in game.steps if isinstance(s.action, a.RollDice) and s.action.player == 1]
    assert [index + 1 for index in game.round_ends[1:-1]] == rolls_of_one


@pytest.mark.parametrize("unit", ["action", "turn", "round"])
def test_stepping_on_and_back_visits_the_same_places(game: GameRecording, unit: str) -> None:
    forward = [0]
    while forward[-1] < game.last:
        forward.append(game.next_stop(forward[-1], unit))
    backward = [game.last]
    while backward[-1] > 0:
        backward.append(game.previous_stop(backward[-1], unit))
    assert forward == backward[::-1]
    assert game.next_stop(game.last, unit) == game.last
    assert game.previous_stop(0, unit) == 0


def test_from_between_two_stops_one_goes_to_the_nearest_on_that_side(game: GameRecording) -> None:
    first, second = game.turn_ends[20:22]
    assert game.next_stop(first + 1, "turn") == second
    assert game.previous_stop(first + 1, "turn") == first


def test_marks_are_the_sevens_and_the_builds(game: GameRecording) -> None:
    def marked(kind: str) -> list[int]:
        return [mark.index for mark in game.marks if mark.kind == kind]

    def acted(*types: type) -> list[int]:
        return [step.index for step in game.steps if isinstance(step.action, types)]

    assert marked("seven") == [i for i in acted(a.RollDice) if game.steps[i].action.dice == 7]  # type: ignore[union-attr]
    assert marked("village") == acted(a.BuildVillage, a.SetupPhaseOne, a.SetupPhaseTwo)
    assert marked("city") == acted(a.BuildCity)
    assert set(acted(a.BuildRoad)) <= set(marked("road"))


def test_a_commit_is_found_by_the_beginning_of_its_id(game: GameRecording) -> None:
    commit = game.steps[100].commit
    assert game.find(commit) == [100]
    assert game.find(commit[:12].upper()) == [100]
    assert 100 in game.find(commit[0])
    assert game.find("") == []
    assert game.find("xyz") == []


@pytest.mark.parametrize("length", [1, 2, 9, 200, 309, 311, 312, 313, 314, 700])
def test_what_is_cut_off_and_added_again_is_as_it_was(game: GameRecording, length: int) -> None:
    again = GameRecording(game.constants, game.seats, game.title)
    for step in game.steps:
        again.append(step)
    again.truncate(max(length, 314))
    again.truncate(length)
    for step in game.steps[length:]:
        again.append(step)
    for name in ("steps", "points", "turns", "turn_ends", "round_ends", "marks", "row_of", "most_replies"):
        assert getattr(again, name) == getattr(game, name), name


# The commit graph


def test_four_discards_have_lanes_of_their_own_right_of_the_players(game: GameRecording) -> None:
    losses = game.steps[310:314]
    assert all(isinstance(step.action, a.Discard) for step in losses)
    assert [lane_of(game, step) for step in losses] == [4, 5, 6, 7]
    assert lane_count(game) == 8
    assert all("_loss_" in step.branch for step in losses)


def test_all_other_steps_are_on_their_players_lane(game: GameRecording) -> None:
    assert all(lane_of(game, step) == step.player - 1 for step in game.steps if not step.is_reply)


def test_the_move_of_the_bandit_merges_the_roll_and_every_discard(game: GameRecording) -> None:
    merge = game.steps[314]
    assert isinstance(merge.action, a.MoveBandit)
    edges = edges_into(game, 314)
    assert [edge.parent_row for edge in edges] == [309, 310, 311, 312, 313]
    assert [edge.late for edge in edges] == [False, True, True, True, True]
    assert [edge.player for edge in edges[1:]] == [game.steps[i].player for i in range(310, 314)]


def test_every_line_that_crosses_the_rows_shown_is_drawn(game: GameRecording) -> None:
    def crossing(top: int, bottom: int) -> set[tuple[int, int]]:
        return {
            (edge.parent_row, edge.row)
            for row in range(len(game))
            for edge in edges_into(game, row)
            if edge.parent_row <= bottom and edge.row >= top
        }

    for top in (0, 100, 305, 308, 310, 312, 314, 900):
        bottom = min(game.last, top + 3)
        found = edges_between(game, top, bottom)
        assert {(edge.parent_row, edge.row) for edge in found} == crossing(top, bottom)


def test_a_game_without_a_seven_needs_no_lane_for_discards() -> None:
    short = recorded(Constants(player_count=3), 1, most=8)
    assert lane_count(short) == 3
