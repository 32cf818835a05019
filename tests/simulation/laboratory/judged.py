"""A laboratory that the independent referee judges as well, so that a mistake in validation is seen."""

from collections.abc import Callable

from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.simulation.laboratory.hosts import Host
from catan_p2p.simulation.laboratory.referee import Referee
from catan_p2p.simulation.laboratory.scene import PromiseBroken
from catan_p2p.simulation.laboratory.served_disk import Objects
from catan_p2p.simulation.laboratory.world import SimulatedWorld
from tests.referee import referee


class Judge(Referee):
    """The laboratory's referee, for whom a commit counts only if the independent one accepts it, too."""

    def __init__(self, root: ObjectId, objects: Objects, now: Callable[[], int]) -> None:
        super().__init__(root, objects, now)
        self.log = referee.log_of(root, referee.read_game(root, objects.__getitem__))

    def _judge(self, host: Host, commit: ObjectId, data: bytes) -> None:
        if commit in self.graph or commit in self._late:
            return
        super()._judge(host, commit, data)
        try:
            self.log.take(self.log.judge(commit, data))
        except referee.Refused as refused:
            if refused.reason != "late" or commit not in self._late:
                self._fail(host, f"holds {commit[:10]}, which the independent referee refuses: {refused}")


class JudgedWorld(SimulatedWorld):
    """A simulated game with that judge."""

    judge = Judge


class NotingJudge(Judge):
    """The same, which notes what is broken first, lets the game go on, and judges nothing more."""

    broken: PromiseBroken | None = None

    def _judge(self, host: Host, commit: ObjectId, data: bytes) -> None:
        if self.broken is None:
            super()._judge(host, commit, data)

    def _fail(self, host: Host, what: str) -> None:
        if self.broken is None:
            try:
                super()._fail(host, what)
            except PromiseBroken as error:
                self.broken = error
