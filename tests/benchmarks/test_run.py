"""The benchmarks' own rules: what a target means, what is kept, and that they measure the real thing."""

import contextlib
import json
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks import run
from benchmarks.games import log_again, play_endless, record_game
from benchmarks.rows import Row, as_markdown, as_text
from benchmarks.slower import path_of, worse
from benchmarks.suite import SUITE, Unavailable
from catan_p2p.log.audit import audit
from catan_p2p.log.history import load_history
from tests.for_each import for_each

ROWS = [Row("a thing", 2.0, "ms", "another", 4.0, "<= 0.5", "a note"), Row("alone", 1234.5, "B", target="<= 500")]


@for_each(
    ("row", "is_met"),
    [
        (Row("x", 2.0, "ms", "y", 4.0, "<= 0.5"), True),
        (Row("x", 2.1, "ms", "y", 4.0, "<= 0.5"), False),
        (Row("x", 2.0, "ms", "y", 4.0, ">= 1"), False),
        (Row("x", 2.0, "ms", target="< 2"), False),
        (Row("x", 2.0, "ms", target="<= 2"), True),
        (Row("x", 200.0, "ms", target="> 1,000"), False),
        (Row("x", 200.0, "ms"), None),
    ],
)
def test_a_target_is_about_the_ratio_if_there_is_one_and_else_about_the_value(row: Row, is_met: bool | None) -> None:
    assert row.is_met is is_met


def test_a_missed_target_is_as_plain_as_one_that_is_met() -> None:
    for text in (as_text(ROWS), as_markdown(ROWS)):
        first, second = text.splitlines()[-2:]
        assert "met" in first and "a note" in first and "0.5" in first
        assert "MISSED" in second and "1,234" in second


@pytest.fixture
def results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for results and a README of their own, and benchmarks that take no time."""
    monkeypatch.setattr(run, "RESULTS", tmp_path / "results")
    monkeypatch.setattr(run, "README", tmp_path / "README.md")
    (tmp_path / "README.md").write_text(f"before\n{run.BEGIN}\nold\n{run.END}\nafter\n")
    found = {"rows": [row.as_json() for row in ROWS], "seconds": 1.0, "load": "0.1 to 0.2"}
    monkeypatch.setattr(run, "_run_apart", lambda name, quick: {"tlc": 1, "environment": 2}.get(name, found))
    return tmp_path / "results"


def test_results_of_a_day_are_kept_together_and_shown_in_the_readme(
    results: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run.main(["engine"]) == 1  # a target was missed
    assert run.main(["size", "--readme"]) == 1
    [path] = results.iterdir()
    kept = json.loads(path.read_text())
    assert set(kept["benchmarks"]) == {"engine", "size"}
    assert kept["benchmarks"]["size"]["rows"][0]["ratio"] == 0.5
    text = (results.parent / "README.md").read_text()
    assert text.startswith("before\n") and text.endswith("\nafter\n") and "old" not in text
    assert "### engine" in text and "### size" in text and "MISSED" in text
    run.write_readme()
    assert (results.parent / "README.md").read_text() == text


def test_the_page_begins_with_what_got_slower_and_a_whole_run_replaces_the_others(
    results: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run.main(["engine", "size"])
    [today] = results.iterdir()
    earlier = today.rename(results / "2026-01-02.json")
    earlier.write_text(earlier.read_text().replace(today.stem, "2026-01-02"))
    slow = [replace(ROWS[0], value=3.2), ROWS[1]]
    found = {"rows": [row.as_json() for row in slow], "seconds": 1.0, "load": "0.1 to 0.2"}
    monkeypatch.setattr(run, "_run_apart", lambda name, quick: dict(found))
    capsys.readouterr()
    run.main(["engine", "--readme"])
    line = "engine: a thing: 0.5 times another became 0.8 times another, 1.60 times worse"
    assert capsys.readouterr().out.endswith(f"slower or larger than before: 1\n  {line}\n")
    assert sorted(path.name for path in results.iterdir()) == [earlier.name, today.name]
    text = (results.parent / "README.md").read_text()
    told = f"Slower or larger than in the results kept before, of 2026-01-02:\n\n- {line}\n\n### engine"
    assert told in text
    run.main(["--readme"])
    assert [path.name for path in results.iterdir()] == [today.name]
    assert f"of 2026-01-02 to {today.stem}:\n\n- size: a thing" in (results.parent / "README.md").read_text()


def test_a_quick_run_is_kept_only_if_that_is_wanted(results: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run.main(["engine", "--quick"])
    assert not results.exists()
    assert "nothing was kept on this machine" in capsys.readouterr().out
    run.main(["engine", "--quick", "--keep"])
    assert [path.name for path in results.iterdir()] == ["quick"]
    with pytest.raises(SystemExit) as end:
        run.main(["engine", "--keep"])
    assert end.value.code == 2


def test_a_quick_run_tells_what_got_slower_than_what_was_kept(
    results: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run.main(["engine", "size", "--quick", "--keep"])
    capsys.readouterr()
    run.main(["engine", "--quick"])
    assert "slower or larger than on" in (told := capsys.readouterr().out) and told.endswith(": nothing\n")
    slow = [replace(ROWS[0], value=3.2), replace(ROWS[1], value=1300.0)]
    found = {"rows": [row.as_json() for row in slow], "seconds": 1.0, "load": "0.1 to 0.2"}
    monkeypatch.setattr(run, "_run_apart", lambda name, quick: found)
    run.main(["engine", "--quick"])
    *_, first, second, third = capsys.readouterr().out.splitlines()
    assert first.endswith(": 2")
    assert second == "  engine: a thing: 0.5 times another became 0.8 times another, 1.60 times worse"
    assert third == "  engine: alone: 1,234 B became 1,300 B, 1.05 times worse"


@for_each(
    ("before", "now", "is_worse"),
    [
        (Row("x", 10, "ms"), Row("x", 14, "ms"), False),
        (Row("x", 10, "ms"), Row("x", 16, "ms"), True),
        (Row("x", 16, "ms"), Row("x", 10, "ms"), False),
        (Row("x", 16, "actions/s"), Row("x", 10, "actions/s"), True),
        (Row("x", 10, "actions/s"), Row("x", 16, "actions/s"), False),
        (Row("x", 10, "ms", "y", 10), Row("x", 20, "ms", "y", 20), False),
        (Row("x", 10, "ms", "y", 10), Row("x", 10, "ms", "y", 5), True),
        (Row("x", 100, "B"), Row("x", 104, "B"), False),
        (Row("x", 100, "B"), Row("x", 106, "B"), True),
        (Row("x", 10, "ms", "y", 10), Row("x", 10, "ms", "z", 5), False),
    ],
)
def test_what_is_worse_is_told_by_ratio_and_unit(before: Row, now: Row, is_worse: bool) -> None:
    assert bool(worse("engine", [before], [now])) is is_worse


def test_machines_that_differ_in_what_makes_them_fast_keep_apart(tmp_path: Path) -> None:
    machine: dict[str, object] = {"processor": "AMD EPYC", "cores": 2, "python": "3.11.7"}
    others = ({"processor": "Intel(R) Xeon(R)"}, {"cores": 4}, {"python": "3.12.1"}, {"python": "3.11.9"})
    paths = [path_of(machine | other, tmp_path) for other in others]
    assert paths.index(path_of(machine, tmp_path)) == 3 and len(set(paths)) == 4
    assert paths[0].name == "intel-r-xeon-r-2-cores-python-3.11.json"


def test_a_benchmark_that_fails_is_not_kept_and_the_others_run(results: Path) -> None:
    assert run.main(["tlc", "engine"]) == 1
    [path] = results.iterdir()
    assert set(json.loads(path.read_text())["benchmarks"]) == {"engine"}


def test_a_quick_run_judges_no_target_and_leaves_out_what_is_not_installed(results: Path) -> None:
    assert run.main(["engine", "environment", "--quick"]) == 0
    assert run.main(["engine", "tlc", "--quick"]) == 1
    assert run.main(["environment"]) == 1


def test_an_unknown_benchmark_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        run.main(["nonsense"])
    assert end.value.code == 2
    assert "nonsense: no such benchmark" in capsys.readouterr().err


def test_what_is_missing_is_said_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def missing(quick: bool) -> list[Row]:
        raise Unavailable("catanatron is missing")

    monkeypatch.setitem(SUITE, "engine", missing)
    assert run.main(["--one", "engine"]) == 2
    assert capsys.readouterr().err == "catanatron is missing\n"


@pytest.mark.long
def test_a_game_logged_anew_is_the_game_that_was_played(tmp_path: Path) -> None:
    """The very same trees and commits but for the root's nonce, discards and merges included; fsck has no complaint."""
    game, recorded = record_game(tmp_path / "games", 4, seed=1, actions=300)
    logged = log_again(tmp_path / "again", game, recorded)
    assert logged.objects == []
    verdict = audit(tmp_path / "again")
    assert verdict.is_fine and verdict.history is not None
    played = load_history(tmp_path / "games" / f"Catan_{game.number}")
    assert [(one.action, one.tree) for one in verdict.history.actions] == [
        (one.action, one.tree) for one in played.actions[:300]
    ]
    kept = log_again(tmp_path / "kept", game, recorded, keep=True)
    assert len(kept.objects) == 300
    assert all(entries[-1].kind == "commit" for entries in kept.objects)


@pytest.mark.parametrize("players", [2, 6])
def test_an_endless_game_goes_on_and_can_be_audited(players: int, tmp_path: Path) -> None:
    with contextlib.closing(play_endless(tmp_path / "Catan_0", players, seed=5, every=50)) as game:
        first, second = next(game), next(game)
    assert 50 <= first.actions < second.actions
    assert 0 < first.elapsed_s < second.elapsed_s
    verdict = audit(tmp_path / "Catan_0")
    assert verdict.is_fine and verdict.history is not None
    assert len(verdict.history.actions) >= second.actions
