"""A player of a game of real processes goes away: the others end it on one commit, and nothing is lost."""

from functools import partial
from pathlib import Path

import pytest

from catan_p2p.cli.main import main
from catan_p2p.game.rule_names import rules_named
from catan_p2p.log.history import load_history
from tests.replication.leaving import TOPOLOGIES, TWICE, WAYS, Plan, plan_of, play_one
from tests.replication.processes import STILL_S, ProcessTable, wait_until
from tests.replication.relays import bare
from tests.replication.tables import game_of, git


@pytest.mark.first
@pytest.mark.long
@pytest.mark.parametrize(
    ("players", "way", "hands"),
    [(5, "coordinator voted", "Hands = open"), (4, "coordinator proposed", "Chance = joint; Hands = hidden")],
)
def test_the_others_end_a_game_whose_player_and_coordinator_were_killed(
    tmp_path: Path, players: int, way: str, hands: str
) -> None:
    rules = f"brief; PointsToWin = 3; Leaving = yes; {hands}"
    figures = play_one(tmp_path, Plan(1, players, "folders", way, 12.0, "Green", 6, rules))
    assert figures.failures == []
    assert figures.actions > 10


@pytest.mark.long
@pytest.mark.needs("spec")
def test_the_others_go_on_without_a_seat_that_two_programs_play(tmp_path: Path) -> None:
    """Nobody is left out for being silent: the game would stand still for so long."""
    rules = "brief; PointsToWin = 3; Leaving = yes"
    assert play_one(tmp_path, Plan(1, 4, "folders", TWICE, 600.0, "Green", 0, rules)).failures == []
    assert main(["check-trace", str(tmp_path)]) == 0


def _told(path: Path, word: str, absent: int) -> bool:
    """Whether a repository has an action: with ``absent``, the record that this player is left out, or back."""
    commits = git(path, "log", "--all", "--format=%B%x00").split("\0")
    about = f"\nAbsent: {absent}\n" if absent else ""
    return any(f"\nAction: {word}\n" in one and about in one for one in commits)


@pytest.mark.long
@pytest.mark.needs("spec")
@pytest.mark.parametrize("meets", ["ports", "relay"])
def test_each_in_turn_is_killed_and_comes_back_with_hidden_hands(tmp_path: Path, meets: str) -> None:
    rules = "standard; PointsToWin = 10; Leaving = yes; Chance = joint; Hands = hidden; Returns = 3; SignedEnd = yes"
    relay = str(bare(tmp_path / "relay")) if meets == "relay" else None
    game = game_of(rules_named(rules, 3, may_be_hidden=True), 3)
    options = ("--patience", "4s")
    table = ProcessTable(
        tmp_path,
        game,
        (1, 2, 3),
        is_served=relay is None,
        relay=relay,
        options=options,
        policies=("tests.replication.slow:Slow",),
    )
    peers = list(table.peers.values())
    with table.running():
        for number, peer in enumerate(peers, 1):
            first, other = peers[number - 2].path, peers[number % 3].path
            ready = ("come_back", number - 1) if number > 1 else ("empty_build", 0)
            assert wait_until(partial(_told, first, *ready), STILL_S, lambda: table.acknowledged)
            peer.kill()
            assert wait_until(partial(_told, other, "excuse", number), STILL_S, lambda: table.acknowledged)
            peer.start()
        assert wait_until(lambda: not any(peer.is_running for peer in peers), STILL_S, lambda: table.acknowledged)
    histories = [load_history(peer.path, may_be_hidden=True) for peer in peers]
    assert len({history.graph.head for history in histories}) == 1
    for peer, history in zip(peers, histories, strict=True):
        assert not any(history.last.away) and history.last.is_over and not history.rejected
        assert main(["verify", str(peer.path)]) == 0
    assert main(["check-trace", str(tmp_path)]) == 0


def test_a_campaign_has_every_way_on_every_topology() -> None:
    plans = [plan_of(seed, patience_s=1.0) for seed in range(36)]
    assert len({(plan.way, plan.topology) for plan in plans}) == len(WAYS) * len(TOPOLOGIES) == 36
    assert {plan.players for plan in plans} == {3, 4, 5}


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(36))
def test_the_others_end_a_game_from_which_somebody_goes(tmp_path: Path, seed: int) -> None:
    figures = play_one(tmp_path, plan_of(seed, patience_s=10.0))
    assert figures.failures == []
