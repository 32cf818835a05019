"""What a seat's repository says about the game: whose move is awaited, how far everybody is, what was refused."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from catan_p2p.log.evidence import list_evidence, read_refusals
from catan_p2p.log.graph import CommitGraph
from catan_p2p.log.history import game_refs, read_history
from catan_p2p.log.refs import remote_ref
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.storage.store import GitStore
from catan_p2p.log.verdict import CommitRejected
from catan_p2p.replication.kept_wait import read_wait
from catan_p2p.replication.prospects import Standing, back_in_words, newest_at, prospects
from catan_p2p.replication.turn_clock import TurnClock
from catan_p2p.tables.seat import SeatSettings, private_folder, read_settings
from catan_p2p.time_source import SYSTEM_TIME, TimeSource


@dataclass(frozen=True, slots=True)
class KnownProgress:
    """How far another player is known to be: their newest log, and how many actions it is behind the newest."""

    colour: str
    url: str | None
    head: ObjectId | None
    height: int | None
    behind: int | None


@dataclass(frozen=True, slots=True)
class SeatStatus:
    """The state of one seat."""

    settings: SeatSettings
    graph: CommitGraph
    standing: Standing
    players: tuple[KnownProgress, ...]
    refusals: tuple[dict[str, Any], ...]
    evidence: dict[str, ObjectId]
    """The refused commits that are kept, by ``<Colour>/<commit>``."""
    damage: tuple[CommitRejected, ...]


def read_status(path: Path, time: TimeSource = SYSTEM_TIME) -> SeatStatus:
    """The status of the seat at ``path``, read without disturbing its peer; ``StoreError`` if it is none."""
    settings = read_settings(path)
    with GitStore.open(path, writer=None) as store:
        refs = game_refs(store)
        history = read_history(refs, store.read, str(path))
        graph = history.graph
        own = graph.game.player_of(settings.colour) or 0
        clock = TurnClock(time, read_wait(private_folder(path)))
        clock.look(graph)
        clock.count_gap()
        found = prospects(graph, own, clock, store.read)
        standing = Standing(graph, own, newest_at(graph, store.read), found, back_in_words(graph, own, store.read))
    return SeatStatus(
        settings=settings,
        graph=graph,
        standing=standing,
        players=tuple(
            _known(graph, settings, refs, player, colour)
            for player, colour in enumerate((seat.colour for seat in graph.game.seats), 1)
            if colour != settings.colour
        ),
        refusals=tuple(read_refusals(private_folder(path))),
        evidence=list_evidence(private_folder(path)),
        damage=history.rejected,
    )


def _known(
    graph: CommitGraph, settings: SeatSettings, refs: dict[str, ObjectId], player: int, colour: str
) -> KnownProgress:
    head = refs.get(remote_ref(colour, graph.game.branch(player)))
    if head is None or head not in graph:
        return KnownProgress(colour, settings.remotes.get(colour, settings.relay), head, None, None)
    valid = graph.valid
    # A reply to the newest commit, or what is signed about a change there, is not behind it.
    known, newest = (valid.line_node(at).ledger.line.action_count for at in (valid.nodes[head].head, graph.head))
    behind = max(0, newest - known)
    return KnownProgress(colour, settings.remotes.get(colour, settings.relay), head, graph.height(head), behind)
