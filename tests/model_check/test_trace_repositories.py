"""Whole repositories and ``check-trace``: every branch is looked at, and every commit down to its author and files.

TLC judges the actions; who wrote a commit, what it hangs on and which files it has is compared before.
"""

import json
from pathlib import Path

import pytest

from catan_p2p.cli.main import main
from catan_p2p.game.actions import ComeBack, Excuse
from catan_p2p.game.constants import Hands
from catan_p2p.log.commit import Commit
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.model_check.recording import read_recording
from catan_p2p.model_check.tlc import OutOfTime, TlcError, TlcProgram
from catan_p2p.model_check.trace import TraceRefusal, check_recording
from tests.log.storage.repositories import commit_at, copy_of, git, main_line, played, rewrite_from, write_commit
from tests.replication.changes import seats, without_one
from tests.replication.peers import PATIENCE_S, PeerTable
from tests.replication.tables import opened, play_rounds
from tests.typed import Typed

pytestmark = [pytest.mark.needs("spec"), pytest.mark.long, pytest.mark.sampled(4, together=True)]


def waiting(game: Path, kind: str, replies: int) -> Path:
    """Take a game back to the first commit that so many replied to: the logs end there, each reply has its branch."""
    merge = git(game, "rev-list", "--reverse", f"--min-parents={1 + replies}", "Red_0").split()[0]
    base, *others = commit_at(game, merge).parents
    for ref in git(game, "for-each-ref", "--format=%(refname)", "refs/heads/").split():
        git(game, "update-ref", ref, base)
    for reply in others:
        author = commit_at(game, reply).author.name
        git(game, "update-ref", f"refs/heads/{base}_{kind}_{author}", reply)
    return game


@pytest.fixture(scope="module")
def seven(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game of four in which two owe cards after a seven, and both have discarded."""
    return waiting(played(tmp_path_factory.mktemp("games"), players=4, seed=3), "loss", 2)


@pytest.fixture(scope="module")
def offer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game by the rule book with an offer that two have answered."""
    folder = tmp_path_factory.mktemp("games")
    return waiting(played(folder, players=3, seed=3, rules="brief"), "answer", 2)


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The first forty steps of a game of two: ``Blue_0`` is some commits behind ``Red_0``."""
    game = played(tmp_path_factory.mktemp("games"), seed=3)
    line = main_line(game, "Red_0")
    git(game, "update-ref", "refs/heads/Red_0", line[40])
    git(game, "update-ref", "refs/heads/Blue_0", line[36])
    return game


def replies_of(game: Path) -> dict[str, ObjectId]:
    """The temporary branches, by full name."""
    lines = git(game, "for-each-ref", "--format=%(refname) %(objectname)", "refs/heads/").splitlines()
    found = dict(line.split() for line in lines)
    return {ref: ObjectId(commit) for ref, commit in found.items() if "_loss_" in ref or "_answer_" in ref}


def check(game: Path, tlc: TlcProgram) -> TraceRefusal | None:
    return check_recording(read_recording(game), tlc)


def refused(game: Path, tlc: TlcProgram) -> TraceRefusal:
    refusal = check(game, tlc)
    assert refusal is not None
    return refusal


# Replies that nothing follows yet


@pytest.mark.parametrize("which", ["seven", "offer"])
def test_replies_that_nothing_follows_yet_are_steps_and_accepted(
    which: str, request: pytest.FixtureRequest, tlc: TlcProgram
) -> None:
    game = request.getfixturevalue(which)
    recording = read_recording(game)
    assert len(recording.pending) == 2
    assert recording.step_count == int(git(game, "rev-list", "--count", "--branches")) - 1
    assert check_recording(recording, tlc) is None


def test_some_of_the_replies_are_accepted_without_the_others(seven: Path, tmp_path: Path, tlc: TlcProgram) -> None:
    game = copy_of(seven, tmp_path / "game")
    git(game, "update-ref", "-d", next(iter(replies_of(game))))
    recording = read_recording(game)
    assert len(recording.pending) == 1
    assert check_recording(recording, tlc) is None


def test_a_discard_that_nobody_owes_is_refused_at_the_end_of_a_log(
    begun: Path, tmp_path: Path, tlc: TlcProgram
) -> None:
    game = copy_of(begun, tmp_path / "game")
    head = commit_at(game, "Red_0")
    message = "discard player_1\n\nAction: discard\nPlayer: 1\nCards: 4 Ore\n"
    author = commit_at(game, main_line(game, "Red_0")[0]).author
    parents = (main_line(game, "Red_0")[-1],)
    bad = write_commit(game, Commit(head.tree, parents, author, author, message))
    git(game, "update-ref", "refs/heads/Red_0", bad)
    refusal = refused(game, tlc)
    assert (refusal.commit, refusal.accepted) == (bad, 40)
    assert "DI1 phase" in refusal.guards


@pytest.mark.parametrize(("which", "guard"), [("seven", "DI2 owes"), ("offer", "AT2 asked")])
def test_a_second_reply_of_a_player_is_refused(
    which: str, guard: str, request: pytest.FixtureRequest, tmp_path: Path, tlc: TlcProgram
) -> None:
    game = copy_of(request.getfixturevalue(which), tmp_path / "game")
    first = next(iter(replies_of(game).values()))
    parts = commit_at(game, first)
    later = parts.author._replace(time_s=parts.author.time_s + 1)
    again = write_commit(game, parts._replace(author=later, committer=later))
    git(game, "update-ref", f"refs/heads/{parts.author.name}", again)
    refusal = refused(game, tlc)
    assert refusal.commit in (first, again)
    assert guard in refusal.guards


def test_a_reply_whose_tree_holds_more_is_refused_before_anything_follows(
    seven: Path, tmp_path: Path, tlc: TlcProgram
) -> None:
    game = copy_of(seven, tmp_path / "game")
    replies = replies_of(game)
    (ref, first), (_, second) = replies.items()
    bad = write_commit(game, commit_at(game, first)._replace(tree=commit_at(game, second).tree))
    git(game, "update-ref", ref, bad)
    refusal = refused(game, tlc)
    assert (refusal.commit, refusal.guards) == (bad, ())
    assert "the tree differs" in refusal.detail


def test_a_reply_to_a_reply_is_refused(seven: Path, tmp_path: Path, tlc: TlcProgram) -> None:
    game = copy_of(seven, tmp_path / "game")
    (_, first), (ref, second) = replies_of(game).items()
    bad = write_commit(game, commit_at(game, second)._replace(parents=(first,)))
    git(game, "update-ref", ref, bad)
    refusal = refused(game, tlc)
    assert refusal.commit == bad
    assert f"cannot follow {first[:10]}" in refusal.detail


# Every branch is on the line


def test_logs_that_lag_behind_are_no_fork(begun: Path, tlc: TlcProgram) -> None:
    assert main_line(begun, "Red_0") != main_line(begun, "Blue_0")
    assert check(begun, tlc) is None


def test_the_branches_of_one_peer_and_its_copies_of_the_others_are_enough(
    seven: Path, tmp_path: Path, tlc: TlcProgram
) -> None:
    """One player's repository: the own log lags behind the seven, the other logs and their replies are remote."""
    game = copy_of(seven, tmp_path / "game")
    replies = replies_of(game)
    own = next(iter(replies))
    colour = own.rpartition("_loss_")[2].removesuffix("_0")
    line = main_line(game, "Red_0")
    for ref in git(game, "for-each-ref", "--format=%(refname)", "refs/heads/").split():
        if ref == f"refs/heads/{colour}_0":
            git(game, "update-ref", ref, line[-7])
        elif ref != own:
            name = ref.removeprefix("refs/heads/")
            git(game, "update-ref", f"refs/remotes/{name.rpartition('_')[0][-5:]}/{name}", ref)
            git(game, "update-ref", "-d", ref)
    recording = read_recording(game)
    assert {step.commit for step in recording.pending} == {*replies.values()}
    assert recording.entries[-1].step.commit == line[-1]
    assert check_recording(recording, tlc) is None


def test_a_reply_that_is_merged_may_keep_its_branch(tmp_path: Path, tlc: TlcProgram) -> None:
    game = played(tmp_path, players=4, seed=3)
    merge = git(game, "rev-list", "--reverse", "--min-parents=3", "Red_0").split()[0]
    base, *replies = commit_at(game, merge).parents
    for colour in ("Red", "Blue", "Green", "Orange"):
        git(game, "update-ref", f"refs/heads/{colour}_0", merge)
    git(game, "update-ref", f"refs/heads/{base}_loss_{commit_at(game, replies[0]).author.name}", replies[0])
    recording = read_recording(game)
    assert recording.pending == ()
    assert check_recording(recording, tlc) is None


def other_action(game: Path, at: int) -> ObjectId:
    """The commit at a position of the line once more, a second later."""
    parts = commit_at(game, main_line(game, "Red_0")[at])
    later = parts.author._replace(time_s=parts.author.time_s + 1)
    return write_commit(game, parts._replace(author=later, committer=later))


def test_a_shorter_fork_is_refused_and_both_commits_are_named(begun: Path, tmp_path: Path, tlc: TlcProgram) -> None:
    game = copy_of(begun, tmp_path / "game")
    line = main_line(game, "Red_0")
    fork = other_action(game, 30)
    git(game, "update-ref", "refs/heads/Blue_0", fork)
    refusal = refused(game, tlc)
    assert (refusal.commit, refusal.accepted) == (fork, 40)
    assert "Blue_0" in refusal.detail
    assert line[40][:10] in refusal.detail


def test_a_reply_to_what_play_has_gone_on_from_is_refused(seven: Path, tmp_path: Path, tlc: TlcProgram) -> None:
    game = copy_of(seven, tmp_path / "game")
    ref, reply = next(iter(replies_of(game).items()))
    late = write_commit(game, commit_at(game, reply)._replace(parents=(main_line(game, "Red_0")[-4],)))
    git(game, "update-ref", ref, late)
    refusal = refused(game, tlc)
    assert refusal.commit == late
    assert main_line(game, "Red_0")[-1][:10] in refusal.detail


def test_a_log_of_another_game_is_refused(begun: Path, tmp_path: Path, tlc: TlcProgram) -> None:
    game = copy_of(begun, tmp_path / "game")
    root = commit_at(game, main_line(game, "Red_0")[0])
    other = write_commit(game, root._replace(message=root.message.replace("seed 3", "seed 4")))
    git(game, "update-ref", "refs/heads/Blue_0", other)
    refusal = refused(game, tlc)
    assert (refusal.commit, refusal.accepted) == (other, 40)


def test_a_merge_of_what_is_no_reply_is_refused(begun: Path, tmp_path: Path, tlc: TlcProgram) -> None:
    game = copy_of(begun, tmp_path / "game")
    line = main_line(game, "Red_0")
    fork = other_action(game, 20)
    parts = commit_at(game, line[40])
    merge = write_commit(game, parts._replace(parents=(*parts.parents, fork)))
    git(game, "update-ref", "refs/heads/Red_0", merge)
    assert refused(game, tlc).commit in (fork, merge)


# Whose a commit is, and which files it has


def test_a_commit_of_somebody_else_is_refused(begun: Path, tmp_path: Path, tlc: TlcProgram) -> None:
    game = copy_of(begun, tmp_path / "game")
    line = main_line(game, "Red_0")
    parts = commit_at(game, line[30])
    name = "Blue_0" if parts.author.name == "Red_0" else "Red_0"
    other = parts.author._replace(name=name, email=f"{name}@catan-p2p.invalid")
    bad = rewrite_from(game, "Red_0", 30, parts._replace(author=other, committer=other))
    refusal = refused(game, tlc)
    assert (refusal.commit, refusal.accepted) == (bad, 29)
    assert f"written by {name}" in refusal.detail


def changed_tree(game: Path, tree: str, path: str, text: str | None, mode: str = "100644") -> ObjectId:
    """A tree with one file changed, added or, without a text, removed."""
    git(game, "read-tree", tree)
    if text is None:
        line = f"0 {'0' * 40}\t{path}\n"
    else:
        line = f"{mode} {git(game, 'hash-object', '-w', '--stdin', data=text.encode())}\t{path}\n"
    git(game, "update-index", "--index-info", data=line.encode())
    return ObjectId(git(game, "write-tree"))


@pytest.mark.parametrize(
    ("path", "text", "mode"),
    [
        ("rules", "PointsToWin = 3\n", "100644"),
        ("players", "1 Red - Red_0\n2 Blue - Mallory\n", "100644"),
        ("map/tiles", "", "100644"),
        ("map/wharfs", "", "100644"),
        ("map/opening", "1,29,39,earns\n", "100644"),
        ("format", "2\n", "100644"),
        ("rules", None, "100644"),
        ("map/tiles", None, "100644"),
        ("state/game/dice", None, "100644"),
        ("surplus", "\n", "100644"),
        ("state/game/surplus", "\n", "100644"),
        ("state/surplus/dice", "\n", "100644"),
        ("state/game/turn_phase", "bot\n", "100755"),
    ],
)
def test_a_tree_with_other_files_is_refused_and_the_file_is_named(
    begun: Path, tmp_path: Path, path: str, text: str | None, mode: str
) -> None:
    game = copy_of(begun, tmp_path / "game")
    line = main_line(game, "Red_0")
    parts = commit_at(game, line[30])
    if path == "state/game/turn_phase":
        text = git(game, "show", f"{parts.tree}:{path}") + "\n"
    bad = rewrite_from(game, "Red_0", 30, parts._replace(tree=changed_tree(game, parts.tree, path, text, mode)))
    recording = read_recording(game)
    assert recording.unreadable is not None
    assert (recording.unreadable.commit, recording.step_count) == (bad, 29)
    assert path.rpartition("/")[0] in recording.unreadable.detail
    assert path.rpartition("/")[2] in recording.unreadable.detail or "surplus" in recording.unreadable.detail


# The verb


def broken(game: Path, at: int, kind: str) -> ObjectId:
    """Have the line of a game lead through a commit that is not there, or is none."""
    line = main_line(game, "Red_0")
    if kind == "missing":
        bad = ObjectId("1" * 40)
    else:
        data = b"tree " + commit_at(game, line[at]).tree.encode() + b"\nnonsense\n\nhello\n"
        bad = ObjectId(git(game, "hash-object", "-w", "--literally", "-t", "commit", "--stdin", data=data))
    head = write_commit(game, commit_at(game, line[at + 1])._replace(parents=(bad,)))
    git(game, "update-ref", "refs/heads/Red_0", head)
    git(game, "update-ref", "refs/heads/Blue_0", head)
    return bad


@pytest.mark.parametrize("kind", ["missing", "malformed"])
def test_a_commit_that_is_missing_or_malformed_is_a_finding(
    begun: Path, tmp_path: Path, typed: Typed, kind: str
) -> None:
    game = copy_of(begun, tmp_path / "game")
    bad = broken(game, 30, kind)
    assert bad[:10] in typed(1, "check-trace", game).out
    (verdict,) = json.loads(typed(1, "check-trace", "--json", game).out)
    assert (verdict["commit"], verdict["accepted"], verdict["action"]) == (bad, False, None)


def test_a_broken_log_beside_a_good_one_is_a_finding(begun: Path, tmp_path: Path, typed: Typed) -> None:
    game = copy_of(begun, tmp_path / "game")
    good = main_line(game, "Red_0")[40]
    bad = broken(game, 30, "missing")
    head = git(game, "rev-parse", "Red_0")
    for whole, other in (("Red", "Blue"), ("Blue", "Red")):
        git(game, "update-ref", f"refs/heads/{whole}_0", good)
        git(game, "update-ref", f"refs/heads/{other}_0", head)
        assert f"{bad[:10]} refused after 40 steps" in typed(1, "check-trace", game).out


def test_each_path_has_its_verdict_and_the_worst_one_is_the_exit_code(
    begun: Path, tmp_path: Path, typed: Typed
) -> None:
    bad = copy_of(begun, tmp_path / "bad")
    broken(bad, 30, "missing")
    nothing = tmp_path / "nothing"
    nothing.mkdir()
    git(nothing, "init", "--quiet")
    paths = [str(path) for path in (tmp_path / "nowhere", nothing, bad, begun)]
    told = typed(2, "check-trace", *paths)
    assert [line.partition(":")[0] for line in told.out.splitlines()] == [str(bad), str(begun)]
    assert "nowhere: no such folder" in told.err
    assert "not a game" in told.err
    told = typed(2, "check-trace", "--json", *paths)
    assert [verdict["accepted"] for verdict in json.loads(told.out)] == [False, True]
    assert main(["check-trace", str(begun), str(bad)]) == 1


def test_a_trace_that_tlc_cannot_check_does_not_hide_the_others(
    begun: Path, tmp_path: Path, typed: Typed, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = copy_of(begun, tmp_path / "other")
    run = TlcProgram.run

    def fails_once(*args: object, **settings: object) -> object:
        monkeypatch.setattr(TlcProgram, "run", run)
        raise TlcError("no memory")

    monkeypatch.setattr(TlcProgram, "run", fails_once)
    told = typed(2, "check-trace", begun, other)
    assert "no memory" in told.err
    assert told.out.startswith(f"{other}: 40 steps, a behaviour")


def test_a_trace_for_which_there_is_no_time_says_how_far_it_came(
    begun: Path, tmp_path: Path, typed: Typed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Entry 3 is the first that was not taken: the two before it, with their replies, are fine."""
    monkeypatch.setattr(TlcProgram, "run", lambda *args, most_s, **settings: out_of_time(most_s))

    def out_of_time(most_s: float) -> None:
        raise OutOfTime(most_s, 3)

    told = typed(2, "check-trace", "--timeout", "2m", begun)
    text = "TLC has not ended within 120 s; the first 2 of 40 steps are a behaviour of the specification"
    assert (told.out, told.err) == ("", f"catan-p2p check-trace: {begun}: {text}\n")


# Games with views


@pytest.mark.parametrize("hands", ["open", "hidden"])
def test_a_game_that_somebody_was_left_out_of_is_a_behaviour(
    hands: Hands, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tlc: TlcProgram
) -> None:
    with without_one(seats(tmp_path, 3, "joint", hands), 50) as (replicas, _):
        PeerTable(replicas).pass_patience()
        play_rounds(replicas, lambda replica: len(replica.graph) > 80)
        game = replicas[0].store.folder.parent
    recording = read_recording(game)
    assert any(isinstance(entry.step.action, Excuse) for entry in recording.entries)
    assert check_recording(recording, tlc) is None
    end = git(game, "rev-parse", f"{game.name}_0").strip()
    other = git(game, "rev-parse", f"{end}~2^{{tree}}").strip()
    wrong = write_commit(game, commit_at(game, end)._replace(tree=ObjectId(other)))
    git(game, "update-ref", f"refs/heads/{game.name}_0", wrong)
    assert refused(game, tlc).commit == wrong


def test_a_game_that_somebody_came_back_to_is_a_behaviour(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, typed: Typed
) -> None:
    monkeypatch.setenv("CATAN_P2P_HOME", str(tmp_path / "home"))
    with without_one(seats(tmp_path, 3, returns=2), 40) as (replicas, path):
        PeerTable(replicas).pass_patience()
        places = [replica.store.folder.parent for replica in replicas]
    with opened(places) as others:
        table = PeerTable(others)
        back = table.start(path)
        table.look(back)
        assert any(back.graph.state.away)
        table.play(lambda replica: replica is back and not any(back.graph.state.away), PATIENCE_S)
        for one in table.peers:
            one.store.publish()
        table.kill(back)
    steps = [entry.step.action for entry in read_recording(path).entries]
    assert any(isinstance(action, ComeBack) for action in steps)
    typed(0, "check-trace", *places, path)
