"""The delta of a commit is what git itself counts, found without a process for each."""

import os
import random
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import pytest

from catan_p2p.game.actions import Discard, EmptyTrade, MoveBandit, RollDice
from catan_p2p.log.commit import LogEntry
from catan_p2p.log.history import GameHistory, LoggedAction, load_history
from catan_p2p.log.storage.objects import ObjectId, StoreError
from catan_p2p.log.storage.repository import git
from catan_p2p.log.storage.store import GitStore
from catan_p2p.metrics import deltas
from catan_p2p.metrics.deltas import diff_sizes, group_hand_overs, hand_overs, measure_deltas, read_objects
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


def sample(history: GameHistory) -> list[tuple[ObjectId, ObjectId]]:
    """The first commits, every merge and discard, and some others: commit and first parent."""
    pairs = [(logged.commit, logged.parents[0]) for logged in history.actions]
    merges = [(logged.commit, logged.parents[0]) for logged in history.actions if len(logged.parents) > 1]
    return [*pairs[:5], *merges, *random.Random(3).sample(pairs, 40)]


def tree(game: Path, commit: ObjectId) -> dict[str, str]:
    """Every folder and file of a commit below the top, with its id."""
    lines = git(game, "ls-tree", "-r", "-t", commit).decode().splitlines()
    return {path: entry.split()[2] for entry, path in (line.split("\t") for line in lines)}


def test_a_delta_is_what_git_diff_prints(game: Path, history: GameHistory) -> None:
    with open_repository(game) as repo:
        sizes = diff_sizes(repo, [(logged.commit, logged.parents[0]) for logged in history.actions])
    assert len(sizes) == len(history.actions)
    for commit, parent in sample(history):
        assert sizes[commit] == len(git(game, "diff", parent, commit)), commit


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


def test_the_objects_of_a_commit_are_those_that_differ_from_its_parents(game: Path, history: GameHistory) -> None:
    with open_repository(game) as repo:
        found = measure_deltas(repo, history.root, history.actions)
    for commit, parent in sample(history):
        was, now = tree(game, parent), tree(game, commit)
        changed = [path for path in now if was.get(path) != now[path]]
        assert found[commit].changed_object_count == 1 + 1 + len(changed), commit


def test_the_computed_pack_is_about_as_large_as_gits_own(game: Path, history: GameHistory) -> None:
    """Git may choose other deltas, so single commits differ; over many the two agree within a fifth."""
    with open_repository(game) as repo:
        found = measure_deltas(repo, history.root, history.actions)
    computed = sent = 0
    for commit, parent in sample(history):
        computed += found[commit].pack_bytes
        sent += len(git(game, "pack-objects", "--revs", "--thin", "--stdout", "-q", given=f"{commit}\n^{parent}\n"))
    assert 0.8 < computed / sent < 1.2


def test_hand_overs_cover_every_commit_once(game: Path, history: GameHistory) -> None:
    with open_repository(game) as repo:
        found = hand_overs(repo, history.actions)
    assert sum(hand_over.commits for hand_over in found) == len(history.actions)
    assert len(found) < len(history.actions) / 2
    assert all(hand_over.sent_bytes > 32 for hand_over in found)


def test_a_hand_over_ends_where_somebody_else_goes_on_or_discards(history: GameHistory) -> None:
    for group in group_hand_overs(history.actions):
        assert len({logged.action.player for logged in group}) == 1
        assert all(type(logged.action).__name__ != "Discard" for logged in group[1:])
        for before, after in pairwise(group):
            assert after.parents == (before.commit,)


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


def test_a_pack_of_a_hand_over_is_what_a_fetch_would_receive(game: Path, history: GameHistory, tmp_path: Path) -> None:
    """Into a repository that has all before, git index-pack takes the pack and completes the commits."""
    group = group_hand_overs(history.actions)[30]
    before, head = group[0].parents[0], group[-1].commit
    other = tmp_path / "other.git"
    git(tmp_path, "init", "-q", "--bare", str(other))
    git(other, "fetch", "-q", str(game), f"{before}:refs/heads/had")
    with open_repository(game) as repo:
        size = next(one.sent_bytes for one in hand_overs(repo, history.actions) if one.head == head)
    pack = git(
        game, "pack-objects", "--revs", "--thin", "--stdout", "--delta-base-offset", "-q", given=f"{head}\n^{before}\n"
    )
    subprocess.run(["git", "-C", str(other), "index-pack", "--stdin", "--fix-thin"], input=pack, check=True, env=GIT,
                   capture_output=True)  # fmt: skip
    assert git(other, "rev-parse", f"{head}^{{tree}}").strip() == group[-1].tree.encode()
    assert abs(size - len(pack)) <= 20


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
