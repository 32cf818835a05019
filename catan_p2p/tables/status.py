"""What a seat's repository says about the game: whose move is awaited, how far everybody is, what was refused."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from catan_p2p.log.commit import decode_commit
from catan_p2p.log.evidence import list_evidence, read_refusals
from catan_p2p.log.graph import CommitGraph
from catan_p2p.log.history import game_refs, read_history
from catan_p2p.log.refs import remote_ref
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.storage.store import GitStore
from catan_p2p.log.verdict import CommitRejected
from catan_p2p.log.views.nodes import AcceptanceNode, ProposalNode, VoteNode
from catan_p2p.replication.kept_wait import read_wait
from catan_p2p.replication.play import awaited_in
from catan_p2p.replication.prospects import LeaveProspect, open_vote, prospects
from catan_p2p.replication.turn_clock import TurnClock
from catan_p2p.tables.seat import SeatSettings, private_folder, read_settings
from catan_p2p.time_source import SYSTEM_TIME, TimeSource


@dataclass(frozen=True, slots=True)
class KnownProgress:
    """How far another player is known to be: their newest log, and how many commits it is behind the newest."""

    colour: str
    url: str | None
    head: ObjectId | None
    height: int | None
    behind: int | None


@dataclass(frozen=True, slots=True)
class VoteOn:
    """A vote that is open: without whom, with the parties that have voted, and that have not, by first seats."""

    absent: str
    voted: tuple[str, ...]
    lacking: tuple[str, ...]
    proof: tuple[ObjectId, ...] = ()
    """The two commits that prove that they have forked, if they have."""


@dataclass(frozen=True, slots=True)
class SeatStatus:
    """The state of one seat."""

    settings: SeatSettings
    graph: CommitGraph
    awaited: tuple[str, ...]
    players: tuple[KnownProgress, ...]
    refusals: tuple[dict[str, Any], ...]
    evidence: dict[str, ObjectId]
    """The refused commits that are kept, by ``<Colour>/<commit>``."""
    damage: tuple[CommitRejected, ...]
    since_s: int
    """The date of the newest known commit, in seconds since 1970: the wait began then."""
    votes: tuple[VoteOn, ...] = ()
    """The votes on awaited players."""
    prospects: tuple[LeaveProspect, ...] = ()
    """Whether this player can vote on awaited players, according to the kept wait."""


def read_status(path: Path, time: TimeSource = SYSTEM_TIME) -> SeatStatus:
    """The status of the seat at ``path``, read without disturbing its peer; ``StoreError`` if it is none."""
    settings = read_settings(path)
    with GitStore.open(path, writer=None) as store:
        refs = game_refs(store)
        history = read_history(refs, store.read, str(path))
        graph = history.graph
        since_s = decode_commit(store.read(graph.head)[1]).author.time_s
    names = [seat.colour for seat in graph.game.seats]
    clock = TurnClock(time, read_wait(private_folder(path)))
    clock.look(graph)
    clock.count_gap()
    return SeatStatus(
        settings=settings,
        graph=graph,
        awaited=tuple(names[player - 1] for player in awaited_in(graph)),
        players=tuple(
            _known(graph, settings, refs, player, colour)
            for player, colour in enumerate(names, 1)
            if colour != settings.colour
        ),
        refusals=tuple(read_refusals(private_folder(path))),
        evidence=list_evidence(private_folder(path)),
        damage=history.rejected,
        since_s=since_s,
        votes=tuple(_votes(graph, names)) if graph.game.has_views else (),
        prospects=prospects(graph, graph.game.player_of(settings.colour) or 0, clock),
    )


def _votes(graph: CommitGraph, names: list[str]) -> Iterator[VoteOn]:
    """The votes of the change that is open, about each party without whom somebody goes on, or that has forked."""
    valid = graph.valid
    open = open_vote(valid)
    proven = [party for party in valid.view.present if party in valid.forkers]
    for absent in sorted({*open.named, *proven}) if open.voted else ():
        yield VoteOn(
            names[absent - 1],
            voted=tuple(names[party - 1] for party in open.voted if party != absent),
            lacking=tuple(names[party - 1] for party in open.missing if party != absent),
            proof=valid.forkers.get(absent, ()),
        )


def _known(
    graph: CommitGraph, settings: SeatSettings, refs: dict[str, ObjectId], player: int, colour: str
) -> KnownProgress:
    head = refs.get(remote_ref(colour, graph.game.branch(player)))
    if head is None or head not in graph:
        return KnownProgress(colour, settings.remotes.get(colour, settings.relay), head, None, None)
    node = graph.valid.nodes[head] if graph.game.has_views else None
    # What is signed about a change is no part of the line, and a reply to the newest commit is one ahead of it.
    built_on = node.head if isinstance(node, VoteNode | ProposalNode | AcceptanceNode) else head
    behind = max(0, graph.height(graph.head) - graph.height(built_on))
    return KnownProgress(colour, settings.remotes.get(colour, settings.relay), head, graph.height(head), behind)
