"""Our client against our server: every game ends with a winner, nothing is refused, and the log is a game's."""

import asyncio
from pathlib import Path

import pytest

from catan_p2p.log.audit import audit
from tests.lmu.hosting import games_by_us

pytestmark = pytest.mark.sampled(3)


def check_games(players: int, games: int, out: Path, seed: int) -> None:
    for number, played in enumerate(asyncio.run(games_by_us(players, games, out, seed))):
        assert len({one.winner for one in played}) == 1
        assert played[0].winner is not None
        assert [one.client_player.refusals for one in played] == [[]] * players
        assert sum(one.unreadable for one in played) == 0
        report = audit(out / f"Catan_{number}")
        assert report.is_fine
        assert report.history is not None
        assert report.history.actions[-1].state.is_over


@pytest.mark.long
@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_our_client_plays_whole_games_at_our_server(players: int, tmp_path: Path) -> None:
    check_games(players, 1, tmp_path, seed=players)


@pytest.mark.soak
@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_a_hundred_games(players: int, tmp_path: Path) -> None:
    check_games(players, 100, tmp_path, seed=1000 * players)
