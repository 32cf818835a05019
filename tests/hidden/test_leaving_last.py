"""Who serves their repository stays until the others have the cards that everybody opens after the end."""

from contextlib import ExitStack
from itertools import cycle
from pathlib import Path

import pytest

from catan_p2p.game.rules import awaited
from catan_p2p.game.secret_streams import seat_randomness
from catan_p2p.players.policies import make_policy
from catan_p2p.replication import play
from catan_p2p.replication.core.view_duty import ViewDuty
from catan_p2p.replication.play import LookPace, PeerLife
from catan_p2p.sessions.seat_driver import opener_for
from catan_p2p.tables.opening import opened_seat
from catan_p2p.tables.seat import read_settings
from tests.hidden.tables import hidden_table
from tests.replication.peers import PATIENCE_S, STEP_S, PeerTable
from tests.replication.tables import make_seats, opened, play_rounds


@pytest.mark.long
@pytest.mark.parametrize("most_s", [3600.0, 0.0])
def test_who_serves_stays_until_the_others_have_the_opened_cards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most_s: float
) -> None:
    """Or for as long as a peer stays at all."""
    monkeypatch.setattr(play, "_LINGER_S", 0.0)
    hidden_table(tmp_path, 2, "thesis; PointsToWin = 3")
    folders = frozenset(tmp_path / colour for colour in ("Red", "Blue"))
    with ExitStack() as opened:
        lives = []
        for colour in ("Red", "Blue"):
            seat, path = read_settings(tmp_path / colour), tmp_path / colour
            replica = opened.enter_context(
                opened_seat(path, seat, make_policy("builder"), seat_randomness, int, opener=opener_for(folders))
            )
            lives.append((replica, PeerLife(replica, LookPace(serves=True, stay_s=most_s))))
        turns = cycle(lives)
        while True:
            replica, life = next(turns)
            life.turn()
            if replica.graph.state.is_over and not awaited(replica.graph.state):
                break  # the other has opened, and not looked since
        late, late_life = next(turns)
        assert awaited(late.graph.state)
        for _ in range(20):
            life.turn()
        assert life.is_done() == (most_s == 0.0)
        for _ in range(20):
            late_life.turn()
            life.turn()
        assert not awaited(late.graph.state)
        assert life.is_done() and late_life.is_done()


@pytest.mark.long
def test_who_is_left_out_does_not_wait_for_the_signed_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They have no vote and owe no signature, even before the line records the decision."""
    monkeypatch.setattr(ViewDuty, "record", lambda *_: None)
    rules = "thesis; Leaving = yes; PointsToWin = 3"
    with opened(make_seats(tmp_path, 3, 7, rules=rules, chance="joint", hands="hidden")) as replicas:
        play_rounds(replicas, lambda replica: replica.graph.state.tp == "Signing")
        absent = next(replica for replica in replicas if not replica.graph.state.is_over)
        table = PeerTable([replica for replica in replicas if replica is not absent])
        while not table.view.value.out:
            table.round(PATIENCE_S, pause_s=STEP_S)
        life = PeerLife(absent, LookPace(stay_s=0.0))
        life.turn()
        assert absent.graph.state.tp == "Signing" and not any(absent.graph.state.away)
        assert life.is_done()
