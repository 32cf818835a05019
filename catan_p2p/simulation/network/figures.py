"""What the record of a simulated game tells: how long things took, and what they weighed."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.simulation.network.distributions import US
from catan_p2p.simulation.network.histograms import Histogram
from catan_p2p.simulation.network.recording import Known
from catan_p2p.simulation.network.world import World

QUANTILES = (0.5, 0.95, 0.99)


def quantiles(times_us: Iterable[int] | Histogram) -> dict[str, float | int]:
    """How many there are, and p50, p95 and p99 in seconds."""
    if isinstance(times_us, Histogram):
        count, found = times_us.count, [times_us.quantile(share) for share in QUANTILES]
    else:
        ordered = sorted(times_us)
        count = len(ordered)
        found = [ordered[min(count - 1, int(share * count))] if ordered else 0 for share in QUANTILES]
    return {"count": count} | {f"p{share * 100:g}_s": value / US for share, value in zip(QUANTILES, found, strict=True)}


def line_of(world: World) -> list[tuple[ObjectId, Known]]:
    """The actions that are in the final log, in the order in which they were written."""
    actions = world.recording.actions
    return [(commit, known) for commit, known in actions.items() if commit in world.referee.graph]


def hand_overs(world: World) -> list[int]:
    """For each action whose next one is another player's: from when it was shown until that player knew it."""
    line = [known for _, known in line_of(world)]
    players = world.recording.players
    found = []
    for before, after in pairwise(line):
        knew = before.by.get(players[after.player - 1])
        if before.player != after.player and knew is not None and before.shown >= 0:
            found.append(max(0, knew - before.shown))
    return found


def turns(world: World) -> list[int]:
    """From one end of a turn to the next."""
    ends = [known.shown for _, known in line_of(world) if known.kind == "EmptyBuild" and known.shown >= 0]
    return [after - before for before, after in pairwise(ends) if after >= before]


def spreadings(world: World) -> list[int]:
    """For each action, from when it was shown until everybody knew it."""
    count = len(world.recording.players)
    return [
        max(known.by.values()) - known.shown
        for _, known in line_of(world)
        if known.shown >= 0 and len(known.by) == count
    ]


def summary(world: World) -> dict[str, Any]:
    """All figures of one game, as plain values; times in seconds."""
    hosts, spectators = world.hosts, world.spectators
    remotes = [(host, remote) for host in hosts for remote in host.remotes.values()]
    told: dict[str, Any] = {
        "virtual_s": world.now / US,
        "events": world.events,
        "actions": len(world.referee.graph) - 1,
        "head": world.referee.graph.head,
        "hand_over": quantiles(hand_overs(world)),
        "turn": quantiles(turns(world)),
        "everybody_knows": quantiles(spreadings(world)),
        "computing_s": sum(host.spent.computing_us for host in hosts) / US,
        "waiting_s": sum(host.spent.waiting_us for host in hosts) / US,
        "transfer_s": sum(remote.transfer_us for _, remote in remotes) / US,
        "looking_s": sum(remote.looking_us for _, remote in remotes) / US,
        "looks": sum(remote.looks for _, remote in remotes),
        "wasted_looks": sum(remote.wasted for _, remote in remotes),
        "fetches": sum(remote.fetches for _, remote in remotes),
        "fetched_bytes": sum(remote.bytes_received for _, remote in remotes),
        "starts": {host.name: host.spent.starts for host in hosts},
        "faults": [str(fault) for fault in world.happened],
        "links": [
            {"from": sender, "to": receiver, "messages": way.messages, "bytes": way.bytes}
            for (sender, receiver), way in world.recording.ways.items()
        ],
    }
    if spectators is not None:
        told["spectators"] = {
            "count": len(spectators.all),
            "staleness": quantiles(spectators.staleness),
            "looks": spectators.looks,
            "wasted_looks": spectators.wasted,
            "fetches": spectators.fetches,
            "bytes": spectators.bytes,
        }
    return told


def knowledge_csv(world: World) -> str:
    """For each action a line: who, what, when it was written and shown, and when each player knew it; seconds."""
    out = io.StringIO()
    write = csv.writer(out, lineterminator="\n")
    players = world.recording.players
    write.writerow(["commit", "player", "action", "written_s", "shown_s", *(f"{name}_knew_s" for name in players)])
    for commit, known in line_of(world):
        knew = ["" if (at := known.by.get(name)) is None else f"{at / US:.6f}" for name in players]
        shown = "" if known.shown < 0 else f"{known.shown / US:.6f}"
        write.writerow([commit, players[known.player - 1], known.kind, f"{known.written / US:.6f}", shown, *knew])
    return out.getvalue()
