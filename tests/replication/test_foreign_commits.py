"""A person's own Git at a seat's branches: what the program did not write is set aside, and play goes on."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from catan_p2p.game.actions import Discard
from catan_p2p.log.refs import FOREIGN, HEADS
from catan_p2p.log.storage.objects import ObjectDamaged
from catan_p2p.replication.replica import Replica
from catan_p2p.tables.foreign_commits import describe_displaced
from catan_p2p.tables.repair import mend_seat
from catan_p2p.tables.seat import read_settings
from tests.replication.tables import finish, git, is_sound, make_seats, open_replica, opened, play_rounds

ME = ("-c", "user.name=Ann", "-c", "user.email=ann@example.org", "-c", "commit.gpgsign=false")
RED = f"{HEADS}Red_0"


def after(actions: int) -> Callable[[Replica], bool]:
    return lambda replica: len(replica.graph) > actions


def at(path: Path, ref: str = RED) -> str:
    return git(path, "rev-parse", ref)


def commit(path: Path, *options: str) -> str:
    """``git commit`` of an empty note on the own branch; where that is then."""
    git(path, "symbolic-ref", "HEAD", RED)
    git(path, "reset", "-q", "--hard")
    git(path, *ME, "commit", "-q", "--allow-empty", "-m", "a note", *options)
    return at(path)


def amend(path: Path) -> str:
    return commit(path, "--amend")


def amend_in_the_same_words(path: Path) -> str:
    git(path, "symbolic-ref", "HEAD", RED)
    git(path, *ME, "commit", "-q", "--allow-empty", "--amend", "--no-edit")
    return at(path)


def squash(path: Path) -> str:
    git(path, "symbolic-ref", "HEAD", RED)
    git(path, "reset", "-q", "--soft", "HEAD~1")
    return commit(path)


def commit_twice(path: Path) -> str:
    commit(path)
    return commit(path)


def commit_in_another_encoding(path: Path) -> str:
    """A commit with headers that no commit of the program has."""
    latin = ("-c", "i18n.commitEncoding=ISO-8859-1")
    made = git(path, *latin, *ME, "commit-tree", "-m", "ä", f"{RED}^{{tree}}", "-p", RED)
    git(path, "update-ref", RED, made)
    return made


def begin_anew(path: Path) -> str:
    """A commit without parents."""
    made = git(path, *ME, "commit-tree", "-m", "a note", f"{RED}^{{tree}}")
    git(path, "update-ref", RED, made)
    return made


EVERY_WAY = [commit, commit_twice, amend, amend_in_the_same_words, squash, commit_in_another_encoding, begin_anew]


Case = tuple[Callable[[Path], str], bool]
CASES: list[Case] = [*((change, False) for change in EVERY_WAY), (commit, True), (amend, True)]


def case_name(case: Case) -> str:
    return f"{case[0].__name__}-{'signed' if case[1] else 'unsigned'}"


@pytest.mark.sampled(5)
@pytest.mark.long
@pytest.mark.parametrize("case", CASES, ids=case_name)
def test_a_commit_by_hand_between_two_runs_is_set_aside(case: Case, tmp_path: Path) -> None:
    change, signed = case
    seats = make_seats(tmp_path, signed=signed)
    with opened(seats) as replicas:
        play_rounds(replicas, after(40))
    before = at(seats[0])
    foreign = change(seats[0])
    assert foreign != before
    with opened(seats) as replicas:
        assert at(seats[0], f"{FOREIGN}{foreign}") == foreign
        assert at(seats[0]) == before
        (one,) = replicas[0].store.displaced
        told = describe_displaced(one)
        assert foreign[:10] in told and f"{FOREIGN}{foreign}" in told and "\n" not in told
        finish(replicas)
        assert all(replica.refusals == 0 for replica in replicas)
    assert at(seats[0], f"{FOREIGN}{foreign}") == foreign
    assert all(is_sound(seat) for seat in seats)
    with opened(seats) as replicas:
        assert not replicas[0].store.displaced


def delete(path: Path) -> None:
    git(path, "update-ref", "-d", RED)


def move_back(path: Path) -> str:
    git(path, "update-ref", RED, f"{RED}~2")
    return at(path)


@pytest.mark.sampled(3)
@pytest.mark.long
@pytest.mark.parametrize("change", [commit, amend, delete, move_back], ids=lambda change: change.__name__)
def test_a_commit_by_hand_while_a_peer_plays_is_set_aside(change: Callable[[Path], str | None], tmp_path: Path) -> None:
    seats = make_seats(tmp_path)
    with opened(seats) as replicas:
        play_rounds(replicas, after(40))
        found = change(seats[0])
        finish(replicas)
        assert [one.found for one in replicas[0].store.displaced] == [found]
        assert all(replica.refusals == 0 for replica in replicas[:1])
        assert at(seats[0]) == replicas[0].graph.head
    if found is not None:
        assert at(seats[0], f"{FOREIGN}{found}") == found
    assert all(is_sound(seat) for seat in seats)


def test_a_commit_by_hand_before_the_first_move_of_a_run_is_set_aside(tmp_path: Path) -> None:
    seats = make_seats(tmp_path)
    with opened(seats) as replicas:
        play_rounds(replicas, after(40))
    with opened(seats) as replicas:
        found = commit(seats[0])
        finish(replicas)
        assert [one.found for one in replicas[0].store.displaced] == [found]
    assert at(seats[0], f"{FOREIGN}{found}") == found


@pytest.mark.long
def test_a_commit_by_hand_after_a_kill_is_set_aside_and_the_journal_goes_on(tmp_path: Path) -> None:
    seats = make_seats(tmp_path)
    program = (
        "import os, signal; from pathlib import Path; from tests.replication.tables import opened, play_rounds\n"
        f"with opened([Path({str(seats[0])!r}), Path({str(seats[1])!r})]) as replicas:\n"
        "    play_rounds(replicas, lambda one: len(one.graph) > 40 and one is replicas[0] and one.act())\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    if sys.platform != "win32":
        done = subprocess.run(
            [sys.executable, "-c", program], env=os.environ | {"PYTHONPATH": str(Path.cwd())}, check=False
        )
        assert done.returncode == -signal.SIGKILL
    foreign = commit(seats[0])
    with opened(seats) as replicas:
        assert replicas[0].store.replayed and len(replicas[0].graph) > 40
        assert [one.found for one in replicas[0].store.displaced] == [foreign]
        finish(replicas)
    assert at(seats[0], f"{FOREIGN}{foreign}") == foreign


@pytest.mark.sampled(3)
@pytest.mark.long
@pytest.mark.parametrize("way", ["commit", "amend"])
def test_a_commit_by_hand_on_the_branch_of_a_discard_does_not_make_a_second_discard(way: str, tmp_path: Path) -> None:
    seats = make_seats(tmp_path, 3, seed=1)
    with opened(seats) as replicas:
        seen: list[tuple[Path, str]] = []

        def has_discarded(replica: Replica) -> bool:
            state = replica.graph.state
            own = replica.core.held.own_replies()
            if state.tp == "Discarding" and own and isinstance(replica.graph.replies[replica.player].action, Discard):
                seen.append((seats[replica.player - 1], next(iter(own))))
            return bool(seen)

        play_rounds(replicas, has_discarded)
    path, ref = seen[0]
    discard = at(path, ref)
    parent = f"{ref}^" if way == "amend" else ref
    foreign = git(path, *ME, "commit-tree", "-m", "a note", f"{ref}^{{tree}}", "-p", parent)
    git(path, "update-ref", ref, foreign)
    with open_replica(path) as replica:
        assert replica.store.own_ref(ref) == discard
        assert replica.store.own_ref(f"{FOREIGN}{foreign}") == foreign
    with opened(seats) as replicas:
        finish(replicas)


@pytest.mark.long
def test_what_was_set_aside_stays_in_a_damaged_repository_that_is_mended(tmp_path: Path) -> None:
    seats = make_seats(tmp_path)
    with opened(seats) as replicas:
        play_rounds(replicas, after(40))
    before = at(seats[0])
    foreign = commit(seats[0])
    (seats[0] / ".git" / "refs" / "remotes" / "Blue" / "Blue_0").write_bytes(b"\0" * 41)
    with pytest.raises(ObjectDamaged), open_replica(seats[0]):
        pass
    aside = mend_seat(seats[0], read_settings(seats[0]))
    assert at(aside) == foreign
    with opened(seats) as replicas:
        assert before in replicas[0].graph
        finish(replicas)
    shutil.rmtree(aside)
