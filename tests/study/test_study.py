"""Studies that are played: the same rows however they are played, and what is kept of the games."""

import csv
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from catan_p2p.cli.main import main
from catan_p2p.log.audit import audit
from catan_p2p.log.folders import find_games
from catan_p2p.log.storage.lock import ProcessLock
from catan_p2p.log.storage.objects import StoreError, StoreLocked
from catan_p2p.simulation.findings import append_line
from catan_p2p.simulation.game import SimulationSettings, play_game
from catan_p2p.simulation.play import GameWithoutWinner, Played
from catan_p2p.simulation.run import resume_run
from catan_p2p.study import playing
from catan_p2p.study.folder import StudyFolder, Work, begin_study, open_study, resume_study
from catan_p2p.study.playing import GameOutcome
from catan_p2p.study.tables import remove_pieces, write_tables
from catan_p2p.time_source import TimeSource
from tests.study.plans import LINKS, SHORT, plan_of, written
from tests.typed import Typed

pytestmark = pytest.mark.long

KEEPING = SHORT.replace("games = 3", 'games = 2\nkeep = "all"\nactions = true')


def played(text: str, folder: Path, name: str = "study", **how: object) -> StudyFolder:
    """A study with its tables, from the text of its file."""
    study = begin_study(folder / name, plan_of(text, folder), {"file": "study.toml"})
    study.run(**how)  # type: ignore[arg-type]
    write_tables(study)
    return study


def away(function: Callable[..., GameOutcome], work: Iterable[Work]) -> Iterator[GameOutcome]:
    """Play as machines do that do not have the study's folder."""
    for *place, asked in work:
        yield function(*place, replace(asked, folder=Path("/nowhere/study")))


def tables(study: StudyFolder) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(study.folder.glob("*.csv"))}


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_rows_are_those_of_the_games_that_simulate_plays(tmp_path: Path) -> None:
    found = rows(played(SHORT, tmp_path).folder / "games.csv")
    assert [(row["cell"], row["game"], row["seed"]) for row in found] == [
        (str(cell), str(game), "1") for cell in (1, 2, 3) for game in range(3)
    ]
    result = play_game(tmp_path, 2, SimulationSettings(3, 3, 1, rules="thesis; PointsToWin = 3")).result
    row = found[8]
    assert (row["players"], row["policy"], row["head"]) == ("3", "random", result.head)
    assert (row["winner"], row["actions"]) == (result.winner, str(result.actions))
    assert int(row["RollDice"]) == int(row["turns"])
    assert float(row["file_bytes_per_commit"]) == pytest.approx(int(row["file_bytes"]) / result.commits, abs=1e-6)


def test_rows_are_the_same_on_one_process_on_several_and_where_the_folder_is_not(tmp_path: Path) -> None:
    here = tables(played(KEEPING, tmp_path))
    assert set(here) == {"games.csv", "actions.csv", "summary.csv", "failures.csv"}
    for name, how in (("two", {"jobs": 2}), ("away", {"each": away})):
        study = played(KEEPING, tmp_path, name, **how)
        assert tables(study) == here
        games = find_games(study.folder / "games").games
        assert len(games) == 6 and all(audit(game.path).is_fine for game in games)
        for cell in study.plan.cells:
            run = resume_run(study.folder / "games" / cell.name)
            assert run.is_complete and run.settings == cell.settings
        remove_pieces(study)
        assert sorted(path.name for path in study.folder.iterdir() if path.suffix not in (".csv", ".parquet")) == [
            *("games", "lock", "rows.jsonl", "study.json")
        ]


def test_processor_time_is_finer_than_ticks_of_the_system(tmp_path: Path) -> None:
    text = 'games = 8\nmeasures = ["processor_s"]\n[settings]\nrules = "thesis; PointsToWin = 3"\n'
    found = [float(row["processor_s"]) for row in rows(played(text, tmp_path).folder / "games.csv")]
    assert any(abs(value * 100 - round(value * 100)) > 0.001 for value in found), found


def test_a_study_over_simulated_links_is_the_same_on_another_day(tmp_path: Path) -> None:
    first, second = (tables(played(LINKS, tmp_path, name)) for name in ("first", "second"))
    assert first == second
    [row, *_] = rows(tmp_path / "first" / "games.csv")
    assert 0 < float(row["hand_over_p50_s"]) < 0.1


def test_actions_have_a_row_each_with_the_factors_of_their_game(tmp_path: Path) -> None:
    study = played(KEEPING, tmp_path)
    found = rows(study.folder / "actions.csv")
    games = rows(study.folder / "games.csv")
    assert len(found) == sum(int(game["actions"]) for game in games)
    assert {(row["players"], row["policy"]) for row in found} == {("2", "random"), ("2", "builder"), ("3", "random")}
    before = tables(study)
    remove_pieces(study)
    again = resume_study(study.folder, study.plan)
    again.run()
    write_tables(again)
    assert tables(again) == before


KILLED = 10


@pytest.mark.first
def test_a_study_killed_at_ten_moments_and_resumed_has_the_rows_of_one_that_was_not(tmp_path: Path) -> None:
    text = SHORT.replace("games = 3", 'games = 20\nkeep = "all"\nactions = true')
    calm = tables(played(text, tmp_path, "calm"))
    file, out = written(text, tmp_path), tmp_path / "killed"
    command = [sys.executable, "-m", "catan_p2p", "study", str(file), "--out", str(out)]
    rng, killed, ended = random.Random(54), 0, False
    while not ended:
        jobs = ["--resume", "--jobs", str(1 + killed % 2)]
        process = subprocess.Popen([*command, *jobs], start_new_session=True, stderr=subprocess.DEVNULL)
        if killed == KILLED:
            ended = process.wait(60) == 0
            continue
        played_by_then = rows_so_far(out) + rng.randint(1, 3)
        wait_until(lambda most=played_by_then: rows_so_far(out) >= most)
        os.killpg(process.pid, signal.SIGKILL)
        assert process.wait() != 0
        killed += 1
    study = open_study(tmp_path / "killed")
    assert tables(study) == calm
    assert len(find_games(study.folder / "games").games) == 60


def rows_so_far(out: Path) -> int:
    """How many games a study has finished."""
    path = out / "rows.jsonl"
    return path.read_bytes().count(b"\n") if path.exists() else 0


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_processes_end_with_the_study_that_is_killed(tmp_path: Path) -> None:
    text = SHORT.replace("games = 3", "games = 1000")
    file, out = written(text, tmp_path), tmp_path / "study"
    command = [sys.executable, "-m", "catan_p2p", "study", str(file), "--out", str(out), "--jobs", "2"]
    process = subprocess.Popen([*command, "--quiet"])
    wait_until(lambda: (out / "rows.jsonl").exists())
    workers = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text("ascii").split()
    assert len(workers) == 3  # one of them looks after semaphores
    process.terminate()
    process.wait()
    wait_until(lambda: not any(map(is_alive, workers)))


def is_alive(process: str) -> bool:
    """Whether a process works still; one that has ended, but that nobody has waited for, has no command."""
    try:
        return bool(Path("/proc", process, "cmdline").read_bytes())
    except (FileNotFoundError, ProcessLookupError):
        return False


def wait_until(there: Callable[[], bool]) -> None:
    """Wait for something that takes a moment, and not for ever."""
    deadline = time.monotonic() + 30
    while not there():
        assert time.monotonic() < deadline
        time.sleep(0.05)


FAILING = """
games = 3
keep = "failures"
measures = ["game"]
[settings]
rules = "thesis; PointsToWin = 4"
[factors]
max_actions = [20000, 160]
"""


def test_a_game_that_fails_is_listed_with_its_command_and_ends_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "study"
    assert main(["study", str(written(FAILING, tmp_path)), "--out", str(out), "--quiet"]) == 1
    failures, games = rows(out / "failures.csv"), rows(out / "games.csv")
    assert {row["max_actions"] for row in failures} == {"160"}
    assert len(failures) + len(games) == 6 and failures
    [row, *_] = failures
    number = row["game"]
    assert row["why"] == f"game {number}, seed 1: no winner after 160 actions, the cap is 160"
    assert row["command"] == (
        f"catan-p2p simulate --players 2 --game {number} --seed 1 --policy random --rules 'thesis; PointsToWin = 4' "
        "--max-actions 160"
    )
    assert row["command"] in capsys.readouterr().err
    kept = {path.name for path in (out / "games" / "002_max_actions=160").iterdir()}
    assert kept >= {f"Catan_{row['game']}" for row in failures} | {"findings.jsonl", "run.json"}
    assert not (out / "games" / "001_max_actions=20000").exists()
    assert main(["study", str(tmp_path / "study.toml"), "--out", str(out), "--resume", "--quiet"]) == 1
    assert rows(out / "failures.csv") == failures


def test_whatever_goes_wrong_with_a_game_is_its_outcome(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    play = playing.play_one

    def broken(out: Path, number: int, settings: SimulationSettings, time: TimeSource) -> Played:
        if number == 1:
            raise ZeroDivisionError("a mistake")
        if number == 2:
            return GameWithoutWinner("nobody won; again with: a command", ())
        return play(out, number, settings, time=time)

    monkeypatch.setattr(playing, "play_one", broken)
    study = played(SHORT, tmp_path)
    assert (study.ended, study.failed) == (9, 6)
    why = [row["why"] for row in rows(study.folder / "failures.csv")]
    assert why == ["ZeroDivisionError: a mistake", "nobody won"] * 3


FOUND = {
    "kind": "invariant",
    "name": "CardsAreKept",
    "seed": 1,
    "game": 1,
    "commit": "1" * 40,
    "player": 1,
    "action": "Red_1 roll_dice player_1 7",
}


def test_findings_of_the_simulation_are_told_and_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, typed: Typed
) -> None:
    play = playing.play_one

    def found(out: Path, number: int, settings: SimulationSettings, time: TimeSource) -> Played:
        if number == 1:
            append_line(out / "findings.jsonl", FOUND)
        return play(out, number, settings, time=time)

    monkeypatch.setattr(playing, "play_one", found)
    arguments = ["study", str(written(SHORT, tmp_path)), "--out", str(tmp_path / "study")]
    told = typed(1, *arguments).err
    assert told.count("finding in cell ") == 3 and told.count("3 games had findings") == 1
    assert "3 games had findings" in typed(1, *arguments, "--resume").err


def test_what_cannot_be_written_ends_the_study_and_what_was_played_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play, full = playing.play_one, True

    def on_a_full_disk(out: Path, number: int, settings: SimulationSettings, time: TimeSource) -> Played:
        if full and number == 2:
            raise StoreError("no space left")
        return play(out, number, settings, time=time)

    monkeypatch.setattr(playing, "play_one", on_a_full_disk)
    study = begin_study(tmp_path / "study", plan_of(SHORT, tmp_path), {})
    with pytest.raises(StoreError, match="no space left"):
        study.run()
    full = False
    again = resume_study(study.folder, study.plan)
    assert again.ended == 6
    again.run()
    write_tables(again)
    assert tables(again) == tables(played(SHORT, tmp_path, "calm"))


def test_a_folder_has_one_study_which_one_process_plays(tmp_path: Path) -> None:
    study = begin_study(tmp_path / "study", plan_of(SHORT, tmp_path), {})
    with pytest.raises(StoreError, match="holds a study already"):
        begin_study(study.folder, study.plan, {})
    with pytest.raises(StoreError, match="other games or columns"):
        resume_study(study.folder, plan_of(SHORT.replace("games = 3", "games = 4"), tmp_path))
    with pytest.raises(StoreError, match="holds no study"):
        open_study(tmp_path)
    lock = ProcessLock(study.folder / "lock", "playing this study")
    with pytest.raises(StoreLocked, match="already playing this study"):
        study.run()
    lock.release()


def test_a_folder_with_files_of_others_keeps_them(tmp_path: Path) -> None:
    plan = plan_of(SHORT, tmp_path)
    for name in ("games", "playing", "actions", "games.csv", "summary.csv", "rows.jsonl", "actions.parquet"):
        (tmp_path / name).mkdir()
        with pytest.raises(StoreError, match=f"holds {name}, and no study; choose another folder"):
            begin_study(tmp_path, plan, {})
        (tmp_path / name).rmdir()
    begin_study(tmp_path, plan, {})


def test_who_reads_a_study_that_is_played_leaves_its_journal_alone(tmp_path: Path) -> None:
    study = played(SHORT, tmp_path)
    journal = study.folder / "rows.jsonl"
    whole = journal.read_bytes()
    journal.write_bytes(whole[:-9])  # as long as its last line is being written
    assert open_study(study.folder).ended == 8
    assert journal.read_bytes() == whole[:-9]
    late = open_study(study.folder)
    journal.write_bytes(whole)
    late.run(told=lambda *_: pytest.fail("played a game that another process had"))
    assert late.ended == 9
    assert tables(late) == tables(study)


@pytest.mark.parametrize(
    "line",
    ["", "{}", "[]", '{"cell": 4, "game": 0, "values": []}', '{"cell": 1, "game": 0, "values": [1]}', "[" * 9999],
)
def test_a_journal_that_is_not_a_studys_is_told(line: str, tmp_path: Path) -> None:
    study = begin_study(tmp_path / "study", plan_of(SHORT, tmp_path), {})
    (study.folder / "rows.jsonl").write_text(f"{line}\n", encoding="utf-8")
    with pytest.raises(StoreError, match=r"rows\.jsonl: not a game of this study"):
        open_study(study.folder)


def test_a_mark_that_is_not_a_studys_is_told(tmp_path: Path) -> None:
    study = begin_study(tmp_path / "study", plan_of(SHORT, tmp_path), {})
    mark = study.folder / "study.json"
    raw = json.loads(mark.read_text("utf-8"))
    for changed in ([], {}, {**raw, "plan": {}}, {**raw, "digest": "other"}, {**raw, "provenance": 3}):
        mark.write_text(json.dumps(changed), encoding="utf-8")
        with pytest.raises(StoreError, match=r"study\.json: not a study"):
            open_study(study.folder)


@pytest.mark.needs("frames")
def test_parquet_has_the_same_rows_with_types(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow.parquet")
    study = played(KEEPING, tmp_path)
    for name in ("games", "actions"):
        table = pyarrow.read_table(study.folder / f"{name}.parquet")
        found = rows(study.folder / f"{name}.csv")
        assert table.column_names == list(found[0])
        assert table.num_rows == len(found)
        assert str(table.schema.field("players").type) == "int64"
        for field in table.schema:
            cells = [row[field.name] for row in found if row[field.name]]
            if cells and (str(field.type) != "string" or (name, field.name) == ("actions", "points")):
                is_whole = all(re.fullmatch(r"-?\d+", cell) for cell in cells)
                assert (field.name, str(field.type)) == (field.name, "int64" if is_whole else "double")
    assert [str(head) for head in pyarrow.read_table(study.folder / "games.parquet")["head"]] == [
        row["head"] for row in rows(study.folder / "games.csv")
    ]


def test_without_scipy_there_are_means_without_intervals_and_the_verb_says_so(
    tmp_path: Path, typed: Typed, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("catan_p2p.cli.study", "catan_p2p.intervals"):
        monkeypatch.setattr(f"{module}.has_library", lambda: False)
    file, out = str(written(SHORT, tmp_path)), tmp_path / "study"
    assert "no intervals: they need scipy: pip install 'catan-p2p[report]'" in typed(0, "study", file, "--out", out).err
    summed = rows(out / "summary.csv")
    assert summed and all(row["mean"] and row["low"] == row["high"] == row["difference_low"] == "" for row in summed)


def test_what_the_verb_says(tmp_path: Path, typed: Typed) -> None:
    file, out = str(written(SHORT, tmp_path)), tmp_path / "study"
    told = typed(0, "study", file, "--dry-run").out
    assert told.startswith("cell  players  policy\n   1  2        random\n")
    assert "3 cells, 9 games; about " in told and "from 3 games" in told
    assert not out.exists()
    assert typed(0, "study", file, "--out", out).out.startswith("cell  players  policy")
    assert "holds a study already" in typed(2, "study", file, "--out", out).err
    told = json.loads(typed(0, "study", file, "--out", out, "--resume", "--json").out)
    assert (told["games"], told["failed"]) == (9, 0)
    assert {one["measure"] for one in told["cells"]} >= {"actions", "file_bytes"}
    shutil.rmtree(out)


def test_a_dry_run_tries_cells_from_all_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tried: list[int] = []

    def play(cell: int, *_: object) -> GameOutcome:
        tried.append(cell)
        return GameOutcome(cell, 0)

    monkeypatch.setattr("catan_p2p.cli.study.play_study_game", play)
    for count, expected in (
        (1, [1]),
        (6, [1, 2, 3, 4, 5, 6]),
        (11, [1, 3, 5, 7, 9, 11]),
        (50, [1, 10, 20, 30, 40, 50]),
    ):
        tried.clear()
        caps = ", ".join(map(str, range(1, count + 1)))
        text = f"[factors]\nmax_actions = [{caps}]\n"
        assert main(["study", str(written(text, tmp_path)), "--dry-run"]) == 0
        assert tried == expected
    capsys.readouterr()


MISUSES = {
    "": "expected FILE.toml, which says what is played and measured",
    "FILE": "--out DIR is missing: a folder for the study",
    "FILE --out DIR --scheduler tcp://127.0.0.1:1": "--scheduler: only --executor dask has one",
    "FILE --out DIR --executor dask": "--executor dask: --scheduler URL is missing",
    "FILE --out DIR --executor dask --scheduler tcp://127.0.0.1:1 --jobs 2": "--jobs: with --executor dask the cluster",
    "none.toml --out DIR": "none.toml: no such file",
}


@pytest.mark.parametrize("words", MISUSES, ids=range(len(MISUSES)))
def test_wrong_usage_is_told_in_a_line(words: str, tmp_path: Path, typed: Typed) -> None:
    given = words.replace("FILE", str(written(SHORT, tmp_path))).replace("DIR", str(tmp_path / "out")).split()
    assert typed(2, "study", *given).err.startswith(f"catan-p2p study: {MISUSES[words]}")
    assert not (tmp_path / "out").exists()
