"""Peers that are killed, and links that are cut, in the middle of a draw: nothing is lost, nobody tells a share twice.

Red, Blue and Green each have a repository; whoever calls is killed or cut off, and whoever reveals.
"""

import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import permutations
from pathlib import Path

import pytest

from catan_p2p.game.actions.replies import owes_reply
from catan_p2p.log.refs import COLOURS
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.transport.serve import RepositoryServer
from catan_p2p.replication.replica import Replica
from tests.chance.apart import go_on, look, nobody_told_twice, play_until_due
from tests.replication.campaign import play_one
from tests.replication.cut_proxy import CutProxy
from tests.replication.tables import is_sound, make_seats, opened, settle, use_remote

pytestmark = [pytest.mark.long, pytest.mark.sampled(9, together=True)]

POINTS = ("before", "recorded", "published")
"""Of an action: it is made and nowhere yet; it is in the journal; others can see it."""

_ACT_AND_DIE = """
import os, signal, sys
from pathlib import Path
from catan_p2p.game.randomness import logical_clock
from tests.replication.tables import open_replica

path, what, point = sys.argv[1:]
# Another clock than after the restart: what was lost could not come back as the same commit.
with open_replica(Path(path), lambda height: logical_clock(height) + 7) as replica:
    log, publish = replica._log_action, replica.store.publish
    logged = False

    def die():
        os.kill(os.getpid(), signal.SIGKILL)

    def log_and_die(action, after):
        global logged
        if type(action).__name__ != what:
            return log(action, after)
        if point == "before":
            replica.graph.write(action, after, 0, replica.store.add, replica._share_for(action))
            die()
        step = log(action, after)
        print(step.commit, flush=True)
        if point == "recorded":
            die()
        logged = True
        return step

    def publish_and_die():
        publish()
        if logged:
            die()

    replica._log_action, replica.store.publish = log_and_die, publish_and_die
    for _ in range(200):
        replica.synchronize()
        replica.act()
    sys.exit(f"never came to {what}: {replica.graph.state.tp}")
"""


def act_and_die(path: Path, what: str, point: str) -> ObjectId | None:
    """Kill a peer there; the commit that was acknowledged to it before."""
    command = [sys.executable, "-c", _ACT_AND_DIE, str(path), what, point]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=Path(__file__).parents[2])
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert bool(done.stdout) == (point != "before")
    return ObjectId(done.stdout.strip()) if done.stdout else None


def is_to_call(replica: Replica) -> bool:
    return replica.is_awaited and replica.graph.state.tp == "DiceRoll"


def is_to_reveal(replica: Replica) -> bool:
    return replica.graph.state.tp == "Drawing" and owes_reply(replica.graph.state, replica.player)


def is_to_settle(replica: Replica) -> bool:
    state = replica.graph.state
    return replica.is_awaited and state.call.what == "RollDice" and not any(state.due)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no kill -9 here")
@pytest.mark.parametrize(
    ("what", "is_due"), [("Call", is_to_call), ("Reveal", is_to_reveal), ("RollDice", is_to_settle)]
)
def test_whoever_is_killed_in_a_draw_goes_on_with_it(
    tmp_path: Path, what: str, is_due: Callable[[Replica], bool]
) -> None:
    paths = make_seats(tmp_path, 3, chance="joint")
    victim, acknowledged = paths[0], None
    for point in (*POINTS, None):
        with opened(paths) as replicas:
            assert acknowledged is None or acknowledged in replicas[paths.index(victim)].graph
            if point != POINTS[0]:
                go_on(replicas)
                assert nobody_told_twice(paths)
            if point is not None:
                victim = paths[play_until_due(replicas, is_due).player - 1]
                settle([replica for replica in replicas if replica.store.folder.parent != victim])
        if point is not None:
            acknowledged = act_and_die(victim, what, point)
    assert all(is_sound(path) for path in paths)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no kill -9 here")
def test_whoever_is_killed_while_pledging_pledges_the_same(tmp_path: Path) -> None:
    paths = make_seats(tmp_path, 3, chance="joint", signed=True)
    acknowledged = [act_and_die(path, "Pledge", point) for path, point in zip(paths, POINTS, strict=True)]
    with opened(paths) as replicas:
        assert all(
            pledge is None or pledge in replica.graph for pledge, replica in zip(acknowledged, replicas, strict=True)
        )
        go_on(replicas, draws=2)
    assert nobody_told_twice(paths)


@pytest.fixture
def wires(tmp_path: Path) -> Iterator[tuple[list[Path], dict[tuple[int, int], CutProxy]]]:
    """Three seats, each of which fetches from each other one through a wire: (who fetches, from whom)."""
    paths = make_seats(tmp_path, 3, chance="joint", signed=True)
    with ExitStack() as stack:
        servers = [stack.enter_context(RepositoryServer(path, "127.0.0.1", 0)) for path in paths]
        found = {}
        for who, whom in permutations(range(3), 2):
            wire = found[who + 1, whom + 1] = stack.enter_context(CutProxy(servers[whom].port))
            use_remote(paths[who], COLOURS[whom], wire.url)
        yield paths, found


@pytest.mark.parametrize("cut_off", ["caller", "revealer"])
def test_a_partition_in_the_middle_of_a_draw(
    wires: tuple[list[Path], dict[tuple[int, int], CutProxy]], cut_off: str
) -> None:
    """When nobody, one, or both have revealed."""
    paths, found = wires
    with opened(paths) as replicas:
        for already_revealed in range(3):
            caller = play_until_due(replicas, is_to_call)
            caller.act()
            draw = caller.graph.known_shares.draws
            others = [replica for replica in replicas if replica is not caller]
            for replica in others[:already_revealed]:
                play_until_due([replica], is_to_reveal)
                replica.act()
            alone = others[0] if cut_off == "revealer" else caller
            cut = [wire for ends, wire in found.items() if alone.player in ends]
            for wire in cut:
                wire.set("cut")
            for _ in range(3):
                for replica in replicas:
                    look(replica)
                    replica.act()
                    assert replica.graph.known_shares.draws <= draw, "nobody goes on without the others"
            for wire in cut:
                wire.set("open")
            go_on(replicas)
        settle(replicas)
    assert nobody_told_twice(paths)


def test_real_peers_killed_again_and_again_through_a_joint_game(tmp_path: Path) -> None:
    figures = play_one(
        tmp_path,
        3,
        players=3,
        transport="path",
        chance="joint",
        signed=True,
        faults_s=6.0,
        rules="thesis; PointsToWin = 7",
        full_disks=False,
    )
    assert figures.failures == []
    assert (figures.lost, figures.told_twice) == (0, 0)
    assert figures.draws > 25, "how long the game is depends on when its peers are killed"
    assert figures.faults["kill"] + figures.faults["kill_all"] > 2
