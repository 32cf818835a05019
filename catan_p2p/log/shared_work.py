"""What the replicas of one process work out of the same commits: each verdict and each ledger once.

Where nobody may leave, a verdict and a ledger follow from the commits that are held and from nothing else: not from
who judges, nor from the order in which replies came. So they are kept by the set of those commits. Votes bind the one
who has cast them, so in a game that somebody may leave every replica judges for itself.
"""

from __future__ import annotations

from catan_p2p.log.ledger import Ledger
from catan_p2p.log.recent import RecentItems
from catan_p2p.log.rules import judge
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.tree import SuccessorTree
from catan_p2p.log.verdict import CommitRejected, LoggedStep


class SharedWork:
    """The verdicts and the ledgers of a game that were worked out last, for all graphs that begin with one ledger.

    A set of commits is told by the exclusive or of their ids (``held``). That suffices among replicas of one process,
    which write all commits themselves; whoever hears strangers must not share.
    """

    def __init__(self) -> None:
        self._verdicts: RecentItems[tuple[int, ObjectId], LoggedStep | CommitRejected] = RecentItems()
        self._ledgers: RecentItems[int, Ledger] = RecentItems()

    def verdict(
        self, held: int, ledger: Ledger, commit: ObjectId, data: bytes, successor: SuccessorTree | None
    ) -> LoggedStep | CommitRejected:
        """What the rules say of the bytes of a commit; ``ledger`` is that of the commits held."""
        key = held, commit
        found = self._verdicts.get(key)
        if found is None:
            found = self._verdicts[key] = judge(ledger, commit, data, successor=successor)
        return found

    def ledger(self, held: int, before: Ledger, step: LoggedStep) -> Ledger:
        """The ledger of the commits held, of which ``step`` is the last and ``before`` is the ledger without it."""
        found = self._ledgers.get(held)
        if found is None:
            found = self._ledgers[held] = before.extend(step)
        return found
