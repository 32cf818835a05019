"""A player who votes without end, or lies without end: the others go on, and charge nobody but the liar.

Real signed repositories of three players. Green floods; Red and Blue are honest.
"""

from collections.abc import Sequence
from pathlib import Path

import pytest

from catan_p2p.game.actions import Vote
from catan_p2p.game.rules import awaited, broken_guards
from catan_p2p.limits import MAX_CHARGES, MAX_MERGED_VOTES_OF_PLAYER, MAX_OPEN_VOTES, MAX_OWN_CHARGES
from catan_p2p.log import votes
from catan_p2p.log.ballot import VotingRound
from catan_p2p.log.graph import CommitGraph
from catan_p2p.log.reading import take_in
from catan_p2p.log.refs import local_ref
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.verdict import CommitRejected, LoggedStep
from catan_p2p.replication.core import voter
from catan_p2p.replication.core.commit_author import UnacceptableCommit
from catan_p2p.replication.replica import Replica
from catan_p2p.replication.voting import VotingDuty, VotingProblem
from catan_p2p.tables.status import read_status
from tests.replication.tables import make_seats, opened, play_rounds, point
from tests.replication.test_settling import written_by

LEAVING = "thesis; Leaving = yes"
RED, BLUE, GREEN = 1, 2, 3


def look(replicas: Sequence[Replica], times: int = 2) -> None:
    """Let these look at everything that anybody shows."""
    for _ in range(times):
        for replica in replicas:
            for one in replica.neighbours:
                one.strays_at = 0.0
            replica.synchronize()
            replica.store.publish()


def until_red_is_awaited(replicas: Sequence[Replica], least: int) -> None:
    """Play so many commits, and on until everybody waits for Red."""
    play_rounds(replicas, lambda one: len(one.graph) > least and awaited(one.graph.state) == (RED,))
    look(replicas)


def charged(replica: Replica) -> set[str]:
    """Who is on a player's list of refusals."""
    return {line["colour"] for line in read_status(replica.store.folder.parent).refusals}


def bases(graph: CommitGraph) -> list[ObjectId]:
    """The commits that the line has gone on from, newest first."""
    found, at = [], graph.root
    while at in graph.line.next:
        found.append(at)
        at = graph.line.next[at].commit
    return found[::-1]


def flood(green: Replica, most: int) -> int:
    """Green shows votes on so many old commits, each valid by itself; how many there are."""
    graph, count = green.graph, 0
    for base in bases(graph):
        for absent in (RED, BLUE):
            round, vote = VotingRound(base, "turn", absent), Vote(GREEN, absent, "no")
            if count == most or broken_guards(graph.line.before_vote(round).state, vote):
                continue
            step = graph.write_vote(round, vote, 5000, green.store.add, graph.root)
            if isinstance(graph.check(step.commit, green.store.read(step.commit)[1]), LoggedStep):
                ref = local_ref(green.game.reply_branch(base, f"turn{absent}", GREEN))
                green.store.record(ref, step.commit, green.store.own_ref(ref))
                count += 1
    green.store.publish()
    return count


def votes_held(replica: Replica) -> int:
    """How many of Green's votes a player has taken in and no commit has merged."""
    return sum(cast.voter == GREEN for cast in replica.graph.ballot.loose.values())


def votes_on_old_commits(folder: Path, most: int = 90) -> set[str]:
    """Green votes on commits that play has long gone on from: hardly one is taken in, and play goes on.

    The reasons why Red has left votes alone.
    """
    with opened(make_seats(folder, 3, 7, rules=LEAVING, signed=True)) as replicas:
        red, blue, green = replicas
        until_red_is_awaited(replicas, 80)
        shown = flood(green, most)
        assert shown > 40
        look((red, blue), 4)
        assert votes_held(red) <= MAX_MERGED_VOTES_OF_PLAYER
        assert votes_held(blue) <= MAX_MERGED_VOTES_OF_PLAYER
        start = len(red.graph)
        play_rounds(replicas, lambda one: one is blue and len(one.graph) > start + 20)
        look(replicas)
        assert red.graph.head == blue.graph.head == green.graph.head
        assert charged(red) == charged(blue) == set()
        return {bad.reason for bad in red.core.held.rejected.values()}


@pytest.mark.long
def test_votes_on_old_commits_are_left_alone(tmp_path: Path) -> None:
    assert votes_on_old_commits(tmp_path) == {"overtaken"}


@pytest.mark.long
def test_if_every_question_stayed_open_they_would_be_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(votes, "is_decided", lambda ledger, round: False)
    with pytest.raises(AssertionError):
        votes_on_old_commits(tmp_path)


@pytest.mark.long
def test_a_player_has_so_many_open_votes_and_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(votes, "is_decided", lambda ledger, round: False)
    monkeypatch.setattr("catan_p2p.replication.core.commit_intake.MAX_OPEN_VOTES", 5)
    with opened(make_seats(tmp_path, 3, 7, rules=LEAVING, signed=True)) as replicas:
        red, blue, green = replicas
        until_red_is_awaited(replicas, 40)
        assert flood(green, 20) == 20
        look((red, blue))
        assert votes_held(red) == votes_held(blue) == 5
        # What was merged makes room for the next ones.
        red.act()
        red.store.publish()
        held = {*blue.graph.ballot.loose}
        look((blue,))
        assert votes_held(blue) == 5
        assert held.isdisjoint(blue.graph.ballot.loose)
        assert charged(red) == charged(blue) == set()


def many_votes_on_lies(folder: Path, lies: int = 10) -> None:
    """Green forks their log on every commit of theirs: a few votes settle it, and play goes on without Green."""
    with opened(make_seats(folder, 3, 7, rules=LEAVING, signed=True)) as replicas:
        red, blue, green = replicas
        until_red_is_awaited(replicas, 60)
        own = [base for base in bases(green.graph) if green.graph.line.next[base].player == GREEN][:lies]
        log = local_ref(green.game.branch(GREEN))
        steps = {step.parents[0]: step for step in _steps(green)}
        for base in own:
            point(folder / "Green", log, written_by(green, base, [steps[base].action])[0])
            look((red, blue), 1)
        assert len(red.core.fork_settlement.lies) == len(blue.core.fork_settlement.lies) == len(own) == lies
        for _ in range(6):
            for replica in (red, blue):
                look((replica,), 1)
                VotingDuty(replica).go_on()
        for replica in (red, blue):
            assert replica.graph.ballot.charge_count(replica.player, GREEN) <= MAX_OWN_CHARGES
            assert replica.graph.state.away[GREEN - 1]
            assert charged(replica) == {"Green"}
        assert red.graph.head == blue.graph.head


def _steps(replica: Replica) -> list[LoggedStep]:
    """All commits of a game but the root and votes."""
    graph, found = replica.graph.at_root(), []
    graph.tell_step = lambda step, state: found.append(step)
    take_in(graph, replica.graph.head, replica.store.read)
    return found


@pytest.mark.long
def test_many_lies_take_a_few_votes(tmp_path: Path) -> None:
    many_votes_on_lies(tmp_path)


@pytest.mark.long
def test_without_a_bound_every_lie_would_take_a_vote(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(voter, "MAX_OWN_CHARGES", 1000)
    monkeypatch.setattr(voter, "MAX_CHARGES", 1000)
    with pytest.raises(AssertionError):
        many_votes_on_lies(tmp_path)


def test_a_commit_that_others_would_refuse_is_not_recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with opened(make_seats(tmp_path, 3, 7, rules=LEAVING, signed=True)) as replicas:
        until_red_is_awaited(replicas, 20)
        red = replicas[0]
        head, refs = red.graph.head, red.store.list_refs("refs/heads/")
        bad = lambda graph, commit, data: CommitRejected("size", commit, "too large")  # noqa: E731
        with monkeypatch.context() as patch:
            patch.setattr(CommitGraph, "check", bad)
            with pytest.raises(UnacceptableCommit, match="not acceptable"):
                red.act()
        red.store.publish()
        assert (red.graph.head, red.store.list_refs("refs/heads/")) == (head, refs)
        assert red.act()


def test_a_player_says_no_more_yes_than_one_commit_can_merge(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(voter, "MAX_MERGED_VOTES_OF_PLAYER", 0)
    with opened(make_seats(tmp_path, 3, 7, rules=LEAVING, signed=True)) as replicas:
        until_red_is_awaited(replicas, 20)
        with pytest.raises(VotingProblem, match="not merged yet"):
            VotingDuty(replicas[1]).vote(RED, "yes")
        assert VotingDuty(replicas[1]).go_on(0.0) == []


def test_the_bounds_leave_room_for_one_another() -> None:
    assert MAX_OWN_CHARGES < MAX_CHARGES <= MAX_MERGED_VOTES_OF_PLAYER < MAX_OPEN_VOTES // 2
