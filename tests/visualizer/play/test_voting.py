"""A seat that waits for a silent player offers a vote, asks once more, and casts it; the peers do the rest.

Without the ``isinstance(..., Vote)`` in ``keeps`` what is asked is forgotten at the next news, without that in
``SeatDriver.carry_out`` the vote is refused.
"""

from dataclasses import replace
from pathlib import Path

from catan_p2p.game.actions import Excuse, Vote
from catan_p2p.game.constants import THESIS
from catan_p2p.sessions.messages import Done, Refused
from catan_p2p.sessions.seat_driver import Metronome, SeatControl, SeatDriver
from tests.positions import position
from tests.replication.tables import make_seats, opened
from tests.visualizer.data.test_repository import read
from visualizer.play.draft import Draft
from visualizer.play.moment import keeps, moment

NAMES = ("Red", "Blue", "Green")
LEAVING = replace(THESIS, leaving=True)


def test_who_waits_for_a_silent_player_can_vote_and_is_asked_once_more() -> None:
    state = position(3, rules=LEAVING)
    vote = Vote(2, 1, "yes")
    assert not moment(state, 2, NAMES).choices
    (choice,) = moment(state, 2, NAMES, is_silent=True).choices
    assert (choice.name, choice.then) == ("without Red", Draft(ask=vote))
    assert keeps(state, 2, Draft(ask=vote))
    asked = moment(state, 2, NAMES, Draft(ask=vote), is_silent=True)
    assert "Red" in asked.title
    assert [choice.then for choice in asked.choices] == [vote, Draft()]


def test_nobody_votes_where_the_rules_do_not_know_it_nor_on_themselves() -> None:
    assert not moment(position(3), 2, NAMES, is_silent=True).choices
    names = [choice.name for choice in moment(position(3, rules=LEAVING), 1, NAMES, is_silent=True).all()]
    assert not any(name.startswith("without") for name in names)


def test_the_vote_is_cast_once_and_the_others_go_on(tmp_path: Path) -> None:
    with opened(make_seats(tmp_path, 3, 7, rules="thesis; PointsToWin = 4; Leaving = yes")) as replicas:
        for _ in range(3):
            for replica in replicas:
                replica.synchronize()
        absent = next(replica.player for replica in replicas if replica.is_awaited)
        others = [replica for replica in replicas if replica.player != absent]
        drivers = [
            SeatDriver(NAMES[one.player - 1], one, SeatControl(None), Metronome(0.0), is_person=True) for one in others
        ]
        for driver in drivers:
            assert isinstance(driver.carry_out(Vote(driver.replica.player, absent, "yes")), Done)
            again = driver.carry_out(Vote(driver.replica.player, absent, "yes"))
            assert again == Refused(driver.colour, "you have voted already")
        for _ in range(6):
            for driver in drivers:
                driver.life.turn()
        for driver in drivers:
            assert driver.replica.graph.state.away[absent - 1]
        path = others[0].store.folder.parent
    steps = read(path).steps
    votes = {step.commit for step in steps if isinstance(step.action, Vote)}
    excuse = next(step for step in steps if isinstance(step.action, Excuse))
    assert len(votes) == 2
    assert votes < {*excuse.parents}  # they hang beside one another where the player was awaited, and are merged
    assert all(step.parents == excuse.parents[:1] for step in steps if step.commit in votes)
