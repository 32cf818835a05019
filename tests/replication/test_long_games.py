"""A game ends, with a plain message, before it is so long that a newcomer could not read it."""

from pathlib import Path

import pytest

from catan_p2p.log import reading
from catan_p2p.log.audit import audit
from catan_p2p.replication import peer
from tests.replication.stopped import check_stop
from tests.replication.tables import make_seats
from tests.typed import Typed

SAID = "the game has 40 commits, and a newcomer could not read many more"


@pytest.fixture(autouse=True)
def short_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peer, "MAX_GAME_COMMITS", 40)
    monkeypatch.setattr(reading, "MAX_NEW_COMMITS", 44)


def test_simulate_says_so_and_what_was_played_can_be_read(tmp_path: Path, typed: Typed) -> None:
    out = tmp_path / "run"
    said = typed(1, "simulate", "--seed", "1", "--chance", "joint", "--out", out).err
    assert f"no winner: game 0, seed 1: {SAID}" in said
    assert "Traceback" not in said
    assert audit(out / "Catan_0").is_fine


def test_a_peer_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    check_stop(make_seats(tmp_path, 2), SAID, capsys)
