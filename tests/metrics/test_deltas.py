"""The delta of a commit is what git itself counts, found without a process for each."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from catan_p2p.game.actions import Discard, EmptyTrade, MoveBandit, RollDice
from catan_p2p.log.commit import LogEntry
from catan_p2p.log.history import GameHistory, LoggedAction, load_history
from catan_p2p.log.storage.objects import ObjectId, StoreError
from catan_p2p.log.storage.repository import git
from catan_p2p.log.storage.store import GitStore
from catan_p2p.metrics import deltas
from catan_p2p.metrics.deltas import diff_sizes, group_hand_overs, measure_deltas, read_objects
from tests.replication.tables import make_seats, opened


@contextmanager
def open_repository(path: Path) -> Iterator[git.Repo]:
    """What Git reads of a repository."""
    with GitStore.open(path, writer=None) as store:
        yield store.repo


GIT = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "GIT_PAGER": "cat"}


AS_NOBODY = ("-c", "user.name=Nobody", "-c", "user.email=nobody@catan-p2p.invalid")


def git(path: Path, *arguments: str, given: str = "") -> bytes:
    command = ["git", "-C", str(path), *arguments]
    return subprocess.run(command, input=given.encode(), capture_output=True, check=True, env=GIT).stdout


@pytest.fixture(scope="module")
def game(runs: Path) -> Path:
    return runs / "four" / "Catan_0"


@pytest.fixture(scope="module")
def history(game: Path) -> GameHistory:
    return load_history(game)


def test_a_commit_that_changes_nothing_has_an_empty_delta(game: Path, history: GameHistory, tmp_path: Path) -> None:
    head, before = history.actions[-1].commit, history.actions[-1].parents[0]
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", str(game), str(clone))
    idle = ObjectId(
        git(clone, *AS_NOBODY, "commit-tree", f"{head}^{{tree}}", "-p", head, given="idle").decode().strip()
    )
    with open_repository(clone) as repo:
        sizes = diff_sizes(repo, [(idle, head), (head, before)])
    assert sizes == {idle: 0, head: len(git(clone, "diff", before, head))}


def test_deltas_do_not_depend_on_how_many_commits_one_process_is_asked_about(
    game: Path, history: GameHistory, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_repository(game) as repo:
        whole = measure_deltas(repo, history.root, history.actions)
        monkeypatch.setattr(deltas, "CHUNK", 7)
        assert measure_deltas(repo, history.root, history.actions) == whole


def test_no_process_is_started_per_commit(game: Path, history: GameHistory, monkeypatch: pytest.MonkeyPatch) -> None:
    asked, real = [], deltas.ask
    monkeypatch.setattr(
        deltas, "ask", lambda repo, arguments, lines: asked.append(arguments) or real(repo, arguments, lines)
    )
    with open_repository(game) as repo:
        measure_deltas(repo, history.root, history.actions)
    assert len(history.actions) > 200
    assert len(asked) == 3


def test_a_discard_of_the_player_who_rolled_is_a_hand_over_of_its_own(history: GameHistory) -> None:
    state = history.first
    ids = [ObjectId(str(digit) * 40) for digit in range(5)]
    parents = ((), (ids[0],), (ids[1],), (ids[1], ids[2]), (ids[3],))
    actions = (RollDice(1, 7), Discard(1, 0), MoveBandit(1, 1, 0, "none"), EmptyTrade(1))
    logged = [
        LoggedAction(ids[i], parents[i], action, state, ids[0], 0, LogEntry(action))
        for i, action in enumerate(actions, 1)
    ]
    assert group_hand_overs(logged) == [logged[:1], logged[1:2], logged[2:]]


def test_a_missing_object_is_named(game: Path) -> None:
    missing = ObjectId("1" * 40)
    with open_repository(game) as repo, pytest.raises(StoreError, match=missing):
        read_objects(repo, [missing])


def test_what_git_refuses_is_one_line(game: Path) -> None:
    with open_repository(game) as repo, pytest.raises(StoreError) as error:
        deltas.ask(repo, ["diff-tree", "--no-such-option"], [])
    assert "\n" not in str(error.value)
    assert "diff-tree" in str(error.value)


def test_a_game_that_has_pledges_only_changes_no_file(tmp_path: Path) -> None:
    seat = make_seats(tmp_path, 3, chance="joint")[0]
    with opened([seat]) as (red,):
        red.synchronize()
        assert len(red.act()) == 1
        red.store.publish()
    found = load_history(seat)
    with open_repository(seat) as repo:
        assert [delta.diff_bytes for delta in measure_deltas(repo, found.root, found.actions).values()] == [0]
