"""Two commits of one player in one place, each shown to some of the others: games of real repositories with a liar.

Red signs two commits on one; each of the others holds one of them, and has gone on from it as far as possible, before
they hear of one another.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

from catan_p2p.game.actions import Action, Call
from catan_p2p.game.constants import Player
from catan_p2p.game.rules import apply, decisions, draw
from catan_p2p.log.commit import decode_commit, trailers_of
from catan_p2p.log.evidence import read_refusals
from catan_p2p.log.reading import take_in
from catan_p2p.log.refs import local_ref
from catan_p2p.log.storage.objects import ObjectId, ObjectKind
from catan_p2p.replication.replica import Replica
from catan_p2p.tables.seat import private_folder
from tests.replication.peers import STEP_S, PeerTable
from tests.replication.tables import all_objects, point, write_object

LEAVING = "thesis; Leaving = yes; PointsToWin = 4"
RED, BLUE, GREEN, ORANGE, WHITE = 1, 2, 3, 4, 5


def folder_of(replica: Replica) -> Path:
    """The folder of a seat."""
    return replica.store.folder.parent


def until_awaited(replicas: Sequence[Replica], player: Player, least: int, when: Callable[[Replica], bool]) -> None:
    """Play until everybody knows that the game waits for a player, after so many commits."""
    while True:
        for replica in replicas:
            replica.synchronize()
            replica.store.publish()
        one = replicas[player - 1]
        if len(one.graph) >= least and one.is_awaited and when(one) and len({r.graph.head for r in replicas}) == 1:
            return
        for replica in replicas:
            if replica.is_awaited and not (replica is one and len(one.graph) >= least and when(one)):
                replica.act_one()


def written_by(liar: Replica, base: ObjectId, actions: Sequence[Action], time_s: int = 4000) -> list[ObjectId]:
    """Commits of the liar's on ``base``, one after the other, whatever else they have done; in their repository."""
    graph = liar.graph.at_root()
    take_in(graph, base, liar.store.read)
    found = []
    for action in actions:
        before = graph.before(action)
        put = lambda kind, data: write_object(folder_of(liar), kind, data)  # noqa: E731
        step = graph.write(action, apply(before, action), time_s + len(found), put)
        graph.add(step)
        found.append(step.commit)
    return found


def called_by(liar: Replica, call: Call) -> ObjectId:
    """The liar's call on the newest commit, in their repository."""

    def put(kind: ObjectKind, data: bytes) -> ObjectId:
        return write_object(folder_of(liar), kind, data)

    graph = liar.graph
    return graph.write(call, apply(graph.before(call), call), 4000, put, liar._share_for(call)).commit


def look_alone(replica: Replica, at: Sequence[str]) -> None:
    """Synchronize with these players only, and act as far as that goes."""
    others = replica.neighbours
    replica.neighbours = [one for one in others if one.colour in at]
    for one in others:
        one.source.seen.clear()
        one.strays_at = 0.0
    for _ in range(3):
        replica.synchronize()
        replica.act()
    replica.neighbours = others


def forked(replicas: Sequence[Replica], split: tuple[Sequence[int], Sequence[int]]) -> list[ObjectId]:
    """Red takes one action in two ways, with different dates, each shown to some; who holds one acts on it."""
    red = replicas[RED - 1]
    base, log = red.graph.head, local_ref(red.game.branch(RED))
    state = red.graph.state
    action = draw(state, decisions(state, RED)[0], Random(1))
    both = [written_by(red, base, [action], 4000 + 10 * i)[0] for i in range(2)]
    for commit, side in zip(both, split, strict=True):
        point(folder_of(red), log, commit)
        for player in side:
            look_alone(replicas[player - 1], ["Red"])
    return both


def settle_all(replicas: Sequence[Replica], rounds: int = 12) -> None:
    """Let these look at everything, and change the view because of a fork; nobody acts but where its record waits."""
    table = PeerTable(replicas)
    for _ in range(rounds):
        table.round(acts=False, pause_s=STEP_S)


def check_together(replicas: Sequence[Replica]) -> None:
    """All stand on one commit, the liar is away, and nobody else is charged."""
    assert len({replica.graph.head for replica in replicas}) == 1
    for replica in replicas:
        assert replica.graph.state.away[RED - 1]
        refusals = read_refusals(private_folder(folder_of(replica)))
        colours = {line["colour"] for line in refusals}
        assert colours <= {replica.game.seats[RED - 1].colour}, refusals


def finish_without(replicas: Sequence[Replica], absent: Player = RED) -> None:
    """The others play to the end."""
    there = [replica for replica in replicas if replica.player != absent]
    PeerTable(there).finish()
    for replica in there:
        replica.fast_forward()
    assert len({replica.graph.head for replica in there}) == 1
    assert there[0].graph.state.is_over


def told_twice(paths: Sequence[Path], player: Player) -> list[str]:
    """The shares that a player has told for more than one call."""
    return [share for share, calls in told_for(paths, player).items() if len(calls) > 1]


def told_for(paths: Sequence[Path], player: Player) -> dict[str, set[ObjectId]]:
    """The calls for which a player has told each of their shares, of all objects there are."""
    found: dict[str, set[ObjectId]] = {}
    for path in paths:
        for oid, kind, data in all_objects(path):
            if kind == "commit":
                commit = decode_commit(data)
                trailers = trailers_of(commit.message)
                if trailers.get("Player") == str(player) and trailers.get("Action") in ("call", "reveal"):
                    call = oid if trailers["Action"] == "call" else commit.parents[0]
                    found.setdefault(trailers["Share"], set()).add(call)
    return found
