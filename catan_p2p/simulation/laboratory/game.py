"""Plays a game over simulated links, records it, and writes it as a repository that Git reads."""

import json
from pathlib import Path
from typing import Any

from catan_p2p.game.scoring import player_points
from catan_p2p.log.refs import local_ref
from catan_p2p.log.storage import disk
from catan_p2p.log.storage.store import GitStore
from catan_p2p.replication.core.commit_author import GaveUp
from catan_p2p.simulation.command import simulate_command
from catan_p2p.simulation.game import GameResult, PlayedGame, Progress, SimulationSettings, folder_bytes, game_folder
from catan_p2p.simulation.laboratory.distributions import US
from catan_p2p.simulation.laboratory.figures import knowledge_csv, links_csv, summary
from catan_p2p.simulation.laboratory.files import figures_file, knowledge_file, links_file
from catan_p2p.simulation.laboratory.hosts import FOLDER
from catan_p2p.simulation.laboratory.scene import PromiseBroken
from catan_p2p.simulation.laboratory.spec import parse_network
from catan_p2p.simulation.laboratory.world import SimulatedWorld
from catan_p2p.tables.completeness import objects_below


class BrokenPromise(Exception):
    """A game in which a promise of the program was broken; the message has the command that repeats it."""


def play_network_game(
    out: Path, number: int, settings: SimulationSettings, progress: Progress | None = None
) -> PlayedGame:
    """Play a game in virtual time, and write to ``out`` its repository, its figures, and who knew which action when.

    Raises ``BrokenPromise``, ``GaveUp`` as peers do, ``StoreError`` if something cannot be written.
    """
    world = SimulatedWorld(number, settings, parse_network(settings.network))
    try:
        world.run()
    except PromiseBroken as error:
        again = simulate_command(settings, game=number)
        raise BrokenPromise(f"game {number}, seed {settings.seed}: {error}; again with: {again}") from error
    except GaveUp as error:
        raise GaveUp(f"{error}; again with: {simulate_command(settings, game=number)}") from error
    folder, told = game_folder(out, number), summary(world)
    with disk.explained("write", folder):
        _write_repository(world, folder)
        figures_file(out, number).write_text(json.dumps(told, indent=1) + "\n", "utf-8")
        knowledge_file(out, number).write_text(knowledge_csv(world), "utf-8")
        links_file(out, number).write_text(links_csv(world), "utf-8")
    result = _result(world, told, number, settings, folder)
    if progress is not None:
        progress(number, result.actions, result.points)
    return PlayedGame(result, (), (), ())


def _write_repository(world: SimulatedWorld, folder: Path) -> None:
    """Write the game as a repository on the real disk: every player's branch at the end, and the opened cards."""
    host, graph = world.hosts[0], world.referee.graph
    ends = {local_ref(world.game.branch(player)): graph.head for player in world.game.constants.players}
    for reply in graph.replies.values():
        branch = world.game.branch_for(graph.head, reply.action)
        ends[local_ref(branch)] = reply.commit
    with GitStore.create(folder) as store, GitStore.within(host.disk, FOLDER, writer=None) as played:
        # Everything that the ends lead to, copied from the first host's simulated disk.
        waiting, known = list(dict.fromkeys(ends.values())), set(ends.values())
        while waiting:
            kind, data = played.read(waiting.pop())
            store.add(kind, data)
            fresh = [oid for oid in objects_below(kind, data) if oid not in known]
            known.update(fresh)
            waiting += fresh
        for ref, head in ends.items():
            store.record(ref, head, None)
        store.fold()
        store.check_out(host.seat.log)


def _result(
    world: SimulatedWorld, told: dict[str, Any], number: int, settings: SimulationSettings, folder: Path
) -> GameResult:
    graph = world.referee.graph
    state = graph.state
    return GameResult(
        game=number,
        seed=settings.seed,
        players=settings.players,
        policies=tuple(settings.policy_of(player) for player in world.game.constants.players),
        winner=world.game.seats[state.ap - 1].colour,
        points=tuple(player_points(state, player) for player in world.game.constants.players),
        actions=graph.action_count,
        rounds=-(-graph.turns // settings.players),
        commits=len(graph),
        repository_bytes=folder_bytes(folder / ".git"),
        computing_s=told["computing_s"],
        synchronizing_s=told["looking_s"] + told["transfer_s"],
        elapsed_s=world.now / US,
        tries=0,
        findings=0,
        resumed=False,
        head=graph.head,
        waiting_s=told["waiting_s"],
        fetches=told["fetches"],
        bytes_received=told["fetched_bytes"],
        mistakes=sum(host.seat.chooser.mistakes for host in world.hosts),
    )
