"""The figures of a simulated game, from its record: how long things took, and how many bytes were sent."""

import csv
import io
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.simulation.laboratory.distributions import US
from catan_p2p.simulation.laboratory.histograms import Histogram
from catan_p2p.simulation.laboratory.recording import SPECTATORS, ActionSpread
from catan_p2p.simulation.laboratory.spending import KINDS
from catan_p2p.simulation.laboratory.world import SimulatedWorld

QUANTILES = (0.5, 0.95, 0.99)
WAY_COUNTS = ("messages", "bytes", "looks", "wasted_looks", "fetches", "fetched_bytes", "pushes", "told", "told_bytes")


def quantiles(times_us: Iterable[int] | Histogram) -> dict[str, Any]:
    """The number of times, their p50, p95 and p99 in seconds, and ``counts``: pairs of a time and how often it came.

    The quantiles of a histogram are those of its buckets.
    """
    if isinstance(times_us, Histogram):
        seen, found = times_us, [times_us.quantile(share) for share in QUANTILES]
    else:
        ordered = sorted(times_us)
        seen = Histogram(ordered)
        found = [ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0 for share in QUANTILES]
    told: dict[str, Any] = {"count": seen.count}
    told |= {f"p{share * 100:g}_s": value / US for share, value in zip(QUANTILES, found, strict=True)}
    return told | {"counts": [[value / US, count] for value, count in seen.counts()]}


def line_of(world: SimulatedWorld) -> list[tuple[ObjectId, ActionSpread]]:
    """The actions of the final log, in the order in which they were written."""
    actions = world.recording.actions
    return [(commit, known) for commit, known in actions.items() if commit in world.referee.graph]


def hand_overs(world: SimulatedWorld) -> list[int]:
    """Microseconds from publishing an action until the next player knew it, if the next action is another player's."""
    line = [known for _, known in line_of(world)]
    players = world.recording.players
    found = []
    for before, after in pairwise(line):
        knew = before.by.get(players[after.player - 1])
        if before.player != after.player and knew is not None and before.shown >= 0:
            found.append(max(0, knew - before.shown))
    return found


def turns(world: SimulatedWorld) -> list[int]:
    """Microseconds from one end of a turn to the next."""
    roller, ends = 0, []
    for _, known in line_of(world):
        if known.kind == "RollDice":
            roller = known.player
        # A turn ends when its player stops building; so does special building by others, between two turns.
        elif known.kind == "EmptyBuild" and known.player == roller and known.shown >= 0:
            ends.append(known.shown)
    return [after - before for before, after in pairwise(ends) if after >= before]


def spreadings(world: SimulatedWorld) -> list[int]:
    """Microseconds from publishing each action until all players knew it, for those that all have learned of."""
    count = len(world.recording.players)
    return [
        # A relay can pass an action on before its author's own repository shows it.
        max(0, max(known.by.values()) - known.shown)
        for _, known in line_of(world)
        if known.shown >= 0 and len(known.by) == count
    ]


def summary(world: SimulatedWorld) -> dict[str, Any]:
    """All figures of one game, as plain values; times in seconds."""
    hosts, spectators = world.hosts, world.spectators
    for host in hosts:
        host.spent.book()
    ways = [way for (sender, _), way in world.recording.ways.items() if sender != SPECTATORS]
    told: dict[str, Any] = {
        "virtual_s": world.now / US,
        "events": world.events,
        "actions": len(world.referee.graph) - 1,
        "head": world.referee.graph.head,
        "hand_over": quantiles(hand_overs(world)),
        "turn": quantiles(turns(world)),
        "everybody_knows": quantiles(spreadings(world)),
        **{f"{kind}_s": sum(host.spent.us[kind] for host in hosts) / US for kind in KINDS},
        "looks": sum(way.looks for way in ways),
        "wasted_looks": sum(way.wasted_looks for way in ways),
        "fetches": sum(way.fetches for way in ways),
        "fetched_bytes": sum(way.fetched_bytes for way in ways),
        "pushes": sum(way.pushes for way in ways),
        "told": sum(way.told for way in ways),
        "told_bytes": sum(way.told_bytes for way in ways),
        "starts": {host.name: host.spent.starts for host in hosts},
        "faults": [str(fault) for fault in world.happened],
        "links": links(world),
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


def links(world: SimulatedWorld) -> list[dict[str, Any]]:
    """A record for each path: what was sent, and what the sender requested. All spectators count as one host."""
    found = []
    for (sender, receiver), way in world.recording.ways.items():
        counts = {name: getattr(way, name) for name in WAY_COUNTS}
        times = {"looking_s": way.looking_us / US, "transfer_s": way.transfer_us / US}
        found.append({"from": sender, "to": receiver} | counts | times)
    return found


def links_csv(world: SimulatedWorld) -> str:
    """The same as a table."""
    out = io.StringIO()
    write = csv.DictWriter(out, ("from", "to", *WAY_COUNTS, "looking_s", "transfer_s"), lineterminator="\n")
    write.writeheader()
    write.writerows(links(world))
    return out.getvalue()


def knowledge_csv(world: SimulatedWorld) -> str:
    """A table with a row for each action: who, what, and in seconds when it was written, shown, and known to each."""
    out = io.StringIO()
    write = csv.writer(out, lineterminator="\n")
    players = world.recording.players
    write.writerow(["commit", "player", "action", "written_s", "shown_s", *(f"{name}_knew_s" for name in players)])
    for commit, known in line_of(world):
        knew = ["" if (at := known.by.get(name)) is None else f"{at / US:.6f}" for name in players]
        shown = "" if known.shown < 0 else f"{known.shown / US:.6f}"
        write.writerow([commit, players[known.player - 1], known.kind, f"{known.written / US:.6f}", shown, *knew])
    return out.getvalue()
