"""Changes of the view in real repositories: who is awaited, and who is away."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from catan_p2p.game.constants import Chance, Hands, Player
from catan_p2p.game.rule_names import rules_named
from catan_p2p.replication.replica import Replica
from tests.replication.peers import PATIENCE_S, views_of
from tests.replication.tables import make_seats, opened, play_rounds


def seats(
    folder: Path,
    players: int,
    chance: Chance = "actor",
    hands: Hands = "open",
    patience_s: int = PATIENCE_S,
    parties: Iterable[Sequence[Player]] = (),
    returns: int = 0,
) -> list[Path]:
    """The repositories of a new game that players may leave, with views."""
    rules = rules_named("standard", players)
    rules = replace(rules, leaving=True, patience=patience_s, signed_end=hands == "hidden", returns=returns)
    return make_seats(folder, players, 7, rules=rules, chance=chance, hands=hands, parties=parties)


def play_until(replicas: Sequence[Replica], awaited: Collection[Player]) -> None:
    """Play on until exactly these parties are awaited, as all know."""
    while any(awaited_by(replica) != {*awaited} for replica in replicas):
        least = len(replicas[0].graph) + 1
        play_rounds(replicas, lambda replica: len(replica.graph) >= least)  # noqa: B023 - called before it changes
        for replica in replicas:
            replica.synchronize()


def awaited_by(replica: Replica) -> frozenset[Player]:
    """The parties that are awaited, as a peer knows it."""
    graph = views_of(replica)
    return graph.awaited(graph.newest, graph.replies(), graph.view)


@contextmanager
def without_one(paths: Sequence[Path], commits: int) -> Iterator[tuple[list[Replica], Path]]:
    """Play, and close whoever is awaited then; the peers of the others, and the path of that one."""
    with opened(paths) as replicas:
        play_rounds(replicas, lambda replica: len(replica.graph) > commits)
        for replica in replicas:
            replica.synchronize()
        silent = next(replica for replica in replicas if replica.is_awaited)
        path = silent.store.folder.parent
        yield [replica for replica in replicas if replica is not silent], path
