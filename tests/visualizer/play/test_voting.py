"""A seat that waits for a silent player offers a vote, asks once more, and casts it; the peers do the rest.

Without the ``isinstance(..., Excuse | Claim)`` in ``keeps`` what is asked is forgotten at the next news, without that
in ``SeatDriver.carry_out`` the vote is refused.
"""

from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from threading import Condition

import pytest

from catan_p2p.game.actions import Claim, Excuse
from catan_p2p.game.constants import THESIS
from catan_p2p.log.views.nodes import VoteNode
from catan_p2p.replication.replica import Replica
from catan_p2p.replication.voting import VotingDuty
from catan_p2p.sessions.messages import ActionDone, ActionRefused, AwayPlayers, GameMoved, receive
from catan_p2p.sessions.seat_driver import Metronome, SeatControl, SeatDriver
from catan_p2p.sessions.worker import WorkerTable
from catan_p2p.tables.status import read_status
from catan_p2p.view.events import ChangeSigned
from tests.positions import position
from tests.replication.tables import make_seats, opened
from tests.virtual_time import VirtualTime
from tests.visualizer.data.test_repository import read
from visualizer.play.draft import ActionDraft
from visualizer.play.moment import keeps, moment

NAMES = ("Red", "Blue", "Green")
LEAVING = replace(THESIS, leaving=True)


def test_who_waits_for_a_silent_player_can_vote_and_is_asked_once_more() -> None:
    state = position(3, rules=LEAVING)
    vote = Excuse(2, 1)
    assert not moment(state, 2, NAMES).choices
    (choice,) = moment(state, 2, NAMES, excusable=(1,)).choices
    assert (choice.name, choice.then) == ("without Red", ActionDraft(ask=vote))
    assert keeps(state, 2, ActionDraft(ask=vote), (1,)) and not keeps(state, 2, ActionDraft(ask=vote))
    asked = moment(state, 2, NAMES, ActionDraft(ask=vote), excusable=(1,))
    assert "Red" in asked.title
    assert [choice.then for choice in asked.choices] == [vote, ActionDraft()]


def test_the_vote_is_cast_once_and_the_others_go_on(tmp_path: Path) -> None:
    rules = "thesis; PointsToWin = 4; Leaving = yes"
    with opened(make_seats(tmp_path, 3, 7, signed=True, rules=rules)) as replicas:
        others = [Waiting(replica, colour) for replica, colour in zip(replicas[1:], NAMES[1:], strict=True)]
        for waiting in others:
            driver = waiting.driver
            assert isinstance(driver.carry_out(Excuse(driver.replica.player, 1)), ActionDone)
            again = driver.carry_out(Excuse(driver.replica.player, 1))
            assert again == ActionRefused(driver.colour, "you have already voted")
        for _ in range(30):
            for waiting in others:
                waiting.time.sleep(1.0)
                waiting.driver.replica.synchronize()
                waiting.driver.life.turn()
        assert all(waiting.driver.replica.graph.state.away == (True, False, False) for waiting in others)
        path = replicas[1].store.folder.parent
    steps = read(path).steps
    assert [step.action for step in steps if isinstance(step.action, Excuse)] == [Excuse(2, 1)]
    votes = [step.action for step in steps if isinstance(step.action, ChangeSigned) and step.action.kind == "vote"]
    assert {vote.player for vote in votes} == {2, 3} and all(vote.others == (1,) for vote in votes)


AGREED = "thesis; Leaving = yes; Patience = 600"


class Waiting:
    """A seat at a table that waits for Red, whose patience may be over after ten minutes."""

    def __init__(self, replica: Replica, colour: str = "Blue", policy: str | None = None) -> None:
        self.time = VirtualTime()
        self.driver = SeatDriver(colour, replica, SeatControl(policy), Metronome(0.0), is_person=policy is None)
        while not replica.catch_up.is_over:
            replica.synchronize()
        self.open_again()

    def open_again(self) -> None:
        self.driver.life.voting = VotingDuty(self.driver.replica, self.time)
        self.driver.life.voting.look()

    def wait(self, seconds: float) -> None:
        for _ in range(int(seconds)):
            self.time.sleep(1.0)
            self.driver.life.voting.look()

    def has_voted(self) -> bool:
        graph = self.driver.replica.graph
        assert graph.game.has_views
        return any(isinstance(node, VoteNode) and node.link.player == 2 for node in graph.valid.nodes.values())


@pytest.fixture
def waiting(tmp_path: Path) -> Iterator[Waiting]:
    with opened(make_seats(tmp_path, 3, 7, signed=True, rules=AGREED)) as replicas:
        yield Waiting(replicas[1])


def test_the_button_and_what_it_does_go_by_the_same(waiting: Waiting) -> None:
    driver = waiting.driver
    for seconds in (0, 174, 425):
        waiting.wait(seconds)
        assert not driver.away_players().players
        refused = driver.carry_out(Excuse(2, 1))
        assert isinstance(refused, ActionRefused) and "this table waits 10 min for a silent player" in refused.words
        (prospect,) = read_status(driver.replica.store.folder.parent, waiting.time).standing.prospects
        assert not prospect.is_possible
    waiting.wait(1)
    assert driver.away_players().players == (1,)
    assert read_status(driver.replica.store.folder.parent, waiting.time).standing.prospects[0].is_possible
    assert isinstance(driver.carry_out(Excuse(2, 1)), ActionDone)
    assert driver.away_players().players == ()


def test_a_window_that_is_opened_again_goes_on_with_the_same_wait(waiting: Waiting) -> None:
    waiting.wait(599)
    waiting.open_again()
    assert waiting.driver.away_players().players == ()
    waiting.wait(1)
    assert waiting.driver.away_players().players == (1,)
    assert waiting.driver.life.voting.longest_wait_s() == 600


def test_a_computer_that_plays_for_a_person_votes_and_leaves_the_vote_to_the_person(waiting: Waiting) -> None:
    driver = waiting.driver
    waiting.wait(600)
    driver.life.turn()
    assert not waiting.has_voted()  # a person decides
    driver.hand_to("random")
    assert driver.away_players().players == (1,)
    driver.life.turn()
    assert waiting.has_voted()
    assert driver.carry_out(Excuse(2, 1)) == ActionRefused("Blue", "you have already voted")
    driver.hand_to(None)
    assert driver.life.pace.patience_s is None


def test_the_person_can_vote_while_a_computer_plays_for_them(waiting: Waiting) -> None:
    waiting.driver.hand_to("random")
    waiting.wait(600)
    assert isinstance(waiting.driver.carry_out(Excuse(2, 1)), ActionDone)


def test_a_seat_that_a_computer_plays_from_the_start_votes(tmp_path: Path) -> None:
    with opened(make_seats(tmp_path, 3, 7, signed=True, rules=AGREED)) as replicas:
        waiting = Waiting(replicas[1], policy="random")
        waiting.wait(600)
        waiting.driver.life.turn()
        assert waiting.has_voted()


def test_the_last_of_two_can_claim_the_game_at_the_window(tmp_path: Path) -> None:
    state = position(2, rules=LEAVING)
    (choice,) = moment(state, 2, NAMES[:2], excusable=(1,)).choices
    claim = Claim(2, 1)
    assert (choice.name, choice.words, choice.then) == ("without Red", "Claim the game", ActionDraft(ask=claim))
    assert "Red" in moment(state, 2, NAMES[:2], ActionDraft(ask=claim)).title
    with opened(make_seats(tmp_path, 2, 7, signed=True, rules=AGREED)) as replicas:
        waiting = Waiting(replicas[1])
        waiting.wait(599)
        assert isinstance(waiting.driver.carry_out(claim), ActionRefused)
        assert waiting.driver.away_players().players == ()
        waiting.wait(1)
        assert waiting.driver.away_players().players == (1,)
        assert isinstance(waiting.driver.carry_out(claim), ActionDone)
        assert replicas[1].graph.state.winner == 2


def test_the_window_is_told_once_a_wait_from_before_its_start_counts_and_once_a_vote_is_possible(
    waiting: Waiting,
) -> None:
    out, driver = BytesIO(), waiting.driver
    table = WorkerTable(out, 0.0, Condition())
    table.drivers["Blue"] = driver

    def told() -> list[object]:
        start = out.tell()
        table.tell_news()
        out.seek(start)
        found = []
        while (news := receive(out)) is not None:
            found.append(news)
        return found

    waiting.wait(300)
    driver.life.voting = VotingDuty(driver.replica, waiting.time)
    (moved,) = told()
    assert isinstance(moved, GameMoved)
    driver.life.voting.look()
    (again,) = told()
    assert isinstance(again, GameMoved) and 290 < moved.since - again.since <= 301
    assert told() == []
    waiting.wait(300)
    assert AwayPlayers("Blue", (1,), "you can vote to go on without Red now (2 of 3 must vote)") in told()
    assert not any(isinstance(news, AwayPlayers) for news in told())
    driver.carry_out(Excuse(2, 1))
    said = "you have voted to go on without Red (2 of 3 must vote; voted: Blue; not voted yet: Green)"
    assert AwayPlayers("Blue", (), said) in told()
