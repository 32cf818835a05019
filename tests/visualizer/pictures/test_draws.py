"""Draws that all players make together, as they are seen: both dice, whose shares made them, what the graph joins."""

import pytest

from catan_p2p.game.actions import Call, Reveal, RollDice
from catan_p2p.simulation.game import RunawayGame, SimulationSettings, play_game
from tests.visualizer.data.test_repository import read
from visualizer.data.recording import GameRecording, PlayedStep
from visualizer.pictures.explain import TargetExplainer
from visualizer.pictures.picture import picture
from visualizer.pictures.shapes import Circle, Sprite, Text
from visualizer.view import RecordingView, ViewSituation


def measure(text: str, size: float, bold: bool = False) -> float:
    return len(text) * size * 0.5


@pytest.fixture(scope="module")
def joint(tmp_path_factory: pytest.TempPathFactory) -> GameRecording:
    out = tmp_path_factory.mktemp("games")
    with pytest.raises(RunawayGame):
        play_game(out, 0, SimulationSettings(players=3, seed=4, policies=("builder",), chance="joint", max_actions=60))
    return read(out / "Catan_0")


def rolls(recording: GameRecording) -> list[PlayedStep]:
    return [step for step in recording.steps if isinstance(step.action, RollDice)]


def test_both_dice_lie_as_they_were_drawn(joint: GameRecording) -> None:
    seen = set()
    for roll in rolls(joint):
        assert isinstance(roll.action, RollDice)
        faces = joint.faces(roll.index)
        assert faces is not None
        assert sum(faces) == roll.action.dice
        scene = picture(joint, RecordingView(index=roll.index), ViewSituation(), (1280, 800), measure)
        (dice,) = [
            shape
            for layer in scene.layers
            for shape in layer.shapes
            if isinstance(shape, Sprite) and shape.name[0] == "two dice"  # type: ignore[index]
        ]
        assert sum(isinstance(shape, Circle) for shape in dice.shapes) == roll.action.dice, "a pip each"
        seen.add(faces)
        before = joint.steps[roll.index - 1]
        assert joint.faces(before.index) is None, "the dice of the turn before are put away"
    assert len(seen) > 3


def test_the_shares_that_made_a_draw_are_told(joint: GameRecording) -> None:
    roll = rolls(joint)[-1]
    assert roll.draw is not None
    scene = picture(joint, RecordingView(index=roll.index), ViewSituation(), (1280, 800), measure)
    said = " ".join(shape.text for layer in scene.layers for shape in layer.shapes if isinstance(shape, Text))
    explained = " ".join(TargetExplainer(joint, RecordingView(index=roll.index), ViewSituation()).lines(("dice",)))
    for text in (said, explained):
        assert f"Draw {roll.draw.number}, made by the shares of all:" in text
        for seat, share in roll.draw.shares:
            assert f"{joint.colour(seat)} {share[:10]}" in text


def test_a_roll_joins_the_call_and_all_reveals(joint: GameRecording) -> None:
    for roll in rolls(joint):
        call, *reveals = [joint.steps[joint.row_of[parent]] for parent in roll.parents]
        assert isinstance(call.action, Call)
        assert [type(step.action) for step in reveals] == [Reveal, Reveal]
        assert all(step.parents == (call.commit,) for step in reveals)
