"""Finding games: what has a game's name or was recorded is found or told as lacking, never passed over."""

import json
from pathlib import Path

import pytest

from catan_p2p.log.audit import whole_games
from catan_p2p.log.folders import RESULTS_FILE, MissingRepository, find_games
from catan_p2p.log.storage.objects import StoreError
from tests.log.storage.repositories import git


def repository(path: Path) -> Path:
    """An empty repository: finding opens it and reads nothing."""
    path.mkdir(parents=True)
    git(path, "init", "--quiet")
    return path


def record(run: Path, *games: tuple[int, int]) -> None:
    """The results file of a run with these games, each by number and players."""
    lines = [json.dumps({"game": number, "players": players}) + "\n" for number, players in games]
    (run / RESULTS_FILE).write_text("".join(lines))


def test_the_games_of_a_run_are_found_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    for number in (10, 0, 2):
        repository(tmp_path / f"Catan_{number}")
    for other in ("Catan_0.metrics", "Catan_", "Catan_x", "Catan_007"):
        (tmp_path / other).mkdir()
    (tmp_path / "Catan_0.timings.csv").write_text("")
    found = find_games(tmp_path)
    assert [game.name for game in found.games] == ["Catan_0", "Catan_2", "Catan_10"]
    assert found.lacking == ()
    assert whole_games(tmp_path) == found.games


def test_a_game_and_a_repository_of_one_are_found_by_themselves(tmp_path: Path) -> None:
    run = tmp_path / "run"
    shared, red, blue = (repository(run / name) for name in ("Catan_0", "Catan_1/Red", "Catan_1/Blue"))
    for path, repositories in ((shared, (shared,)), (run / "Catan_1", (red, blue)), (blue, (blue,))):
        [game] = find_games(path).games
        assert game.repositories == repositories
        assert game.is_shared == (len(repositories) == 1)
    both = find_games(run).games
    assert [game.repositories for game in both] == [(shared,), (red, blue)]
    assert find_games(tmp_path).games == both
    assert {game.run for game in both} == {"run"}


def test_what_has_the_name_of_a_game_and_is_none_is_lacking(tmp_path: Path) -> None:
    repository(tmp_path / "Catan_0")
    (tmp_path / "Catan_1").mkdir()
    (tmp_path / "Catan_2").write_text("")
    (tmp_path / "Catan_3").symlink_to(tmp_path / "nowhere")
    (tmp_path / "Catan_4" / ".git").mkdir(parents=True)
    found = find_games(tmp_path)
    assert [game.name for game in found.games] == ["Catan_0"]
    reasons = ("not a Git repository", "not a folder", "no such folder", "not a Git repository")
    assert found.lacking == tuple(MissingRepository(tmp_path / f"Catan_{i}", why) for i, why in enumerate(reasons, 1))
    with pytest.raises(StoreError, match="Catan_1: not a Git repository"):
        whole_games(tmp_path)


def test_what_a_run_recorded_and_is_not_there_is_lacking(tmp_path: Path) -> None:
    repository(tmp_path / "Catan_1")
    record(tmp_path, (0, 2), (1, 2))
    assert find_games(tmp_path).lacking == (MissingRepository(tmp_path / "Catan_0", "no such folder"),)
    record(tmp_path / "Catan_1", (7, 2))
    assert len(find_games(tmp_path / "Catan_1").games) == 1, "a game is no run"


def test_a_run_whose_games_are_all_gone_is_no_empty_folder(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    record(tmp_path / "run", (0, 2))
    for path in (tmp_path, tmp_path / "run"):
        assert find_games(path) == ((), (MissingRepository(tmp_path / "run" / "Catan_0", "no such folder"),))


def test_of_separate_repositories_those_of_all_players_are_expected(tmp_path: Path) -> None:
    red = repository(tmp_path / "Catan_0" / "Red")
    assert find_games(tmp_path).lacking == ()
    (tmp_path / "Catan_0" / "Green").write_text("")
    record(tmp_path, (0, 3))
    found = find_games(tmp_path)
    assert [game.repositories for game in found.games] == [(red,)]
    assert [str(lacking) for lacking in found.lacking] == [
        f"{tmp_path}/Catan_0/Blue: no such folder",
        f"{tmp_path}/Catan_0/Green: not a folder",
    ]


@pytest.mark.parametrize("line", ["{", "[]", "{}", '{"game": "0", "players": 2}', '{"game": -1, "players": 2}'])
def test_a_line_that_records_no_game_is_told(tmp_path: Path, line: str) -> None:
    repository(tmp_path / "Catan_0")
    (tmp_path / RESULTS_FILE).write_text(f'{{"game": 0, "players": 2}}\n{line}\n{{"game": 1')
    found = find_games(tmp_path)
    assert len(found.games) == 1
    [lacking] = found.lacking
    assert lacking.path == tmp_path / RESULTS_FILE
    assert lacking.why.startswith("line 2: not a game's result: ")


def test_where_no_game_is_expected_there_is_none(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for path, why in (
        (tmp_path, "not a game"),
        (tmp_path / "nowhere", "no such folder"),
        (tmp_path / "file", "not a folder"),
        (tmp_path / "file" / "below", "no such folder"),
    ):
        with pytest.raises(StoreError, match=why):
            find_games(path)
