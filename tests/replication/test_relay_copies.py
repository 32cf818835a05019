"""A liar who is alone at a relay cannot hide from the others what the rest hold: who holds it shows copies there.

Real signed repositories of four players; three of them meet at a relay, where of Red's branches only stands what a test
puts there.
"""

from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from catan_p2p.game.rules import apply, decisions, draw
from catan_p2p.log.audit import audit
from catan_p2p.log.refs import CommitCopy, copy_at, copy_ref, local_ref
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.replication.replica import Replica
from tests.replication.forks import (
    BLUE,
    GREEN,
    LEAVING,
    ORANGE,
    RED,
    check_together,
    finish_without,
    folder_of,
    look_alone,
    settle_all,
    until_awaited,
    written_by,
)
from tests.replication.peers import PeerTable, views_of
from tests.replication.relay_forks import KINDS, play_one
from tests.replication.relays import bare, flush, meet_at
from tests.replication.tables import git, heads_of, make_seats, opened, point


@pytest.fixture
def paths(tmp_path: Path) -> list[Path]:
    """The seats of a new game, whose players can look at one another, beside an empty relay."""
    bare(tmp_path / "relay")
    return make_seats(tmp_path, 4, 7, rules=LEAVING)


def red_pushes(paths: Sequence[Path], ref: str, commit: ObjectId) -> None:
    """Let Red move a branch at the relay by force."""
    git(paths[0], "push", "--quiet", "--force", str(paths[0].with_name("relay")), f"{commit}:{ref}")


def meet_at_relay(paths: Sequence[Path]) -> None:
    """From now on all but Red meet at the relay only."""
    for path in paths[1:]:
        meet_at(path, str(path.with_name("relay")))


def copies_beside(path: Path) -> dict[str, ObjectId]:
    """The copies that stand at the relay."""
    return {ref: head for ref, head in heads_of(path.with_name("relay")).items() if copy_at(ref) is not None}


def at_once(replicas: Sequence[Replica]) -> None:
    """Let the relay be listed anew for each look."""
    for replica in replicas:
        assert replica.relay is not None
        replica.relay.meeting.least_s = 0.0


def red_forks(
    paths: list[Path], holders: Sequence[tuple[int, str]] = ((GREEN, "Red"), (ORANGE, "Red"))
) -> list[ObjectId]:
    """Blue holds one end of Red's turn, the others another one: the one, and the newest commit of the other.

    ``holders`` look at whom they name. At the relay Red's branch is at what Blue holds.
    """
    with opened(paths) as replicas:
        until_awaited(replicas, RED, 20, lambda one: one.graph.state.tp == "Trading")
        red, blue = replicas[:2]
        base, log = red.graph.head, local_ref(red.game.branch(RED))
        first = draw(red.graph.state, decisions(red.graph.state, RED)[-1], Random(1))
        other = written_by(red, base, [first], 5000)[0]
        point(folder_of(red), log, other)
        look_alone(blue, ["Red"])
        after = apply(red.graph.before(first), first)
        second = draw(after, decisions(after, RED)[-1], Random(2))
        newest = written_by(red, base, [first, second], 4000)[1]
        point(folder_of(red), log, newest)
        for player, place in holders:
            look_alone(replicas[player - 1], [place])
            replicas[player - 1].store.publish()
            assert replicas[player - 1].graph.head == newest
            assert replicas[player - 1].graph.state.to_act == BLUE
        assert blue.graph.head == other
    red_pushes(paths, log, other)
    return [other, newest]


@pytest.mark.sampled(5, together=True)
@pytest.mark.long
def test_who_moves_over_gets_what_was_voted_on_where_the_liar_has_left_the_other_side(paths: list[Path]) -> None:
    other, newest = red_forks(paths)
    meet_at_relay(paths)
    with opened(paths[1:], alone=True) as there:
        at_once(there)
        settle_all(there)
        check_together(there)
        valid = views_of(there[0])
        assert valid.line.leads(valid.newest, newest)
        assert not valid.line.leads(valid.newest, other)
        assert {replica.graph.state.away for replica in there} == {(True, False, False, False)}
        finish_without(there)
        for replica in there:
            flush(replica)
        assert copies_beside(paths[0]) == {}
    for path in paths[1:]:
        assert audit(path).is_fine
        assert git(path, "for-each-ref", "refs/heads/*_copy_*") == ""


@pytest.mark.sampled(5, together=True)
@pytest.mark.long
def test_who_reaches_one_other_player_only_gets_what_was_voted_on(paths: list[Path]) -> None:
    # Red      Orange ---> Green <---> Blue      Green has what Red did from Orange, and Red and Orange have gone
    _, newest = red_forks(paths, ((ORANGE, "Red"), (GREEN, "Orange")))
    with opened(paths[1:], alone=True) as (blue, green, orange):
        for replica, others in ((orange, ("Green", "Blue")), (green, ("Orange", "Blue")), (blue, ("Green",))):
            replica.neighbours = [one for one in replica.neighbours if one.colour in others]
        settle_all((blue, green, orange))
        check_together((blue, green))
        assert newest in blue.graph


def red_hides(paths: list[Path]) -> ObjectId:
    """Red ends the turn, which Green and Orange see; what Red did. At the relay Red's branch is where it was before."""
    with opened(paths) as replicas:
        until_awaited(replicas, RED, 20, lambda one: one.graph.state.tp == "Building")
        red, _, green, orange = replicas
        log = local_ref(red.game.branch(RED))
        before = red.store.read_ref(log)
        assert before is not None
        end = draw(red.graph.state, decisions(red.graph.state, RED)[-1], Random(1))
        (newest,) = written_by(red, red.graph.head, [end], 4000)
        point(folder_of(red), log, newest)
        for one in (green, orange):
            look_alone(one, ["Red"])
            assert one.graph.head == newest
            assert one.graph.state.to_act == BLUE
    red_pushes(paths, log, before)
    meet_at_relay(paths)
    return newest


@pytest.mark.sampled(5, together=True)
@pytest.mark.long
@pytest.mark.parametrize("is_taken", [False, True], ids=["free", "taken"])
def test_whoever_is_awaited_gets_what_the_others_hold_before_anybody_votes(paths: list[Path], is_taken: bool) -> None:
    """Also where somebody else has put junk in the place of the copy."""
    newest = red_hides(paths)
    place = copy_ref(CommitCopy(newest, "Green", 0))
    if is_taken:
        red_pushes(paths, place, ObjectId(git(paths[0], "commit-tree", "-m", "junk", git(paths[0], "write-tree"))))
    with opened(paths[1:], alone=True) as there:
        at_once(there)
        blue, green, _ = there
        table = PeerTable([green])
        voting = table.voting[green]
        settle_all(there, rounds=2)
        voting.go_on(60)
        table.time.sleep(19)
        voting.go_on(60)
        assert newest not in copies_beside(paths[0]).values()
        table.time.sleep(2)
        assert voting.go_on(60) == []
        flush(green)
        assert copies_beside(paths[0])[place] == newest
        settle_all([blue], rounds=2)
        assert blue.graph.head == newest


WITH_A_LIE = (0, 1, 2, 3, 4, 29)
"""A game of each kind in which there is time for the lie."""


@pytest.mark.long
@pytest.mark.sampled(9)
@pytest.mark.parametrize("seed", WITH_A_LIE, ids=lambda seed: KINDS[seed % len(KINDS)])
def test_games_of_the_campaign(tmp_path: Path, seed: int) -> None:
    assert play_one(tmp_path, seed).has_lied
