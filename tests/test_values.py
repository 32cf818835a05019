"""States, boards and actions are values: equal if their parts are, and the same after a round trip through pickle."""

import copy
import os
import pickle
import subprocess
import sys
from random import Random

from catan_p2p.game.board import DEFAULT_MAP, Board, board_of
from catan_p2p.game.board.layouts import LARGE_ISLAND
from catan_p2p.game.board.variable import spiral_map
from catan_p2p.game.constants import Constants, profile
from catan_p2p.game.rules import apply, enabled, initial_state
from tests.for_each import for_each
from tests.sampled_states import played

# Words hash differently in another process, so what holds here might not hold there.
ELSEWHERE = """
import pickle, sys
from catan_p2p.game.rules import apply
state, action, after = pickle.load(sys.stdin.buffer)
assert apply(state, action) in {after: None}
assert state.constants.board in {type(state.constants.board)(state.constants.board.map)}
sys.stdout.buffer.write(pickle.dumps((state, action, after)))
"""


def test_boards_of_equal_maps_are_equal() -> None:
    board, again = Board(DEFAULT_MAP), Board(DEFAULT_MAP._replace(tiles=(*DEFAULT_MAP.tiles,)))
    assert board == again
    assert hash(board) == hash(again)
    assert len({board, again, board_of(DEFAULT_MAP)}) == 1


def test_boards_of_different_maps_are_not_equal() -> None:
    other = board_of(DEFAULT_MAP._replace(wharfs=DEFAULT_MAP.wharfs[1:]))
    assert other != board_of(DEFAULT_MAP)
    assert other != DEFAULT_MAP
    assert initial_state(Constants(board=other)) != initial_state(Constants())


def test_a_pickled_board_is_built_once() -> None:
    board = board_of(DEFAULT_MAP)
    assert pickle.loads(pickle.dumps(board)) is board
    assert copy.deepcopy(board) is board


@for_each("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_states_and_actions_survive_pickle(protocol: int) -> None:
    for state in played()[::7]:
        assert pickle.loads(pickle.dumps(state, protocol)) == state
        actions = [action for player in state.constants.players for action in enabled(state, player)][:20]
        assert pickle.loads(pickle.dumps(actions, protocol)) == actions


def test_a_state_copied_in_depth_is_equal_and_hashes_alike() -> None:
    for state in played()[::19]:
        assert copy.deepcopy(state) == state
        assert hash(copy.deepcopy(state)) == hash(state)


def test_a_state_on_a_drawn_map_is_the_same_in_another_process() -> None:
    board = board_of(spiral_map(LARGE_ISLAND, Random(1)))
    state = initial_state(Constants(profile("brief", 6), board, 6))
    action = enabled(state, 1)[0]
    sent = (state, action, apply(state, action))
    done = subprocess.run(
        [sys.executable, "-c", ELSEWHERE],
        input=pickle.dumps(sent),
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONHASHSEED": "7"},
    )
    assert done.returncode == 0, done.stderr.decode()
    assert pickle.loads(done.stdout) == sent
