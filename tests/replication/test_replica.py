"""Honest peers: every player a repository, nothing between them but Git."""

from pathlib import Path

import pytest

from catan_p2p.log.history import load_history
from catan_p2p.log.refs import parse_branch
from catan_p2p.log.storage.store import GitStore
from catan_p2p.log.transport.serve import RepositoryServer
from catan_p2p.replication.replica import Replica
from catan_p2p.simulation.game import SimulationSettings, play_game
from tests.replication.peers import PeerTable
from tests.replication.tables import (
    SHORT,
    finish,
    git,
    is_sound,
    make_seats,
    open_replica,
    opened,
    play_rounds,
    settle,
    use_remote,
)

pytestmark = [pytest.mark.long, pytest.mark.sampled(6, together=True)]


def refs_of(path: Path, folder: str) -> dict[str, str]:
    with GitStore.open(path, writer=None) as store:
        return dict(store.list_refs(folder))


@pytest.mark.parametrize(
    ("players", "signed", "rules"),
    [(2, False, "thesis"), (3, True, "thesis"), (4, False, "thesis"), (3, False, "brief"), (5, True, "brief")],
)
def test_all_peers_end_on_the_same_commit(tmp_path: Path, players: int, signed: bool, rules: str) -> None:
    """
    Red --- Blue
     |   X   |      everybody fetches from everybody, and the game is that of one repository for all
    Green - Orange
    """
    rules = f"{rules}; PointsToWin = 5"
    paths = make_seats(tmp_path, players, signed=signed, rules=rules)
    with opened(paths) as replicas:
        head = finish(replicas)
    if not signed:
        settings = SimulationSettings(players=players, seed=5, policies=("builder",), rules=rules)
        assert play_game(tmp_path / "shared", 0, settings).result.head == head
    for path in paths:
        assert is_sound(path)
        assert load_history(path).rejected == ()
        assert set(refs_of(path, "refs/heads/").values()) == {head}


def test_local_refs_are_the_own_branches_only_and_remote_ones_are_tracked(tmp_path: Path) -> None:
    paths = make_seats(tmp_path, 2)
    with opened(paths) as replicas:
        play_rounds(replicas, lambda replica: len(replica.graph) > 30)
        for replica in replicas:
            replica.store.publish()
    assert list(refs_of(paths[0], "refs/heads/")) == ["refs/heads/Red_0"]
    assert list(refs_of(paths[1], "refs/heads/")) == ["refs/heads/Blue_0"]
    assert list(refs_of(paths[0], "refs/remotes/")) == ["refs/remotes/Blue/Blue_0"]
    assert list(refs_of(paths[1], "refs/remotes/")) == ["refs/remotes/Red/Red_0"]


@pytest.mark.parametrize(("rules", "reply"), [("thesis", "Discard"), ("brief", "AnswerTrade")])
def test_branches_of_merged_replies_are_removed_everywhere(tmp_path: Path, rules: str, reply: str) -> None:
    paths = make_seats(tmp_path, 4, signed=True, rules=rules, policy="random")
    with opened(paths) as replicas:
        play_rounds(replicas, lambda replica: len(replica.graph) > 400 and replica.graph.state.tp == "DiceRoll")
        settle(replicas)
    for path in paths:
        with GitStore.open(path, writer=None) as store:
            names = [parse_branch(ref.rpartition("/")[2]) for ref in store.list_refs("refs/")]
        assert [name for name in names if type(name).__name__ == "ReplyBranch"] == []
    assert reply in {type(logged.action).__name__ for logged in load_history(paths[0]).actions}


@pytest.mark.parametrize(("rules", "players"), [("thesis", 2), ("brief", 3)])
def test_a_peer_goes_on_after_a_restart_as_if_nothing_had_happened(tmp_path: Path, rules: str, players: int) -> None:
    with opened(make_seats(tmp_path / "calm", players, rules=rules)) as replicas:
        expected = finish(replicas)
    paths = make_seats(tmp_path / "restarted", players, rules=rules)
    for height in range(10, 160, 30):
        with opened(paths) as replicas:
            assert len(replicas[0].graph) < height
            play_rounds(replicas, lambda replica, height=height: len(replica.graph) > height)  # type: ignore[misc]
    with opened(paths) as replicas:
        assert finish(replicas) == expected


def test_a_peer_that_was_away_catches_up_at_once(tmp_path: Path) -> None:
    paths = make_seats(tmp_path, 3, signed=True, rules=SHORT)
    with opened(paths) as replicas:
        finish(replicas)
        head, length = replicas[0].graph.head, len(replicas[0].graph)
    late = tmp_path / "late"
    from catan_p2p.tables.joining import join_game
    from catan_p2p.tables.seat import SeatSettings
    from tests.replication.tables import KEYS

    join_game(str(paths[1]), late, SeatSettings("Green", 1, remotes={"Red": str(paths[0])}), KEYS["Green"])
    with open_replica(late) as replica:
        replica.synchronize()
        assert (replica.graph.head, len(replica.graph)) == (head, length)


@pytest.mark.parametrize("rules", ["thesis", "brief"])
def test_in_a_signed_game_moves_reach_a_peer_through_others(tmp_path: Path, rules: str) -> None:
    """
    Red --- Blue --- Green      Red and Green cannot reach each other
    """
    paths = make_seats(tmp_path, 3, signed=True, rules=f"{rules}; PointsToWin = 5")
    use_remote(paths[0], "Green", str(tmp_path / "nowhere"))
    use_remote(paths[2], "Red", str(tmp_path / "nowhere"))
    with opened(paths, alone=True) as replicas:
        PeerTable(replicas).finish()
        assert len({replica.graph.head for replica in replicas}) == 1


def test_peers_over_a_git_daemon_end_on_the_same_commit(tmp_path: Path) -> None:
    paths = make_seats(tmp_path, 2)
    with RepositoryServer(paths[0], "127.0.0.1", 0) as red, RepositoryServer(paths[1], "127.0.0.1", 0) as blue:
        use_remote(paths[0], "Blue", blue.url)
        use_remote(paths[1], "Red", red.url)
        with opened(paths) as replicas:
            play_rounds(replicas, lambda replica: len(replica.graph) > 60)
            assert all(one.trouble is None for replica in replicas for one in replica.neighbours)
        assert git(paths[0], "ls-remote", blue.url, "refs/heads/Blue_0")


@pytest.mark.processes
def test_finding_nothing_new_opens_no_process_and_writes_nothing(tmp_path: Path) -> None:
    paths = make_seats(tmp_path, 2)
    with opened(paths) as replicas:
        play_rounds(replicas, lambda replica: len(replica.graph) > 10)
        idle: Replica = replicas[1]
        idle.synchronize()
        idle.store.publish()
        before = {path: path.stat().st_mtime_ns for path in (paths[1] / ".git").rglob("*")}
        fetches = idle.neighbours[0].remote.fetches
        for _ in range(50):
            assert idle.synchronize() == 0
        assert idle.neighbours[0].remote.fetches == fetches
        assert {path: path.stat().st_mtime_ns for path in (paths[1] / ".git").rglob("*")} == before
