"""Results that the replicas of one process compute from the same commits: each verdict and each ledger only once.

Where nobody may leave, verdicts and ledgers depend only on the commits that are held: not on the player who judges, nor
on the order in which replies came. So the set of those commits is the cache key. In a game that players may
leave every replica has a graph of its own.
"""

from __future__ import annotations

from catan_p2p.log.dictionaries import RecentItems
from catan_p2p.log.ledger import Ledger
from catan_p2p.log.rules import judge
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.tree import SuccessorTree
from catan_p2p.log.verdict import CommitRejected, LoggedStep


class SharedWork:
    """The latest verdicts and ledgers of a game, for all graphs that begin with one ledger.

    A set of commits is identified by the exclusive or of their ids (``held``). That is enough among replicas of one
    process, which write all commits themselves; a peer that listens to strangers must not share.
    """

    def __init__(self) -> None:
        self._verdicts: RecentItems[tuple[int, ObjectId], LoggedStep | CommitRejected] = RecentItems()
        self._ledgers: RecentItems[int, Ledger] = RecentItems()

    def verdict(
        self, held: int, ledger: Ledger, commit: ObjectId, data: bytes, successor: SuccessorTree | None
    ) -> LoggedStep | CommitRejected:
        """Judge the bytes of a commit; ``ledger`` is that of the commits held."""
        key = held, commit
        found = self._verdicts.get(key)
        if found is None:
            found = self._verdicts[key] = judge(ledger, commit, data, successor=successor)
        return found

    def ledger(self, held: int, before: Ledger, step: LoggedStep) -> Ledger:
        """Return the ledger of the commits held, of which ``step`` is the last; ``before`` is the ledger without it."""
        found = self._ledgers.get(held)
        if found is None:
            found = self._ledgers[held] = before.extend(step)
        return found
