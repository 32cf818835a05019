"""A proven liar does not stop the others: two continuations shown to different players, and all honest on one again.

Real signed repositories of three and four players. Red signs two commits on one; each of the others holds one of them
and has gone on from it as far as possible, before they hear of one another.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

import pytest

from catan_p2p.game.actions import Action, EmptyBuild, Excuse, OpenAll, SignEnd, Vote
from catan_p2p.game.constants import Player
from catan_p2p.game.rules import apply, decisions, draw
from catan_p2p.log.audit import audit
from catan_p2p.log.ballot import VotingRound
from catan_p2p.log.commit import decode_commit, parse_entry
from catan_p2p.log.evidence import list_evidence, read_refusals
from catan_p2p.log.graph import CommitGraph
from catan_p2p.log.proof import charge_of
from catan_p2p.log.reading import take_in
from catan_p2p.log.refs import local_ref
from catan_p2p.log.signing import signer
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.tree import Put
from catan_p2p.replication.core import replica_state
from catan_p2p.replication.core.events import LieProven, VoteDecided
from catan_p2p.replication.replica import Replica
from catan_p2p.replication.voting import VotingDuty
from catan_p2p.tables.seat import private_folder
from tests.replication.relays import bare, flush, meet_at
from tests.replication.tables import KEYS, git, make_seats, opened, point, write_object

LEAVING = "thesis; Leaving = yes; PointsToWin = 4"
RED, BLUE, GREEN, ORANGE, WHITE = 1, 2, 3, 4, 5


def folder_of(replica: Replica) -> Path:
    return replica.store.folder.parent


def until_awaited(replicas: Sequence[Replica], player: Player, least: int, when: Callable[[Replica], bool]) -> None:
    """Play until everybody knows that the game waits for a player, after so many commits."""
    while True:
        for replica in replicas:
            replica.synchronize()
            replica.store.publish()
        one = replicas[player - 1]
        if len(one.graph) >= least and one.is_awaited and when(one) and len({r.graph.head for r in replicas}) == 1:
            return
        for replica in replicas:
            if replica.is_awaited and not (replica is one and len(one.graph) >= least and when(one)):
                replica.act_one()


def written_by(liar: Replica, base: ObjectId, actions: Sequence[Action], time_s: int = 4000) -> list[ObjectId]:
    """Commits of the liar's on ``base``, one after the other, whatever else they have done; in their repository."""
    graph = liar.graph.at_root()
    take_in(graph, base, liar.store.read)
    found = []
    for action in actions:
        before = graph.before(action)
        put = lambda kind, data: write_object(folder_of(liar), kind, data)  # noqa: E731
        step = graph.write(action, apply(before, action), time_s + len(found), put)
        graph.add(step)
        found.append(step.commit)
    return found


def look_alone(replica: Replica, at: Sequence[str]) -> None:
    """Synchronize with these players only, and act as far as that goes."""
    others = replica.neighbours
    replica.neighbours = [one for one in others if one.colour in at]
    for one in others:
        one.source.seen.clear()
        one.strays_at = 0.0
    for _ in range(3):
        replica.synchronize()
        replica.act()
    replica.neighbours = others


def settle_all(replicas: Sequence[Replica], rounds: int = 8) -> None:
    """Let these look at everything and vote, until nothing changes any more; nobody acts."""
    for _ in range(rounds):
        for replica in replicas:
            for one in replica.neighbours:
                one.strays_at = 0.0
            replica.synchronize()
            VotingDuty(replica).go_on()
            replica.store.publish()


def check_together(replicas: Sequence[Replica]) -> None:
    """All stand on one commit, the liar is excused, charged by everybody, and nobody else is."""
    assert len({replica.graph.head for replica in replicas}) == 1
    for replica in replicas:
        assert replica.graph.state.away[RED - 1]
        refusals = read_refusals(private_folder(folder_of(replica)))
        colours = {line["colour"] for line in refusals}
        assert colours <= {replica.game.seats[RED - 1].colour}, refusals


def forked(replicas: Sequence[Replica], split: tuple[Sequence[int], Sequence[int]]) -> list[ObjectId]:
    """Red takes one action in two ways, with different dates, each shown to some; who holds one acts on it."""
    red = replicas[RED - 1]
    base, log = red.graph.head, local_ref(red.game.branch(RED))
    state = red.graph.state
    action = draw(state, decisions(state, RED)[0], Random(1))
    both = [written_by(red, base, [action], 4000 + 10 * i)[0] for i in range(2)]
    for commit, side in zip(both, split, strict=True):
        point(folder_of(red), log, commit)
        for player in side:
            look_alone(replicas[player - 1], ["Red"])
    return both


def test_two_on_different_sides_come_together(tmp_path: Path) -> None:
    paths = make_seats(tmp_path, 3, 7, rules=LEAVING, signed=True)
    with opened(paths) as replicas:
        until_awaited(replicas, RED, 1, lambda one: True)
        both = forked(replicas, ((BLUE,), (GREEN,)))
        _, blue, green = replicas
        lost = [green.graph.head, blue.graph.head][both[0] not in blue.graph]
        assert blue.graph.height(blue.graph.head) > green.graph.height(green.graph.head)
        settle_all((blue, green))
        check_together((blue, green))
        assert lost not in blue.graph
        assert both[0] in green.graph
    for path in paths[1:]:
        assert audit(path).is_fine
        assert {f"Red/{commit}" for commit in both} <= set(list_evidence(private_folder(path)))
    # Whoever starts again holds the same, and moves nowhere.
    with opened(paths[1:]) as again:
        check_together(again)
        assert not any(VotingDuty(replica).charge_liars() for replica in again)


@pytest.mark.sampled(5)
@pytest.mark.long
@pytest.mark.parametrize(
    ("players", "split"),
    [
        pytest.param(3, ((BLUE,), (GREEN,)), id="one each"),
        pytest.param(4, ((BLUE, ORANGE), (GREEN,)), id="two and one"),
        pytest.param(4, ((GREEN,), (BLUE, ORANGE)), id="one and two"),
    ],
)
def test_all_come_together_after_a_fork_and_play_to_the_end(
    tmp_path: Path, players: int, split: tuple[Sequence[int], Sequence[int]]
) -> None:
    paths = make_seats(tmp_path, players, 7, rules=LEAVING, signed=True)
    with opened(paths) as replicas:
        until_awaited(replicas, RED, 20, lambda one: one.graph.state.tp == "Building")
        both = forked(replicas, split)
        held = [next(i for i in (0, 1) if both[i] in replica.graph) for replica in replicas[1:]]
        assert len(set(held)) == 2
        settle_all(replicas[1:])
        check_together(replicas[1:])
        most = 0 if held.count(0) > held.count(1) else 1
        if held.count(0) != held.count(1):
            assert all(both[most] in replica.graph for replica in replicas[1:])
        finish_without(replicas, RED)
    for path in paths[1:]:
        verdict = audit(path)
        assert verdict.is_fine, verdict
        kept = set(list_evidence(private_folder(path)))
        assert {f"Red/{commit}" for commit in both} <= kept


def finish_without(replicas: Sequence[Replica], absent: Player) -> None:
    """The others play to the end."""
    there = [replica for replica in replicas if replica.player != absent]
    for _ in range(2000):
        for replica in there:
            replica.synchronize()
            replica.act()
        if all(replica.graph.state.is_over for replica in there):
            break
    for replica in there:
        replica.fast_forward()
    assert len({replica.graph.head for replica in there}) == 1
    assert there[0].graph.state.is_over


@pytest.mark.long
def test_who_was_excused_on_the_other_side_watches_once_an_honest_player_has_gone_on_from_that(tmp_path: Path) -> None:
    paths = make_seats(tmp_path, 3, 7, rules=LEAVING, signed=True)
    with opened(paths) as replicas:
        red, blue, green = replicas
        until_awaited(replicas, RED, 20, lambda one: one.graph.state.tp == "Building")
        forked(replicas, ((BLUE,), (GREEN,)))
        assert blue.graph.state.to_act == GREEN
        vote = VotingDuty(blue).vote(GREEN, "yes")
        blue.store.publish()
        # Red, who acts next without Green, votes as well, and excuses Green: Blue knows of no lie yet.
        graph = red.graph.at_root()
        take_in(graph, vote.commit, blue.store.read)
        put = lambda kind, data: write_object(paths[0], kind, data)  # noqa: E731
        graph.add(graph.write_vote(graph.line.round_of(GREEN), Vote(RED, GREEN, "yes"), 5000, put))
        excuse = Excuse(RED, GREEN)
        step = graph.write(excuse, apply(graph.state, excuse), 5001, put)
        point(paths[0], local_ref(red.game.branch(RED)), step.commit)
        look_alone(green, ["Red"])
        look_alone(green, ["Blue"])
        # It may still be that Blue has heard of the lie before the excuse, and that all come to Green's side.
        assert step.commit not in green.graph
        assert not green.graph.state.away[GREEN - 1]
        look_alone(blue, ["Red"])
        assert blue.graph.state.away[GREEN - 1]
        graph.add(step)
        point(paths[0], local_ref(red.game.branch(RED)), finish_turn(graph, put))
        look_alone(blue, ["Red"])
        blue.store.publish()
        look_alone(green, ["Blue", "Red"])
        assert green.graph.head == blue.graph.head
        assert green.graph.state.away[GREEN - 1]
        charged = {line["colour"] for line in read_refusals(private_folder(paths[2]))}
    assert charged == {"Red"}
    assert audit(paths[2]).is_fine


def finish_turn(graph: CommitGraph, put: Put) -> ObjectId:
    """Let Red end a turn in a graph of Red's; the newest commit."""
    while graph.state.to_act == RED:
        action = draw(graph.state, decisions(graph.state, RED)[-1], Random(2))
        graph.add(graph.write(action, apply(graph.state, action), 6000, put))
    return graph.head


@pytest.mark.long
def test_who_moves_over_moves_their_log_at_a_relay(tmp_path: Path) -> None:
    moves_over(tmp_path)


@pytest.mark.long
def test_what_survives_is_taken_from_the_votes_where_nobody_shows_a_copy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replica_state, "MAX_COPIES", 0)
    moves_over(tmp_path)


def moves_over(tmp_path: Path) -> None:
    # Blue ---> relay <--- Green, Orange        Blue alone holds one of Red's commits, and has pushed a turn on it
    paths = make_seats(tmp_path, 4, 7, rules=LEAVING, signed=True)
    with opened(paths) as replicas:
        until_awaited(replicas, RED, 1, lambda one: True)
        forked(replicas, ((BLUE,), (GREEN, ORANGE)))
    relay = bare(tmp_path / "relay")
    for path in paths[1:]:
        meet_at(path, str(relay))
    with opened(paths[1:], alone=True) as there:
        blue = there[0]
        for replica in there:
            assert replica.relay is not None
            replica.relay.meeting.least_s = 0.0
            flush(replica)
        dropped = git(relay, "rev-parse", "Blue_0")
        assert dropped == blue.graph.head
        settle_all(there, rounds=16)
        check_together(there)
        assert dropped not in blue.graph
        for replica in there:
            flush(replica)
            log = local_ref(replica.game.branch(replica.player))
            assert git(relay, "rev-parse", log) == replica.store.read_ref(log)
    assert git(paths[1], "for-each-ref", "--format=%(objectname)", "refs/abandoned") == dropped
    assert dropped not in git(relay, "rev-list", "--all").split()
    for path in paths[1:]:
        assert audit(path).is_fine


@pytest.mark.long
def test_a_height_that_nobody_has_reached_wins_no_tie(tmp_path: Path) -> None:
    false_height(tmp_path)


def false_height(folder: Path) -> None:
    """Blue and Orange hold one of Red's commits, and Blue has acted on it; Green and White hold the other.

    White says to have come much farther than there are commits. The side of Blue and Orange survives all the same.
    """
    paths = make_seats(folder, 5, 7, rules="brief; StartOrder = seat; Leaving = yes; PointsToWin = 4", signed=True)
    with opened(paths) as replicas:
        red, blue, _, orange, white = replicas
        until_awaited(replicas, RED, 1, lambda one: True)
        base, both = red.graph.head, forked(replicas, ((BLUE, ORANGE), (GREEN, WHITE)))
        look_alone(orange, ["Blue"])
        farther = blue.graph.head
        assert farther in orange.graph
        assert blue.graph.height(farther) > white.graph.height(white.graph.head)
        proof = (white.store.read(both[1])[1], blue.store.read(both[0])[1])
        charge = charge_of(both[1], both[1], 999_999_999, *proof)
        white.cast(VoteDecided(VotingRound(base, "fork", RED), Vote(WHITE, RED, "yes"), charge=charge))
        white.store.publish()
        settle_all(replicas[1:])
        check_together(replicas[1:])
        assert all(farther in replica.graph for replica in replicas[1:])


def test_an_own_vote_that_was_merged_on_the_side_that_is_dropped_is_shown_again(tmp_path: Path) -> None:
    """Green votes on an old lie of Brown's; Blue merges that on the side that does not survive Red's lie."""
    paths = make_seats(tmp_path, 6, 7, rules="brief; StartOrder = seat; Leaving = yes; PointsToWin = 4", signed=True)
    with opened(paths) as replicas:
        red, blue, green, orange, white, brown = replicas
        until_awaited(replicas, RED, 25, lambda one: one.graph.state.tp == "TradingBuilding")
        following = green.graph.line.next
        at = next(base for base, continuation in following.items() if continuation.player == brown.player)
        taken = green.store.read(following[at].commit)[1]
        said = parse_entry(decode_commit(taken).message, brown.game.constants).action
        lie = written_by(brown, at, [said], 5000)[0]
        proof = LieProven(taken, brown.store.read(lie)[1], is_apart=False)
        kept, dropped = (written_by(red, red.graph.head, [EmptyBuild(RED)], 4000 + 10 * i)[0] for i in range(2))
        log = local_ref(red.game.branch(RED))
        point(paths[0], log, kept)
        for replica in (orange, white, brown):
            look_alone(replica, ["Red"])
        point(paths[0], log, dropped)
        look_alone(green, ["Red"])
        green.core.fork_settlement.learn(proof)
        (vote,) = VotingDuty(green).charge_liars()
        green.store.publish()
        look_alone(blue, ["Red", "Green"])
        look_alone(green, ["Blue"])
        assert vote.commit in green.graph and vote.commit not in green.graph.ballot.loose
        assert vote.commit not in green.core.held.own_replies().values()
        for _ in range(12):
            for replica in (orange, white, brown, blue, green) if kept not in green.graph else ():
                for one in replica.neighbours:
                    one.strays_at = 0.0
                replica.synchronize()
                VotingDuty(replica).charge_liars()
                replica.store.publish()
        assert kept in green.graph
        assert vote.commit in green.core.held.own_replies().values()


HIDDEN = "thesis; Leaving = yes; PointsToWin = 3"


def about_to_win(replicas: Sequence[Replica]) -> Replica:
    """Play until somebody will win with what they do next."""
    while True:
        for replica in replicas:
            replica.synchronize()
            replica.store.publish()
        for replica in replicas:
            if replica.is_awaited:
                action = replica._decider(replica.graph.state)()
                if apply(replica.graph.before(action), action).is_over:
                    return replica
                replica.act_one()


@pytest.mark.long
def test_who_alone_is_shown_the_end_tells_no_key(tmp_path: Path) -> None:
    """A winner shows one player the end, and the other one another commit in its place."""
    paths = make_seats(tmp_path, 3, 7, rules=HIDDEN, signed=True, chance="joint", hands="hidden")
    with opened(paths) as replicas:
        liar = about_to_win(replicas)
        log, colour = local_ref(liar.game.branch(liar.player)), liar.game.seats[liar.player - 1].colour
        end = liar.act_one().commit
        commit = decode_commit(liar.store.read(end)[1])
        author = commit.author._replace(time_s=commit.author.time_s + 1)
        unsigned = commit._replace(author=author, committer=author, signature=None)
        other = write_object(folder_of(liar), "commit", signer(KEYS[colour])(unsigned).encode())
        honest = [replica for replica in replicas if replica is not liar]
        for shown, replica in zip((end, other), honest, strict=True):
            point(folder_of(liar), log, shown)
            look_alone(replica, [colour])
            assert replica.graph.head == shown and replica.graph.state.tp == "Signing"
            assert isinstance(replica.graph.replies[replica.player].action, SignEnd)
        settle_all(honest)
        for _ in range(4):
            for replica in honest:
                replica.synchronize()
                if replica.is_awaited:
                    replica.act()
                VotingDuty(replica).go_on()
                replica.store.publish()
        assert len({replica.graph.head for replica in honest}) == 1
        for replica in honest:
            state = replica.graph.state
            assert state.winner == liar.player and state.away[liar.player - 1]
            told = {step.action.player for step in replica.graph.replies.values() if isinstance(step.action, OpenAll)}
            assert told == {one.player for one in honest}
