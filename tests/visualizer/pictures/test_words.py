"""What is said: every action has its words, and the files named as changed are those that Git calls changed."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from catan_p2p.cli.main import main
from catan_p2p.game.actions import RollDice
from catan_p2p.game.constants import Constants
from catan_p2p.game.rules import awaited
from catan_p2p.log.game import new_game
from catan_p2p.log.state_files import files_of_state
from tests.log.storage.repositories import git
from tests.log.table import hidden_log
from tests.visualizer.data.test_repository import read
from tests.visualizer.games import WrittenGame, random_actions, recorded
from visualizer.commands import BY_KEY, COMMANDS
from visualizer.data.feed import FeedUpdate, applied
from visualizer.data.recording import GameRecording
from visualizer.drawing.fonts import FontSet
from visualizer.pictures.explain import TargetExplainer
from visualizer.pictures.picture import picture
from visualizer.pictures.shapes import Text
from visualizer.pictures.words import _changed, changed_files, phase, place, points_from, sentence
from visualizer.view import RecordingView, ViewSituation


def test_the_words_are_those_of_log(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Line by line what ``catan-p2p log`` prints, without number, id and player; places are told by their tiles."""
    constants = Constants(player_count=4)
    written = WrittenGame(tmp_path / "Catan_0", constants)
    written.write(*random_actions(constants, 2, most=120))
    written.close()
    assert main(["log", str(written.path)]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if re.match(r" *[0-9]+ [0-9a-f]{10} ", line)]
    recording = read(written.path)
    told = [" ".join(line.split()[2:]) for line in lines]
    steps = [step for step in recording.steps if step.action is not None]
    for line, step in zip(told, steps, strict=True):
        if (where := place(recording, step)) is None:
            assert sentence(recording, step) == line
        else:
            assert any(tile in sentence(recording, step) for tile in where.split(", "))
            assert not re.search(r"point|\(|road on", sentence(recording, step))


def test_the_phase_names_who_still_has_to_discard(game: GameRecording) -> None:
    assert phase(game, game.steps[309].state).count(",") == 3
    assert "Red" in phase(game, game.steps[309].state)
    assert "Red" not in phase(game, game.steps[310].state)
    assert phase(game, game.steps[313].state) == "to move the bandit, all have discarded"


def test_points_are_explained_to_the_last(game: GameRecording) -> None:
    for step, points in list(zip(game.steps, game.points, strict=True))[::17]:
        assert tuple(sum(points_from(step.state, p).values()) for p in game.constants.players) == points


def test_places_name_the_tiles(game: GameRecording) -> None:
    assert place(game, game.steps[0]) is None
    words = place(game, game.steps[1])
    assert words is not None
    assert words.count(",") == 2


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WrittenGame]:
    constants = Constants(player_count=4)
    written = WrittenGame(tmp_path_factory.mktemp("words") / "game", constants)
    written.write(*random_actions(constants, 163, most=330))
    yield written
    written.close()


def git_changes(repository: Path, commit: str) -> set[str]:
    return set(git(repository, "diff-tree", "-r", "--root", "--name-only", "--no-commit-id", commit).splitlines())


def test_changed_files_are_those_that_git_names(game: GameRecording, written: WrittenGame) -> None:
    for index in [0, 1, 8, 9, 10, *range(20, 309, 9), 310]:
        named = {change.path for change in changed_files(game, index)}
        assert named == git_changes(written.path, written.commits[index]), index


def test_a_change_tells_the_lines_before_and_after(game: GameRecording) -> None:
    for index in range(1, 320, 7):
        old, new = (files_of_state(game.steps[i].state) for i in (index - 1, index))
        for change in changed_files(game, index):
            assert change.removed == tuple(
                a for a, b in zip(old[change.path].split("\n"), new[change.path].split("\n"), strict=True) if a != b
            )
            assert len(change.removed) == len(change.added) > 0
            assert change.summary


# Explanations


@pytest.mark.parametrize("index", [0, 5, 309, 314, 800])
def test_everything_that_can_be_pointed_at_is_explained(game: GameRecording, fonts: FontSet, index: int) -> None:
    situation = ViewSituation("x", True, ("Red", "Blue"), None, (("Red", 3),), "a problem")
    for size, tab, dialog in (
        ((1280, 800), "players", None),
        ((640, 480), "log", None),
        ((640, 480), "players", None),
        ((1280, 800), "players", "help"),
    ):
        view = RecordingView(index=index, tab=tab, dialog=dialog)  # type: ignore[arg-type]
        explainer = TargetExplainer(game, view, situation)
        for target in picture(game, view, situation, size, fonts.width).targets:
            lines = explainer.lines(target.id)
            assert lines or target.id == ("dialog",), target.id
            assert all(lines), target.id


def test_a_tile_tells_its_yield_its_neighbours_and_who_gains(game: GameRecording) -> None:
    explainer = TargetExplainer(game, RecordingView(index=game.last), ViewSituation())
    tiles = game.constants.board.map.tiles
    words = {tile: " ".join(explainer.lines(("tile", tile))) for tile in game.constants.board.land}
    for tile, said in words.items():
        found = tiles[tile - 1]
        assert found.terrain in said.lower()
        if found.number:
            assert f"{found.resource} on {found.number}" in said
        assert ("bandit" in said) == (tile == game.steps[-1].state.ba)
    assert any("Gains: " in said for said in words.values())


def test_a_point_tells_its_owner_and_its_wharf(game: GameRecording) -> None:
    state = game.steps[-1].state
    explainer = TargetExplainer(game, RecordingView(index=game.last), ViewSituation())
    for point in range(1, game.constants.board.settlement_count + 1):
        said = " ".join(explainer.lines(("point", point)))
        owner = state.s.owner(point)
        assert (f"{game.colour(owner)}'s" if owner else "Free") in said
        served = any(points >> point & 1 for points in game.constants.board.wharf_points.values())
        assert ("for one" in said) == served


def test_a_file_shows_the_lines_that_changed(game: GameRecording) -> None:
    index = 310
    explainer = TargetExplainer(game, RecordingView(index=index), ViewSituation())
    for number, change in enumerate(changed_files(game, index)):
        lines = explainer.lines(("file", number))
        assert lines[0] == change.path
        assert [line[3:] for line in lines if line.startswith("-  ")] == list(change.removed[:6])


# Commands


def test_no_key_has_two_meanings_and_every_command_has_one() -> None:
    assert len(BY_KEY) == sum(len(command.keys) for command in COMMANDS)
    assert all(command.keys and command.words for command in COMMANDS)


def test_a_step_that_is_replaced_is_drawn_with_its_new_words(fonts: FontSet) -> None:
    """As when hidden cards are opened: the commits are the same, what they tell is not."""
    constants = Constants(player_count=2)
    recording = recorded(constants, 3, most=20)
    (roll, *_) = [step for step in recording.steps if isinstance(step.action, RollDice)]
    assert isinstance(roll.action, RollDice)

    def drawn(recording: GameRecording) -> str:
        view = RecordingView(index=roll.index)
        scene = picture(recording, view, ViewSituation(), (1280, 800), fonts.width)
        return " ".join(
            shape.text
            for layer in scene.layers
            if layer.name in ("detail", "log")
            for shape in layer.shapes
            if isinstance(shape, Text)
        )

    assert f"rolls {roll.action.dice}" in drawn(recording)
    other = roll.action.dice % 6 + 2
    changed = replace(roll, action=RollDice(roll.player, other), events=())
    steps = (changed, *recording.steps[roll.index + 1 :])
    update = FeedUpdate(new_game(0, constants), roll.index, steps, recording.heads, ViewSituation())
    shown = applied(recording, update)
    assert shown is not None
    assert f"rolls {roll.action.dice}" not in drawn(shown)
    assert f"rolls {other}" in drawn(shown)


def test_a_line_that_is_only_there_at_times_comes_and_goes() -> None:
    table = hidden_log("brief", 3, 0)
    table.play_until(lambda state: state.tp == "TradingBuilding")
    before, absent = table.state, awaited(table.state)[0]
    table.excuse(absent)
    for old, new, said in ((before, table.state, "new"), (table.state, before, "gone")):
        (change,) = (one for one in _changed(old, new) if one.path.endswith("hidden_cards"))
        lines = change.added if said == "new" else change.removed
        assert f"keyless {absent}" in lines and f"keyless {absent} {said}" in change.summary
