"""The commands of a report play the same games: they are run, and the games' last commits compared."""

import re
import shlex
from pathlib import Path

import pytest

from catan_p2p.cli.main import main
from catan_p2p.game.board import draw_map
from catan_p2p.game.board.map_file import format_map_file
from catan_p2p.game.randomness import SeededRandomness
from catan_p2p.log.folders import find_games
from catan_p2p.metrics.collection import measure_games, write_metrics
from catan_p2p.metrics.groups import load_report_data
from catan_p2p.metrics.page import CodeBlock, Paragraph, ReportSection
from catan_p2p.metrics.sections.report import repeating
from catan_p2p.simulation.game import SimulationSettings
from catan_p2p.simulation.run import begin_run, play_run

pytestmark = pytest.mark.sampled(5)

MAP = format_map_file(draw_map("variable-free", SeededRandomness(3, 0).stream("map")))


def reported(folder: Path) -> ReportSection:
    """The section of a report on the runs in a folder."""
    write_metrics(folder / "metrics", measure_games(find_games(folder).games, thorough=False))
    return repeating(load_report_data(folder / "metrics"))


def simulations(section: ReportSection) -> list[list[str]]:
    """The words of each command that plays games."""
    commands = [block.text for block in section.blocks if isinstance(block, CodeBlock)][-1].splitlines()
    return [shlex.split(command) for command in commands if command.startswith("catan-p2p simulate")]


def save_files(section: ReportSection) -> None:
    """Do what the report says about files: save a block of text under the name that stands before it."""
    for told, block in zip(section.blocks, section.blocks[1:], strict=False):
        if isinstance(told, Paragraph) and isinstance(block, CodeBlock):
            for name in re.findall(r"to be saved as `([^`]+)`", told.text):
                Path(name).write_text(block.text)


def heads(folder: Path) -> list[tuple[str, int, str]]:
    rows = [measured.game for measured in measure_games(find_games(folder).games, thorough=False)]
    return [(row.run, row.game, row.head) for row in rows]


@pytest.mark.long
@pytest.mark.parametrize(
    "settings",
    [
        SimulationSettings(players=2, games=2, seed=5, policies=("builder", "random"), schedule="random"),
        SimulationSettings(players=5, seed=3, policies=("builder",), rules="brief", max_actions=120),
        SimulationSettings(players=3, seed=-4, policies=("builder",), map="variable", max_actions=90),
        SimulationSettings(players=2, seed=3, policies=("builder",), map=MAP),
        SimulationSettings(players=2, seed=6, policies=("builder",), topology="separate", transport="git", signed=True),
    ],
    ids=["schedule", "rules", "map", "map file", "separate"],
)
def test_the_command_plays_the_same_games(
    settings: SimulationSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    play_run(begin_run(tmp_path / "here" / "a run", settings))
    section = reported(tmp_path / "here")
    monkeypatch.chdir(tmp_path)
    save_files(section)
    [command] = simulations(section)
    assert main([word.replace("DIR", "again") for word in command[1:]]) in (0, 1)
    assert heads(tmp_path / "again") == heads(tmp_path / "here")


def test_of_a_longer_run_the_games_up_to_the_last_measured_are_played(tmp_path: Path) -> None:
    play_run(begin_run(tmp_path / "run", SimulationSettings(games=2, seed=5, policies=("builder",))))
    write_metrics(tmp_path / "one", measure_games(find_games(tmp_path / "run" / "Catan_0").games, thorough=False))
    [command] = simulations(repeating(load_report_data(tmp_path / "one")))
    assert command[command.index("--games") + 1] == "1"


@pytest.mark.parametrize("text", [None, "{}", "3", '{"policies": ["random"], "seed": "x"}'])
def test_a_run_without_settings_is_said_to_have_none(text: str | None, tmp_path: Path) -> None:
    play_run(begin_run(tmp_path / "run", SimulationSettings(seed=5, policies=("builder",))))
    (tmp_path / "run" / "run.json").unlink()
    if text is not None:
        (tmp_path / "run" / "run.json").write_text(text)
    section = reported(tmp_path)
    assert simulations(section) == []
    assert "the run `run` has no `run.json` to read" in str(section)


def test_games_of_another_run_have_no_command(tmp_path: Path) -> None:
    play_run(begin_run(tmp_path / "run", SimulationSettings(seed=5, policies=("builder",))))
    settings = tmp_path / "run" / "run.json"
    settings.write_text(settings.read_text().replace('"seed": 5', '"seed": 6'))
    section = reported(tmp_path)
    assert simulations(section) == []
    assert "not all games in `run` were played as its `run.json` says" in str(section)
