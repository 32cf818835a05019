"""Tables are taken as they are only if they are those of the games as they are now."""

import os
import subprocess
from pathlib import Path

import pytest

from catan_p2p.log.folders import find_games
from catan_p2p.log.history import load_history
from catan_p2p.metrics.collection import GAMES_FILE, SUMMARY_FILE, measure_games, write_metrics
from catan_p2p.metrics.freshness import why_stale

pytestmark = pytest.mark.long


@pytest.fixture
def tables(own_runs: Path) -> Path:
    """Tables, measured quickly, of the games in ``own_runs``."""
    write_metrics(own_runs / "tables", measure_games(find_games(own_runs).games, thorough=False))
    return own_runs / "tables"


def go_back(game: Path) -> None:
    """Take the last action of a game back; its other branches stay."""
    history = load_history(game)
    branch = f"refs/heads/{history.game.seats[0].colour}_{history.game.number}"
    subprocess.run(["git", "-C", str(game), "update-ref", branch, history.actions[-2].commit], check=True)


def test_tables_are_stale_once_a_game_is_added_or_a_run_goes_on(own_runs: Path, tables: Path, tmp_path: Path) -> None:
    games = find_games(own_runs).games
    assert why_stale(tmp_path / "nowhere", games, thorough=False) == "there are no tables yet"
    assert why_stale(tables, games, thorough=False) is None
    assert why_stale(tables, games[1:], thorough=False) == "the tables are of other games"
    later = (tables / SUMMARY_FILE).stat().st_mtime_ns + 10**9
    os.utime(own_runs / "two" / "games.jsonl", ns=(later, later))
    assert "games.jsonl has changed" in str(why_stale(tables, games, thorough=False))


def test_tables_are_stale_once_a_branch_of_a_game_moves(own_runs: Path, tables: Path) -> None:
    go_back(own_runs / "two" / "Catan_1")
    why = why_stale(tables, find_games(own_runs).games, thorough=False)
    assert why == "game 1 of two has changed since it was measured"


def test_quick_tables_are_not_enough_for_a_thorough_look(own_runs: Path, tables: Path) -> None:
    assert "--quick" in str(why_stale(tables, find_games(own_runs).games, thorough=True))
    write_metrics(tables, measure_games(find_games(own_runs).games))
    assert why_stale(tables, find_games(own_runs).games, thorough=True) is None


@pytest.mark.parametrize("file", [GAMES_FILE, SUMMARY_FILE])
def test_tables_that_cannot_be_read_are_stale_and_the_file_is_named(own_runs: Path, tables: Path, file: str) -> None:
    (tables / file).write_bytes(b"run\n\xff\n")
    assert file in str(why_stale(tables, find_games(own_runs).games, thorough=False))
