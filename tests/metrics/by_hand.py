"""Metrics that tests share: written by hand, so that every number is known."""

import json
from dataclasses import asdict, replace
from pathlib import Path

from catan_p2p.metrics.collection import ACTIONS_FILE, GAMES_FILE, LATENCY_FILE, SUMMARY_FILE
from catan_p2p.metrics.latency import Latency, write_latencies
from catan_p2p.metrics.rows import COUNTS, ActionRow, GameRow, write_rows
from catan_p2p.simulation.game import SimulationSettings

GAME = GameRow(
    run="two", game=0, seed=7, players=2, policies="random random", rules="thesis", topology="shared", winner="Red",
    points="10 4", actions=100, commits=101, turns=20, rejected=0, disk_bytes=202_000, file_bytes=101_000,
    pack_bytes=80_800, index_bytes=10_000, gc_disk_bytes=101_000, gc_file_bytes=50_500, gc_pack_bytes=40_400,
    diff_bytes=50_000, empty_diffs=0, changed_object_count=800, pack_bytes_alone=60_000, hand_overs=25,
    sent_bytes=50_000, elapsed_s=1.0, computing_s=0.808, synchronizing_s=0.202, waiting_s=0.0, fetches=0,
    bytes_received=0, syncs=50, syncs_with_news=20, sync_with_news_s=0.1, sync_without_news_s=0.02, choose_s=0.1,
    apply_s=0.1, check_s=0.1, write_s=0.2, tries=300, findings=0, resumed=False, head="1" * 40, branches="2" * 16,
    counts=dict.fromkeys(COUNTS, 0) | {"RollDice": 36, "EmptyTrade": 32, "EmptyBuild": 32, "gained_Ore": 5}
    | {f"dice_{dice}": 6 - abs(7 - dice) for dice in range(2, 13)},
)  # fmt: skip

ACTION = ActionRow(
    run="two", game=0, step=1, commit="1" * 40, parent_count=1, player=1, colour="Red", action="RollDice",
    parameters="Dice=8", turn=1, phase="DiceRoll", dice=8, gained=1, points=2, diff_bytes=500, changed_object_count=8,
    pack_bytes=600, choose_s=0.001, apply_s=0.001, check_s=0.001, write_s=0.002, sync_s=0.003,
)  # fmt: skip

LATENCIES = [
    Latency(2, "central", "action", "", 0.0, 5, 0.001, 0.0, 0.001, 0.001, 0.001, None, "two", 0, "1" * 40),
    Latency(2, "separate", "git fetch with news", "git", 0.05, 5, 0.4, 0.1, 0.4, 0.3, 0.5, 812.0, "two", 0, "1" * 40),
]


def write_metrics_by_hand(folder: Path, games: list[GameRow], *, latencies: bool = True) -> Path:
    """A folder of metrics with these games and their actions."""
    folder.mkdir(parents=True, exist_ok=True)
    write_rows(folder / GAMES_FILE, GameRow, games)
    actions = [
        replace(ACTION, run=game.run, game=game.game, step=step, diff_bytes=size)
        for game in games
        for step, size in enumerate((400, 500, 600, 2500) * (game.actions // 4), 1)
    ]
    write_rows(folder / ACTIONS_FILE, ActionRow, actions)
    settings = {
        game.run: SimulationSettings(players=game.players, games=len(games), seed=game.seed)
        for game in games
        if game.seed
    }
    summary = {
        "machine": {"date": "2026-01-02", "cores": 2, "processor": "A <B> & C"},
        "runs": {run: {"settings": asdict(one)} for run, one in settings.items()},
    }
    (folder / SUMMARY_FILE).write_text(json.dumps(summary))
    if latencies:
        write_latencies(folder / LATENCY_FILE, LATENCIES, {})
    return folder


def write_three_games(folder: Path) -> Path:
    """Two games of two players and one of four."""
    four = replace(GAME, run="four", players=4, policies="random random random random", points="10 4 5 6", seed=8)
    return write_metrics_by_hand(folder, [GAME, replace(GAME, game=1, commits=201, winner="Blue"), four])
