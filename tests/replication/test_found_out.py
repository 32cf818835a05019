"""An excuser who is proven a liar after the others have said yes stops nobody, and takes nobody's seat.

Real signed repositories of four players. The game waits for Orange; Blue and Green have said yes, and Red would excuse
Orange. Red has also placed their first village in two ways.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from catan_p2p.game.actions import Excuse, Vote
from catan_p2p.game.rules import apply
from catan_p2p.log.audit import audit
from catan_p2p.log.reading import take_in
from catan_p2p.log.refs import local_ref
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.replication.core.events import VoteDecided
from catan_p2p.replication.replica import Replica
from catan_p2p.replication.voting import VotingDuty
from tests.replication.tables import make_seats, opened, point, write_object
from tests.replication.test_settling import (
    BLUE,
    GREEN,
    LEAVING,
    ORANGE,
    RED,
    check_together,
    folder_of,
    forked,
    look_alone,
    settle_all,
)

ALL = ["Red", "Blue", "Green", "Orange"]


class Vote4:
    """The vote on Orange: who holds what, and what Red shows."""

    def __init__(self, replicas: Sequence[Replica]) -> None:
        self.red, self.blue, self.green, self.orange = replicas
        self.round = self.blue.graph.line.round_of(ORANGE)
        for voter in (self.blue, self.green):
            voter.cast(VoteDecided(self.round, Vote(voter.player, ORANGE, "yes")))
            voter.store.publish()
        self.excuse = self._excuse()

    def _excuse(self) -> ObjectId:
        """Red's excuse, in Red's repository; it is not shown yet."""
        graph = self.red.graph.at_root()
        for voter in (self.blue, self.green):
            take_in(graph, voter.graph.head, voter.store.read)
            take_in(graph, voter.graph.ballot.of(self.round)[voter.player].commit, voter.store.read)
        graph.bind(0)
        put = lambda kind, data: write_object(folder_of(self.red), kind, data)  # noqa: E731
        graph.add(graph.write_vote(self.round, Vote(RED, ORANGE, "yes"), 5000, put))
        excuse = Excuse(RED, ORANGE)
        held = "".join(f"{folder_of(other)}/.git/objects\n" for other in (self.blue, self.green))
        (folder_of(self.red) / ".git/objects/info").mkdir(exist_ok=True)
        (folder_of(self.red) / ".git/objects/info/alternates").write_text(held)
        return graph.write(excuse, apply(graph.before(excuse), excuse), 5001, put).commit

    def show(self, commit: ObjectId) -> None:
        """Red shows everybody a log that ends here."""
        point(folder_of(self.red), local_ref(self.red.game.branch(RED)), commit)
        for one in (self.blue, self.green, self.orange):
            for neighbour in one.neighbours:
                neighbour.source.seen.clear()

    @property
    def honest(self) -> tuple[Replica, ...]:
        return self.blue, self.green, self.orange

    def look(self, replica: Replica, at: Sequence[str] = ALL) -> None:
        """Look at some, and vote; nobody acts."""
        others = replica.neighbours
        replica.neighbours = [one for one in others if one.colour in at]
        settle_all((replica,), 1)
        replica.neighbours = others

    def play_on(self, turns: int = 12) -> None:
        """All go on, and are on one commit in the end."""
        for _ in range(turns):
            for replica in self.honest:
                replica.synchronize()
                replica.act()
                VotingDuty(replica).go_on()
                replica.store.publish()
        for replica in self.honest:
            replica.synchronize()


@pytest.fixture
def paths(tmp_path: Path) -> list[Path]:
    return make_seats(tmp_path, 4, 7, rules=LEAVING, signed=True)


def forked_by_red(replicas: Sequence[Replica], sides: tuple[tuple[int, ...], ...]) -> tuple[Vote4, ObjectId]:
    """A vote on Orange, of which Blue and Green know each other's part; and the last commit of Red's second side."""
    for replica in replicas:
        replica.synchronize()
    both = forked(replicas, sides)
    _, blue, green, _ = replicas
    look_alone(green, ["Blue"])
    look_alone(blue, ["Green"])
    return Vote4(replicas), both[1]


@pytest.fixture
def apart(paths: list[Path]) -> Iterator[Vote4]:
    """Blue and Green are on one side and wait for Orange, who is on the other."""
    with opened(paths) as replicas:
        vote, _ = forked_by_red(replicas, ((BLUE, GREEN), (ORANGE,)))
        assert vote.blue.graph.head == vote.green.graph.head and vote.blue.graph.state.to_act == ORANGE
        yield vote


@pytest.mark.sampled(6)
@pytest.mark.long
@pytest.mark.parametrize("shown", ["never", "before all have charged", "after", "once play has gone on"])
def test_a_yes_does_not_wait_for_an_excuser_who_is_found_out(apart: Vote4, paths: list[Path], shown: str) -> None:
    if shown == "before all have charged":
        for one in (apart.blue, apart.green):
            apart.look(one, ["Red"])
            assert RED in {lie.absent for lie in one.graph.settling.rounds()}
        apart.show(apart.excuse)
        apart.look(apart.blue)
        apart.look(apart.green)
        assert not any(apart.excuse in one.graph for one in (apart.blue, apart.green))
    if shown != "never":
        settle_all(apart.honest)
        check_together(apart.honest)
    if shown == "after":
        apart.show(apart.excuse)
    apart.play_on(4)
    if shown == "once play has gone on":
        apart.show(apart.excuse)
    apart.play_on()
    check_together(apart.honest)
    assert not apart.blue.graph.state.away[ORANGE - 1]
    assert len(apart.blue.graph) > apart.blue.graph.height(apart.round.base) + 12
    for path in paths[1:]:
        assert audit(path).is_fine


@pytest.mark.long
def test_who_was_excused_by_a_liar_alone_tells_the_others(paths: list[Path]) -> None:
    with opened(paths) as replicas:
        vote, shown_last = forked_by_red(replicas, ((BLUE, GREEN, ORANGE), ()))
        vote.look(vote.orange, ["Blue", "Green"])
        vote.show(vote.excuse)
        vote.look(vote.orange, ["Red"])
        assert vote.orange.graph.head == vote.excuse
        vote.show(shown_last)
        vote.look(vote.blue, ["Red"])
        vote.look(vote.green, ["Red"])
        settle_all(vote.honest)
        check_together(vote.honest)
        vote.play_on()
        check_together(vote.honest)
        assert vote.blue.graph.state.away[ORANGE - 1]
        assert vote.excuse in vote.blue.graph
    with opened(paths[1:]) as again:
        check_together(again)


@pytest.mark.long
def test_who_has_acted_before_they_charge_the_excuser_is_not_waited_for(paths: list[Path]) -> None:
    with opened(paths) as replicas:
        vote, shown_last = forked_by_red(replicas, ((BLUE, GREEN, ORANGE), ()))
        vote.look(vote.orange, ["Blue", "Green"])
        vote.orange.act()
        vote.show(shown_last)
        vote.look(vote.orange, ["Red"])
        own = vote.orange.graph.ballot.of(vote.orange.graph.settling.rounds()[0])[ORANGE]
        assert own.charge is not None and own.charge.newest not in vote.blue.graph
        settle_all(vote.honest)
        vote.play_on()
        check_together(vote.honest)
        assert not vote.blue.graph.state.away[ORANGE - 1]
