"""Settings chosen by options, and the command that chooses the same again."""

import shlex
from pathlib import Path

import pytest

from catan_p2p.cli.main import main, make_parser
from catan_p2p.game.board import DEFAULT_MAP
from catan_p2p.game.board.map_file import format_map_file
from catan_p2p.simulation.command import simulate_command
from catan_p2p.simulation.run import OPTIONS, begin_run, play_run, resume_run, settings_of
from tests.typed import Typed


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"players": 4, "games": 3, "seed": 7, "policy": "builder,random,random,random", "schedule": "random"},
        {"rules": "standard; HandLimit = 9", "map": "variable", "chance": "joint", "max_actions": 500},
        {"hands": "hidden", "judging": "each"},
        {"rules": "brief; Hands = hidden"},
        {"topology": "separate", "transport": "git", "sign": True},
        {"topology": "network", "network": "world; overlay = star; looks = hooks", "sign": True},
    ],
)
def test_the_command_of_settings_chooses_the_same_settings(options: dict[str, object], tmp_path: Path) -> None:
    settings = settings_of(options)
    words = shlex.split(simulate_command(settings, settings.games, out=str(tmp_path)))
    args = make_parser(["simulate"]).parse_args(words[1:])
    assert settings_of({name: getattr(args, name) for name in OPTIONS}) == settings


def test_a_map_without_a_name_is_a_file_of_the_command(tmp_path: Path) -> None:
    path = tmp_path / "own map"
    path.write_text(format_map_file(DEFAULT_MAP), encoding="utf-8")
    settings = settings_of({"map": str(path)})
    assert f"--map {shlex.quote(str(path))}" in simulate_command(settings, 1, map_file=str(path))


def test_one_game_of_many_is_played_by_its_number(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is the game that it is among the others, and its command plays no other."""
    short = {"rules": "thesis; PointsToWin = 3", "seed": 5, "games": 3}
    play_run(begin_run(tmp_path / "all", settings_of(short)))
    command = shlex.split(simulate_command(settings_of(short), game=2, out=str(tmp_path / "one")))
    assert main(command[1:]) == 0
    [result] = resume_run(tmp_path / "one").results.values()
    assert (result.game, result.head) == (2, resume_run(tmp_path / "all").results[2].head)
    for words in (["--game", "3", "--games", "3"], ["--game", "3", "--resume", str(tmp_path / "one")]):
        assert main(["simulate", *words]) == 2
        assert capsys.readouterr().err.endswith(
            "catan-p2p simulate: --game 3: expected less than 3, the number of games\n"
        )


def test_only_games_on_a_network_have_faults_to_shrink(tmp_path: Path, typed: Typed) -> None:
    run = str(tmp_path / "run")
    typed(1, "simulate", "--max-actions", "5", "--seed", "1", "--out", run, "--quiet")
    for words in (["--out", f"{run}-again"], ["--resume", run]):
        assert typed(2, "simulate", "--shrink", *words).err == "catan-p2p simulate: --shrink needs --topology network\n"
