"""Many games: recorded as they end, the same on one process and on several, continued after an interruption."""

import csv
import json
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from catan_p2p.log.storage.objects import StoreError
from catan_p2p.simulation.game import SimulationSettings
from catan_p2p.simulation.run import SettingsError, SimulationRun, begin_run, check_settings, play_run, resume_run
from tests.for_each import for_each
from tests.typed import Typed

SMALL = SimulationSettings(players=2, games=3, seed=6, policies=("builder",))


def heads(run: SimulationRun) -> list[str]:
    return [run.results[number].head for number in sorted(run.results)]


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> SimulationRun:
    run = begin_run(tmp_path_factory.mktemp("runs") / "out", SMALL)
    play_run(run)
    return run


def test_results_are_recorded_one_line_a_game(finished: SimulationRun) -> None:
    lines = (finished.out / "games.jsonl").read_text().splitlines()
    assert [json.loads(line)["game"] for line in lines] == [0, 1, 2]
    assert [json.loads(line)["head"] for line in lines] == heads(finished)
    assert finished.is_complete
    assert finished.findings == []


@pytest.mark.long
def test_several_processes_play_the_same_games(finished: SimulationRun, tmp_path: Path) -> None:
    run = begin_run(tmp_path / "out", SMALL)
    play_run(run, jobs=2)
    assert heads(run) == heads(finished)


def test_timings_hold_every_action_and_synchronization(finished: SimulationRun) -> None:
    with (finished.out / "Catan_1.timings.csv").open() as file:
        rows = list(csv.DictReader(file))
    actions = [row for row in rows if row["kind"] == "action"]
    assert len(actions) == finished.results[1].actions
    assert all(float(row[cost]) >= 0 for row in actions for cost in ("choose_s", "apply_s", "check_s", "write_s"))
    assert {row["player"] for row in rows if row["kind"] == "sync"} == {"1", "2"}


@pytest.mark.long
def test_a_resumed_run_plays_only_what_is_missing(finished: SimulationRun, tmp_path: Path) -> None:
    run = begin_run(tmp_path / "out", replace(SMALL, games=3))
    play_run(SimulationRun(run.out, replace(SMALL, games=1)))
    with (run.out / "games.jsonl").open("a") as file:
        file.write('{"game": 1, "torn')
    again = resume_run(run.out)
    assert list(again.results) == [0]
    told: list[int] = []
    play_run(again, ended=lambda run, result, why: told.append(result.game if result else -1))
    assert told == [1, 2]
    assert heads(again) == heads(finished)
    assert len((run.out / "games.jsonl").read_text().splitlines()) == 3


def test_a_game_without_a_winner_is_a_finding_and_the_others_go_on(tmp_path: Path) -> None:
    run = begin_run(tmp_path / "out", replace(SMALL, max_actions=200))
    play_run(run)
    lost = [finding["game"] for finding in run.findings]
    assert len(lost) + len(run.results) == 3
    assert lost
    assert all(finding["kind"] == "no_winner" for finding in run.findings)
    assert len((run.out / "findings.jsonl").read_text().splitlines()) == len(lost)


@for_each(
    ("wrong", "complaint"),
    [
        ({"players": 1}, "--players 1"),
        ({"players": 5}, "--players 5"),
        ({"players": 7, "rules": "standard"}, "--players 7: expected 2 to 6 under the standard rules"),
        ({"games": 0}, "--games 0"),
        ({"max_actions": 0}, "--max-actions 0"),
        ({"policies": ("greedy",)}, "--policy: policy 'greedy'"),
        ({"policies": ("random",) * 3}, "3 policies for 2 players"),
        ({"schedule": "never"}, "--schedule never"),
        ({"judging": "never"}, "--judging never: expected one of once, each"),
        ({"judging": "each", "topology": "separate"}, "--judging each: needs --topology shared"),
        ({"rules": "house"}, "--rules house"),
    ],
)
def test_settings_that_cannot_be_are_named(wrong: dict[str, object], complaint: str) -> None:
    with pytest.raises(SettingsError) as error:
        check_settings(replace(SMALL, **wrong))  # type: ignore[arg-type]
    assert complaint in str(error.value)


def test_a_folder_with_a_simulation_is_not_overwritten(finished: SimulationRun) -> None:
    with pytest.raises(StoreError, match="holds a simulation already"):
        begin_run(finished.out, SMALL)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"policies": ["random"], "wings": 2}'])
def test_a_folder_that_holds_no_simulation_is_told(tmp_path: Path, text: str) -> None:
    with pytest.raises(StoreError, match="holds no simulation"):
        resume_run(tmp_path)
    (tmp_path / "run.json").write_text(text)
    with pytest.raises(StoreError, match="not the settings of a simulation"):
        resume_run(tmp_path)


def test_results_that_are_none_are_told(finished: SimulationRun, tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text((finished.out / "run.json").read_text())
    (tmp_path / "games.jsonl").write_text('{"game": 1}\n')
    with pytest.raises(StoreError, match="not a game's result"):
        resume_run(tmp_path)


@pytest.mark.parametrize(
    ("name", "field", "value"),
    [
        *[("run.json", *wrong) for wrong in (("players", "four"), ("games", 2.5), ("map", 5), ("seed", "a"))],
        *[("run.json", *wrong) for wrong in (("players", True), ("players", 9), ("policies", "builder"), ("wings", 2))],
        *[("games.jsonl", *wrong) for wrong in (("points", 3), ("actions", 0), ("elapsed_s", "x"), ("game", 7))],
        *[("games.jsonl", *wrong) for wrong in (("winner", None), ("points", ["x"]), ("commits", 0))],
    ],
)
def test_damaged_files_of_a_run_are_one_line(
    finished: SimulationRun, tmp_path: Path, typed: Typed, name: str, field: str, value: object
) -> None:
    for file in ("run.json", "games.jsonl"):
        whole = (finished.out / file).read_text()
        (tmp_path / file).write_text(whole)
    *others, last = whole.splitlines() if name == "games.jsonl" else [json.dumps(asdict(SMALL))]
    (tmp_path / name).write_text("\n".join([*others, json.dumps({**json.loads(last), field: value})]) + "\n")
    told = typed(2, "simulate", "--resume", tmp_path).err
    assert told.count("\n") == 1
    assert name in told
    assert field in told or field in ("actions", "commits")


@pytest.mark.long
@pytest.mark.parametrize("jobs", [1, 2])
def test_progress_is_told_on_one_process_and_on_several(tmp_path: Path, jobs: int) -> None:
    told: list[tuple[int, int, tuple[int, ...]]] = []
    run = begin_run(tmp_path / "out", replace(SMALL, policies=("random",), games=2))
    play_run(run, jobs=jobs, progress=lambda *what: told.append(what))
    assert {game for game, _, _ in told} == {0, 1}
    assert all(actions >= 100 and len(points) == 2 for _, actions, points in told)
