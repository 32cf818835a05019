"""Reading repositories: finished, growing, seen by one peer, broken, half-written and vanished."""

import gc
import shutil
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from catan_p2p.game.actions import Action
from catan_p2p.game.constants import Constants
from catan_p2p.log.storage.store import GitStore
from tests.log.storage.repositories import copy_of, git
from tests.visualizer.games import FOUR_DISCARDS, WrittenGame, random_actions, recorded
from visualizer.data.feed import FeedUpdate, GameFeed, GameReader, NoSuchPeer, applied
from visualizer.data.recording import GameRecording
from visualizer.data.repository import NoGame, find_replicas

CONSTANTS = Constants(player_count=4)
LENGTH = 340


@pytest.fixture(scope="module")
def actions() -> list[Action]:
    return random_actions(CONSTANTS, FOUR_DISCARDS, most=LENGTH)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory, actions: list[Action]) -> Iterator[WrittenGame]:
    written = WrittenGame(tmp_path_factory.mktemp("read") / "Catan_0", CONSTANTS)
    written.write(*actions)
    yield written
    written.close()


@pytest.fixture
def growing(tmp_path: Path) -> Iterator[WrittenGame]:
    written = WrittenGame(tmp_path / "Catan_0", CONSTANTS)
    yield written
    written.close()


def news(reader: GameReader) -> FeedUpdate:
    update = reader.refresh()
    assert update is not None
    return update


def looked(path: Path, peer: str | None = None) -> FeedUpdate:
    reader = GameReader(path, peer, following=False)
    update = news(reader)
    reader.close()
    return update


def read(path: Path, peer: str | None = None) -> GameRecording:
    update = looked(path, peer)
    recording = applied(None, update)
    assert recording is not None, update.situation.problem
    return recording


def problem(path: Path) -> str:
    update = looked(path)
    assert update.situation.problem is not None
    return update.situation.problem


def test_a_repository_reads_as_the_game_that_was_written(finished: WrittenGame, actions: list[Action]) -> None:
    recording = read(finished.path)
    expected = recorded(CONSTANTS, FOUR_DISCARDS, most=LENGTH)
    assert [step.action for step in recording.steps] == [None, *actions]
    assert [step.state for step in recording.steps] == [step.state for step in expected.steps]
    assert [step.commit for step in recording.steps] == finished.commits
    assert [seat.colour for seat in recording.seats] == ["Red", "Blue", "Green", "Orange"]
    assert recording.title == "Catan_0"


@pytest.mark.long
def test_parents_are_those_that_git_names(finished: WrittenGame) -> None:
    recording = read(finished.path)
    for step in recording.steps:
        assert git(finished.path, "rev-list", "--parents", "-1", step.commit).split()[1:] == list(step.parents)


def test_branches_end_where_git_says(finished: WrittenGame) -> None:
    recording = read(finished.path)
    listed = git(finished.path, "for-each-ref", "--format=%(refname:short) %(objectname)", "refs/heads").splitlines()
    assert recording.heads == dict(line.split() for line in listed)


def test_discards_are_on_branches_named_after_the_roll(finished: WrittenGame) -> None:
    recording = read(finished.path)
    roll = recording.steps[309].commit
    for step in recording.steps[310:314]:
        assert step.branch == f"{roll}_loss_{recording.colour(step.player)}_0"
        assert step.parents == (roll,)


# Growing


def test_what_is_added_is_read_and_nothing_else(growing: WrittenGame, actions: list[Action]) -> None:
    reader = GameReader(growing.path, None, following=True)
    update = news(reader)
    recording = applied(None, update)
    assert recording is not None
    assert len(recording) == 1
    assert reader.refresh() is None
    for begin, end in ((0, 8), (8, 9), (9, 100), (100, 309), (309, 311), (311, 313), (313, 320)):
        growing.write(*actions[begin:end])
        update = news(reader)
        assert len(update.commits) == end - begin
        assert update.kept == begin + 1
        recording = applied(recording, update)
        assert recording is not None
        assert [step.commit for step in recording.steps] == growing.commits
        assert reader.refresh() is None
    reader.close()


def test_discards_that_are_not_merged_yet_are_shown(growing: WrittenGame, actions: list[Action]) -> None:
    growing.write(*actions[:311])
    recording = read(growing.path)
    assert [step.is_reply for step in recording.steps[-3:]] == [False, True, True]
    assert recording.most_replies == 2


def test_a_thread_tells_of_new_steps(growing: WrittenGame, actions: list[Action]) -> None:
    feed = GameFeed(growing.path, following=True)
    feed.start()
    recording: GameRecording | None = None
    try:
        for begin, end in ((0, 50), (50, 120)):
            growing.write(*actions[begin:end])
            for _ in range(100):
                for update in feed.take(timeout_s=0.2):
                    recording = applied(recording, update)
                if recording is not None and len(recording) == end + 1:
                    break
            assert recording is not None
            assert [step.commit for step in recording.steps] == growing.commits
    finally:
        feed.stop()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_thread_that_ends_by_a_mistake_tells_it(growing: WrittenGame, monkeypatch: pytest.MonkeyPatch) -> None:
    feed = GameFeed(growing.path, following=True)
    feed.start()
    try:
        assert [update.situation.problem for update in feed.take(timeout_s=10)] == [None]
        monkeypatch.setattr(GameReader, "refresh", lambda reader: {}["no such commit"])
        (last,) = feed.take(timeout_s=10)
    finally:
        feed.stop()
    assert last.game is None, "what was shown stays"
    assert last.situation.problem is not None and "KeyError: 'no such commit'" in last.situation.problem


@pytest.mark.long
def test_looking_again_and_again_keeps_nothing(finished: WrittenGame) -> None:
    reader = GameReader(finished.path, None, following=True)
    reader.refresh()
    tracemalloc.start()
    for _ in range(20):
        reader.refresh()
    gc.collect()
    before, _ = tracemalloc.get_traced_memory()
    for _ in range(400):
        assert reader.refresh() is None
    gc.collect()
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    reader.close()
    assert after - before < 20_000


def test_a_game_that_does_not_exist_yet_is_waited_for(tmp_path: Path, actions: list[Action]) -> None:
    reader = GameReader(tmp_path / "later", None, following=True)
    update = news(reader)
    assert update.game is None
    assert "waiting" in (update.situation.reading or "")
    assert reader.refresh() is None
    written = WrittenGame(tmp_path / "later", CONSTANTS)
    written.write(*actions[:5])
    update = news(reader)
    assert len(update.commits) == 6
    reader.close()
    written.close()


def test_a_game_in_the_making_is_not_taken_for_the_game(tmp_path: Path, actions: list[Action]) -> None:
    """A simulation makes the repository in ``.Catan_0.new`` and renames it; the viewer was there before."""
    run = tmp_path / "run_1"
    reader = GameReader(run, None, following=True)
    assert reader.refresh() is not None
    making = WrittenGame(run / ".Catan_0.new", CONSTANTS)
    making.close()
    update = news(reader)
    assert update.game is None
    (run / ".Catan_0.new").rename(run / "Catan_0")
    update = news(reader)
    assert [commit.commit for commit in update.commits] == making.commits
    reader.close()


def test_replicas_that_appear_one_after_the_other_are_all_followed(
    finished: WrittenGame, tmp_path: Path, actions: list[Action]
) -> None:
    """As with separate peers, whose repositories are cloned one by one while the viewer already looks."""
    folder = tmp_path / "Catan_0"
    folder.mkdir()
    reader = GameReader(folder, None, following=True)
    assert reader.refresh() is not None
    short = WrittenGame(folder / ".Red.new", CONSTANTS)
    short.write(*actions[:3])
    short.close()
    assert reader.refresh() is None
    (folder / ".Red.new").rename(folder / "Red")
    update = news(reader)
    assert len(update.commits) == 4
    copy_of(finished.path, folder / "Blue")
    update = news(reader)
    assert len(update.commits) == LENGTH + 1 - 4
    assert dict(update.situation.behind)["Red"] == LENGTH - 3
    reader.close()


def test_a_replica_that_was_lost_before_it_was_read_is_forgotten(tmp_path: Path, actions: list[Action]) -> None:
    reader = GameReader(tmp_path, None, following=True)
    (tmp_path / "Catan_0" / ".git").mkdir(parents=True)
    update = news(reader)
    assert update.game is None
    shutil.rmtree(tmp_path / "Catan_0")
    reader.refresh()
    written = WrittenGame(tmp_path / "Catan_1", CONSTANTS, number=1)
    update = news(reader)
    assert len(update.commits) == 1
    reader.close()
    written.close()


# Peers


@pytest.mark.parametrize("spell", [str.lower, str.capitalize, str.upper])
def test_a_folder_of_replicas_opens_however_its_colours_are_spelled(
    finished: WrittenGame, tmp_path: Path, spell: Callable[[str], str]
) -> None:
    for colour in ("Red", "Blue"):
        copy_of(finished.path, tmp_path / spell(colour))
    (tmp_path / "red.key").write_text("not a repository")
    assert find_replicas(tmp_path) == {colour: tmp_path / spell(colour) for colour in ("Red", "Blue")}


def test_a_peer_knows_what_its_own_branch_reaches(finished: WrittenGame) -> None:
    everything = read(finished.path)
    for colour in ("Red", "Blue", "Green", "Orange"):
        known = read(finished.path, colour)
        head = git(finished.path, "rev-parse", f"{colour}_0")
        assert {step.commit for step in known.steps} == set(git(finished.path, "rev-list", head).split())
        assert known.steps[-1].state == everything.steps[everything.row_of[head]].state


def test_the_lag_of_each_peer_is_counted(finished: WrittenGame) -> None:
    update = looked(finished.path)
    total = len(finished.commits)
    for colour, behind in update.situation.behind:
        known = len(git(finished.path, "rev-list", f"{colour}_0").split())
        assert behind == total - known
    assert any(behind for _, behind in update.situation.behind)


def test_a_peer_that_has_not_seen_others_discards_does_not_know_their_cards(
    growing: WrittenGame, actions: list[Action]
) -> None:
    growing.write(*actions[:312])
    third = read(growing.path).steps[312]
    assert third.is_reply
    known = read(growing.path, read(growing.path).colour(third.player))
    assert third.commit in known.row_of
    assert sum(step.is_reply for step in known.steps[309:]) == 1


def test_switching_peers_keeps_what_both_know_and_replaces_the_rest(finished: WrittenGame) -> None:
    reader = GameReader(finished.path, None, following=False)
    update = news(reader)
    recording = applied(None, update)
    for peer in ("Blue", "Green", None, "Orange", "Red", None):
        reader.peer = peer
        update = reader.update()
        assert update is not None
        recording = applied(recording, update)
        assert recording is not None
        fresh = read(finished.path, peer)
        for name in ("steps", "points", "turns", "turn_ends", "round_ends", "marks", "row_of", "heads"):
            assert getattr(recording, name) == getattr(fresh, name), (peer, name)
    reader.close()


def test_a_colour_that_does_not_play_is_refused(finished: WrittenGame) -> None:
    reader = GameReader(finished.path, "Brown", following=False)
    with pytest.raises(NoSuchPeer, match="Brown does not play in this game; Red, Blue, Green, Orange do"):
        reader.refresh()
    reader.close()


def test_replicas_in_folders_of_their_own_are_compared(finished: WrittenGame, tmp_path: Path) -> None:
    for colour in ("Red", "Blue"):
        copy_of(finished.path, tmp_path / colour)
    behind = finished.commits[120]
    for name in git(tmp_path / "Blue", "for-each-ref", "--format=%(refname)", "refs/heads").split():
        git(tmp_path / "Blue", "update-ref", name, behind)
    assert len(read(tmp_path)) == LENGTH + 1
    assert len(read(tmp_path, "Blue")) == 121
    update = looked(tmp_path)
    assert dict(update.situation.behind)["Blue"] == LENGTH - 120


def test_what_a_replica_has_fetched_counts_as_known(finished: WrittenGame, tmp_path: Path) -> None:
    copy = copy_of(finished.path, tmp_path / "replica")
    line = git(copy, "rev-list", "--first-parent", "--reverse", "Red_0").split()
    git(copy, "update-ref", "refs/remotes/Blue/Blue_0", git(copy, "rev-parse", "Blue_0"))
    git(copy, "update-ref", "-d", "refs/heads/Blue_0")
    git(copy, "update-ref", "refs/heads/Red_0", line[50])
    assert len(read(copy, "Blue")) == len(git(copy, "rev-list", "refs/remotes/Blue/Blue_0").split())


# What is wrong


def test_a_folder_that_is_no_game_is_named(tmp_path: Path) -> None:
    with pytest.raises(NoGame, match="nothing: no such folder"):
        find_replicas(tmp_path / "nothing")
    with pytest.raises(NoGame, match="not a Git repository"):
        find_replicas(tmp_path)
    (tmp_path / "file").write_text("x")
    with pytest.raises(NoGame, match="file: not a folder"):
        find_replicas(tmp_path / "file")
    for name in ("Catan_0", "Catan_1"):
        git(tmp_path, "init", "-q", name)
    with pytest.raises(NoGame, match=r"holds 2 games; name one, such as .*Catan_0"):
        find_replicas(tmp_path)


def test_a_folder_with_one_game_in_it_is_that_game(finished: WrittenGame) -> None:
    assert find_replicas(finished.path.parent) == {"": finished.path}


def test_a_repository_without_a_game_is_named(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "empty")
    assert "it has no branch such as Red_0" in problem(tmp_path / "empty")


def test_a_commit_that_is_refused_is_told_and_what_comes_before_is_shown(finished: WrittenGame, tmp_path: Path) -> None:
    copy = copy_of(finished.path, tmp_path / "copy")
    head = git(copy, "rev-parse", "Red_0")
    tree = git(copy, "rev-parse", "Red_0^{tree}")
    bad = git(copy, "commit-tree", tree, "-p", head, "-m", "roll_dice player_1 8")
    git(copy, "update-ref", "refs/heads/Red_0", bad)
    assert bad[:10] in problem(copy)
    assert len(read(copy)) == LENGTH + 1
    update = looked(copy)
    (refused,) = update.situation.refused
    assert (refused.commit, refused.parents, refused.colour, refused.branch) == (bad, (head,), "Red", "Red_0")
    assert refused.reason and refused.detail


def test_a_half_written_repository_shows_what_is_there_and_heals(finished: WrittenGame, tmp_path: Path) -> None:
    copy = copy_of(finished.path, tmp_path / "copy")
    reader = GameReader(copy, None, following=True)
    refs = git(copy, "for-each-ref", "--format=%(refname) %(objectname)", "refs/heads").splitlines()
    for line in refs:
        git(copy, "update-ref", line.split()[0], finished.commits[100])
    update = news(reader)
    assert len(update.commits) == 101
    missing = "12" * 20
    (copy / ".git/refs/heads/Red_0").write_text(missing + "\n")
    update = news(reader)
    assert missing[:10] in (update.situation.problem or "")
    for line in refs:
        git(copy, "update-ref", *line.split())
    update = news(reader)
    assert update.situation.problem is None
    assert len(update.commits) == LENGTH - 100
    reader.close()


def test_objects_that_cannot_be_read_are_a_message(finished: WrittenGame, tmp_path: Path) -> None:
    copy = copy_of(finished.path, tmp_path / "copy")
    for pack in (copy / ".git/objects/pack").iterdir():
        data = bytearray(pack.read_bytes())
        data[len(data) // 3 : len(data) // 3 + 400] = bytes(400)
        pack.chmod(0o644)
        pack.write_bytes(data)
    assert str(copy) in problem(copy) or "rejected" in problem(copy)


def test_a_fork_is_told_with_both_commits(finished: WrittenGame, tmp_path: Path) -> None:
    copy = copy_of(finished.path, tmp_path / "copy")
    own = [step.commit for step in read(copy).steps if step.branch == "Orange_0"]
    built_upon = own[len(own) // 2]
    with GitStore.open(copy, writer=None) as store:
        kind, data = store.read(built_upon)  # type: ignore[arg-type]
    later = data.replace(b" +0000\n", b"0 +0000\n")
    forked = git(copy, "hash-object", "-w", "-t", kind, "--stdin", data=later)
    git(copy, "update-ref", "refs/heads/Orange_0", forked)
    told = problem(copy)
    assert "fork" in told
    assert forked[:10] in told
    assert built_upon[:10] in told


def test_a_folder_that_vanishes_is_told_and_the_game_stays(finished: WrittenGame, tmp_path: Path) -> None:
    copy = copy_of(finished.path, tmp_path / "copy")
    reader = GameReader(copy, None, following=True)
    update = news(reader)
    recording = applied(None, update)
    shutil.rmtree(copy)
    update = news(reader)
    assert "the folder has vanished" in (update.situation.problem or "")
    recording = applied(recording, update)
    assert recording is not None
    assert len(recording) == LENGTH + 1
    copy_of(finished.path, copy)
    update = news(reader)
    assert update.situation.problem is None
    reader.close()


def test_branches_of_another_game_are_told(finished: WrittenGame, tmp_path: Path) -> None:
    copy = copy_of(finished.path, tmp_path / "copy")
    git(copy, "update-ref", "refs/heads/Red_7", finished.commits[3])
    git(copy, "update-ref", "refs/heads/White_0", finished.commits[3])
    told = problem(copy)
    assert "no White player in game 0" in told
    assert len(read(copy)) == LENGTH + 1
