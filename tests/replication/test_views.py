"""Peers of separate repositories in a game with views: they leave out who is silent, and go on after restarts."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from random import Random

import pytest

from catan_p2p.cli.main import main
from catan_p2p.cli.narration import ReplicaNarration
from catan_p2p.game.actions import AnswerTrade, Excuse
from catan_p2p.game.constants import Chance, Hands, Player
from catan_p2p.game.rules import awaited
from catan_p2p.log.commit import decode_commit
from catan_p2p.log.history import load_history
from catan_p2p.log.refs import HEADS, copy_at, local_ref
from catan_p2p.log.signing import signer
from catan_p2p.log.storage.memory import MemoryDisk
from catan_p2p.log.storage.objects import ObjectMissing, object_id
from catan_p2p.log.verdict import LoggedStep
from catan_p2p.log.views.nodes import VoteNode
from catan_p2p.log.views.view import Change
from catan_p2p.replication.core.commit_author import GaveUp
from catan_p2p.replication.core.events import CommitsBrought, HeadHeard, LingerEnded, LooksEnded, PlayerPassed
from catan_p2p.replication.core.view_duty import ViewDuty
from catan_p2p.replication.head_note import HeadNote
from catan_p2p.replication.play import waiting_for
from catan_p2p.replication.prospects import Standing
from catan_p2p.replication.replica import Replica
from catan_p2p.replication.sync_once import visit
from catan_p2p.replication.voting import VotingDuty, VotingProblem
from catan_p2p.sessions.messages import ActionDone, ActionRefused
from catan_p2p.sessions.seat_driver import SILENCE_S, Metronome, SeatControl, SeatDriver
from catan_p2p.tables.status import read_status
from catan_p2p.time_source import SYSTEM_TIME, SystemTime
from tests.replication.changes import awaited_by, play_until, seats, without_one
from tests.replication.peers import PATIENCE_S, STEP_S, PeerTable, views_of
from tests.replication.tables import KEYS, git, is_sound, open_replica, opened, play_rounds, use_remote


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A machine that has played no seat yet."""
    monkeypatch.setenv("CATAN_P2P_HOME", str(tmp_path / "home"))


@pytest.mark.long
@pytest.mark.sampled(2)
@pytest.mark.parametrize(("chance", "hands"), [("actor", "open"), ("joint", "open"), ("joint", "hidden")])
@pytest.mark.parametrize("players", [3, 4])
def test_whoever_is_silent_is_left_out_and_all_verbs_read_the_game(
    tmp_path: Path, players: int, chance: Chance, hands: Hands, capsys: pytest.CaptureFixture[str]
) -> None:
    with without_one(seats(tmp_path, players, chance, hands), 40) as (replicas, path):
        ReplicaNarration(replicas[0], "Red", tells_steps=True, tells_progress=False)
        table = PeerTable(replicas)
        table.pass_patience()
        assert len(table.view.value.out) == 1
        assert f"votes to go on without {path.name}" in capsys.readouterr().err
        play_rounds(replicas, lambda replica: len(replica.graph) > 90)
        assert all(not replica.rejected for replica in replicas)
    one = replicas[0].store.folder.parent
    assert load_history(one, may_be_hidden=True).rejected == ()
    assert is_sound(one)
    assert main(["verify", str(one)]) == 0
    assert "in order" in capsys.readouterr().out
    assert main(["log", str(one)]) == 0
    assert f"{path.name}" in capsys.readouterr().out
    assert main(["page", str(one), "-o", str(tmp_path / "game.html")]) == 0
    assert f"votes to go on without {path.name}" in (tmp_path / "game.html").read_text("utf-8")


@pytest.mark.long
def test_a_coordinator_waits_a_tenth_of_the_patience_for_votes_that_are_only_slow(tmp_path: Path) -> None:
    with without_one(seats(tmp_path, 4), 40) as (replicas, _):
        table = PeerTable(replicas)
        change = Change.of(table.view)
        waited_s, count = 0.0, 0
        while not (proposals := views_of(replicas[0]).changes.proposals.get(change)):
            table.round(PATIENCE_S, acts=False)
            votes = sum(map(len, views_of(replicas[0]).changes.votes.get(change, {}).values()))
            waited_s, count = (waited_s + 1.0 if votes == count else 0.0), votes
            table.time.sleep(1.0)
        assert len(proposals[0].value.out) == 1
        assert count == 3
        assert waited_s >= PATIENCE_S / 10 - 1.0


@pytest.mark.long
def test_a_round_lasts_for_its_time_once_more_than_half_have_voted(tmp_path: Path) -> None:
    """The vote that a round lacked comes late: its coordinator then has the time of the round to propose."""
    with opened(seats(tmp_path, 4, "joint")) as replicas:
        play_rounds(replicas, lambda replica: len(replica.graph) > 60)
        play_until(replicas, {4})
        red, blue, green, _ = replicas
        table = PeerTable([red, blue, green])
        change = Change.of(table.view)

        def step(*there: Replica) -> dict[int, int]:
            table.there = [*there]
            table.round(PATIENCE_S, acts=False, pause_s=1.0)
            return {round: len(cast) for round, cast in views_of(red).changes.votes.get(change, {}).items()}

        while step(red, blue, green) != {1: 3}:
            pass
        while step(red, green) != {1: 3, 2: 2}:  # Blue, who coordinates the first round, is away
            pass
        for _ in range(200):
            step(red, green)
        while not table.view.number:
            voted = step(red, blue, green)
        assert voted == {1: 3, 2: 3}
        assert table.view.value.out == (4,)


def test_after_a_long_wait_a_peer_shows_what_its_log_does_not_lead_to(tmp_path: Path) -> None:
    """A liar may have shown it to this peer alone."""
    with without_one(seats(tmp_path, 4), 40) as (replicas, _):
        for one in replicas:
            one.synchronize()
        one = max(replicas, key=lambda replica: len(unlinked(replica)))
        lacking = unlinked(one)
        assert lacking
        assert not copies_of(one)
        one.feed(LingerEnded())
        assert copies_of(one) == lacking
        one.feed(PlayerPassed())
        assert copies_of(one) == lacking


def unlinked(replica: Replica) -> set[str]:
    """The newest commits of all players to which a peer's own log does not lead."""
    valid, log = views_of(replica), replica.store.own_ref(replica.core.held.log)
    assert log is not None
    return {end for end in valid.chain_ends.values() if not valid.leads(log, end)}


def copies_of(replica: Replica) -> set[str]:
    return {head for ref, head in replica.store.list_refs(HEADS).items() if copy_at(ref) is not None}


@pytest.mark.long
def test_a_peer_that_starts_again_in_a_change_keeps_its_promises(tmp_path: Path) -> None:
    paths = seats(tmp_path, 4)
    with without_one(paths, 40) as (replicas, path):
        table = PeerTable(replicas)
        voter, written = replicas[0], list[LoggedStep]()
        while not written:
            for replica, voting in table.voting.items():
                table.look(replica)
                voting.look()
            written = table.voting[voter].go_on(PATIENCE_S)
            table.time.sleep(STEP_S)
        vote = written[0]
    log = git(voter.store.folder.parent, "rev-parse", f"{voter.store.folder.parent.name}_0")
    assert log == vote.commit
    with opened([one for one in paths if one != path]) as again:
        for replica in again:
            replica.synchronize()
        assert not again[0].graph.may_act(again[0].player)
        table = PeerTable(again)
        table.pass_patience()
        assert again[0].graph.may_act(again[0].player)
        play_rounds(again, lambda replica: len(replica.graph) > 90)
        assert git(paths[0], "merge-base", "--is-ancestor", log, again[0].graph.head, check=False) == ""


@pytest.mark.long
@pytest.mark.parametrize("leaver", ["the host", "a guest"])
@pytest.mark.parametrize("hands", ["open", "hidden"])
def test_a_party_of_several_seats_stays_or_leaves_as_one(tmp_path: Path, leaver: str, hands: Hands) -> None:
    paths, gone = seats(tmp_path, 4, "joint", hands, parties=[(1, 3)]), {1, 3} if leaver == "the host" else {2}
    with opened(paths) as replicas:
        play_rounds(replicas, lambda replica: len(replica.graph) > 60)
        play_until(replicas, {min(gone)})
        staying = [replica for replica in replicas if replica.player not in gone]
        table = PeerTable(staying)
        table.pass_patience()
        assert {replica.player for replica in staying} == {*range(1, 5)} - gone
        assert table.view.value.out == (min(gone),)
        play_rounds(staying, lambda replica: len(replica.graph) > 120)
        assert all(not replica.rejected for replica in staying)
        assert {*staying[0].graph.state.present} == {*range(1, 5)} - gone


@pytest.mark.long
def test_people_vote_to_go_on_and_all_verbs_say_who_has(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = seats(tmp_path, 4, "joint", patience_s=0)

    def said(*words: str) -> str:
        main([*words])
        return capsys.readouterr().out

    with opened(paths) as replicas:
        play_rounds(replicas, lambda replica: len(replica.graph) > 60)
        play_until(replicas, {3})
    red, blue, green, orange = map(str, paths)
    voted = "without Green (3 of 4 must vote; voted: Red; not voted yet: Blue and Orange)"
    assert f"you have voted to go on {voted}" in said("vote", red)
    status = said("status", red)
    assert [line for line in status.splitlines() if " voted: " in line] == [f"you have voted to go on {voted}"]
    main(["turn", blue])
    offered = f"you can vote to go on {voted.replace('(3', 'now (3')}"
    assert f"{offered}: catan-p2p vote" in capsys.readouterr().err
    turn, known = (json.loads(said(verb, blue, "--json")) for verb in ("turn", "status"))
    same = turn.keys() & known.keys() - {"refusals"}
    assert same > {"waiting_for", "since", "patience_s", "standing", "may_vote_on", "votes"}
    assert (turn["waiting_for"], turn["standing"]) == (["Green"], [offered])
    assert {word: turn[word] for word in same} == {word: known[word] for word in same}
    absent = Standing(read_status(paths[0]).graph, 1, 0, ())
    assert absent.sentences() == [f"going on {voted[:-1].replace(' (', ': ')}"]
    assert "; voted: Red and Blue; not voted yet: Orange)" in said("vote", blue)
    # Votes are ahead of what they are about.
    assert re.search("^Red .* at the newest ", said("status", blue), re.MULTILINE)
    said("vote", orange)
    for path in (blue, red, orange, blue, red, orange):
        said("turn", path, "--within", "20")
    assert "Green" in said("log", red).splitlines()[-1]
    assert "excused" in said("status", red)
    for verb in ("turn", "status"):
        assert "the others have gone on without you; you can watch; waiting for" in said(verb, green)
        assert [json.loads(said(verb, path, "--json"))["left_out"] for path in (red, green)] == [False, True]
    assert main(["vote", green]) == 2
    assert "the others have gone on without you; you can watch" in capsys.readouterr().err
    with opened(paths) as replicas:
        replicas[2].synchronize()
        ReplicaNarration(replicas[2], "Green", tells_steps=True, tells_progress=False)(VotingDuty(replicas[2]), "")
        assert "the others have gone on without you; you can watch" in capsys.readouterr().err
        driver = SeatDriver("Green", replicas[2], SeatControl(None), Metronome(0.0), is_person=True)
        assert driver.away_players().words == "the others have gone on without you; you can watch"


@pytest.mark.long
@pytest.mark.parametrize(("silent", "seed"), [(2, 3), (2, 6), (3, 3), (3, 5)])  # Blue coordinates the first round
def test_visits_lead_to_a_decision(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, silent: Player, seed: int) -> None:
    """Each visit is an hour after the one before; all look in once, in any order, before anybody does again."""
    paths, rng, hours = seats(tmp_path, 4, "joint", patience_s=0), Random(seed), count(int(SYSTEM_TIME.date_s()), 3600)
    with opened(paths) as replicas:
        play_rounds(replicas, lambda replica: len(replica.graph) > 20)
        play_until(replicas, {silent})
    there = [path for player, path in enumerate(paths, 1) if player != silent]

    def views_after(*, votes: bool = False) -> Iterator[int]:
        for path, date_s in zip(rng.sample(there, len(there)), hours, strict=False):
            monkeypatch.setattr(SystemTime, "date_s", lambda _, date_s=date_s: date_s)
            with open_replica(path, lambda _, date_s=date_s: date_s) as replica:
                visit(replica)
                if votes:
                    VotingDuty(replica).vote(silent)
                yield views_of(replica).view.number

    assert {*views_after(votes=True)} == {0}
    assert any({*views_after()} == {1} for _ in range({2: 6, 3: 3}[silent]))


def test_a_vote_that_cannot_pass_is_not_offered(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = seats(tmp_path, 4, "joint", patience_s=0)
    with opened(paths) as replicas:
        play_rounds(replicas, lambda replica: len(replica.graph) > 20)
        play_until(replicas, {2, 3})
    assert main(["vote", str(paths[0]), "--on", "Blue"]) == 2
    assert "nobody can go on without Blue and Green: 3 of 4 must vote" in capsys.readouterr().err
    main(["turn", str(paths[0])])
    assert capsys.readouterr().err == "nobody can go on without Blue and Green: 3 of 4 must vote\n"


@pytest.mark.parametrize("silent", [1, 2])
def test_of_two_parties_neither_can_vote_and_all_verbs_say_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], silent: Player
) -> None:
    """A host with computers and one guest are two, however many seats they have."""
    paths = seats(tmp_path, 3, "joint", patience_s=0, parties=[(1, 3)])
    with opened(paths) as replicas:
        play_rounds(replicas, lambda replica: len(replica.graph) > 20)
        play_until(replicas, {silent})
    there, name = paths[2 - silent], paths[silent - 1].name
    assert main(["vote", str(there)]) == 2
    assert f"nobody can go on without {name}: of two" in capsys.readouterr().err
    main(["status", str(there)])
    assert "vote to go on" not in capsys.readouterr().out
    main(["turn", str(there)])
    assert "catan-p2p vote" not in capsys.readouterr().err


def test_once_somebody_is_left_out_all_are_told_that_the_recorder_is_awaited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ViewDuty, "record", lambda *_: None)
    paths = seats(tmp_path, 4)
    with without_one(paths, 40) as (replicas, _):
        table = PeerTable(replicas)
        while not table.view.value.out:
            table.round(PATIENCE_S, acts=False, pause_s=STEP_S)
        (left_out,), one = table.view.value.out, replicas[0]
        (recorder,) = one.graph.awaited
        called = [*one.game.called.values()]
        assert recorder != left_out == awaited(one.graph.state)[0]
        assert waiting_for(one) == called[recorder - 1]
        path = one.store.folder.parent
    assert read_status(path).standing.awaited == (one.game.seats[recorder - 1].colour,)


# Catching up


@contextmanager
def one_again(paths: Sequence[Path], reached: Path) -> Iterator[Replica]:
    """The first seat starts again and reaches one of the others; the time for all to answer is over."""
    for path in {*paths[1:]} - {reached}:
        use_remote(paths[0], path.name, str(paths[0].parent / "nowhere"))
    with open_replica(paths[0]) as one:
        one.catch_up._grace_until = 0.0
        one.synchronize()
        yield one


def test_where_a_seat_was_played_last_one_answer_is_enough(tmp_path: Path) -> None:
    paths = seats(tmp_path, 3)
    with opened(paths) as replicas:
        play_rounds(replicas, lambda replica: len(replica.graph) > 30)
    with one_again(paths, paths[1]) as one:
        assert one.may_sign


@pytest.mark.parametrize("is_older", [True, False])
def test_a_repository_that_was_put_back_waits_for_a_majority(tmp_path: Path, is_older: bool) -> None:
    """Older than what this machine has played, or on another machine."""
    paths = seats(tmp_path, 3)
    with opened(paths) as replicas:
        play_rounds(replicas, lambda replica: len(replica.graph) > 30)
    shutil.copytree(paths[0], tmp_path / "backup")
    with opened(paths) as replicas:
        play_rounds(replicas, lambda replica: len(replica.graph) > 40)
    if is_older:
        shutil.rmtree(paths[0])
        shutil.copytree(tmp_path / "backup", paths[0])
    else:
        shutil.rmtree(tmp_path / "home")
    with one_again(paths, paths[1]) as one:
        assert not one.may_sign
        assert not one.act()
    with one_again(paths, paths[1]) as one:  # what has come back meanwhile is no answer of the third player
        assert not one.may_sign
    use_remote(paths[0], paths[2].name, str(paths[2]))
    with open_replica(paths[0]) as one:
        one.synchronize()
        assert one.may_sign
    with one_again(paths, paths[1]) as one:
        assert one.may_sign


def test_a_note_of_where_the_log_is_outlives_a_loss_of_power_once_it_is_synced() -> None:
    disk, log = MemoryDisk(), object_id("commit", b"log")
    disk.make_folder(Path("/home"))
    disk.sync_all()
    note = HeadNote(Path("/home/heads"), log, "Red", disk)
    note.keep(log)
    note.sync()
    disk.lose_power(None)
    assert note.agrees(log)


@pytest.mark.long
def test_whoever_comes_for_the_first_time_takes_part_in_a_change_begun_before(tmp_path: Path) -> None:
    """Else two of four who come later than the patience could never play, nor the others without them."""
    paths = seats(tmp_path, 4, "joint")
    with opened(paths[:2], alone=True) as early:
        both = lambda one: len(views_of(one).changes.cast(Change.of(views_of(one).view), 1)) == 2  # noqa: E731
        PeerTable(early).play(both, PATIENCE_S)
    with opened(paths) as replicas:
        table, here_before = PeerTable(replicas), replicas[3]._note
        assert here_before is not None
        here_before.keep(object_id("commit", b"lost"))
        table.look()
        assert [one.may_sign for one in replicas] == [True, True, True, False]
        table.play(lambda one: one.graph.state.tp != "Pledging", PATIENCE_S)


@pytest.mark.long
def test_a_repository_that_was_put_back_takes_no_part_in_a_change_begun_before(tmp_path: Path) -> None:
    paths = seats(tmp_path, 4)
    with without_one(paths, 40) as (replicas, path):
        one, *others = replicas
        table = PeerTable(others)
        written = list[LoggedStep]()
        while not written:
            table.look(one)
            written += table.round(PATIENCE_S, acts=False, pause_s=STEP_S)
        mine = one.store.folder.parent
    assert path != mine
    shutil.rmtree(tmp_path / "home")
    with opened([one for one in paths if one != path]) as replicas:
        for _ in range(2):
            for replica in replicas:
                replica.catch_up._grace_until = 0.0
                replica.synchronize()
        again = next(replica for replica in replicas if replica.store.folder.parent == mine)
        table = PeerTable(replicas)
        table.time.sleep(4 * PATIENCE_S)
        assert again.catch_up.is_over
        assert views_of(again).changes.votes
        assert not again.may_sign
        assert not again.is_awaited
        with pytest.raises(GaveUp, match="must be heard from first"):
            again.carry_out(AnswerTrade(again.player, "reject"))
        for _ in range(8):
            assert not table.voting[again].go_on(PATIENCE_S)
            table.time.sleep(STEP_S)
        (absent,) = awaited_by(again)
        with pytest.raises(VotingProblem, match="a repository that was put back takes no part"):
            table.voting[again].vote(absent)


# What one party can make others keep

FLOOD = 1000


def forks_of(replica: Replica, step: LoggedStep, count: int) -> list[bytes]:
    """Other commits in the place of one of its player's own, each dated differently."""
    commit = decode_commit(replica.store.read(step.commit)[1])
    sign = signer(KEYS[replica.game.seats[replica.player - 1].colour])
    found = []
    for later_s in range(1, count + 1):
        author = commit.author._replace(time_s=commit.author.time_s + later_s)
        found.append(sign(commit._replace(author=author, committer=author, signature=None)).encode())
    return found


def hear(replica: Replica, source: str, *commits: bytes) -> None:
    """Let a peer hear of these commits, each the parent of the next, at another player's log."""
    named = [(object_id("commit", data), data) for data in commits]
    branch = replica.game.branch(replica.game.player_of(source) or 0)
    replica.feed(HeadHeard(source, local_ref(branch), named[-1][0], CommitsBrought(named)))


@contextmanager
def forking(tmp_path: Path) -> Iterator[tuple[list[Replica], Replica, LoggedStep]]:
    """Four peers, and the next action of one of them, which only that one holds."""
    with opened(seats(tmp_path, 4)) as replicas:
        play_rounds(replicas, lambda replica: len(replica.graph) > 30)
        for replica in replicas:
            replica.synchronize()
        forker = next(replica for replica in replicas if replica.is_awaited)
        step = forker.act_one()
        yield [replica for replica in replicas if replica is not forker], forker, step


def test_of_a_thousand_forks_a_peer_keeps_two_as_proof(tmp_path: Path) -> None:
    with forking(tmp_path) as (others, forker, step):
        one, colour = others[0], forker.game.seats[forker.player - 1].colour
        before, kept = len(one.graph), one.core.held.read
        forks = forks_of(forker, step, FLOOD)
        for data in forks:
            hear(one, colour, data)
        assert len(one.graph) == before + 2
        assert views_of(one).forkers == {forker.player: tuple(object_id("commit", data) for data in forks[:2])}
        assert [kept(object_id("commit", data))[1] for data in forks[:2]] == forks[:2]
        for data in forks[2:]:
            with pytest.raises(ObjectMissing):
                kept(object_id("commit", data))
        assert one.refusals == 0
        assert len(one.store.list_refs("refs/")) < 20


def test_the_proof_of_a_fork_outlives_the_program_and_reaches_all_others(tmp_path: Path) -> None:
    with forking(tmp_path) as (others, forker, step):
        one, colour = others[0], forker.game.seats[forker.player - 1].colour
        for data in forks_of(forker, step, 2):
            hear(one, colour, data)
        one.feed(LooksEnded())
        proof, path = {*views_of(one).forkers[forker.player]}, one.store.folder.parent
        one.store.publish()
        others[1].synchronize()
        assert forker.player in views_of(others[1]).forkers
    with open_replica(path) as again:
        assert {*views_of(again).forkers[forker.player]} == proof


def test_a_person_at_a_window_votes_and_is_told_without_whom_they_can_go_on(tmp_path: Path) -> None:
    with opened(seats(tmp_path, 4, "joint", patience_s=0)) as replicas:
        play_rounds(replicas, lambda replica: len(replica.graph) > 40)
        play_until(replicas, {3})
        replica = replicas[0]
        driver = SeatDriver("Red", replica, SeatControl(None), Metronome(0.0), is_person=True)
        driver.life.voting.clock._before_s = SILENCE_S  # as after a minute
        assert driver.away_players().players == (3,)
        assert driver.carry_out(Excuse(1, 2)) == ActionRefused("Red", "the game is not waiting for that player")
        assert driver.carry_out(Excuse(1, 3)) == ActionDone("Red")
        assert driver.away_players().players == ()
        (vote,) = (node for node in views_of(replica).nodes.values() if isinstance(node, VoteNode))
        assert vote.waits == (3,)
        assert isinstance(driver.carry_out(Excuse(1, 3)), ActionRefused)


def test_a_new_view_begins_with_a_patience_of_its_own(tmp_path: Path) -> None:
    with opened(seats(tmp_path, 3, "joint")) as replicas:
        play_rounds(replicas, lambda replica: len(replica.graph) > 40)
        play_until(replicas, {3})
        table = PeerTable(replicas[::-1])  # whoever waits is the last to accept
        table.pass_patience()  # who is awaited votes, and so stays
        assert table.view.value.out == ()
        votes = [change.number for replica in replicas for change in views_of(replica).changes.votes]
        assert {*votes} == {0}
