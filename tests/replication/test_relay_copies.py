"""A liar who is alone at a relay cannot hide from the others what the rest hold: who holds it shows copies there.

Real signed repositories of four players; three of them meet at a relay, where of Red's branches only stands what a test
puts there.
"""

from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from catan_p2p.game.actions import Vote
from catan_p2p.game.rules import apply, decisions, draw
from catan_p2p.log.audit import audit
from catan_p2p.log.evidence import read_refusals
from catan_p2p.log.refs import CommitCopy, copy_at, copy_ref, local_ref
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.replication.core import replica_state
from catan_p2p.replication.replica import Replica
from catan_p2p.replication.voting import VotingDuty
from catan_p2p.tables.seat import private_folder
from tests.replication.relay_forks import KINDS, play_one
from tests.replication.relays import bare, flush, meet_at
from tests.replication.tables import git, heads_of, make_seats, opened, point
from tests.replication.test_settling import (
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
from tests.virtual_time import VirtualTime


class RelayTable:
    """Blue, Green and Orange at a relay, after Red has acted while they all could look at one another."""

    def __init__(self, folder: Path) -> None:
        self.relay = bare(folder / "relay")
        self.paths = make_seats(folder, 4, 7, rules=LEAVING, signed=True)

    def push(self, ref: str, commit: ObjectId) -> None:
        """Let Red move a branch at the relay by force."""
        git(self.paths[0], "push", "--quiet", "--force", str(self.relay), f"{commit}:{ref}")

    def meet(self) -> None:
        """From now on all meet at the relay only."""
        for path in self.paths[1:]:
            meet_at(path, str(self.relay))

    def copies(self) -> dict[str, ObjectId]:
        """The copies that stand at the relay."""
        return {ref: head for ref, head in heads_of(self.relay).items() if copy_at(ref) is not None}


@pytest.fixture
def table(tmp_path: Path) -> RelayTable:
    return RelayTable(tmp_path)


def at_once(replicas: Sequence[Replica]) -> None:
    """Let the relay be listed anew for each look."""
    for replica in replicas:
        assert replica.relay is not None
        replica.relay.meeting.least_s = 0.0


def red_forks(
    table: RelayTable, holders: Sequence[tuple[int, str]] = ((GREEN, "Red"), (ORANGE, "Red"))
) -> list[ObjectId]:
    """Blue holds one end of Red's turn, the others another one: the one, and the newest commit of the other.

    ``holders`` look at whom they name. At the relay Red's branch is at what Blue holds.
    """
    with opened(table.paths) as replicas:
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
    table.push(log, other)
    return [other, newest]


@pytest.mark.sampled(5, together=True)
@pytest.mark.long
def test_who_moves_over_gets_what_was_voted_on_where_the_liar_has_left_the_other_side(table: RelayTable) -> None:
    other, newest = red_forks(table)
    table.meet()
    with opened(table.paths[1:], alone=True) as there:
        at_once(there)
        settle_all(there, rounds=6)
        check_together(there)
        assert newest in there[0].graph
        assert other not in there[0].graph
        assert {replica.graph.state.away for replica in there} == {(True, False, False, False)}
        finish_without(there, RED)
        for replica in there:
            flush(replica)
        assert table.copies() == {}
    for path in table.paths[1:]:
        assert audit(path).is_fine
        assert git(path, "for-each-ref", "refs/heads/*_copy_*") == ""


@pytest.mark.sampled(5, together=True)
@pytest.mark.long
def test_that_nobody_shows_what_was_voted_on_is_noticed(table: RelayTable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replica_state, "MAX_COPIES", 0)
    with pytest.raises(AssertionError):
        test_who_moves_over_gets_what_was_voted_on_where_the_liar_has_left_the_other_side(table)


@pytest.mark.sampled(5, together=True)
@pytest.mark.long
def test_who_reaches_one_other_player_only_gets_what_was_voted_on(table: RelayTable) -> None:
    # Red      Orange ---> Green <---> Blue      Green has what Red did from Orange, and Red and Orange have gone
    _, newest = red_forks(table, ((ORANGE, "Red"), (GREEN, "Orange")))
    with opened(table.paths[1:], alone=True) as (blue, green, orange):
        for replica, others in ((orange, ("Green", "Blue")), (green, ("Orange", "Blue")), (blue, ("Green",))):
            replica.neighbours = [one for one in replica.neighbours if one.colour in others]
        settle_all((blue, green, orange), rounds=6)
        check_together((blue, green))
        assert newest in blue.graph


@pytest.mark.sampled(5, together=True)
@pytest.mark.long
def test_a_vote_is_never_shown_without_what_it_names(table: RelayTable) -> None:
    _, newest = red_forks(table)
    with opened(table.paths[1:], alone=True) as (blue, green, _):
        for replica in (blue, green):
            replica.synchronize()
        (vote,) = VotingDuty(green).go_on()
        assert vote.action == Vote(GREEN, RED, "yes")
        assert green.store.read_ref(copy_ref(CommitCopy(newest, "Green", 0))) == newest


@pytest.mark.sampled(5, together=True)
@pytest.mark.long
def test_a_copy_is_shown_again_after_a_kill_that_came_before_it(table: RelayTable) -> None:
    _, newest = red_forks(table)
    table.meet()
    with opened(table.paths[1:], alone=True) as there:
        at_once(there)
        for _ in range(3):
            for replica in there:
                replica.synchronize()
                VotingDuty(replica).go_on()
        copies = table.copies()
        green = there[1]
        ref = copy_ref(CommitCopy(newest, "Green", 0))
        assert copies[ref] == green.store.read_ref(ref) == newest
    git(table.paths[2], "update-ref", "-d", ref)
    with opened(table.paths[2:3], alone=True) as (green,):
        green.synchronize()
        assert green.store.own_ref(ref) == newest
    assert audit(table.paths[2]).ignored_refs == audit(table.paths[3]).ignored_refs


def red_hides(table: RelayTable) -> ObjectId:
    """Red ends the turn, which Green and Orange see; what Red did. At the relay Red's branch is where it was before."""
    with opened(table.paths) as replicas:
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
    table.push(log, before)
    table.meet()
    return newest


@pytest.mark.sampled(5, together=True)
@pytest.mark.long
def test_who_votes_gets_what_a_no_names_where_the_silent_player_has_moved_their_branch_back(table: RelayTable) -> None:
    newest = red_hides(table)
    with opened(table.paths[1:], alone=True) as there:
        at_once(there)
        blue = there[0]
        settle_all(there, rounds=2)
        assert newest not in blue.graph
        VotingDuty(blue).vote(RED, "yes")
        flush(blue)
        settle_all(there, rounds=3)
        assert newest in blue.graph
        assert blue.graph.head == newest
        blue.act()
        flush(blue)
        settle_all(there, rounds=2)
        assert {replica.graph.head for replica in there} == {blue.graph.head}
        assert not any(blue.graph.state.away)


@pytest.mark.sampled(5, together=True)
@pytest.mark.long
def test_whoever_is_awaited_gets_what_the_others_hold_before_anybody_votes(table: RelayTable) -> None:
    newest = red_hides(table)
    with opened(table.paths[1:], alone=True) as there:
        at_once(there)
        blue, green, _ = there
        clock = VirtualTime()
        voting = VotingDuty(green, clock)
        settle_all(there, rounds=2)
        voting.go_on(60)
        clock.now += 19
        voting.go_on(60)
        assert table.copies() == {}
        clock.now += 2
        assert voting.go_on(60) == []
        flush(green)
        assert table.copies() == {copy_ref(CommitCopy(newest, "Green", 0)): newest}
        settle_all([blue], rounds=2)
        assert blue.graph.head == newest


@pytest.mark.sampled(5, together=True)
@pytest.mark.long
def test_what_somebody_else_puts_in_the_place_of_a_copy_is_not_read_and_replaced(table: RelayTable) -> None:
    _, newest = red_forks(table)
    junk = ObjectId(git(table.paths[0], "commit-tree", "-m", "junk", git(table.paths[0], "write-tree")))
    places = [copy_ref(CommitCopy(newest, colour, 0)) for colour in ("Green", "Orange")]
    for place in places:
        table.push(place, junk)
    table.meet()
    with opened(table.paths[1:], alone=True) as there:
        at_once(there)
        settle_all(there, rounds=6)
        check_together(there)
        assert newest in there[0].graph
        assert {ref: table.copies()[ref] for ref in places} == dict.fromkeys(places, newest)
    for path in table.paths[1:]:
        assert {line["colour"] for line in read_refusals(private_folder(path))} <= {"Red"}


WITH_A_LIE = (0, 1, 2, 3, 4, 29)
"""A game of each kind in which there is time for the lie."""


@pytest.mark.long
@pytest.mark.sampled(9)
@pytest.mark.parametrize("seed", WITH_A_LIE, ids=lambda seed: KINDS[seed % len(KINDS)])
def test_games_of_the_campaign(tmp_path: Path, seed: int) -> None:
    assert play_one(tmp_path, seed).has_lied
