"""A person's seat goes on when there is no share for the draw that they want to make."""

from pathlib import Path

import pytest

from catan_p2p.game.actions import RollDice
from catan_p2p.replication.replica import Replica
from catan_p2p.sessions.messages import ActionDone, ActionRefused
from catan_p2p.sessions.seat_driver import Metronome, SeatControl, SeatDriver
from tests.replication.relays import bare, flush, seats_at
from tests.replication.tables import make_seats, opened
from tests.replication.test_settling import until_awaited

GREEN = 3
RULES = "thesis; Leaving = yes; Chance = joint"


def can_roll(replica: Replica) -> bool:
    return replica.graph.state.tp == "DiceRoll"


@pytest.mark.long
def test_who_would_tell_a_share_twice_is_told_so_and_can_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = make_seats(tmp_path, 3, 9, rules=RULES, signed=True)
    with opened(paths) as replicas:
        until_awaited(replicas, GREEN, 1, can_roll)
        green = replicas[GREEN - 1]
        driver = SeatDriver("Green", green, SeatControl(None), Metronome(0.0), is_person=True)
        roll, before = RollDice(GREEN, 7), green.graph.head
        with monkeypatch.context() as told_elsewhere:
            told_elsewhere.setattr(green.core.fork_settlement.told, "highest", 10_000)
            refused = driver.carry_out(roll)
            assert isinstance(refused, ActionRefused)
            assert "for another draw, which did not survive, and never tells a share twice" in refused.words
            assert refused.words in driver.trouble()
            driver.life.turn()
            assert green.graph.head == before
        assert driver.trouble() == []
        assert isinstance(driver.carry_out(roll), ActionDone)
        assert green.graph.head != before


def test_what_is_not_at_the_relay_yet_is_told(tmp_path: Path) -> None:
    (red, _) = seats_at(tmp_path, str(bare(tmp_path / "relay")))
    with opened([red]) as (replica,):
        driver = SeatDriver("Red", replica, SeatControl(None), Metronome(0.0), is_person=True)
        assert driver.trouble() == ["what you did last has not reached the relay yet: wait before you leave"]
        flush(replica)
        assert driver.trouble() == []
