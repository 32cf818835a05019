"""A chain of shares ends: a game with more draws than it is for ends with a plain message, and exit code 1."""

from pathlib import Path

import pytest

from catan_p2p.game import chance
from catan_p2p.log.audit import audit
from tests.replication.stopped import check_stop
from tests.replication.tables import make_seats
from tests.typed import Typed

SAID = "the game has had 5 draws, and a chain of shares has no more"


@pytest.fixture(autouse=True)
def short_chains(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chance, "CHAIN_LENGTH", 5)


def test_simulate_says_so_and_goes_on_with_the_next_game(tmp_path: Path, typed: Typed) -> None:
    out = tmp_path / "run"
    said = typed(1, "simulate", "--seed", "1", "--games", "2", "--chance", "joint", "--out", out)
    assert f"no winner: game 0, seed 1: {SAID}" in said.err
    assert f"no winner: game 1, seed 1: {SAID}" in said.err
    assert "Traceback" not in said.err
    for number in (0, 1):
        verdict = audit(out / f"Catan_{number}")
        assert verdict.is_fine, "what was played is a sound log"
        assert verdict.history is not None
        assert sum(logged.draw is not None for logged in verdict.history.actions) == 5


def test_a_peer_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    check_stop(make_seats(tmp_path, 2, chance="joint"), SAID, capsys)
