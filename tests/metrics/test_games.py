"""Statistics are those of the commits; timings are joined to them, none left out."""

import json
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from catan_p2p.game.actions import BuyDevCard, RollDice
from catan_p2p.game.cards import RESOURCES, total
from catan_p2p.log.history import load_history
from catan_p2p.log.storage.objects import StoreError
from catan_p2p.metrics.games import MeasuredGame, measure_game
from catan_p2p.metrics.rows import COUNTS, DICE_SUMS, GameRow
from catan_p2p.simulation.game import SimulationSettings
from catan_p2p.simulation.run import begin_run, play_run
from catan_p2p.simulation.timings import read_timings, timings_file

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def path(runs: Path) -> Path:
    return runs / "four" / "Catan_0"


@pytest.fixture(scope="module")
def measured(path: Path) -> MeasuredGame:
    return measure_game(path, "four")


def result_of(path: Path) -> dict[str, object]:
    lines = (path.parent / "games.jsonl").read_text().splitlines()
    return next(line for line in map(json.loads, lines) if f"Catan_{line['game']}" == path.name)


def test_a_games_row_agrees_with_what_the_simulation_reported(path: Path, measured: MeasuredGame) -> None:
    result, row = result_of(path), measured.game
    for name in ("game", "seed", "players", "winner", "actions", "commits", "elapsed_s", "tries", "findings"):
        assert getattr(row, name) == result[name], name
    assert row.points == " ".join(map(str, result["points"]))  # type: ignore[call-overload]
    assert row.policies == "builder builder builder builder"
    assert (row.rules, row.topology, row.rejected, row.resumed) == ("thesis", "shared", 0, False)
    assert row.file_bytes == result["repository_bytes"]


def test_counts_are_those_of_the_commits(path: Path, measured: MeasuredGame) -> None:
    actions = [logged.action for logged in load_history(path).actions]
    counts = measured.game.counts
    assert tuple(counts) == COUNTS
    for name, count in Counter(type(action).__name__ for action in actions).items():
        assert counts[name] == count
    for dice in DICE_SUMS:
        assert counts[f"dice_{dice}"] == sum(isinstance(a, RollDice) and a.dice == dice for a in actions)
    bought = Counter(action.card for action in actions if isinstance(action, BuyDevCard))
    assert {card: counts[f"bought_{card}"] for card in bought} == bought
    assert sum(bought.values()) == counts["BuyDevCard"] > 0


def test_gained_cards_are_what_hands_grew_by_at_rolls_and_set_up(path: Path, measured: MeasuredGame) -> None:
    history = load_history(path)
    expected = 0
    before = history.first
    for logged in history.actions:
        if type(logged.action).__name__ in ("RollDice", "SetupPhaseTwo"):
            expected += sum(total(hand.rc) for hand in logged.state.h) - sum(total(hand.rc) for hand in before.h)
        before = logged.state if type(logged.action).__name__ != "Discard" else before
    assert sum(measured.game.counts[f"gained_{resource}"] for resource in RESOURCES) == expected
    assert sum(row.gained or 0 for row in measured.actions) == expected


def test_there_is_one_row_an_action_in_the_order_of_the_history(path: Path, measured: MeasuredGame) -> None:
    history = load_history(path)
    assert [row.commit for row in measured.actions] == [logged.commit for logged in history.actions]
    assert [row.step for row in measured.actions] == list(range(1, len(history.actions) + 1))
    assert measured.actions[-1].turn == measured.game.turns
    assert measured.actions[-1].points >= 10
    assert {row.turn for row in measured.actions if row.action == "SetupPhaseOne"} == {0}
    assert sum(row.diff_bytes for row in measured.actions) == measured.game.diff_bytes


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


def test_a_game_of_six_by_the_rule_book_is_told_as_one_and_special_building_is_no_turn(tmp_path: Path) -> None:
    run = begin_run(tmp_path / "six", SimulationSettings(players=6, seed=2, policies=("builder",), rules="brief"))
    play_run(run)
    game = measure_game(tmp_path / "six" / "Catan_0", "six", thorough=False).game
    assert game.rules == "brief"
    assert game.turns == sum(game.counts[f"dice_{dice}"] for dice in range(2, 13))
    assert game.counts["EmptyBuild"] > game.turns
