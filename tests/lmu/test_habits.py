"""Programs found in the wild: every game with them ends with a winner, whatever habits meet."""

import asyncio
from itertools import combinations_with_replacement
from pathlib import Path

import pytest

from catan_p2p.lmu.seats import TableSettings
from catan_p2p.lmu.words import COLOUR_WORDS
from catan_p2p.log.audit import audit
from tests.lmu.habits import HABITS, Foreigner
from tests.lmu.hosting import hosting
from tests.lmu.scenes import GENEROUS, RawClient, server_of

pytestmark = [pytest.mark.long, pytest.mark.sampled(3)]

PATIENCE_S = 0.5
"""Short, so that those who say nothing do not hold up the test; what is too slow on a busy machine is played on."""


async def foreign_game(mine: str, other: str, seed: int, port: int, tcp: int) -> list[Foreigner]:
    """A client with the one habit, one with the other, one with both and one with none."""
    habits = ({mine}, {other}, {mine, other}, set[str]())
    players = [
        Foreigner(f"Player {i}", colour, own, seed + i)
        for i, (own, colour) in enumerate(zip(habits, COLOUR_WORDS, strict=False))
    ]
    ends = await asyncio.gather(*(player.play(port, tcp) for player in players))
    for player, heard_end in zip(players, ends, strict=True):
        assert heard_end or "falls silent" in player.habits or "repeats what is refused" in player.habits, player.habits
        assert player.unexpected == []
    return players


async def in_memory(mine: str, other: str, seed: int) -> None:
    async with server_of(GENEROUS, players=4, patience_s=PATIENCE_S, seed=seed) as (server, port, tcp, games):
        players = await asyncio.wait_for(foreign_game(mine, other, seed, port, tcp), 300)
        assert games[0].state.is_over
        winners = {player.client_player.model.winner for player in players if player.client_player.is_over}
        assert len(winners) == 1
        assert 0 not in winners
        assert server.troubles == []


PAIRS = [*combinations_with_replacement(HABITS, 2)]
NEIGHBOURS = list(zip(HABITS, [*list(HABITS)[1:], next(iter(HABITS))], strict=True))


@pytest.mark.parametrize(("mine", "other"), NEIGHBOURS[::2], ids=[" + ".join(pair) for pair in NEIGHBOURS[::2]])
async def test_games_with_foreign_programs_end(mine: str, other: str) -> None:
    await in_memory(mine, other, seed=7)


@pytest.mark.soak
@pytest.mark.parametrize(("mine", "other"), PAIRS, ids=[" + ".join(pair) for pair in PAIRS])
async def test_every_habit_with_every_other(mine: str, other: str, tmp_path: Path) -> None:
    table = TableSettings(4, patience_s=PATIENCE_S, seed=3, out=tmp_path)
    async with hosting(GENEROUS, table) as hosted:
        await asyncio.wait_for(foreign_game(mine, other, 5, hosted.port, hosted.tcp), 300)
        while RawClient.open:
            await RawClient.open.pop().close()
    verdict = audit(tmp_path / "Catan_0")
    assert verdict.is_fine
    assert verdict.history is not None
    assert verdict.history.actions[-1].state.is_over
