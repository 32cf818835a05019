"""A laboratory whose peers are followed: TLC says whether what they did is a behaviour of the replication."""

from functools import cached_property

from catan_p2p.replication.replica import Replica
from catan_p2p.simulation.game import SimulationSettings
from catan_p2p.simulation.laboratory.hosts import Host
from catan_p2p.simulation.laboratory.spec import parse_network
from catan_p2p.simulation.laboratory.world import SimulatedWorld
from tests.model_check.peers_trace import Recorder


class FollowedWorld(SimulatedWorld):
    """A simulated game with a recorder."""

    def __init__(self, chosen: SimulationSettings) -> None:
        super().__init__(0, chosen, parse_network(chosen.network))

    @cached_property
    def recorder(self) -> Recorder:
        """What its peers have done."""
        return Recorder(self.game.constants)

    def has_started(self, host: Host, replica: Replica) -> None:
        super().has_started(host, replica)
        self.recorder.follow(replica)

    def has_died(self, host: Host) -> None:
        super().has_died(host)
        self.recorder.died(host.seat.player)
