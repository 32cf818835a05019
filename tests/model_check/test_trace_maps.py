"""Games on other maps and TLC: the trace holds the map, and only on that map is the game a behaviour."""

from dataclasses import replace
from pathlib import Path

import pytest

from catan_p2p.model_check.recording import RecordedGame, read_recording
from catan_p2p.model_check.tlc import TlcProgram
from catan_p2p.model_check.trace import check_recording
from catan_p2p.simulation.game import RunawayGame, SimulationSettings, game_constants, play_game

pytestmark = [pytest.mark.needs("spec"), pytest.mark.long, pytest.mark.sampled(3)]


def begun(path: Path, chosen: str, players: int, rules: str = "thesis", actions: int = 60) -> RecordedGame:
    """The first actions of a game on a map."""
    settings = SimulationSettings(
        players=players, seed=1, policies=("builder",), rules=rules, map=chosen, max_actions=actions
    )
    with pytest.raises(RunawayGame):
        play_game(path, 0, settings)
    return read_recording(path / "Catan_0")


@pytest.mark.parametrize(
    ("chosen", "players", "rules"),
    [("variable", 3, "thesis"), ("beginners", 4, "thesis"), ("default", 6, "brief")],
    ids=["variable", "beginners", "six on the large island"],
)
def test_a_game_on_another_map_is_a_behaviour_of_the_specification(
    tmp_path: Path, tlc: TlcProgram, chosen: str, players: int, rules: str
) -> None:
    recording = begun(tmp_path, chosen, players, rules)
    assert recording.step_count > 50
    assert check_recording(recording, tlc) is None


def test_the_same_actions_on_a_map_of_another_seed_are_refused(tmp_path: Path, tlc: TlcProgram) -> None:
    recording = begun(tmp_path, "variable", 2, actions=20)
    other = game_constants(0, SimulationSettings(players=2, seed=2, map="variable"))
    elsewhere = replace(recording, game=replace(recording.game, constants=other))
    refusal = check_recording(elsewhere, tlc)
    assert refusal is not None
