"""A person's seat tells what stands in its way."""

from pathlib import Path

from catan_p2p.sessions.seat_driver import Metronome, SeatControl, SeatDriver
from tests.replication.relays import bare, flush, seats_at
from tests.replication.tables import opened


def test_what_is_not_at_the_relay_yet_is_told(tmp_path: Path) -> None:
    (red, _) = seats_at(tmp_path, str(bare(tmp_path / "relay")))
    with opened([red]) as (replica,):
        driver = SeatDriver("Red", replica, SeatControl(None), Metronome(0.0), is_person=True)
        assert driver.trouble() == ["what you did last has not reached the relay yet: wait before you leave"]
        flush(replica)
        assert driver.trouble() == []
