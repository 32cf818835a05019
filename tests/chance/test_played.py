"""Joint games as they are played: apart and together the same, told and counted like any other."""

import csv
import json
import re
from collections import Counter
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from catan_p2p.cli.main import main
from catan_p2p.game.actions import Call, Pledge, Reveal, RollDice
from catan_p2p.game.rules import apply
from catan_p2p.log.history import load_history
from catan_p2p.metrics.games import measure_game
from catan_p2p.simulation.game import SimulationSettings, play_game
from catan_p2p.simulation.separate import play_separate_game
from tests.typed import Typed

pytestmark = [pytest.mark.long, pytest.mark.sampled(5, together=True)]

SETTINGS = SimulationSettings(players=2, seed=2, policies=("builder",), chance="joint", rules="thesis; PointsToWin = 5")


def test_processes_apart_end_on_the_same_id_as_one_process(tmp_path: Path) -> None:
    together = play_game(tmp_path / "together", 0, SETTINGS).result
    apart = play_separate_game(tmp_path / "apart", 0, replace(SETTINGS, topology="separate", transport="git")).result
    assert apart.head == together.head
    assert (apart.rounds, apart.winner) == (together.rounds, together.winner)


def test_signed_players_make_their_shares_from_their_keys(tmp_path: Path) -> None:
    signed = replace(SETTINGS, topology="separate", signed=True)
    first, second = (play_separate_game(tmp_path / name, 0, signed).result.head for name in ("first", "second"))
    assert first == second
    history = load_history(tmp_path / "first" / "Catan_0" / "Red")
    assert not history.rejected


@pytest.mark.parametrize("players", [2, 3, 6])
def test_a_joint_game_without_what_leads_to_its_draws_is_a_game(tmp_path: Path, players: int, typed: Typed) -> None:
    """Played again where the actor draws, the same moves have the same outcomes, turns and notation."""
    settings = replace(SETTINGS, players=players, rules="brief", max_actions=4000)
    result = play_game(tmp_path, 0, settings).result
    history = load_history(tmp_path / "Catan_0")
    constants = history.game.constants
    actor = replace(constants, rules=replace(constants.rules, chance="actor"))
    state = history.first._replace(constants=actor, tp="bot", due=(False,) * players)
    for logged in history.actions:
        if not isinstance(logged.action, Pledge | Call | Reveal):
            state = apply(state, logged.action)
    assert state == history.last._replace(constants=actor)
    measured = measure_game(tmp_path / "Catan_0", "run", thorough=False)
    rolls = sum(isinstance(logged.action, RollDice) for logged in history.actions)
    draws = sum(logged.draw is not None for logged in history.actions)
    assert (measured.game.turns, measured.actions[-1].turn) == (history.turns, rolls)
    assert measured.game.counts["Call"] * (players - 1) == draws * (players - 1) == measured.game.counts["Reveal"]
    assert result.rounds == -(-history.turns // players)
    assert typed(0, "export", tmp_path / "Catan_0", "--format", "sgn").out.count('"RD"') == rolls


def test_statistics_of_a_joint_game_are_the_same_in_every_notation(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], typed: Typed
) -> None:
    """From the repository, from .catan and from SGN; turns and dice are those of the log."""
    play_game(tmp_path, 0, SETTINGS)
    folder = tmp_path / "Catan_0"
    history = load_history(folder)
    rolls = Counter(logged.action.dice for logged in history.actions if isinstance(logged.action, RollDice))
    files = [str(folder)]
    for format in ("catan", "sgn"):
        assert main(["export", str(folder), "--format", format]) == 0
        file = tmp_path / f"game.{format}"
        file.write_text(capsys.readouterr().out, "utf-8")
        files.append(str(file))
    for file in files:
        (told,) = json.loads(typed(0, "stats", file, "--json").out)["games"]
        assert told["turns"] == rolls.total()
        assert {int(sum): count for sum, count in told["dice"].items() if count} == rolls
    said = typed(0, "log", folder).out
    assert said.count(" throws the dice\n") == len(re.findall(r"rolls \d+ \([1-6] and [1-6]\)", said)) == rolls.total()


def test_a_report_counts_the_turns_of_joint_games(tmp_path: Path) -> None:
    play_game(tmp_path, 0, SETTINGS)
    (tmp_path / "run.json").write_text(json.dumps(asdict(SETTINGS)), "utf-8")
    assert main(["report", str(tmp_path)]) == 0
    with (tmp_path / "metrics" / "games.csv").open(newline="") as table:
        (game,) = csv.DictReader(table)
    assert int(game["turns"]) == load_history(tmp_path / "Catan_0").turns
    assert (tmp_path / "report" / "report.html").exists()
