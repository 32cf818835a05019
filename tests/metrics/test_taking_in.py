"""What the other peers spent on an action: every synchronization with news is shared among what it brought."""

from pathlib import Path

import pytest

from catan_p2p.log.history import load_history
from catan_p2p.metrics.games import measure_game, share_syncs
from catan_p2p.replication.peer import SyncTiming
from catan_p2p.simulation.game import SimulationSettings
from catan_p2p.simulation.run import begin_run, play_run


@pytest.mark.long
@pytest.mark.parametrize("topology", ["shared", "separate"])
def test_all_that_synchronizations_with_news_took_is_shared_among_the_actions(topology: str, tmp_path: Path) -> None:
    settings = SimulationSettings(players=3, seed=7, policies=("builder",), topology=topology)
    play_run(begin_run(tmp_path / "run", settings))
    path = tmp_path / "run" / "Catan_0"
    measured = measure_game(path if topology == "shared" else path / "Red", "run", thorough=False)
    assert measured.game.counts["Discard"] > 0
    shares = [row.sync_s for row in measured.actions]
    assert all(share is not None and share > 0 for share in shares)
    assert sum(share or 0 for share in shares) == pytest.approx(measured.game.sync_with_news_s)


def test_a_synchronization_is_shared_equally_among_the_others_commits_that_it_brought(runs: Path) -> None:
    actions = load_history(runs / "two" / "Catan_0").actions[:6]
    counts = {player: sum(logged.action.player != player for logged in actions) for player in (1, 2)}
    syncs = [SyncTiming(1, counts[1], 1.0), SyncTiming(1, 0, 9.0), SyncTiming(2, 1, 2.0)]
    syncs.append(SyncTiming(2, counts[2] - 1, 4.0))
    shares = share_syncs(actions, syncs, (1, 2))
    of_first = [shares[logged.commit] for logged in actions if logged.action.player == 1]
    assert of_first == [2.0, *(4.0 / (counts[2] - 1) for _ in of_first[1:])]
    assert sum(shares.values()) == pytest.approx(7.0)


def test_synchronizations_that_are_not_of_the_whole_game_are_not_shared(runs: Path) -> None:
    actions = load_history(runs / "two" / "Catan_0").actions[:6]
    counts = {player: sum(logged.action.player != player for logged in actions) for player in (1, 2)}
    first, second = SyncTiming(1, counts[1], 1.0), SyncTiming(2, counts[2], 1.0)
    assert share_syncs(actions, [first, second], (1, 2))
    assert share_syncs(actions, [first], (1, 2)) == {}
    assert share_syncs(actions, [first, SyncTiming(2, counts[2] - 1, 1.0)], (1, 2)) == {}
    assert share_syncs(actions, [first, SyncTiming(2, counts[2] + 1, 1.0)], (1, 2)) == {}
