"""What it costs the other peers to take in an action."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import islice

from catan_p2p.game.constants import Player
from catan_p2p.log.history import LoggedAction
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.replication.peer import SyncTiming


def share_syncs(
    actions: Sequence[LoggedAction], syncs: Iterable[SyncTiming], players: Iterable[Player]
) -> dict[ObjectId, float]:
    """Seconds that all other peers together spent on synchronizations that brought an action, by its commit.

    A synchronization is shared equally among the commits that it brought. A peer takes in what the others do in the
    order of the log; only of replies to one commit it is not known which came first, they count in the order of
    ``actions``. Empty unless every peer took in every action of the others: of a part of a game nothing can be told.
    """
    by_player: dict[Player, list[SyncTiming]] = defaultdict(list)
    for sync in syncs:
        by_player[sync.player].append(sync)
    shares: dict[ObjectId, float] = defaultdict(float)
    for player in players:
        others = [logged.commit for logged in actions if logged.action.player != player]
        if sum(sync.commits for sync in by_player[player]) != len(others):
            return {}
        coming = iter(others)
        for sync in by_player[player]:
            for commit in islice(coming, sync.commits):
                shares[commit] += sync.sync_s / sync.commits
    return dict(shares)
