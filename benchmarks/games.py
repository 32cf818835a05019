"""Games for benchmarks: recorded ones that are logged again, and one that never ends."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from catan_p2p.game.actions import Action
from catan_p2p.game.actions.replies import is_reply
from catan_p2p.game.constants import THESIS, Constants
from catan_p2p.game.randomness import SeededRandomness, logical_clock
from catan_p2p.game.state import State
from catan_p2p.log.game import GameDefinition, new_game
from catan_p2p.log.graph import CommitGraph
from catan_p2p.log.history import begin as begin_graph
from catan_p2p.log.history import load_history
from catan_p2p.log.refs import local_ref
from catan_p2p.log.storage.objects import ObjectId, ObjectKind
from catan_p2p.log.storage.store import Durability, GitStore
from catan_p2p.metrics.deltas import group_hand_overs
from catan_p2p.players.random_player import RandomPolicy
from catan_p2p.replication.peer import Peer
from catan_p2p.simulation.game import SimulationSettings, create_game, play_game


class Recorded(NamedTuple):
    """One recorded action: the state after it, and whether it is the last of a hand-over."""

    action: Action
    after: State
    is_published: bool


def record_game(folder: Path, players: int, seed: int, actions: int) -> tuple[GameDefinition, list[Recorded]]:
    """The first ``actions`` actions of the first simulated game of random players that is long enough."""
    number = 0
    while True:
        played = play_game(folder, number, SimulationSettings(players=players, games=number + 1, seed=seed))
        if played.result.actions >= actions:
            break
        number += 1
    history = load_history(folder / f"Catan_{number}")
    last = {group[-1].commit for group in group_hand_overs(history.actions)}
    recorded = [Recorded(logged.action, logged.state, logged.commit in last) for logged in history.actions]
    return new_game(number, history.game.constants), recorded[:actions]


class Entry(NamedTuple):
    """An object to store."""

    kind: ObjectKind
    data: bytes


@dataclass(slots=True)
class Logged:
    """A game logged again: the seconds to publish all of it and to fold the packs, and the objects of each action."""

    logging_s: float
    folding_s: float
    objects: list[list[Entry]]


def log_again(
    folder: Path,
    game: GameDefinition,
    recorded: Sequence[Recorded],
    *,
    keep: bool = False,
    lag_s: float = 0.0,
    durability: Durability = "process",
) -> Logged:
    """Log a recorded game into a new repository at ``folder``: trees, commits, journal, packs, refs, all of it.

    With the lag of :data:`benchmarks.log_floor.LAG_S`, there are as many publications as in a simulation; without a
    lag, one for each hand-over. ``keep`` also returns the objects, which takes time: do not time such a call.
    """
    create_game(folder, game, nonce="benchmark")
    objects: list[list[Entry]] = []
    with GitStore.open(folder, lag_s=lag_s, durability=durability) as store:
        graph = _open(store)
        put = store.add
        if keep:

            def put(kind: ObjectKind, data: bytes) -> ObjectId:
                objects[-1].append(Entry(kind, data))
                return store.add(kind, data)

        replies: list[tuple[str, ObjectId]] = []
        begin = time.perf_counter()
        for action, after, is_published in recorded:
            if keep:
                objects.append([])
            step = graph.write(action, after, logical_clock(graph.next_height(action.player)), put)
            if is_reply(action):
                ref = local_ref(game.branch_for(graph.head, action))
                store.record(ref, step.commit, None)
                replies.append((ref, step.commit))
            else:
                log = local_ref(game.branch(action.player))
                store.record(log, step.commit, store.own_ref(log))
                for ref, commit in replies:
                    store.delete_ref(ref, commit)
                replies = []
            graph.add(step)
            if is_published:
                store.publish()
        store.publish()
        logged = time.perf_counter()
        store.fold()
        folded = time.perf_counter()
    return Logged(logged - begin, folded - logged, objects)


def _open(store: GitStore) -> CommitGraph:
    return begin_graph("the game", next(iter(store.list_refs("refs/heads/").values())), store.read)


class Mark(NamedTuple):
    """A mark in an endless game: the actions so far, and the seconds that they took."""

    actions: int
    elapsed_s: float


def play_endless(folder: Path, players: int, seed: int, every: int) -> Iterator[Mark]:
    """A game without an end, of random peers in one repository at ``folder``; yields after each ``every`` actions.

    The caller's time between two yields does not count. Close the iterator to close the repository.
    """
    # Fifteen roads do not reach settlement points enough for forty points.
    rules = replace(THESIS, points_to_win=40, villages=15, cities=20, special_building=players > 4)
    create_game(folder, new_game(0, Constants(rules, player_count=players)), nonce="benchmark")
    randomness = SeededRandomness(seed, 0)
    with GitStore.open(folder) as store:
        peers = [
            Peer(store, _open(store), player, RandomPolicy(), randomness, logical_clock)
            for player in range(1, players + 1)
        ]
        for peer in peers:
            peer.resume()
        elapsed_s, told = 0.0, 0
        begin = time.perf_counter()
        while True:
            for peer in peers:
                peer.synchronize()
                peer.act()
                actions = len(peer.graph) - 1
                if actions >= told + every:
                    told = actions
                    elapsed_s += time.perf_counter() - begin
                    yield Mark(actions, elapsed_s)
                    begin = time.perf_counter()
