"""Statistics are those of the commits; timings are joined to them, none left out."""

import json
import subprocess
from pathlib import Path

import pytest

from catan_p2p.log.history import load_history
from catan_p2p.log.storage.objects import StoreError
from catan_p2p.metrics.games import MeasuredGame, measure_game
from catan_p2p.metrics.rows import GameRow
from catan_p2p.simulation.timings import read_timings, timings_file

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def path(runs: Path) -> Path:
    return runs / "four" / "Catan_0"


@pytest.fixture(scope="module")
def measured(path: Path) -> MeasuredGame:
    return measure_game(path, "four")


def test_a_games_row_has_the_time_that_the_simulation_recorded_and_names_its_rules(
    path: Path, measured: MeasuredGame
) -> None:
    (result,) = map(json.loads, (path.parent / "games.jsonl").read_text().splitlines())
    assert (measured.game.elapsed_s, measured.game.rules) == (result["elapsed_s"], "thesis")


def test_every_action_has_its_timings_the_first_included(path: Path, measured: MeasuredGame) -> None:
    recorded = read_timings(timings_file(path))
    assert len(recorded.actions) == len(measured.actions)
    for row in measured.actions:
        assert None not in (row.choose_s, row.apply_s, row.check_s, row.write_s), row.step
    assert measured.game.write_s == pytest.approx(sum(row.write_s or 0 for row in measured.actions))
    assert measured.game.syncs == len(recorded.syncs)
    # Every peer takes in every commit of the others: all are counted, by each of the three others.
    assert (
        sum(sync.commits for sync in recorded.syncs) >= 3 * len(measured.actions) - 3 * measured.game.counts["Discard"]
    )


def test_a_quick_look_leaves_out_what_takes_a_process_each(path: Path) -> None:
    row = measure_game(path, "four", thorough=False).game
    assert (row.gc_disk_bytes, row.gc_file_bytes, row.gc_pack_bytes, row.hand_overs, row.sent_bytes) == (None,) * 5
    assert row.diff_bytes > 0


def test_a_repository_alone_is_measured_too_its_seed_read_from_the_root(path: Path, tmp_path: Path) -> None:
    clone = tmp_path / "Catan_0"
    subprocess.run(["git", "clone", "-q", "--bare", str(path), str(clone)], check=True)
    row = measure_game(clone, "alone").game
    assert row.seed == 7
    assert row.winner == load_history(path).game.seats[load_history(path).last.ap - 1].colour
    assert (row.elapsed_s, row.syncs, row.write_s, row.tries, row.resumed) == (None,) * 5


def test_results_of_another_game_with_the_same_number_are_not_taken(own_runs: Path) -> None:
    (own_runs / "four" / "games.jsonl").write_text((own_runs / "two" / "games.jsonl").read_text())
    assert measure_game(own_runs / "four" / "Catan_0", "four", thorough=False).game.elapsed_s is None


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("elapsed_s", "x"),
        ("elapsed_s", True),
        ("computing_s", -1.0),
        ("waiting_s", float("nan")),
        ("seed", "5"),
        ("tries", 0.5),
        ("resumed", "yes"),
        ("policies", "builder"),
        ("policies", [3]),
        ("head", 3),
    ],
)
def test_a_result_that_is_none_names_file_line_and_field(own_runs: Path, name: str, value: object) -> None:
    results = own_runs / "two" / "games.jsonl"
    first, second = results.read_text().splitlines()
    results.write_text(f"{first}\n{json.dumps(json.loads(second) | {name: value})}\n")
    number = json.loads(second)["game"]
    with pytest.raises(StoreError, match=rf"games\.jsonl, line 2: .*{name}") as error:
        measure_game(own_runs / "two" / f"Catan_{number}", "two", thorough=False)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("data", [b"\xff\n", b"{\n", b"3\n", b"[" * 100_000 + b"\n"])
def test_results_that_are_none_are_one_line(own_runs: Path, data: bytes) -> None:
    results = own_runs / "two" / "games.jsonl"
    results.write_bytes(data + results.read_bytes())
    with pytest.raises(StoreError, match=r"games\.jsonl, line 1: not a game's result") as error:
        measure_game(own_runs / "two" / "Catan_0", "two", thorough=False)
    assert "\n" not in str(error.value)


def test_a_result_that_is_just_being_written_is_not_there_yet(own_runs: Path) -> None:
    results = own_runs / "four" / "games.jsonl"
    results.write_bytes(results.read_bytes()[:-20])
    assert measure_game(own_runs / "four" / "Catan_0", "four", thorough=False).game.elapsed_s is None


def test_what_was_recorded_of_a_part_of_a_game_is_unknown_of_the_whole(own_runs: Path) -> None:
    path = own_runs / "four" / "Catan_0"
    whole = measure_game(path, "four", thorough=False).game
    results = own_runs / "four" / "games.jsonl"
    results.write_text(results.read_text().replace('"resumed": false', '"resumed": true'))
    part = measure_game(path, "four", thorough=False).game
    times = {name for name in GameRow.__dataclass_fields__ if name.endswith("_s")}
    unknown = {name for name in GameRow.__dataclass_fields__ if getattr(part, name) is None}
    assert unknown == times | {name for name in GameRow.__dataclass_fields__ if getattr(whole, name) is None} | {
        "tries", "fetches", "bytes_received", "syncs", "syncs_with_news",
    }  # fmt: skip
    assert part.resumed
    for name in ("actions", "commits", "disk_bytes", "diff_bytes", "winner", "policies", "findings", "counts"):
        assert getattr(part, name) == getattr(whole, name), name


def test_a_game_that_was_just_begun_has_nothing_to_measure(own_runs: Path) -> None:
    game = own_runs / "two" / "Catan_0"
    root = load_history(game).root
    for branch in ("Red_0", "Blue_0"):
        subprocess.run(["git", "-C", str(game), "update-ref", f"refs/heads/{branch}", root], check=True)
    with pytest.raises(StoreError, match="nothing to measure"):
        measure_game(game, "two")


@pytest.mark.parametrize("text", ["kind,player\naction,1\n", "kind,player,commit,commits,sync_s\nsync,1,,x,1\n"])
def test_timings_that_are_none_are_one_line(own_runs: Path, text: str) -> None:
    path = timings_file(own_runs / "two" / "Catan_0")
    path.write_text(text)
    with pytest.raises(StoreError, match=r"Catan_0\.timings\.csv: not the timings"):
        measure_game(own_runs / "two" / "Catan_0", "two")
