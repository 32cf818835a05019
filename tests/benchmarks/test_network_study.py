"""The page of the network study says what its games say."""

from pathlib import Path

from benchmarks.network_study import PAGE, PICTURES, TABLE, tasks, with_tables

DOCS = Path(__file__).parents[2] / "docs" / "research"


def test_the_tables_follow_from_the_games() -> None:
    page, games = (DOCS / PAGE).read_text("utf-8"), (DOCS / PICTURES / TABLE).read_text("utf-8")
    assert with_tables(page, games) == page
    changed = games.replace("lan,lan,all,back-off,git,0,0,", "lan,lan,star,back-off,git,0,0,", 1)
    assert with_tables(page, changed) != page


def test_no_kind_of_game_is_played_twice() -> None:
    played = [task for task in tasks(2, (2, 4), (0, 10)) if "ring" in task.network]
    assert {task.players for task in played} == {4}
    assert len(tasks(10, (2, 4), (10, 100, 1000))) == 360
