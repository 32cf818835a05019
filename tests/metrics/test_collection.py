"""The tidy files, and finding the games to measure."""

import csv
import gc
import json
import re
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest

from catan_p2p.log.folders import GamePath, find_games
from catan_p2p.log.storage.objects import StoreError
from catan_p2p.metrics.collection import (
    ACTIONS_FILE,
    GAMES_FILE,
    SUMMARY_FILE,
    measure_games,
    read_actions,
    read_games,
    read_summary,
    write_metrics,
    write_parquet_tables,
)
from catan_p2p.metrics.games import MeasuredGame
from catan_p2p.metrics.recorded import recorded_result, run_folder
from catan_p2p.metrics.rows import COUNTS, ActionRow, GameRow
from catan_p2p.metrics.totals import FIGURES
from catan_p2p.simulation.game import SimulationSettings, play_game
from catan_p2p.simulation.run import begin_run, play_run
from catan_p2p.simulation.separate import create_seats

pytestmark = [pytest.mark.long, pytest.mark.sampled(2, together=True)]


def games_at(path: Path) -> tuple[GamePath, ...]:
    """The games at a path where nothing is lacking."""
    found = find_games(path)
    assert not found.lacking
    return found.games


@pytest.fixture(scope="module")
def folder(runs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("metrics") / "tables"
    write_metrics(folder, measure_games(games_at(runs), thorough=False))
    return folder


def test_games_are_found_in_runs_in_a_run_and_by_themselves(runs: Path) -> None:
    names = [("four", "Catan_0"), ("two", "Catan_0"), ("two", "Catan_1")]
    assert [(game.run, game.path.name) for game in games_at(runs)] == names
    assert [(game.run, game.path.name) for game in games_at(runs / "two")] == names[1:]
    assert [(game.run, game.path.name) for game in games_at(runs / "two" / "Catan_1")] == names[2:]
    assert all(game.is_shared for game in games_at(runs))


def test_of_a_game_with_a_repository_for_each_player_the_first_is_measured(tmp_path: Path) -> None:
    settings = SimulationSettings(players=2, seed=4, policies=("builder",), topology="separate")
    create_seats(tmp_path / "apart" / "Catan_0", 0, settings)
    seat = tmp_path / "apart" / "Catan_0" / "Red"
    for path in (tmp_path, tmp_path / "apart", tmp_path / "apart" / "Catan_0"):
        [game] = games_at(path)
        assert (game.run, game.name, game.path) == ("apart", "Catan_0", seat)
        assert not game.is_shared
    assert run_folder(seat) == tmp_path / "apart"


def test_peers_with_a_process_each_record_what_every_action_cost(tmp_path: Path) -> None:
    settings = SimulationSettings(players=2, seed=4, policies=("builder",), topology="separate")
    run = begin_run(tmp_path / "apart", settings)
    play_run(run)
    [measured] = measure_games(games_at(tmp_path / "apart"), thorough=False)
    costs = [(row.choose_s, row.apply_s, row.check_s, row.write_s) for row in measured.actions]
    assert len(costs) == run.results[0].actions > 0
    assert all(cost is not None and cost > 0 for row in costs for cost in row)
    assert measured.game.syncs_with_news
    assert sorted(path.name for path in (tmp_path / "apart" / "Catan_0").iterdir()) == ["Blue", "Red"]


def test_a_folder_without_games_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="not a game"):
        games_at(tmp_path)
    with pytest.raises(StoreError, match="no such folder"):
        games_at(tmp_path / "nowhere")


def test_tables_are_read_back_as_they_were_measured(runs: Path, folder: Path) -> None:
    measured = list(measure_games(games_at(runs), thorough=False))
    for row, kept in zip(measured, read_games(folder), strict=True):
        for name in GameRow.__dataclass_fields__:
            expected = getattr(row.game, name)
            if isinstance(expected, float):
                expected = pytest.approx(expected, abs=1e-6)
            assert getattr(kept, name) == expected, name
    kept_actions = list(read_actions(folder))
    assert [row.commit for row in kept_actions] == [row.commit for game in measured for row in game.actions]


def test_measuring_on_two_processes_gives_the_same_tables(runs: Path, folder: Path, tmp_path: Path) -> None:
    write_metrics(tmp_path, measure_games(games_at(runs), thorough=False, jobs=2))
    for name in (GAMES_FILE, ACTIONS_FILE):
        assert (tmp_path / name).read_bytes() == (folder / name).read_bytes()


def test_the_summary_has_versions_machine_seeds_and_every_figure(folder: Path) -> None:
    summary = json.loads((folder / SUMMARY_FILE).read_text())
    assert {"catan_p2p", "python", "git", "processor", "cores", "memory_bytes", "date"} <= set(summary["machine"])
    two = summary["runs"]["two"]
    assert (two["games"], two["players"], two["seeds"]) == (2, [2], [5])
    assert set(two["counts"]) == set(COUNTS)
    rows = [row for row in read_games(folder) if row.run == "two"]
    commits = two["figures"]["commits"]
    assert commits["mean"] == sum(row.commits for row in rows) / 2
    assert commits["deviation"] == pytest.approx(abs(rows[0].commits - rows[1].commits) / 2**0.5)
    missing = set(FIGURES) - set(two["figures"])
    assert missing and all("gc_" in name or "sent" in name for name in missing)


def test_times_of_games_that_were_resumed_are_in_no_mean_and_their_number_is_told(own_runs: Path) -> None:
    results = own_runs / "two" / "games.jsonl"
    first, rest = results.read_text().split("\n", 1)
    results.write_text(first.replace('"resumed": false', '"resumed": true') + "\n" + rest)
    write_metrics(own_runs / "tables", measure_games(games_at(own_runs / "two"), thorough=False))
    rows = read_games(own_runs / "tables")
    two = read_summary(own_runs / "tables")["runs"]["two"]
    assert two["resumed"] == 1
    for name, figure in two["figures"].items():
        assert figure["count"] == (
            1 if re.search("_s(_per|$)", name) or name in ("fetches", "bytes_received") else 2
        ), name
    assert two["figures"]["elapsed_s"]["mean"] == pytest.approx(rows[1].elapsed_s, abs=1e-6)


@pytest.mark.parametrize("change", [("two,0,", "two,x,"), ("winner", "loser")])
def test_a_table_that_is_none_names_file_and_line(folder: Path, tmp_path: Path, change: tuple[str, str]) -> None:
    path = tmp_path / GAMES_FILE
    path.write_text((folder / GAMES_FILE).read_text().replace(*change, 1))
    with pytest.raises(StoreError, match=r"games\.csv, line \d"):
        read_games(tmp_path)


@pytest.mark.parametrize("name", [GAMES_FILE, ACTIONS_FILE])
@pytest.mark.parametrize("added", [b"\xff\n", b"two,0\0,\n", b'"' + b"x" * 200_000 + b'"\n'])
def test_a_table_that_is_no_text_names_the_file(folder: Path, tmp_path: Path, name: str, added: bytes) -> None:
    (tmp_path / name).write_bytes((folder / name).read_bytes() + added)
    with pytest.raises(StoreError, match=re.escape(name)) as error:
        list(read_games(tmp_path) if name == GAMES_FILE else read_actions(tmp_path))
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("elapsed_s", "nan"),
        ("elapsed_s", "-1"),
        ("actions", "0"),
        ("commits", "-3"),
        ("points", "10 x"),
        ("turns", "x"),
    ],
)
def test_a_row_that_no_game_has_names_file_line_and_column(
    folder: Path, tmp_path: Path, column: str, value: str
) -> None:
    with (folder / GAMES_FILE).open(newline="") as file:
        rows = list(csv.DictReader(file))
    rows[1][column] = value
    with (tmp_path / GAMES_FILE).open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    with pytest.raises(StoreError, match=rf"games\.csv, line 3: .*{column}"):
        read_games(tmp_path)


@pytest.mark.parametrize(
    "data", [b"", b"[]", b"{", b"\xff", b'{"machine": 3}', b'{"runs": []}', b'{"runs": {"two": 3}}', b"[" * 100_000]
)
def test_a_summary_that_is_none_is_one_line(tmp_path: Path, data: bytes) -> None:
    (tmp_path / SUMMARY_FILE).write_bytes(data)
    with pytest.raises(StoreError, match=r"summary\.json"):
        read_summary(tmp_path)


def test_what_fails_while_measuring_leaves_no_files_behind(own_runs: Path) -> None:
    (own_runs / "two" / "games.jsonl").write_bytes(b"\xff\n")
    games = find_games(own_runs).games
    for folder in (own_runs / "tables", own_runs / "deep" / "tables"):
        with pytest.raises(StoreError, match=r"games\.jsonl"):
            write_metrics(folder, measure_games(games, thorough=False))
        assert not folder.exists()
    (own_runs / "tables").mkdir()
    (own_runs / "tables" / "kept").write_text("kept")
    with pytest.raises(StoreError, match=r"games\.jsonl"):
        write_metrics(own_runs / "tables", measure_games(games, thorough=False))
    assert [path.name for path in (own_runs / "tables").iterdir()] == ["kept"]


def test_a_folder_that_cannot_be_written_is_one_line(runs: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot write"):
        write_metrics(tmp_path / "file" / "tables", measure_games(games_at(runs / "four"), thorough=False))


def test_tables_as_parquet_have_the_rows_and_types_of_the_csv_files(tmp_path: Path) -> None:
    import pandas
    from pyarrow.parquet import read_schema

    play_game(tmp_path / "run", 0, SimulationSettings(seed=4, policies=("builder",)))
    measured = measure_games(find_games(tmp_path / "run").games, thorough=False)
    write_metrics(tmp_path / "metrics", measured)
    rows = read_games(tmp_path / "metrics")
    games, actions = (pandas.read_parquet(path) for path in write_parquet_tables(tmp_path / "metrics"))
    assert list(games.commits) == [row.commits for row in rows]
    assert len(actions) == rows[0].actions
    assert actions.diff_bytes.sum() == rows[0].diff_bytes
    assert games.dice_7[0] == rows[0].counts["dice_7"]
    assert actions.step.dtype == "int64"
    for name, kind in (("games", GameRow), ("actions", ActionRow)):
        types = {field.name: str(field.type) for field in read_schema(tmp_path / "metrics" / f"{name}.parquet")}
        told = {"str": "string", "int": "int64", "float": "double", "bool": "bool"}
        plain = {one.name: told[str(one.type).split(" ")[0]] for one in fields(kind) if one.name != "counts"}
        assert types == plain | dict.fromkeys(COUNTS if kind is GameRow else (), "int64"), "those of empty columns, too"
    assert not [*(tmp_path / "metrics").glob("*.new")]


def test_no_row_is_kept_in_memory_once_it_is_written(runs: Path, tmp_path: Path) -> None:
    games = games_at(runs / "two")
    held: list[int] = []

    def one_after_the_other() -> Iterator[MeasuredGame]:
        for game in games * 2:
            gc.collect()
            held.append(sum(type(one) in (GameRow, ActionRow) for one in gc.get_objects()))
            yield from measure_games([game], thorough=False)

    before = sum(type(one) in (GameRow, ActionRow) for one in gc.get_objects())
    totals = write_metrics(tmp_path / "tables", one_after_the_other())
    assert totals["two"].games == 4
    # The game that was written last is let go of once the next is there.
    assert max(held[2:]) - before <= max(row.actions for row in read_games(tmp_path / "tables")) + 1


def test_the_results_of_a_run_are_read_once_and_not_once_a_game(
    runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = (runs / "two" / "games.jsonl").read_text().splitlines()[0]
    head = json.loads(line)["head"]
    lines = [json.dumps({**json.loads(line), "game": number}) for number in range(200)]
    (tmp_path / "games.jsonl").write_text("\n".join(lines) + "\n")
    read: list[object] = []
    loads = json.loads
    monkeypatch.setattr("catan_p2p.metrics.recorded.json.loads", lambda text: read.append(text) or loads(text))
    for number in range(200):
        assert recorded_result(tmp_path / f"Catan_{number}", number, {head}) is not None
    assert len(read) == 400
    assert recorded_result(tmp_path / "Catan_7", 7, {"another"}) is None
    with (tmp_path / "games.jsonl").open("a") as file:
        file.write(json.dumps({**loads(line), "game": 7, "head": "another"}) + "\n")
    found = recorded_result(tmp_path / "Catan_7", 7, {"another"})
    assert found is not None and found.head == "another"


@pytest.mark.sampled(2)
@pytest.mark.parametrize("jobs", [1, 2])
def test_no_measured_game_is_kept_in_memory_once_the_next_is_taken(runs: Path, jobs: int) -> None:
    [game] = games_at(runs / "four")
    held = []
    gc.collect()
    gc.freeze()  # what other tests have left is not looked through each time
    for found in measure_games([game] * 9, thorough=False, jobs=jobs):
        del found
        gc.collect()
        held.append(sum(isinstance(one, MeasuredGame) for one in gc.get_objects()))
    assert len(held) == 9
    # the one that was taken last, and up to two a process that were measured ahead
    assert max(held) <= 1 + 2 * jobs * (jobs > 1)
    assert held[-1] == 1
