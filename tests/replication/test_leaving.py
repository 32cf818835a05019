"""A player leaves for ever, comes back too late, or only just in time: the others go on, all of them on one line.

Real repositories of three and four players, looked at in one process: whoever has left is not asked any more. The
others wait some rounds, vote, and excuse; nobody honest is ever charged.
"""

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from catan_p2p.game.actions import Excuse, Vote
from catan_p2p.game.actions.replies import owes_reply
from catan_p2p.game.constants import Player
from catan_p2p.log import votes
from catan_p2p.log.audit import audit
from catan_p2p.log.graph import CommitGraph
from catan_p2p.log.history import load_history
from catan_p2p.log.refs import abandoned_ref
from catan_p2p.log.storage.objects import ObjectDamaged, ObjectId
from catan_p2p.model_check.recording import read_recording
from catan_p2p.replication.core.commit_author import UnacceptableCommit
from catan_p2p.replication.core.fork_settlement import ForkSettlement
from catan_p2p.replication.play import LookPace, PeerLife
from catan_p2p.replication.replica import Replica
from catan_p2p.replication.voting import VotingDuty, VotingProblem
from tests.replication.tables import git, make_seats, opened

pytestmark = pytest.mark.long

SHORT = "; PointsToWin = 4; Leaving = yes"
_PATIENT_ROUNDS = 3


class Absence(NamedTuple):
    """Who leaves once so many commits are known to them, and when they are back: after so many rounds, or never."""

    player: Player
    at: int
    back_after: int | None = None
    settles: bool = False
    """They leave when all shares of a draw are told and it is for them to say what comes of it."""

    def begins(self, leaver: Replica) -> bool:
        """Whether they leave now."""
        state = leaver.graph.state
        is_to_settle = state.tp == "Drawing" and leaver.is_awaited and not any(state.due)
        return len(leaver.graph) >= self.at and (is_to_settle or not self.settles)


class AbsenceTable:
    """Players who look, act and vote in turn; one of them is away for a time."""

    def __init__(self, replicas: Sequence[Replica], absence: Absence) -> None:
        self.replicas = replicas
        self._absence = absence
        self._votings = {replica.player: VotingDuty(replica) for replica in replicas}
        self._left_at: int | None = None
        self._round = 0
        self._quiet = 0

    @property
    def leaver(self) -> Replica:
        return next(replica for replica in self.replicas if replica.player == self._absence.player)

    @property
    def there(self) -> list[Replica]:
        """Who looks and acts now."""
        after = self._absence.back_after
        is_away = self._left_at is not None and (after is None or self._round < self._left_at + after)
        return [replica for replica in self.replicas if not is_away or replica is not self.leaver]

    def play_round(self) -> None:
        """Let everybody who is there look, act and vote once."""
        self._round += 1
        before = [len(replica.graph) for replica in self.replicas]
        for replica in self.there:
            replica.synchronize()
            if replica is self.leaver and self._left_at is None and self._absence.begins(replica):
                self._left_at = self._round
                continue
            replica.act()
            self._votings[replica.player].go_on(0.0 if self._quiet >= _PATIENT_ROUNDS else None)
        self._quiet = self._quiet + 1 if before == [len(replica.graph) for replica in self.replicas] else 0

    def finish(self, rounds: int = 2000) -> None:
        """Play until everybody who is there knows the end."""
        while not all(replica.graph.state.is_over for replica in self.there):
            self.play_round()
            rounds -= 1
            assert rounds, "the game stands still"


@pytest.fixture
def table(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[AbsenceTable]:
    players, rules, signed, absence = request.param
    with opened(make_seats(tmp_path, players, 7, signed=signed, rules=rules)) as replicas:
        yield AbsenceTable(replicas, absence)


def check_agreed(table: AbsenceTable) -> None:
    """Everybody who is there ends on one commit, and nobody is charged with anything."""
    assert len({replica.graph.head for replica in table.there}) == 1
    for replica in table.there:
        reasons = {bad.reason for other in replica.neighbours for bad in other.rejected.values()}
        assert reasons <= {"excused", "branch"}
        assert not (replica.store.folder / "catan-p2p" / "refusals.jsonl").exists()


_JOINT = "; Chance = joint"


@pytest.mark.sampled(8)
@pytest.mark.parametrize(
    "table",
    [
        pytest.param((3, "thesis" + SHORT, False, Absence(2, 4)), id="in the set-up"),
        pytest.param((3, "thesis" + SHORT, True, Absence(1, 20)), id="in a turn, signed"),
        pytest.param((3, "thesis" + SHORT + _JOINT, False, Absence(3, 2)), id="before the pledges are there"),
        pytest.param((3, "thesis" + SHORT + _JOINT, False, Absence(1, 20, settles=True)), id="all shares are told"),
        pytest.param((4, "brief" + SHORT + _JOINT, False, Absence(1, 60)), id="in a draw, four players"),
    ],
    indirect=True,
)
def test_the_others_go_on_without_one_who_has_left_for_ever(table: AbsenceTable) -> None:
    table.finish()
    check_agreed(table)
    state = table.there[0].graph.state
    assert [player for player, away in enumerate(state.away, 1) if away] in ([table.leaver.player], [])
    assert state.winner != table.leaver.player or not any(state.away)


@pytest.mark.parametrize(
    "table", [pytest.param((3, "thesis" + SHORT, False, Absence(2, 20, 40)), id="late")], indirect=True
)
def test_who_comes_back_after_the_excuse_watches(table: AbsenceTable) -> None:
    table.finish()
    check_agreed(table)
    assert table.there[0].graph.state.away == (False, True, False)
    assert table.leaver in table.there
    assert not table.leaver.is_awaited


@pytest.mark.parametrize(
    "table", [pytest.param((3, "thesis" + SHORT, False, Absence(1, 30)), id="unseen")], indirect=True
)
def test_an_action_that_nobody_saw_in_time_is_kept_by_its_player_alone(table: AbsenceTable) -> None:
    leaver = table.leaver
    while not leaver.is_awaited or len(leaver.graph) < 20:
        for replica in table.replicas:
            replica.synchronize()
            if replica is not leaver or not leaver.is_awaited or len(leaver.graph) < 20:
                replica.act()
    steps = leaver.act()
    others = [replica for replica in table.replicas if replica is not leaver]
    # Nobody sees them: the branch goes back to where it was.
    log = leaver.store.folder / "refs" / "heads" / "Red_0"
    assert steps and log.exists()
    shown = log.read_text()
    log.write_text(f"{others[0].graph.head}\n")
    for _ in range(6):
        for replica in others:
            replica.synchronize()
            VotingDuty(replica).go_on(None if replica.graph.state.away[0] else 0.0)
    assert others[0].graph.state.away == (True, False, False)
    log.write_text(shown)
    for replica in others:
        replica.synchronize()
        replica.store.publish()
        assert {bad.reason for one in replica.neighbours for bad in one.rejected.values()} <= {"excused"}
        assert not (replica.store.folder / "catan-p2p" / "refusals.jsonl").exists()
    leaver.synchronize()
    assert leaver.graph.state.away == (True, False, False)
    leaver.store.publish()
    kept = git(leaver.store.folder.parent, "for-each-ref", "--format=%(objectname)", "refs/abandoned")
    assert kept == steps[-1].commit


def test_a_reply_that_nobody_saw_in_time_leaves_no_branch(tmp_path: Path) -> None:
    # Red discards, and nobody sees it; Blue and Green go on without Red, who comes back.
    paths = make_seats(tmp_path, 3, 7, rules="thesis; HandLimit = 1; Leaving = yes", signed=True)
    with opened(paths) as replicas:
        red, *others = replicas
        while not all(_owes_after_anothers_seven(replica, red.player) for replica in replicas):
            for replica in replicas:
                replica.synchronize()
                if replica is not red or not _owes_after_anothers_seven(replica, red.player):
                    replica.act()
        (reply,) = red.act()
        for replica in others:
            replica.neighbours = [one for one in replica.neighbours if one.player != red.player]
        for _ in range(6):
            for replica in others:
                replica.synchronize()
                replica.act()
                VotingDuty(replica).go_on(None if replica.graph.state.away[0] else 0.0)
        red.synchronize()
        red.store.publish()
        assert red.graph.state.away == (True, False, False)
        assert red.graph.head in others[0].graph
    assert git(paths[0], "for-each-ref", "--format=%(objectname)", "refs/abandoned") == reply.commit
    assert "loss" not in git(paths[0], "for-each-ref", "refs/heads")
    verdict = audit(paths[0])
    assert verdict.is_fine, verdict
    with opened(paths[:1]) as (again,):
        assert again.graph.head == red.graph.head


def test_who_was_excused_takes_in_what_merges_a_vote_they_had_held(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Red and Green owe a discard after Blue's seven. Red votes on Green, is excused, discards; Blue merges the vote,
    # which is valid, although this program would no longer take such a vote in.
    monkeypatch.setattr(votes, "is_decided", lambda ledger, round: False)
    paths = make_seats(tmp_path, 3, 7, rules="thesis; HandLimit = 1; Leaving = yes", signed=True)
    with opened(paths) as replicas:
        red, blue, green = replicas
        while not all(_two_owe(replica) and not owes_reply(replica.graph.state, 2) for replica in replicas):
            for replica in replicas:
                replica.synchronize()
                if replica is blue or not _two_owe(replica):
                    replica.act()
        vote = VotingDuty(red).vote(green.player, "yes")
        red.store.publish()
        for replica in (blue, green):
            replica.neighbours = [one for one in replica.neighbours if one.player != red.player]
        VotingDuty(blue).vote(red.player, "yes")
        blue.store.publish()
        for _ in range(3):
            green.synchronize()
            green.act()
            VotingDuty(green).go_on(0.0)
            blue.synchronize()
        (excuse,) = VotingDuty(blue).go_on()
        assert isinstance(excuse.action, Excuse)
        assert red.act()
    with opened(paths) as (red, blue, green):
        blue.synchronize()
        assert vote.commit in blue.graph.ballot.loose
        assert vote.commit in blue.act_one().parents
        red.synchronize()
        assert red.graph.head == blue.graph.head
        assert not (red.store.folder / "catan-p2p" / "refusals.jsonl").exists()


def _two_owe(replica: Replica) -> bool:
    state = replica.graph.state
    return state.ap == 2 and owes_reply(state, 1) and owes_reply(state, 3)


def _owes_after_anothers_seven(replica: Replica, player: Player) -> bool:
    return owes_reply(replica.graph.state, player) and replica.graph.state.ap != player


def _drops_the_log_only(fork_settlement: ForkSettlement, fresh: CommitGraph) -> None:
    held = fork_settlement._held
    log = held.refs.get(held.log)
    if log is not None and log not in fresh:
        held.record(abandoned_ref(log), log)
        held.record(held.log, fresh.head)
    held.graph = fresh


def test_a_branch_that_is_left_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ForkSettlement, "go_over", _drops_the_log_only)
    with pytest.raises((AssertionError, ObjectDamaged)):
        test_a_reply_that_nobody_saw_in_time_leaves_no_branch(tmp_path)


def _until_awaited(replicas: Sequence[Replica], player: Player) -> None:
    while True:
        for replica in replicas:
            replica.synchronize()
        if len(replicas[0].graph) >= 20 and replicas[player - 1].is_awaited:
            return
        for replica in replicas:
            if not (replica.player == player and len(replica.graph) >= 20):
                replica.act()


def test_one_who_has_seen_the_action_says_no_and_all_take_it_in(tmp_path: Path) -> None:
    # Red acts; only Green sees it. Orange votes yes, takes in nothing of Red's, until Green has said no.
    paths = make_seats(tmp_path, 4, 7, rules="thesis" + SHORT, signed=True)
    with opened(paths) as replicas:
        red, blue, green, orange = replicas
        _until_awaited(replicas, 1)
        before = orange.graph.head
        VotingDuty(orange).vote(1, "yes")
        orange.store.publish()
        red.act(len(red.graph))
        first = red.graph.head
        red.store.publish()
        red_seen_by_orange = orange.neighbours[0]
        orange.synchronize()
        assert orange.graph.head == before
        assert red_seen_by_orange.source.withheld is not None
        green.synchronize()
        blue.synchronize()
        assert green.graph.head == first
        for _ in range(3):
            green.synchronize()
            VotingDuty(green).go_on()
            blue.synchronize()
            orange.synchronize()
        assert orange.graph.head == first
        assert {
            bad.reason for replica in replicas for one in replica.neighbours for bad in one.rejected.values()
        } == set()


def _late(replicas: Sequence[Replica]) -> ObjectId:
    """Blue and Green say yes to going on without Red, Orange is gone for ever, and Red acts; what Red has done."""
    red, blue, green, _ = replicas
    _until_awaited(replicas, 1)
    for replica in replicas[:3]:
        replica.neighbours = [one for one in replica.neighbours if one.player != 4]
    assert VotingDuty(green).go_on(0.0) == []  # Blue, who would excuse, votes first
    for replica in (blue, green):
        replica.synchronize()
        assert len(VotingDuty(replica).go_on(0.0)) == 1
    while red.is_awaited:
        red.act(1 + len(red.graph))
    red.store.publish()
    return red.graph.head


def test_who_would_excuse_takes_a_yes_back_that_lacks_a_vote_for_ever(tmp_path: Path) -> None:
    with opened(make_seats(tmp_path, 4, 7, rules="thesis" + SHORT, signed=True)) as replicas:
        _, blue, green, _ = replicas
        late = _late(replicas)
        round = blue.graph.line.round_of(1)
        yes = blue.graph.ballot.of(round)[2].commit
        green.synchronize()
        assert late not in green.graph
        blue.synchronize()
        assert late in blue.graph
        (no,) = VotingDuty(blue).go_on()
        assert (no.action, no.parents) == (Vote(2, 1, "no"), (yes,))
        for _ in range(2):
            green.synchronize()
        assert late in green.graph
        ref = git(tmp_path / "Blue", "for-each-ref", "--format=%(objectname)", f"refs/heads/{round.base}_turn1_Blue_0")
        assert ref == no.commit
        recorded = read_recording(tmp_path / "Blue")  # before anything has merged the two votes
        assert recorded.unreadable is None
        assert (recorded.entries[-1].step.commit, recorded.pending) == (late, ())
        while blue.is_awaited:
            blue.act()
        green.synchronize()
        assert green.graph.head == blue.graph.head
    for path in (tmp_path / "Blue", tmp_path / "Green"):
        assert audit(path).is_fine
        assert not (path / ".git" / "catan-p2p" / "refusals.jsonl").exists()
    with opened([tmp_path / "Green"]) as (again,):
        assert again.graph.head == green.graph.head


def _plays_on(tmp_path: Path) -> None:
    """Blue, who would excuse, acts before they have looked for what to say."""
    with opened(make_seats(tmp_path, 4, 7, rules="thesis" + SHORT, signed=True)) as replicas:
        _, blue, green, _ = replicas
        _late(replicas)
        blue.synchronize()
        assert blue.is_awaited
        while blue.is_awaited:
            blue.act()
        for _ in range(2):
            green.synchronize()
        assert green.graph.head == blue.graph.head
        assert not (tmp_path / "Green" / ".git" / "catan-p2p" / "refusals.jsonl").exists()


def test_nobody_plays_on_before_they_take_their_yes_back(tmp_path: Path) -> None:
    _plays_on(tmp_path)


def test_playing_on_against_the_own_yes_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Replica, "_take_votes_back", lambda replica: None)
    with pytest.raises(UnacceptableCommit, match="says otherwise, by the same player"):
        _plays_on(tmp_path)


def test_a_vote_that_hangs_on_it_releases_nobody_from_their_yes(tmp_path: Path) -> None:
    # Orange places twice. Blue has seen that, and votes on Green, who comes next and has said yes to going on without
    # Orange: to build on that, Green needs Blue's no.
    paths = make_seats(tmp_path, 4, 7, rules="brief; StartOrder = seat; Leaving = yes", signed=True)
    with opened(paths) as replicas:
        red, blue, green, orange = replicas
        while not orange.is_awaited:
            for replica in replicas:
                replica.synchronize()
                if replica is not orange:
                    replica.act()
        for replica in (red, green):  # Red, who would excuse, votes first
            replica.synchronize()
            VotingDuty(replica).vote(4, "yes")
            replica.store.publish()
        before = green.graph.head
        orange.act()
        newest = orange.graph.head
        others, blue.neighbours = blue.neighbours, [one for one in blue.neighbours if one.player == 4]
        blue.synchronize()
        assert blue.graph.head == newest
        VotingDuty(blue).vote(3, "yes")
        blue.store.publish()
        green.neighbours = [one for one in green.neighbours if one.player == 2]
        for _ in range(2):
            for one in green.neighbours:
                one.strays_at = 0.0
            green.synchronize()
            green.act()
        assert green.graph.head == before
        blue.neighbours = others
        for one in blue.neighbours:
            one.strays_at = 0.0
        blue.synchronize()
        assert [step.action for step in VotingDuty(blue).go_on()] == [Vote(2, 4, "no")]
        green.synchronize()
        assert green.graph.head == newest
        assert green.act()
        for _ in range(2):
            for replica in (red, orange, blue):  # the others hold what Blue has voted against
                replica.synchronize()
                VotingDuty(replica).go_on()
        assert len({replica.graph.head for replica in replicas}) == 1


def test_nobody_is_voted_on_while_two_are_silent(tmp_path: Path) -> None:
    with opened(make_seats(tmp_path, 4, 7, rules="thesis" + SHORT + _JOINT)) as replicas:
        red, blue, green, _ = replicas
        for replica in (red, blue, red):
            replica.synchronize()
            replica.act()
        voting = VotingDuty(red)
        assert red.core.voter.silent() == (3, 4)
        assert voting.go_on(0.0) == []  # a yes would bind, and without Green's own nobody can be excused
        green.synchronize()
        green.act()
        for replica in (red, blue, green, red):
            replica.synchronize()
            VotingDuty(replica).go_on(0.0)
        assert red.graph.state.away == (False, False, False, True)


def test_who_awaits_two_votes_once_one_of_them_has(tmp_path: Path) -> None:
    with opened(make_seats(tmp_path, 4, 7, rules="thesis" + SHORT + _JOINT)) as replicas:
        red, _, green, _ = replicas
        for replica in replicas[:2]:
            replica.synchronize()
            replica.act()
        for replica in (green, red):
            replica.synchronize()
        VotingDuty(green).vote(4, "yes")  # who withholds their own pledge can vote all the same
        green.store.publish()
        red.synchronize()
        assert [step.action for step in VotingDuty(red).go_on(0.0)] == [Vote(1, 4, "yes")]


def test_patience_is_longer_where_looks_take_long(tmp_path: Path) -> None:
    with opened(make_seats(tmp_path, 3, 7, rules="thesis" + SHORT)) as replicas:
        blue = replicas[1]
        life, waited = PeerLife(blue, LookPace(patience_s=20.0)), []
        life.voting.go_on = lambda patience_s=None: waited.append(patience_s) or []  # type: ignore[method-assign,func-returns-value]
        for neighbour, longest_s in zip(blue.neighbours, (3.0, 12.0), strict=True):
            life.turn()
            neighbour.longest_s = longest_s
        life._vote()
        assert waited[0] == 20.0
        assert waited[-1] == 60.0


def test_nobody_says_both(tmp_path: Path) -> None:
    with opened(make_seats(tmp_path, 3, 7, rules="thesis" + SHORT)) as replicas:
        _until_awaited(replicas, 1)
        voting = VotingDuty(replicas[1])
        voting.vote(1, "yes")
        with pytest.raises(VotingProblem, match="said yes already"):
            voting.vote(1, "no")


def test_the_votes_are_merged_and_can_be_read_with_git(tmp_path: Path) -> None:
    paths = make_seats(tmp_path, 3, 7, rules="thesis" + SHORT)
    with opened(paths) as replicas:
        _until_awaited(replicas, 1)
        for _ in range(4):
            for replica in replicas[1:]:
                replica.synchronize()
                VotingDuty(replica).go_on(None if replica.graph.state.away[0] else 0.0)
        blue = replicas[1]
        assert blue.graph.state.away == (True, False, False)
        blue.store.publish()
    parents = git(paths[1], "log", "-1", "--format=%P", "Blue_0").split()
    assert git(paths[1], "log", "-1", "--format=%s", "Blue_0") == "excuse player_2"
    assert [git(paths[1], "log", "-1", "--format=%s", parent) for parent in parents[1:]].count("vote player_2") == 1
    assert {git(paths[1], "log", "-1", "--format=%s", p) for p in parents[1:]} == {"vote player_2", "vote player_3"}
    history = load_history(paths[1])
    assert isinstance(history.actions[-1].action, Excuse) and not history.rejected
    assert "turn1" not in git(paths[1], "for-each-ref", "refs/heads")
    shutil.rmtree(paths[0])
