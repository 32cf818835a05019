"""The verbs metrics and report, as their users meet them."""

import json
import os
import re
import shutil
import subprocess
import webbrowser
from pathlib import Path

import pytest

from catan_p2p.cli.main import main
from catan_p2p.metrics.collection import read_games
from catan_p2p.simulation.game import SimulationSettings
from catan_p2p.simulation.run import begin_run, play_run
from tests.shared import run_without
from tests.typed import Typed

pytestmark = [pytest.mark.long, pytest.mark.sampled(3, together=True)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("games")
    play_run(begin_run(folder / "two", SimulationSettings(players=2, games=1, seed=5, policies=("builder",))))
    return folder


def test_metrics_prints_a_line_a_run_and_writes_the_tables(folder: Path, tmp_path: Path, typed: Typed) -> None:
    said = typed(0, "metrics", folder, "--out", tmp_path / "tables")
    assert said.out.splitlines()[0].split()[:3] == ["run", "players", "games"]
    assert said.out.splitlines()[1].split()[:3] == ["two", "2", "1"]
    assert said.err == f"tables are in {tmp_path / 'tables'}\n"
    [row] = read_games(tmp_path / "tables")
    assert row.gc_file_bytes is not None and row.sent_bytes is not None
    assert {path.name for path in (tmp_path / "tables").iterdir()} == {"games.csv", "actions.csv", "summary.json"}


def test_metrics_tell_how_many_games_were_resumed_and_no_time_of_them(
    folder: Path, tmp_path: Path, typed: Typed
) -> None:
    run = Path(shutil.copytree(folder / "two", tmp_path / "two"))
    results = run / "games.jsonl"
    results.write_text(results.read_text().replace('"resumed": false', '"resumed": true'))
    head, row = (re.split(r"  +", line) for line in typed(0, "metrics", run, "--quick").out.splitlines())
    told = dict(zip(head, row, strict=True))
    assert [told[name] for name in ("resumed", "elapsed s", "comp. ms", "sync. ms")] == ["1", "-", "-", "-"]


def test_metrics_as_json_is_the_summary(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["metrics", str(folder / "two"), "--quick", "--json", "--out", str(tmp_path)]) == 0
    assert json.loads(capsys.readouterr().out) == json.loads((tmp_path / "summary.json").read_text())


def test_the_tables_of_a_single_game_stand_beside_it(folder: Path) -> None:
    assert main(["metrics", str(folder / "two" / "Catan_0"), "--quick"]) == 0
    assert (folder / "two" / "Catan_0.metrics" / "games.csv").exists()
    assert not (folder / "two" / "Catan_0" / "metrics").exists()


def test_a_game_with_refused_commits_is_a_finding(folder: Path, tmp_path: Path, typed: Typed) -> None:
    game = tmp_path / "Catan_0"
    subprocess.run(["git", "clone", "-q", "--bare", str(folder / "two" / "Catan_0"), str(game)], check=True)
    who = ["-c", "user.name=Nobody", "-c", "user.email=nobody@catan-p2p.invalid"]
    command = ["git", "-C", str(game), *who, "commit-tree", "Red_0^{tree}", "-p", "Red_0~3", "-m", "nonsense"]
    commit = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    subprocess.run(["git", "-C", str(game), "update-ref", "refs/heads/Blue_0", commit], check=True)
    assert "1 branch with refused commits" in typed(1, "metrics", game, "--quick").err


@pytest.mark.needs("report")
def test_results_and_tables_that_cannot_be_read_are_one_line(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], typed: Typed
) -> None:
    run = Path(shutil.copytree(folder / "two", tmp_path / "two"))
    assert main(["report", str(run)]) == 0
    (run / "metrics" / "actions.csv").write_bytes(b"\xff\n")
    for verb, file, words in (
        ("report", "actions.csv", "actions.csv: not a table"),
        ("metrics", "games.jsonl", "games.jsonl, line 1: not a game's result"),
        ("report", "games.jsonl", "games.jsonl, line 1: not a game's result"),
    ):
        if file == "games.jsonl":
            (run / file).write_bytes(b"\xff\n")
        capsys.readouterr()
        last = typed(2, verb, run).err.splitlines()[-1]
        assert last.startswith("catan-p2p: ") and words in last
    assert not (run / "metrics" / "actions.csv.new").exists()
    assert main(["metrics", str(run / "Catan_0"), "--out", str(tmp_path / "tables")]) == 2
    assert not (tmp_path / "tables").exists()


@pytest.mark.needs("report")
def test_report_measures_what_is_not_measured_and_names_the_page(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(webbrowser, "open", lambda url: opened.append(url) or True)
    assert main(["report", str(folder), "--open"]) == 0
    page = folder / "report" / "report.html"
    assert capsys.readouterr().out == f"{page}\n"
    assert opened == [page.resolve().as_uri()]
    measured = (folder / "metrics" / "games.csv").stat().st_mtime_ns
    assert main(["report", str(folder), "--out", str(tmp_path / "again")]) == 0
    assert (folder / "metrics" / "games.csv").stat().st_mtime_ns == measured
    assert (tmp_path / "again" / "report.html").exists()


@pytest.mark.needs("report")
def test_report_measures_again_what_was_measured_quickly_or_has_gone_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], typed: Typed
) -> None:
    run = begin_run(tmp_path / "run", SimulationSettings(seed=5, policies=("builder",), max_actions=60))
    play_run(run)
    typed(0, "metrics", tmp_path, "--quick")
    assert "--quick" in typed(0, "report", tmp_path).err
    [measured] = read_games(tmp_path / "metrics")
    assert measured.gc_file_bytes is not None and not measured.winner
    assert typed(0, "report", tmp_path).err == ""
    settings = tmp_path / "run" / "run.json"
    settings.write_text(settings.read_text().replace('"max_actions": 60', '"max_actions": 20000'))
    assert main(["simulate", "--resume", str(tmp_path / "run")]) == 0
    (tmp_path / "run" / "games.jsonl").unlink()
    os.utime(settings, (0, 0))
    capsys.readouterr()
    assert "game 0 of run has changed since it was measured" in typed(0, "report", tmp_path).err
    [again] = read_games(tmp_path / "metrics")
    assert again.winner and again.actions > measured.actions


def test_without_matplotlib_one_line_says_what_to_install(folder: Path) -> None:
    done = run_without("matplotlib.figure", "report", str(folder))
    assert done.returncode == 2
    assert done.stderr == "catan-p2p report: a figure needs matplotlib.figure: pip install 'catan-p2p[report]'\n"
