"""Disks and links fail at tables that players may leave: who was there is not away, and nobody signs twice."""

import pytest

from catan_p2p.log.verdict import LoggedStep
from catan_p2p.replication.catch_up import CatchUp
from catan_p2p.replication.replica import Replica
from catan_p2p.simulation.laboratory.distributions import US
from catan_p2p.simulation.laboratory.hosts import Host
from tests.simulation.laboratory import leaving
from tests.simulation.laboratory.failing import play_one
from tests.simulation.laboratory.sums import watched
from tests.simulation.laboratory.worlds import settings

pytestmark = [pytest.mark.long, pytest.mark.sampled(3)]

GIVEN_BACK = 15
"""In this game a restored repository is given back a vote of its own, and others wait for it at the same time."""


class LosingWorld(leaving.LeavingWorld):
    """A game in which one peer is killed as its disk fails to sync what it has just written."""

    is_struck = False
    lost: LoggedStep | None = None
    is_put_back: bool | None = None
    """Whether that peer, started again, takes its repository for one that was put back."""

    def has_started(self, host: Host, replica: Replica) -> None:
        super().has_started(host, replica)
        if self.is_struck:
            self.is_put_back = not replica.catch_up.is_here
        act = replica.act

        def acting(max_actions: int | None = None) -> list[LoggedStep]:
            if self.is_struck or host is not self.hosts[0] or len(replica.graph) < 20:
                return act(max_actions)

            def restarting() -> None:
                host.disk.lose_power(None)
                host.disk.syncing = "works"

            host.disk.syncing = "fails"  # so nothing is published
            host.restart_after_us, host.on_restart = 2 * US, restarting
            host.kill()
            self.is_struck = True
            return [replica.act_one()]

        replica.act = acting  # type: ignore[method-assign]

    def _taken_in(self, host: Host, step: LoggedStep) -> None:
        super()._taken_in(host, step)
        if self.is_struck and self.lost is None:
            self.lost = step


def test_what_was_written_and_never_shown_may_be_lost() -> None:
    chosen = settings("lan; machine = quick", 1, 3, rules=leaving.RULES[0], signed=True)
    world = LosingWorld(0, chosen, leaving.Away(1, "loses power", 10**9))
    assert watched(leaving.Figures(), world, "", world.check).failures == []
    assert world.lost is not None
    assert world.lost.commit not in world.watcher.graph
    assert world.is_put_back is False, "else two of four who lose power during a vote would stand still"


def test_that_a_restored_peer_acts_before_it_has_asked_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CatchUp, "is_over", property(lambda catch_up: True))
    assert "has continued" in play_one(GIVEN_BACK).failures[0]
